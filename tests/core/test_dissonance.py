"""Dissonances from records."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.history.beliefs import beliefs_of, changes_of, is_closing, next_version
from engramforge.core.history.dissonance import base_identity, dissonances
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Turn

DAY = timedelta(days=1)
START = datetime(2026, 3, 1, tzinfo=UTC)
FALSE, CHANGED = InvalidationReason.DISCOVERED_FALSE, InvalidationReason.REALITY_CHANGED


def record(version: int, on: int, until: int | None = None, *, belief: str = "b", **fields: object) -> Memory:
    """A record of a belief, known from day `on` until day `until`."""
    plain: dict[str, object] = {
        "id": f"{belief}-{version}-{on}",
        "logical_id": belief,
        "version": version,
        "kind": Kind.NOTE,
        "content": f"{belief} as of {version}",
        "source": Source.API,
        "project": "p",
        "valid_at": START,
        "created_at": START + on * DAY,
        "expired_at": None if until is None else START + until * DAY,
    }
    return Memory(**(plain | fields))  # type: ignore[arg-type]


def test_a_revision_is_one_dissonance() -> None:
    old = record(1, 0, 2, invalidation_reason=FALSE, correction_id="b-2-2", name="gate")
    new = record(2, 2, discovery_energy=0.8, emotion_vector={"surprise": 0.7}, goal="get it right")
    (found,) = dissonances([new, old])
    assert (found.original, found.corrected, found.reason) == (old.content, new.content, FALSE)
    assert (found.belief_id, found.original_version, found.corrected_version) == ("b", 1, 2)
    assert (found.held_from, found.held_until) == (START, START + 2 * DAY)
    assert found.corrected_at == new.created_at
    assert (found.discovery_energy, found.emotions) == (0.8, {"surprise": 0.7})
    assert found.trigger == "Corrected by version 2, serving: get it right"
    assert (found.name, found.correction_id) == ("gate", "b-2-2")


def test_a_closing_record_counts_with_its_version() -> None:
    old = record(1, 0, 2, invalidation_reason=CHANGED)
    closing = record(1, 2, id="closing", invalid_at=START + DAY, invalidation_reason=CHANGED)
    new = record(2, 2)
    (found,) = dissonances([old, closing, new])
    assert (found.original_id, found.corrected_id, found.reason) == (old.id, new.id, CHANGED)
    assert found.discovery_energy == 0.5
    assert beliefs_of([new, closing, old]) == [old, new]
    assert is_closing(closing, [old, closing, new]) and not is_closing(new, [old, closing, new])


def test_what_only_ended_is_no_dissonance() -> None:
    old = record(1, 0, 2, invalidation_reason=CHANGED)
    closing = record(1, 2, id="closing", invalid_at=START + DAY, invalidation_reason=CHANGED)
    assert dissonances([old, closing]) == []
    assert dissonances([]) == []


def test_a_correction_from_elsewhere_names_the_memory() -> None:
    old = record(1, 0, 2, invalidation_reason=FALSE, correction_id="another")
    (found,) = dissonances([old, record(2, 2)])
    assert (found.trigger, found.correction_id) == ("Corrected by memory another", "another")


@pytest.mark.parametrize("told", [{"name": "pump_v{}"}, {"metadata": "pump_v{}"}, {"name": "pump-V{}"}])
def test_records_imported_apart_are_versions_by_their_suffix(told: dict[str, str]) -> None:
    def imported(number: int, on: int) -> Memory:
        (key, pattern), *_ = told.items()
        said = pattern.format(number)
        value = {"id": said} if key == "metadata" else said
        return record(1, on, belief=f"i{number}", source=Source.IMPORT, **{key: value})

    first, second, third = imported(1, 0), replace(imported(2, 3), invalid_at=START + 9 * DAY), imported(3, 5)
    found = dissonances([third, first, second])
    assert [(each.original_id, each.corrected_id) for each in found] == [
        (first.id, second.id),
        (second.id, third.id),
    ]
    assert [(each.original_version, each.corrected_version) for each in found] == [(1, 2), (2, 3)]
    assert {each.belief_id for each in found} == {"pump"}
    assert [each.reason for each in found] == [None, CHANGED]
    assert found[0].held_until == second.created_at
    # Of another project, by another agent, or not imported: another belief.
    assert dissonances([first, replace(second, project="q")]) == []
    assert dissonances([first, replace(second, agent="ben")]) == []
    assert dissonances([first, replace(second, source=Source.API)]) == []


def test_the_reason_of_an_imported_record_may_stand_in_its_metadata() -> None:
    meta = {"id": "pump_v1", "invalidation_reason": "discovered_false"}
    first = record(1, 0, belief="x", source=Source.IMPORT, metadata=meta)
    second = record(1, 1, belief="y", source=Source.IMPORT, metadata={"id": "pump_v2"})
    (found,) = dissonances([first, second])
    assert found.reason is FALSE


@pytest.mark.parametrize(
    ("identity", "base"),
    [
        ("decision_v2_pump_v1", ("decision_v2_pump", 1)),
        ("pump-v12", ("pump", 12)),
        ("pump", None),
        ("v1", None),
        ("_v1", None),
        ("pump_v", None),
        ("pump_v1_old", None),
        ("two lines\nlong_v3", ("two lines\nlong", 3)),
    ],
)
def test_the_base_of_an_identity(identity: str, base: tuple[str, int] | None) -> None:
    assert base_identity(identity) == base


@st.composite
def histories(draw: st.DrawFn) -> list[Memory]:
    """Histories of some beliefs: versions one after the other, some with a closing record, all records shuffled."""
    found: list[Memory] = []
    for belief in draw(st.sets(st.sampled_from("abc"), min_size=1)):
        day = draw(st.integers(0, 3))
        length = draw(st.integers(1, 5))
        for version in range(1, length + 1):
            until = day + draw(st.integers(1, 3)) if version < length else None
            reason = draw(st.sampled_from([FALSE, CHANGED])) if until is not None else None
            # What replaced a version that was wrong is named on it; one without a successor was taken back.
            successor = f"{belief}-{version + 1}-{until}" if reason is FALSE else None
            told = {"invalidation_reason": reason, "correction_id": successor}
            found.append(record(version, day, until, belief=belief, **told))
            if until is not None and reason is CHANGED:
                end = START + draw(st.integers(1, 9)) * DAY
                closing = record(version, until, belief=belief, id=f"{belief}-{version}-closing")
                found.append(replace(closing, invalid_at=end, invalidation_reason=CHANGED))
            day = day if until is None else until
    return draw(st.permutations(found))


@given(histories())
def test_every_superseded_version_has_one_with_its_successor(records: list[Memory]) -> None:
    found = dissonances(records)
    beliefs = {
        belief: beliefs_of([memory for memory in records if memory.logical_id == belief]) for belief in "abc"
    }
    assert len(found) == sum(max(len(versions) - 1, 0) for versions in beliefs.values())
    for each in found:
        assert each.corrected_version == each.original_version + 1
        assert each.held_from < each.held_until == each.corrected_at
        first = beliefs[each.belief_id][each.original_version - 1]
        assert (each.original, each.reason) == (first.content, first.invalidation_reason)
    assert [each.corrected_at for each in found] == sorted(each.corrected_at for each in found)
    assert found == dissonances(sorted(records, key=lambda item: item.id))


@given(histories())
def test_changes_tell_every_turn_once(records: list[Memory]) -> None:
    own = [memory for memory in records if memory.logical_id == records[0].logical_id]
    changes = changes_of(own)
    assert [each.at for each in changes] == sorted((each.at for each in changes), reverse=True)
    turns = [each.turn for each in changes]
    assert turns.count(Turn.RECORDED) == len(beliefs_of(own)) == next_version(own) - 1
    assert turns.count(Turn.END_RECORDED) == len(own) - len(beliefs_of(own))
    assert turns.count(Turn.EXPIRED) == sum(version.expired_at is not None for version in own)
    assert turns.count(Turn.BECAME_TRUE) == sum(version.expired_at is None for version in own)
