"""What is shown of a long text answers, fits, and stands in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engramforge.core.text.excerpts import passage_within

FILLING = "The gulls were loud that morning and nobody minded. " * 30
WEIGHTS = np.array([0.6, 0.4], np.float32)


def cover(pieces: Sequence[str]) -> NDArray[np.float32]:
    words = ("lighthouse", "1908")
    return np.array([[float(word in piece) for piece in pieces] for word in words], np.float32)


def test_it_is_the_passage_and_not_the_head() -> None:
    text = f"{FILLING}The lighthouse was lit in 1908. {FILLING}"
    shown = passage_within(text, 300, WEIGHTS, cover)
    assert "The lighthouse was lit in 1908." in shown
    assert shown.startswith("\u2026 ") and shown.endswith("\u2026")
    assert len(shown) <= 300


def test_it_holds_what_is_missing_beside_the_best() -> None:
    text = f"{FILLING}It was lit in 1908. Yes. The lighthouse stands. {FILLING}"
    shown = passage_within(text, 200, WEIGHTS, cover)
    assert "1908" in shown and "lighthouse" in shown


def test_a_title_is_shown_before_it() -> None:
    text = f"Harbour lights: a report. {FILLING}The lighthouse was lit in 1908. {FILLING}"
    shown = passage_within(text, 600, WEIGHTS, cover, has_title=True)
    assert shown.startswith("Harbour lights: a report.") and "lit in 1908." in shown
    assert len(shown) <= 600


def test_much_room_shows_two_passages_in_their_order() -> None:
    first, second = "The lighthouse was lit in 1908.", "Its keeper left the lighthouse."
    for one, other in ((first, second), (second, first)):
        text = f"{FILLING}{one} {FILLING}{other} {FILLING}"
        shown = passage_within(text, 1_300, WEIGHTS, cover)
        assert -1 < shown.find(one) < shown.find(other)
        assert len(shown) <= 1_300
        assert other not in passage_within(text, 700, WEIGHTS, cover) or one not in passage_within(
            text, 700, WEIGHTS, cover
        )
    alone = passage_within(f"{FILLING}{first} {FILLING}", 1_300, WEIGHTS, cover)
    assert first in alone and len(alone) > 1_200


def test_a_text_that_fits_or_has_nothing_asked() -> None:
    assert passage_within("Short.", 300, WEIGHTS, cover) == "Short."
    assert FILLING.startswith(passage_within(FILLING, 300, WEIGHTS, cover).removesuffix(" \u2026"))


@given(st.text("ab 1908lighthouse.\n", max_size=2_500), st.integers(10, 1_700), st.booleans())
def test_it_never_exceeds_its_room(text: str, room: int, has_title: bool) -> None:
    shown = passage_within(text, room, WEIGHTS, cover, has_title=has_title)
    assert len(shown) <= room
    assert all(part.strip() in text for piece in shown.split("\u2026") for part in piece.split("\n"))
