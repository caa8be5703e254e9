"""Which turns say where a session stopped, and which only take note of what was said or take leave."""

import pytest

from engramforge.core.injection.last_session import says_something


@pytest.mark.parametrize(
    "turn",
    [
        "yeah no idea. bye",
        "dunno, maybe later",
        "hm anyway, good night",
        "nah, enough for today",
        "lol ok cya",
    ],
)
def test_a_turn_that_takes_leave_says_nothing(turn: str) -> None:
    assert not says_something(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "no idea why the night job fails",
        "bye to the old importer",
        "maybe split the parser",
        "the badge idea is dead",
    ],
)
def test_a_turn_that_names_something_says_it(turn: str) -> None:
    assert says_something(turn)
