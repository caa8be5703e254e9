"""The registry's rows of decisions and threads, and the conversations that mention them."""

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import (
    belongs_to,
    columns,
    keys,
    run_script,
    secure,
    tenant,
    without_policies,
)

revision = "0004"
down_revision = "0003"

_REGISTERED = """
INSERT INTO registry (tenant, memory_seq, kind, entry_id, status, standing, project_seq, epistemic_tier,
  last_validated, validation_count, hops, local_id, conversation, continuation, conversations, details)
SELECT m.tenant, m.seq, m.kind, {entry_id},
  CASE WHEN m.expired_at IS NOT NULL OR m.invalidation_reason IS NULL THEN
      CASE m.kind WHEN 'decision' THEN 'active' ELSE 'open' END
    WHEN m.correction_id IS NULL THEN CASE m.kind WHEN 'decision' THEN 'invalidated' ELSE 'abandoned' END
    ELSE CASE m.kind WHEN 'decision' THEN 'revised' ELSE 'open' END END,
  m.expired_at IS NULL AND m.invalidation_reason IS NULL, m.project_seq, m.epistemic_tier,
  CASE m.kind WHEN 'decision' THEN (SELECT min(one.created_at) FROM memory one
    WHERE one.tenant = m.tenant AND one.logical_id = m.logical_id AND one.version = m.version) END, 0, 0, NULL,
  s.name, NULL, CASE WHEN s.name IS NULL THEN '[]' ELSE {listed} END, '{{}}'
FROM memory m LEFT JOIN session s ON s.tenant = m.tenant AND s.seq = m.session_seq
WHERE m.kind IN ('decision', 'thread')
"""
"""Decisions and threads of before are entries now: active or open, and what ended as a closing record says today."""
_MENTIONED = """
INSERT INTO entry_conversation (tenant, conversation, memory_seq)
SELECT tenant, conversation, memory_seq FROM registry WHERE conversation IS NOT NULL
"""
_PREFIX = "CASE m.kind WHEN 'decision' THEN 'dec_' ELSE 'thr_' END || "


def upgrade() -> None:
    """Make the tables and register what is there."""
    if op.get_bind().dialect.name == "postgresql":
        _upgrade_postgres()
        return
    op.create_table(
        "registry",
        *keys("memory_seq"),
        *columns(sa.Text, "kind", "entry_id", "status"),
        *columns(sa.Boolean, "standing"),
        *keys("project_seq"),
        *columns(sa.Float, "epistemic_tier"),
        *columns(sa.BigInteger, "last_validated", nullable=True),
        *columns(sa.Integer, "validation_count", "hops"),
        *columns(sa.Text, "local_id", "conversation", "continuation", nullable=True),
        *columns(sa.Text, "conversations", "details"),
        tenant(),
        *belongs_to("memory", "project"),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    for name in ("entry_id", "local_id", "conversation", "continuation"):
        op.create_index(f"ix_registry_{name}", "registry", [name])
    state = ["kind", "standing", "status", "project_seq", "last_validated", "epistemic_tier", "hops"]
    op.create_index("registry_state", "registry", state)
    op.create_index("registry_validated", "registry", [name for name in state if name != "project_seq"])
    op.create_table(
        "entry_conversation",
        *columns(sa.Text, "conversation"),
        *keys("memory_seq"),
        tenant(),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("conversation", "memory_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entry_conversation_memory_seq", "entry_conversation", ["memory_seq"])
    entry_id = f"{_PREFIX}lower(substr(hex(m.logical_id), 21, 12))"
    op.execute(_REGISTERED.format(entry_id=entry_id, listed="json_array(s.name)"))
    op.execute(_MENTIONED)


_POSTGRES = """
CREATE TABLE registry (
  tenant text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  standing boolean NOT NULL,
  project_seq bigint NOT NULL,
  epistemic_tier double precision NOT NULL,
  last_validated bigint,
  validation_count integer NOT NULL,
  hops integer NOT NULL,
  local_id text COLLATE "C",
  conversation text COLLATE "C",
  continuation text COLLATE "C",
  conversations text COLLATE "C" NOT NULL,
  details text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq),
  FOREIGN KEY (tenant, project_seq) REFERENCES project (tenant, seq)
);
CREATE INDEX ix_registry_entry_id ON registry (tenant, entry_id);
CREATE INDEX ix_registry_local_id ON registry (tenant, local_id);
CREATE INDEX ix_registry_conversation ON registry (tenant, conversation);
CREATE INDEX ix_registry_continuation ON registry (tenant, continuation);
CREATE INDEX registry_state ON registry
  (tenant, kind, standing, status, project_seq, last_validated, epistemic_tier, hops);
CREATE INDEX registry_validated ON registry
  (tenant, kind, standing, status, last_validated, epistemic_tier, hops);
ALTER TABLE registry ALTER COLUMN local_id SET STATISTICS 0, ALTER COLUMN conversation SET STATISTICS 0,
  ALTER COLUMN continuation SET STATISTICS 0, ALTER COLUMN conversations SET STATISTICS 0,
  ALTER COLUMN details SET STATISTICS 0;
CREATE TABLE entry_conversation (
  tenant text COLLATE "C" NOT NULL,
  conversation text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  PRIMARY KEY (tenant, conversation, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq)
);
CREATE INDEX ix_entry_conversation_memory_seq ON entry_conversation (tenant, memory_seq);
ALTER TABLE entry_conversation ALTER COLUMN conversation SET STATISTICS 0
"""


def _upgrade_postgres() -> None:
    """The same for every tenant of a database at once."""
    connection = op.get_bind()
    run_script(connection, _POSTGRES)
    entry_id = f"{_PREFIX}right(encode(m.logical_id, 'hex'), 12)"
    listed = "json_build_array(s.name)::text"
    with without_policies(connection, "memory", "session"):
        run_script(connection, _REGISTERED.format(entry_id=entry_id, listed=listed))
        connection.exec_driver_sql(_MENTIONED)
    secure(connection, "registry", "entry_conversation")
