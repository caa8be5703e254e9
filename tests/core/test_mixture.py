"""The mixture and its chi-square: table values, known mixtures, degenerate samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.similarity.mixture import FEWEST, chi_square_cdf, fit_mixture, lower_gamma

# Upper quantiles of chi-square as every table prints them (Abramowitz, Stegun 1964, table 26.8).
TABLE = [
    (3.841459, 1, 0.95),
    (6.634897, 1, 0.99),
    (5.991465, 2, 0.95),
    (9.210340, 2, 0.99),
    (0.710723, 4, 0.05),
    (18.307038, 10, 0.95),
    (23.209251, 10, 0.99),
    (3.940299, 10, 0.05),
    (26.296228, 16, 0.95),
    (124.342113, 100, 0.95),
    (77.929465, 100, 0.05),
]


@pytest.mark.parametrize(("value", "degrees", "expected"), TABLE)
def test_chi_square_has_the_table_s_values(value: float, degrees: int, expected: float) -> None:
    assert chi_square_cdf(value, degrees) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("x", [1e-9, 0.01, 0.5, 1.0, 1.9, 2.1, 7.0, 40.0, 700.0])
def test_incomplete_gamma_has_its_closed_forms(x: float) -> None:
    assert lower_gamma(1, x) == pytest.approx(1 - math.exp(-x), rel=1e-12)
    assert lower_gamma(0.5, x) == pytest.approx(math.erf(math.sqrt(x)), rel=1e-12)
    assert lower_gamma(2, x) == pytest.approx(-math.expm1(-x) - x * math.exp(-x), rel=1e-7, abs=1e-15)


def test_incomplete_gamma_at_its_ends() -> None:
    assert lower_gamma(8, 0) == lower_gamma(8, -1) == 0
    assert lower_gamma(8, math.inf) == 1
    assert lower_gamma(8, 1e6) == 1
    assert lower_gamma(2_000, 1e-3) == 0


@given(st.floats(0.5, 500), st.floats(0, 2_000), st.floats(0, 50))
def test_incomplete_gamma_rises_within_0_and_1(a: float, x: float, step: float) -> None:
    low, high = lower_gamma(a, x), lower_gamma(a, x + step)
    assert 0 <= low <= high + 1e-12 <= 1 + 1e-12


def test_one_gaussian_is_found_and_its_distances_are_chi_square() -> None:
    points = np.random.default_rng(3).normal((5, -2, 0), (1, 2, 3), (4_000, 3))
    fitted = fit_mixture(points)
    assert fitted is not None
    assert len(fitted.shares) == 1
    # Of three dimensions all are directions, and nothing is left.
    assert fitted.degrees == 3
    assert fitted.squared_distance(np.array([5, -2, 0])) == pytest.approx(0, abs=0.02)
    # Three standard deviations along one axis: 9, by hand.
    assert fitted.squared_distance(np.array([8, -2, 0])) == pytest.approx(9, rel=0.1)
    assert fitted.squared_distance(np.array([5, 4, 0])) == pytest.approx(9, rel=0.1)
    inside = [chi_square_cdf(fitted.squared_distance(point), 3) for point in points[:1_000]]
    assert np.mean(inside) == pytest.approx(0.5, abs=0.03)


def test_two_clusters_are_two_components_and_between_them_is_far() -> None:
    rng = np.random.default_rng(4)
    points = np.concatenate((rng.normal(0, 0.1, (200, 6)), rng.normal(4, 0.1, (200, 6))))
    fitted = fit_mixture(points)
    assert fitted is not None
    assert len(fitted.shares) >= 2
    assert fitted.squared_distance(np.full(6, 4)) < fitted.degrees
    assert chi_square_cdf(fitted.squared_distance(np.full(6, 2)), fitted.degrees) > 0.99


def test_a_direction_that_the_sample_does_not_know_is_far() -> None:
    rng = np.random.default_rng(5)
    points = np.zeros((300, 64))
    points[:, :20] = rng.normal(0, 1, (300, 20))
    points[:, 40:] = rng.normal(0, 0.01, (300, 24))
    fitted = fit_mixture(points)
    assert fitted is not None
    stranger = np.zeros(64)
    stranger[50] = 9
    assert chi_square_cdf(fitted.squared_distance(stranger), fitted.degrees) > 0.99


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 4)),
        np.eye(8)[: FEWEST - 1],
        np.zeros((50, 4)),
        np.full((50, 4), 0.1),
        np.full((50, 256), 1e6) + 1e-9,
    ],
)
def test_too_few_or_without_spread_is_none(points: np.ndarray) -> None:
    assert fit_mixture(points) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(FEWEST, 60), st.integers(1, 40), st.integers(0, 2**32 - 1), st.floats(1e-3, 1e4))
def test_order_does_not_count_and_nothing_is_lost_to_infinity(
    count: int, size: int, seed: int, scale: float
) -> None:
    rng = np.random.default_rng(seed)
    points = np.rint(rng.normal(0, 20, (count, size))) * scale
    first, other = fit_mixture(points), fit_mixture(points[rng.permutation(count)])
    if first is None or other is None:
        assert first is other
        return
    place = rng.normal(0, 20, size) * scale
    distance = first.squared_distance(place)
    assert distance == other.squared_distance(place)
    assert 0 <= distance < math.inf
    assert first.shares.sum() == pytest.approx(1)
    assert (first.variances > 0).all()
