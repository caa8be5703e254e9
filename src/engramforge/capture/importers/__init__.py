"""One module per format that people bring, each a streaming reader of records; what must not enter is the store."""
