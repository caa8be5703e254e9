"""Comparisons of one with many: ranges, symmetry, and the numbers of small cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from engramforge.core.similarity.comparison import (
    cosine,
    jaccard,
    maxsim,
    places_in,
    segment_maxima,
    segment_sums,
    weighted_jaccard,
)

vectors = npst.arrays(np.float32, (5, 8), elements=st.floats(-10, 10, width=32))
term_sets = st.lists(st.sets(st.integers(0, 40), max_size=12), min_size=1, max_size=6)


def laid_out(sets: list[set[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([term for each in sets for term in sorted(each)], np.uint32)
    return flat, np.cumsum([len(each) for each in sets]).astype(np.int64)


def test_cosine_of_known_vectors() -> None:
    matrix = np.array([[1, 0], [0, 1], [-2, 0], [1, 1], [0, 0]], np.float32)
    assert cosine(np.array([3, 0], np.float32), matrix) == pytest.approx([1, 0, -1, 2**-0.5, 0])
    assert cosine(np.zeros(2, np.float32), matrix).tolist() == [0] * 5


@given(vectors)
def test_cosine_stays_in_range_and_ignores_length(matrix: np.ndarray) -> None:
    values = cosine(matrix[0], matrix)
    assert values.dtype == np.float32
    assert ((values >= -1) & (values <= 1)).all()
    if np.linalg.norm(matrix[0]) > 1e-3:
        assert values[0] == pytest.approx(1, abs=1e-4)
        assert cosine(matrix[0] * 4, matrix) == pytest.approx(values, abs=1e-4)


@given(npst.arrays(np.int8, (4, 16), elements=st.integers(-127, 127)))
def test_int8_is_the_same_as_float(matrix: np.ndarray) -> None:
    assert cosine(matrix[0], matrix) == pytest.approx(
        cosine(matrix[0].astype(np.float32), matrix.astype(np.float32))
    )


def test_jaccard_of_known_sets() -> None:
    terms, ends = laid_out([{1, 2, 3}, {1}, set(), {7, 8}])
    assert jaccard(np.array([1, 2], np.uint32), terms, ends) == pytest.approx([2 / 3, 1 / 2, 0, 0])
    assert jaccard(np.array([], np.uint32), terms, ends).tolist() == [0, 0, 0, 0]


@given(term_sets)
def test_jaccard_is_set_arithmetic_and_symmetric(sets: list[set[int]]) -> None:
    terms, ends = laid_out(sets)
    item = sets[0]
    values = jaccard(np.array(sorted(item), np.uint32), terms, ends)
    for other, value in zip(sets, values.tolist(), strict=True):
        union = item | other
        assert value == pytest.approx(len(item & other) / len(union) if union else 0)
        back = jaccard(np.array(sorted(other), np.uint32), *laid_out([item]))
        assert back[0] == pytest.approx(value)


@given(term_sets)
def test_weighted_jaccard_with_equal_weights_is_jaccard(sets: list[set[int]]) -> None:
    terms, ends = laid_out(sets)
    query = np.array(sorted(sets[0]), np.uint32)
    ones, asked = np.ones(len(terms), np.float32), np.ones(len(query), np.float32)
    assert weighted_jaccard(query, asked, terms, ones, ends) == pytest.approx(jaccard(query, terms, ends))


def test_weighted_jaccard_of_known_weights() -> None:
    query, asked = np.array([5, 3], np.uint32), np.array([0.5, 2.0], np.float32)
    terms, weights = np.array([3, 5, 9], np.uint32), np.array([1.0, 1.0, 1.0], np.float32)
    values = weighted_jaccard(query, asked, terms, weights, np.array([3, 3], np.int64))
    assert values == pytest.approx([(1.0 + 0.5) / (2.0 + 1.0 + 1.0), 0.0])


@given(
    npst.arrays(np.float32, (3, 12), elements=st.floats(0, 1, width=32)),
    npst.arrays(np.float32, 3, elements=st.floats(0, 5, width=32)),
    st.lists(st.integers(0, 12), max_size=3).map(sorted),
)
def test_maxsim_is_the_weighted_mean_of_the_maxima(
    matches: np.ndarray, weights: np.ndarray, cuts: list[int]
) -> None:
    ends = np.array([*cuts, 12], np.int64)
    values = maxsim(matches, ends, weights)
    assert ((values >= 0) & (values <= 1 + 1e-6)).all()
    starts = [0, *ends[:-1].tolist()]
    for start, end, value in zip(starts, ends.tolist(), values.tolist(), strict=True):
        empty = start == end or weights.sum() == 0
        exact = weights.astype(np.float64)
        expected = 0 if empty else float(matches[:, start:end].max(axis=1) @ exact / exact.sum())
        assert value == pytest.approx(expected, abs=1e-5)


def test_places_and_segments() -> None:
    wanted = np.array([9, 4, 6], np.uint32)
    assert places_in(wanted, np.array([4, 5, 6, 9, 10], np.uint32)).tolist() == [1, -1, 2, 0, -1]
    assert places_in(wanted[:0], wanted).tolist() == [-1, -1, -1]
    ends = np.array([0, 2, 2, 3], np.int64)
    values = np.array([1, 2, 5], np.float32)
    assert segment_sums(values, ends).tolist() == [0, 3, 0, 5]
    assert segment_maxima(values[None, :], ends).tolist() == [[0, 2, 0, 5]]
    assert segment_sums(values[:0], ends[:0]).tolist() == []
