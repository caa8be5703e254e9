"""What was put before a model, and whether it was of use."""

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import columns, run_script, secure, tenant

revision = "0008"
down_revision = "0007"

_POSTGRES = """
CREATE TABLE injection (
  tenant text COLLATE "C" NOT NULL,
  id bytea NOT NULL,
  agent text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  session text COLLATE "C",
  project text COLLATE "C",
  at bigint NOT NULL,
  tokens integer NOT NULL,
  latency_ms double precision NOT NULL,
  memories text COLLATE "C" NOT NULL,
  note text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX ix_injection_session ON injection (tenant, session);
ALTER TABLE injection ALTER COLUMN session SET STATISTICS 0, ALTER COLUMN note SET STATISTICS 0
"""


def upgrade() -> None:
    """Make the table; nothing was put before a model so far."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        run_script(connection, _POSTGRES)
        secure(connection, "injection")
        return
    op.create_table(
        "injection",
        sa.Column("id", sa.LargeBinary(16), nullable=False),
        *columns(sa.Text, "agent", "event", "cause"),
        *columns(sa.Text, "session", "project", nullable=True),
        *columns(sa.BigInteger, "at"),
        *columns(sa.Integer, "tokens"),
        *columns(sa.Float, "latency_ms"),
        *columns(sa.Text, "memories", "note"),
        tenant(),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_injection_session", "injection", ["session"])
