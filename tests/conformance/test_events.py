"""The event log and named values on every engine: in order, bounded, of a scope, in the transaction they tell of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.conformance.conftest import NOW, Opener, entry

from engramforge.model.scope import Level, Scope
from engramforge.store.door import Door, Transaction

SCOPE = Scope()
OTHER = replace(SCOPE, agent="another")
pytestmark = pytest.mark.asks_no_candidates


def told(door: Door, after: int | None = None, limit: int = 100, scope: Scope = SCOPE) -> list[str]:
    return [each.reason for each in door.asking(scope).events(after, limit)]


def write(door: Door, *reasons: str, scope: Scope = SCOPE) -> None:
    def work(writes: Transaction) -> None:
        for reason in reasons:
            writes.audit("remember", "", reason, NOW)

    door.write(scope, work)


def test_events_are_in_order_and_go_on_after_a_position(opener: Opener) -> None:
    door = opener()
    write(door, "one", "two")
    write(door, "three")
    events = opener().asking(SCOPE).events(None, 100)
    assert [each.reason for each in events] == ["one", "two", "three"]
    positions = [each.position for each in events]
    assert positions == sorted(set(positions))
    assert told(door, limit=2) == ["two", "three"], "the newest, in order"
    assert told(door, after=0, limit=2) == ["one", "two"], "the first after a position"
    assert told(door, after=positions[1]) == ["three"]
    assert told(door, after=positions[2]) == []
    write(door, "four")
    assert told(door, after=positions[2]) == ["four"]
    (last,) = door.asking(SCOPE).events(None, 1)
    (line,) = door.asking(SCOPE).audit_log(1)
    said = (last.at, last.action, last.subject, last.agent, last.reason)
    assert said == (line.at, line.action, line.subject, line.agent, line.reason)


def test_others_events_are_seen_where_their_memories_are(opener: Opener) -> None:
    door = opener()
    rows = [
        entry("The harbour opens at six.", level=Level.COLLECTIVE, agent="another"),
        entry("A secret of another.", level=Level.PERSONAL, agent="another"),
    ]
    door.write(OTHER, lambda writes: writes.insert(rows))
    for row, said in zip(rows, ("shared", "hidden"), strict=True):
        subject = row.memory.logical_id

        def line(writes: Transaction, subject: str = subject, said: str = said) -> None:
            writes.audit("remember", subject, said, NOW)

        door.write(OTHER, line)
    write(door, *(f"own {number}" for number in range(3)))
    assert told(door) == ["shared", "own 0", "own 1", "own 2"]
    assert told(door, after=0, limit=2) == ["shared", "own 0"], "a filter makes no answer shorter"
    assert told(door, scope=replace(SCOPE, every_agent=True)) == [
        "shared",
        "hidden",
        "own 0",
        "own 1",
        "own 2",
    ]


def test_what_was_rolled_back_has_no_event(opener: Opener) -> None:
    door = opener()

    def work(writes: Transaction) -> None:
        writes.audit("remember", "", "never", NOW)
        raise LookupError

    with pytest.raises(LookupError):
        door.write(SCOPE, work)
    write(door, "once")
    assert told(opener()) == ["once"]


def test_marks_are_found_by_how_they_begin(opener: Opener) -> None:
    door = opener()
    for key in ("a/1", "a/2", "a%/3", "ab/4", "b/5"):
        door.write(SCOPE, lambda writes, key=key: writes.save_mark(key, {"key": key}))
    found = opener().asking(SCOPE).marks("a/")
    assert found == {"a/1": {"key": "a/1"}, "a/2": {"key": "a/2"}}
    assert list(door.asking(SCOPE).marks("a%")) == ["a%/3"], "a percent sign is itself"
    door.write(SCOPE, lambda writes: writes.save_mark("a/1", None))
    assert list(door.asking(SCOPE).marks("a/")) == ["a/2"]
    assert door.asking(SCOPE).marks("nowhere") == {}
