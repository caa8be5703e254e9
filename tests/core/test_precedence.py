"""Precedence: updates stand before what they update, replies before the requests that they answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.ranking.precedence import (
    MARGIN_MOST,
    REPLY_GAP,
    REPLY_PLACES,
    UPDATE_COSINE,
    UPDATE_COVER,
    UPDATE_FLOOR,
    UPDATE_FLOOR_OF_EVENTS,
    UPDATE_GAP,
    UPDATE_GAP_OF_OWN,
    UPDATE_GAP_OF_STATE,
    UPDATE_HITS,
    UPDATE_MARGIN,
    UPDATE_SESSIONS,
    reply_gains,
    update_gains,
)


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
    # And further still where they ask for how things stand.
    assert gains_of([10, 10 - UPDATE_GAP_OF_STATE + 1], [1, 2], [1, 2], SAME, is_state=True)[1] > 0
    assert gains_of([10, 10 - UPDATE_GAP_OF_STATE - 1], [1, 2], [1, 2], SAME, is_state=True) == [0, 0]


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


def replies(total: list[float], place: list[int], cover: list[float], session: list[int]) -> list[float]:
    """Gains where the first memory is a request and all others are replies."""
    is_request = np.arange(len(total)) == 0
    return reply_gains(
        np.array(total, np.float32),
        np.array(session, np.int64),
        np.array(place, np.int64),
        np.array(cover, np.float32),
        is_request,
        ~is_request,
    ).tolist()


def test_a_reply_that_says_as_much_stands_above_its_request() -> None:
    gains = replies([10, 9], [3, 4], [0.7, 0.7], [1, 1])
    assert gains[0] == 0 and 10 < 9 + gains[1] < 10.01
    # One that says less, stands before, far behind, far below, or in another session does not.
    assert replies([10, 9], [3, 4], [0.7, 0.6], [1, 1]) == [0, 0]
    assert replies([10, 9], [3, 2], [0.7, 0.7], [1, 1]) == [0, 0]
    assert replies([10, 9], [3, 3 + REPLY_PLACES], [0.7, 0.7], [1, 1])[1] > 0
    assert replies([10, 9], [3, 4 + REPLY_PLACES], [0.7, 0.7], [1, 1]) == [0, 0]
    assert replies([10, 9.9 - REPLY_GAP], [3, 4], [0.7, 0.7], [1, 1]) == [0, 0]
    assert replies([10, 9], [3, 4], [0.7, 0.7], [1, 2]) == [0, 0]
    # Of several the best one.
    assert [gain > 0 for gain in replies([10, 9, 9.5], [3, 4, 6], [0.7] * 3, [1] * 3)] == [False, False, True]
    assert replies([], [], [], []) == []
