"""The first schema. What a store of this revision looks like is fixed here, whatever schema.py says later."""

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import KEY, belongs_to, columns, keys

revision = "0001"
down_revision = None

_ID = sa.LargeBinary(length=16)


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
        *columns(KEY, "seq"),
        *columns(sa.Text, "id"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_table("mark", *columns(sa.Text, "key", "value"), sa.PrimaryKeyConstraint("key"))
    op.create_table(
        "project",
        *columns(KEY, "seq"),
        *columns(sa.Text, "name"),
        *columns(sa.BigInteger, "created_at"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("name"),
    )
    op.create_table("store", *columns(sa.Text, "key", "value"), sa.PrimaryKeyConstraint("key"))
    op.create_table(
        "session",
        *columns(KEY, "seq", "project_seq"),
        *columns(sa.Text, "name"),
        *belongs_to("project"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("project_seq", "name"),
    )


def _make_memory() -> None:
    """The narrow table of versions."""
    op.create_table(
        "memory",
        *columns(KEY, "seq"),
        *columns(_ID, "id", "logical_id"),
        *columns(sa.Integer, "version"),
        *columns(sa.Text, "kind"),
        *columns(KEY, "project_seq"),
        *columns(KEY, "session_seq", nullable=True),
        *columns(sa.BigInteger, "sequence", nullable=True),
        *columns(sa.Text, "speaker", nullable=True),
        *columns(sa.Text, "level", "agent"),
        *columns(sa.BigInteger, "valid_at"),
        *columns(sa.BigInteger, "invalid_at", nullable=True),
        *columns(sa.BigInteger, "created_at"),
        *columns(sa.BigInteger, "expired_at", nullable=True),
        *columns(sa.Text, "invalidation_reason", nullable=True),
        *columns(_ID, "correction_id", nullable=True),
        *columns(sa.Float, "energy", "confidence", "epistemic_tier"),
        *columns(sa.Text, "resolution_state"),
        *columns(sa.Integer, "access_count", "exposure_count"),
        *columns(sa.BigInteger, "last_accessed_at", nullable=True),
        *columns(sa.BigInteger, "change"),
        *belongs_to("project", "session"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("ix_memory_logical_id", "memory", ["logical_id"])
    op.create_index("ix_memory_session_seq", "memory", ["session_seq"])
    ending = sa.text("expired_at IS NULL AND invalid_at IS NOT NULL")
    op.create_index("memory_ending", "memory", ["project_seq", "invalid_at"], sqlite_where=ending)
    op.create_index("memory_project_change", "memory", ["project_seq", "change"])
    op.create_index("memory_valid_at", "memory", ["project_seq", "valid_at"])


def _make_beside() -> None:
    """What lies beside a version."""
    op.create_table(
        "body",
        *keys("memory_seq"),
        *columns(sa.Text, "content", "source"),
        *columns(sa.Text, "name", nullable=True),
        *columns(sa.Text, "emotion_vector"),
        *columns(sa.Text, "extra", nullable=True),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("memory_seq"),
        comment="extra: JSON of the seldom fields (metadata, attachments, tags, felt fields, discovery energy)",
    )
    op.create_table(
        "chunk",
        *keys("memory_seq"),
        *columns(sa.Text, "file_path"),
        *columns(sa.Integer, "chunk_index", "total_chunks", "word_offset"),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    op.create_index("ix_chunk_file_path", "chunk", ["file_path"])
    op.create_table(
        "memory_tag",
        *columns(sa.Text, "tag"),
        *columns(KEY, "memory_seq"),
        *belongs_to("memory"),
        sa.PrimaryKeyConstraint("tag", "memory_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_tag_memory_seq", "memory_tag", ["memory_seq"])


def _make_embeddings() -> None:
    """One table per kind of stored signal."""
    op.create_table(
        "embedding_semantic",
        *keys("memory_seq"),
        *columns(KEY, "encoder_seq"),
        *columns(sa.LargeBinary, "vector"),
        *belongs_to("encoder", "memory"),
        sa.PrimaryKeyConstraint("memory_seq"),
    )
    op.create_table(
        "embedding_words",
        *keys("memory_seq"),
        *columns(KEY, "encoder_seq"),
        *columns(sa.LargeBinary, "tokens", "terms", "counts"),
        *columns(sa.Integer, "cues"),
        *columns(sa.LargeBinary, "intervals", nullable=True),
        *belongs_to("encoder", "memory"),
        sa.PrimaryKeyConstraint("memory_seq"),
    )


def _make_links() -> None:
    """Links between memories."""
    op.create_table(
        "link",
        *columns(KEY, "seq"),
        *columns(_ID, "id", "source_id", "target_id"),
        *columns(sa.Text, "relation"),
        *columns(sa.BigInteger, "valid_at"),
        *columns(sa.BigInteger, "invalid_at", nullable=True),
        *columns(sa.BigInteger, "created_at"),
        *columns(sa.BigInteger, "expired_at", nullable=True),
        *columns(sa.Text, "invalidation_reason", nullable=True),
        *columns(sa.Float, "energy", "confidence", "energy_transfer_coefficient"),
        *columns(sa.Text, "resolution_state", "felt"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
        comment="felt: JSON of the other metadata (emotions, goal, mindstate, important, conditional and unknown)",
    )
    op.create_index("ix_link_source_id", "link", ["source_id"])
    op.create_index("ix_link_target_id", "link", ["target_id"])


def _make_records() -> None:
    """Origins, removals and the audit log."""
    op.create_table(
        "audit",
        *columns(KEY, "seq"),
        *columns(sa.BigInteger, "at"),
        *columns(sa.Text, "action", "subject", "agent", "reason"),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_table(
        "removal",
        sa.Column("change", sa.BigInteger, autoincrement=False, nullable=False),
        *keys("memory_seq"),
        *columns(KEY, "project_seq"),
        sa.PrimaryKeyConstraint("change", "memory_seq"),
    )
    op.create_table(
        "origin",
        *columns(KEY, "project_seq"),
        *columns(_ID, "key"),
        *columns(_ID, "logical_id", nullable=True),
        *belongs_to("project"),
        sa.PrimaryKeyConstraint("project_seq", "key"),
        comment="logical_id is null where the memory was forgotten: a tombstone without content",
        sqlite_with_rowid=False,
    )
    op.create_index("ix_origin_logical_id", "origin", ["logical_id"])
