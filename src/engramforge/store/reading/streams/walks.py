"""Reading what a walk needs: the strongest links of some memories, and which memories hold; nothing of their texts.

A hub costs no more than any other memory: an index on either end has its links in order of their energy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.link import Link, Step
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.store.given import PLANNED_ONCE, one_of
from engramforge.store.reading.predicates import (
    IN_SESSION,
    both_ends,
    by_name,
    in_time,
    kept,
    portions,
    raw_ids,
    selected,
    shape_of,
    together,
    visible_by_key,
)
from engramforge.store.rows import blob, link_of, text_id
from engramforge.store.schema import entity, link, memory, mention

_AT_ONCE: Final = 16
"""From how many memories one statement walks on where it has a part for each."""
_PAIRS: Final = 50
"""How many pairs of memories one statement asks for."""
_NEWEST: Final = 200
"""How many of a name's mentions that a selection takes are looked at."""
_LOOKED_AT: Final = 2_000
"""How many links of some memories are looked at for their relations, the strongest of each."""
_NOBODY: Final = b"\x00" * 16
"""What fills up a statement: it is no memory's id."""
_TOLD: Final = (
    link.c.id,
    link.c.source_id,
    link.c.target_id,
    link.c.relation,
    link.c.energy,
    link.c.confidence,
)
_Statement = sa.CompoundSelect[Any] | sa.Select[Any]
_STRONGEST: Final = (link.c.energy.desc(), link.c.id.desc())


def steps(
    connection: Connection, scope: Scope, selection: Selection, logical_ids: Sequence[str], most: int
) -> list[Step]:
    """The strongest links at each of some memories; see the door."""
    asked = raw_ids(logical_ids)
    rows = _rows(connection, scope, selection, list(asked), most)
    found = {bytes(row[0]): _step(*row) for row in rows}
    beside = _beside(connection, scope, selection, list(found.values()), set(asked.values()), most)
    found.update((blob(step.id), step) for step in beside)
    return sorted(found.values(), key=lambda each: (each.energy, each.id), reverse=True)


def relations_at(
    connection: Connection, scope: Scope, selection: Selection, logical_ids: Sequence[str]
) -> list[str]:
    """The relations of the links at some memories; see the door."""
    asked = list(raw_ids(logical_ids))
    return sorted({relation for (relation,) in _rows(connection, scope, selection, asked, None, "relations")})


def steps_by(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    logical_ids: Sequence[str],
    relations: Sequence[str],
    most: int,
) -> list[Step]:
    """The links of some relations at some memories; see the door."""
    asked = list(raw_ids(logical_ids))
    wanted = {"relations": list(map(str, relations)), "room": most}
    rows = _rows(connection, scope, selection, asked, None, "links", **wanted)
    found = {each.id: each for each in (_step(*row) for row in rows)}
    return sorted(found.values(), key=lambda each: (each.energy, each.id), reverse=True)[:most]


def _rows(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    nodes: list[bytes],
    most: int | None,
    told: str = "",
    **values: Any,
) -> Iterator[Sequence[Any]]:
    """What is read of the strongest links at some memories, as many at each end of each as `most` says, or as few as
    are looked at in all. `told`: as of `_stepped`."""
    shape = shape_of(selection)
    is_portioned = connection.dialect.name == "sqlite"
    statement = (_stepped if is_portioned else _stepped_at_once)(scope, shape.selection, told)
    if most is None:
        most = _LOOKED_AT // (2 * max(1, len(nodes)))
    for some in _nodes(nodes) if is_portioned else [{"nodes": nodes}]:
        yield from connection.execute(statement, {**shape.values, **values, **some, "most": most})


def _nodes(raw: Sequence[bytes]) -> Iterator[dict[str, bytes]]:
    """Memories as the values of statements, sixteen at a time."""
    for begin in range(0, len(raw), _AT_ONCE):
        some = list(raw[begin : begin + _AT_ONCE])
        some += [_NOBODY] * (_AT_ONCE - len(some))
        yield {f"node{at}": node for at, node in enumerate(some)}


def _beside(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    found: Sequence[Step],
    asked: set[str],
    most: int,
) -> Iterator[Step]:
    """Further links of memories that have more than were read. Where some of those lead to what the selection does not
    take, the strongest to what it does; where many are parallel, the strongest to others, until half as many are met as
    links are asked for."""
    ends = (("source_id", "target_id"), ("target_id", "source_id"))
    met: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for end, other in ends:
        for step in found:
            if (here := getattr(step, end)) in asked:
                met[here, end, other].append(getattr(step, other))
    crowded = {at: others for at, others in met.items() if len(others) >= most}
    far = set().union(*crowded.values()) - asked
    taken = asked.union(held(connection, scope, selection, sorted(far)) if far else ())
    for (here, end, other), others in crowded.items():
        further = partial(_further, connection, scope, selection, (here, end, other), most)
        if not taken.issuperset(others):
            more = further({here})
            yield from more
            others = [getattr(step, other) for step in more]
        read, known = len(others), set(others)
        while read >= most and len(known) < most // 2:
            more = further(known)
            yield from more
            read = len(more)
            known |= {getattr(step, other) for step in more}


def _further(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    at: tuple[str, str, str],
    most: int,
    known: Iterable[str],
) -> list[Step]:
    """The strongest links at an end of a memory to what a selection takes beside what is known. `at`: the memory, that
    end, the other."""
    here, end, other = at
    shape = shape_of(selection)
    values = {**shape.values, "node": blob(here), "known": list(map(blob, known)), "most": most}
    rows = connection.execute(_others(scope, shape.selection, end, other), values)
    return [_step(*row) for row in rows]


def _step(key: bytes, source: bytes, target: bytes, *said: Any) -> Step:
    return Step(text_id(key), text_id(source), text_id(target), *said)


def _leading(scope: Scope, shape: Selection) -> tuple[sa.ColumnElement[bool], ...]:
    """Links in a selection's times that lead from one memory to another."""
    return link.c.tenant == scope.tenant, link.c.source_id != link.c.target_id, *in_time(link, shape, by_name)


@kept
def _others(scope: Scope, shape: Selection, end: str, other: str) -> sa.Select[Any]:
    """The strongest links at a memory that lead to what a selection takes, but not to some others."""
    known: sa.BindParameter[Any] = sa.bindparam("known", expanding=True)
    here = link.c[end] == sa.bindparam("node", type_=sa.LargeBinary)
    ends = sa.select(memory.c.seq).select_from(IN_SESSION).where(together(memory.c.logical_id, link.c[other]))
    taken = ends.where(visible_by_key(scope), *selected(shape, by_name)).correlate(link).exists()
    found = sa.select(*_TOLD).where(here, link.c[other].not_in(known), *_leading(scope, shape), taken)
    return found.order_by(*_STRONGEST).limit(sa.bindparam("most", type_=sa.Integer))


@kept
def _stepped(scope: Scope, shape: Selection, told: str) -> _Statement:
    """The links at sixteen memories; kept, for making it takes longer than running it. `told`: what of them, where not
    all: their relations, or those links that are of some relations."""
    wanted = _leading(scope, shape)
    most = sa.bindparam("most", type_=sa.Integer)
    parts = [
        sa.select(
            sa.select(*_TOLD)
            .where(end == sa.bindparam(f"node{at}", type_=sa.LargeBinary), *wanted)
            .order_by(*_STRONGEST)
            .limit(most)
            .subquery()
        )
        for at in range(_AT_ONCE)
        for end in (link.c.source_id, link.c.target_id)
    ]
    return _told_of(sa.union_all(*parts), told)


def _told_of(links: sa.CompoundSelect[Any], told: str) -> _Statement:
    if not told:
        return links
    each = links.subquery()
    if told == "relations":
        return sa.select(each.c.relation).distinct()
    found = sa.select(each).where(one_of(each.c.relation, "relations"))
    found = found.order_by(each.c.energy.desc(), each.c.id.desc())
    return found.limit(sa.bindparam("room", type_=sa.Integer))


@kept
def _stepped_at_once(scope: Scope, shape: Selection, told: str) -> _Statement:
    """The links at any number of memories, which PostgreSQL takes as one parameter."""
    wanted = _leading(scope, shape)
    given = sa.func.unnest(sa.bindparam("nodes", type_=sa.ARRAY(sa.LargeBinary)))
    node = given.table_valued(sa.column("id", sa.LargeBinary), name="node").render_derived()
    most = sa.bindparam("most", type_=sa.Integer)
    parts = []
    for end in (link.c.source_id, link.c.target_id):
        its = sa.select(*_TOLD).where(end == node.c.id, *wanted).order_by(*_STRONGEST).limit(most).lateral()
        parts.append(sa.select(its).select_from(node.join(its, sa.true())))
    return _told_of(sa.union_all(*parts), told).execution_options(**PLANNED_ONCE)


def mentioning(
    connection: Connection, scope: Scope, selection: Selection, names: Sequence[str], most: int
) -> list[tuple[str, str, int, float]]:
    """Memories that mention a name; see the door."""
    shape = shape_of(selection)
    statement = _mentioning(scope, shape.selection)
    found = []
    for name in names:
        rows = connection.execute(statement, {**shape.values, "name": name, "most": most})
        found += [(name, text_id(raw), int(place), float(energy)) for raw, place, energy in rows]
    return found


@kept
def _mentioning(scope: Scope, shape: Selection) -> sa.Select[Any]:
    named = (
        sa.select(entity.c.seq)
        .where(entity.c.tenant == scope.tenant, entity.c.name == sa.bindparam("name"))
        .scalar_subquery()
    )
    taken = sa.select(memory.c.logical_id, mention.c.memory_seq, memory.c.energy)
    taken = taken.select_from(IN_SESSION.join(mention, together(mention.c.memory_seq, memory.c.seq)))
    wanted = (mention.c.entity_seq == named, visible_by_key(scope), *selected(shape, by_name))
    # The newest alone are looked at: what everybody mentions says little of anything.
    newest = taken.where(*wanted).order_by(mention.c.memory_seq.desc()).limit(_NEWEST).subquery()
    told = sa.select(newest).order_by(newest.c.energy.desc(), newest.c.memory_seq.desc())
    return told.limit(sa.bindparam("most", type_=sa.Integer)).execution_options(**PLANNED_ONCE)


def held(
    connection: Connection, scope: Scope, selection: Selection, logical_ids: Sequence[str]
) -> dict[str, int]:
    """Which of some memories a selection takes; see the door."""
    shape = shape_of(selection)
    statement = _held(scope, shape.selection)
    found: dict[str, int] = {}
    for portion in portions(raw_ids(logical_ids)):
        for raw, place in connection.execute(statement, {**shape.values, "ids": portion}).all():
            found[text_id(raw)] = int(place)
    return found


@kept
def _held(scope: Scope, shape: Selection) -> sa.Select[Any]:
    taken = sa.select(memory.c.logical_id, memory.c.seq).select_from(IN_SESSION)
    its = one_of(memory.c.logical_id, "ids")
    taken = taken.where(its, visible_by_key(scope), *selected(shape, by_name))
    # The last row of each wins.
    return taken.order_by(memory.c.created_at, memory.c.seq).execution_options(**PLANNED_ONCE)


def links_between(connection: Connection, scope: Scope, pairs: Sequence[tuple[str, str]]) -> list[Link]:
    """The links on record between pairs of memories; see the door."""
    asked = [(blob(source), blob(target)) for source, target in dict.fromkeys(pairs)]
    found: list[Link] = []
    for begin in range(0, len(asked), _PAIRS):
        some = asked[begin : begin + _PAIRS]
        some += [(_NOBODY, _NOBODY)] * (_PAIRS - len(some))
        values = {
            f"{end}{at}": node for at, pair in enumerate(some) for end, node in zip("st", pair, strict=True)
        }
        rows = connection.execute(_between(scope.tenant), values).mappings()
        found += map(link_of, rows)
    return sorted(found, key=lambda each: each.id)


@lru_cache(maxsize=16)
def _between(tenant: str) -> sa.CompoundSelect[Any]:
    """The links of some pairs, by an index of both ends; kept, as above."""
    standing = (link.c.tenant == tenant, link.c.expired_at.is_(None))
    return sa.union_all(
        *(
            sa.select(link).where(
                link.c.source_id == sa.bindparam(f"s{at}", type_=sa.LargeBinary),
                link.c.target_id == sa.bindparam(f"t{at}", type_=sa.LargeBinary),
                *standing,
            )
            for at in range(_PAIRS)
        )
    )


def links_named(connection: Connection, scope: Scope, ids: Sequence[str]) -> dict[str, Link]:
    """Links by their ids; see the door."""
    found: dict[str, Link] = {}
    for portion in portions(raw_ids(ids)):
        rows = connection.execute(_links_named(scope), {"ids": portion}).mappings()
        found |= {each.id: each for each in map(link_of, rows)}
    return found


@kept
def _links_named(scope: Scope) -> sa.Select[Any]:
    its = one_of(link.c.id, "ids")
    return sa.select(link).where(its, *both_ends(scope)).execution_options(**PLANNED_ONCE)
