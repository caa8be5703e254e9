"""The best passage of a text, by the words of a question and by meaning."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.ranking.passages import (
    COMMON_SHARE,
    PASSAGE_STEP,
    PASSAGE_WORDS,
    best_passage,
    nearest_passage,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 70), max_size=5), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_the_best_passage_agrees_with_a_slow_loop(lengths: list[int], questions: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    closeness = random.random((questions, 9)).astype(np.float32)
    weights = random.random(questions).astype(np.float32)
    weights /= weights.sum()
    words = random.integers(0, 9, sum(lengths))
    ends = np.cumsum(np.array(lengths, np.int64))
    found = best_passage(closeness, words, ends, weights)
    for row, length in enumerate(lengths):
        own = words[ends[row] - length : ends[row]]
        best, begin = 0.0, 0
        while begin < length:
            passage = own[begin : begin + PASSAGE_WORDS]
            best = max(best, float(weights @ closeness[:, passage].max(axis=1)))
            if begin + PASSAGE_WORDS >= length:
                break
            begin += PASSAGE_STEP
        assert found[row] == pytest.approx(best, abs=1e-5)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 70), max_size=5), st.integers(0, 2**32 - 1))
def test_the_nearest_passage_agrees_with_a_slow_loop(lengths: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    likeness = random.normal(0.1, 0.2, 9).astype(np.float32)
    words = random.integers(0, 9, sum(lengths))
    ends = np.cumsum(np.array(lengths, np.int64))
    found = nearest_passage(likeness, words, ends)
    for row, length in enumerate(lengths):
        own = likeness[words[ends[row] - length : ends[row]]].astype(float)
        best, begin = 0.0, 0
        while begin < length:
            passage = own[begin : begin + PASSAGE_WORDS]
            size = len(passage)
            best = max(best, passage.sum() / math.sqrt(size + size * (size - 1) * COMMON_SHARE))
            if begin + PASSAGE_WORDS >= length:
                break
            begin += PASSAGE_STEP
        assert found[row] == pytest.approx(min(max(best, 0), 1), abs=1e-4)


def test_texts_without_words_are_near_nothing() -> None:
    assert nearest_passage(
        np.zeros(0, np.float32), np.zeros(0, np.int64), np.zeros(2, np.int64)
    ).tolist() == [0, 0]
    assert best_passage(
        np.zeros((1, 0), np.float32), np.zeros(0, np.int64), np.zeros(2, np.int64), np.ones(1, np.float32)
    ).tolist() == [0, 0]
