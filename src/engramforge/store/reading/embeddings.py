"""The embeddings of memories from their tables: everything that the active encoders made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, Meanings, Signals
from engramforge.model.embeddings.part import Part
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.spaces import ROW_BY_SPACE, Comparison, Space
from engramforge.store import schema
from engramforge.store.given import PLANNED_ONCE, one_of
from engramforge.store.reading.encoders import ENCODERS_MARK, active_encoders, encoders_of
from engramforge.store.reading.entities import entities
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    portions,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.reading.source import Values
from engramforge.store.rows import text_id
from engramforge.store.straight import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engramforge.model.embeddings.part import Values as PartValues


_BYTES_A_WORD: Final = 3
"""A token takes two, and three words are some four tokens."""


def dtype_of(space: Space) -> type[np.int8] | type[np.uint8]:
    """What the parts of a space are stored as: packed bits where it compares by Hamming distance, else int8."""
    return np.uint8 if ROW_BY_SPACE[space].comparison is Comparison.HAMMING else np.int8


def part_values(space: Space, rows: int, raw: bytes) -> PartValues:
    """A stored part as shape (rows, size)."""
    return cast("PartValues", np.frombuffer(raw, dtype_of(space)).reshape(rows, -1))


def signals(
    connection: Connection,
    scope: Scope,
    values: Values,
    positions: NDArray[np.int64],
    named: Sequence[str] | None,
) -> Signals:
    """The embeddings of the memories at these positions that are in scope, and the vectors of names; see the door."""
    asked = [int(position) for position in positions]
    found = SignalReader(connection, scope.tenant, values).read(asked, visible_by_key(scope))
    if named is None:
        return Signals(found)
    names = {*named, *(name for each in found.values() for name in each.entities)}
    return Signals(found, entities(connection, scope, sorted(names)))


_STATEMENTS_KEPT: Final = 64
_TENANT: Final[sa.BindParameter[Any]] = sa.bindparam("tenant")


class _Made(NamedTuple):
    """A row of the statement below."""

    memory_seq: int
    name: Any
    rank: int
    space: str | None
    rows: Any
    active: str | None
    raw: Any
    terms: Any
    counts: Any
    intervals: bytes | None


@lru_cache(_STATEMENTS_KEPT)
def _made_of(values: Values, *admitted: sa.ColumnElement[bool]) -> sa.CompoundSelect[Any]:
    """What was made of memories: words with the mark of the active encoders, E1, parts, and the names they mention.

    A row for each, by the memory and the kind in this order. `name`: the id of its encoder, or a name. Words alone have
    no space, and a row even if there are none.
    """
    memory, words, mark = schema.memory, schema.embedding_words, schema.mark
    part, meaning, mention = schema.embedding_part, schema.embedding_semantic, schema.mention
    by, entity = schema.encoder, schema.entity
    active = sa.select(mark.c.value).where(mark.c.tenant == _TENANT, mark.c.key == ENCODERS_MARK)
    asked = sa.select(memory.c.seq).select_from(IN_PROJECT)
    asked = asked.where(memory.c.tenant == _TENANT, one_of(memory.c.seq, "places"), *admitted)
    seen = asked.cte("seen")
    nothing, untold = sa.cast(sa.null(), sa.LargeBinary), sa.cast(sa.null(), sa.Text)
    its_words = sa.and_(words.c.memory_seq == seen.c.seq, words.c.tenant == _TENANT)
    of_words = seen.outerjoin(words, its_words).outerjoin(by, together(by.c.seq, words.c.encoder_seq))
    told = [
        sa.select(
            *(seen.c.seq.label("memory_seq"), by.c.id.label("name"), sa.literal(-1).label("rank")),
            *(untold.label("space"), words.c.cues.label("rows"), active.scalar_subquery().label("active")),
            *(words.c.tokens.label("raw"), words.c.terms, words.c.counts, words.c.intervals),
        ).select_from(of_words)
    ]
    each = (
        (part, part.c.encoder_seq, by.c.id, part.c.encoder_seq, part.c.space, part.c.rows, part.c.vector),
        (
            *(meaning, meaning.c.encoder_seq, by.c.id, meaning.c.encoder_seq),
            *(sa.literal(str(Space.SEMANTIC)), sa.literal(1), values.sent(meaning.c.vector)),
        ),
        (
            mention,
            mention.c.entity_seq,
            entity.c.name,
            mention.c.place,
            sa.literal(""),
            sa.literal(0),
            nothing,
        ),
    )
    told += [
        sa.select(table.c.memory_seq, name, rank, space, rows, untold, raw, nothing, nothing, nothing)
        .select_from(table.join(name.table, together(name.table.c.seq, key)))
        .where(table.c.tenant == _TENANT, table.c.memory_seq.in_(sa.select(seen.c.seq)))
        for table, key, name, rank, space, rows, raw in each
    ]
    return sa.union_all(*told).order_by("memory_seq", "rank").execution_options(**PLANNED_ONCE)


class SignalReader:
    """Reads embeddings of a tenant.

    Without a chosen encoder for a space, a memory has an embedding in it, or several while another encoder is being
    prepared: then E1 is by the encoder of its words, and a part by the encoder with the lowest key.
    """

    def __init__(self, connection: Connection, tenant: str, values: Values) -> None:
        self._connection = connection
        self._tenant = tenant
        self._values = values

    def read(self, positions: Sequence[int], *admitted: sa.ColumnElement[bool]) -> dict[int, Embedding]:
        """The embeddings at positions; a memory for which all encoders abstain has neither vector nor words.

        `admitted`: predicates on the memory table.
        """
        found: dict[int, Embedding] = {}
        for portion in portions(positions):
            asked = {"tenant": self._tenant, "places": portion}
            statement = _made_of(self._values, *admitted)
            rows = [_Made(*row) for row in rows_of(self._connection, statement, asked)]
            words = {row.memory_seq: row for row in rows if row.space is None}
            active = encoders_of(next((row.active for row in words.values()), None))
            beside = {
                position: _Beside(None if row.raw is None else row.name) for position, row in words.items()
            }
            for row in rows:
                if row.space is not None:
                    beside[row.memory_seq].add(row, active, self._values)
            found |= {
                position: _embedding(words[position], beside[position])
                for position in portion
                if position in words
            }
        return found


@dataclass(slots=True)
class _Beside:
    """What a memory has beside its words. `words`: the id of these' encoder; None without words."""

    words: str | None
    meaning: str | None = None
    vector: NDArray[np.int8] | None = None
    parts: dict[Space, Part] = field(default_factory=dict)
    entities: list[str] = field(default_factory=list)

    def add(self, row: _Made, active: Mapping[Space, ActiveEncoder], values: Values) -> None:
        """Take in a row, unless it is by another encoder than the chosen one, or one that stands behind another."""
        if not row.space:
            self.entities.append(row.name)
            return
        space = Space(row.space)
        chosen = active.get(space)
        if row.raw is None or (chosen is not None and chosen.id != row.name):
            return
        if space is Space.SEMANTIC:
            if self.meaning is None or self.words == row.name:
                self.meaning, self.vector = row.name, values.received(bytes(row.raw))
        elif chosen is not None or space not in self.parts:
            self.parts[space] = Part(space, row.name, part_values(space, row.rows, bytes(row.raw)))


def rows_at(
    connection: Connection,
    tenant: str,
    key: sa.Column[Any],
    values: Sequence[int],
    columns: Sequence[sa.ColumnElement[Any]] = (),
) -> Iterator[RowMapping]:
    """Rows of the key's table whose key is one of the values, whole unless columns are named."""
    for portion in portions(values):
        wanted = (key.table.c.tenant == tenant, key.in_(portion))
        yield from connection.execute(sa.select(*(columns or (key.table,))).where(*wanted)).mappings()


def _embedding(words: _Made, beside: _Beside) -> Embedding:
    encoder = beside.meaning or "" if beside.words is None else beside.words
    apart = beside.meaning if beside.meaning != encoder else None
    others = (apart, dict(sorted(beside.parts.items())), tuple(beside.entities))
    if beside.words is None:
        nothing = np.empty(0, np.uint16), np.empty(0, np.uint32), np.empty(0, np.uint8)
        return Embedding(encoder, beside.vector, *nothing, 0, None, *others)
    days = words.intervals
    return Embedding(
        encoder,
        beside.vector,
        np.frombuffer(bytes(words.raw), np.uint16),
        np.frombuffer(bytes(words.terms), np.uint32),
        np.frombuffer(bytes(words.counts), np.uint8),
        words.rows,
        None if days is None else np.frombuffer(bytes(days), np.int32).reshape(-1, 3),
        *others,
    )


def meanings(connection: Connection, scope: Scope, values: Values, kinds: Sequence[Kind]) -> Meanings:
    """The vectors of memories of these kinds, by the encoder that the store compares by; see the door."""
    memory, words, meaning, by = (
        schema.memory,
        schema.embedding_words,
        schema.embedding_semantic,
        schema.encoder,
    )
    frame = (
        IN_PROJECT.join(meaning, together(meaning.c.memory_seq, memory.c.seq))
        .join(by, together(by.c.seq, meaning.c.encoder_seq))
        .join(words, together(words.c.memory_seq, memory.c.seq))
    )
    statement = (
        sa.select(
            *(memory.c.seq, memory.c.logical_id, memory.c.project_seq, by.c.id, meaning.c.encoder_seq),
            *(words.c.encoder_seq, values.sent(meaning.c.vector), values.octets(words.c.tokens)),
        )
        .select_from(frame)
        .where(visible(scope), *CURRENT, memory.c.kind.in_(map(str, kinds)), meaning.c.vector.is_not(None))
        .order_by(memory.c.seq)
    )
    rows = connection.execute(statement).all()
    chosen = active_encoders(connection, scope.tenant).get(Space.SEMANTIC)
    kept = [row for row in rows if (row[4] == row[5] if chosen is None else row[3] == chosen.id)]
    raw = b"".join(values.received(bytes(row[6])).tobytes() for row in kept)
    return Meanings(
        encoder=None if chosen is None else chosen.id,
        positions=np.array([row[0] for row in kept], np.int64),
        logical_ids=tuple(text_id(row[1]) for row in kept),
        projects=np.array([row[2] for row in kept], np.int64),
        lengths=np.array([row[7] for row in kept], np.int64) // _BYTES_A_WORD,
        vectors=np.frombuffer(raw, np.int8).reshape(len(kept), -1) if kept else np.empty((0, 1), np.int8),
    )
