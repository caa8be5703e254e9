"""How conversations went on is told in the order of valid time, and so are positions where that is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.conformance.conftest import NOW, at, days, entry

from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.time import TimeRange, to_micros
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates
SCOPE = Scope()
SAID = (
    # Written in another order than they became true.
    ("c", "one", 5, Kind.PROMPT),
    ("a", "one", 1, Kind.PROMPT),
    ("x", "two", 2, Kind.PROMPT),
    ("b", "one", 3, Kind.RESPONSE),
    ("t", "one", 4, Kind.TOOL_USE),
    ("z", "three", 4, Kind.PROMPT),
    ("y", "two", 6, Kind.RESPONSE),
)
SPOKEN = (Kind.PROMPT, Kind.RESPONSE)


def test_conversations_go_on_as_each_is_browsed(door: Door) -> None:
    made = [
        entry(f"the gate {name}", session_id=session, valid_at=days(day), kind=kind)
        for name, session, day, kind in SAID
    ]
    hidden = entry("the gate h", session_id="one", valid_at=days(2), kind=Kind.PROMPT, project="other")
    door.write(SCOPE, lambda writes: writes.insert([*made, hidden]))
    scope = SCOPE.within("atlas")
    chosen = replace(at(NOW), kinds=SPOKEN, valid_range=TimeRange(start=days(2)))
    with door.asking(scope) as view:
        rows = view.went_on(chosen, {"one", "two", "nobody's"}, 9)
        told = view.fetch_at(view.positions(at(NOW), 99))
        assert [told[place].content[-1] for _, place, _ in rows] == ["x", "b", "c", "y"]
        assert all(told[place].session_id == session for session, place, _ in rows)
        assert all(to_micros(told[place].valid_at) == since for _, place, since in rows)
        for session in ("one", "two"):
            browsed = view.browse(replace(chosen, session_id=session), 9, newest_first=False)
            assert [told[place].id for name, place, _ in rows if name == session] == [x.id for x in browsed]
        assert view.went_on(chosen, {"one", "two"}, 2) == rows[:2]
        assert view.went_on(chosen, (), 2) == []
        by_time = [told[place].content[-1] for place in view.positions(at(NOW), 4, by_time=True).tolist()]
        assert by_time == [each.content[-1] for each in view.browse(at(NOW), 4)]
        by_writing = [told[place].content[-1] for place in view.positions(at(NOW), 4).tolist()]
        assert by_writing == ["y", "z", "t", "b"] != by_time
