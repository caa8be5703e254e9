"""Imported history keeps its time: `recorded_at` of revise and supersede."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engramforge.errors import InvalidTime
from engramforge.forge import Forge
from engramforge.model.memory import Memory

TRUE_SINCE = datetime(2019, 1, 1, tzinfo=UTC)
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
SECOND = datetime(2021, 1, 1, tzinfo=UTC)
THIRD = datetime(2022, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def gate(forge: Forge) -> Memory:
    return forge.remember("the gate is open", kind="decision", valid_at=TRUE_SINCE, recorded_at=FIRST)


def told(forge: Forge, **when: datetime) -> list[str]:
    return [memory.content for memory in forge.memories(**when)]  # type: ignore[arg-type]


def test_a_superseded_past_is_read_as_it_was_recorded(forge: Forge, gate: Memory) -> None:
    shut = forge.supersede(gate.id, "the gate is shut", recorded_at=SECOND)
    assert (shut.created_at, shut.valid_at) == (SECOND, SECOND)
    gone = forge.supersede(gate.id, "the gate is gone", at="2021-06-01", recorded_at=THIRD)
    assert (gone.created_at, gone.valid_at) == (THIRD, datetime(2021, 6, 1, tzinfo=UTC))
    assert told(forge, as_of_recorded=FIRST - MICROSECOND) == []
    assert told(forge, as_of_recorded=FIRST) == ["the gate is open"]
    assert told(forge, as_of_recorded=SECOND - MICROSECOND) == ["the gate is open"]
    assert told(forge, as_of_recorded=SECOND) == ["the gate is shut"]
    assert told(forge, as_of_recorded=THIRD) == told(forge) == ["the gate is gone"]
    # Seen from today, and from then.
    summer = datetime(2021, 7, 1, tzinfo=UTC)
    assert told(forge, as_of_valid=summer) == ["the gate is gone"]
    assert told(forge, as_of=summer) == ["the gate is shut"]
    assert told(forge, as_of_valid=TRUE_SINCE) == ["the gate is open"]
    assert told(forge, as_of_valid=TRUE_SINCE - MICROSECOND) == []
    assert forge.check() == []


def test_a_revised_past_is_read_as_it_was_recorded(forge: Forge, gate: Memory) -> None:
    new = forge.revise(gate.id, "the gate was never open", recorded_at=SECOND)
    assert (new.created_at, new.valid_at) == (SECOND, TRUE_SINCE)
    assert forge.history(gate.id)[0].expired_at == SECOND
    assert told(forge, as_of_recorded=SECOND - MICROSECOND) == ["the gate is open"]
    assert told(forge, as_of_recorded=SECOND) == told(forge, as_of_valid=FIRST) == ["the gate was never open"]


def test_the_log_says_when_it_was_done(forge: Forge, gate: Memory) -> None:
    begun = datetime.now(UTC)
    forge.supersede(gate.id, "the gate is shut", recorded_at=SECOND)
    forge.revise(gate.id, "the gate is ajar", recorded_at=THIRD)
    assert all(entry.at >= begun for entry in forge.audit_log()[:2])


@pytest.mark.parametrize("verb", ["revise", "supersede"])
@pytest.mark.parametrize(
    ("when", "fault"),
    [
        (FIRST, "is not after"),
        (FIRST - timedelta(days=1), "is not after"),
        (datetime(2999, 1, 1, tzinfo=UTC), "lies in the future"),
        (datetime(2021, 1, 1), "has no time zone"),  # noqa: DTZ001 - a naive time is the fault
        ("last year", "is not an ISO 8601 time"),
    ],
)
def test_what_cannot_have_been_recorded_then_changes_nothing(
    forge: Forge, gate: Memory, verb: str, when: Any, fault: str
) -> None:
    with pytest.raises(InvalidTime, match=fault) as caught:
        getattr(forge, verb)(gate.id, "the gate is shut", recorded_at=when)
    assert caught.value.mend
    assert forge.history(gate.id) == [gate]


def test_an_import_may_not_go_behind_a_change_of_today(forge: Forge, gate: Memory) -> None:
    forge.revise(gate.id, "the gate is ajar")
    with pytest.raises(InvalidTime, match="is not after"):
        forge.supersede(gate.id, "the gate is shut", recorded_at=SECOND)
