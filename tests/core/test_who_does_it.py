"""Who says of somebody what they do answers who does it, and nothing else; what is there is needed no more."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.closings import told_plainly
from engramforge.core.registries.closed.doers import tells_surely_who, tells_who
from engramforge.core.registries.closed_threads import Over, meant_thread


@pytest.mark.parametrize(
    ("title", "said", "is_sure"),
    [
        ("who locks the yard on sundays?", "ines locks the yard", True),
        ("who locks the yard on sundays?", "ines locks it herself", False),
        ("who signs off on bay 5?", "the harbour master signs off the bay 5s himself", True),
        ("who pays for the paint?", "the guild pays for it", False),
        ("decide who will mow the verge", "the scouts mow the verge", True),
        ("who has the spare key?", "jo has the spare key", True),
    ],
)
def test_it_answers_who_does_it(title: str, said: str, is_sure: bool) -> None:
    assert told_plainly(said)
    assert tells_who(said, title)
    assert tells_surely_who(said, title) is is_sure


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("who locks the yard on sundays?", "ines locks the shed"),
        ("who locks the yard on sundays?", "ines never locks the yard"),
        ("who locks the yard on sundays?", "nobody locks the yard"),
        ("who locks the yard on sundays?", "ines likes the yard"),
        ("who signs off on bay 5?", "ines signs up for bay 5"),
        ("who signs off on bay 5?", "ines signs off bay 4"),
        ("who signs off on bay 5?", "he signs off bay 5"),
        ("who signs off on bay 5?", "maybe ines signs off bay 5"),
        ("how do we lock the yard?", "ines locks the yard"),
        ("lock the yard", "ines locks the yard"),
    ],
)
def test_it_answers_nothing_else(title: str, said: str) -> None:
    assert not tells_who(said, title)


def test_an_order_answers_nothing() -> None:
    for said in ("lock the yard", "does ines lock the yard?", "we lock the yard", "when ines locks it we go"):
        assert not told_plainly(said), said


def test_what_came_is_needed_no_more() -> None:
    titles = ("do we need a slip for the mooring?", "do we need a mooring?", "which slip do we take?")
    said = "the slip", "a mooring", "the keys", "the slip for the boat"
    assert [meant_thread(each, titles, Over.COME) for each in said] == [0, 1, None, None]
