"""What a process keeps in memory of a SQLite store, so that a question scans arrays and not rows."""
