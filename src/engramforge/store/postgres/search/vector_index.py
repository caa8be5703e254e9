"""HNSW indexes over stored embeddings, built once a space has grown; later embeddings are compared one by one.

Inserting into a live HNSW index costs milliseconds, so ordinary writes never do: an index covers a full range of
positions, and embeddings after the last range are compared one by one until there are enough for an index of their own.
An index that is a quarter as large as the previous one is merged with it, so that there are few, and a memory is
indexed again only a few times while the store grows tenfold (the log-structured merge of P. O'Neil et al., 1996).
Nothing of this blocks anybody. Each encoder of each space has indexes of its own, which all tenants share. Up to some
size an index of E1 holds half-precision vectors; beyond that one bit a component, a tenth as large, whose answers are
ordered again by the vectors themselves. Reference: Y. Malkov, D. Yashunin, "Efficient and robust approximate nearest
neighbor search using Hierarchical Navigable Small World graphs", 2018; pgvector's manual for both kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.engine import Connection

from engramforge.model.spaces import Space
from engramforge.store.postgres.connection import has_own_session
from engramforge.store.postgres.search.fields import NUMBER, SPACE_OF_NUMBER, Field

_LOCK: Final = 1_701_734_259
_NAME: Final = "near_{number}_{kind}_{code}_{after}_{upto}"
_PATTERN: Final = "^near_e[0-9]+_[a-z]+_[0-9]+_[0-9]+_[0-9]+$"
_FULL: Final = "full"
_BIT: Final = "bit"
_RERANKED: Final = 4
"""How many times as many results a bit index is asked for, which are then ordered by the vectors."""
_MOST_SCANNED: Final = 40_000
"""How many vectors a filtered scan visits before it settles for fewer."""
_BUILD_MEMORY: Final = "256MB"


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """When indexes are made.

    Parameters
    ----------
    first_memories : how many of a tenant's embeddings have to come after the last index for a new one.
    bit_memories : from how many positions on an index of E1 holds bits instead of half-precision numbers.
    merged : an index of at least this share of the previous one is merged with it.
    looked_after : how many memories a process writes before it checks whether an index is due.
    packed_patience : how many times as many embeddings a space of packed bits waits for: 100,000 of them are compared
        one by one in 30 ms, and their index would take as long to make as that of E1.
    """

    first_memories: int = 10_000
    bit_memories: int = 1_000_000
    merged: float = 0.25
    looked_after: int = 500
    packed_patience: int = 100


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """An index over one encoder's embeddings of a space at the positions after `after` up to `upto`.

    `code`: of the encoder, as a `Field` has it. `kind`: full precision, or one bit a component.
    """

    space: str
    code: int
    kind: str
    after: int
    upto: int

    @property
    def name(self) -> str:
        """Its name in the database, which says all five."""
        return _NAME.format(
            number=NUMBER[self.space], kind=self.kind, code=self.code, after=self.after, upto=self.upto
        )

    @property
    def size(self) -> int:
        """How many positions it covers."""
        return self.upto - self.after

    def covers(self, other: VectorIndex) -> bool:
        """Whether this one makes the other redundant."""
        is_same = (self.space, self.code) == (other.space, other.code)
        return is_same and self.after <= other.after and other.upto <= self.upto

    @property
    def condition(self) -> str:
        """Its condition on the field's rows v, worded as in the index, or the planner would not use it."""
        return f"v.memory_seq > {self.after} AND v.memory_seq <= {self.upto}"

    def ordered(self, near: str, field: Field) -> str:
        """A statement for the positions of the nearest, with their levels.

        `near`: FROM and WHERE over the field, with the condition above; parameters are probe, most and rough.
        """
        if self.kind == _FULL:
            return f"SELECT v.memory_seq AS seq, memory.level{near} ORDER BY {field.distance} LIMIT %(most)s"
        bits = f"bit({field.size})"
        found = (
            f"SELECT v.memory_seq AS seq, memory.level, {field.distance} AS distance{near} "
            f"ORDER BY CAST(binary_quantize(v.vector) AS {bits}) "
            f"<~> CAST(binary_quantize({field.probe}) AS {bits}) LIMIT %(rough)s"
        )
        return f"SELECT seq, level FROM ({found}) AS rough ORDER BY rough.distance LIMIT %(most)s"


def rough(most: int) -> int:
    """How many results an index of bits is asked for, to have that many of the nearest."""
    return _RERANKED * most


@dataclass(frozen=True, slots=True)
class Due:
    """An index that is to be made: what it would hold beyond those that stand."""

    field: Field
    upto: int


def standing(connection: Connection, spaces: Iterable[str] | None = None) -> list[VectorIndex]:
    """The usable indexes of some or all spaces, ascending, without redundant ones."""
    wanted = None if spaces is None else set(spaces)
    found = [_parsed(name) for name, is_valid in _every(connection) if is_valid]
    found = [index for index in found if wanted is None or index.space in wanted]
    needed = [index for index in found if not any(other.covers(index) for other in found if other != index)]
    return sorted(needed, key=lambda index: index.upto)


def of_field(indexes: Sequence[VectorIndex], field: Field) -> list[VectorIndex]:
    """Those of one encoder in one space, ascending."""
    return [index for index in indexes if (index.space, index.code) == (field.space, field.code)]


def _every(connection: Connection) -> list[tuple[str, bool]]:
    """Names of our indexes, and whether each is whole."""
    rows = connection.exec_driver_sql(
        "SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indrelid IN (to_regclass('embedding_semantic'), to_regclass('embedding_part')) "
        f"AND relname ~ '{_PATTERN}'"
    )
    return [(name, is_valid) for name, is_valid in rows]


def settings(nearest: int) -> tuple[tuple[str, str], ...]:
    """Settings that let a transaction's index scans continue until filters have left enough."""
    return (
        ("hnsw.ef_search", str(min(nearest, 1_000))),
        # Strict order is not needed, since results are scored again.
        ("hnsw.iterative_scan", "relaxed_order"),
        ("hnsw.max_scan_tuples", str(_MOST_SCANNED)),
    )


def due(
    connection: Connection, tenant: str, fields: Sequence[Field], options: IndexOptions, patience: float = 1.0
) -> list[Due]:
    """The indexes that are to be made because enough of the tenant's embeddings came after the last ones.

    `connection`: in a transaction of the tenant; the owner alone would see no row. `patience`: how many times the usual
    growth is waited for.
    """
    ranges = standing(connection)
    found = []
    for field in fields:
        if not field.is_indexed:
            continue
        least = int(options.first_memories * patience * (options.packed_patience if field.is_packed else 1))
        mine = of_field(ranges, field)
        last = mine[-1].upto if mine else 0
        more = f"SELECT 1 FROM {field.table} v WHERE {field.rows} AND v.memory_seq > %(last)s LIMIT %(least)s"
        asked = {"tenant": tenant, "last": last, "least": least}
        held = f"SELECT count(*) FROM ({more}) AS more"
        if connection.exec_driver_sql(held, asked).scalar_one() < least:
            continue
        newest = f"SELECT max(v.memory_seq) FROM {field.table} v WHERE {field.rows}"
        found.append(Due(field, int(connection.exec_driver_sql(newest, {"tenant": tenant}).scalar_one())))
    return found


def meanings(connection: Connection, tenant: str) -> list[Field]:
    """The encoders of the tenant's newest E1 vectors; connection as in `due`."""
    newest = (
        "SELECT DISTINCT encoder_seq, encoder_code, vector_dims(vector) FROM (SELECT * FROM embedding_semantic v"
        " WHERE v.tenant = %(tenant)s AND v.vector IS NOT NULL ORDER BY v.memory_seq DESC LIMIT 100) AS newest"
    )
    rows = connection.exec_driver_sql(newest, {"tenant": tenant})
    return [Field(str(Space.SEMANTIC), key, code, size) for key, code, size in rows]


def grow(connection: Connection, wanted: Sequence[Due], options: IndexOptions) -> bool:
    """Make the indexes that are due; whether one was made.

    `connection`: in autocommit, as the user of the URL, who must own the table: else nothing happens. Nor does
    it behind a pooler.
    """
    mine = (
        "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('memory')"
    )
    if not wanted or not connection.exec_driver_sql(mine).scalar():
        return False
    if not has_own_session(connection):
        return False  # the lock and the memory of a build would be left in sessions of others
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_LOCK})").scalar():
        return False  # somebody else is at it
    try:
        made = False
        for each in wanted:
            # Checked again, since the previous holder of the lock may have made one.
            ranges = of_field(standing(connection), each.field)
            if not ranges or ranges[-1].upto < each.upto:
                _make(connection, each.field, _next(ranges, each, options))
                made = True
        return made
    finally:
        # A connection that was lost has taken its lock along.
        if not connection.invalidated:
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")


def drop(connection: Connection, space: str, code: int) -> None:
    """Drop the indexes of an encoder whose embeddings are gone; connection as in `grow`.

    Only a user who sees all tenants' rows can tell; otherwise they stay, without the removed rows.
    """
    table = "embedding_semantic" if space == Space.SEMANTIC else "embedding_part"
    still = f"SELECT row_security_active('{table}') OR EXISTS (SELECT 1 FROM {table} WHERE encoder_code = {code:d})"
    if connection.exec_driver_sql(still).scalar():
        return
    for name, _ in _every(connection):
        index = _parsed(name)
        if (index.space, index.code) == (space, code):
            connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


def _next(ranges: list[VectorIndex], wanted: Due, options: IndexOptions) -> VectorIndex:
    """The range to index now: the positions after the last, with ranges that are not much larger."""
    after = ranges[-1].upto if ranges else 0
    for last in reversed(ranges):
        if wanted.upto - after < options.merged * last.size:
            break
        after = last.after
    field = wanted.field
    # One bit a component is enough for a cosine alone.
    is_large = field.is_meaning and wanted.upto - after >= options.bit_memories
    return VectorIndex(field.space, field.code, _BIT if is_large else _FULL, after, wanted.upto)


def _make(connection: Connection, field: Field, index: VectorIndex) -> None:
    """Make an index, then drop those that it covers; half-made ones of a process that died go too."""
    what = field.operators if index.kind == _FULL else field.bit_operators
    connection.exec_driver_sql(f"SET maintenance_work_mem = '{_BUILD_MEMORY}'")
    try:
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}")
        connection.exec_driver_sql(
            f"CREATE INDEX CONCURRENTLY {index.name} ON {field.table} USING hnsw ({what}) "
            f"WHERE {field.holds} AND memory_seq > {index.after} AND memory_seq <= {index.upto}"
        )
        # As of the column itself, no samples that a forget could not reach.
        connection.exec_driver_sql(f"ALTER INDEX {index.name} ALTER COLUMN 1 SET STATISTICS 0")
        # The planner uses an index only once it knows the number of rows, which autovacuum would tell it a minute
        # later.
        connection.exec_driver_sql(f"ANALYZE memory, {field.table}")
        kept = {index.name for index in standing(connection)}
        for name, _ in _every(connection):
            if name not in kept:
                connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    finally:
        if not connection.invalidated:
            connection.exec_driver_sql("RESET maintenance_work_mem")


def _parsed(name: str) -> VectorIndex:
    _, number, kind, code, after, upto = name.split("_")
    return VectorIndex(SPACE_OF_NUMBER[number], int(code), kind, int(after), int(upto))
