"""Alembic migrations of both engines; loaded only when a stored schema is behind."""
