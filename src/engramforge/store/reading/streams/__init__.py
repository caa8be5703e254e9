"""Reading for streams: where links lead, and how memories feel."""
