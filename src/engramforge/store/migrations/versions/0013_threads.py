"""PostgreSQL finds threads by an index of their own, few as they are among memories. SQLite has no such index."""

from alembic import op

from engramforge.store.migrations.steps import run_script

revision = "0013"
down_revision = "0012"

_POSTGRES = "CREATE INDEX IF NOT EXISTS memory_thread ON memory (tenant, energy) WHERE kind = 'thread'"


def upgrade() -> None:
    """Make the index."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        run_script(connection, _POSTGRES)
