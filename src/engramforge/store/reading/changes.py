"""What changed in a store: the turns of versions on both axes."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, TimeRange, from_micros, to_micros
from engramforge.model.timeline import Change, Turn
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import IN_SESSION, selected, visible
from engramforge.store.schema import memory

_TURNS = tuple(Turn)
_earlier = memory.alias("earlier")
_TIMES = (memory.c.created_at, memory.c.expired_at, memory.c.valid_at, memory.c.invalid_at)
_VERSION = sa.select(
    memory.c.seq,
    *_TIMES,
    sa.exists()
    .where(
        _earlier.c.tenant == memory.c.tenant,
        _earlier.c.logical_id == memory.c.logical_id,
        _earlier.c.version == memory.c.version,
        _earlier.c.created_at < memory.c.created_at,
    )
    .correlate(memory)
    .label("is_closing"),
).select_from(IN_SESSION)
"""The versions with their times, and whether one only records the end of an earlier one."""


def changes(
    connection: Connection, scope: Scope, selection: Selection, limit: int, offset: int = 0
) -> list[Change]:
    """Turns of the selected versions within the selection's recorded range, newest first; see the door."""
    turns = _turns(scope, selection)
    statement = (
        sa.select(turns.c.seq, turns.c.at, turns.c.turn)
        .where(_within(selection.recorded_range, turns.c.at))
        .order_by(turns.c.at.desc(), turns.c.turn.desc(), turns.c.seq.desc())
    )
    rows = connection.execute(statement.limit(limit).offset(offset)).all()
    memories = fetch_at(connection, scope, [row.seq for row in rows])
    return [Change(from_micros(row.at), _TURNS[row.turn], memories[row.seq]) for row in rows]


def _turns(scope: Scope, selection: Selection) -> sa.Subquery:
    """All turns of the selected versions with a time in the recorded range, whenever they held or were on record: the
    version's key, the time, the turn's number.
    """
    wanted = selected(replace(selection, mode=TemporalMode.FULL_HISTORY, valid_range=None))
    in_range = sa.or_(*(_within(selection.recorded_range, time) for time in _TIMES))
    # Each version is looked up once and then read for each turn.
    version = (
        _VERSION.where(visible(scope), memory.c.tenant == scope.tenant, in_range, *wanted).cte("version").c
    )
    is_open = version.expired_at.is_(None)
    took = {
        Turn.RECORDED: (version.created_at, sa.not_(version.is_closing)),
        Turn.END_RECORDED: (version.created_at, version.is_closing),
        Turn.EXPIRED: (version.expired_at, version.expired_at.is_not(None)),
        Turn.BECAME_TRUE: (version.valid_at, is_open),
        Turn.CEASED: (version.invalid_at, sa.and_(is_open, version.invalid_at.is_not(None))),
    }
    return sa.union_all(
        *(
            sa.select(version.seq, at.label("at"), sa.literal(number, sa.Integer).label("turn")).where(
                condition
            )
            for number, (at, condition) in enumerate(took[turn] for turn in _TURNS)
        )
    ).subquery()


def _within(span: TimeRange | None, time: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    """Predicate: the time lies in the range."""
    span = span or TimeRange()
    starts = sa.true() if span.start is None else time >= to_micros(span.start)
    return starts if span.end is None else sa.and_(starts, time < to_micros(span.end))
