"""The turns of versions on both axes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import uuid_utils

from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason, TemporalMode, TimeRange
from engramforge.model.timeline import Turn
from engramforge.store.door import Door

from .conftest import START, days, entry

pytestmark = pytest.mark.asks_no_candidates


def _closed(door: Door, scope: Scope, old: Entry) -> Memory:
    """Supersede by hand: the closing record."""
    closing = replace(
        old.memory,
        id=str(uuid_utils.uuid7()),
        created_at=days(2),
        invalid_at=days(1),
        invalidation_reason=InvalidationReason.REALITY_CHANGED,
    )
    with door.transaction(scope) as writes:
        writes.expire(old.memory.id, days(2), InvalidationReason.REALITY_CHANGED, closing.id)
        writes.insert([replace(old, memory=closing)])
    return closing


def test_turns_come_newest_first_within_a_range(door: Door, scope: Scope) -> None:
    old = entry("the gate is open")
    with door.transaction(scope) as writes:
        writes.insert([old])
    closing = _closed(door, scope, old)
    turns = [
        (Turn.END_RECORDED, days(2), closing.id),
        (Turn.EXPIRED, days(2), old.memory.id),
        (Turn.CEASED, days(1), closing.id),
        (Turn.BECAME_TRUE, START, closing.id),
        (Turn.RECORDED, START, old.memory.id),
    ]

    def told(selection: Selection, limit: int = 50, offset: int = 0) -> list[tuple[Turn, object, str]]:
        found = door.asking(scope).changes(selection, limit, offset)
        return [(change.turn, change.at, change.memory.id) for change in found]

    assert sorted(told(Selection()), key=str) == sorted(turns, key=str)
    assert [at for _, at, _ in told(Selection())] == [at for _, at, _ in turns]
    assert told(Selection(recorded_range=TimeRange(days(1), days(2)))) == [turns[2]]
    assert {item[1] for item in told(Selection(recorded_range=TimeRange(days(2), None)))} == {days(2)}
    assert told(Selection(), 2) + told(Selection(), 2, 2) + told(Selection(), 9, 4) == told(Selection())
    assert told(Selection(tags=("none",))) == []


def test_changes_stay_within_the_scope(door: Door, scope: Scope) -> None:
    other = Scope(agent="ben")
    with door.transaction(other) as writes:
        writes.insert([entry("his", agent="ben"), entry("ours", agent="ben", level=Level.COLLECTIVE)])
    assert {change.memory.content for change in door.asking(scope).changes(Selection(), 10)} == {"ours"}
    (seen,) = door.asking(scope).browse(Selection(mode=TemporalMode.FULL_HISTORY), 10)
    assert seen.content == "ours"
    assert door.asking(scope.within("elsewhere")).changes(Selection(), 10) == []
