"""What is amiss again reopens the thread of its fault, and no other word of a thing does."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.back_again import back_again
from engramforge.core.registries.closed_threads import meant_again

TITLES = (
    "the winch jams in the rain",
    "paint the winch house",
    "repair the bilge pump",
    "the tide chart loses its last buoy",
    "which rope do we take?",
)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("the winch is stuck again", 0),
        ("ugh, the winch thing is broken again, can you look", 0),
        ("the bilge pump isn't fixed after all", 2),
        ("the bilge pump was not really repaired", 2),
        ("the tide chart loses buoys again", 3),
        ("the bilge pump is leaking again", 2),
        ("please reopen the winch house", 1),
    ],
)
def test_it_is_the_thread_of_its_fault(said: str, title: int) -> None:
    (told,) = back_again(said)
    assert meant_again(told.text, TITLES, is_named=bool(told.content)) == title


@pytest.mark.parametrize(
    "said",
    [
        "is the winch stuck again?",
        "if the winch is stuck again call me",
        "the winch is working again",
        "the winch is running again",
        "the leak in the hull is gone again",
        "the skipper is back",
        "the pump is back online",
        "try the winch again",
        "make sure the winch is not stuck again",
        "the winch never jams again",
        "it is broken again",
    ],
)
def test_other_words_say_nothing_of_it(said: str) -> None:
    assert not back_again(said)


def test_what_is_no_fault_or_not_clear_stays_closed() -> None:
    assert meant_again("the winch house", TITLES) is None
    assert meant_again("the rope", TITLES) is None
    assert meant_again("the pump", ("the pump leaks at night", "the pump drips by day")) is None
