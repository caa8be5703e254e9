"""What changed in a store: the turns of versions on both axes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, from_micros, to_micros
from engramforge.model.timeline import Change, Turn
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import IN_SESSION, selected, visible
from engramforge.store.schema import memory

_ORDER = {turn: place for place, turn in enumerate(Turn)}


def changes(
    connection: Connection, scope: Scope, selection: Selection, limit: int, offset: int = 0
) -> list[Change]:
    """Turns of the selected versions within the selection's recorded range, newest first; see the door."""
    # Whenever the versions held or were on record: the range is that of the turns.
    wanted = selected(replace(selection, mode=TemporalMode.FULL_HISTORY, valid_range=None))
    turns = sa.union_all(*(_turn(scope, selection, wanted, turn) for turn in Turn)).subquery()
    statement = sa.select(turns.c.seq, turns.c.at, turns.c.turn).order_by(
        turns.c.at.desc(), turns.c.turn.desc(), turns.c.seq.desc()
    )
    rows = connection.execute(statement.limit(limit).offset(offset)).all()
    memories = fetch_at(connection, scope, [row.seq for row in rows])
    names = {place: turn for turn, place in _ORDER.items()}
    return [Change(from_micros(row.at), names[row.turn], memories[row.seq]) for row in rows]


def _turn(scope: Scope, selection: Selection, wanted: list[sa.ColumnElement[bool]], turn: Turn) -> Any:
    """The rows of one kind of turn: the version's key, the time, the turn's number."""
    earlier = memory.alias("earlier")
    is_closing = (
        sa.exists()
        .where(
            earlier.c.tenant == memory.c.tenant,
            earlier.c.logical_id == memory.c.logical_id,
            earlier.c.version == memory.c.version,
            earlier.c.created_at < memory.c.created_at,
        )
        .correlate(memory)
    )
    column, condition = {
        Turn.RECORDED: (memory.c.created_at, sa.not_(is_closing)),
        Turn.END_RECORDED: (memory.c.created_at, is_closing),
        Turn.EXPIRED: (memory.c.expired_at, memory.c.expired_at.is_not(None)),
        Turn.BECAME_TRUE: (memory.c.valid_at, memory.c.expired_at.is_(None)),
        Turn.CEASED: (
            memory.c.invalid_at,
            sa.and_(memory.c.expired_at.is_(None), memory.c.invalid_at.is_not(None)),
        ),
    }[turn]
    conditions = [visible(scope), memory.c.tenant == scope.tenant, condition, *wanted]
    span = selection.recorded_range
    if span is not None and span.start is not None:
        conditions.append(column >= to_micros(span.start))
    if span is not None and span.end is not None:
        conditions.append(column < to_micros(span.end))
    return (
        sa.select(memory.c.seq, column.label("at"), sa.literal(_ORDER[turn], sa.Integer).label("turn"))
        .select_from(IN_SESSION)
        .where(*conditions)
    )
