"""Reading links: those of some memories, and all of them as a graph.

Only links between memories in scope are given; for the graph, between current ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.active_encoders import MemoryGraph
from engramforge.model.link import Link
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    both_ends,
    in_time,
    portions,
    raw_ids,
    visible,
)
from engramforge.store.rows import link_of, text_id
from engramforge.store.schema import link, memory


def links(
    connection: Connection,
    scope: Scope,
    logical_ids: Sequence[str],
    selection: Selection | None = None,
    *,
    relation: str | None = None,
) -> list[Link]:
    """Links that begin or end at these memories, oldest first; both ends in scope. See the door."""
    now: list[sa.ColumnElement[bool]] = [link.c.expired_at.is_(None)]
    times = now if selection is None else in_time(link, selection)
    if relation is not None:
        times.append(link.c.relation == str(relation))
    found: dict[str, Link] = {}
    for portion in portions(raw_ids(logical_ids)):
        of_these = sa.or_(link.c.source_id.in_(portion), link.c.target_id.in_(portion))
        statement = sa.select(link).where(of_these, *times, *both_ends(scope)).order_by(link.c.seq)
        for row in connection.execute(statement).mappings():
            read = link_of(row)
            found[read.id] = read
    return list(found.values())


def graph(connection: Connection, scope: Scope) -> MemoryGraph:
    """The links on record between the current memories in scope; see the door."""
    linked = sa.exists().where(
        link.c.tenant == memory.c.tenant,
        link.c.expired_at.is_(None),
        sa.or_(link.c.source_id == memory.c.logical_id, link.c.target_id == memory.c.logical_id),
    )
    nodes = (
        sa.select(memory.c.logical_id, memory.c.seq)
        .select_from(IN_PROJECT)
        .where(visible(scope), *CURRENT, linked)
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
