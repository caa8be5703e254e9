"""Reading registry entries: by ids, statuses, conversations and staleness, and chains of lineage."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, Priority
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Scope
from engramforge.model.time import to_micros
from engramforge.store.reading.memories import WHOLE, whole
from engramforge.store.reading.predicates import (
    IN_PROJECT,
    in_project,
    is_among,
    kept,
    together,
    visible,
)
from engramforge.store.rows import edge_of, memory_of
from engramforge.store.schema import body, entry_conversation, memory, memory_tag, project, registry
from engramforge.store.straight import mappings_of

_ENTRY: Final = registry.join(memory, together(memory.c.seq, registry.c.memory_seq))
_OWN: Final = project.alias("own")
_EVERY: Final = registry.alias("every")


def _is_last() -> sa.ColumnElement[bool]:
    other = memory.alias("other")
    later = sa.or_(
        other.c.version > memory.c.version,
        sa.and_(
            other.c.version == memory.c.version,
            other.c.invalid_at.is_(None),
            memory.c.invalid_at.is_not(None),
        ),
    )
    return ~sa.exists().where(
        other.c.tenant == memory.c.tenant,
        other.c.logical_id == memory.c.logical_id,
        other.c.expired_at.is_(None),
        later,
    )


_IS_LAST: Final = _is_last()
"""Whether no later record of the same memory is on record: a closing record gives way to the next version."""


def _first_valid() -> sa.ColumnElement[int]:
    other = memory.alias("first")
    its = (other.c.tenant == memory.c.tenant, other.c.logical_id == memory.c.logical_id)
    first = sa.select(sa.func.min(other.c.valid_at)).where(*its, other.c.expired_at.is_(None))
    return sa.case((memory.c.version == 1, memory.c.valid_at), else_=first.scalar_subquery())


_FIRST_VALID: Final = _first_valid()
"""When the first version of an entry that is on record became true."""


def entries(connection: Connection, scope: Scope, query: EntryQuery) -> list[Memory]:
    """The entries that a query asks for; see the door."""
    # What names a time or entries comes once.
    is_plain = query.stale is None and not (query.entry_ids or query.conversations or query.continuations)
    if not is_plain or query.local_ids:
        return whole(connection, scope, _build(scope, query))
    return [memory_of(row, scope.tenant) for row in mappings_of(connection, _asked(scope, query))]


def _build(scope: Scope, query: EntryQuery) -> sa.Select[Any]:
    chosen = _chosen(scope, query).order_by(*_order(scope, query)).limit(query.limit).offset(query.offset)
    # The keys first, from narrow rows, then the full rows.
    keys = chosen.subquery("chosen")
    # Joined instead of listed, so that the planner knows how many there are and does not begin with the projects.
    statement = WHOLE.join(keys, keys.c.seq == memory.c.seq).where(memory.c.tenant == scope.tenant)
    return statement.order_by(*_order(scope, query))


_asked = kept(_build)


def lineage(
    connection: Connection, scope: Scope, conversation: str, backward: bool, limit: int
) -> list[StoredEdge]:
    """The edges that lead to a conversation (backward) or from it on, nearest first; one query for any length."""
    here, there = ("continuation", "conversation") if backward else ("conversation", "continuation")
    edge = (
        sa.select(registry.c.memory_seq, registry.c[there].label("next"))
        .select_from(in_project(_ENTRY))
        .where(
            registry.c.tenant == scope.tenant,
            # An expression, so that no index on it is used: it follows the edges by their ends instead of scanning all
            # at each step.
            registry.c.kind + "" == str(Kind.LINEAGE),
            registry.c.standing,
            visible(scope),
        )
    )
    first = edge.add_columns(sa.literal(1).label("depth")).where(registry.c[here] == conversation)
    walk = first.cte("walk", recursive=True)
    onward = edge.add_columns(walk.c.depth + 1).join(walk, registry.c[here] == walk.c.next)
    # A path has at most as many steps as there are edges, so a cycle ends.
    of_kind = (_EVERY.c.tenant == scope.tenant, _EVERY.c.kind == str(Kind.LINEAGE), _EVERY.c.standing)
    edges = sa.select(sa.func.count()).select_from(_EVERY).where(*of_kind).scalar_subquery()
    walk = walk.union(onward.where(walk.c.depth < limit, walk.c.depth < edges))
    found = (
        sa.select(walk.c.memory_seq, sa.func.min(walk.c.depth).label("depth"))
        .group_by(walk.c.memory_seq)
        .order_by(sa.func.min(walk.c.depth), walk.c.memory_seq)
        .limit(limit)
    ).subquery("found")
    read = (
        sa.select(memory.c.logical_id, memory.c.valid_at, project.c.name.label("project_name"))
        .add_columns(body.c.content, registry.c.entry_id, registry.c.conversation)
        .add_columns(registry.c.continuation, registry.c.details)
        .select_from(
            IN_PROJECT.join(body, together(body.c.memory_seq, memory.c.seq))
            .join(registry, together(registry.c.memory_seq, memory.c.seq))
            .join(found, found.c.memory_seq == memory.c.seq)
        )
        .where(memory.c.tenant == scope.tenant)
    )
    rows = connection.execute(read.order_by(found.c.depth, memory.c.seq)).mappings()
    return [edge_of(row) for row in rows]


def _chosen(scope: Scope, query: EntryQuery) -> sa.Select[Any]:
    """The keys of the versions that a query asks for."""
    # An expression, so that the index on the few named entries is used and not the one on the kind.
    names = query.entry_ids or query.local_ids or query.conversations or query.continuations
    kind = registry.c.kind + "" if names else registry.c.kind
    wanted = (registry.c.tenant == scope.tenant, kind == str(query.kind), visible(scope), *_filters(query))
    frame = _ENTRY
    # Without a project filter projects are not joined, which would cost a look-up for each entry of the kind.
    if scope.projects is not None:
        named = (_OWN.c.tenant == scope.tenant, is_among(_OWN.c.name, scope.projects))
        wanted = (*wanted, registry.c.project_seq.in_(sa.select(_OWN.c.seq).where(*named)))
        # By an expression, so that the entries are found by the registry's index, and not in all of the project.
        of_project = sa.and_(project.c.seq == memory.c.project_seq + 0, project.c.tenant == memory.c.tenant)
        frame = frame.join(project, of_project)
    return sa.select(memory.c.seq).select_from(frame).where(*wanted)


def _filters(query: EntryQuery) -> list[sa.ColumnElement[bool]]:
    wanted: list[sa.ColumnElement[bool]] = []
    if query.ended:
        # A current version is always the last record; only ended ones need the check.
        wanted.append(sa.or_(registry.c.standing, sa.and_(memory.c.expired_at.is_(None), _IS_LAST)))
    else:
        wanted.append(registry.c.standing)
    for column, values in (
        (registry.c.entry_id, query.entry_ids),
        (registry.c.local_id, query.local_ids),
        (registry.c.continuation, query.continuations),
    ):
        if values:
            wanted.append(column.in_(values))
    if query.statuses:
        wanted.append(is_among(registry.c.status, query.statuses))
    if query.conversations:
        mentioned = entry_conversation.c.conversation.in_(query.conversations)
        tenant = entry_conversation.c.tenant == registry.c.tenant
        wanted.append(
            registry.c.memory_seq.in_(sa.select(entry_conversation.c.memory_seq).where(mentioned, tenant))
        )
    carries = sa.exists().where(together(memory_tag.c.memory_seq, registry.c.memory_seq))
    wanted += [carries.where(memory_tag.c.tag == tag) for tag in query.tags]
    wanted += [~carries.where(memory_tag.c.tag == tag) for tag in query.without_tags]
    if query.stale is not None:
        # Columns of the registry alone, which one index covers.
        low = registry.c.epistemic_tier <= query.stale.max_tier
        aged = sa.and_(low, registry.c.last_validated <= to_micros(query.stale.before))
        is_stale = sa.or_(aged, registry.c.hops >= query.stale.hops)
        wanted += [registry.c.status == str(DecisionStatus.ACTIVE), is_stale]
    return wanted


def _order(scope: Scope, query: EntryQuery) -> tuple[Any, ...]:
    if query.longest_unvalidated_first:
        # Over everything in the order of an index, which is read no further than the limit. Of some projects by an
        # expression, which no index has: these are found by the index that begins with them, and are few.
        since = registry.c.last_validated if scope.projects is None else registry.c.last_validated + 0
        return since, registry.c.memory_seq
    if query.urgent_first:
        # Compact JSON escapes every quotation mark within a text, so only the field itself looks like this.
        said = [
            registry.c.details.contains(f'"priority":"{level}"') for level in (Priority.HIGH, Priority.LOW)
        ]
        return sa.case((said[0], 0), (said[1], 2), else_=1), _FIRST_VALID, memory.c.logical_id
    return memory.c.valid_at.desc(), memory.c.seq.desc()
