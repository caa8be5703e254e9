"""HNSW indexes over the stored vectors: made when a space has grown, over what there is; what comes later is compared.

A live HNSW index costs milliseconds an insert, so none is ever inserted into by ordinary writes: an index covers a
range of positions that is full, and what came after the last range is compared one by one until it is many enough for
an index of its own. An index that is a quarter as large as the one before it is made together with that one, so that
there are few, and a memory is indexed anew a few times while the store grows tenfold (the log-structured merge of
P. O'Neil et al., 1996). All of it without blocking anybody. Up to some size an index holds half-precision vectors;
beyond that one bit a component, a tenth as large, whose answers are ordered again by the vectors themselves.
Reference: Y. Malkov, D. Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
Navigable Small World graphs", 2018; pgvector's manual for both kinds. What must not enter: scopes, selections.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy.engine import Connection

from engramforge.store.postgres.schema import DIMENSION

_LOCK: Final = 1_701_734_259
_NAME: Final = "semantic_{kind}_{after}_{upto}"
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
    first_memories : how many have to come after the last index for a new one.
    bit_memories : from how many on an index holds bits instead of half-precision numbers.
    merged : an index that is this share of the one before is made together with it.
    looked_after : how many memories a process writes until it looks whether one is to be made.
    """

    first_memories: int = 10_000
    bit_memories: int = 1_000_000
    merged: float = 0.25
    looked_after: int = 500


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """An index over the positions after `after` up to `upto`."""

    kind: str
    after: int
    upto: int

    @property
    def name(self) -> str:
        """Its name in the database, which says all three."""
        return _NAME.format(kind=self.kind, after=self.after, upto=self.upto)

    @property
    def size(self) -> int:
        """How many positions it covers."""
        return self.upto - self.after

    def covers(self, other: VectorIndex) -> bool:
        """Whether the other has become needless."""
        return self.after <= other.after and other.upto <= self.upto

    @property
    def condition(self) -> str:
        """What it covers, on embedding_semantic v: as the index says it, or the planner would not use it."""
        return f"v.memory_seq > {self.after} AND v.memory_seq <= {self.upto}"

    def rough(self, most: int) -> int:
        """How many it is asked for, to have that many of the nearest."""
        return most if self.kind == _HALFVEC else _RERANKED * most

    def ordered(self, near: str) -> str:
        """A statement for the positions of the nearest.

        Parameters
        ----------
        near : FROM and WHERE, with the condition above; parameters are vector, most and rough.
        """
        probe = "CAST(%(vector)s AS halfvec)"
        if self.kind == _HALFVEC:
            return f"SELECT v.memory_seq AS seq{near} ORDER BY v.vector <=> {probe} LIMIT %(most)s"
        bits = f"bit({DIMENSION})"
        rough = (
            f"SELECT v.memory_seq AS seq, v.vector{near} ORDER BY CAST(binary_quantize(v.vector) AS {bits}) "
            f"<~> CAST(binary_quantize({probe}) AS {bits}) LIMIT %(rough)s"
        )
        return f"SELECT seq FROM ({rough}) AS rough ORDER BY rough.vector <=> {probe} LIMIT %(most)s"


def standing(connection: Connection) -> list[VectorIndex]:
    """The indexes that can be asked, ascending; one that another covers is left out."""
    found = [_parsed(name) for name, is_valid in _every(connection) if is_valid]
    needed = [one for one in found if not any(other.covers(one) for other in found if other != one)]
    return sorted(needed, key=lambda index: index.upto)


def _every(connection: Connection) -> list[tuple[str, bool]]:
    """Names of our indexes, and whether each is whole."""
    rows = connection.exec_driver_sql(
        "SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indrelid = to_regclass('embedding_semantic') AND relname ~ '^semantic_[a-z]+_[0-9]+_[0-9]+$'"
    )
    return [(name, is_valid) for name, is_valid in rows]


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
    least = options.first_memories * patience
    if _uncovered(connection, standing(connection)) < least:
        return False
    mine = (
        "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('memory')"
    )
    if not connection.exec_driver_sql(mine).scalar():
        return False
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_LOCK})").scalar():
        return False  # somebody else is at it
    try:
        # Looked at again: whoever had the lock before has made one.
        ranges = standing(connection)
        more = _uncovered(connection, ranges)
        if more < least:
            return False
        return _make(connection, _next(ranges, more, options))
    finally:
        # A connection that was lost has taken its lock along.
        if not connection.invalidated:
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")


def _uncovered(connection: Connection, ranges: list[VectorIndex]) -> int:
    """How many positions were drawn after the last range."""
    there = int(connection.exec_driver_sql("SELECT last_value FROM position_counter").scalar_one())
    return there - (ranges[-1].upto if ranges else 0)


def _next(ranges: list[VectorIndex], more: int, options: IndexOptions) -> VectorIndex:
    """The range to index now: the `more` positions after the last, with ranges that are not much larger."""
    after = ranges[-1].upto if ranges else 0
    there = after + more
    for last in reversed(ranges):
        if there - after < options.merged * last.size:
            break
        after = last.after
    return VectorIndex(_BIT if there - after >= options.bit_memories else _HALFVEC, after, there)


def _make(connection: Connection, index: VectorIndex) -> bool:
    """Make an index, then drop those that it covers; half-made ones of a process that died go too."""
    what = "vector halfvec_cosine_ops" if index.kind == _HALFVEC else f"{_BITS} bit_hamming_ops"
    connection.exec_driver_sql(f"SET maintenance_work_mem = '{_BUILD_MEMORY}'")
    try:
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}")
        connection.exec_driver_sql(
            f"CREATE INDEX CONCURRENTLY {index.name} ON embedding_semantic USING hnsw ({what}) "
            f"WHERE memory_seq > {index.after} AND memory_seq <= {index.upto}"
        )
        # The planner goes by an index only once it knows how many rows there are; autovacuum tells it a minute later.
        connection.exec_driver_sql("ANALYZE memory, embedding_semantic")
        kept = {one.name for one in standing(connection)}
        for name, _ in _every(connection):
            if name not in kept:
                connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    finally:
        if not connection.invalidated:
            connection.exec_driver_sql("RESET maintenance_work_mem")
    return True


def _parsed(name: str) -> VectorIndex:
    _, kind, after, upto = name.split("_")
    return VectorIndex(kind, int(after), int(upto))
