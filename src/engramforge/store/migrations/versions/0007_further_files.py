"""By which further files a memory is found whose text several of them say."""

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import belongs_to, columns, keys, run_script, secure, tenant

revision = "0007"
down_revision = "0006"

_POSTGRES = """
CREATE TABLE memory_file (
  tenant text COLLATE "C" NOT NULL,
  file_path text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  PRIMARY KEY (tenant, file_path, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq)
);
CREATE INDEX ix_memory_file_memory_seq ON memory_file (tenant, memory_seq);
ALTER TABLE memory_file ALTER COLUMN file_path SET STATISTICS 0
"""


def upgrade() -> None:
    """Make the table; memories of before have one file each."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        run_script(connection, _POSTGRES)
        secure(connection, "memory_file")
        return
    op.create_table(
        "memory_file",
        *columns(sa.Text, "file_path"),
        *keys("memory_seq"),
        tenant(),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("file_path", "memory_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_file_memory_seq", "memory_file", ["memory_seq"])
