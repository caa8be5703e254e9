"""The embeddings of memories out of their tables: everything that the active encoders made. Shared by the engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.part import Part
from engramforge.model.scope import Scope
from engramforge.model.spaces import ROW_BY_SPACE, Comparison, Space
from engramforge.store import schema
from engramforge.store.reading import memories as reading
from engramforge.store.reading.encoders import Active, active_encoders
from engramforge.store.reading.memories import together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engramforge.model.embeddings.part import Values

_LIST: Final = 500


def dtype_of(space: Space) -> type[np.int8] | type[np.uint8]:
    """What the parts of a space are stored as: packed bits where it compares by Hamming distance, else int8."""
    return np.uint8 if ROW_BY_SPACE[space].comparison is Comparison.HAMMING else np.int8


def part_values(space: Space, rows: int, raw: bytes) -> Values:
    """A stored part as shape (rows, size)."""
    return cast("Values", np.frombuffer(raw, dtype_of(space)).reshape(rows, -1))


def signals(connection: Connection, scope: Scope, positions: Sequence[int]) -> dict[int, Embedding]:
    """The embeddings of the memories at these positions that are in scope."""
    seen = _admitted(connection, scope, positions)
    return SignalReader(connection, scope.tenant).read(
        [position for position in positions if position in seen]
    )


def _admitted(connection: Connection, scope: Scope, positions: Sequence[int]) -> set[int]:
    memory, project = schema.memory, schema.project
    found: set[int] = set()
    for begin in range(0, len(positions), _LIST):
        statement = (
            sa.select(memory.c.seq)
            .join(project, together(project.c.seq, memory.c.project_seq))
            .where(memory.c.seq.in_(positions[begin : begin + _LIST]), reading.visible(scope))
        )
        found.update(connection.execute(statement).scalars())
    return found


class SignalReader:
    """Reads embeddings of one tenant; what it looks up once it keeps, so use it within one snapshot.

    Where nobody chose an encoder for a space, a memory has one embedding in it, or several while another encoder is
    being prepared: then E1 is by the encoder of its words, and a part by the encoder with the lowest key.
    """

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._active: Active = active_encoders(connection, tenant)
        encoder = schema.encoder
        rows = connection.execute(sa.select(encoder.c.seq, encoder.c.id).where(encoder.c.tenant == tenant))
        self._names: dict[int, str] = {int(seq): str(name) for seq, name in rows}

    def read(self, positions: Sequence[int]) -> dict[int, Embedding]:
        """The embeddings at positions; what no encoder had anything to say about has neither vector nor words."""
        words = {
            row["memory_seq"]: row
            for row in self._rows(schema.embedding_words, schema.embedding_words.c.memory_seq, positions)
        }
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
        is_sqlite = self._connection.dialect.name == "sqlite"
        sent: sa.ColumnElement[Any] = table.c.vector
        if not is_sqlite:
            sent = sa.func.halfvec_send(table.c.vector, type_=sa.LargeBinary)
        columns = (table.c.memory_seq, table.c.encoder_seq, sent.label("raw"))
        chosen = self._active.get(Space.SEMANTIC)
        found: dict[int, tuple[int, NDArray[np.int8]]] = {}
        for row in self._rows(table, table.c.memory_seq, positions, *columns, order=table.c.encoder_seq):
            position, key = row["memory_seq"], row["encoder_seq"]
            if row["raw"] is None or (chosen is not None and self._names[key] != chosen.id):
                continue
            its_words = words.get(position)
            if position in found and (its_words is None or its_words["encoder_seq"] != key):
                continue
            raw = bytes(row["raw"])
            # halfvec's wire format: dimension, nothing, and the components as big-endian half floats.
            vector = (
                np.frombuffer(raw, np.int8) if is_sqlite else np.frombuffer(raw[4:], ">f2").astype(np.int8)
            )
            found[position] = key, vector
        return found

    def _parts(self, positions: Sequence[int]) -> dict[int, dict[Space, Part]]:
        table = schema.embedding_part
        columns = (table.c.memory_seq, table.c.space, table.c.encoder_seq, table.c.rows, table.c.vector)
        found: dict[int, dict[Space, Part]] = {}
        for row in self._rows(table, table.c.memory_seq, positions, *columns, order=table.c.encoder_seq):
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
        for begin in range(0, len(positions), _LIST):
            statement = (
                sa.select(mention.c.memory_seq, entity.c.name)
                .join(entity, together(entity.c.seq, mention.c.entity_seq))
                .where(
                    mention.c.tenant == self._tenant,
                    mention.c.memory_seq.in_(positions[begin : begin + _LIST]),
                )
                .order_by(mention.c.memory_seq, mention.c.place)
            )
            for position, name in self._connection.execute(statement):
                found.setdefault(position, []).append(name)
        return found

    def _rows(
        self,
        table: sa.Table,
        key: sa.Column[Any],
        values: Sequence[int],
        *columns: Any,
        order: sa.Column[Any] | None = None,
    ) -> Iterator[Any]:
        """Rows of a table of the tenant whose key is one of the values."""
        for begin in range(0, len(values), _LIST):
            wanted = (table.c.tenant == self._tenant, key.in_(values[begin : begin + _LIST]))
            statement = sa.select(*(columns or (table,))).where(*wanted)
            if order is not None:
                statement = statement.order_by(key, order)
            yield from self._connection.execute(statement).mappings()


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
