"""The write path against a plain model of the two time axes: every answer at every moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.robustness.laws import forge

from engramforge.errors import Conflict, InvalidTime, NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Memory

__all__ = ["forge"]

DAY_ZERO = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = 8
_numbers = count(1)


def day(number: float) -> datetime:
    return DAY_ZERO + timedelta(days=number)


@dataclass(frozen=True)
class Record:
    """What the model holds of one record."""

    key: int
    version: int
    content: str
    valid: datetime
    invalid: datetime | None
    created: datetime
    expired: datetime | None = None
    ended: bool = False

    def counts_at(self, valid: datetime, recorded: datetime) -> bool:
        return (
            self.valid <= valid
            and (self.invalid is None or valid < self.invalid)
            and self.created <= recorded
            and (self.expired is None or recorded < self.expired)
        )


class Model:
    """Memories as lists of records, oldest first."""

    def __init__(self) -> None:
        self.memories: dict[int, list[Record]] = {}

    def remember(
        self, key: int, content: str, valid: datetime, invalid: datetime | None, now: datetime
    ) -> None:
        self.memories[key] = [Record(key, 1, content, valid, invalid, now)]

    def head(self, key: int) -> Record:
        """The record that a change changes: what is still open, and not a closing record."""
        found = [memory for memory in self.memories[key] if memory.expired is None and not memory.ended]
        if not found:
            raise Conflict("it ended")
        (head,) = found
        return head

    def change(self, key: int, content: str, at: datetime | None, now: datetime) -> None:
        """A revision (at None) or a supersession."""
        head = self.head(key)
        if at is not None:
            self._close(head, at, now)
        else:
            self._expire(head, now)
        valid = head.valid if at is None else at
        self.memories[key].append(Record(key, head.version + 1, content, valid, head.invalid, now))

    def invalidate(self, key: int, at: datetime, now: datetime) -> None:
        self._close(self.head(key), at, now)

    def refuse(self, key: int, at: datetime | None, ends: bool) -> None:
        """Raise what the product has to raise; an end may fall on the end, a successor would then hold for no time."""
        head = self.head(key)
        if at is None:
            return
        last = head.invalid if head.invalid is not None else datetime.max.replace(tzinfo=UTC)
        if not head.valid < at <= last or (at == last and not ends):
            raise InvalidTime("not within what the version held for")

    def _expire(self, head: Record, now: datetime) -> None:
        records = self.memories[head.key]
        records[records.index(head)] = replace(head, expired=now)

    def _close(self, head: Record, at: datetime, now: datetime) -> None:
        self._expire(head, now)
        self.memories[head.key].append(replace(head, invalid=at, created=now, ended=True))

    def told(self, valid: datetime, recorded: datetime) -> set[tuple[int, int, str]]:
        return {
            (record.key, record.version, record.content)
            for records in self.memories.values()
            for record in records
            if record.counts_at(valid, recorded)
        }


moments = st.integers(0, DAYS)
which = st.integers(0, 3)
deed = st.one_of(
    st.tuples(st.just("remember"), which, moments, st.one_of(st.none(), st.integers(1, 6))),
    st.tuples(st.just("revise"), which, st.none(), st.none()),
    st.tuples(st.just("supersede"), which, moments, st.none()),
    st.tuples(st.just("supersede"), which, moments, st.none()),
    st.tuples(st.just("invalidate"), which, moments, st.none()),
    st.tuples(st.just("forget"), which, st.none(), st.none()),
)


class Run:
    """The same deeds on the product and on the model."""

    def __init__(self, forge: Forge) -> None:
        self.forge = forge
        self.project = f"example {next(_numbers)}"
        forge.create_project(self.project)
        self.model = Model()
        self.ids: dict[int, str] = {}
        self.records: list[datetime] = []

    def do(self, name: str, key: int, number: int | None, length: int | None) -> None:
        text = f"harbour {name} {len(self.records)} of {key} in {self.project}"
        at = None if number is None else day(number)
        if name == "remember":
            if key in self.ids or at is None:
                return
            until = None if length is None else at + timedelta(days=length)
            made = self.forge.remember(text, project=self.project, valid_at=at, invalid_at=until)
            self.ids[key] = made.logical_id
            self.model.remember(key, text, at, until, made.created_at)
            self.records.append(made.created_at)
        elif key not in self.ids:
            return
        elif name == "forget":
            chosen = self.ids.pop(key)
            self.forge.forget(chosen)
            del self.model.memories[key]
            with pytest.raises(NotFound):
                self.forge.history(chosen)
        else:
            self._change(name, key, at, text)

    def _change(self, name: str, key: int, at: datetime | None, text: str) -> None:
        try:
            self.model.refuse(key, at, name == "invalidate")
        except (Conflict, InvalidTime) as expected:
            before = self.forge.history(self.ids[key])
            with pytest.raises(type(expected)):
                self._changed(name, key, at, text)
            assert self.forge.history(self.ids[key]) == before
            return
        new = self._changed(name, key, at, text)
        self.records.append(new.created_at)
        if name == "invalidate":
            assert at is not None
            self.model.invalidate(key, at, new.created_at)
        else:
            self.model.change(key, text, at, new.created_at)

    def _changed(self, name: str, key: int, at: datetime | None, text: str) -> Memory:
        logical_id = self.ids[key]
        if name == "revise":
            return self.forge.revise(logical_id, text)
        if name == "supersede":
            return self.forge.supersede(logical_id, text, at=at)
        return self.forge.invalidate(logical_id, at=at)

    def check(self) -> None:
        now = datetime.now(UTC)
        half = timedelta(microseconds=1)
        recorded = [now, *self.records, *(time - half for time in self.records)]
        points = {(now, known) for known in recorded}
        for number in range(-1, 2 * DAYS, 2):
            points |= {(day(number / 2), known) for known in (now, recorded[number % len(recorded)])}
        for number, (valid, known) in enumerate(sorted(points)):
            # A recall filters as a listing does, and takes longer: each fourth point, others in each run.
            self.check_at(valid, known, recalls=(number + len(self.records)) % 4 == 0)
        for key, logical_id in self.ids.items():
            shown = [
                Record(
                    key,
                    version.version,
                    version.content,
                    version.valid_at,
                    version.invalid_at,
                    version.created_at,
                    version.expired_at,
                )
                for version in self.forge.history(logical_id)
            ]
            # A version and the closing record of the one before it are written at the same moment.
            assert shown == [replace(memory, ended=False) for memory in self.model.memories[key]]

    def check_at(self, valid: datetime, recorded: datetime, *, recalls: bool) -> None:
        keys = {logical_id: key for key, logical_id in self.ids.items()}
        expected = self.model.told(valid, recorded)
        assert len({key for key, _, _ in expected}) == len(expected), "two truths at one moment"
        point: dict[str, Any] = {"project": self.project, "as_of_valid": valid, "as_of_recorded": recorded}
        listed = self.forge.memories(limit=1_000, **point)
        assert {(keys[memory.logical_id], memory.version, memory.content) for memory in listed} == expected
        assert len(listed) == len(expected)
        if not recalls:
            return
        hits = self.forge.recall("harbour", limit=1_000, budget=None, **point).hits
        assert {
            (keys[hit.memory.logical_id], hit.memory.version, hit.memory.content) for hit in hits
        } == expected
        assert len(hits) == len(expected)


@settings(max_examples=25, deadline=None)
@given(deeds=st.lists(deed, min_size=1, max_size=12))
def test_the_store_answers_as_the_laws_say(forge: Forge, deeds: list[tuple[Any, ...]]) -> None:
    run = Run(forge)
    for name, key, number, length in deeds:
        run.do(name, key, number, length)
    run.check()


def test_what_held_before_asked_today_still_answers(forge: Forge) -> None:
    """The laws in one story, told by hand."""
    run = Run(forge)
    for step in (
        ("remember", 0, 1, None),
        ("supersede", 0, 5, None),
        ("revise", 0, None, None),
        ("supersede", 0, 5, None),  # refused: not after it became true
        ("supersede", 0, 9, None),
        ("invalidate", 0, 11, None),
        ("revise", 0, None, None),  # refused: it ended
    ):
        run.do(*step)
    run.check()
    chosen = run.ids[0]
    told = {
        number: [memory.version for memory in forge.memories(project=run.project, as_of_valid=day(number))]
        for number in (0, 1, 4, 5, 8, 9, 10, 11)
    }
    assert told == {0: [], 1: [1], 4: [1], 5: [3], 8: [3], 9: [4], 10: [4], 11: []}
    assert [version.version for version in forge.history(chosen)] == [1, 1, 2, 3, 3, 4, 4]
    assert forge.memories(project=run.project) == []
