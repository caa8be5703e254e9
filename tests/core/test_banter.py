"""What is said in fun decides nothing, and who asks to be reminded of an answer opens no thread."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.banter import is_banter
from engramforge.core.detection.rule_extractor import detect


@pytest.mark.parametrize(
    "said",
    [
        "lol the kettle on the second deck has a face",
        "hahaha my parrot just ordered coffee",
        "the intern calls the van Gertrude",
        "btw our skipper said the winch sounds like Elvis",
        "the seagull ate my sandwich",
    ],
)
def test_it_is_said_in_fun(said: str) -> None:
    assert is_banter(said)


@pytest.mark.parametrize(
    "said",
    [
        "name the van Gertrude",
        "dark blue or red?",
        "the boss says dark blue",
        "the labels are dark blue",
        "haha ok use yarn then",
        "the skippers want the big map",
        "yarn",
    ],
)
def test_it_may_decide(said: str) -> None:
    assert not is_banter(said)


@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("remind me who locks the boathouse", False),
        ("remind me what the port was", False),
        ("please remind us where the keys hang", False),
        ("remind me again how the tide table is read", False),
        ("remind me that the mooring permit ends in may", True),
        ("remind me what to bring on friday", True),
    ],
)
def test_who_asks_to_be_reminded_of_an_answer_opens_nothing(said: str, is_open: bool) -> None:
    assert any(each.rule == "reminder" for each in detect(said)) is is_open
