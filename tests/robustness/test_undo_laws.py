"""Laws of the two time axes over random changes, undos among them, on every engine."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.robustness.laws import CLOCK, forge

from engramforge.core.history.beliefs import holds_at
from engramforge.errors import CallerError, Conflict, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Memory

__all__ = ["forge"]

DAYS = 8
_numbers = count(1)
MICROSECOND = timedelta(microseconds=1)


def day(number: float) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


POINTS = [day(number / 2) for number in range(-1, 2 * DAYS + 3)]
moments = st.integers(0, DAYS)
which = st.integers(0, 2)
deed = st.one_of(
    st.tuples(st.just("remember"), which, moments, st.one_of(st.none(), st.integers(1, 6))),
    st.tuples(st.just("revise"), which, st.none(), st.none()),
    st.tuples(st.just("correct"), which, st.one_of(st.none(), moments), st.one_of(st.none(), moments)),
    st.tuples(st.just("correct past"), which, st.one_of(st.none(), moments), moments),
    st.tuples(st.just("supersede"), which, moments, st.none()),
    st.tuples(st.just("supersede"), which, moments, st.none()),
    st.tuples(st.just("invalidate"), which, moments, st.none()),
    st.tuples(st.just("undo"), st.just(0), st.none(), st.none()),
    st.tuples(st.just("undo"), st.just(0), st.none(), st.none()),
    st.tuples(st.just("redo"), st.just(0), st.none(), st.none()),
)
Told = dict[datetime, set[tuple[str, str]]]


@dataclass
class Story:
    """Deeds on one project, and what it answered after each.

    `seen`: every record after the last deed.
    """

    forge: Forge
    project: str = field(default_factory=lambda: f"story {next(_numbers)}")
    ids: dict[int, str] = field(default_factory=dict)
    answers: list[tuple[datetime, Told]] = field(default_factory=list)
    seen: list[Memory] = field(default_factory=list)
    changes: int = 0
    undone: int = 0

    def __post_init__(self) -> None:
        self.forge.create_project(self.project)

    def do(self, name: str, key: int, first: int | None, second: int | None) -> bool:
        """Whether the deed was allowed; a refused one has changed nothing."""
        try:
            self._do(name, key, first, second)
        except CallerError:
            assert self.records() == self.seen
            return False
        self.look()
        if name not in ("undo", "redo"):
            self.changes, self.undone = self.changes + 1, 0
        return True

    def _do(self, name: str, key: int, first: int | None, second: int | None) -> None:
        # A note that says the same again is a duplicate: it changes nothing, and there is nothing to undo.
        text = f"harbour {name} {next(_numbers)} of {key} in {self.project}"
        at = None if first is None else day(first)
        if name == "undo":
            if not self.changes:
                raise NotFound("Nothing of this story is left to undo")
            self.forge.undo()
            self.changes, self.undone = self.changes - 1, self.undone + 1
            return
        if name == "redo":
            if not self.undone:
                raise NotFound("Nothing of this story is left to redo")
            self.forge.redo()
            self.changes, self.undone = self.changes + 1, self.undone - 1
            return
        if name == "remember":
            until = None if second is None or at is None else at + timedelta(days=second)
            made = self.forge.remember(text, project=self.project, valid_at=at, invalid_at=until)
            self.ids[key] = made.logical_id
            return
        if key not in self.ids:
            raise NotFound("Not remembered yet")
        chosen = self.ids[key]
        times = {
            each: day(value)
            for each, value in (("valid_at", first), ("invalid_at", second))
            if value is not None
        }
        if name == "revise":
            self.forge.revise(chosen, text)
        elif name == "correct":
            self.forge.revise(chosen, **times)
        elif name == "correct past":
            self.forge.revise(chosen, version=1, **times)
        elif name == "supersede":
            self.forge.supersede(chosen, text, at=at)
        else:
            self.forge.invalidate(chosen, at=at)

    def look(self) -> None:
        """See what is recorded now."""
        self.seen = self.records()

    def records(self) -> list[Memory]:
        """Every record of the project, read anew."""
        found = self.forge.memories(project=self.project, mode="full_history", limit=1_000)
        return sorted(found, key=lambda record: record.id)

    def told(self, recorded: datetime) -> Told:
        """What is true at each point, as known at a time, by the records seen."""
        return {
            valid: {
                (record.logical_id, record.content)
                for record in self.seen
                if holds_at(record, valid, recorded)
            }
            for valid in POINTS
        }

    def told_now(self) -> Told:
        """What is true at each point, as known after the last change; read anew."""
        self.look()
        return self.told(self.latest())

    def latest(self) -> datetime:
        """When the last change that was seen was recorded, else now."""
        times = [
            at for record in self.seen for at in (record.created_at, record.expired_at) if at is not None
        ]
        return max(times, default=CLOCK())


def check_one_truth(records: list[Memory]) -> None:
    """No two records of a memory hold at one point of both axes: their rectangles are apart."""
    end = datetime.max.replace(tzinfo=UTC)
    for number, record in enumerate(records):
        assert record.invalid_at is None or record.valid_at < record.invalid_at
        assert record.expired_at is None or record.created_at < record.expired_at
        for other in records[number + 1 :]:
            if record.logical_id != other.logical_id:
                continue
            in_valid = max(record.valid_at, other.valid_at) < min(
                record.invalid_at or end, other.invalid_at or end
            )
            in_recorded = max(record.created_at, other.created_at) < min(
                record.expired_at or end, other.expired_at or end
            )
            assert not (in_valid and in_recorded), (record, other)


@settings(max_examples=30, deadline=None)
@given(deeds=st.lists(deed, min_size=1, max_size=14))
def test_nothing_that_was_answered_ever_changes(forge: Forge, deeds: list[tuple[Any, ...]]) -> None:
    story = Story(forge)
    for item in deeds:
        if story.do(*item):
            story.answers.append((story.latest(), story.told(story.latest())))
    story.look()
    for recorded, told in story.answers:
        assert story.told(recorded) == told
    check_one_truth(story.seen)


@settings(max_examples=12, deadline=None)
@given(deeds=st.lists(deed, min_size=1, max_size=8), point=st.sampled_from(POINTS))
def test_the_store_answers_what_its_records_say(
    forge: Forge, deeds: list[tuple[Any, ...]], point: datetime
) -> None:
    story = Story(forge)
    for item in deeds:
        if story.do(*item):
            story.answers.append((story.latest(), story.told(story.latest())))
    for recorded, told in story.answers:
        asked: dict[str, Any] = {"as_of_valid": point, "as_of_recorded": recorded, "project": story.project}
        listed = forge.memories(limit=1_000, **asked)
        assert {(memory.logical_id, memory.content) for memory in listed} == told[point]
        hits = forge.recall("harbour", budget=None, limit=1_000, **asked).hits
        assert {(hit.memory.logical_id, hit.memory.content) for hit in hits} == told[point]
        for chosen in story.ids.values():
            seen = forge.timeline(chosen, as_of_valid=point, as_of_recorded=recorded).believed
            assert {(memory.logical_id, memory.content) for memory in seen} == {
                each for each in told[point] if each[0] == chosen
            }
    of_project: dict[str, Any] = {"project": story.project, "limit": 1_000}
    now = CLOCK()
    current = forge.memories(**of_project)
    assert current == forge.memories(as_of=now, **of_project)
    assert current == forge.memories(mode="point_in_time", as_of_valid=now, as_of_recorded=now, **of_project)
    everything = forge.memories(mode="full_history", **of_project)
    assert forge.memories(mode="evolution", **of_project) == everything
    versions = {(memory.logical_id, memory.version) for memory in everything}
    found = forge.recall("harbour", budget=None, mode="full_history", **of_project)
    assert {(hit.memory.logical_id, hit.memory.version) for hit in found.hits} == versions
    assert len(found.hits) == len(versions)
    for begin, end in pairwise([day(-1), *(at for at, _ in story.answers)]):
        within = forge.memories(mode="evolution", recorded_since=begin, recorded_until=end, **of_project)
        assert within == [
            memory
            for memory in everything
            if memory.created_at < end and (memory.expired_at is None or memory.expired_at > begin)
        ]


@settings(max_examples=30, deadline=None)
@given(deeds=st.lists(deed, min_size=1, max_size=8))
def test_undos_tell_what_was_told_before_and_redos_what_was_told_then(
    forge: Forge, deeds: list[tuple[Any, ...]]
) -> None:
    story = Story(forge)
    states = [story.told_now()]
    done = (item for item in deeds if item[0] not in ("undo", "redo") and story.do(*item))
    states += [story.told(story.latest()) for _ in done]
    if len(states) < 2:
        return
    back = states[-2::-1]
    for _ in range(2):
        for state in back:
            forge.undo()
            assert story.told_now() == state
        assert all(not forge.timeline(identity).dissonances for identity in story.ids.values())
        for state in states[1:]:
            forge.redo()
            assert story.told_now() == state
        with pytest.raises(NotFound, match="to redo"):
            forge.redo()
    check_one_truth(story.records())


@settings(max_examples=20, deadline=None)
@given(deeds=st.lists(st.tuples(deed, st.integers(-40, 20)), min_size=1, max_size=10))
def test_a_clock_that_jumps_leaves_one_truth(forge: Forge, deeds: list[tuple[Any, int]]) -> None:
    story = Story(forge)
    recorded: list[datetime] = []
    try:
        for item, minutes in deeds:
            CLOCK.offset = timedelta(minutes=minutes)
            # A deed may itself lie behind what a clock ahead has recorded; then it is refused or recorded after it.
            if story.do(*item):
                recorded.append(CLOCK())
    finally:
        CLOCK.offset = timedelta()
    check_one_truth(story.records())
    for logical_id in story.ids.values():
        with suppress(NotFound):
            versions = [version.version for version in forge.history(logical_id)]
            assert set(versions) == set(range(1, max(versions) + 1))


def test_what_cannot_be_asked_is_refused(forge: Forge) -> None:
    story = Story(forge)
    story.do("remember", 0, 1, None)
    chosen = story.ids[0]
    naive = datetime(2025, 1, 2)  # noqa: DTZ001 - the fault
    for asked, kind, said in (
        ({"mode": "point_in_time"}, InvalidTime, "without a time"),
        ({"mode": "evolution", "as_of": day(1)}, InvalidTime, "with the mode evolution"),
        ({"mode": "current", "as_of_valid": day(1)}, InvalidTime, "with the mode current"),
        ({"mode": "full_history", "recorded_since": day(1)}, InvalidTime, "with the mode full_history"),
        ({"recorded_until": day(1)}, InvalidTime, "with the mode current"),
        (
            {"mode": "evolution", "recorded_since": day(2), "recorded_until": day(1)},
            InvalidTime,
            "before it begins",
        ),
        ({"mode": "evolution", "recorded_since": naive}, InvalidTime, "no time zone"),
        ({"as_of": naive}, InvalidTime, "no time zone"),
        ({"as_of": day(1), "as_of_valid": day(1)}, InvalidTime, "together with one of its axes"),
        ({"mode": "evolutoin"}, InvalidValue, "Did you mean evolution"),
    ):
        for ask in (lambda **times: forge.recall("harbour", **times), forge.memories):
            with pytest.raises(kind, match=said):
                ask(**asked)
    with pytest.raises(InvalidTime, match="before it begins"):
        forge.timeline(since=day(2), until=day(1))
    with pytest.raises(InvalidTime, match="without a memory"):
        forge.timeline(as_of=day(1))
    with pytest.raises(InvalidValue, match="together with filters"):
        forge.timeline(chosen, kinds="note")
    with pytest.raises(NotFound):
        forge.timeline("nothing")


def test_a_past_that_was_wrong_can_be_corrected(forge: Forge) -> None:
    made = forge.remember("the quay is wood", valid_at=day(1))
    forge.supersede(made.id, "the quay is stone", at=day(5))
    with pytest.raises(InvalidTime, match="meets version 2"):
        forge.revise(made.id, version=1, invalid_at=day(6))
    with pytest.raises(InvalidTime, match="meets version 1"):
        forge.revise(made.id, valid_at=day(4))
    with pytest.raises(InvalidTime, match="not after"):
        forge.revise(made.id, version=1, invalid_at=day(0))
    with pytest.raises(InvalidValue, match="only its times"):
        forge.revise(made.id, "the quay is brick", version=1)
    with pytest.raises(NotFound, match="Version 7"):
        forge.revise(made.id, version=7, invalid_at=day(4))
    assert len(forge.history(made.id)) == 3
    earlier = CLOCK()
    closing = forge.revise(made.id, version=1, invalid_at=day(3))
    assert (closing.version, closing.content, closing.invalid_at) == (1, "the quay is wood", day(3))
    forge.revise(made.id, valid_at=day(3))

    def told(number: float, recorded: datetime | None = None) -> list[str]:
        seen = forge.timeline(made.id, as_of_valid=day(number), as_of_recorded=recorded)
        return [memory.content for memory in seen.believed]

    assert told(4) == ["the quay is stone"] and told(2) == ["the quay is wood"] and told(0.5) == []
    assert told(4, earlier) == ["the quay is wood"]
    forge.invalidate(made.id, at=day(7), reason="torn down")
    with pytest.raises(Conflict, match="already ended"):
        forge.revise(made.id, "the quay is brick")
    assert told(8) == []
    forge.revise(made.id, invalid_at=day(9))
    assert told(8) == ["the quay is stone"]
    again = forge.revise(made.id, invalid_at=None)
    assert again.invalid_at is None and told(20) == ["the quay is stone"]
    assert forge.check() == []
