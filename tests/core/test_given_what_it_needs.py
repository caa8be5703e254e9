"""What somebody says to be in its place closes the matter that it was needed there, and no other."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.closings import closings_in
from engramforge.core.registries.closed_threads import Over, meant_thread

TITLES = (
    "hall 3 needs a new pump under the stage, ines has to drive there",
    "greenhouse 2 needs a 24 volt humidity sensor",
    "who pays the sms fees?",
)


def _closed(said: str) -> set[int]:
    found = (meant_thread(each.text, TITLES, Over(each.rule)) for each in closings_in(said))
    return {place for place in found if place is not None}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("pump is in at hall 3, ines did it this morning", 0),
        ("the new pump is installed in hall 3", 0),
        ("hall 3 has the pump now", 0),
        ("humidity sensor is mounted in greenhouse 2, took an hour", 1),
    ],
)
def test_what_was_needed_is_there(said: str, place: int) -> None:
    assert _closed(said) == {place}


@pytest.mark.parametrize(
    "said",
    [
        "the pump is in at hall 2",
        "the door is in at hall 3",
        "the pump is not in at hall 3 yet",
        "is the pump in at hall 3?",
        "the old pump is in the cellar of hall 3",
        "hall 3 has the stage now",
    ],
)
def test_nothing_else_is_over(said: str) -> None:
    assert not _closed(said)
