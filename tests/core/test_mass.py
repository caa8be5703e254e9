"""The mass with the spec's numbers, and the order within a band."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.ranking.mass import (
    CATEGORY_BOOST,
    AttentionOptions,
    freshness,
    mass,
    order_by_mass_within_band,
)
from engramforge.model.memory import Kind
from engramforge.model.time import MICROS_PER_DAY

OPTIONS = AttentionOptions()


def vector(value: float) -> np.ndarray:
    return np.array([value], np.float32)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((1, 0, 0, 0, 0), 0.45),
        ((0, 1, 0, 0, 0), 0.20),
        ((0, 0, 1, 0, 0), 0.15),
        ((0, 0, 0, 1, 0), 0.10),
        ((0, 0, 0, 0, 1), 0.10),
        ((1, 1, 1, 1, 1), 1.0),
        ((0.8, 0.5, 0.5, 0, 0.6), 0.36 + 0.1 + 0.075 + 0.06),
    ],
)
def test_the_mass_is_the_weighted_sum_of_the_spec(parts: tuple[float, ...], expected: float) -> None:
    assert mass(*(vector(part) for part in parts), OPTIONS)[0] == pytest.approx(expected)


def test_freshness_halves_every_45_days_by_valid_time() -> None:
    ages = np.array([0, 45, 90, 450, -10], np.int64) * MICROS_PER_DAY
    fresh = freshness(-ages, 0, OPTIONS.half_life_days)
    assert fresh == pytest.approx([1, 0.5, 0.25, 2**-10, 1])


def test_every_kind_has_a_boost() -> None:
    assert set(CATEGORY_BOOST) == set(Kind)
    assert all(0 <= boost <= 1 for boost in CATEGORY_BOOST.values())


def test_parts_decide_only_within_the_band() -> None:
    similarity = np.array([0.50, 0.495, 0.0080, 0.0079], np.float32)
    masses = np.array([0.40, 0.60, 0.99, 0.995], np.float32)
    same = np.zeros(4, np.int64)
    # Of two that are nearly sure the surer one stays first: one is wrong half as often.
    sure = np.array([0.98, 0.99], np.float32)
    assert order_by_mass_within_band(sure, masses[::-1][:2], same[:2], np.arange(2), 0.02).tolist() == [1, 0]
    assert order_by_mass_within_band(similarity, masses, same, np.arange(4), 0.02).tolist() == [1, 0, 3, 2]
    assert order_by_mass_within_band(similarity, masses, same, np.arange(4), 0.0).tolist() == [0, 1, 2, 3]
    assert order_by_mass_within_band(similarity, masses, same, np.arange(4), 1.0).tolist() == [3, 2, 1, 0]


def test_equal_masses_go_to_the_newer_then_the_later() -> None:
    equal = np.full(3, 0.5, np.float32)
    order = order_by_mass_within_band(equal, equal, np.array([1, 2, 2]), np.array([10, 11, 12]), 0.1)
    assert order.tolist() == [2, 1, 0]


unit = st.floats(0, 1, width=32)


@given(st.lists(st.tuples(unit, unit, st.integers(0, 5)), max_size=40), st.floats(0, 0.3), st.randoms())
def test_the_order_is_a_permutation_that_never_crosses_more_than_a_band(
    rows: list[tuple[float, float, int]], band: float, shuffler: object
) -> None:
    similarity = np.array([row[0] for row in rows], np.float32)
    masses = np.array([row[1] for row in rows], np.float32)
    valid = np.array([row[2] for row in rows], np.int64)
    position = np.arange(len(rows), dtype=np.int64)
    order = order_by_mass_within_band(similarity, masses, valid, position, band)
    assert sorted(order.tolist()) == list(range(len(rows)))
    ranked = similarity[order].astype(np.float64)
    odds = ranked / np.maximum(1 - ranked, 1e-12)
    for place in range(1, len(odds)):
        assert odds[place] * (1 - band) ** 2 <= odds[:place].min() * (1 + 1e-6) + 1e-12
    shuffled = list(range(len(rows)))
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    again = order_by_mass_within_band(
        similarity[shuffled], masses[shuffled], valid[shuffled], position[shuffled], band
    )
    assert np.array(shuffled, np.int64)[again].tolist() == order.tolist()
