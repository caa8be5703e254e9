"""The SQLite engine of the door: one file a tenant."""
