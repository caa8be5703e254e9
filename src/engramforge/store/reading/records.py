"""Reading what a store keeps besides memories: projects, origins, the audit log, what was injected, named values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from engramforge.model.injection import Injected, Injection, InjectionQuery, Reason, Section
from engramforge.model.scope import Project, Scope
from engramforge.model.storing.record import AuditEntry, Event
from engramforge.model.time import from_micros
from engramforge.store import schema
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    NAMELESS,
    admits_all,
    both_ends,
    is_among,
    kept,
    keys_of_projects,
    portions,
    raw_ids,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.rows import Row, audit_line_of, text_id
from engramforge.store.schema import audit, injection, link, memory, origin, project
from engramforge.store.straight import mappings_of, rows_of

_LINES: Final = 500
"""How many lines are read at a time while others' lines are left out."""
_DIGITS: Final = 32
"""Of an id."""


def known_origins(
    connection: Connection, scope: Scope, project: str | None, keys: Sequence[bytes]
) -> dict[bytes, str | None]:
    """Origin keys of a project, or of all in scope, -> logical id, None for a tombstone; what stands outweighs it."""
    asked = scope if project is None else scope.within(project, NAMELESS)
    found: dict[bytes, str | None] = {}
    for portion in portions(keys):
        for key, raw in connection.execute(_origins(asked), {"keys": portion}):
            found[bytes(key)] = found.get(bytes(key)) if raw is None else text_id(raw)
    return found


@kept
def _origins(scope: Scope) -> sa.Select[Any]:
    """The origins of given keys in the projects of a scope; kept, for every write waits for its making."""
    # Not joined: so the keys are looked up project by project, where a join may read all origins.
    within = origin.c.project_seq.in_(keys_of_projects(scope))
    keys = origin.c.key.in_(sa.bindparam("keys", expanding=True))
    return sa.select(origin.c.key, origin.c.logical_id).where(origin.c.tenant == scope.tenant, within, keys)


def audit_log(connection: Connection, scope: Scope, limit: int) -> list[AuditEntry]:
    """The newest lines of the audit log: the agent's own, and those of others about what is in scope."""
    return [audit_line_of(row) for row in _lines(connection, scope, None, limit)]


def events(connection: Connection, scope: Scope, after: int | None, limit: int) -> list[Event]:
    """The same lines in their order, those after a position, else the newest."""
    rows = _lines(connection, scope, after, limit)
    in_order = rows if after is not None else reversed(rows)
    return [_event_of(row) for row in in_order]


def _event_of(row: RowMapping) -> Event:
    line = audit_line_of(row)
    return Event(row["seq"], line.at, line.action, line.subject, line.agent, line.reason)


def _lines(connection: Connection, scope: Scope, after: int | None, limit: int) -> list[RowMapping]:
    """Lines that the scope may see: those after a position, ascending, else the newest, descending."""
    statement = sa.select(audit).where(audit.c.tenant == scope.tenant)
    ordered = statement.order_by(audit.c.seq.desc() if after is None else audit.c.seq)
    found: list[RowMapping] = []
    place = after
    size = limit
    while len(found) < limit:
        here = ordered
        if place is not None:
            here = ordered.where(audit.c.seq < place if after is None else audit.c.seq > place)
        rows = connection.execute(here.limit(size)).mappings().all()
        subjects = {row["subject"] for row in rows if row["agent"] != scope.agent}
        seen = subjects if admits_all(scope) else _seen(connection, scope, subjects)
        found += [row for row in rows if row["agent"] == scope.agent or row["subject"] in seen]
        if len(rows) < size:
            break
        place, size = rows[-1]["seq"], max(size, _LINES)
    return found[:limit]


def forgotten(connection: Connection, scope: Scope, logical_ids: Sequence[str]) -> set[str]:
    """Which of these the audit log says were forgotten."""
    found: set[str] = set()
    for portion in portions(logical_ids):
        told = (audit.c.tenant == scope.tenant, audit.c.action == "forget", audit.c.subject.in_(portion))
        found.update(connection.execute(sa.select(audit.c.subject).where(*told)).scalars())
    return found


def _seen(connection: Connection, scope: Scope, subjects: Iterable[str]) -> set[str]:
    """Which of these are logical ids of memories, or ids of links, in scope."""
    asked = raw_ids(subjects)
    found: set[str] = set()
    for portion in portions(asked):
        for statement in (
            sa.select(memory.c.logical_id)
            .select_from(IN_PROJECT)
            .where(memory.c.logical_id.in_(portion), visible_by_key(scope)),
            sa.select(link.c.id).where(link.c.id.in_(portion), *both_ends(scope)),
        ):
            found.update(asked[bytes(raw)] for raw in connection.execute(statement).scalars())
    return found


_MARK: Final = sa.select(schema.mark.c.value).where(
    schema.mark.c.tenant == sa.bindparam("its_tenant"), schema.mark.c.key == sa.bindparam("its_key")
)


def mark(connection: Connection, scope: Scope, key: str) -> Mapping[str, Any] | None:
    """A named value, or None."""
    its = {"its_tenant": scope.tenant, "its_key": key}
    text = next((text for (text,) in rows_of(connection, _MARK, its)), None)
    return None if text is None else json.loads(text)


def marks(connection: Connection, scope: Scope, beginning: str) -> dict[str, Mapping[str, Any]]:
    """The named values whose keys begin so, by key."""
    its = (schema.mark.c.tenant == scope.tenant, schema.mark.c.key.startswith(beginning, autoescape=True))
    asked = sa.select(schema.mark.c.key, schema.mark.c.value).where(*its).order_by(schema.mark.c.key)
    return {key: json.loads(text) for key, text in connection.execute(asked)}


def projects(connection: Connection, scope: Scope) -> list[Project]:
    """Projects by name with their current memories and the first valid time of these; an empty one counts 0."""
    everything = visible(replace(scope, projects=None))
    seen = sa.and_(together(memory.c.project_seq, project.c.seq), *CURRENT, everything)
    statement = (
        sa.select(
            project.c.name,
            project.c.created_at,
            sa.func.count(memory.c.seq),
            sa.func.min(memory.c.valid_at),
        )
        .outerjoin(memory, seen)
        .where(*_known(scope))
        .group_by(project.c.tenant, project.c.seq, project.c.name, project.c.created_at)
        .order_by(project.c.name)
    )
    return [
        Project(name, from_micros(created), number, None if first is None else from_micros(first))
        for name, created, number, first in connection.execute(statement)
    ]


def project_names(connection: Connection, scope: Scope) -> list[str]:
    """Names of projects, ascending."""
    return list(connection.execute(_names_in(scope)).scalars())


@kept
def _names_in(scope: Scope) -> sa.Select[Any]:
    """The statement for the names of projects, ascending; every question that names a project asks it first."""
    return sa.select(project.c.name).where(*_known(scope)).order_by(project.c.name)


def _known(scope: Scope) -> list[sa.ColumnElement[bool]]:
    """The scope as predicates on the project table.

    A project that holds memories, and none that the scope admits, does not exist for it; an empty one does.
    """
    wanted: list[sa.ColumnElement[bool]] = [project.c.tenant == scope.tenant, project.c.name != NAMELESS]
    if scope.projects is not None:
        wanted.append(project.c.name.in_(scope.projects))
    everything = replace(scope, projects=None)
    if not admits_all(everything):
        its = sa.exists().where(together(memory.c.project_seq, project.c.seq)).correlate(project)
        wanted.append(sa.or_(its.where(visible(everything)), ~its))
    return wanted


def injections(connection: Connection, scope: Scope, query: InjectionQuery) -> list[Injection]:
    """Records of the scope's agent, newest first; see the door."""
    # What names a record or a memory comes once; a session's are asked for when it starts.
    is_kept = not (query.begins or query.memory_id)
    shape = replace(query, session=None if query.session is None else "", limit=0, offset=0)
    values = {"session": query.session, "most": query.limit, "behind": query.offset}
    if is_kept:
        return [injection_of(row) for row in mappings_of(connection, _asked(scope, shape), values)]
    return [injection_of(row) for row in connection.execute(_build_asked(scope, shape), values).mappings()]


def _build_asked(scope: Scope, query: InjectionQuery) -> sa.Select[Any]:
    wanted: list[sa.ColumnElement[bool]] = [injection.c.tenant == scope.tenant]
    if not scope.every_agent:
        wanted.append(injection.c.agent == scope.agent)
    if scope.projects is not None:
        wanted.append(is_among(injection.c.project, scope.projects))
    if query.begins is not None:
        digits = query.begins.replace("-", "").lower()
        least, most = (bytes.fromhex(digits.ljust(_DIGITS, sign)) for sign in "0f")
        wanted.append(injection.c.id.between(least, most))
    if query.session is not None:
        wanted.append(injection.c.session == sa.bindparam("session"))
    if query.project is not None:
        wanted.append(injection.c.project == query.project)
    if query.memory_id is not None:
        wanted.append(injection.c.memories.contains(query.memory_id, autoescape=True))
    # Ids ascend with time.
    asked = sa.select(injection).where(*wanted).order_by(injection.c.at.desc(), injection.c.id.desc())
    bounds = (sa.bindparam(name, type_=sa.Integer) for name in ("most", "behind"))
    return asked.limit(next(bounds)).offset(next(bounds))


_asked = kept(_build_asked)


def injection_of(row: Row) -> Injection:
    """A row as a record."""
    return Injection(
        id=text_id(row["id"]),
        event=row["event"],
        cause=row["cause"],
        session=row["session"],
        project=row["project"],
        at=from_micros(row["at"]),
        tokens=row["tokens"],
        latency_ms=row["latency_ms"],
        memories=tuple(map(_injected, json.loads(row["memories"]))),
        note=row["note"],
    )


def _injected(said: list[Any]) -> Injected:
    memory_id, version_id, section, reason, *judged = said
    return Injected(memory_id, version_id, Section(section), Reason(reason), *judged)
