"""The PostgreSQL engine of the door: server-side indexes, row-level security, no state in the client."""
