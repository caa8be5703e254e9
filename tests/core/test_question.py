"""What a question asks for: speakers, days, kinds of answer, clauses, traits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.ranking.question import (
    FRAME_SHARE,
    FRAME_WORDS,
    NAME_SHARE,
    RARE,
    SHORT_DAYS,
    named_speakers,
    plain_plurals,
    read_question,
    word_shares,
)
from engramforge.core.text.dates import POINT, RANGE, Interval
from engramforge.core.text.words import is_stop_word, words_of

SPEAKERS = ("ann lee", "bob", "user", "assistant")


def test_speakers_come_in_the_order_of_the_text() -> None:
    assert named_speakers("What did Bob tell Ann?", SPEAKERS) == ("bob", "ann lee")
    assert named_speakers("What did Lee's brother tell BOB", SPEAKERS) == ("ann lee", "bob")
    assert named_speakers("Did Bob and bob agree?", SPEAKERS) == ("bob",)


def test_roles_and_strangers_are_no_speakers() -> None:
    assert named_speakers("What did the assistant tell the user?", SPEAKERS) == ()
    assert named_speakers("What did Bobby tell Carla?", SPEAKERS) == ()
    assert named_speakers("", SPEAKERS) == named_speakers("What did Ann say?", ()) == ()


@pytest.mark.parametrize(
    "text, cues",
    [
        ("When is the launch?", {"when"}),
        ("What year is it?", {"when"}),
        ("How long is the coast?", {"when", "number", "state"}),
        ("How many boats are there?", {"number", "state"}),
        ("Where does Ann live at the moment?", {"where", "state", "successor"}),
        ("Who paints them?", {"who"}),
        ("Whose boat is red?", {"who"}),
        ("Where is the harbour?", {"where"}),
        ("Which city has it?", {"where"}),
        ("What did you recommend?", {"event"}),
        ("Which book have you recommended?", {"told"}),
        ("Which book you had recommended", {"told"}),
        ("Remind me of the name", {"told", "self"}),
        ("What is my name?", {"self"}),
        ("Where are our tickets?", {"self", "where"}),
        ("What was the plan?", {"event"}),
        ("What was the latest plan?", {"state", "successor", "newest"}),
        ("What replaced the plan?", {"successor"}),
        ("Name the plan", set()),
        ("", set()),
    ],
)
def test_cues(text: str, cues: set[str]) -> None:
    assert read_question(text, (), ()).cues == cues


def test_clauses_are_the_words_between_breaks() -> None:
    asked = read_question("What did Ann paint before the storm, and who saw it?", (), ())
    assert asked.clauses == (("what", "did", "ann", "paint"), ("the", "storm"), (), ("who", "saw", "it"))
    assert read_question("red boats", (), ()).clauses == (("red", "boats"),)


def test_ranges_take_the_place_of_their_ends() -> None:
    span, start = Interval(100, 200, RANGE), Interval(100, 100, POINT)
    assert read_question("x", (), [span, start]).intervals == (span,)
    assert read_question("x", (), [start]).intervals == (start,)


def test_traits() -> None:
    short, long = Interval(100, 100 + SHORT_DAYS, POINT), Interval(100, 101 + SHORT_DAYS, POINT)
    assert read_question("x", (), [short]).traits == ("short_dates",)
    assert read_question("x", (), [long]).traits == ("long_dates",)
    assert read_question("x", (), [long, short]).traits == ("short_dates",)
    assert read_question("When did I meet Bob?", SPEAKERS, [long]).traits == (
        "names",
        "long_dates",
        "when",
        "self",
    )
    assert read_question("x", (), []).traits == ()


def test_frame_words_are_words_that_count() -> None:
    for word in FRAME_WORDS:
        assert words_of(word) == [word]
        assert not is_stop_word(word)


@given(st.text(max_size=200), st.lists(st.text(max_size=12), max_size=5))
def test_any_text_is_read(text: str, names: list[str]) -> None:
    speakers = tuple(dict.fromkeys(name.lower() for name in names))
    asked = read_question(text, speakers, ())
    assert set(asked.speakers) <= set(speakers)
    words = words_of(text)
    assert all(set(words_of(name)) & set(words) for name in asked.speakers)
    assert asked.intervals == ()


def test_plurals_of_capitals_are_one_word() -> None:
    assert words_of(plain_plurals("Which PEPs and URLs?")) == ["which", "peps", "and", "urls"]
    assert plain_plurals("HTTPS, Ps and parseURLs") == "HTTPS, Ps and parseURLs"


@pytest.mark.parametrize(
    "text, word, is_name",
    [
        ("why did they drop Jenkins?", "jenkins", True),
        ("Jenkins was dropped", "jenkins", False),
        ("It failed. Jenkins too", "jenkins", False),
        ("PKCE where?", "pkce", True),
        ("use useEffect here", "useeffect", True),
        ("why did they drop jenkins?", "jenkins", False),
    ],
)
def test_a_rare_name_weighs_more(text: str, word: str, is_name: bool) -> None:
    expected = NAME_SHARE if is_name else 1.0
    assert word_shares(text, [word], np.array([RARE / 2])).tolist() == [expected]
    assert word_shares(text, [word], np.array([RARE])).tolist() == [1.0]


def test_framing_words_weigh_less_however_written() -> None:
    assert "kind" in FRAME_WORDS
    assert word_shares("which KIND of", ["kind"], np.array([0.0])).tolist() == [FRAME_SHARE]
