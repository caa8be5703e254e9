"""How the PostgreSQL engine finds candidates."""
