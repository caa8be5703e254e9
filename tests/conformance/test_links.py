"""Links in time and in scope, held by every engine: as-of on both axes, ending one, both ends visible."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import uuid_utils
from tests.conformance.conftest import NOW, START, days, entry

from engramforge.errors import InvalidTime, NotFound, PlanOutdated
from engramforge.model.link import Link
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode, TimeRange
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates

SCOPE = Scope()
ALL = Selection(mode=TemporalMode.FULL_HISTORY)
WRONG = InvalidationReason.DISCOVERED_FALSE


def link_of(source: Entry, target: Entry, **fields: Any) -> Link:
    """A link with every tier of metadata, true and known from START on."""
    return Link(
        **{
            "id": str(uuid_utils.uuid7()),
            "source_id": source.memory.logical_id,
            "target_id": target.memory.logical_id,
            "relation": "CAUSES",
            "valid_at": START,
            "created_at": START,
            "energy": 0.7,
            "confidence": 0.9,
            "emotion_vector": {"relief": 0.25},
            "goal": "ship",
            "mindstate": "calm",
            **fields,
        }
    )


def pair(door: Door, **fields: Any) -> tuple[Entry, Entry]:
    """Two memories in the store."""
    ends = entry("The harbour is fogged in.", **fields), entry("The ferry is late.", **fields)
    with door.transaction(SCOPE) as writes:
        writes.insert(ends)
    return ends


def at(valid: datetime, recorded: datetime) -> Selection:
    """The selection of a point on both axes."""
    return Selection(mode=TemporalMode.POINT_IN_TIME, as_of=AsOf(valid, recorded))


def ids(links: list[Link]) -> list[str]:
    """Their ids."""
    return [link.id for link in links]


def test_a_link_comes_back_as_it_was_written(door: Door) -> None:
    fog, late = pair(door)
    link = link_of(
        fog,
        late,
        relation="KEEPS_WAITING",
        sensory_details={"sound": "a horn"},
        formation_trigger="an announcement",
        extra={"source_version": 1, "deep": {"list": [1, 2.5, None, True, "é"]}},
        invalid_at=days(3),
    )
    with door.transaction(SCOPE) as writes:
        writes.link([link])
    for end in (fog, late):
        assert door.asking(SCOPE).links([end.memory.logical_id]) == [link]
    assert door.asking(SCOPE).links([fog.memory.logical_id, late.memory.logical_id]) == [link]


def test_as_of_on_both_axes_is_half_open(door: Door) -> None:
    fog, late = pair(door)
    link = link_of(fog, late, valid_at=days(1), invalid_at=days(3), created_at=days(2))
    with door.transaction(SCOPE) as writes:
        writes.link([link])
        writes.expire_link(link.id, days(5), WRONG)
    tick = timedelta(microseconds=1)
    for valid, recorded, seen in (
        (days(1), days(2), True),
        (days(1) - tick, days(2), False),
        (days(1), days(2) - tick, False),
        (days(3) - tick, days(5) - tick, True),
        (days(3), days(4), False),
        (days(2), days(5), False),
    ):
        found = door.asking(SCOPE).links([fog.memory.logical_id], at(valid, recorded))
        assert bool(found) is seen, (valid, recorded)


def test_evolution_and_full_history_of_links(door: Door) -> None:
    fog, late = pair(door)
    old = link_of(fog, late, created_at=days(1))
    new = link_of(fog, late, created_at=days(4), relation="DELAYS")
    with door.transaction(SCOPE) as writes:
        writes.link([old, new])
        writes.expire_link(old.id, days(3), WRONG)
    asked = [late.memory.logical_id]

    def during(start: datetime | None, end: datetime | None) -> list[str]:
        span = TimeRange(start, end)
        return ids(
            door.asking(SCOPE).links(asked, Selection(mode=TemporalMode.EVOLUTION, recorded_range=span))
        )

    assert ids(door.asking(SCOPE).links(asked)) == [new.id]
    assert ids(door.asking(SCOPE).links(asked, ALL)) == [old.id, new.id]
    assert during(None, days(4)) == [old.id]
    assert during(days(3), None) == [new.id]
    assert during(days(2), days(5)) == [old.id, new.id]
    assert during(days(3), days(4)) == []
    assert during(None, days(1)) == []
    assert during(None, None) == [old.id, new.id]


@pytest.mark.parametrize("mode", [TemporalMode.CURRENT, TemporalMode.POINT_IN_TIME])
def test_a_point_in_time_of_links_needs_its_time(door: Door, mode: TemporalMode) -> None:
    fog, _ = pair(door)
    with pytest.raises(InvalidTime):
        door.asking(SCOPE).links([fog.memory.logical_id], Selection(mode=mode))


def test_an_ended_link_stays_with_its_reason(door: Door) -> None:
    fog, late = pair(door)
    link = link_of(fog, late)
    with door.transaction(SCOPE) as writes:
        writes.link([link])
    with door.transaction(SCOPE) as writes:
        writes.expire_link(link.id, days(2), WRONG)
    assert door.asking(SCOPE).links([fog.memory.logical_id]) == []
    kept = door.asking(SCOPE).links([fog.memory.logical_id], ALL)
    assert kept == [replace(link, expired_at=days(2), invalidation_reason=WRONG)]


def test_only_an_open_link_ends(door: Door) -> None:
    fog, late = pair(door)
    link = link_of(fog, late)
    with door.transaction(SCOPE) as writes:
        writes.link([link])
        writes.expire_link(link.id, days(2), WRONG)
    for asked in (link.id, str(uuid_utils.uuid7())):
        with pytest.raises(NotFound), door.transaction(SCOPE) as writes:
            writes.expire_link(asked, days(3), WRONG)
    assert door.asking(SCOPE).links([fog.memory.logical_id], ALL)[0].expired_at == days(2)


def test_a_link_to_what_does_not_exist_changes_nothing(door: Door) -> None:
    fog, late = pair(door)
    nowhere = entry("Never written.")
    for link in (link_of(fog, nowhere), link_of(nowhere, fog)):
        with pytest.raises(NotFound), door.transaction(SCOPE) as writes:
            writes.link([link_of(fog, late), link])
    assert door.asking(SCOPE).links([fog.memory.logical_id], ALL) == []


def test_a_link_goes_with_the_memory_that_is_forgotten(door: Door) -> None:
    fog, late = pair(door)
    with door.transaction(SCOPE) as writes:
        writes.link([link_of(fog, late)])
    with door.transaction(SCOPE) as writes:
        (proof,) = writes.forget(Extent([late.memory.logical_id]), NOW)
    assert proof.links == 1
    assert door.asking(SCOPE).links([fog.memory.logical_id], ALL) == []


def test_a_link_survives_a_new_version_of_its_ends(door: Door) -> None:
    fog, late = pair(door)
    link = link_of(fog, late)
    with door.transaction(SCOPE) as writes:
        writes.link([link])
        writes.expire(fog.memory.id, days(1), WRONG)
        again = entry(
            "The harbour is clear.", logical_id=fog.memory.logical_id, version=2, created_at=days(1)
        )
        writes.insert([again])
    assert door.asking(SCOPE).links([fog.memory.logical_id]) == [link]


def test_both_ends_have_to_be_in_scope(door: Door) -> None:
    mine, shared = (
        entry("My own note.", agent="ada"),
        entry("The plan of all.", level=Level.COLLECTIVE, agent="ada"),
    )
    ada, bob = Scope(agent="ada"), Scope(agent="bob")
    link = link_of(mine, shared)
    with door.transaction(ada) as writes:
        writes.insert([mine, shared])
        writes.link([link])
    asked = [mine.memory.logical_id, shared.memory.logical_id]
    assert ids(door.asking(ada).links(asked)) == [link.id]
    # Bob sees the shared end, and nothing of a link into what is hers alone.
    assert bob.admits(Level.COLLECTIVE, "ada")
    assert door.asking(bob).links(asked) == door.asking(bob).links(asked, ALL) == []
    assert ids(door.asking(replace(bob, every_agent=True)).links(asked)) == [link.id]
    with pytest.raises(NotFound), door.transaction(bob) as writes:
        writes.link([link_of(shared, mine)])
    with pytest.raises(NotFound), door.transaction(bob) as writes:
        writes.expire_link(link.id, days(1), WRONG)
    assert door.asking(ada).links(asked) == [link]


def test_a_scope_of_projects_holds_for_both_ends(door: Door) -> None:
    here, there = entry("Here.", project="here"), entry("There.", project="there")
    link = link_of(here, there)
    with door.transaction(SCOPE) as writes:
        writes.insert([here, there])
        writes.link([link])
    asked = [here.memory.logical_id]
    assert (
        ids(door.asking(SCOPE).links(asked))
        == ids(door.asking(SCOPE.within("here", "there")).links(asked))
        == [link.id]
    )
    assert door.asking(SCOPE.within("here")).links(asked) == []
    with pytest.raises(NotFound), door.transaction(SCOPE.within("here")) as writes:
        writes.expire_link(link.id, days(1), WRONG)


def test_many_memories_are_asked_at_once(door: Door) -> None:
    notes = [entry(f"Note number {number}.") for number in range(40)]
    chain = [link_of(first, two) for first, two in pairwise(notes)]
    with door.transaction(SCOPE) as writes:
        writes.insert(notes)
        writes.link(chain)
    assert ids(door.asking(SCOPE).links([note.memory.logical_id for note in notes])) == ids(chain)


def test_contradictions_come_by_strength_and_only_what_holds_is_a_tension(door: Door) -> None:
    one, other = pair(door)
    third = entry("The ferry is on time.", project="elsewhere")
    with door.transaction(SCOPE) as writes:
        writes.insert([third])
        weak = link_of(one, other, relation="CONTRADICTS", energy=0.4)
        strong = link_of(other, third, relation="CONTRADICTS", energy=0.8)
        ended = link_of(one, third, relation="CONTRADICTS", energy=0.9, invalid_at=days(1))
        writes.link([weak, strong, ended, link_of(third, one, energy=1.0)])
    view = door.asking(SCOPE)
    assert [each.id for each in view.contradictions(9)] == [ended.id, strong.id, weak.id]
    assert [each.id for each in view.contradictions(1)] == [ended.id]
    places = view.places_of([each.memory.id for each in (one, other, third)])
    within = door.asking(SCOPE.within(third.memory.project))
    assert (
        view.tensions()
        == within.tensions()
        == {
            places[one.memory.id]: 0.4,
            places[other.memory.id]: 0.8,
            places[third.memory.id]: 0.8,
        }
    )
    assert within.contradictions(9) == []
    with door.transaction(SCOPE) as writes:
        writes.expire_link(strong.id, NOW, WRONG)
    assert set(view.tensions().values()) == {0.4}


def test_who_may_not_see_one_end_knows_of_no_contradiction(door: Door) -> None:
    own, shared = entry("The key is under the mat."), entry("The key is at the desk.", level=Level.COLLECTIVE)
    with door.transaction(SCOPE) as writes:
        writes.insert([own, shared])
        writes.link([link_of(own, shared, relation="CONTRADICTS")])
    other = door.asking(replace(SCOPE, agent="somebody"))
    assert other.contradictions(9) == [] and other.tensions() == {}
    assert len(door.asking(SCOPE).contradictions(9)) == 1


def test_the_same_link_is_written_once(door: Door) -> None:
    """With the same ends, relation and valid time; whoever plans by what is there is told what came since."""
    cause, effect = pair(door)
    first = link_of(cause, effect)

    def write(*links: Link, known: set[str] | None = None) -> int:
        with door.transaction(SCOPE) as writes:
            writes.link(links, known)
        return len(door.asking(SCOPE).links([cause.memory.logical_id], ALL))

    again = link_of(cause, effect, energy=0.1)
    assert write(first) == write(again) == write(again, link_of(cause, effect)) == 1
    assert write(link_of(cause, effect, relation="ENABLES"), link_of(effect, cause)) == 3
    assert write(link_of(cause, effect, valid_at=days(1)), link_of(cause, effect, invalid_at=days(1))) == 5
    with pytest.raises(PlanOutdated, match="linked meanwhile"):
        write(link_of(cause, effect, valid_at=days(2)), known={first.id})
    with door.transaction(SCOPE) as writes:
        writes.expire_link(first.id, NOW, WRONG)
        writes.link([again])
    on_record = [each.id for each in door.asking(SCOPE).links([cause.memory.logical_id])]
    assert again.id in on_record and first.id not in on_record and len(on_record) == 5
    itself = [link_of(cause, cause, relation="REVISES") for _ in range(2)]
    assert write(*itself) == 8
