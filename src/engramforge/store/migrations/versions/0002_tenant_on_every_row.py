"""A tenant on every row, and an index for the newest change of an agent."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TABLES = (
    "store",
    "project",
    "session",
    "encoder",
    "memory",
    "body",
    "chunk",
    "memory_tag",
    "embedding_semantic",
    "embedding_words",
    "link",
    "origin",
    "removal",
    "audit",
    "mark",
)


def upgrade() -> None:
    """Add the column, filled with the tenant whose file this is."""
    connection = op.get_bind()
    tenant = connection.exec_driver_sql("SELECT value FROM store WHERE key = 'tenant'").scalar()
    for name in _TABLES:
        op.add_column(name, sa.Column("tenant", sa.Text(), nullable=False, server_default="default"))
        if tenant not in (None, "default"):
            table = sa.table(name, sa.column("tenant"))
            connection.execute(sa.update(table).values(tenant=tenant))
    op.create_index("memory_agent_change", "memory", ["agent", "change"])
