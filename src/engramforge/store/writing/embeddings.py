"""Writes of embeddings beside memories: parts, entities, E1 of another encoder, and which encoder is active.

Mixed into `StoreTransaction`. Nothing of a memory itself changes here. What an engine does in its own way is a method
of its own: `_put_vectors`, `_put_parts`, `_put_names`, `_hold_encoders`, `_note_placed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import Conflict, EncoderChanged, InvalidValue
from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.embeddings.part import Part
from engramforge.model.scope import Scope
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema
from engramforge.store.reading.embeddings import dtype_of
from engramforge.store.reading.encoders import ENCODERS_MARK, active_encoders, lacking, mark_of
from engramforge.store.reading.predicates import admitted, portions, together

if TYPE_CHECKING:
    from numpy.typing import NDArray


Placed = tuple[int, int, int | None, Entry]
"""An entry with its position, project key and session key."""


class EmbeddingWrites:
    """The verbs of embeddings; see `store.door.Transaction`."""

    _connection: Connection
    _scope: Scope
    _chosen: Mapping[Space, ActiveEncoder] | None = None

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        raise NotImplementedError

    def _encoder_key(self, encoder: str) -> int:
        raise NotImplementedError

    def _write_mark(self, key: str, text: str | None) -> None:
        raise NotImplementedError

    def _hold_encoders(self, alone: bool) -> None:
        """Keep the active encoders as they are until the end; `alone`: and let nobody write with them meanwhile."""

    def _note_placed(self, space: Space, encoder_key: int) -> None:
        """Let readers that hold embeddings of a space by this encoder in memory notice that some have changed."""

    def _put_vectors(self, encoder_key: int, rows: Sequence[tuple[int, NDArray[np.int8] | None]]) -> None:
        """Write E1 of an encoder beside positions that have none by it."""
        whole = {"tenant": self._scope.tenant, "encoder_seq": encoder_key}
        made = [
            {**whole, "memory_seq": seq, "vector": None if vector is None else vector.tobytes()}
            for seq, vector in rows
        ]
        self._add(schema.embedding_semantic, made)

    def _put_parts(self, rows: list[dict[str, Any]]) -> None:
        """Write rows of parts beside positions that have none of the same space and encoder."""
        self._add(schema.embedding_part, rows)

    def _put_names(self, names: Sequence[str]) -> None:
        """Make rows of entities that have none; the names are distinct."""
        self._add(schema.entity, [{"tenant": self._scope.tenant, "name": name} for name in names])

    @property
    def _active(self) -> Mapping[Space, ActiveEncoder]:
        """The active encoders, held until the end of the transaction."""
        if self._chosen is None:
            self._hold_encoders(alone=False)
            self._chosen = active_encoders(self._connection, self._scope.tenant)
        return self._chosen

    def _check_encoders(self, entries: Iterable[Entry]) -> None:
        """Refuse embeddings by others than the active encoders."""
        active = self._active
        meaning = active.get(Space.SEMANTIC)
        for entry in entries:
            signals = entry.embedding
            if signals.meaning_encoder != (signals.encoder if meaning is None else meaning.id):
                raise _changed(Space.SEMANTIC, signals.meaning_encoder)
            for space, part in signals.parts.items():
                chosen = active.get(space)
                if chosen is not None and part.encoder != chosen.id:
                    raise _changed(space, part.encoder)

    def _add_parts(self, entries: Sequence[Placed]) -> None:
        rows = [
            self._part_row(seq, space, self._encoder_key(part.encoder), part)
            for seq, _, _, entry in entries
            for space, part in entry.embedding.parts.items()
        ]
        if rows:
            self._put_parts(rows)

    def _part_row(self, seq: int, space: Space, encoder_key: int, part: Part | None) -> dict[str, Any]:
        row = {"tenant": self._scope.tenant, "memory_seq": seq, "space": str(space)}
        if part is None or not part.values.size:
            return {**row, "encoder_seq": encoder_key, "rows": 0, "vector": None}
        if part.values.dtype != dtype_of(space) or part.values.ndim != 2:
            raise InvalidValue(
                f"A part of {space} is {part.values.dtype} of shape {part.values.shape}",
                f"Give {np.dtype(dtype_of(space))} of shape (rows, size)",
            )
        return {**row, "encoder_seq": encoder_key, "rows": len(part.values), "vector": part.values.tobytes()}

    def _add_mentions(self, mentioned: Sequence[tuple[int, Sequence[str]]]) -> None:
        """Write which position mentions which names, in order."""
        keys = self._entity_keys({name for _, names in mentioned for name in names})
        whole = {"tenant": self._scope.tenant}
        rows = [
            {**whole, "memory_seq": seq, "entity_seq": keys[name], "place": place}
            for seq, names in mentioned
            for place, name in enumerate(dict.fromkeys(names))
        ]
        if rows:
            self._add(schema.mention, rows)

    def _entity_keys(self, names: Iterable[str]) -> dict[str, int]:
        """The key of each name; names without a row get one."""
        ordered = sorted(names)
        keys = self._known_entities(ordered)
        missing = [name for name in ordered if name not in keys]
        if missing:
            self._put_names(missing)
            keys |= self._known_entities(missing)
        return keys

    def _known_entities(self, names: Sequence[str]) -> dict[str, int]:
        entity = schema.entity
        found: dict[str, int] = {}
        for portion in portions(names):
            statement = sa.select(entity.c.name, entity.c.seq)
            wanted = (entity.c.tenant == self._scope.tenant, entity.c.name.in_(portion))
            found.update((name, int(seq)) for name, seq in self._connection.execute(statement.where(*wanted)))
        return found

    def place_vectors(
        self, positions: NDArray[np.int64], encoder: str, vectors: Sequence[NDArray[np.int8] | None]
    ) -> None:
        """Put E1 of an encoder beside memories; see the door."""
        key = self._encoder_key(encoder)
        table = schema.embedding_semantic
        there = self._there(positions)
        rows = [
            (int(seq), vector) for seq, vector in zip(positions, vectors, strict=True) if int(seq) in there
        ]
        self._clear(table, [seq for seq, _ in rows], table.c.encoder_seq == key)
        if rows:
            self._put_vectors(key, rows)
            self._note_placed(Space.SEMANTIC, key)

    def place_parts(
        self, positions: NDArray[np.int64], space: Space, encoder: str, parts: Sequence[Part | None]
    ) -> None:
        """Put parts of one space and encoder beside memories; see the door."""
        strangers = {part.encoder for part in parts if part is not None} - {encoder}
        if strangers:
            raise InvalidValue(f"Parts of {sorted(strangers)[0]} are placed as those of {encoder}")
        key = self._encoder_key(encoder)
        table = schema.embedding_part
        there = self._there(positions)
        rows = [
            self._part_row(int(seq), space, key, part)
            for seq, part in zip(positions, parts, strict=True)
            if int(seq) in there
        ]
        same = sa.and_(table.c.space == str(space), table.c.encoder_seq == key)
        self._clear(table, [row["memory_seq"] for row in rows], same)
        if rows:
            self._put_parts(rows)
            self._note_placed(space, key)

    def place_mentions(self, positions: NDArray[np.int64], names: Sequence[Sequence[str]]) -> None:
        """Put what their texts mention beside memories, in place of earlier names; see the door."""
        there = self._there(positions)
        mentioned = [
            (int(seq), each) for seq, each in zip(positions, names, strict=True) if int(seq) in there
        ]
        seqs = [seq for seq, _ in mentioned]
        left = self._mentioned_by(seqs)
        self._clear(schema.mention, seqs, sa.true())
        self._add_mentions(mentioned)
        self._drop_unmentioned(left)
        if mentioned:
            self._note_placed(Space.ENTITY, 0)

    def place_entities(self, encoder: str, names: Sequence[str], vectors: NDArray[np.int8]) -> None:
        """Put vectors to mentioned entities; see the door."""
        if len(names) != len(vectors):
            raise InvalidValue(f"{len(names)} names have {len(vectors)} vectors", "Give one for each")
        entity, key = schema.entity, self._encoder_key(encoder)
        by_name = dict(zip(names, vectors, strict=True))
        rows = [
            {"its_key": seq, "its_vector": np.ascontiguousarray(by_name[name], np.int8).tobytes()}
            for name, seq in self._known_entities(sorted(by_name)).items()
        ]
        if rows:
            its = (entity.c.tenant == self._scope.tenant, entity.c.seq == sa.bindparam("its_key"))
            values = {"vector": sa.bindparam("its_vector"), "encoder_seq": key}
            self._connection.execute(sa.update(entity).where(*its).values(values), rows)

    def activate(self, space: Space, encoder: ActiveEncoder) -> None:
        """Let questions compare the space by this encoder from now on; see the door."""
        most = ROW_BY_SPACE[space].declared_size
        if not 0 < encoder.size <= most:
            raise InvalidValue(
                f"The encoder {encoder.id} has {encoder.size} dimensions",
                f"The space {space} takes 1 to {most}",
            )
        self._hold_encoders(alone=True)
        tenant = self._scope.tenant
        chosen = active_encoders(self._connection, tenant)
        everything = Scope(tenant, every_agent=True)
        is_known = space in chosen and chosen[space].id == encoder.id
        if not is_known and lacking(self._connection, everything, space, encoder.id, 1):
            raise Conflict(
                f"Some memories have no embedding in {space} by {encoder.id} yet", "Embed those first"
            )
        self._chosen = {**chosen, space: encoder}
        self._write_mark(ENCODERS_MARK, mark_of(self._chosen))

    def drop_encoder(self, space: Space, encoder: str) -> int:
        """Remove the embeddings of an encoder that is not active; see the door."""
        self._hold_encoders(alone=True)
        tenant, words = self._scope.tenant, schema.embedding_words
        chosen = active_encoders(self._connection, tenant).get(space)
        key = self._encoder_key(encoder)
        of_words = sa.select(words.c.memory_seq).where(words.c.tenant == tenant, words.c.encoder_seq == key)
        is_default = (
            chosen is None
            and space is Space.SEMANTIC
            and self._connection.execute(of_words.limit(1)).first() is not None
        )
        if is_default or (chosen is not None and chosen.id == encoder):
            raise Conflict(f"{space} is compared by {encoder}", "Let another encoder be active before")
        if space is Space.ENTITY:
            entity = schema.entity
            its = (entity.c.tenant == tenant, entity.c.encoder_seq == key)
            emptied = sa.update(entity).where(*its).values(vector=None, encoder_seq=None)
            return int(self._connection.execute(emptied).rowcount)
        table = schema.embedding_semantic if space is Space.SEMANTIC else schema.embedding_part
        wanted = [table.c.tenant == tenant, table.c.encoder_seq == key]
        if table is schema.embedding_part:
            wanted.append(table.c.space == str(space))
        gone = int(self._connection.execute(sa.delete(table).where(*wanted)).rowcount)
        self._note_placed(space, key)
        return gone

    def _mentioned_by(self, seqs: Sequence[int]) -> dict[int, str]:
        """Key and name of every entity that these positions mention."""
        mention, entity = schema.mention, schema.entity
        found: dict[int, str] = {}
        for portion in portions(seqs):
            statement = (
                sa.select(entity.c.seq, entity.c.name)
                .join(mention, together(mention.c.entity_seq, entity.c.seq))
                .where(
                    entity.c.tenant == self._scope.tenant,
                    mention.c.tenant == self._scope.tenant,
                    mention.c.memory_seq.in_(portion),
                )
                .distinct()
            )
            found.update((int(seq), name) for seq, name in self._connection.execute(statement))
        return found

    def _drop_unmentioned(self, keys: Iterable[int]) -> None:
        """An entity's name goes with its last mention."""
        entity, mention = schema.entity, schema.mention
        still = sa.exists().where(together(mention.c.entity_seq, entity.c.seq))
        for portion in portions(sorted(keys)):
            wanted = (entity.c.tenant == self._scope.tenant, entity.c.seq.in_(portion), ~still)
            self._connection.execute(sa.delete(entity).where(*wanted))

    def _there(self, positions: NDArray[np.int64]) -> set[int]:
        """Which of these positions are memories in scope."""
        memory = schema.memory
        found: set[int] = set()
        for portion in portions([int(position) for position in positions]):
            statement = sa.select(memory.c.seq).where(memory.c.seq.in_(portion), admitted(self._scope))
            found.update(self._connection.execute(statement).scalars())
        return found

    def _clear(self, table: sa.Table, seqs: Sequence[int], same: sa.ColumnElement[bool]) -> None:
        """Take out the rows of a table beside these positions that are to be replaced."""
        for portion in portions(seqs):
            wanted = (table.c.tenant == self._scope.tenant, table.c.memory_seq.in_(portion), same)
            self._connection.execute(sa.delete(table).where(*wanted))


def _changed(space: Space, encoder: str) -> EncoderChanged:
    return EncoderChanged(
        f"The store does not compare {space} by {encoder or 'no encoder'}", "Embed again and repeat it"
    )
