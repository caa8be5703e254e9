"""Reads of a store: statements and their scope predicate, on any connection of either engine.

`visible` is the one function that renders a scope; every read goes through it. Joined rows are of one tenant by
`together`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import InvalidTime
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import AuditEntry
from engramforge.model.time import TemporalMode, from_micros, to_micros
from engramforge.store.rows import blob, link_of, memory_of
from engramforge.store.schema import (
    audit,
    body,
    chunk,
    entry_conversation,
    link,
    mark,
    memory,
    memory_tag,
    origin,
    project,
    registry,
    session,
)

_PORTION: Final = 500
"""How many values go into one IN list."""


def together(left: sa.Column[Any], right: sa.Column[Any]) -> sa.ColumnElement[bool]:
    """Two rows belong together: by their keys, within one tenant."""
    return sa.and_(left == right, left.table.c.tenant == right.table.c.tenant)


REGISTERED: Final = (
    "entry_id",
    "status",
    "local_id",
    "conversations",
    "continuation",
    "last_validated",
    "validation_count",
    "hops",
    "details",
)
"""The columns of a registration."""
WHOLE: Final = (
    sa.select(
        memory,
        body.c.content,
        body.c.source,
        body.c.name,
        body.c.emotion_vector,
        body.c.extra,
        project.c.name.label("project_name"),
        session.c.name.label("session_name"),
        chunk.c.file_path,
        chunk.c.chunk_index,
        chunk.c.total_chunks,
        chunk.c.word_offset,
        *(registry.c[name] for name in REGISTERED),
    )
    .join(body, together(body.c.memory_seq, memory.c.seq))
    .join(project, together(project.c.seq, memory.c.project_seq))
    .outerjoin(session, together(session.c.seq, memory.c.session_seq))
    .outerjoin(chunk, together(chunk.c.memory_seq, memory.c.seq))
    .outerjoin(registry, together(registry.c.memory_seq, memory.c.seq))
)


def visible(scope: Scope) -> sa.ColumnElement[bool]:
    """The scope as a predicate on the memory and project tables."""
    others = [str(level) for level in scope.levels if level is not Level.PERSONAL]
    allowed: sa.ColumnElement[bool] = memory.c.level.in_(others)
    if Level.PERSONAL in scope.levels:
        own: sa.ColumnElement[bool] = memory.c.level == str(Level.PERSONAL)
        if not scope.every_agent:
            own = sa.and_(own, memory.c.agent == scope.agent)
        allowed = sa.or_(allowed, own)
    if scope.projects is not None:
        allowed = sa.and_(allowed, project.c.name.in_(scope.projects))
    return sa.and_(memory.c.tenant == scope.tenant, allowed)


def admits_all(scope: Scope) -> bool:
    """Whether the scope admits every memory of its tenant."""
    return scope.every_agent and scope.projects is None and set(Level) <= set(scope.levels)


def admitted(scope: Scope) -> sa.ColumnElement[bool]:
    """The scope as a predicate on the memory table alone, for statements that cannot join."""
    wanted = visible(replace(scope, projects=None))
    if scope.projects is None:
        return wanted
    named = (project.c.tenant == scope.tenant, project.c.name.in_(scope.projects))
    return sa.and_(wanted, memory.c.project_seq.in_(sa.select(project.c.seq).where(*named)))


def both_ends(scope: Scope) -> list[sa.ColumnElement[bool]]:
    """The scope as predicates on the link table: both ends are memories in scope."""
    wanted: list[sa.ColumnElement[bool]] = [link.c.tenant == scope.tenant]
    everywhere = visible(replace(scope, projects=None))
    for end in (link.c.source_id, link.c.target_id):
        seen = sa.select(memory.c.seq).where(together(memory.c.logical_id, end), everywhere)
        if scope.projects is not None:
            named = (project.c.tenant == scope.tenant, project.c.name.in_(scope.projects))
            # An expression, which no index has: by the memory's id, not through all memories of its project.
            seen = seen.where((memory.c.project_seq + 0).in_(sa.select(project.c.seq).where(*named)))
        wanted.append(seen.exists())
    return wanted


def fetch(connection: Connection, scope: Scope, ids: Iterable[str]) -> dict[str, Memory]:
    """Memories by version id or logical id; a logical id gives what is on record now, else the last record."""
    asked = _raw_ids(ids)
    found: dict[str, Memory] = {}
    # The last row of a logical id wins: open before closed, unended before ended, newer before older.
    order = (memory.c.expired_at.is_(None), memory.c.invalid_at.is_(None), memory.c.version, memory.c.seq)
    for portion in _portions(list(asked)):
        wanted = sa.or_(memory.c.id.in_(portion), memory.c.logical_id.in_(portion))
        rows = connection.execute(WHOLE.where(wanted, visible(scope)).order_by(*order)).mappings().all()
        for key in ("id", "logical_id"):
            found.update({asked[row[key]]: memory_of(row, scope.tenant) for row in rows if row[key] in asked})
    return found


def fetch_at(connection: Connection, scope: Scope, positions: Sequence[int]) -> dict[int, Memory]:
    """Memories at these positions."""
    by_position: dict[int, Memory] = {}
    for portion in _portions(list(positions)):
        statement = WHOLE.where(memory.c.seq.in_(portion), visible(scope))
        for row in connection.execute(statement).mappings():
            by_position[row["seq"]] = memory_of(row, scope.tenant)
    return by_position


def versions(connection: Connection, scope: Scope, logical_id: str) -> list[Memory]:
    """Every record of a logical id, oldest first."""
    if not is_id(logical_id):
        return []
    statement = WHOLE.where(memory.c.logical_id == blob(logical_id), visible(scope)).order_by(
        memory.c.created_at, memory.c.seq
    )
    return [memory_of(row, scope.tenant) for row in connection.execute(statement).mappings()]


def browse(
    connection: Connection, scope: Scope, selection: Selection, limit: int, offset: int, newest_first: bool
) -> list[Memory]:
    """Memories of a selection by valid time; equal times in the order of writing."""
    statement = WHOLE.where(visible(scope), *selected(selection))
    order = (memory.c.valid_at, memory.c.seq)
    statement = statement.order_by(*(column.desc() for column in order) if newest_first else order)
    rows = connection.execute(statement.limit(limit).offset(offset)).mappings()
    return [memory_of(row, scope.tenant) for row in rows]


def selected(selection: Selection) -> list[sa.ColumnElement[bool]]:
    """A selection as predicates."""
    wanted: list[sa.ColumnElement[bool]] = []
    if selection.kinds is not None:
        wanted.append(memory.c.kind.in_([str(kind) for kind in selection.kinds]))
    if selection.session_id is not None:
        wanted.append(session.c.name == selection.session_id)
    carries = sa.exists().where(together(memory_tag.c.memory_seq, memory.c.seq))
    wanted.extend(carries.where(memory_tag.c.tag == tag) for tag in selection.tags)
    if selection.statuses:
        # Under a name of its own: what reads whole memories joins the registry already.
        own = registry.alias("own_entry")
        entry = sa.exists().where(together(own.c.memory_seq, memory.c.seq))
        wanted.append(entry.where(own.c.status.in_(selection.statuses)))
    if selection.conversations:
        mention = sa.exists().where(together(entry_conversation.c.memory_seq, memory.c.seq))
        wanted.append(mention.where(entry_conversation.c.conversation.in_(selection.conversations)))
    if selection.min_tier is not None:
        wanted.append(memory.c.epistemic_tier >= selection.min_tier)
    span = selection.valid_range
    if span is not None and span.start is not None:
        wanted.append(memory.c.valid_at >= to_micros(span.start))
    if span is not None and span.end is not None:
        wanted.append(memory.c.valid_at < to_micros(span.end))
    return wanted + in_time(memory, selection)


def in_time(table: sa.Table, selection: Selection) -> list[sa.ColumnElement[bool]]:
    """A selection's mode and times as predicates on a table with the two time axes."""
    if selection.mode is TemporalMode.FULL_HISTORY:
        return []
    wanted: list[sa.ColumnElement[bool]] = []
    if selection.mode is TemporalMode.EVOLUTION:
        recorded = selection.recorded_range
        if recorded is not None and recorded.end is not None:
            wanted.append(table.c.created_at < to_micros(recorded.end))
        if recorded is not None and recorded.start is not None:
            start = to_micros(recorded.start)
            wanted.append(sa.or_(table.c.expired_at.is_(None), table.c.expired_at > start))
        return wanted
    point = selection.as_of
    if point is None or point.valid is None or point.recorded is None:
        raise InvalidTime(
            "A point in time is asked for without a time", "Give as_of, or ask for another mode"
        )
    valid, recorded_at = to_micros(point.valid), to_micros(point.recorded)
    wanted.append(table.c.valid_at <= valid)
    wanted.append(sa.or_(table.c.invalid_at.is_(None), table.c.invalid_at > valid))
    wanted.append(table.c.created_at <= recorded_at)
    wanted.append(sa.or_(table.c.expired_at.is_(None), table.c.expired_at > recorded_at))
    return wanted


def known_origins(
    connection: Connection, scope: Scope, name: str | None, keys: Sequence[bytes]
) -> dict[bytes, str | None]:
    """Origin keys of a project, or of all in scope, -> logical id, None for a tombstone; what stands outweighs it."""
    names = scope.projects if name is None else (name,)
    within = () if names is None else (project.c.name.in_(names),)
    # Not joined: so the keys are looked up project by project, where a join may read all origins.
    projects = sa.select(project.c.seq).where(project.c.tenant == scope.tenant, *within)
    found: dict[bytes, str | None] = {}
    for portion in _portions(list(keys)):
        wanted = (
            origin.c.tenant == scope.tenant,
            origin.c.project_seq.in_(projects),
            origin.c.key.in_(portion),
        )
        rows = connection.execute(sa.select(origin.c.key, origin.c.logical_id).where(*wanted))
        for key, raw in rows:
            found[bytes(key)] = found.get(bytes(key)) if raw is None else str(UUID(bytes=bytes(raw)))
    return found


def places_of(connection: Connection, scope: Scope, version_ids: Sequence[str]) -> dict[str, int]:
    """Positions of versions in scope, by their ids."""
    wanted = _raw_ids(version_ids)
    found: dict[str, int] = {}
    for portion in _portions(list(wanted)):
        statement = (
            sa.select(memory.c.id, memory.c.seq)
            .join(project, together(project.c.seq, memory.c.project_seq))
            .where(memory.c.id.in_(portion), visible(scope))
        )
        found |= {wanted[bytes(row.id)]: row.seq for row in connection.execute(statement)}
    return found


def positions_of(
    connection: Connection, scope: Scope, logical_id: str
) -> list[tuple[int, int, tuple[str, ...]]]:
    """Position, project key and texts (content, names, the seldom fields, an entry's own) of every version of a memory
    in scope."""
    texts = (
        *(body.c.content, body.c.name, body.c.extra, memory.c.speaker, session.c.name, chunk.c.file_path),
        *(registry.c.details, registry.c.conversations, registry.c.continuation, registry.c.local_id),
    )
    statement = (
        sa.select(memory.c.seq, memory.c.project_seq, *texts)
        .join(body, together(body.c.memory_seq, memory.c.seq))
        .join(project, together(project.c.seq, memory.c.project_seq))
        .outerjoin(session, together(session.c.seq, memory.c.session_seq))
        .outerjoin(chunk, together(chunk.c.memory_seq, memory.c.seq))
        .outerjoin(registry, together(registry.c.memory_seq, memory.c.seq))
        .where(memory.c.logical_id == blob(logical_id), visible(scope))
    )
    found = connection.execute(statement)
    return [(seq, key, tuple(text for text in some if text)) for seq, key, *some in found]


def links(
    connection: Connection,
    scope: Scope,
    logical_ids: Sequence[str],
    relation: str | None = None,
    selection: Selection | None = None,
) -> list[Link]:
    """Links that begin or end at these memories, oldest first; both ends in scope. See the door."""
    times = [link.c.expired_at.is_(None)] if selection is None else in_time(link, selection)
    found: dict[str, Link] = {}
    for portion in _portions(list(_raw_ids(logical_ids))):
        of_these = sa.or_(link.c.source_id.in_(portion), link.c.target_id.in_(portion))
        wanted = [of_these, *times, *both_ends(scope)]
        if relation is not None:
            wanted.append(link.c.relation == str(relation))
        for row in connection.execute(sa.select(link).where(*wanted).order_by(link.c.seq)).mappings():
            each = link_of(row)
            found[each.id] = each
    return list(found.values())


def files(connection: Connection, scope: Scope, prefix: str) -> dict[str, list[Memory]]:
    """Current chunks of files whose path begins with the prefix, by path and index."""
    statement = (
        WHOLE.where(
            visible(scope),
            chunk.c.file_path.startswith(prefix, autoescape=True),
            memory.c.expired_at.is_(None),
            memory.c.invalid_at.is_(None),
        )
    ).order_by(chunk.c.file_path, chunk.c.chunk_index, memory.c.seq)
    found: dict[str, list[Memory]] = {}
    for row in connection.execute(statement).mappings():
        found.setdefault(row["file_path"], []).append(memory_of(row, scope.tenant))
    return found


def audit_log(connection: Connection, scope: Scope, limit: int) -> list[AuditEntry]:
    """The newest lines of the audit log: the agent's own, and those of others about what is in scope."""
    columns = (audit.c.at, audit.c.action, audit.c.subject, audit.c.agent, audit.c.reason)
    statement = sa.select(audit.c.seq, *columns).where(audit.c.tenant == scope.tenant)
    found: list[AuditEntry] = []
    before: int | None = None
    size = limit
    while len(found) < limit:
        later = statement if before is None else statement.where(audit.c.seq < before)
        rows = connection.execute(later.order_by(audit.c.seq.desc()).limit(size)).all()
        subjects = {row.subject for row in rows if row.agent != scope.agent}
        seen = subjects if admits_all(scope) else _seen(connection, scope, subjects)
        kept = [row for row in rows if row.agent == scope.agent or row.subject in seen]
        found += [AuditEntry(from_micros(at), *rest) for _, at, *rest in kept]
        if len(rows) < size:
            break
        before, size = rows[-1].seq, max(size, _PORTION)
    return found[:limit]


def _seen(connection: Connection, scope: Scope, subjects: Iterable[str]) -> set[str]:
    """Which of these are logical ids of memories, or ids of links, in scope."""
    asked = _raw_ids(subjects)
    found: set[str] = set()
    frame = memory.join(project, together(project.c.seq, memory.c.project_seq))
    for portion in _portions(list(asked)):
        for statement in (
            sa.select(memory.c.logical_id)
            .select_from(frame)
            .where(memory.c.logical_id.in_(portion), visible(scope)),
            sa.select(link.c.id).where(link.c.id.in_(portion), *both_ends(scope)),
        ):
            found.update(asked[bytes(raw)] for raw in connection.execute(statement).scalars())
    return found


def read_mark(connection: Connection, tenant: str, key: str) -> Mapping[str, Any] | None:
    """A named value, or None."""
    text = connection.execute(
        sa.select(mark.c.value).where(mark.c.tenant == tenant, mark.c.key == key)
    ).scalar()
    return None if text is None else json.loads(text)


def is_id(text: str) -> bool:
    """Whether a text is an id at all."""
    try:
        blob(text)
    except (ValueError, AttributeError, TypeError):
        return False
    return True


def _raw_ids(texts: Iterable[str]) -> dict[bytes, str]:
    """Those of some texts that are ids, by their bytes."""
    found: dict[bytes, str] = {}
    for text in texts:
        with suppress(ValueError, AttributeError, TypeError):
            found[blob(text)] = text
    return found


def _portions(values: list[Any]) -> Iterable[list[Any]]:
    for begin in range(0, len(values), _PORTION):
        yield values[begin : begin + _PORTION]
