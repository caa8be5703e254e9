"""Surprise per space with numbers by hand, and its laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.similarity.surprise import (
    NEIGHBOURS,
    directed_distances,
    half_and_half,
    mixture_surprise,
    nearest_distances,
    neighbour_surprise,
    overlap_surprise,
    rarity_surprise,
    sigmoid,
    standardised,
    structure_surprise,
    token_surprise,
    translation_lengths,
    translation_surprise,
)


def test_standardised_by_hand() -> None:
    reference = np.array([1.0, 2, 3, 4, 5])  # mean 3, sd sqrt(2)
    assert standardised(3, reference) == 0.5
    assert standardised(3 + math.sqrt(2), reference) == pytest.approx(1 / (1 + math.exp(-1)))
    assert standardised(3 - 2 * math.sqrt(2), reference) == pytest.approx(1 / (1 + math.exp(2)))


@pytest.mark.parametrize(
    ("value", "reference"),
    [
        (9, [1, 2, 3, 4]),
        (9, [7] * 50),
        (9, [0.1] * 50),
        (math.inf, [1, 2, 3, 4, 5]),
        (9, [1, 2, 3, math.inf, 4]),
    ],
)
def test_too_few_or_no_spread_is_a_half(value: float, reference: list[float]) -> None:
    assert standardised(value, np.array(reference)) == 0.5


def test_nearest_distances_are_means_of_five() -> None:
    rows = np.array([[9, 1, 2, 3, 4, 5, 8], [np.inf, 0, 0, 0, 0, 1, 2]])
    assert nearest_distances(rows).tolist() == [3, 0.2]
    assert nearest_distances(rows[:, :4]).tolist() == [np.inf, np.inf]
    assert nearest_distances(np.full((1, 5), np.inf)).tolist() == [np.inf]


def test_neighbour_surprise_by_hand() -> None:
    around = np.array([[x] * 6 for x in (1.0, 2, 3, 4, 5)])
    assert neighbour_surprise(np.full(6, 3.0), around) == 0.5
    assert neighbour_surprise(np.full(6, 3 + math.sqrt(2)), around) == pytest.approx(sigmoid(1))
    assert neighbour_surprise(np.full(4, 3.0), around) == 0.5


def test_direction_counts_in_causal_distances() -> None:
    # onward 0.5 x 1.2 = 0.6; backward 0.5 x 0.8 = 0.4; 0.9 x 1.2 is clamped to 1; one missing side counts not.
    found = directed_distances(np.array([0.5, 0.1, 0.9, np.nan]), np.array([0.5, 0.5, 0.0, 0.5]))
    assert found == pytest.approx([0.4, 0.6, 0.0, 0.6])


def test_rarity_by_hand() -> None:
    # Six others: term 1 in all of them, 2 in three, 3 in two, 4 in one.
    others = np.array([1, 2, 1, 2, 1, 2, 1, 3, 1, 3, 1, 4], np.uint32)
    ends = np.array([2, 4, 6, 8, 10, 12])
    reference = [math.log(6 / n) / 2 for n in (3, 3, 3, 2, 2, 1)]
    mean, spread = np.mean(reference), np.std(reference)
    for terms, rarity in (([1], 0.0), ([9], math.log(7)), ([1, 4], (0 + math.log(7 / 2)) / 2)):
        expected = 1 / (1 + math.exp(-(rarity - mean) / spread))
        assert rarity_surprise(np.array(terms, np.uint32), others, ends) == pytest.approx(expected)
    assert rarity_surprise(np.zeros(0, np.uint32), others, ends) == 0.5
    assert rarity_surprise(np.array([1], np.uint32), others[:10], ends[:5]) == 0.5


def test_a_memory_without_terms_among_the_others_changes_nothing_for_itself() -> None:
    others, ends = np.array([1, 1, 2, 1, 3, 1, 2], np.uint32), np.array([1, 3, 3, 5, 7, 7, 7])
    assert 0 < rarity_surprise(np.array([2], np.uint32), others, ends) < 1


def test_translations_by_hand() -> None:
    lengths = translation_lengths(
        np.array([[1.0, 0], [0, 0]]), np.array([[0.0, 1], [0, 0]]), np.array([[1.0, 1], [3, 4]])
    )
    assert lengths.tolist() == [0, 7]
    around = np.array([1.0, 2, 3, 4, 5])
    assert translation_surprise(lengths, around) == pytest.approx(sigmoid((3.5 - 3) / math.sqrt(2)))
    assert translation_surprise(lengths[:0], around) == 0.5
    assert translation_surprise(lengths, around[:3]) == 0.5


def test_structure_is_the_smallest_share_of_differing_bits() -> None:
    bits = np.array([0b11110000, 0], np.uint8)
    others = np.array([[0b00001111, 255], [0b11110000, 0b11], [0, 255], [255, 255], [255, 0]], np.uint8)
    assert structure_surprise(bits, others) == 2 / 16
    assert structure_surprise(bits, others[:4]) == 2 / 16 if NEIGHBOURS <= 4 else True
    assert structure_surprise(bits, others[:3]) == 0.5


def test_the_strangest_token_counts_and_neighbours_count_as_often_as_they_occur() -> None:
    counts = np.array([3, 1, 4])
    # First token: three times 0, once 0.2, once 0.5 = 0.7 / 5. Second: four times 0.1, once 0.9 = 1.3 / 5.
    distances = np.array([[0.0, 0.2, 0.5], [0.9, 1.0, 0.1]])
    assert token_surprise(distances, counts) == pytest.approx(1.3 / 5)
    assert token_surprise(distances[:1], counts) == pytest.approx(0.7 / 5)
    assert token_surprise(distances, np.array([1, 1, 2])) == 0.5
    assert token_surprise(np.zeros((0, 3)), counts) == 0.5


def test_overlap_is_one_less_the_largest() -> None:
    assert overlap_surprise(np.array([0.1, 0.7, 0, 0, 0])) == pytest.approx(0.3)
    assert overlap_surprise(np.array([0.1, 0.7, 0, 0])) == 0.5


def test_mixture_surprise_separates_the_known_from_the_strange() -> None:
    points = np.random.default_rng(1).normal(0, 1, (200, 8))
    assert mixture_surprise(np.zeros(8), points) < 0.05
    assert mixture_surprise(np.full(8, 5.0), points) > 0.999
    assert mixture_surprise(np.zeros(8), points[:4]) == 0.5
    assert mixture_surprise(np.zeros(8), np.ones((50, 8))) == 0.5
    assert half_and_half(0.2, 0.8) == 0.5


finite = st.floats(-1e6, 1e6)


@given(finite, st.lists(st.one_of(finite, st.just(math.inf)), max_size=30), st.randoms())
def test_standardised_stays_in_bounds_and_ignores_order(
    value: float, reference: list[float], random: Any
) -> None:
    found = standardised(value, np.array(reference, np.float64))
    assert 0 <= found <= 1
    random.shuffle(reference)
    assert standardised(value, np.array(reference, np.float64)) == found


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_every_space_stays_in_bounds_and_ignores_the_order_of_the_others(
    count: int, size: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(count)
    distances = rng.random(count)
    around = rng.random((7, count))
    pairs = [(neighbour_surprise(distances, around), neighbour_surprise(distances[order], around[:, order]))]
    bits = rng.integers(0, 256, (count + 1, size), np.uint8)
    pairs.append((structure_surprise(bits[0], bits[1:]), structure_surprise(bits[0], bits[1:][order])))
    tokens, held = rng.random((size, count)), rng.integers(1, 4, count)
    pairs.append((token_surprise(tokens, held), token_surprise(tokens[:, order], held[order])))
    pairs.append((overlap_surprise(distances), overlap_surprise(distances[order])))
    vectors = rng.integers(-127, 128, (count + 1, size)).astype(np.float32)
    pairs.append(
        (mixture_surprise(vectors[0], vectors[1:]), mixture_surprise(vectors[0], vectors[1:][order]))
    )
    texts = [np.unique(rng.integers(0, 30, rng.integers(0, 8))).astype(np.uint32) for _ in range(count)]
    pairs.append(
        tuple(
            rarity_surprise(
                np.arange(size, dtype=np.uint32),
                np.concatenate([np.zeros(0, np.uint32), *some]),
                np.cumsum([len(each) for each in some], dtype=np.int64),
            )
            for some in (texts, [texts[i] for i in order])
        )  # type: ignore[arg-type]
    )
    pairs.append(
        (
            translation_surprise(distances[:3], distances),
            translation_surprise(distances[:3], distances[order]),
        )
    )
    for first, other in pairs:
        assert 0 <= first <= 1
        assert first == pytest.approx(other, abs=1e-9)


@given(st.floats(allow_nan=False, allow_infinity=True))
def test_sigmoid_never_overflows(x: float) -> None:
    assert 0 <= sigmoid(x) <= 1
