"""What memories are related by, read as a whole: the graph of links, and the entities that are mentioned.

Both are of the current memories in scope alone: a link or a name that only others' memories hold is not told. Shared by
the engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.active_encoders import Entities, MemoryGraph, Mentions
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.store.reading import memories as reading
from engramforge.store.reading.encoders import active_encoders
from engramforge.store.reading.memories import together, visible
from engramforge.store.rows import text_id
from engramforge.store.schema import encoder, entity, link, memory, mention, project, session

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LIST: Final = 500
_ROWS: Final = 10_000
_CURRENT: Final = (memory.c.expired_at.is_(None), memory.c.invalid_at.is_(None))


def graph(connection: Connection, scope: Scope) -> MemoryGraph:
    """The links on record between the current memories in scope; see the door."""
    linked = sa.exists().where(
        link.c.tenant == memory.c.tenant,
        link.c.expired_at.is_(None),
        sa.or_(link.c.source_id == memory.c.logical_id, link.c.target_id == memory.c.logical_id),
    )
    nodes = (
        sa.select(memory.c.logical_id, memory.c.seq)
        .join(project, together(project.c.seq, memory.c.project_seq))
        .where(visible(scope), *_CURRENT, linked)
        .order_by(memory.c.seq)
    )
    current = {bytes(raw): int(seq) for raw, seq in connection.execute(nodes)}
    columns = (link.c.source_id, link.c.target_id, link.c.relation, link.c.energy)
    edges = (
        sa.select(*columns)
        .where(link.c.tenant == scope.tenant, link.c.expired_at.is_(None))
        .order_by(link.c.seq)
    )
    kept = [
        (bytes(source), bytes(target), relation, energy)
        for source, target, relation, energy in connection.execute(edges)
        if bytes(source) in current and bytes(target) in current
    ]
    ends = {raw for source, target, *_ in kept for raw in (source, target)}
    order = sorted(ends, key=current.__getitem__)
    place = {raw: number for number, raw in enumerate(order)}
    names = sorted({relation for _, _, relation, _ in kept})
    number_of = {name: number for number, name in enumerate(names)}
    return MemoryGraph(
        logical_ids=tuple(text_id(raw) for raw in order),
        positions=np.array([current[raw] for raw in order], np.int64),
        sources=np.array([place[source] for source, *_ in kept], np.int64),
        targets=np.array([place[target] for _, target, *_ in kept], np.int64),
        relations=np.array([number_of[relation] for _, _, relation, _ in kept], np.int32),
        weights=np.array([energy for *_, energy in kept], np.float32),
        relation_names=tuple(names),
    )


def mentions(connection: Connection, scope: Scope) -> Mentions:
    """The entities that current memories in scope mention, and which do; see the door."""
    mentioned = (
        sa.select(mention.c.memory_seq, mention.c.entity_seq)
        .join(memory, together(memory.c.seq, mention.c.memory_seq))
        .join(project, together(project.c.seq, memory.c.project_seq))
        .where(mention.c.tenant == scope.tenant, visible(scope), *_CURRENT)
    )
    rows = connection.execute(mentioned)
    # As arrays from the first row on: there are several for each memory of a large store.
    pairs = [np.empty((0, 2), np.int64)]
    while portion := rows.fetchmany(_ROWS):
        pairs.append(np.array([tuple(row) for row in portion], np.int64))
    places, keys = np.concatenate(pairs).T
    order = np.lexsort((keys, places))
    numbered = distinct(keys[order])
    columns = (entity.c.seq, entity.c.name, entity.c.vector, entity.c.encoder_seq)
    found: dict[int, Any] = {}
    for some in _portions(numbered.values.tolist()):
        statement = sa.select(*columns).where(entity.c.tenant == scope.tenant, entity.c.seq.in_(some))
        found.update({int(row["seq"]): row for row in connection.execute(statement).mappings()})
    known = _known(connection, scope, list(found.values()))
    place = {name: number for number, name in enumerate(known.names)}
    numbers = np.array([place[found[key]["name"]] for key in numbered.values.tolist()], np.int64)
    return Mentions(
        names=known.names,
        vectors=known.vectors,
        encoder=known.encoder,
        positions=places[order],
        entities=numbers[numbered.places],
    )


def entities(connection: Connection, scope: Scope, names: Sequence[str]) -> Entities:
    """Those entities with these names that a current memory in scope mentions; see the door.

    Of each name one mention is looked for, not all: a large store has some names everywhere.
    """
    its = (
        sa.select(mention.c.memory_seq)
        .join(memory, together(memory.c.seq, mention.c.memory_seq))
        .join(project, together(project.c.seq, memory.c.project_seq))
        .where(together(mention.c.entity_seq, entity.c.seq), visible(scope), *_CURRENT)
        .correlate(entity)
    )
    columns = (entity.c.seq, entity.c.name, entity.c.vector, entity.c.encoder_seq)
    found: list[Any] = []
    for some in _portions(list(dict.fromkeys(names))):
        statement = sa.select(*columns).where(
            entity.c.tenant == scope.tenant, entity.c.name.in_(some), its.exists()
        )
        found += connection.execute(statement).mappings()
    return _known(connection, scope, found)


def _known(connection: Connection, scope: Scope, rows: Sequence[Any]) -> Entities:
    """Rows of entities by name, with the vectors of one encoder."""
    rows = sorted(rows, key=lambda row: str(row["name"]))
    encoder_key, encoder_id = _vector_encoder(connection, scope, rows)
    raws = [
        bytes(row["vector"]) if row["vector"] is not None and row["encoder_seq"] == encoder_key else b""
        for row in rows
    ]
    size = max(map(len, raws), default=0)
    vectors = np.frombuffer(b"".join(raw or bytes(size) for raw in raws), np.int8).reshape(len(rows), size)
    return Entities(tuple(str(row["name"]) for row in rows), vectors, encoder_id if size else None)


def _vector_encoder(
    connection: Connection, scope: Scope, found: Sequence[Any]
) -> tuple[int | None, str | None]:
    """Key and id of the encoder whose vectors are told: the active one, else that with the lowest key among them."""
    keys = {row["encoder_seq"] for row in found if row["vector"] is not None}
    names = dict(
        connection.execute(
            sa.select(encoder.c.seq, encoder.c.id).where(encoder.c.tenant == scope.tenant)
        ).all()
    )
    chosen = active_encoders(connection, scope.tenant).get(Space.ENTITY)
    fitting = sorted(key for key in keys if chosen is None or names[key] == chosen.id)
    return (fitting[0], names[fitting[0]]) if fitting else (None, None)


def positions(connection: Connection, scope: Scope, selection: Selection, limit: int) -> NDArray[np.int64]:
    """Positions of the newest written memories of a selection, newest first; see the door."""
    statement = (
        sa.select(memory.c.seq)
        .join(project, together(project.c.seq, memory.c.project_seq))
        .outerjoin(session, together(session.c.seq, memory.c.session_seq))
        .where(visible(scope), *reading.selected(selection))
    )
    rows = connection.execute(statement.order_by(memory.c.seq.desc()).limit(limit))
    return np.array(list(rows.scalars()), np.int64)


def _portions(values: list[Any]) -> Iterator[list[Any]]:
    for begin in range(0, len(values), _LIST):
        yield values[begin : begin + _LIST]
