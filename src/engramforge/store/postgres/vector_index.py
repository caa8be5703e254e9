"""HNSW indexes over the stored vectors: made when a space has grown, over what there is; what comes later is compared.

A live HNSW index costs milliseconds an insert, so none is ever inserted into by ordinary writes: an index covers the
positions up to a bound, the memories after it are compared one by one, and when they have become many a new index takes
its place, made without blocking anybody. Up to some size it holds half-precision vectors; beyond that one bit a
component, a tenth as large, whose answers are ordered again by the vectors themselves.
Reference: Y. Malkov, D. Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
Navigable Small World graphs", 2018; pgvector's manual for both kinds. What must not enter: scopes, selections.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.store.postgres.schema import DIMENSION, HalfVector
from engramforge.store.schema import embedding_semantic

_LOCK: Final = 1_701_734_259
_NAME: Final = "semantic_{kind}_{upto}"
_HALFVEC: Final = "halfvec"
_BIT: Final = "bit"
_BITS: Final = f"(binary_quantize(vector)::bit({DIMENSION}))"
_RERANKED: Final = 4
"""How many times as many a bit index is asked for, to be ordered by the vectors."""
_MOST_SCANNED: Final = 40_000
"""How many vectors a filtered scan looks at before it is content with fewer."""
_BUILD_MEMORY: Final = "256MB"


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """When indexes are made.

    Parameters
    ----------
    first_memories : a store of fewer has none.
    bit_memories : from how many on they hold bits instead of half-precision numbers.
    looked_after : how many memories a process writes until it looks whether one is to be made.
    growth : a new one is made when this share of what the last covers has come after it, and at least
        `first_memories`.
    """

    first_memories: int = 10_000
    bit_memories: int = 1_000_000
    growth: float = 0.5
    looked_after: int = 500


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """An index over the positions up to `upto`."""

    kind: str
    upto: int

    @property
    def name(self) -> str:
        """Its name in the database, which says both."""
        return _NAME.format(kind=self.kind, upto=self.upto)

    def ordered(self, near: sa.Select[Any], vector: str, most: int) -> sa.Select[Any]:
        """A statement on embedding_semantic, cut to the nearest that the index finds.

        The bound stands in it as the index has it, or the planner would not know that the index covers it.
        """
        column = embedding_semantic.c.vector
        covered = near.where(embedding_semantic.c.memory_seq <= sa.literal_column(str(self.upto)))
        probe = sa.cast(sa.literal(vector, sa.Text), HalfVector())
        distance = column.op("<=>", return_type=sa.Float)(probe)
        if self.kind == _HALFVEC:
            return covered.order_by(distance).limit(most)
        kind = f"bit({DIMENSION})"
        bits: sa.ColumnElement[Any] = sa.literal_column(
            f"(binary_quantize(embedding_semantic.vector)::{kind})"
        )
        asked = sa.cast(sa.func.binary_quantize(probe), _Bits())
        rough = covered.add_columns(column).order_by(bits.op("<~>")(asked)).limit(_RERANKED * most).subquery()
        again = rough.c.vector.op("<=>", return_type=sa.Float)(probe)
        return sa.select(rough.c.memory_seq).order_by(again).limit(most)


class _Bits(HalfVector):
    """pgvector's operand of `<~>`."""

    def get_col_spec(self, **_: Any) -> str:
        return f"bit({DIMENSION})"


def newest(connection: Connection) -> VectorIndex | None:
    """The index that covers most; None when there is none yet."""
    found = connection.exec_driver_sql(
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indrelid = to_regclass('embedding_semantic') AND indisvalid AND relname LIKE 'semantic\\_%%'"
    ).scalars()
    return max(map(_parsed, found), key=lambda index: index.upto, default=None)


def settings(nearest: int) -> tuple[tuple[str, str], ...]:
    """What lets a transaction's index scans go on until filters have left enough."""
    return (
        ("hnsw.ef_search", str(min(nearest, 1_000))),
        # Strict order is of no use: what is found is scored again.
        ("hnsw.iterative_scan", "relaxed_order"),
        ("hnsw.max_scan_tuples", str(_MOST_SCANNED)),
    )


def grow(connection: Connection, options: IndexOptions, patience: float = 1.0) -> bool:
    """Make a new index when enough has come after the last; whether one was made.

    Parameters
    ----------
    connection : in autocommit, as the user of the URL, who must own the table: else nothing happens.
    patience : how many times the usual growth is waited for.
    """
    last = newest(connection)
    covered = 0 if last is None else last.upto
    there = int(connection.exec_driver_sql("SELECT last_value FROM position_counter").scalar_one())
    if there - covered < max(options.first_memories, options.growth * covered) * patience:
        return False
    mine = (
        "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('memory')"
    )
    if not connection.exec_driver_sql(mine).scalar():
        return False
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_LOCK})").scalar():
        return False  # somebody else is at it
    try:
        return _make(connection, VectorIndex(_BIT if there >= options.bit_memories else _HALFVEC, there))
    finally:
        connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")


def _make(connection: Connection, index: VectorIndex) -> bool:
    """Make an index beside the others, then drop those; half-made ones of a process that died go too."""
    what = "vector halfvec_cosine_ops" if index.kind == _HALFVEC else f"{_BITS} bit_hamming_ops"
    connection.exec_driver_sql(f"SET maintenance_work_mem = '{_BUILD_MEMORY}'")
    try:
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}")
        connection.exec_driver_sql(
            f"CREATE INDEX CONCURRENTLY {index.name} ON embedding_semantic USING hnsw ({what}) "
            f"WHERE memory_seq <= {index.upto}"
        )
        every = connection.exec_driver_sql(
            "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
            "WHERE indrelid = to_regclass('embedding_semantic') AND relname LIKE 'semantic\\_%%'"
        ).scalars()
        for name in [name for name in every if name != index.name]:
            connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    finally:
        connection.exec_driver_sql("RESET maintenance_work_mem")
    return True


def _parsed(name: str) -> VectorIndex:
    _, kind, upto = name.split("_")
    return VectorIndex(kind, int(upto))
