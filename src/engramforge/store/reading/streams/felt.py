"""Reading memories by how they feel and what they are for: by energy, by emotions, by goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import MICROS_PER_DAY, to_micros
from engramforge.store.reading.memories import WHOLE, fetch_at, whole
from engramforge.store.reading.predicates import (
    IN_SESSION,
    by_name,
    kept,
    portions,
    raw_ids,
    selected,
    shape_of,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.schema import memory, memory_emotion, memory_goal

_FEW_GOALS: Final = 2_000
"""Up to so many are found one by one by an index, which takes as long as there are goals, and not as there are memories
that have one."""
_HALVED: Final = 30 * MICROS_PER_DAY
"""After so long an energy counts half."""


def goals(connection: Connection, scope: Scope, selection: Selection, limit: int) -> list[str]:
    """The goals of a selection's memories, as they are compared, the newest first; see the door."""
    shape = shape_of(selection)
    values = {**shape.values, "few": _FEW_GOALS}
    stepped = connection.execute(_goals_in_steps(scope, shape.selection), values).all()
    if len(stepped) <= _FEW_GOALS:
        return [goal for goal, newest in stepped if newest is not None][:limit]
    return list(connection.execute(_goals(scope, shape.selection), {**shape.values, "most": limit}).scalars())


def goals_by_words(
    connection: Connection, scope: Scope, selection: Selection, goal: str, limit: int
) -> list[str]:
    """Those that a goal contains or is contained in, the newest first; see the door."""
    words = goal.split()
    if not words:
        return []
    # What it contains is a row of its own words, which an index finds.
    rows = {
        " ".join(words[begin:end]) for begin in range(len(words)) for end in range(begin + 1, len(words) + 1)
    }
    shape = shape_of(selection)
    escaped = "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in goal)
    values = {**shape.values, "most": limit, "rows": sorted(rows), "around": f"% {escaped} %"}
    return list(connection.execute(_goals(scope, shape.selection, by_words=True), values).scalars())


@kept
def _goals_in_steps(scope: Scope, shape: Selection) -> sa.Select[Any]:
    """Each goal with the newest of its memories that a selection takes, or none; the newest first. One more than few
    where there are many."""
    of_tenant = memory_goal.c.tenant == scope.tenant

    def first(*after: sa.ColumnElement[bool]) -> sa.ScalarSelect[Any]:
        chosen = sa.select(memory_goal.c.goal).where(of_tenant, *after)
        return chosen.order_by(memory_goal.c.goal).limit(1).scalar_subquery()

    step = sa.select(first().label("goal"), sa.literal(0).label("number")).cte("step", recursive=True)
    further = sa.select(first(memory_goal.c.goal > step.c.goal), step.c.number + 1)
    step = step.union_all(
        further.where(step.c.goal.is_not(None), step.c.number < sa.bindparam("few", type_=sa.Integer))
    )
    own = _own_with(step.c.goal, scope, shape).order_by(memory_goal.c.memory_seq.desc())
    newest = own.correlate(step).limit(1).scalar_subquery().label("newest")
    found = sa.select(step.c.goal, newest).where(step.c.goal.is_not(None))
    return found.order_by(sa.desc("newest"), step.c.goal)


def _own_with(goal: sa.ColumnElement[str], scope: Scope, shape: Selection) -> sa.Select[Any]:
    """The memories of a selection that have a goal."""
    own = sa.select(memory.c.seq).select_from(
        IN_SESSION.join(memory_goal, together(memory_goal.c.memory_seq, memory.c.seq))
    )
    return own.where(memory_goal.c.goal == goal, visible_by_key(scope), *selected(shape, by_name))


@kept
def _goals(scope: Scope, shape: Selection, *, by_words: bool = False) -> sa.Select[Any]:
    newest = sa.func.max(memory_goal.c.memory_seq).label("newest")
    chosen = sa.select(memory_goal.c.goal, newest).where(memory_goal.c.tenant == scope.tenant)
    if by_words:
        around = sa.literal(" ") + memory_goal.c.goal + sa.literal(" ")
        chosen = chosen.where(
            memory_goal.c.goal.in_(sa.bindparam("rows", expanding=True))
            | around.like(sa.bindparam("around", type_=sa.Text), escape="\\")
        )
    every = chosen.group_by(memory_goal.c.goal).subquery()
    # Of each goal one memory is enough.
    own = _own_with(every.c.goal, scope, shape)
    # As a value: of EXISTS the server would make a join with all memories.
    held = sa.select(every.c.goal).where(own.correlate(every).limit(1).scalar_subquery().is_not(None))
    order = (every.c.newest.desc(), every.c.goal)
    return held.order_by(*order).limit(sa.bindparam("most", type_=sa.Integer))


def by_energy(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    limit: int,
    fading_from: datetime | None = None,
    *,
    of_each_level: bool = False,
) -> list[Memory]:
    """The memories of a selection with the most energy; see the door."""
    strength: sa.ColumnElement[Any] = memory.c.energy
    if fading_from is not None:
        strength = strength / (
            1.0 + (to_micros(fading_from) - memory.c.valid_at) / sa.literal(float(_HALVED))
        )
    order = (strength.desc(), memory.c.valid_at.desc(), memory.c.seq.desc())
    # First which ones, then all of them: whole rows of everything that is selected are long.
    chosen = sa.select(memory.c.seq).select_from(IN_SESSION).where(visible(scope), *selected(selection))
    chosen = _of_each_level(chosen, order, limit) if of_each_level else chosen.order_by(*order).limit(limit)
    return _at(connection, scope, list(connection.execute(chosen).scalars()))


def moods(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    shares: Mapping[str, float],
    least: float,
    limit: int,
    *,
    by_energy: bool = False,
) -> list[tuple[Memory, float]]:
    """The memories of a selection whose emotions are nearest to these, with the cosines; see the door."""
    if not shares:
        return []
    product = memory_emotion.c.share * sa.case(shares, value=memory_emotion.c.emotion, else_=0.0)
    cosine = sa.func.sum(product)
    felt = memory_emotion.c.emotion.in_(list(shares))
    # What feels otherwise is left out before anything is asked of the memories themselves.
    near = (
        sa.select(memory_emotion.c.memory_seq.label("place"), cosine.label("cosine"))
        .where(memory_emotion.c.tenant == scope.tenant, felt)
        .group_by(memory_emotion.c.memory_seq)
        .having(cosine > least)
        .cte("near")
    )
    first = (near.c.cosine.desc(), memory.c.energy.desc())
    order = (*(first[::-1] if by_energy else first), memory.c.valid_at.desc(), memory.c.seq.desc())
    found = (
        sa.select(near.c.place, near.c.cosine)
        .select_from(IN_SESSION.join(near, near.c.place == memory.c.seq))
        .where(visible(scope), *selected(selection))
    )
    rows = connection.execute(_of_each_level(found, order, limit))
    cosines = {int(place): min(1.0, float(value)) for place, value in rows}
    memories = _at(connection, scope, list(cosines))
    return list(zip(memories, cosines.values(), strict=True))


def _of_each_level(chosen: sa.Select[Any], order: Sequence[Any], limit: int) -> sa.Select[Any]:
    """The first of each level in an order, in that order."""
    rank = sa.func.row_number().over(partition_by=memory.c.level, order_by=order).label("rank_in_level")
    ranked = chosen.add_columns(rank, memory.c.level.label("its_level")).subquery()
    told = [column for column in ranked.c if column.name not in ("rank_in_level", "its_level")]
    wanted = sa.select(*told).where(ranked.c.rank_in_level <= limit)
    return wanted.order_by(ranked.c.its_level, ranked.c.rank_in_level)


def holding(
    connection: Connection, scope: Scope, selection: Selection, logical_ids: Sequence[str], most: int
) -> dict[str, list[Memory]]:
    """The versions of some memories that a selection takes, by logical id, oldest first; see the door."""
    found: dict[str, list[Memory]] = {}
    room = most
    for portion in portions(raw_ids(logical_ids)):
        statement = WHOLE.where(memory.c.logical_id.in_(portion), visible_by_key(scope), *selected(selection))
        ordered = statement.order_by(memory.c.created_at, memory.c.seq).limit(room)
        for each in whole(connection, scope, ordered):
            found.setdefault(each.logical_id, []).append(each)
            room -= 1
    return found


def _at(connection: Connection, scope: Scope, places: Sequence[int]) -> list[Memory]:
    """Memories at positions, in this order."""
    found = fetch_at(connection, scope, places)
    return [found[place] for place in places if place in found]
