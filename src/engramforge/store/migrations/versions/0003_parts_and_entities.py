"""Embeddings of several encoders beside each other, parts of the other spaces, entities and their mentions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Let a memory have E1 of more than one encoder, and make the tables of parts and entities."""
    if op.get_bind().dialect.name != "sqlite":
        raise NotImplementedError("migration 0003 of PostgreSQL")
    _remake_semantic()
    _make_parts()
    _make_entities()


def _tenant() -> sa.Column:
    return sa.Column("tenant", sa.Text(), nullable=False, server_default="default")


def _keys(*names: str) -> list[sa.Column]:
    return [sa.Column(name, _KEY, autoincrement=False, nullable=False) for name in names]


def _remake_semantic() -> None:
    """The same rows under a key with the encoder; SQLite cannot change a primary key in place."""
    op.create_table(
        "embedding_semantic_new",
        *_keys("memory_seq", "encoder_seq"),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "encoder_seq"),
    )
    op.execute(
        "INSERT INTO embedding_semantic_new (memory_seq, encoder_seq, vector, tenant) "
        "SELECT memory_seq, encoder_seq, vector, tenant FROM embedding_semantic ORDER BY memory_seq"
    )
    op.drop_table("embedding_semantic")
    op.rename_table("embedding_semantic_new", "embedding_semantic")


def _make_parts() -> None:
    op.create_table(
        "embedding_part",
        *_keys("memory_seq"),
        sa.Column("space", sa.Text(), nullable=False),
        *_keys("encoder_seq"),
        sa.Column("rows", sa.SmallInteger(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "space", "encoder_seq"),
    )
    op.create_index("embedding_part_space", "embedding_part", ["space", "encoder_seq", "memory_seq"])


def _make_entities() -> None:
    op.create_table(
        "entity",
        sa.Column("seq", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("encoder_seq", _KEY, nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "mention",
        *_keys("memory_seq", "entity_seq"),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["entity_seq"], ["entity.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "entity_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("mention_entity", "mention", ["entity_seq", "memory_seq"])
