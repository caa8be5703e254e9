"""E2, E3 and E4: nearness in time, in the cycles of the calendar and in a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.ranking.temporal_context import PERIODIC_ABOVE, POSITIONAL_ABOVE, RECENT_ABOVE
from engramforge.indexing.encode import TextEncoder
from engramforge.model.spaces import Space
from engramforge.model.time import to_micros
from engramforge.spaces.encoder import Documents
from engramforge.spaces.presets import static_preset
from engramforge.spaces.temporal import SIZE, temporal_encoder

RECENT = temporal_encoder(Space.TEMPORAL_RECENT)
PERIODIC = temporal_encoder(Space.TEMPORAL_PERIODIC)
POSITIONAL = temporal_encoder(Space.TEMPORAL_POSITIONAL)
MINUTE = 60_000_000
moments = st.integers(
    to_micros(datetime(1900, 1, 1, tzinfo=UTC)), to_micros(datetime(2200, 1, 1, tzinfo=UTC))
)


@given(moments)
def test_vectors_are_512_long_with_unit_length_and_repeat(moment: int) -> None:
    for encoder in (RECENT, PERIODIC):
        vectors = encoder.encode_numbers(np.array([moment, moment]))
        assert vectors.shape == (2, SIZE)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-4)
        assert vectors[0].tolist() == vectors[1].tolist()


@given(moments)
def test_recency_falls_with_distance_wherever_now_is(now: int) -> None:
    minutes = np.array([0, 10, 60, 24 * 60, 30 * 24 * 60, 20 * 365 * 24 * 60])
    cosines = RECENT.compare(now, now - minutes * MINUTE)
    assert cosines[0] == pytest.approx(1, abs=1e-4)
    assert (np.diff(cosines) < 0).all()
    assert cosines[1] > RECENT_ABOVE > cosines[3]
    assert cosines[5] < 0.4


def test_the_same_session_threshold_is_about_an_hour() -> None:
    now = to_micros(datetime(2024, 5, 1, 12, tzinfo=UTC))
    starts = now + np.arange(50) * 977 * MINUTE
    near = [RECENT.compare(int(start), start - np.array([30, 240]) * MINUTE) for start in starts]
    shares = (np.array(near) > RECENT_ABOVE).mean(axis=0)
    assert shares[0] > 0.9
    assert shares[1] < 0.1


@given(moments, st.integers(0, 86_399), st.integers(0, 86_399))
def test_moments_of_one_day_are_always_above_the_same_day_threshold(
    moment: int, first: int, other: int
) -> None:
    midnight = moment - moment % 86_400_000_000
    cosines = PERIODIC.compare(midnight + first * 1_000_000, np.array([midnight + other * 1_000_000]))
    assert cosines[0] > PERIODIC_ABOVE


def test_cycles_come_back() -> None:
    base = datetime(2023, 3, 15, 9, tzinfo=UTC)  # a Wednesday
    others = [base + timedelta(weeks=52), base + timedelta(days=7), base + timedelta(days=182, hours=12)]
    cosines = PERIODIC.compare(to_micros(base), np.array([to_micros(each) for each in others]))
    assert cosines[0] > 0.9
    assert cosines[0] > cosines[1] > cosines[2]


def test_near_in_order_is_about_twenty_places() -> None:
    cosines = POSITIONAL.compare(100, np.array([100, 101, 110, 115, 140, 300]))
    assert cosines[0] == pytest.approx(1, abs=1e-5)
    assert (cosines[:4] > POSITIONAL_ABOVE).all()
    assert (cosines[4:] < POSITIONAL_ABOVE).all()


def test_no_moments_give_no_vectors() -> None:
    for encoder in (RECENT, PERIODIC, POSITIONAL):
        assert encoder.encode_numbers(np.zeros(0, np.int64)).shape == (0, SIZE)


def test_a_text_has_no_time() -> None:
    text = TextEncoder()
    memory = text.encode(["yesterday at noon"])[0]
    documents = Documents.of(text.table, [memory])
    for encoder in (RECENT, PERIODIC, POSITIONAL):
        assert encoder.encode(memory) is None
        assert not encoder.query_to_memories(text.encode_query("yesterday"), documents).present.any()
        assert not encoder.memory_to_memories(memory, documents).present.any()
        assert static_preset()[encoder.row.space] == encoder
