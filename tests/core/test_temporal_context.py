"""The badges."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from engramforge.core.ranking.temporal_context import (
    Badge,
    TemporalContext,
    badges,
    is_one_date,
)


@pytest.mark.parametrize(
    ("context", "earned"),
    [
        (TemporalContext(True, False), (Badge.SAME_SESSION,)),
        (TemporalContext(False, False, recent=0.81), (Badge.SAME_SESSION,)),
        (TemporalContext(False, False, recent=0.80), ()),
        (TemporalContext(False, True, periodic=0.71), (Badge.SAME_DAY,)),
        (TemporalContext(False, True, periodic=0.70), ()),
        (TemporalContext(False, False, periodic=0.99), ()),
        (TemporalContext(True, False, positional=0.61), (Badge.SAME_SESSION, Badge.SAME_PERIOD)),
        (TemporalContext(False, False, positional=0.99), ()),
        (TemporalContext(True, True, 1.0, 1.0, 1.0), (Badge.SAME_SESSION, Badge.SAME_DAY, Badge.SAME_PERIOD)),
        (TemporalContext(False, True), ()),
    ],
)
def test_badges(context: TemporalContext, earned: tuple[Badge, ...]) -> None:
    assert badges(context) == earned


def test_one_date_goes_by_the_first_moments_zone() -> None:
    late = datetime(2024, 3, 1, 23, 30, tzinfo=UTC)
    assert not is_one_date(late, late + timedelta(hours=1))
    assert is_one_date(late.astimezone(timezone(timedelta(hours=2))), late + timedelta(hours=1))
