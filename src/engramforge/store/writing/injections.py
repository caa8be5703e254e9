"""Writing what was put before a model, and what a forget leaves of it: ids, and no words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa

from engramforge.model.injection import Injection
from engramforge.model.time import to_micros
from engramforge.store import schema
from engramforge.store.reading.predicates import portions, together
from engramforge.store.rows import blob, dump
from engramforge.store.writing.ledger import Row, Write

_DECIMALS = 4


def save_injections(write: Write, records: Sequence[Injection]) -> None:
    """Keep records; one that is there already is replaced."""
    injection = schema.injection
    rows = {blob(each.id): {"tenant": write.tenant, **row_of(each, write.scope.agent)} for each in records}
    for ids in portions(rows):
        its = (injection.c.tenant == write.tenant, injection.c.id.in_(ids))
        write.connection.execute(sa.delete(injection).where(*its))
    if rows:
        write.ledger.add(injection, list(rows.values()))


def row_of(record: Injection, agent: str) -> Row:
    """A record as a row, without its tenant."""
    return {
        "id": blob(record.id),
        "agent": agent,
        "event": record.event,
        "cause": record.cause,
        "session": record.session,
        "project": record.project,
        "at": to_micros(record.at),
        "tokens": record.tokens,
        "latency_ms": record.latency_ms,
        "memories": _memories(record),
        "note": record.note,
    }


def prune_injections(write: Write, before: datetime, most: int) -> None:
    """Remove up to so many of the oldest records that were made before a time."""
    injection = schema.injection
    # Ids begin with the millisecond in which they were made, so the key finds the old ones without looking at others.
    first = (to_micros(before) // 1_000).to_bytes(6, "big").ljust(16, b"\0")
    old = sa.select(injection.c.id).where(injection.c.tenant == write.tenant, injection.c.id < first)
    for ids in portions(write.connection.execute(old.order_by(injection.c.id).limit(most)).scalars()):
        gone = (injection.c.tenant == write.tenant, injection.c.id.in_(ids))
        write.connection.execute(sa.delete(injection).where(*gone))


def _memories(record: Injection) -> str:
    return dump(
        [
            [
                each.memory_id,
                each.version_id,
                each.section,
                each.reason,
                round(each.priority, _DECIMALS),
                each.used,
                each.useful,
                each.source_id,
            ]
            for each in record.memories
        ]
    )


def forget_injections(write: Write, logical_ids: Collection[str], sessions: Collection[str]) -> None:
    """Clear what somebody said of injections with memories that are gone, and remove what went into sessions and
    projects of which nothing is left: their names are in no other row.

    `sessions`: names of sessions that lost their last memory.
    """
    injection, session, project = schema.injection, schema.session, schema.project
    of_tenant = injection.c.tenant == write.tenant
    noted = sa.select(injection.c.id, injection.c.memories, injection.c.note)
    rows = write.connection.execute(noted.where(of_tenant, injection.c.note != "")).all()
    cleared = [raw for raw, memories, _ in rows if any(each in memories for each in logical_ids)]
    write.forgotten.labels.add(note for raw, _, note in rows if raw in cleared)
    for ids in portions(cleared):
        write.connection.execute(
            sa.update(injection).where(of_tenant, injection.c.id.in_(ids)).values(note="")
        )
    is_session = sa.exists().where(together(session.c.name, injection.c.session)).correlate(injection)
    for names in portions(sessions):
        gone = (of_tenant, injection.c.session.in_(names), ~is_session)
        write.connection.execute(sa.delete(injection).where(*gone))
    if write.scope.projects is not None:
        is_project = sa.exists().where(together(project.c.name, injection.c.project)).correlate(injection)
        gone = (of_tenant, injection.c.project.in_(write.scope.projects), ~is_project)
        write.connection.execute(sa.delete(injection).where(*gone))
