"""PostgreSQL behind the door. What must not enter: SQLite, and anything that a stage would have to know."""
