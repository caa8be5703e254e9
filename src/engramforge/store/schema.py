"""The tables, as SQLAlchemy Core.

Ids are 16-byte blobs, times integer microseconds since 1970 UTC, JSON is text. The memory table is narrow: closing an
interval rewrites one short row; content, embeddings and everything read only for hits is in other tables.

Every row carries its tenant. Here, as SQLite has them, keys do not: there a tenant is a file. PostgreSQL's tables are
made from these (postgres/schema.py), with the tenant first in every key.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.schema import SchemaItem

SCHEMA_REVISION: Final = "0013"
"""The newest migration this version knows; revisions are four digits and ascend."""

PENDING_ERASURE: Final = "pending-erasure"
"""Mark of a forget whose traces are not yet cleared."""
DIMENSION: Final = 256
"""Components of the static preset's E1."""

tables = sa.MetaData()

_Key = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_Id = sa.LargeBinary(16)
_Time = sa.BigInteger


def _table(name: str, *items: SchemaItem, **options: Any) -> sa.Table:
    """A table whose rows carry their tenant; its default is for rows older than the column."""
    tenant = sa.Column("tenant", sa.Text, nullable=False, server_default="default")
    return sa.Table(name, tables, *items, tenant, **options)


def _filled(kind: Any, *names: str) -> list[sa.Column[Any]]:
    """Columns of one type, never null."""
    return [sa.Column(name, kind, nullable=False) for name in names]


store = _table(
    "store",
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

project = _table(
    "project",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", _Time, nullable=False),
)

session = _table(
    "session",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("project_seq", sa.ForeignKey("project.seq"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.UniqueConstraint("project_seq", "name"),
)

encoder = _table(
    "encoder",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
)

memory = _table(
    "memory",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("id", _Id, nullable=False, unique=True),
    sa.Column("logical_id", _Id, nullable=False, index=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("project_seq", sa.ForeignKey("project.seq"), nullable=False),
    sa.Column("session_seq", sa.ForeignKey("session.seq"), index=True),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("speaker", sa.Text),
    *_filled(sa.Text, "level", "agent"),
    sa.Column("valid_at", _Time, nullable=False),
    sa.Column("invalid_at", _Time),
    sa.Column("created_at", _Time, nullable=False),
    sa.Column("expired_at", _Time),
    sa.Column("invalidation_reason", sa.Text),
    sa.Column("correction_id", _Id),
    *_filled(sa.Float, "energy", "confidence", "epistemic_tier"),
    sa.Column("resolution_state", sa.Text, nullable=False),
    *_filled(sa.Integer, "access_count", "exposure_count"),
    sa.Column("last_accessed_at", _Time),
    sa.Column("change", sa.BigInteger, nullable=False),
    sa.Index("memory_project_change", "project_seq", "change"),
    sa.Index("memory_agent_change", "agent", "change"),
    sa.Index("memory_valid_at", "project_seq", "valid_at"),
    sa.Index(
        "memory_ending",
        "project_seq",
        "invalid_at",
        sqlite_where=sa.text("expired_at IS NULL AND invalid_at IS NOT NULL"),
    ),
)

body = _table(
    "body",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    *_filled(sa.Text, "content", "source"),
    sa.Column("name", sa.Text),
    sa.Column("emotion_vector", sa.Text, nullable=False),
    sa.Column("extra", sa.Text),
    comment=(
        "extra: JSON of the seldom fields (metadata, attachments, tags, further places, felt fields, discovery energy)"
    ),
)

chunk = _table(
    "chunk",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("file_path", sa.Text, nullable=False, index=True),
    *_filled(sa.Integer, "chunk_index", "total_chunks", "word_offset"),
)

memory_file = _table(
    "memory_file",
    sa.Column("file_path", sa.Text, primary_key=True),
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, index=True),
    sqlite_with_rowid=False,
    comment="the further files that say the same, to find it by them; their chunks are in the body's extra",
)

memory_tag = _table(
    "memory_tag",
    sa.Column("tag", sa.Text, primary_key=True),
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

memory_goal = _table(
    "memory_goal",
    sa.Column("goal", sa.Text, primary_key=True),
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, index=True),
    sqlite_with_rowid=False,
    comment="goal: what a memory's goal is compared by, to find it by that; the goal itself is in the body's extra",
)

memory_emotion = _table(
    "memory_emotion",
    sa.Column("emotion", sa.Text, primary_key=True),
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, index=True),
    sa.Column("share", sa.Float, nullable=False),
    sqlite_with_rowid=False,
    comment=(
        "the emotion vector as it is compared: by one name for all forms of an emotion; share: its component at length "
        "1, so that a sum of products is a cosine"
    ),
)

embedding_semantic = _table(
    "embedding_semantic",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("encoder_seq", sa.ForeignKey("encoder.seq"), primary_key=True, autoincrement=False),
    sa.Column("vector", sa.LargeBinary),
    comment="vector: int8 components; null where the encoder abstains, so that it is not lacking",
)

embedding_part = _table(
    "embedding_part",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("space", sa.Text, primary_key=True),
    sa.Column("encoder_seq", sa.ForeignKey("encoder.seq"), primary_key=True, autoincrement=False),
    sa.Column("rows", sa.SmallInteger, nullable=False),
    sa.Column("vector", sa.LargeBinary),
    sa.Index("embedding_part_space", "space", "encoder_seq", "memory_seq"),
    comment=(
        "vector: the rows end to end, int8, or packed bits where the space compares by Hamming distance; null with "
        "0 rows where the encoder abstains, so that it is not lacking"
    ),
)

entity = _table(
    "entity",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("vector", sa.LargeBinary),
    sa.Column("encoder_seq", sa.ForeignKey("encoder.seq")),
    comment="names are content: a row vanishes with its last mention. vector: int8, null where none was trained",
)

mention = _table(
    "mention",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("entity_seq", sa.ForeignKey("entity.seq"), primary_key=True, autoincrement=False),
    sa.Column("place", sa.SmallInteger, nullable=False),
    sa.Index("mention_entity", "entity_seq", "memory_seq"),
    sqlite_with_rowid=False,
    comment="place: which of the entities that the memory mentions, in the order in which its text names them",
)

embedding_words = _table(
    "embedding_words",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("encoder_seq", sa.ForeignKey("encoder.seq"), nullable=False),
    *_filled(sa.LargeBinary, "tokens", "terms", "counts"),
    sa.Column("cues", sa.Integer, nullable=False),
    sa.Column("intervals", sa.LargeBinary),
)

link = _table(
    "link",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("id", _Id, nullable=False, unique=True),
    *_filled(_Id, "source_id", "target_id"),
    sa.Column("relation", sa.Text, nullable=False),
    sa.Column("valid_at", _Time, nullable=False),
    sa.Column("invalid_at", _Time),
    sa.Column("created_at", _Time, nullable=False),
    sa.Column("expired_at", _Time),
    sa.Column("invalidation_reason", sa.Text),
    *_filled(sa.Float, "energy", "confidence", "energy_transfer_coefficient"),
    *_filled(sa.Text, "resolution_state", "felt"),
    # Read backwards, the strongest links of a memory come first.
    sa.Index("link_source", "source_id", "energy", "id"),
    sa.Index("link_target", "target_id", "energy", "id"),
    # Whether two memories are linked already is asked at each link that is written, however many one of them has.
    sa.Index("link_ends", "source_id", "target_id"),
    # Few links contradict: they are all read for a question, and no other is.
    sa.Index(
        "link_contradicts",
        "energy",
        "id",
        sqlite_where=sa.text("relation = 'CONTRADICTS' AND expired_at IS NULL"),
    ),
    comment="felt: JSON of the other metadata (emotions, goal, mindstate, important, conditional and unknown)",
)

registry = _table(
    "registry",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("entry_id", sa.Text, nullable=False, index=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("standing", sa.Boolean, nullable=False),
    sa.Column("project_seq", sa.ForeignKey("project.seq"), nullable=False),
    sa.Column("epistemic_tier", sa.Float, nullable=False),
    sa.Column("last_validated", _Time),
    *_filled(sa.Integer, "validation_count", "hops"),
    sa.Column("local_id", sa.Text, index=True),
    sa.Column("conversation", sa.Text, index=True),
    sa.Column("continuation", sa.Text, index=True),
    *_filled(sa.Text, "conversations", "details"),
    sa.Index(
        "registry_state",
        "kind",
        "standing",
        "status",
        "project_seq",
        "last_validated",
        "epistemic_tier",
        "hops",
    ),
    sa.Index("registry_validated", "kind", "standing", "status", "last_validated", "epistemic_tier", "hops"),
    comment=(
        "one row per version of a decision, thread, lineage edge, archive or detection that waits; kind, project_seq "
        "and epistemic_tier are those of the memory. standing: on record and not ended. conversation: the first of "
        "conversations (JSON). details: JSON of the kind's other fields"
    ),
)

entry_conversation = _table(
    "entry_conversation",
    sa.Column("conversation", sa.Text, primary_key=True),
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, index=True),
    sqlite_with_rowid=False,
    comment="which conversations mention an entry, to find it by them",
)

origin = _table(
    "origin",
    sa.Column("project_seq", sa.ForeignKey("project.seq"), primary_key=True),
    sa.Column("key", _Id, primary_key=True),
    sa.Column("logical_id", _Id, index=True),
    sqlite_with_rowid=False,
    comment="logical_id is null where the memory was forgotten: a tombstone without content",
)

removal = _table(
    "removal",
    sa.Column("change", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("memory_seq", _Key, primary_key=True, autoincrement=False),
    sa.Column("project_seq", _Key, nullable=False),
)

audit = _table(
    "audit",
    sa.Column("seq", _Key, primary_key=True),
    sa.Column("at", _Time, nullable=False),
    *_filled(sa.Text, "action", "subject", "agent", "reason"),
    sa.Column(
        "effect",
        sa.Text,
        comment="JSON of what the write did (model/storing/effect); null before schema 0005",
    ),
)

injection = _table(
    "injection",
    sa.Column("id", _Id, primary_key=True),
    *_filled(sa.Text, "agent", "event", "cause"),
    sa.Column("session", sa.Text, index=True),
    sa.Column("project", sa.Text),
    sa.Column("at", _Time, nullable=False),
    sa.Column("tokens", sa.Integer, nullable=False),
    sa.Column("latency_ms", sa.Float, nullable=False),
    *_filled(sa.Text, "memories", "note"),
    comment=(
        "what was put before a model. memories: JSON of what went in, by ids, with our own words for why; never a copy "
        "of a text. note: what somebody said of its use"
    ),
)

cluster_label = _table(
    "cluster_label",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("labels", sa.LargeBinary, nullable=False),
    comment=(
        "labels: int32 in the order of the spaces that count for topics: the cluster in each, -1 for none; below -1 "
        "where the memory is only nearest to it: -2 - cluster"
    ),
)

topic = _table(
    "topic",
    sa.Column("id", _Id, primary_key=True),
    sa.Column("project_seq", sa.ForeignKey("project.seq"), nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("agent", sa.Text),
    sa.Column("created_at", _Time, nullable=False),
    sa.Column("expired_at", _Time),
    sa.Column("merged_into", _Id),
    sa.Column("details", sa.Text, nullable=False),
    comment=(
        "name: of words of its memories, empty where a forget took some of them; of those that the agent may see, or "
        "everybody. details: JSON of numbers (agreement, profile, stability, phase)"
    ),
)

topic_member = _table(
    "topic_member",
    sa.Column("memory_seq", sa.ForeignKey("memory.seq"), primary_key=True, autoincrement=False),
    sa.Column("topic_id", sa.ForeignKey("topic.id"), primary_key=True),
    sa.Column("created_at", _Time, primary_key=True, autoincrement=False),
    sa.Column("expired_at", _Time),
    sa.Column("agreement", sa.Float, nullable=False),
    sa.Index("topic_member_topic", "topic_id", "expired_at"),
    sqlite_with_rowid=False,
    comment=(
        "since when, and until when, a memory was held to be of a topic; on the other axis it is of it as long as it "
        "is valid. agreement: 2.5 and more of a topic's own, 1 to 2.5 of what has to do with it"
    ),
)

mark = _table(
    "mark",
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
