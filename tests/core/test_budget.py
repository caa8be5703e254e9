"""Budgets are never exceeded, and what is cut is cut after a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.portions import LEAST_EXCERPT, excerpt_within


@given(st.text(max_size=600), st.integers(0, 700))
def test_an_excerpt_fits_or_there_is_none(text: str, room: int) -> None:
    excerpt = excerpt_within(text, room)
    if excerpt is None:
        assert len(text) > room
        assert room < LEAST_EXCERPT
    else:
        assert len(excerpt) <= room
        assert excerpt == text or text.startswith(excerpt.removesuffix(" …"))


def test_without_a_limit_the_text_is_whole() -> None:
    assert excerpt_within("a" * 5000, None) == "a" * 5000


def test_words_stay_whole() -> None:
    excerpt = excerpt_within("word " * 100, 203)
    assert excerpt is not None
    assert excerpt.endswith("word …")


def test_one_endless_word_is_cut_where_room_ends() -> None:
    assert excerpt_within("x" * 500, 250) == "x" * 248 + " …"


@pytest.mark.parametrize("room", range(-3, 6))
def test_no_excerpt_is_longer_than_its_room(room: int) -> None:
    told = excerpt_within("many words in a row", room, least=1)
    assert told is None or len(told) <= room
