"""Common parts of the formats: sources, records, streams of JSON, sessions, chats, texts."""
