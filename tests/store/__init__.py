"""The SQLite engine beyond the door's contract."""
