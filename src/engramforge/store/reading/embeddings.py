"""The embeddings of memories from their tables: everything that the active encoders made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.encoder_spec import Signals
from engramforge.model.embeddings.part import Part
from engramforge.model.scope import Scope
from engramforge.model.spaces import ROW_BY_SPACE, Comparison, Space
from engramforge.store import schema
from engramforge.store.reading.encoders import active_encoders, encoder_names
from engramforge.store.reading.entities import entities
from engramforge.store.reading.predicates import IN_PROJECT, portions, together, visible
from engramforge.store.reading.source import Values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engramforge.model.embeddings.part import Values as PartValues


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
    statement = sa.select(schema.memory.c.seq).select_from(IN_PROJECT)
    seen: set[int] = set()
    for portion in portions(asked):
        in_scope = statement.where(schema.memory.c.seq.in_(portion), visible(scope))
        seen.update(connection.execute(in_scope).scalars())
    reader = SignalReader(connection, scope.tenant, values)
    found = reader.read([position for position in asked if position in seen])
    if named is None:
        return Signals(found)
    names = {*named, *(name for each in found.values() for name in each.entities)}
    return Signals(found, entities(connection, scope, sorted(names)))


class SignalReader:
    """Reads embeddings of a tenant; it caches look-ups, so use it within a single snapshot.

    Without a chosen encoder for a space, a memory has an embedding in it, or several while another encoder is being
    prepared: then E1 is by the encoder of its words, and a part by the encoder with the lowest key.
    """

    def __init__(self, connection: Connection, tenant: str, values: Values) -> None:
        self._connection = connection
        self._tenant = tenant
        self._values = values
        self._active = active_encoders(connection, tenant)
        self._names = encoder_names(connection, tenant)

    def read(self, positions: Sequence[int]) -> dict[int, Embedding]:
        """The embeddings at positions; a memory for which all encoders abstain has neither vector nor words."""
        words = {row["memory_seq"]: row for row in self._rows(schema.embedding_words, positions)}
        vectors = self._vectors(positions, words)
        parts = self._parts(positions)
        entities = self._entities(positions)
        made = {}
        for position in positions:
            row = words.get(position)
            key, vector = vectors.get(position, (None, None))
            meaning = None if key is None else self._names[key]
            encoder = meaning or "" if row is None else self._names[row["encoder_seq"]]
            apart = meaning if meaning is not None and meaning != encoder else None
            beside = (apart, parts.get(position, {}), tuple(entities.get(position, ())))
            made[position] = _embedding(encoder, vector, row, beside)
        return made

    def _vectors(
        self, positions: Sequence[int], words: Mapping[int, Any]
    ) -> dict[int, tuple[int, NDArray[np.int8]]]:
        """E1 of each position that has one, with its encoder's key."""
        table = schema.embedding_semantic
        columns = (table.c.memory_seq, table.c.encoder_seq, self._values.sent(table.c.vector).label("raw"))
        chosen = self._active.get(Space.SEMANTIC)
        found: dict[int, tuple[int, NDArray[np.int8]]] = {}
        for row in self._rows(table, positions, columns, table.c.encoder_seq):
            position, key = row["memory_seq"], row["encoder_seq"]
            if row["raw"] is None or (chosen is not None and self._names[key] != chosen.id):
                continue
            its_words = words.get(position)
            if position in found and (its_words is None or its_words["encoder_seq"] != key):
                continue
            found[position] = key, self._values.received(bytes(row["raw"]))
        return found

    def _parts(self, positions: Sequence[int]) -> dict[int, dict[Space, Part]]:
        table = schema.embedding_part
        columns = (table.c.memory_seq, table.c.space, table.c.encoder_seq, table.c.rows, table.c.vector)
        found: dict[int, dict[Space, Part]] = {}
        for row in self._rows(table, positions, columns, table.c.encoder_seq):
            space, encoder = Space(row["space"]), self._names[row["encoder_seq"]]
            its = found.setdefault(row["memory_seq"], {})
            chosen = self._active.get(space)
            is_other = space in its if chosen is None else chosen.id != encoder
            if row["vector"] is not None and not is_other:
                its[space] = Part(space, encoder, part_values(space, row["rows"], bytes(row["vector"])))
        return {position: dict(sorted(its.items())) for position, its in found.items()}

    def _entities(self, positions: Sequence[int]) -> dict[int, list[str]]:
        mention, entity = schema.mention, schema.entity
        found: dict[int, list[str]] = {}
        for portion in portions(positions):
            statement = (
                sa.select(mention.c.memory_seq, entity.c.name)
                .join(entity, together(entity.c.seq, mention.c.entity_seq))
                .where(mention.c.tenant == self._tenant, mention.c.memory_seq.in_(portion))
                .order_by(mention.c.memory_seq, mention.c.place)
            )
            for position, name in self._connection.execute(statement):
                found.setdefault(position, []).append(name)
        return found

    def _rows(self, table: sa.Table, positions: Sequence[int], *more: Any) -> Iterator[RowMapping]:
        return rows_at(self._connection, self._tenant, table.c.memory_seq, positions, *more)


def rows_at(
    connection: Connection,
    tenant: str,
    key: sa.Column[Any],
    values: Sequence[int],
    columns: Sequence[sa.ColumnElement[Any]] = (),
    order: sa.Column[Any] | None = None,
) -> Iterator[RowMapping]:
    """Rows of the key's table whose key is one of the values, whole unless columns are named."""
    for portion in portions(values):
        wanted = (key.table.c.tenant == tenant, key.in_(portion))
        statement = sa.select(*(columns or (key.table,))).where(*wanted)
        if order is not None:
            statement = statement.order_by(key, order)
        yield from connection.execute(statement).mappings()


def _embedding(
    encoder: str,
    vector: NDArray[np.int8] | None,
    words: Any,
    beside: tuple[str | None, Mapping[Space, Part], tuple[str, ...]],
) -> Embedding:
    if words is None:
        nothing = np.empty(0, np.uint16), np.empty(0, np.uint32), np.empty(0, np.uint8)
        return Embedding(encoder, vector, *nothing, 0, None, *beside)
    days = words["intervals"]
    return Embedding(
        encoder,
        vector,
        np.frombuffer(bytes(words["tokens"]), np.uint16),
        np.frombuffer(bytes(words["terms"]), np.uint32),
        np.frombuffer(bytes(words["counts"]), np.uint8),
        words["cues"],
        None if days is None else np.frombuffer(bytes(days), np.int32).reshape(-1, 3),
        *beside,
    )
