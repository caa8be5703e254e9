"""The first schema. What a store of this revision looks like is fixed here, whatever schema.py says later."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table and index."""
    _make_store()
    _make_memory()
    _make_beside()
    _make_embeddings()
    _make_links()
    _make_records()


def _make_store() -> None:
    """What there is one of: the store itself, projects, sessions, encoders, marks."""
    op.create_table(
        "encoder",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_table(
        "mark",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "project",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "store",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "session",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["project_seq"], ["project.seq"]),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("project_seq", "name"),
    )


def _make_memory() -> None:
    """The narrow table of versions."""
    op.create_table(
        "memory",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.LargeBinary(length=16), nullable=False),
        sa.Column("logical_id", sa.LargeBinary(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("project_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("session_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("sequence", sa.BigInteger(), nullable=True),
        sa.Column("speaker", sa.Text(), nullable=True),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("valid_at", sa.BigInteger(), nullable=False),
        sa.Column("invalid_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expired_at", sa.BigInteger(), nullable=True),
        sa.Column("invalidation_reason", sa.Text(), nullable=True),
        sa.Column("correction_id", sa.LargeBinary(length=16), nullable=True),
        sa.Column("energy", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("epistemic_tier", sa.Float(), nullable=False),
        sa.Column("resolution_state", sa.Text(), nullable=False),
        sa.Column("access_count", sa.Integer(), nullable=False),
        sa.Column("exposure_count", sa.Integer(), nullable=False),
        sa.Column("last_accessed_at", sa.BigInteger(), nullable=True),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["project_seq"], ["project.seq"]),
        sa.ForeignKeyConstraint(["session_seq"], ["session.seq"]),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_index(op.f("ix_memory_logical_id"), "memory", ["logical_id"], unique=False)
    op.create_index(op.f("ix_memory_session_seq"), "memory", ["session_seq"], unique=False)
    op.create_index(
        "memory_ending",
        "memory",
        ["project_seq", "invalid_at"],
        unique=False,
        sqlite_where=sa.text("expired_at IS NULL AND invalid_at IS NOT NULL"),
    )
    op.create_index("memory_project_change", "memory", ["project_seq", "change"], unique=False)
    op.create_index("memory_valid_at", "memory", ["project_seq", "valid_at"], unique=False)


def _make_beside() -> None:
    """What lies beside a version."""
    op.create_table(
        "body",
        sa.Column(
            "memory_seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("emotion_vector", sa.Text(), nullable=False),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.PrimaryKeyConstraint("memory_seq"),
        comment="extra: JSON of the seldom fields (metadata, attachments, tags, felt fields, discovery energy)",
    )
    op.create_table(
        "chunk",
        sa.Column(
            "memory_seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("file_path", sa.Text(), nullable=False),
        sa.Column("chunk_index", sa.Integer(), nullable=False),
        sa.Column("total_chunks", sa.Integer(), nullable=False),
        sa.Column("word_offset", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    op.create_index(op.f("ix_chunk_file_path"), "chunk", ["file_path"], unique=False)
    op.create_table(
        "memory_tag",
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("memory_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.PrimaryKeyConstraint("tag", "memory_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_memory_tag_memory_seq"), "memory_tag", ["memory_seq"], unique=False)


def _make_embeddings() -> None:
    """One table per kind of stored signal."""
    op.create_table(
        "embedding_semantic",
        sa.Column(
            "memory_seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("encoder_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    op.create_table(
        "embedding_words",
        sa.Column(
            "memory_seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("encoder_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tokens", sa.LargeBinary(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("counts", sa.LargeBinary(), nullable=False),
        sa.Column("cues", sa.Integer(), nullable=False),
        sa.Column("intervals", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.PrimaryKeyConstraint("memory_seq"),
    )


def _make_links() -> None:
    """Links between memories."""
    op.create_table(
        "link",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.LargeBinary(length=16), nullable=False),
        sa.Column("source_id", sa.LargeBinary(length=16), nullable=False),
        sa.Column("target_id", sa.LargeBinary(length=16), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("valid_at", sa.BigInteger(), nullable=False),
        sa.Column("invalid_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expired_at", sa.BigInteger(), nullable=True),
        sa.Column("invalidation_reason", sa.Text(), nullable=True),
        sa.Column("energy", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("energy_transfer_coefficient", sa.Float(), nullable=False),
        sa.Column("resolution_state", sa.Text(), nullable=False),
        sa.Column("felt", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
        comment="felt: JSON of the other metadata (emotions, goal, mindstate, important, conditional and unknown)",
    )
    op.create_index(op.f("ix_link_source_id"), "link", ["source_id"], unique=False)
    op.create_index(op.f("ix_link_target_id"), "link", ["target_id"], unique=False)


def _make_records() -> None:
    """Origins, removals and the audit log."""
    op.create_table(
        "audit",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_table(
        "removal",
        sa.Column("change", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "memory_seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("project_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("change", "memory_seq"),
    )
    op.create_table(
        "origin",
        sa.Column("project_seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("logical_id", sa.LargeBinary(length=16), nullable=True),
        sa.ForeignKeyConstraint(["project_seq"], ["project.seq"]),
        sa.PrimaryKeyConstraint("project_seq", "key"),
        comment="logical_id is null where the memory was forgotten: a tombstone without content",
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_origin_logical_id"), "origin", ["logical_id"], unique=False)
