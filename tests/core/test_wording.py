"""Each bit of the wording, on texts that have it and on texts that have not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.summarising import (
    ASKS,
    HAS_NAMES,
    HAS_NUMBER,
    HAS_PICTURE,
    HAS_TIME,
    IS_FIRST_PERSON,
    IS_HEADING,
    cues_of,
)

EVERY = ASKS | HAS_NAMES | HAS_NUMBER | HAS_PICTURE | HAS_TIME | IS_FIRST_PERSON | IS_HEADING


@pytest.mark.parametrize(
    "bit, having, lacking",
    [
        (HAS_NUMBER, ["It took 3 tries!", "It took three tries!", "A dozen eggs!", "only ONCE!"],
         ["It took many tries!", "someone threw often!"]),
        (HAS_TIME, ["We met yesterday!", "a year later!", "The NEXT one!", "recently done!"],
         ["We met there!", "weekly, lasting, yearn!"]),
        (ASKS, ["Is it so?", "Is it so?  \n"], ["Is it so? Yes.", "It is so!"]),
        (HAS_NAMES, ["he met Ann there.", "to see, Paris again."], ["Ann met him there.", "he met ann."]),
        (HAS_PICTURE, ["Look! [photo of a cat]", "[Image: a cat]"], ["a photo of a cat", "[cat photo]"]),
        (IS_FIRST_PERSON, ["I went.", "This is my cat.", "That is ours, we said.", "I'm here."],
         ["In Italy it is so.", "Wednesday, hers.", "some time"]),
        (IS_HEADING, ["Storage decisions", "Decisions:", "a b c d e f g h i j"],
         ["We chose it.", "- an item", "* an item", "two\nlines", "Really!", "Really?", "a b c d e f g h i j k"]),
    ],
)  # fmt: skip
def test_each_bit(bit: int, having: list[str], lacking: list[str]) -> None:
    assert [text for text in having if not cues_of(text) & bit] == []
    assert [text for text in lacking if cues_of(text) & bit] == []


def test_a_date_that_was_read_is_a_time() -> None:
    assert cues_of("In May!") & HAS_TIME == 0
    assert cues_of("In May!", names_a_date=True) == HAS_TIME | HAS_NAMES


def test_bits_stand_side_by_side() -> None:
    assert cues_of("Did I tell you that we met Ann 3 weeks ago?") == (
        ASKS | HAS_NAMES | HAS_NUMBER | HAS_TIME | IS_FIRST_PERSON
    )
    assert cues_of("") == IS_HEADING


@given(st.text(max_size=300), st.booleans())
def test_any_text_gives_bits_of_one_byte(text: str, names_a_date: bool) -> None:
    bits = cues_of(text, names_a_date)
    assert bits & ~EVERY == 0
    assert bits == cues_of(text + "  ", names_a_date)
    assert bool(bits & HAS_TIME) or not names_a_date
