"""PostgreSQL's planner keeps no samples of what encoders made of memories: a forget could not reach them.

SQLite keeps none.
"""

from alembic import op

revision = "0006"
down_revision = "0005"

_UNSAMPLED = {
    "embedding_part": {"vector": "bytea", "near": "halfvec", "near_bits": "bit varying"},
    "embedding_semantic": {"vector": "halfvec"},
    "embedding_words": dict.fromkeys(("tokens", "terms", "counts", "intervals"), "bytea"),
    "entity": {"vector": "bytea"},
}
_VECTOR_INDEXES = (
    "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname ~ '^(near|semantic)_'"
    " AND tablename IN ('embedding_part', 'embedding_semantic')"
)


def upgrade() -> None:
    """Let no samples be kept, and drop those there are; the vector indexes, which have some, are made again later."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    for (name,) in connection.exec_driver_sql(_VECTOR_INDEXES).all():
        connection.exec_driver_sql(f'DROP INDEX "{name}"')
    for table, columns in _UNSAMPLED.items():
        for column, kind in columns.items():
            # The same type as before: that rewrites nothing, and drops the samples.
            alter = f"ALTER TABLE {table} ALTER COLUMN {column}"
            connection.exec_driver_sql(f"{alter} TYPE {kind}, ALTER COLUMN {column} SET STATISTICS 0")
