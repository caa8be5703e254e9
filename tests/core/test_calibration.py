"""Calibration with the numbers of the registry: p, c, both backgrounds, the mixture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.similarity.calibration import (
    BUCKETS,
    LADDER,
    Background,
    Calibration,
    Direction,
    backgrounds_as_list,
    backgrounds_from_list,
    bucket_of,
    fit,
    fit_alone,
    fit_background,
    is_due,
    similarity_of,
)
from engramforge.errors import InvalidValue
from engramforge.model.spaces import ROW_BY_SPACE, Space

ROW = ROW_BY_SPACE[Space.SEMANTIC]
WAY = Direction.QUERY_TO_MEMORY


def normal(mean: float = 0.0, count: int = 50_000, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(mean, 0.1, count)


def calibration(shipped: np.ndarray, live: np.ndarray | None = None) -> Calibration:
    samples = () if live is None else (live,) * BUCKETS
    return fit(samples, (fit_background(shipped),) * BUCKETS, ROW, "encoder-1", WAY)


def test_length_buckets() -> None:
    assert bucket_of(np.array([0, 1, 8, 9, 24, 25, 80, 81, 10_000])).tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3]


def test_c_passes_through_the_points_of_the_spec() -> None:
    tails = np.log(np.array([1.0, 0.5, 0.10, 1e-3]))
    assert similarity_of(tails, 0.30, 0.75) == pytest.approx([0, 0, 0.30, 0.75])
    halfway = (np.log(0.10) + np.log(1e-3)) / 2
    assert similarity_of(np.array([halfway]), 0.30, 0.75) == pytest.approx([0.525])
    assert similarity_of(tails, None, 0.65) == pytest.approx([0, 0, 0.65 * np.log(5) / np.log(500), 0.65])


def test_c_rises_strictly_above_high_and_stays_below_1() -> None:
    tails = np.log(1e-3) - np.linspace(0, 5_000, 400)
    values = similarity_of(tails, 0.30, 0.75)
    assert (np.diff(values) > 0).all()
    assert values[0] == pytest.approx(0.75)
    assert values[-1] < 1


@given(st.lists(st.floats(-800, 0), min_size=2, max_size=30))
def test_c_never_falls_as_p_falls(tails: list[float]) -> None:
    ordered = np.sort(np.array(tails))[::-1]
    values = similarity_of(ordered, 0.20, 0.60)
    assert (np.diff(values) >= -1e-12).all()
    assert ((values >= 0) & (values < 1)).all()


def test_p_is_empirical_down_to_one_percent() -> None:
    sample = normal()
    background = fit_background(sample)
    for share in (0.5, 0.25, 0.1, 0.05, 0.02, 0.01):
        value = np.quantile(sample, 1 - share)
        assert np.exp(background.log_tail(np.array([value])))[0] == pytest.approx(share, rel=0.02)


def test_p_falls_exponentially_beyond_one_percent() -> None:
    sample = np.random.default_rng(3).exponential(0.05, 200_000)
    background = fit_background(sample)
    assert background.scale == pytest.approx(0.05, rel=0.05)
    beyond = background.quantiles[-1] + np.array([0.05, 0.10, 0.15])
    assert background.log_tail(beyond) == pytest.approx(
        np.log(0.01) - (beyond - background.quantiles[-1]) / background.scale
    )
    for share in (1e-3, 1e-4):
        value = np.quantile(sample, 1 - share)
        assert background.log_tail(np.array([value]))[0] == pytest.approx(np.log(share), abs=0.5)


def test_the_top_half_percent_is_dropped() -> None:
    sample = np.random.default_rng(5).exponential(0.05, 20_000)
    related = sample.copy()
    related[np.argsort(sample)[-90:]] += 50.0  # under 0.5 %: pairs that were related after all
    clean, mixed = fit_background(sample), fit_background(related)
    assert mixed.quantiles == pytest.approx(clean.quantiles, abs=1e-9)
    assert mixed.scale == pytest.approx(clean.scale)


def test_a_value_that_most_pairs_share_is_not_rare() -> None:
    sample = np.concatenate((np.zeros(9_000), np.linspace(0.01, 0.5, 1_000)))
    background = fit_background(sample)
    assert background.log_tail(np.array([0.0]))[0] == 0.0
    assert np.exp(background.log_tail(np.array([0.005])))[0] == pytest.approx(0.1, rel=0.3)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40), st.integers(0, 3))
@settings(max_examples=50)
def test_p_never_rises_as_the_similarity_rises(values: list[float], seed: int) -> None:
    sample = np.round(np.random.default_rng(seed).normal(0.1, 0.2, 2_000).clip(0, 1), 2)
    tails = fit_background(sample).log_tail(np.sort(np.array(values)))
    assert (np.diff(tails) <= 1e-12).all()
    assert (tails <= 0).all()


def test_live_and_shipped_mix_by_number_of_pairs() -> None:
    shipped, live = normal(0.0), normal(0.3, count=2_000, seed=2)
    mixed = calibration(shipped, live)
    raw, lengths = np.array([0.4]), np.array([10])
    alone = mixed.shipped[1].log_tail(raw)
    assert mixed.live[1] is not None
    expected = 0.5 * np.exp(mixed.live[1].log_tail(raw)) + 0.5 * np.exp(alone)  # 2,000 / (2,000 + 2,000)
    assert np.exp(mixed.apply(raw, lengths).log_tail) == pytest.approx(expected)
    assert calibration(shipped).apply(raw, lengths).log_tail == pytest.approx(alone)
    many = calibration(shipped, normal(0.3, count=200_000, seed=2))
    assert many.apply(raw, lengths).log_tail[0] > mixed.apply(raw, lengths).log_tail[0]


def test_high_is_passed_by_one_unrelated_pair_in_a_thousand() -> None:
    fitted = calibration(normal(), normal(seed=9))
    judged = normal(count=400_000, seed=10)
    share = (fitted.apply(judged, np.full(len(judged), 30)).similarity > ROW.high).mean()
    assert 0.3e-3 < share < 2e-3


def test_each_length_bucket_has_its_own_background() -> None:
    shipped = tuple(fit_background(normal(mean)) for mean in (0.0, 0.1, 0.2, 0.3))
    fitted = fit((), shipped, ROW, "encoder-1", WAY)
    values = fitted.apply(np.full(4, 0.35), np.array([5, 20, 50, 500])).similarity
    assert (np.diff(values) < 0).all()


def test_small_samples_keep_the_shipped_background() -> None:
    fitted = fit((normal(count=199),) * BUCKETS, (fit_background(normal()),) * BUCKETS, ROW, "e", WAY)
    assert fitted.live == (None,) * BUCKETS
    assert fitted.pairs == 0


@pytest.mark.parametrize(
    "sample", [np.zeros(0), np.zeros(50), np.array([np.nan] * 300), np.full(300, np.inf)]
)
def test_what_makes_no_background_is_refused(sample: np.ndarray) -> None:
    with pytest.raises(InvalidValue, match="finite similarities"):
        fit_background(sample)


def test_a_background_without_spread_still_calibrates() -> None:
    fitted = calibration(np.zeros(1_000))
    values = fitted.apply(np.array([0.0, 0.5]), np.array([10, 10]))
    assert values.similarity[0] == 0
    assert values.similarity[1] > ROW.high


def test_temporal_spaces_have_no_calibration() -> None:
    with pytest.raises(InvalidValue, match="no threshold"):
        fit((), (fit_background(normal()),) * BUCKETS, ROW_BY_SPACE[Space.TEMPORAL_RECENT], "e", WAY)


def stored_again(backgrounds: Sequence[Background | None]) -> tuple[Background | None, ...]:
    """What is read back after it was written as JSON."""
    return backgrounds_from_list(json.loads(json.dumps(backgrounds_as_list(backgrounds))))


def test_ids_tell_calibrations_apart_and_survive_storage() -> None:
    first, other = calibration(normal()), calibration(normal(), normal(0.1, count=5_000))
    assert first.id != other.id
    assert first.id.startswith("calibration-1/query_to_memory/0@")
    assert other.pairs == 5_000 * BUCKETS
    stored = replace(other, shipped=stored_again(other.shipped), live=stored_again(other.live))
    assert stored == other
    assert stored.id == other.id


@pytest.mark.parametrize(
    "damaged",
    [
        5,
        [None],
        [{}] * BUCKETS,
        [{"quantiles": [0.0], "scale": 1.0, "pairs": 5}] * BUCKETS,
        [{"quantiles": [0.0] * len(LADDER), "scale": 0.0, "pairs": 5}] * BUCKETS,
    ],
)
def test_damaged_backgrounds_are_refused(damaged: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        backgrounds_from_list(damaged)


def test_refit_is_due_when_the_corpus_has_doubled() -> None:
    assert [is_due(1_000, now) for now in (1_000, 1_999, 2_000, 5_000)] == [False, False, True, True]
    assert not is_due(0, 1)
    assert is_due(0, 2)


def test_a_background_knows_its_quantiles_by_heart() -> None:
    background = Background(tuple(np.linspace(0, 0.34, len(LADDER)).tolist()), 0.1, 10)
    assert np.exp(background.log_tail(np.array(background.quantiles))) == pytest.approx(LADDER)


def test_an_encoder_without_anything_shipped_has_the_live_background_alone() -> None:
    samples = [normal(count=5_000, seed=2), normal(0.3, 5_000, 3), normal(count=10), normal(count=0)]
    alone = fit_alone(samples, ROW, "model-1", WAY)
    assert alone is not None
    assert alone.pairs == 10_010
    raw = np.array([0.0, 0.2, 0.6])
    for bucket, sample in ((0, samples[0]), (1, samples[1]), (2, np.concatenate(samples))):
        found = alone.apply(raw, np.full(3, (5, 20, 50)[bucket]))
        assert found.log_tail == pytest.approx(fit_background(sample).log_tail(raw))
    assert np.exp(alone.apply(raw, np.full(3, 50)).log_tail) == pytest.approx(
        np.exp(alone.apply(raw, np.full(3, 500)).log_tail)
    )
    again = replace(alone, shipped=stored_again(alone.shipped), live=stored_again(alone.live))
    assert again == alone
    assert again.id == alone.id


def test_where_nearly_all_pairs_share_one_value_the_largest_has_its_share() -> None:
    """Names in common: 3 in 4,000 pairs have one. p of a value that high is 1/4000, not nothing."""
    background = fit_background(np.concatenate((np.zeros(3_997), [0.5, 1.0, 1.0])))
    assert background.quantiles[-1] == 0
    assert np.exp(background.log_tail(np.array([1.0]))) == pytest.approx([1 / 4_000])
    assert np.exp(background.log_tail(np.array([0.0]))) == pytest.approx([1])
    assert np.isfinite(fit_background(np.zeros(500)).log_tail(np.array([0.0, 1.0]))).all()


def test_too_few_pairs_in_all_buckets_together_make_no_calibration() -> None:
    assert fit_alone([normal(count=199), *[normal(count=0)] * 3], ROW, "model-1", WAY) is None
    assert fit_alone([normal(count=50)] * 4, ROW, "model-1", WAY) is not None
