"""Archives: a conversation compressed, read, and continued."""
