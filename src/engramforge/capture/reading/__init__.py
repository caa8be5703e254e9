"""What the formats share: sources, records, streams of JSON, sessions, chats, texts."""
