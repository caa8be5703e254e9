"""The entities that current memories in scope mention; names only in others' memories are not revealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, Entities, Mentions
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.store.reading.encoders import ENCODERS_MARK, active_encoders, encoders_of
from engramforge.store.reading.predicates import (
    CURRENT,
    in_project,
    kept,
    portions,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.schema import encoder, entity, mark, memory, mention

_ROWS: Final = 10_000
_ENTITY: Final = sa.select(
    *(entity.c.seq, entity.c.name, entity.c.vector, entity.c.encoder_seq, encoder.c.id.label("encoder"))
).select_from(entity.outerjoin(encoder, together(encoder.c.seq, entity.c.encoder_seq)))
_GIVEN: Final = entity.c.name.in_(sa.bindparam("names", expanding=True))
_MENTION: Final = in_project(mention.join(memory, together(memory.c.seq, mention.c.memory_seq)))


def names_count(connection: Connection, scope: Scope, until: int) -> int:
    """How many names the tenant has up to a key; see the door."""
    wanted = (entity.c.tenant == scope.tenant, entity.c.seq <= until)
    counted = sa.select(sa.func.count()).select_from(entity).where(*wanted)
    return int(connection.execute(counted).scalar_one())


def names_after(connection: Connection, scope: Scope, after: int, limit: int) -> list[tuple[int, str]]:
    """The tenant's names in the order in which they came; see the door."""
    wanted = (entity.c.tenant == scope.tenant, entity.c.seq > after)
    asked = sa.select(entity.c.seq, entity.c.name).where(*wanted).order_by(entity.c.seq).limit(limit)
    return [(int(seq), name) for seq, name in connection.execute(asked)]


def names_seen(connection: Connection, scope: Scope, names: Collection[str]) -> set[str]:
    """Those of some names that a memory in scope mentions; see the door."""
    found: set[str] = set()
    for some in portions(names):
        found.update(connection.execute(_seen(scope), {"names": some}).scalars())
    return found


@kept
def _seen(scope: Scope) -> sa.Select[Any]:
    return sa.select(entity.c.name).where(entity.c.tenant == scope.tenant, _GIVEN, _mentioned(scope))


def _mentioned(scope: Scope, *also: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Whether an entity is mentioned in scope: a single mention is looked up."""
    its = sa.select(mention.c.memory_seq).select_from(_MENTION)
    its = its.where(together(mention.c.entity_seq, entity.c.seq), visible_by_key(scope), *also)
    return its.correlate(entity).exists()


def named_at(connection: Connection, scope: Scope, positions: Sequence[int]) -> list[tuple[int, str]]:
    """Which names memories mention; see the door."""
    named = _MENTION.join(entity, together(entity.c.seq, mention.c.entity_seq))
    found: list[tuple[int, str]] = []
    for some in portions(positions):
        wanted = (mention.c.tenant == scope.tenant, mention.c.memory_seq.in_(some), visible_by_key(scope))
        asked = sa.select(mention.c.memory_seq, entity.c.name).select_from(named).where(*wanted)
        found += [(int(place), name) for place, name in connection.execute(asked)]
    return sorted(found)


def mentions(connection: Connection, scope: Scope) -> Mentions:
    """The entities that current memories in scope mention, and which do."""
    mentioned = (
        sa.select(mention.c.memory_seq, mention.c.entity_seq)
        .select_from(_MENTION)
        .where(mention.c.tenant == scope.tenant, visible(scope), *CURRENT)
    )
    rows = connection.execute(mentioned)
    # As arrays from the first row on: there are several for each memory of a large store.
    pairs = [np.empty((0, 2), np.int64)]
    while portion := rows.fetchmany(_ROWS):
        pairs.append(np.array([tuple(row) for row in portion], np.int64))
    places, keys = np.concatenate(pairs).T
    order = np.lexsort((keys, places))
    numbered = distinct(keys[order])
    found: dict[int, Any] = {}
    for some in portions(numbered.values.tolist()):
        statement = _ENTITY.where(entity.c.tenant == scope.tenant, entity.c.seq.in_(some))
        found.update({int(row["seq"]): row for row in connection.execute(statement).mappings()})
    known = _known(list(found.values()), active_encoders(connection, scope.tenant))
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
    """Those entities with these names that a current memory in scope mentions.

    A single mention of each name is looked up, not all: in a large store some names are everywhere.
    """
    found: list[Any] = []
    for some in portions(dict.fromkeys(names)):
        found += connection.execute(_named(scope), {"names": some}).mappings()
    return _known(found, encoders_of(found[0]["active"]) if found else {})


@kept
def _named(scope: Scope) -> sa.Select[Any]:
    """The mentioned entities of given names, with the mark of the active encoders."""
    chosen = sa.select(mark.c.value).where(mark.c.tenant == scope.tenant, mark.c.key == ENCODERS_MARK)
    found = _ENTITY.add_columns(chosen.scalar_subquery().label("active"))
    return found.where(entity.c.tenant == scope.tenant, _GIVEN, _mentioned(scope, *CURRENT))


def _known(rows: Sequence[Any], active: Mapping[Space, ActiveEncoder]) -> Entities:
    """Rows of entities by name, with the vectors of one encoder: the active one, else the one with the lowest key."""
    rows = sorted(rows, key=lambda row: str(row["name"]))
    chosen = active.get(Space.ENTITY)
    by = {row["encoder_seq"]: row["encoder"] for row in rows if row["vector"] is not None}
    fitting = [key for key in sorted(by) if chosen is None or by[key] == chosen.id]
    raws = [
        bytes(row["vector"]) if row["vector"] is not None and row["encoder_seq"] in fitting[:1] else b""
        for row in rows
    ]
    size = max(map(len, raws), default=0)
    vectors = np.frombuffer(b"".join(raw or bytes(size) for raw in raws), np.int8).reshape(len(rows), size)
    return Entities(tuple(str(row["name"]) for row in rows), vectors, by[fitting[0]] if size else None)
