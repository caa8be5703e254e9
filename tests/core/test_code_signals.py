"""The words of programming, and how a memory that is code answers a question about code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.ranking.code_signals import (
    FLOOR,
    REPLACED,
    SAME_CONCEPT,
    code_cover,
    code_signals,
    code_weights,
    in_place_of_talk,
)
from engramforge.core.ranking.fusion import FAMILIES
from engramforge.core.text.code_words import FRAME_SHARE_OF_CODE, same_concept
from engramforge.core.text.words import term_of


def terms(*words: str) -> np.ndarray:
    return np.array([term_of(word) for word in words], np.uint32)


def test_words_that_mean_the_same() -> None:
    same = same_concept(terms("delete", "folder", "kayak"), terms("removed", "directories", "paddle", "dict"))
    assert same.tolist() == [[True, False, False, False], [False, True, False, False], [False] * 4]


def test_a_word_of_two_groups_joins_neither_to_the_other() -> None:
    # An array is a list and is NumPy's; a list is not NumPy's for that.
    same = same_concept(terms("list"), terms("array", "numpy"))
    assert same.tolist() == [[True, False]]


def test_weights_without_the_language() -> None:
    words = ("python", "function", "average", "series")
    weights = code_weights(words, np.array([0.4, 0.2, 0.2, 0.2], np.float32))
    share = FRAME_SHARE_OF_CODE
    assert weights == pytest.approx([0, share / (share + 2), 1 / (share + 2), 1 / (share + 2)], rel=1e-5)
    alone = np.array([1.0], np.float32)
    assert code_weights(("python",), alone).tolist() == [1.0]


def test_cover_by_hand() -> None:
    # Two asked words; three known words; the first text holds words 0 and 2, the second word 1, the third none.
    closeness = np.array([[1, 0.2, 0], [0, 0, 0.3]], np.float32)
    same = np.array([[False, False, False], [False, True, False]])
    weights = np.array([0.25, 0.75], np.float32)
    found = code_cover(closeness, same, np.array([0, 2, 1]), np.array([2, 3, 3]), weights)

    def stretched(value: float) -> float:
        return float((np.log(FLOOR + value) - np.log(FLOOR)) / (np.log(1 + FLOOR) - np.log(FLOOR)))

    first = 0.25 * stretched(1) + 0.75 * stretched(0.3)
    second = 0.25 * stretched(0.2) + 0.75 * stretched(SAME_CONCEPT)
    assert found == pytest.approx([first, second, 0], abs=1e-5)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_cover_stays_within_0_and_1_and_a_missing_word_costs_most(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    closeness = random.random((2, 6)).astype(np.float32)
    words, ends = random.integers(0, 6, 2 * count), np.arange(2, 2 * count + 1, 2)
    weights = np.array([0.5, 0.5], np.float32)
    found = code_cover(closeness, np.zeros((2, 6), np.bool_), words, ends, weights)
    assert found.shape == (count,)
    assert (found >= 0).all() and (found <= 1 + 1e-5).all()
    even = code_cover(np.full((2, 1), 0.5, np.float32), np.zeros((2, 1), np.bool_), words * 0, ends, weights)
    torn = code_cover(
        np.array([[1.0], [0.0]], np.float32), np.zeros((2, 1), np.bool_), words * 0, ends, weights
    )
    assert (even > torn).all()


def test_only_code_that_stands_alone_loses_the_signals_of_talk() -> None:
    ones = np.ones(3, np.float32)
    is_code, alone = np.array([True, True, False]), np.array([True, False, True])
    code = code_signals(ones * 0.5, ones * 0.4, ones * 0.3, ones * 0.2, is_code, alone)
    assert set(code) == set(FAMILIES["code"])
    assert code["code_words"].tolist() == pytest.approx([0.5, 0, 0])
    assert code["code_likeness"].tolist() == pytest.approx([0.3, 0.3, 0])
    found = in_place_of_talk({name: ones.copy() for name in (*REPLACED, "session_words", "feedback")}, code)
    for name in REPLACED:
        assert found[name].tolist() == [0, 1, 1]
    assert found["session_words"].tolist() == found["feedback"].tolist() == [1, 1, 1]
