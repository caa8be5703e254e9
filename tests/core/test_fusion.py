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
    MARGIN_MOST,
    MATCHING,
    OFFSET,
    PART_WEIGHTS,
    SLOPE,
    TURN_PRIORS,
    UPDATE_COSINE,
    UPDATE_COVER,
    UPDATE_FLOOR,
    UPDATE_FLOOR_OF_EVENTS,
    UPDATE_GAP,
    UPDATE_GAP_OF_OWN,
    UPDATE_HITS,
    UPDATE_MARGIN,
    UPDATE_SESSIONS,
    WEIGHTS,
    family_shares,
    has_match,
    similarity_of,
    update_gains,
    weighted_sum,
)
from engramforge.core.ranking.question import Question

FOR_IT = set(WEIGHTS) - {
    *TURN_PRIORS,
    "chunk",
    "note",
    "artifact",
    "response",
    "mentions",
    "opening",
    "asked",
}
"""Signals that say "this matches"; the others are priors, or may tell against."""


def test_families_and_weights_cover_the_same_signals() -> None:
    members = [name for names in FAMILIES.values() for name in names]
    assert len(members) == len(set(members))
    assert set(members) == set(WEIGHTS) | set(PART_WEIGHTS)


def test_what_matches_never_counts_against() -> None:
    assert [name for name in sorted(FOR_IT) if WEIGHTS[name] < 0] == []
    assert [name for name, weight in PART_WEIGHTS.items() if weight < 0] == ["code_length"]


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


def gains_of(
    total: list[float], session: list[int], moment: list[int], vectors: list[list[int]], **more: Any
) -> list[float]:
    count = len(total)
    soft = more.pop("soft", np.ones((1, count), np.float32))
    weights = np.ones(1, np.float32)
    return update_gains(
        np.array(total, np.float32),
        np.array(session, np.int64),
        np.array(moment, np.int64),
        np.array(vectors, np.int8),
        soft,
        weights,
        **more,
    ).tolist()


SAME = [[100, 0], [100, 0]]


def test_a_newer_hit_is_lifted_just_above_the_older_one() -> None:
    gains = gains_of([10, 8], [1, 2], [100, 200], SAME)
    assert gains[0] == 0
    assert 10 + 0 < 8 + gains[1] < 10.01
    # Nothing to lift: the newer one is first already, or the times are equal, or both are of one session.
    assert gains_of([10, 8], [1, 2], [200, 100], SAME) == [0, 0]
    assert gains_of([10, 8], [1, 2], [100, 100], SAME) == [0, 0]
    assert gains_of([10, 8], [1, 1], [100, 200], SAME) == [0, 0]
    assert gains_of([10], [1], [100], SAME[:1]) == [0]
    assert gains_of([], [], [], np.empty((0, 2), np.int8).tolist(), soft=np.empty((1, 0), np.float32)) == []


def test_only_what_resembles_is_an_update() -> None:
    """Two hits alone have the largest margin; the floor then asks for cosine and shared words together."""
    margin = UPDATE_MARGIN * MARGIN_MOST
    missing = UPDATE_FLOOR_OF_EVENTS - margin
    assert 0 < missing < UPDATE_COSINE
    none = np.array([[1, 0]], np.float32)
    for cosine, lifted in (((missing + 0.1) / UPDATE_COSINE, True), ((missing - 0.1) / UPDATE_COSINE, False)):
        other = [round(127 * cosine), round(127 * math.sqrt(1 - cosine**2))]
        gains = gains_of([10, 8], [1, 2], [1, 2], [[127, 0], other], soft=none, is_event=True)
        assert (gains[1] > 0) == lifted
    for shared, lifted in (((missing + 0.1) / UPDATE_COVER, True), ((missing - 0.1) / UPDATE_COVER, False)):
        soft = np.full((1, 2), shared, np.float32)
        gains = gains_of([10, 8], [1, 2], [1, 2], [[127, 0], [0, 127]], soft=soft, is_event=True)
        assert (gains[1] > 0) == lifted


def test_questions_of_events_ask_for_more() -> None:
    # Kinship 0.73 x 4 + 4.7 x 0.25 = 4.1 lies between the two floors.
    vectors = [[127, 0], [32, 123]]
    none = np.zeros((1, 2), np.float32)
    assert UPDATE_FLOOR < 4.1 < UPDATE_FLOOR_OF_EVENTS
    assert gains_of([10, 8], [1, 2], [1, 2], vectors, soft=none)[1] > 0
    assert gains_of([10, 8], [1, 2], [1, 2], vectors, soft=none, is_event=True)[1] == 0


def test_a_pair_has_to_stand_out_from_the_others() -> None:
    vectors = [[127, 0], [127, 0], [0, 127]]
    none = np.zeros((1, 3), np.float32)
    # The newer one is 6 below the third: 0.73 x -6 + 4.7 = 0.3.
    assert gains_of([10, 3, 9], [1, 2, 3], [1, 2, 0], vectors, soft=none) == [0, 0, 0]
    assert gains_of([10, 8, 3], [1, 2, 3], [1, 2, 0], vectors, soft=none)[1] > 0


def test_updates_stay_within_a_project_and_among_what_was_said() -> None:
    assert gains_of([10, 8], [1, 2], [1, 2], SAME, project=np.array([1, 1]))[1] > 0
    assert gains_of([10, 8], [1, 2], [1, 2], SAME, project=np.array([1, 2])) == [0, 0]
    assert gains_of([10, 8], [1, 2], [1, 2], SAME, is_said=np.array([True, False])) == [0, 0]
    assert gains_of([10, 8], [1, 2], [1, 2], SAME, is_said=np.array([False, True])) == [0, 0]


def test_what_others_said_updates_only_what_answers_about_as_well() -> None:
    theirs = np.array([False, False])
    for gap, lifted in ((UPDATE_GAP - 0.1, True), (UPDATE_GAP + 0.1, False)):
        gains = gains_of([10, 10 - gap], [1, 2], [1, 2], SAME, is_own=theirs)
        assert (gains[1] > 0) == lifted
    # What the one who asks said of both times may be further apart; one of the two is not enough.
    far = [10, 10 - UPDATE_GAP - 1]
    assert gains_of(far, [1, 2], [1, 2], SAME, is_own=np.array([True, True]))[1] > 0
    assert gains_of(far, [1, 2], [1, 2], SAME, is_own=np.array([True, False])) == [0, 0]
    assert gains_of([10, 10 - UPDATE_GAP_OF_OWN - 1], [1, 2], [1, 2], SAME) == [0, 0]


def test_a_chain_of_updates_ends_with_the_newest_first() -> None:
    vectors = [[127, 0]] * 3
    gains = gains_of([10, 9, 8], [1, 2, 3], [1, 2, 3], vectors)
    levels = [10 + gains[0], 9 + gains[1], 8 + gains[2]]
    assert levels[2] > levels[1] > levels[0]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 14), st.booleans())
def test_gains_only_lift_and_only_over_the_older(seed: int, count: int, is_event: bool) -> None:
    random = np.random.default_rng(seed)
    total = random.normal(8, 2, count).astype(np.float32)
    session, moment = random.integers(0, 8, count), random.integers(0, 5, count)
    vectors = random.integers(-127, 128, (count, 3)).astype(np.int8)
    soft = random.random((2, count)).astype(np.float32)
    weights = np.array([0.3, 0.7], np.float32)
    gains = update_gains(total, session, moment, vectors, soft, weights, is_event)
    lifted = np.flatnonzero(gains)
    assert (gains >= 0).all()
    assert len(lifted) < UPDATE_SESSIONS
    best = set(np.argsort(-total, kind="stable")[:UPDATE_HITS].tolist())
    after = total + gains
    for row in lifted:
        older = [other for other in best if moment[other] < moment[row] and session[other] != session[row]]
        assert row in best
        assert any(0 < after[row] - after[other] < 0.01 for other in older)


def test_what_shares_nothing_is_no_match() -> None:
    assert set(MATCHING) <= set(WEIGHTS) | set(PART_WEIGHTS)
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
