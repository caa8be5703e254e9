"""PostgreSQL's postings say of which level their memory is, in the key of their index. SQLite has no such table."""

from alembic import op

from engramforge.store.migrations.steps import run_script, without_policies

revision = "0011"
down_revision = "0010"

# Written anew from a copy, since changed in place every posting would leave a dead row in the table and in its index.
_POSTGRES = """
CREATE TEMPORARY TABLE levelled ON COMMIT DROP AS
  SELECT posting.*, CASE memory.level WHEN 'personal' THEN 0 WHEN 'collective' THEN 1 ELSE 2 END AS level
  FROM posting JOIN memory ON memory.tenant = posting.tenant AND memory.seq = posting.memory_seq;
TRUNCATE posting;
DROP INDEX posting_term;
ALTER TABLE posting ADD COLUMN level smallint NOT NULL;
INSERT INTO posting (tenant, memory_seq, term, project_seq, session_seq, length, times, closed, level)
  SELECT tenant, memory_seq, term, project_seq, session_seq, length, times, closed, level FROM levelled;
CREATE UNIQUE INDEX posting_term ON posting (tenant, closed, term, level, project_seq, memory_seq)
  INCLUDE (times, length, session_seq);
ANALYZE posting
"""


def upgrade() -> None:
    """Add the column, fill it, and make the index anew."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        with without_policies(connection, "posting", "memory"):
            run_script(connection, _POSTGRES)
