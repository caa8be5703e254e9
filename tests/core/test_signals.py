"""Every signal against small cases by hand and against a slow loop; all in [0, 1]; free of the candidates' order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.ranking import signals
from engramforge.core.ranking.fusion import FAMILIES, WEIGHTS
from engramforge.core.ranking.question import Question
from engramforge.core.text.dates import POINT, RANGE, RELATIVE, Interval
from engramforge.core.text.summarising import (
    ASKS,
    HAS_NAMES,
    HAS_NUMBER,
    HAS_PICTURE,
    HAS_TIME,
    IS_FIRST_PERSON,
    IS_HEADING,
)

NOTHING = Question((), (), frozenset(), ())


def f32(*values: Any) -> np.ndarray:
    return np.array(values[0] if len(values) == 1 else values, np.float32)


def sessions_of(keys: list[int], places: list[int], sizes: list[int] | None = None) -> signals.Sessions:
    counts = sizes or [10] * len(keys)
    return signals.Sessions(np.array(keys), np.array(places), np.array(counts))


def test_sessions_find_neighbours_by_their_place() -> None:
    # Place 2 of session 7 is no candidate; -3 is a candidate without a session.
    found = sessions_of([-3, 7, 7, 7, 9], [0, 0, 1, 3, 1], [1, 4, 4, 4, 2])
    values = f32(10, 20, 30, 40, 50)
    assert found.of(values, -1).tolist() == [0, 0, 20, 0, 0]
    assert found.of(values, -2).tolist() == [0, 0, 0, 30, 0]
    assert found.of(values, 1).tolist() == [0, 30, 0, 0, 0]
    assert found.of(values, 2).tolist() == [0, 0, 40, 0, 0]
    assert found.largest(values).tolist() == [10, 40, 40, 40, 50]
    # The first two of a session open it, if it goes on after them: a session of two has an opening of one.
    assert found.opens.tolist() == [0, 1, 1, 0, 0]


def test_no_candidates_at_all() -> None:
    empty = sessions_of([], [])
    blank = np.empty(0, np.float32)
    coverage = signals.Coverage(np.empty((2, 0), np.float32), f32(0.5, 0.5), np.ones((1, 2), np.bool_))
    for values in signals.word_signals(coverage, empty).values():
        assert values.shape == (0,)
    for values in signals.session_signals(coverage, empty, blank).values():
        assert values.shape == (0,)
    assert signals.feedback(np.empty((0, 4), np.int8), blank).shape == (0,)
    days = np.empty(0, np.int64)
    for values in signals.date_signals(
        (Interval(1, 2, POINT),), days, np.empty((0, 3), np.int32), days
    ).values():
        assert values.shape == (0,)


def test_closeness_is_the_squared_cosine_and_no_less_than_a_bound_for_the_same_stem() -> None:
    query, words = f32([[1, 0], [0, 1]]), f32([[0.6, 0.8], [-1, 0], [1, 0]])
    found = signals.word_closeness(
        np.array([5, 6], np.uint32), query, np.array([6, 7, 8], np.uint32), words, np.zeros(2, np.bool_)
    )
    assert found == pytest.approx(f32([[0.36, 0, 1], [0.8, 0, 0]]))


def test_cover_takes_the_best_word_of_each_candidate() -> None:
    closeness = f32([[0.2, 0.9, 0.4], [1.0, 0.1, 0.3]])
    covered = signals.cover(closeness, np.array([0, 2, 1]), np.array([2, 2, 3]))
    assert covered == pytest.approx(f32([[0.4, 0, 0.9], [1.0, 0, 0.1]]))


def test_word_signals_by_hand() -> None:
    soft = f32([[1.0, 0.0, 0.25], [0.0, 0.64, 0.0]])
    weights, clauses = f32(0.75, 0.25), np.array([[True, False], [True, True]])
    found = signals.word_signals(signals.Coverage(soft, weights, clauses), sessions_of([4, 4, 4], [0, 1, 2]))
    # Cosines 1, .8, .5 above the floor .25 by the span .6: 1, .91667, .41667.
    assert found["words_pair"] == pytest.approx(
        [0.75, 0.75 + 0.25 * 0.9166667, 0.75 * 0.4166667 + 0.25 * 0.9166667]
    )
    assert found["words_window"] == pytest.approx([0.75 + 0.16, 0.75 + 0.16, 0.75 + 0.16])
    assert found["words_two_before"] == pytest.approx([0, 0, 0.75])
    # The first clause is the first word alone; the second one is everything.
    assert found["words_clause"] == pytest.approx([1.0, 0.16, 0.25])


def test_session_signals_by_hand() -> None:
    soft = f32([[1.0, 0.0, 0.5], [0.0, 0.8, 0.0]])
    coverage = signals.Coverage(soft, f32(0.5, 0.5), np.ones((1, 2), np.bool_))
    found = signals.session_signals(coverage, sessions_of([1, 1, 2], [0, 1, 0]), f32(0.1, 0.2, 0.3))
    assert found["session_union"] == pytest.approx([0.9, 0.9, 0.25])
    assert found["session_best"] == pytest.approx([0.5, 0.5, 0.25])
    assert found["session_words"] == pytest.approx([0.1, 0.2, 0.3])


def test_meaning_signals_by_hand() -> None:
    found = signals.meaning_signals(f32(-0.5, 0.4, 1.0), sessions_of([1, 1, 1], [0, 1, 2]))
    assert found["cosine"] == pytest.approx([0, 0.4, 1])
    assert found["cosine_before"] == pytest.approx([0, 0, 0.4])


def test_speaker_signals_by_hand() -> None:
    names = ("ann", "bob", "assistant", "user")
    speaker = np.array([0, 1, 2, 3, -1], np.int32)
    speaks = np.array([True, False, True, False, False])
    mentions = f32(0, 1, 0, 0, 1)
    asked = Question(("bob", "ann"), (), frozenset({"self"}), ())
    found = signals.speaker_signals(asked, names, speaker, speaks, mentions)
    assert found["speaker"].tolist() == [0, 1, 0, 0, 0]
    assert found["session_speaker"].tolist() == [1, 0, 1, 0, 0]
    assert found["mentions"].tolist() == [0, 1, 0, 0, 1]
    assert found["role_user"].tolist() == [0, 0, 0, 1, 0]
    assert found["role_other"].tolist() == [1, 1, 0, 0, 0]
    assert found["role_assistant"].tolist() == [0, 0, 0, 0, 0]
    told = Question((), (), frozenset({"self", "told"}), ())
    found = signals.speaker_signals(told, names, speaker, speaks, mentions)
    assert found["role_assistant"].tolist() == [0, 0, 1, 0, 0]
    assert found["role_user"].tolist() == found["speaker"].tolist() == [0, 0, 0, 0, 0]
    assert not found["role_other"].any()
    # Where nobody is the user, any of them may be who asks.
    found = signals.speaker_signals(asked, names[:3], np.minimum(speaker, 2), speaks, mentions)
    assert not found["role_other"].any()


def test_a_day_fits_from_the_day_before_and_fades_after() -> None:
    days = np.array([98, 99, 100, 105, 115, 10_000])
    none, ends = np.empty((0, 3), np.int32), np.zeros(6, np.int64)
    short = signals.date_signals((Interval(100, 105, POINT),), days, none, ends)
    assert short["day_fits"] == pytest.approx([0, 1, 1, 1, math.exp(-1), 0], abs=1e-6)
    assert short["day_fits_long"].tolist() == [0] * 6
    long = signals.date_signals((Interval(100, 111, POINT),), days, none, ends)
    assert long["day_fits"].tolist() == [0] * 6
    assert long["day_fits_long"][:5] == pytest.approx([0, 1, 1, 1, math.exp(-0.4)])


def test_named_intervals_meet_the_asked_one() -> None:
    asked = (Interval(1000, 1099, POINT),)
    # First candidate: a range over half of it; second none; third a day within; fourth the wide year before.
    intervals = np.array([[1050, 1149, RANGE], [1010, 1010, POINT], [634, 999, POINT]], np.int32)
    found = signals.date_signals(asked, np.zeros(4, np.int64), intervals, np.array([1, 1, 2, 3]))
    assert found["range_fits"] == pytest.approx([0.5, 0, 0, 0])
    assert found["point_fits"] == pytest.approx([0, 0, 0.1, 0])
    assert found["points_inside"] == pytest.approx([0, 0, 1, 0])
    # The end of what is asked lies within the named one, or up to 31 days after it.
    assert found["end_named"] == pytest.approx([0, 0, 0, 0])
    assert found["latest_before"] == pytest.approx(
        [0, 0, math.exp(-(21 / 366) / 3), math.exp(-((1000 + 31 - 634) / 366) / 3)], rel=1e-5
    )
    year = signals.date_signals(
        (Interval(700, 710, POINT),),
        np.zeros(1, np.int64),
        np.array([[634, 999, POINT]], np.int32),
        np.array([1]),
    )
    assert year["end_named"] == pytest.approx([1.0])
    relative = signals.date_signals(
        asked, np.zeros(1, np.int64), np.array([[1010, 1010, RELATIVE]], np.int32), np.array([1])
    )
    assert relative["point_fits"] == pytest.approx([0.1])
    assert relative["points_inside"] == relative["latest_before"] == pytest.approx([0])


def test_wording_signals_by_hand() -> None:
    cues = np.array(
        [ASKS | HAS_NUMBER, HAS_TIME | HAS_NAMES | IS_FIRST_PERSON, IS_HEADING | HAS_PICTURE], np.uint8
    )
    coverage = signals.Coverage(f32([[0.5, 0.1, 0.2]]), f32([1.0]), np.ones((1, 1), np.bool_))
    asked = Question((), (), frozenset({"when", "number", "who", "where"}), ())
    found = signals.wording_signals(cues, asked, coverage, sessions_of([1, 1, 1], [0, 1, 2]))
    expected = {
        "when_time": [0, 1, 0],
        "number_named": [1, 0, 0],
        "who_named": [0, 1, 0],
        "where_named": [0, 1, 0],
        "asks": [1, 0, 0],
        "asked": [0, 1, 0],
        "asked_covered": [0, 0.5, 0],
        "first_person": [0, 1, 0],
        "heading": [0, 0, 1],
        "picture": [0, 0, 1],
    }
    assert {name: values.tolist() for name, values in found.items()} == expected
    quiet = signals.wording_signals(cues, NOTHING, coverage, sessions_of([1, 1, 1], [0, 1, 2]))
    for name in ("when_time", "number_named", "who_named", "where_named"):
        assert quiet[name].tolist() == [0, 0, 0]


def test_shape_signals_by_hand() -> None:
    found = signals.shape_signals(
        np.array([0, 6, 402]), np.array([0, 3, 200]), f32(0, 40, 4000), sessions_of([1, 1, 2], [0, 1, 5])
    )
    assert found["short"] == pytest.approx([1, 0.5, 0])
    assert found["length"] == pytest.approx([0, math.log(7) / 6, math.log(403) / 6])
    assert found["content"] == pytest.approx([0, 0.5, 4000 / 4040])
    assert found["content_mean"] == pytest.approx([0, 1.0, 1.0])
    assert found["opening"].tolist() == [1, 1, 0]


def test_what_is_alone_abstains_in_sessions_and_chunks_in_priors_of_turns() -> None:
    names = ["session_union", "session_best", "session_words", "cosine", "words_pair", *signals.TURN_PRIORS]
    found = signals.apart(
        {name: f32(0.5, 0.25, 0.75) for name in names},
        f32(0.1, 0.2, 0.3),
        f32(0.4, 0.5, 0.6),
        np.array([False, True, True]),
        np.array([False, False, True]),
    )
    for name in ("session_union", "session_best", "session_words"):
        assert found[name].tolist() == [0.5, 0, 0]
    for name in signals.TURN_PRIORS:
        assert found[name].tolist() == [0.5, 0.25, 0]
    assert found["cosine"].tolist() == found["words_pair"].tolist() == [0.5, 0.25, 0.75]
    assert found["alone_words"].tolist() == found["alone_cosine"].tolist() == [0, 0.25, 0.75]
    assert found["alone_passage"] == pytest.approx([0, 0.2, 0.3])
    assert found["alone_nearest"] == pytest.approx([0, 0.5, 0.6])
    assert found["nearest"] == pytest.approx([0.4, 0, 0])
    assert found["chunk"].tolist() == [0, 0, 1]


def test_feedback_is_the_cosine_with_the_mean_of_the_best() -> None:
    vectors = np.array([[100, 0], [0, 100], [-100, 0], [0, 0]], np.int8)
    found = signals.feedback(vectors, f32(3.0, 0.0, -50.0, -60.0))
    second = math.exp(-1)
    length = math.hypot(1, second)
    assert found == pytest.approx([1 / length, second / length, 0, 0], abs=1e-5)


@st.composite
def scenes(draw: Any) -> dict[str, Any]:
    """Random candidates in sessions, with everything that the signals look at."""
    count, words = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = sorted({(int(a), int(b)) for a, b in random.integers(0, (3, 6), (count, 2))})
    count = len(rows)
    weights = random.random(words).astype(np.float32) + 0.01
    clauses = random.random((2, words)) < 0.6
    return {
        "keys": [key for key, _ in rows],
        "places": [place for _, place in rows],
        "soft": (random.random((words, count)) ** 2).astype(np.float32),
        "weights": weights / weights.sum(),
        "clauses": clauses,
        "cosine": random.uniform(-1, 1, count).astype(np.float32),
        "cues": random.integers(0, 128, count).astype(np.uint8),
        "words": random.random(count).astype(np.float32),
        "nearest": random.random(count).astype(np.float32),
        "passage": random.random(count).astype(np.float32),
        "alone": random.random(count) < draw(st.sampled_from([0.0, 0.3])),
        "chunk": random.random(count) < draw(st.sampled_from([0.0, 0.3])),
        "lengths": random.integers(0, 500, count),
        "content": (random.random(count) * 300).astype(np.float32),
        "days": random.integers(0, 4000, count),
        "vectors": random.integers(-127, 128, (count, 6)).astype(np.int8),
        "first": random.normal(0, 5, count).astype(np.float32),
        "intervals": [
            [(int(a), int(a + b), int(kind)) for a, b, kind in random.integers(0, (4000, 900, 4), (n, 3))]
            for n in random.integers(0, 4, count)
        ],
        "asked": [Interval(int(a), int(a + b), POINT) for a, b in random.integers(0, (4000, 60), (2, 2))],
    }


ASKED = frozenset({"when", "number", "who", "where", "self"})


def everything(scene: dict[str, Any], order: list[int] | None = None) -> dict[str, np.ndarray]:
    """All signals but those of speakers, of candidates whose sessions are laid out in another order."""
    count = len(scene["keys"])
    rows = list(range(count)) if order is None else order
    sessions = sessions_of([scene["keys"][row] for row in rows], [scene["places"][row] for row in rows])
    coverage = signals.Coverage(scene["soft"][:, rows], scene["weights"], scene["clauses"])
    flat = [interval for row in rows for interval in scene["intervals"][row]]
    ends = np.cumsum([len(scene["intervals"][row]) for row in rows])
    found = {
        **signals.word_signals(coverage, sessions),
        **signals.meaning_signals(scene["cosine"][rows], sessions),
        **signals.session_signals(coverage, sessions, scene["words"][rows]),
        **signals.wording_signals(scene["cues"][rows], Question((), (), ASKED, ()), coverage, sessions),
        **signals.shape_signals(
            scene["lengths"][rows], scene["lengths"][rows] // 2, scene["content"][rows], sessions
        ),
    }
    found = signals.apart(
        found, scene["passage"][rows], scene["nearest"][rows], scene["alone"][rows], scene["chunk"][rows]
    )
    return {
        **found,
        **signals.date_signals(
            tuple(scene["asked"]), scene["days"][rows], np.array(flat, np.int32).reshape(-1, 3), ends
        ),
        "feedback": signals.feedback(scene["vectors"][rows], scene["first"][rows]),
    }


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_every_signal_is_between_0_and_1_and_has_a_weight(scene: dict[str, Any]) -> None:
    found = everything(scene)
    elsewhere = {"speaker", "session_speaker", "mentions", "of_others", "role_assistant", "role_user"}
    elsewhere |= {"note", "artifact", "action", "ended", "title", "designation", "response", "role_other"}
    elsewhere |= {name for family in ("image", "entity", "cause", "code") for name in FAMILIES[family]}
    assert set(found) | elsewhere == set(WEIGHTS)
    for name, values in found.items():
        assert values.shape == (len(scene["keys"]),), name
        assert np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1 + 1e-6, name


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_signals_agree_with_slow_loops(scene: dict[str, Any]) -> None:
    found = everything(scene)
    rows = range(len(scene["keys"]))
    at = {(scene["keys"][row], scene["places"][row]): row for row in rows}
    soft, weights = scene["soft"].astype(float), scene["weights"].astype(float)
    linear = np.clip((np.sqrt(soft) - signals.COSINE_FLOOR) / signals.COSINE_SPAN, 0, 1)
    questions = range(len(weights))

    def near(row: int, step: int) -> int | None:
        return at.get((scene["keys"][row], scene["places"][row] + step))

    for row in rows:
        before, two = near(row, -1), near(row, -2)
        window = [row, *(other for step in (-2, -1, 1, 2) if (other := near(row, step)) is not None)]
        pair = [row] if before is None else [row, before]
        session = [other for other in rows if scene["keys"][other] == scene["keys"][row]]
        own = {other: sum(weights[q] * soft[q, other] for q in questions) for other in rows}
        clauses = [0.0] + [
            sum(weights[q] * soft[q, row] for q in questions if clause[q])
            / max(sum(weights[q] for q in questions if clause[q]), 1e-9)
            for clause in scene["clauses"]
        ]
        alone = bool(scene["alone"][row])
        asks_before = before is not None and bool(scene["cues"][before] & ASKS)
        expected = {
            "words_pair": sum(weights[q] * max(linear[q, o] for o in pair) for q in questions),
            "words_window": sum(weights[q] * max(soft[q, o] for o in window) for q in questions),
            "words_two_before": 0.0 if two is None else own[two],
            "words_clause": max(clauses),
            "session_union": 0.0
            if alone
            else sum(weights[q] * max(soft[q, o] for o in session) for q in questions),
            "session_best": 0.0 if alone else max(own[o] for o in session),
            "alone_words": float(scene["words"][row]) if alone else 0.0,
            "alone_cosine": max(float(scene["cosine"][row]), 0.0) if alone else 0.0,
            "asks": float(bool(scene["cues"][row] & ASKS) and not scene["chunk"][row]),
            "cosine_before": 0.0 if before is None else max(float(scene["cosine"][before]), 0.0),
            "asked": float(asks_before),
            "asked_covered": own[before] if asks_before and before is not None else 0.0,
        }
        for name, value in expected.items():
            assert found[name][row] == pytest.approx(value, abs=1e-5), name
        for name, value in slow_dates(scene, row).items():
            assert found[name][row] == pytest.approx(value, abs=1e-5), name


def slow_dates(scene: dict[str, Any], row: int) -> dict[str, float]:
    """Two of the signals of named intervals, pair by pair."""
    best = {"range_fits": 0.0, "points_inside": 0.0}
    for asked in scene["asked"]:
        for first, last, kind in scene["intervals"][row]:
            days = len(set(range(first, last + 1)) & set(range(asked.start, asked.end + 1)))
            cosine = days / math.sqrt((last - first + 1) * (asked.end - asked.start + 1))
            if kind == RANGE:
                best["range_fits"] = max(best["range_fits"], cosine)
            if kind == POINT and first >= asked.start - 31 and last <= asked.end + 31:
                best["points_inside"] = 1.0
    return best


@settings(max_examples=100, deadline=None)
@given(scenes(), st.randoms(use_true_random=False))
def test_the_order_of_sessions_and_of_asked_dates_does_not_matter(scene: dict[str, Any], random: Any) -> None:
    keys = sorted(set(scene["keys"]))
    random.shuffle(keys)
    order = [row for key in keys for row in range(len(scene["keys"])) if scene["keys"][row] == key]
    item = everything(scene)
    other = everything({**scene, "asked": scene["asked"][::-1]}, order)
    for name, values in item.items():
        assert other[name] == pytest.approx(values[order], abs=1e-6), name


def test_a_date_counts_for_what_answers_otherwise_too() -> None:
    """One session of two turns, and a turn apart; the question's words are a thing and a month."""
    sessions = signals.Sessions(np.array([1, 1, 2]), np.array([0, 1, 0]), np.array([2, 2, 1]))
    soft = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], np.float32)
    coverage = signals.Coverage(soft, np.array([0.5, 0.5], np.float32), np.ones((1, 2), np.bool_))
    is_date = np.array([False, True])
    assert signals.date_support(coverage, sessions, is_date, 1.0).tolist() == pytest.approx([1, 1, 0.3])
    # In a scope of 1,000 memories half as much, in one of 100 not at all.
    assert signals.date_support(coverage, sessions, is_date, 0.75)[2] == pytest.approx(0.65)
    assert signals.date_support(coverage, sessions, is_date, 0.5).tolist() == [1, 1, 1]
    assert signals.date_support(coverage, sessions, ~np.zeros(2, np.bool_), 1.0).tolist() == [1, 1, 1]
