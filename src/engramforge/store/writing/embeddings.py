"""Writes of embeddings beside memories: words, E1, parts, entities, and which encoder is active.

Nothing of a memory itself changes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sqlalchemy as sa

from engramforge.errors import Conflict, EncoderChanged, InvalidValue
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import Part
from engramforge.model.scope import Scope
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema
from engramforge.store.reading.embeddings import dtype_of
from engramforge.store.reading.encoders import ENCODERS_MARK, active_encoders, lacking, mark_of
from engramforge.store.reading.predicates import admitted, portions, together
from engramforge.store.rows import words_row
from engramforge.store.writing.ledger import Placed, Row, Write

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_encoders(write: Write, entries: Iterable[Entry]) -> None:
    """Refuse embeddings by others than the active encoders."""
    active = write.active
    meaning = active.get(Space.SEMANTIC)
    for entry in entries:
        signals = entry.embedding
        if signals.meaning_encoder != (signals.encoder if meaning is None else meaning.id):
            raise _changed(Space.SEMANTIC, signals.meaning_encoder)
        for space, part in signals.parts.items():
            chosen = active.get(space)
            if chosen is not None and part.encoder != chosen.id:
                raise _changed(space, part.encoder)


def add_embeddings(write: Write, entries: Sequence[Placed]) -> None:
    """Write everything that encoders made of new memories."""
    words: list[Row] = []
    vectors: dict[int, list[tuple[int, NDArray[np.int8] | None]]] = {}
    parts: list[Row] = []
    for seq, _, _, entry in entries:
        signals = entry.embedding
        if len(signals.terms) or signals.cues:
            whole = {
                "tenant": write.tenant,
                "memory_seq": seq,
                "encoder_seq": write.encoder_key(signals.encoder),
            }
            words.append({**whole, **words_row(signals)})
        if signals.vector is not None:
            key = write.encoder_key(signals.meaning_encoder)
            vectors.setdefault(key, []).append((seq, signals.vector))
        for space, part in signals.parts.items():
            parts.append(_part_row(write, seq, space, write.encoder_key(part.encoder), part))
    if words:
        write.ledger.add(schema.embedding_words, words)
    for key, rows in vectors.items():
        write.ledger.add_vectors(key, write.encoders[key], rows)
    write.ledger.add_postings([each for each in entries if len(each[3].embedding.terms)])
    if parts:
        write.ledger.add_parts(parts, write.encoders)
    _add_mentions(write, [(seq, entry.embedding.entities) for seq, _, _, entry in entries])


def _part_row(write: Write, seq: int, space: Space, encoder_key: int, part: Part | None) -> Row:
    row = {"tenant": write.tenant, "memory_seq": seq, "space": str(space)}
    if part is None or not part.values.size:
        return {**row, "encoder_seq": encoder_key, "rows": 0, "vector": None}
    if part.values.dtype != dtype_of(space) or part.values.ndim != 2:
        raise InvalidValue(
            f"A part of {space} is {part.values.dtype} of shape {part.values.shape}",
            f"Give {np.dtype(dtype_of(space))} of shape (rows, size)",
        )
    return {**row, "encoder_seq": encoder_key, "rows": len(part.values), "vector": part.values.tobytes()}


def _add_mentions(write: Write, mentioned: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Write which position mentions which names, in order."""
    keys = _entity_keys(write, {name for _, names in mentioned for name in names})
    whole = {"tenant": write.tenant}
    rows = [
        {**whole, "memory_seq": seq, "entity_seq": keys[name], "place": place}
        for seq, names in mentioned
        for place, name in enumerate(dict.fromkeys(names))
    ]
    if rows:
        write.ledger.add(schema.mention, rows)


def _entity_keys(write: Write, names: Iterable[str]) -> dict[str, int]:
    """The key of each name, held; names without a row get one."""
    ordered = sorted(names)
    keys = _known_entities(write, ordered)
    # A forget elsewhere may take a name away between its making and its holding.
    while missing := [name for name in ordered if name not in keys]:
        write.ledger.add_names(missing)
        keys |= _known_entities(write, missing)
    return keys


def _known_entities(write: Write, names: Sequence[str]) -> dict[str, int]:
    """Keys of those names that have one; a forget elsewhere waits with taking them away."""
    entity = schema.entity
    found: dict[str, int] = {}
    for portion in portions(names):
        wanted = (entity.c.tenant == write.tenant, entity.c.name.in_(portion))
        asked = sa.select(entity.c.name, entity.c.seq).where(*wanted).order_by(entity.c.name)
        rows = write.connection.execute(write.ledger.holding(asked, entity, "mention"))
        found.update((name, int(seq)) for name, seq in rows)
    return found


def place_vectors(
    write: Write, positions: NDArray[np.int64], encoder: str, vectors: Sequence[NDArray[np.int8] | None]
) -> None:
    """Add E1 vectors of an encoder to memories; see the door."""
    key = write.encoder_key(encoder)
    table = schema.embedding_semantic
    there = _there(write, positions)
    rows = [(int(seq), vector) for seq, vector in zip(positions, vectors, strict=True) if int(seq) in there]
    _clear(write, table, [seq for seq, _ in rows], table.c.encoder_seq == key)
    if rows:
        write.ledger.add_vectors(key, encoder, rows)
        write.ledger.note_placed(Space.SEMANTIC, key, len(rows))


def place_parts(
    write: Write, positions: NDArray[np.int64], space: Space, encoder: str, parts: Sequence[Part | None]
) -> None:
    """Add parts of a space and encoder to memories; see the door."""
    strangers = {part.encoder for part in parts if part is not None} - {encoder}
    if strangers:
        raise InvalidValue(f"Parts of {sorted(strangers)[0]} are placed as those of {encoder}")
    key = write.encoder_key(encoder)
    table = schema.embedding_part
    there = _there(write, positions)
    rows = [
        _part_row(write, int(seq), space, key, part)
        for seq, part in zip(positions, parts, strict=True)
        if int(seq) in there
    ]
    same = sa.and_(table.c.space == str(space), table.c.encoder_seq == key)
    _clear(write, table, [row["memory_seq"] for row in rows], same)
    if rows:
        write.ledger.add_parts(rows, write.encoders)
        write.ledger.note_placed(space, key, len(rows))


def place_mentions(write: Write, positions: NDArray[np.int64], names: Sequence[Sequence[str]]) -> None:
    """Set the names that memories mention; see the door."""
    there = _there(write, positions)
    mentioned = [(int(seq), each) for seq, each in zip(positions, names, strict=True) if int(seq) in there]
    seqs = [seq for seq, _ in mentioned]
    left = mentioned_by(write, seqs)
    _clear(write, schema.mention, seqs, sa.true())
    _add_mentions(write, mentioned)
    drop_unmentioned(write, left)
    if mentioned:
        write.ledger.note_placed(Space.ENTITY, 0, 0)


def place_entities(write: Write, encoder: str, names: Sequence[str], vectors: NDArray[np.int8]) -> None:
    """Set the vectors of mentioned entities; see the door."""
    if len(names) != len(vectors):
        raise InvalidValue(f"{len(names)} names have {len(vectors)} vectors", "Give one for each")
    entity, key = schema.entity, write.encoder_key(encoder)
    by_name = dict(zip(names, vectors, strict=True))
    rows = [
        {"its_key": seq, "its_vector": np.ascontiguousarray(by_name[name], np.int8).tobytes()}
        for name, seq in _known_entities(write, sorted(by_name)).items()
    ]
    if rows:
        its = (entity.c.tenant == write.tenant, entity.c.seq == sa.bindparam("its_key"))
        values = {"vector": sa.bindparam("its_vector"), "encoder_seq": key}
        write.connection.execute(sa.update(entity).where(*its).values(values), rows)


def activate(write: Write, space: Space, encoder: ActiveEncoder) -> None:
    """Let questions compare the space by this encoder from now on; see the door."""
    most = ROW_BY_SPACE[space].declared_size
    if not 0 < encoder.size <= most:
        raise InvalidValue(
            f"The encoder {encoder.id} has {encoder.size} dimensions", f"The space {space} takes 1 to {most}"
        )
    write.ledger.hold_encoders(alone=True)
    tenant = write.tenant
    chosen = active_encoders(write.connection, tenant)
    everything = Scope(tenant, every_agent=True)
    is_known = space in chosen and chosen[space].id == encoder.id
    if not is_known and lacking(write.connection, everything, space, encoder.id, 1):
        raise Conflict(f"Some memories have no embedding in {space} by {encoder.id} yet", "Embed those first")
    write.activated({**chosen, space: encoder})
    write.put_mark(ENCODERS_MARK, mark_of(write.active))


def drop_encoder(write: Write, space: Space, encoder: str) -> int:
    """Remove the embeddings of an encoder that is not active; see the door."""
    write.ledger.hold_encoders(alone=True)
    tenant, words = write.tenant, schema.embedding_words
    chosen = active_encoders(write.connection, tenant).get(space)
    key = write.encoder_key(encoder)
    of_words = sa.select(words.c.memory_seq).where(words.c.tenant == tenant, words.c.encoder_seq == key)
    is_default = (
        chosen is None
        and space is Space.SEMANTIC
        and write.connection.execute(of_words.limit(1)).first() is not None
    )
    if is_default or (chosen is not None and chosen.id == encoder):
        raise Conflict(f"{space} is compared by {encoder}", "Let another encoder be active before")
    if space is Space.ENTITY:
        entity = schema.entity
        its = (entity.c.tenant == tenant, entity.c.encoder_seq == key)
        emptied = sa.update(entity).where(*its).values(vector=None, encoder_seq=None)
        return int(write.connection.execute(emptied).rowcount)
    write.ledger.note_dropping(space, key)
    table = schema.embedding_semantic if space is Space.SEMANTIC else schema.embedding_part
    wanted = [table.c.tenant == tenant, table.c.encoder_seq == key]
    if table is schema.embedding_part:
        wanted.append(table.c.space == str(space))
    gone = int(write.connection.execute(sa.delete(table).where(*wanted)).rowcount)
    write.ledger.note_placed(space, key, 0)
    return gone


def mentioned_by(write: Write, seqs: Sequence[int]) -> dict[int, str]:
    """Key and name of every entity that these positions mention."""
    mention, entity = schema.mention, schema.entity
    found: dict[int, str] = {}
    for portion in portions(seqs):
        statement = (
            sa.select(entity.c.seq, entity.c.name)
            .join(mention, together(mention.c.entity_seq, entity.c.seq))
            .where(
                entity.c.tenant == write.tenant,
                mention.c.tenant == write.tenant,
                mention.c.memory_seq.in_(portion),
            )
            .distinct()
        )
        found.update((int(seq), name) for seq, name in write.connection.execute(statement))
    return found


def drop_unmentioned(write: Write, keys: Iterable[int]) -> None:
    """Remove the names of entities without mentions.

    Whoever is about to mention one of them is waited for, and then seen by the statement that follows.
    """
    entity, mention = schema.entity, schema.mention
    still = sa.exists().where(together(mention.c.entity_seq, entity.c.seq))
    for portion in portions(sorted(keys)):
        its = (entity.c.tenant == write.tenant, entity.c.seq.in_(portion))
        asked = sa.select(entity.c.seq).where(*its).order_by(entity.c.name)
        write.connection.execute(write.ledger.holding(asked, entity, "removal")).all()
        write.connection.execute(sa.delete(entity).where(*its, ~still))


def _there(write: Write, positions: NDArray[np.int64]) -> set[int]:
    """Which of these positions are memories in scope, held.

    Others place the same embeddings after this write, and a forget comes before or after it.
    """
    memory = schema.memory
    found: set[int] = set()
    for portion in portions(sorted(int(position) for position in positions)):
        wanted = (memory.c.seq.in_(portion), admitted(write.scope))
        asked = sa.select(memory.c.seq).where(*wanted).order_by(memory.c.seq)
        rows = write.connection.execute(write.ledger.holding(asked, memory, "change"))
        found.update(rows.scalars())
    return found


def _clear(write: Write, table: sa.Table, seqs: Sequence[int], same: sa.ColumnElement[bool]) -> None:
    """Delete the rows of a table for these positions that are to be replaced."""
    for portion in portions(seqs):
        wanted = (table.c.tenant == write.tenant, table.c.memory_seq.in_(portion), same)
        write.connection.execute(sa.delete(table).where(*wanted))


def _changed(space: Space, encoder: str) -> EncoderChanged:
    return EncoderChanged(
        f"The store does not compare {space} by {encoder or 'no encoder'}", "Embed again and repeat it"
    )
