"""What streams refuse is called by the names that its caller used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.errors import EngramforgeError, InvalidTime, InvalidValue
from engramforge.faces.arguments import ARCHIVE, DECISION, LINEAGE, REMEMBER, STREAM, THREAD
from engramforge.forge import Forge

from .conftest import Cli


@pytest.fixture
def forge(home: Path) -> Iterator[Forge]:
    with engramforge.open(home) as opened:
        yield opened


@pytest.mark.parametrize(
    "command",
    [("remember", "The ferry is late."), ("stream",), ("link", "a", "b", "CAUSES")],
    ids=lambda each: each[0],
)
def test_an_emotion_is_given_once(cli: Cli, command: tuple[str, ...]) -> None:
    error = cli(*command, "--emotion", "joy=0.5", "--emotion", "joy=0.7", "--json").error
    assert error["fault"] == "--emotion 'joy' is given more than once"


@pytest.mark.parametrize(
    ("asked", "fault", "mend"),
    [
        (
            {"as_of_time": "2026-01-01", "as_of_valid": "2026-01-01"},
            "as_of_time is given together with one of its axes",
            "Give as_of_time, or the two axes apart",
        ),
        (
            {"time_range_start": "2026-01-01"},
            "A range of recorded time is given with the temporal mode current",
            "Ask with temporal_mode evolution, or leave out time_range_start and time_range_end",
        ),
        (
            {"temporal_mode": "evolution", "as_of_time": "2026-01-01"},
            "A point in time is given with the temporal mode evolution",
            "Leave temporal_mode out, or leave out as_of_time and give time_range_start and time_range_end",
        ),
        (
            {"temporal_mode": "point_in_time"},
            "point_in_time is asked without a time",
            "Give as_of_time, or as_of_valid or as_of_recorded",
        ),
    ],
)
def test_errors_name_the_arguments_of_an_intention(
    forge: Forge, asked: dict[str, Any], fault: str, mend: str
) -> None:
    with pytest.raises(InvalidTime) as raised:
        forge.streams.by_intention("the ferry", **asked)
    assert (raised.value.fault, raised.value.mend) == (fault, mend)


def test_errors_name_the_argument_of_a_time_or_mode_that_is_none(forge: Forge) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"as_of_time": "yesterdayx"}, "as_of_time"),
        ({"temporal_mode": "evolution", "time_range_start": "yesterdayx"}, "time_range_start"),
        ({"temporal_mode": "evolution", "time_range_end": "yesterdayx"}, "time_range_end"),
        ({"temporal_mode": "x"}, "temporal mode"),
    ]
    for asked, name in wrong:
        with pytest.raises(EngramforgeError, match=name):
            forge.streams.by_intention("the ferry", **asked)


def test_too_many_contexts_are_refused_by_their_name(forge: Forge) -> None:
    contexts = ["c" * 199] * 100
    with pytest.raises(InvalidValue, match="The active_contexts have 20,098 characters together"):
        forge.streams.cycle(energy=0.5, context_hunger=0.9, active_contexts=contexts)
    forge.streams.cycle(energy=0.5, context_hunger=0.9, active_contexts=contexts[:49])


LEVELS = {"personal", "collective", "ecosystem", "N1", "N2", "N3"}


def test_tools_list_every_word_for_a_level_that_they_take(forge: Forge) -> None:
    levels = [given["level"] for given in (REMEMBER, DECISION, THREAD, LINEAGE, ARCHIVE)]
    for each in (*levels, STREAM["query_levels"]):
        assert set(each.choices) == LEVELS
    for number, word in enumerate(sorted(LEVELS)):
        kept = forge.remember(f"Ferry {number} is late.", level=word, near=False)
        found = forge.streams.by_intention("late ferries", query_levels=[word]).memories
        assert kept.logical_id in {each.logical_id for each in found}
        assert {each.level for each in found} == {kept.level}
