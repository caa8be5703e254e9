"""What a process keeps of a SQLite store, so that a question scans arrays and not rows."""
