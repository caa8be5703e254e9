"""PostgreSQL's tables: those of store/schema.py with the tenant first in every key, postings, and row-level security.

Because the tables are derived, no key can lack the tenant: the schema distributes by tenant (Citus'
`create_distributed_table(..., 'tenant')`) as it stands.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import BIT
from sqlalchemy.types import UserDefinedType

from engramforge.model.memory import Kind
from engramforge.model.spaces import Space
from engramforge.store import schema
from engramforge.store.postgres.connection import TENANT_SETTING

NEAR_SPACES: Final = frozenset({Space.CAUSAL, Space.CODE, Space.MULTIMODAL})
"""Spaces that look for candidates by inner products; see `near` below."""


class HalfVector(UserDefinedType[Any]):
    """pgvector's halfvec of any dimension: int8 components, which half precision holds exactly, or unit rows."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The column's type."""
        return "halfvec"


tables = sa.MetaData()

_NUMBERED: Final = ("project", "session", "encoder", "entity", "link", "audit")
"""Tables whose key the server counts."""
_LEFT_OUT: Final = ("memory_valid_at", "memory_ending", "ix_memory_session_seq", "embedding_part_space")
"""Indexes that serve the resident index of the other engine; what stands for them here is below."""


def _derived(source: sa.Table) -> sa.Table:
    """A table of the shared schema with the tenant first in its keys."""
    columns: list[Any] = [sa.Column("tenant", sa.Text(collation="C"), nullable=False)]
    columns += [_column(source, column) for column in source.columns if column.name != "tenant"]
    keys = [column.name for column in source.primary_key.columns if column.name != "tenant"]
    constraints: list[Any] = [sa.PrimaryKeyConstraint("tenant", *keys)]
    constraints += [
        sa.UniqueConstraint("tenant", *(column.name for column in constraint.columns))
        for constraint in source.constraints
        if isinstance(constraint, sa.UniqueConstraint)
    ]
    for column in source.columns:
        for foreign in column.foreign_keys:
            other, _, key = foreign.target_fullname.partition(".")
            ends = ["tenant", column.name], [f"{other}.tenant", f"{other}.{key}"]
            constraints.append(sa.ForeignKeyConstraint(*ends))
    made = sa.Table(source.name, tables, *columns, *constraints)
    for index in source.indexes:
        if index.name not in _LEFT_OUT:
            names = [column.name for column in index.columns]
            where = index.dialect_options["sqlite"]["where"]
            sa.Index(index.name, made.c.tenant, *(made.c[name] for name in names), postgresql_where=where)
    return made


def _column(source: sa.Table, column: sa.Column[Any]) -> sa.Column[Any]:
    kind: Any = column.type
    if (source.name, column.name) == ("embedding_semantic", "vector"):
        kind = HalfVector()
    if column.name == "seq":
        counted = [sa.Identity(always=False)] if source.name in _NUMBERED else []
        return sa.Column("seq", sa.BigInteger, *counted, nullable=False)
    if isinstance(kind, sa.Text):
        # Ordered by code point, as everywhere else, and found by prefix.
        kind = sa.Text(collation="C")
    return sa.Column(column.name, kind, nullable=column.nullable)


for _table in schema.tables.sorted_tables:
    _derived(_table)

memory = tables.tables["memory"]
memory.append_column(sa.Column("length", sa.Integer, nullable=False))
sa.Index("memory_change", memory.c.tenant, memory.c.change)
removal = tables.tables["removal"]
sa.Index("removal_project_change", removal.c.tenant, removal.c.project_seq, removal.c.change)
sa.Index("memory_project_valid_at", memory.c.tenant, memory.c.project_seq, memory.c.valid_at)
sa.Index(
    "memory_session",
    memory.c.tenant,
    memory.c.session_seq,
    sa.func.coalesce(memory.c.sequence, 0),
    memory.c.seq,
)
sa.Index("memory_owner", memory.c.tenant, memory.c.level, memory.c.agent)
# Threads are few, and asked for by what they are about: without it all memories are gone through.
sa.Index(
    "memory_thread", memory.c.tenant, memory.c.energy, postgresql_where=sa.text(f"kind = '{Kind.THREAD}'")
)
sa.Index(
    "memory_ending",
    memory.c.tenant,
    memory.c.invalid_at,
    postgresql_where=sa.text("expired_at IS NULL AND invalid_at IS NOT NULL"),
)

LENGTH: Final[sa.ColumnElement[int]] = sa.literal_column("memory.length", sa.Integer)
"""The length in statements over the shared memory table, which has no such column."""

semantic = tables.tables["embedding_semantic"]
part = tables.tables["embedding_part"]
part.append_column(
    sa.Column(
        "near",
        HalfVector(),
        comment="rows brought to unit length, end to end: a scan's score is one inner product with it",
    )
)
part.append_column(
    sa.Column(
        "near_bits",
        BIT(varying=True),
        comment="packed bits as the server compares them: a scan's score is one Hamming distance",
    )
)
for _table in (semantic, part):
    _table.append_column(
        sa.Column(
            "encoder_code",
            sa.BigInteger,
            nullable=False,
            comment=(
                "48 bits of space, encoder and shape: what of a tenant has one code can be compared; vector indexes go "
                "by it, and all tenants share them"
            ),
        )
    )
# By the code alone: space and encoder beside it, which it implies, would let the planner expect a few rows of many.
sa.Index("embedding_part_code", part.c.tenant, part.c.encoder_code, part.c.memory_seq)
entity = tables.tables["entity"]
mention = tables.tables["mention"]

posting = sa.Table(
    "posting",
    tables,
    sa.Column("memory_seq", sa.BigInteger, nullable=False),
    sa.Column("term", sa.Integer, nullable=False),
    sa.Column("project_seq", sa.Integer, nullable=False),
    sa.Column("session_seq", sa.Integer, nullable=False),
    sa.Column("length", sa.SmallInteger, nullable=False),
    sa.Column("times", sa.SmallInteger, nullable=False),
    sa.Column("level", sa.SmallInteger, nullable=False),
    sa.Column("closed", sa.Boolean, nullable=False),
    sa.Column("tenant", sa.Text(collation="C"), nullable=False),
    comment=(
        "One row per memory and distinct term (the int4 of its uint32). closed: the version ended on either axis, so "
        "that questions about now never read history. session_seq -1: none. length: terms of the memory, capped"
    ),
)
sa.Index(
    "posting_term",
    posting.c.tenant,
    posting.c.closed,
    posting.c.term,
    posting.c.level,
    posting.c.project_seq,
    posting.c.memory_seq,
    unique=True,
    postgresql_include=["times", "length", "session_seq"],
)

_SEQUENCES: Final = ("position_counter", "change_counter")


_SPOKEN: Final = {
    "audit": ("effect",),
    "body": ("content", "name", "extra", "emotion_vector"),
    "chunk": ("file_path",),
    "embedding_part": ("vector", "near", "near_bits"),
    "embedding_semantic": ("vector",),
    "embedding_words": ("tokens", "terms", "counts", "intervals"),
    "entity": ("name", "vector"),
    "entry_conversation": ("conversation",),
    "injection": ("session", "note"),
    "link": ("felt",),
    "mark": ("value",),
    "memory": ("speaker",),
    "memory_emotion": ("emotion",),
    "memory_file": ("file_path",),
    "memory_goal": ("goal",),
    "memory_tag": ("tag",),
    "registry": ("local_id", "conversation", "continuation", "conversations", "details"),
    "session": ("name",),
    "topic": ("name",),
}
"""Columns with words of memories, and with what encoders made of them. The planner keeps no samples of these, which a
forget could not reach."""


def encoder_code(space: str, encoder: str, rows: int, size: int) -> int:
    """48 bits of a space, an encoder's id and the shape of what it stores.

    The same for every tenant, whose keys of the encoder differ; rows of one code can be compared.

    `rows`, `size`: rows of an embedding, and its values in all: components, or bytes of bits.
    """
    return int.from_bytes(blake2b(f"{space} {encoder} {rows} {size}".encode(), digest_size=6).digest(), "big")


def statements_after(role: str | None) -> list[str]:
    """What a new schema needs besides its tables: counters, privileges, row-level security.

    `role`: the role of transactions; None if it could not be created, so that policies bind the owner only by FORCE.
    """
    made = [f"CREATE SEQUENCE {name} CACHE 1" for name in _SEQUENCES]
    names = [*tables.tables, *_SEQUENCES]
    for name in tables.tables:
        # A subquery, so that the setting is read once per statement and not for every row.
        whose = f"tenant = (SELECT current_setting('{TENANT_SETTING}', true))"
        made += [
            f'ALTER TABLE "{name}" ENABLE ROW LEVEL SECURITY',
            f'ALTER TABLE "{name}" FORCE ROW LEVEL SECURITY',
            f'CREATE POLICY tenant_alone ON "{name}" USING ({whose}) WITH CHECK ({whose})',
        ]
    made += [
        # Postings and signals are only ever added or removed: keep their visibility map fresh for index-only scans.
        "ALTER TABLE posting SET (autovacuum_vacuum_insert_scale_factor = 0.02, fillfactor = 100)",
        "ALTER TABLE memory SET (fillfactor = 90)",
    ]
    made += [
        f'ALTER TABLE "{name}" ALTER COLUMN "{column}" SET STATISTICS 0'
        for name, columns in _SPOKEN.items()
        for column in columns
    ]
    if role is not None:
        made += [f'GRANT SELECT, INSERT, UPDATE, DELETE ON "{name}" TO {role}' for name in tables.tables]
        made += [f"GRANT USAGE, SELECT ON SEQUENCE {name} TO {role}" for name in names[len(tables.tables) :]]
        made += [f"GRANT SELECT ON alembic_version TO {role}"]
    return made
