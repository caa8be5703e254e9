"""Walks along links, held by every engine: breadth first, the strongest first, bounded, in time and in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
import uuid_utils
from tests.conformance.conftest import START, days, entry
from tests.conformance.test_links import ALL, SCOPE, WRONG, at, link_of

from engramforge.errors import InvalidTime
from engramforge.model.limits import WALKED_LINKS
from engramforge.model.link import Link, WalkedLink
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import TemporalMode, TimeRange
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates


def notes(door: Door, names: str, scope: Scope = SCOPE, **fields: Any) -> dict[str, Entry]:
    """A memory for each letter."""
    made = {name: entry(name, **fields) for name in names}
    with door.transaction(scope) as writes:
        writes.insert(list(made.values()))
    return made


def connect(
    door: Door, made: dict[str, Entry], *said: str, scope: Scope = SCOPE, **fields: Any
) -> list[Link]:
    """Links from texts: "ab.7" leads from a to b with the energy 0.7."""
    links = [link_of(made[text[0]], made[text[1]], energy=float(f"0{text[2:]}"), **fields) for text in said]
    with door.transaction(scope) as writes:
        writes.link(links)
    return links


def walk(
    door: Door,
    made: dict[str, Entry],
    start: str,
    depth: int,
    fan_out: int = 100,
    scope: Scope = SCOPE,
    **more: Any,
) -> list[str]:
    """The links of a walk as the letters of their ends and their depth."""
    names = {each.memory.logical_id: name for name, each in made.items()}
    found = door.asking(scope).neighbours(
        [made[name].memory.logical_id for name in start], depth, fan_out, **more
    )
    return [f"{names[each.source_id]}{names[each.target_id]}{each.depth}" for each in found]


def test_a_walk_is_by_depth_then_strength_in_either_direction(door: Door) -> None:
    made = notes(door, "abcdef")
    connect(door, made, "ab.2", "ca.6", "bd.9", "ec.3", "ef.8")
    assert walk(door, made, "a", 1) == ["ca1", "ab1"]
    assert walk(door, made, "a", 2) == ["ca1", "ab1", "bd2", "ec2"]
    assert walk(door, made, "a", 3) == ["ca1", "ab1", "bd2", "ec2", "ef3"]
    assert walk(door, made, "a", 4) == walk(door, made, "a", 3)
    assert walk(door, made, "ae", 1) == ["ef1", "ca1", "ec1", "ab1"]


def test_a_link_comes_whole_with_its_depth(door: Door) -> None:
    made = notes(door, "ab")
    (link,) = connect(door, made, "ab.5", extra={"deep": [1, None]}, sensory_details={"sound": "a horn"})
    (met,) = door.asking(SCOPE).neighbours([made["b"].memory.logical_id], 2, 3)
    assert isinstance(met, WalkedLink) and met.depth == 1
    assert Link(**{name: getattr(met, name) for name in Link.__dataclass_fields__}) == link


def test_of_equally_strong_links_the_newest_come_first(door: Door) -> None:
    made = notes(door, "abcde")
    links = connect(door, made, "ab.5", "ca.5", "ad.5", "ea.5")
    newest = sorted((link.id for link in links), reverse=True)
    for fan_out in range(1, 5):
        found = door.asking(SCOPE).neighbours([made["a"].memory.logical_id], 1, fan_out)
        assert [each.id for each in found] == newest[:fan_out]


def test_the_fan_out_bounds_every_memory_and_no_way_back_counts(door: Door) -> None:
    made = notes(door, "abcdefg")
    connect(door, made, "ab.9", "ac.8", "ad.1", "be.2", "bf.3", "gb.1")
    assert walk(door, made, "a", 1, 2) == ["ab1", "ac1"]
    # The link that led to b is its strongest, and takes no place of those that lead on.
    assert walk(door, made, "a", 2, 1) == ["ab1", "bf2"]
    assert walk(door, made, "a", 2, 2) == ["ab1", "ac1", "bf2", "be2"]
    # What is too weak at one end is met from the other.
    assert walk(door, made, "d", 2, 1) == ["ad1", "ab2"]


def test_cycles_double_links_and_loops_end(door: Door) -> None:
    made = notes(door, "abc")
    connect(door, made, "ab.5", "bc.6", "ca.4", "ba.3", "aa.9")
    assert walk(door, made, "a", 4) == ["ab1", "ca1", "ba1", "bc2"]
    assert walk(door, made, "a", 1, 1) == ["ab1"]
    assert walk(door, made, "abc", 4) == ["bc1", "ab1", "ca1", "ba1"]


def test_a_hub_gives_its_strongest_links(door: Door) -> None:
    hub, *others = (entry(f"note {number}") for number in range(301))
    links = [
        link_of(*((hub, other) if number % 2 else (other, hub)), energy=number % 100 / 100)
        for number, other in enumerate(others)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert([hub, *others])
        writes.link(links)
    strongest = sorted(links, key=lambda link: (link.energy, link.id), reverse=True)
    start = others[0].memory.logical_id
    first, *rest = door.asking(SCOPE).neighbours([start], 2, 7)
    assert (first.id, first.depth) == (links[0].id, 1)
    assert [each.id for each in rest] == [link.id for link in strongest[:7]]


@pytest.mark.parametrize(
    ("valid", "recorded", "seen"),
    [
        (days(1), days(2), ["ab1", "bc2"]),
        (days(0), days(2), ["ab1"]),
        (days(1), days(1), ["ab1"]),
        (days(3), days(4), ["ab1"]),
        (days(2), days(5), ["ab1"]),
        (days(-1), days(2), []),
    ],
)
def test_both_axes_hold_at_every_step(
    door: Door, valid: datetime, recorded: datetime, seen: list[str]
) -> None:
    made = notes(door, "abc")
    connect(door, made, "ab.5")
    (link,) = connect(door, made, "bc.5", valid_at=days(1), invalid_at=days(3), created_at=days(2))
    with door.transaction(SCOPE) as writes:
        writes.expire_link(link.id, days(5), WRONG)
    assert walk(door, made, "a", 2, selection=at(valid, recorded)) == seen


def test_what_is_off_the_record_takes_no_place_and_is_in_history(door: Door) -> None:
    made = notes(door, "abcd")
    gone, *_ = connect(door, made, "ab.9", "ac.5", "cd.5")
    with door.transaction(SCOPE) as writes:
        writes.expire_link(gone.id, days(1), WRONG)
    assert walk(door, made, "a", 2, 1) == ["ac1", "cd2"]
    assert walk(door, made, "a", 2, 1, selection=ALL) == ["ab1"]
    during = Selection(mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(START, days(1)))
    assert walk(door, made, "a", 2, 2, selection=during) == ["ab1", "ac1", "cd2"]
    with pytest.raises(InvalidTime):
        walk(door, made, "a", 2, selection=Selection(mode=TemporalMode.POINT_IN_TIME))


def test_only_links_of_a_relation_are_followed(door: Door) -> None:
    made = notes(door, "abcd")
    connect(door, made, "ab.9", "cd.9", relation="MENTIONS")
    connect(door, made, "ac.1", "bd.1")
    assert walk(door, made, "a", 2, 1, relation="CAUSES") == ["ac1"]
    assert walk(door, made, "a", 3, 1, relation="MENTIONS") == ["ab1"]


def test_a_walk_does_not_pass_what_another_agent_keeps(door: Door) -> None:
    ann, bob = Scope(agent="ann"), Scope(agent="bob")
    made = notes(door, "ac", ann, agent="ann", level=Level.COLLECTIVE) | notes(door, "b", ann, agent="ann")
    connect(door, made, "ab.9", "bc.9", scope=ann)
    made |= notes(door, "d", bob, agent="bob")
    connect(door, made, "da.1", scope=bob)
    assert walk(door, made, "a", 2, scope=ann) == ["ab1", "bc2"]
    # What he cannot see takes no place in the fan-out either, and is no start.
    assert walk(door, made, "a", 2, 1, scope=bob) == ["da1"]
    assert walk(door, made, "b", 4, scope=bob) == []
    assert walk(door, made, "b", 1, scope=replace(bob, every_agent=True)) == ["bc1", "ab1"]


def test_a_walk_stays_within_the_projects_of_its_scope(door: Door) -> None:
    made = notes(door, "ab", project="here") | notes(door, "c", project="there")
    connect(door, made, "ab.1", "ac.9", "bc.9")
    assert walk(door, made, "a", 2, 1, scope=SCOPE.within("here")) == ["ab1"]
    assert walk(door, made, "a", 2, 9, scope=SCOPE.within("here", "there")) == ["ac1", "ab1", "bc2"]


@pytest.mark.parametrize("asked", [[], ["no id"], [str(uuid_utils.uuid7())]])
def test_nothing_leads_on_from_what_is_not_there(door: Door, asked: Sequence[str]) -> None:
    made = notes(door, "ab")
    connect(door, made, "ab.5")
    assert door.asking(SCOPE).neighbours(asked, 4, 5) == []


def test_a_walk_ends_at_its_limit_with_the_strongest(door: Door) -> None:
    start = entry("start")
    near, far = ([entry(f"{name} {number}") for number in range(33)] for name in ("near", "far"))
    first = [link_of(start, each, energy=0.1) for each in near]
    second = [
        link_of(item, other, energy=(index * 33 + place) / 1_089)
        for index, item in enumerate(near)
        for place, other in enumerate(far)
    ]
    assert len(first) + len(second) > WALKED_LINKS
    with door.transaction(SCOPE) as writes:
        writes.insert([start, *near, *far])
        writes.link([*first, *second])
    for depth in (2, 4):
        found = door.asking(SCOPE).neighbours([start.memory.logical_id], depth, 100)
        assert len(found) == WALKED_LINKS
        expected = sorted(second, key=lambda link: link.energy, reverse=True)[: WALKED_LINKS - 33]
        assert [each.id for each in found[33:]] == [link.id for link in expected]


def test_parallel_links_leave_room_for_steps_to_others(door: Door) -> None:
    made = notes(door, "abcdef")
    for number in range(30):
        connect(door, made, "ab.9", "ca.9", "ad.8", relation=f"FEEDS_{number}")
    connect(door, made, "ae.3", "fa.1", "aa.9")
    connect(door, made, "ae.2", relation="ENABLES")
    found = door.asking(SCOPE).steps(at(START, START), [made["a"].memory.logical_id], 12)
    names = {each.memory.logical_id: name for name, each in made.items()}
    told = [names[each.source_id] + names[each.target_id] for each in found]
    assert set(told) == {"ab", "ca", "ad", "ae", "fa"}
    energies = [each.energy for each in found]
    assert energies == sorted(energies, reverse=True) and len({each.id for each in found}) == len(found)
    few = door.asking(SCOPE).steps(at(START, START), [made["e"].memory.logical_id], 12)
    assert [each.energy for each in few] == [0.3, 0.2]


def test_links_of_some_relations_are_read_by_themselves(door: Door) -> None:
    made = notes(door, "abcdef")
    for number in range(30):
        connect(door, made, "ab.9", "ca.9", relation=f"FEEDS_{number}")
    connect(door, made, "ad.2", "ea.3", "aa.9", relation="ALLIED_WITH")
    connect(door, made, "bf.4", relation="ALLIED_WITH")
    connect(door, made, "bf.4", relation="OWNS")
    asked, here = door.asking(SCOPE), [made["a"].memory.logical_id]
    now = at(START, START)
    assert asked.relations_at(now, here) == sorted(
        ["ALLIED_WITH", *(f"FEEDS_{number}" for number in range(30))]
    )
    assert asked.relations_at(now, [made["f"].memory.logical_id]) == ["ALLIED_WITH", "OWNS"]
    assert asked.relations_at(now, []) == [] == asked.steps_by(now, here, [], 9)
    names = {each.memory.logical_id: name for name, each in made.items()}

    def told(most: int, *of: str) -> list[str]:
        ids = [made[each].memory.logical_id for each in of]
        found = asked.steps_by(now, ids, ["ALLIED_WITH", "UNKNOWN"], most)
        return [names[each.source_id] + names[each.target_id] for each in found]

    assert told(9, "a") == ["ea", "ad"] and told(1, "a") == ["ea"]
    assert told(9, *"ab") == ["bf", "ea", "ad"]
