"""Reading links: those of some memories, those that lead on from there, and all of them as a graph.

Only links between memories in scope are given; for the graph, between current ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.encoder_spec import MemoryGraph
from engramforge.model.limits import WALKED_LINKS
from engramforge.model.link import Link, WalkedLink
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.store.given import PLANNED_ONCE
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    both_ends,
    in_time,
    kept,
    portions,
    raw_ids,
    visible,
)
from engramforge.store.rows import blob, link_of, text_id
from engramforge.store.schema import link, memory
from engramforge.store.straight import mappings_of, rows_of

_TO_OTHERS: Final = (link.c.source_id != link.c.target_id,)
"""What leads from a memory to itself, as a revision does, leads nowhere."""
_CONTRADICTING: Final = (link.c.relation == sa.literal_column("'CONTRADICTS'"), link.c.expired_at.is_(None))
_TENSIONS: Final = 1_000
"""The strongest contradictions that a question knows of."""
_WALKED_AT_ONCE: Final = 16
"""From how many memories one statement walks on."""


def links(
    connection: Connection,
    scope: Scope,
    logical_ids: Sequence[str],
    selection: Selection | None = None,
    *,
    relation: str | None = None,
    to_others: bool = False,
    most: int | None = None,
) -> list[Link]:
    """Links that begin or end at these memories, oldest first; both ends in scope. See the door."""
    # What holds at a moment is asked for once.
    build = _build if selection is not None else _linked
    statement = build(scope, selection, relation, to_others)
    found: dict[str, Link] = {}
    for portion in portions(raw_ids(logical_ids)):
        values = {"ids": portion}
        if most is not None:
            rows: Iterable[Any] = connection.execute(statement.limit(most - len(found)), values).mappings()
        elif build is _linked:
            rows = mappings_of(connection, statement, values)
        else:
            rows = connection.execute(statement, values).mappings()
        for row in rows:
            read = link_of(row)
            found[read.id] = read
    return list(found.values())


def _build(
    scope: Scope, selection: Selection | None, relation: str | None, to_others: bool
) -> sa.Select[Any]:
    wanted = [*_wanted(scope, selection, relation), *(_TO_OTHERS if to_others else ())]
    ids: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)
    of_these = sa.or_(link.c.source_id.in_(ids), link.c.target_id.in_(ids))
    return sa.select(link).where(of_these, *wanted).order_by(link.c.seq)


_linked = kept(_build)


def neighbours(
    connection: Connection,
    scope: Scope,
    logical_ids: Sequence[str],
    depth: int,
    fan_out: int,
    selection: Selection | None = None,
    relation: str | None = None,
) -> list[WalkedLink]:
    """The links within some steps of these memories, by depth, then strength. See the door."""
    wanted = [*_wanted(scope, selection, relation), *_TO_OTHERS]
    here = list(dict.fromkeys(text_id(raw) for raw in raw_ids(logical_ids)))
    seen = set(here)
    walked: dict[str, WalkedLink] = {}
    behind: Counter[str] = Counter()
    for step in range(1, depth + 1):
        met: dict[str, Link] = {}
        for begin in range(0, len(here), _WALKED_AT_ONCE):
            # Links that led here are no way on, so as many more are read.
            most = {node: fan_out + behind[node] for node in here[begin : begin + _WALKED_AT_ONCE]}
            found = _strongest(connection, wanted, most)
            for node in most:
                onward = [each for each in found if node in _ends(each) and each.id not in walked]
                met.update((each.id, each) for each in onward[:fan_out])
        room = WALKED_LINKS - len(walked)
        kept = sorted(met.values(), key=_strength, reverse=True)[:room]
        for each in kept:
            said = {field.name: getattr(each, field.name) for field in fields(each)}
            walked[each.id] = WalkedLink(**said, depth=step)
        behind.update(end for each in kept for end in _ends(each))
        here = list(dict.fromkeys(end for each in kept for end in _ends(each) if end not in seen))
        seen.update(here)
        if len(met) >= room:
            break
    return list(walked.values())


def _strongest(
    connection: Connection, wanted: list[sa.ColumnElement[bool]], most: Mapping[str, int]
) -> list[Link]:
    """The strongest links of each memory in each direction, up to so many; an index on either end has them in order, so
    the others are not read."""
    parts = [
        sa.select(
            sa.select(link)
            .where(end == blob(node), *wanted)
            .order_by(link.c.energy.desc(), link.c.id.desc())
            .limit(limit)
            .subquery()
        )
        for node, limit in most.items()
        for end in (link.c.source_id, link.c.target_id)
    ]
    rows = connection.execute(sa.union_all(*parts)).mappings()
    found = {each.id: each for each in map(link_of, rows)}
    return sorted(found.values(), key=_strength, reverse=True)


def _wanted(scope: Scope, selection: Selection | None, relation: str | None) -> list[sa.ColumnElement[bool]]:
    """A selection's times, a relation and the scope as predicates on the link table."""
    times = [link.c.expired_at.is_(None)] if selection is None else in_time(link, selection)
    of_kind = [] if relation is None else [link.c.relation == str(relation)]
    return [*times, *of_kind, *both_ends(scope)]


def _strength(met: Link) -> tuple[float, str]:
    return met.energy, met.id


def _ends(met: Link) -> tuple[str, str]:
    return met.source_id, met.target_id


def contradictions(connection: Connection, scope: Scope, limit: int) -> list[Link]:
    """The strongest links that contradict and are on record, those first that came last of equal ones; see the door."""
    wanted = (*_CONTRADICTING, *both_ends(scope))
    order = link.c.energy.desc(), link.c.id.desc()
    statement = sa.select(link).where(*wanted).order_by(*order).limit(limit)
    return [link_of(row) for row in connection.execute(statement).mappings()]


def tensions(connection: Connection, scope: Scope) -> dict[int, float]:
    """How strongly current memories are contradicted; see the door."""
    found: dict[int, float] = {}
    for first, second, energy in rows_of(connection, _strongest_tensions(replace(scope, projects=None))):
        for position in (first, second):
            found[position] = max(found.get(position, 0.0), energy)
    return found


@lru_cache(maxsize=64)
def _strongest_tensions(scope: Scope) -> sa.Select[Any]:
    """Kept, since every recall asks it and building it takes longer than its answer."""
    standing = (*_CONTRADICTING, *both_ends(scope), link.c.invalid_at.is_(None))
    order = link.c.energy.desc(), link.c.id.desc()
    columns = (link.c.source_id, link.c.target_id, link.c.energy)
    strongest = sa.select(*columns).where(*standing).order_by(*order).limit(_TENSIONS).cte("strongest")
    one, other = memory.alias("one"), memory.alias("other")
    ends = [
        (mine.c.tenant == scope.tenant, mine.c.logical_id == end, mine.c.expired_at.is_(None))
        for mine, end in ((one, strongest.c.source_id), (other, strongest.c.target_id))
    ]
    statement = sa.select(one.c.seq, other.c.seq, strongest.c.energy).select_from(
        strongest.join(one, sa.and_(*ends[0])).join(other, sa.and_(*ends[1]))
    )
    statement = statement.where(one.c.invalid_at.is_(None), other.c.invalid_at.is_(None))
    return statement.execution_options(**PLANNED_ONCE)


def graph(connection: Connection, scope: Scope) -> MemoryGraph:
    """The links on record between the current memories in scope; see the door."""
    standing = (link.c.tenant == scope.tenant, link.c.expired_at.is_(None))
    ends = sa.union(*(sa.select(end).where(*standing) for end in (link.c.source_id, link.c.target_id)))
    linked = memory.c.logical_id.in_(ends)
    nodes = (
        sa.select(memory.c.logical_id, memory.c.seq)
        .select_from(IN_PROJECT)
        .where(visible(scope), *CURRENT, linked)
        .order_by(memory.c.seq)
    )
    current = {bytes(raw): int(seq) for raw, seq in connection.execute(nodes)}
    columns = (link.c.source_id, link.c.target_id, link.c.relation, link.c.energy)
    edges = sa.select(*columns).where(*standing).order_by(link.c.seq)
    kept = [
        (bytes(source), bytes(target), relation, energy)
        for source, target, relation, energy in connection.execute(edges)
        if bytes(source) in current and bytes(target) in current
    ]
    held = {raw for source, target, *_ in kept for raw in (source, target)}
    order = sorted(held, key=current.__getitem__)
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
