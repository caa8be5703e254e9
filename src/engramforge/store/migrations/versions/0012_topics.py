"""Clusters of memories, topics, and which memories belong to them since when."""

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import belongs_to, columns, keys, run_script, secure, tenant

revision = "0012"
down_revision = "0011"

_POSTGRES = """
CREATE TABLE cluster_label (
  tenant text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  labels bytea NOT NULL,
  PRIMARY KEY (tenant, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq)
);
CREATE TABLE topic (
  tenant text COLLATE "C" NOT NULL,
  id bytea NOT NULL,
  project_seq bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  agent text COLLATE "C",
  created_at bigint NOT NULL,
  expired_at bigint,
  merged_into bytea,
  details text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, project_seq) REFERENCES project (tenant, seq)
);
CREATE INDEX ix_topic_project_seq ON topic (tenant, project_seq);
ALTER TABLE topic ALTER COLUMN name SET STATISTICS 0;
CREATE TABLE topic_member (
  tenant text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  topic_id bytea NOT NULL,
  created_at bigint NOT NULL,
  expired_at bigint,
  agreement double precision NOT NULL,
  PRIMARY KEY (tenant, memory_seq, topic_id, created_at),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq),
  FOREIGN KEY (tenant, topic_id) REFERENCES topic (tenant, id)
);
CREATE INDEX topic_member_topic ON topic_member (tenant, topic_id, expired_at)
"""


def upgrade() -> None:
    """Make the tables; nothing is clustered yet."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        run_script(connection, _POSTGRES)
        secure(connection, "cluster_label", "topic", "topic_member")
        return
    op.create_table(
        "cluster_label",
        *keys("memory_seq"),
        *columns(sa.LargeBinary, "labels"),
        tenant(),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    op.create_table(
        "topic",
        sa.Column("id", sa.LargeBinary(16), nullable=False),
        *keys("project_seq"),
        *columns(sa.Text, "name"),
        *columns(sa.Text, "agent", nullable=True),
        *columns(sa.BigInteger, "created_at"),
        *columns(sa.BigInteger, "expired_at", nullable=True),
        sa.Column("merged_into", sa.LargeBinary(16)),
        *columns(sa.Text, "details"),
        tenant(),
        *belongs_to("project"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_topic_project_seq", "topic", ["project_seq"])
    op.create_table(
        "topic_member",
        *keys("memory_seq"),
        sa.Column("topic_id", sa.LargeBinary(16), nullable=False),
        *columns(sa.BigInteger, "created_at"),
        *columns(sa.BigInteger, "expired_at", nullable=True),
        *columns(sa.Float, "agreement"),
        tenant(),
        *belongs_to("memory"),
        sa.ForeignKeyConstraint(["topic_id"], ["topic.id"]),
        sa.PrimaryKeyConstraint("memory_seq", "topic_id", "created_at"),
        sqlite_with_rowid=False,
    )
    op.create_index("topic_member_topic", "topic_member", ["topic_id", "expired_at"])
