"""Fusion: which signals count, what the similarity means, and updates before what they update."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.ranking.fusion import (
    EXPECTED,
    FAMILIES,
    OFFSET,
    SLOPE,
    TURN_PRIORS,
    WEIGHTS,
    family_shares,
    has_match,
    similarity_of,
    weighted_sum,
)
from engramforge.core.ranking.question import Question

FOR_IT = set(WEIGHTS) - {
    *TURN_PRIORS,
    "chunk",
    "note",
    "artifact",
    "action",
    "ended",
    "role_other",
    "of_others",
    "response",
    "mentions",
    "opening",
    "asked",
    "causal_away",
    "code_length",
}
"""Signals that say "this matches"; the others are priors, or may tell against."""


def test_what_matches_never_counts_against() -> None:
    assert [name for name in sorted(FOR_IT) if WEIGHTS[name] < 0] == []


def test_every_trait_of_a_question_has_its_expectation() -> None:
    from engramforge.core.text.dates import POINT, Interval

    every = [Interval(1, 1, POINT)], [Interval(1, 99, POINT)]
    traits = set()
    for intervals in every:
        traits |= set(Question(("ann",), tuple(intervals), frozenset({"when", "self"}), ()).traits)
    assert traits == set(EXPECTED)


def test_similarity_by_hand() -> None:
    even = -OFFSET / SLOPE
    total = np.array([even, even + math.log(3) / SLOPE, even - math.log(3) / SLOPE], np.float32)
    assert similarity_of(total, ()) == pytest.approx([0.5, 0.75, 0.25], abs=1e-5)
    odds = OFFSET + EXPECTED["names"] + EXPECTED["when"]
    assert similarity_of(np.zeros(1, np.float32), ("names", "when")) == pytest.approx(
        [1 / (1 + math.exp(-odds))], rel=1e-5
    )


@given(
    st.lists(st.floats(-60, 60, width=32), min_size=2, max_size=20),
    st.sets(st.sampled_from(sorted(EXPECTED))),
)
def test_similarity_rises_with_the_sum_and_is_a_chance(totals: list[float], traits: set[str]) -> None:
    values = similarity_of(np.array(sorted(totals), np.float32), traits)
    assert values.dtype == np.float32
    assert ((values >= 0) & (values <= 1)).all()
    assert all(low <= high for low, high in pairwise(values.tolist()))


@st.composite
def found_signals(draw: Any) -> dict[str, np.ndarray]:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = draw(st.lists(st.sampled_from(sorted(WEIGHTS)), unique=True, min_size=1))
    return {name: random.random(4).astype(np.float32) for name in names}


@settings(deadline=None)
@given(found_signals(), st.randoms(use_true_random=False))
def test_the_sum_does_not_depend_on_the_order_of_signals(found: dict[str, np.ndarray], random: Any) -> None:
    names = list(found)
    random.shuffle(names)
    total = weighted_sum(found, 4)
    assert (weighted_sum({name: found[name] for name in names}, 4) == total).all()
    for row in range(4):
        assert total[row] == pytest.approx(
            sum(WEIGHTS[name] * float(found[name][row]) for name in names), rel=1e-5, abs=1e-5
        )


@settings(deadline=None)
@given(found_signals())
def test_families_share_out_the_whole_sum(found: dict[str, np.ndarray]) -> None:
    shares = family_shares(found, 4)
    assert set(shares) == set(FAMILIES)
    assert sum(shares.values()) == pytest.approx(weighted_sum(found, 4), rel=1e-5, abs=1e-5)


def test_a_signal_without_a_weight_counts_nothing() -> None:
    assert weighted_sum({"unheard_of": np.ones(2, np.float32)}, 2).tolist() == [0, 0]


def test_what_shares_nothing_is_no_match() -> None:
    found = {
        "cosine": np.array([0.15, 0.16, 0, 0, 0], np.float32),
        "words_pair": np.array([0.2, 0, 0.21, 0, 0], np.float32),
        "speaker": np.array([0, 0, 0, 1, 0], np.float32),
        # Priors of wording say nothing about a match.
        "content_mean": np.ones(5, np.float32),
        "opening": np.ones(5, np.float32),
    }
    assert has_match(found, 5).tolist() == [False, True, True, True, False]
    assert has_match({}, 2).tolist() == [False, False]
