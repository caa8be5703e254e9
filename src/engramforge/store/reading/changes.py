"""What changed in a store: the turns of versions on both axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, from_micros, to_micros
from engramforge.model.timeline import Change, Turn
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import IN_SESSION, selected, visible
from engramforge.store.schema import memory

_TURNS: Final = tuple(Turn)
_turn: Final = sa.union_all(
    *(sa.select(sa.literal_column(str(place), sa.Integer).label("turn")) for place in range(len(_TURNS)))
).subquery("turn")
"""The numbers of the turns, in which each version is looked at."""


def _by_turn(values: Mapping[Turn, sa.ColumnElement[Any]]) -> sa.Case[Any]:
    """The value for the turn of the row."""
    return sa.case(
        *(
            (_turn.c.turn == sa.literal_column(str(_TURNS.index(turn))), value)
            for turn, value in values.items()
        )
    )


def _took() -> sa.ColumnElement[bool]:
    """Predicate: the version took the turn of the row."""
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
    return _by_turn(
        {
            Turn.RECORDED: sa.not_(is_closing),
            Turn.END_RECORDED: is_closing,
            Turn.EXPIRED: memory.c.expired_at.is_not(None),
            Turn.BECAME_TRUE: memory.c.expired_at.is_(None),
            Turn.CEASED: sa.and_(memory.c.expired_at.is_(None), memory.c.invalid_at.is_not(None)),
        }
    )


_at: Final = _by_turn(
    {
        Turn.RECORDED: memory.c.created_at,
        Turn.END_RECORDED: memory.c.created_at,
        Turn.EXPIRED: memory.c.expired_at,
        Turn.BECAME_TRUE: memory.c.valid_at,
        Turn.CEASED: memory.c.invalid_at,
    }
)
_STATEMENT: Final = (
    sa.select(memory.c.seq, _at.label("at"), _turn.c.turn)
    .select_from(IN_SESSION.join(_turn, sa.true()))
    .where(_took())
    .order_by(sa.desc("at"), _turn.c.turn.desc(), memory.c.seq.desc())
)


def changes(
    connection: Connection, scope: Scope, selection: Selection, limit: int, offset: int = 0
) -> list[Change]:
    """Turns of the selected versions within the selection's recorded range, newest first; see the door."""
    # Whenever the versions held or were on record: the range is that of the turns.
    wanted = selected(replace(selection, mode=TemporalMode.FULL_HISTORY, valid_range=None))
    span = selection.recorded_range
    if span is not None and span.start is not None:
        wanted.append(_at >= to_micros(span.start))
    if span is not None and span.end is not None:
        wanted.append(_at < to_micros(span.end))
    statement = _STATEMENT.where(visible(scope), *wanted).limit(limit).offset(offset)
    rows = connection.execute(statement).all()
    memories = fetch_at(connection, scope, [row.seq for row in rows])
    return [Change(from_micros(row.at), _TURNS[row.turn], memories[row.seq]) for row in rows]
