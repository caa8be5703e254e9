"""Temporal context: badges that say how near in time a memory is. They describe a hit and never produce one.

They read the raw cosines of the three temporal spaces, which are not calibrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Badge(StrEnum):
    """How a memory stands to the moment or memory it is compared with."""

    SAME_SESSION = "same_session"
    SAME_DAY = "same_day"
    SAME_PERIOD = "same_period"


@dataclass(frozen=True, slots=True)
class BadgeThresholds:
    """Raw cosines above which a badge is given.

    Parameters
    ----------
    recent : of temporal-recent (E2), for same_session.
    periodic : of temporal-periodic (E3), for same_day, beside the same date.
    positional : of temporal-positional (E4), for same_period, within one session.
    """

    recent: float = 0.8
    periodic: float = 0.7
    positional: float = 0.6


DEFAULT_THRESHOLDS = BadgeThresholds()


@dataclass(frozen=True, slots=True)
class TemporalContext:
    """What two moments have in common.

    Parameters
    ----------
    one_session : whether both belong to the same session.
    one_date : whether both fall on the same date.
    recent, periodic, positional : raw cosines, None where the space abstains.
    """

    one_session: bool
    one_date: bool
    recent: float | None = None
    periodic: float | None = None
    positional: float | None = None


def badges(context: TemporalContext, thresholds: BadgeThresholds = DEFAULT_THRESHOLDS) -> tuple[Badge, ...]:
    """The badges that a context earns, nearest first."""
    earned = []
    if context.one_session or _above(context.recent, thresholds.recent):
        earned.append(Badge.SAME_SESSION)
    if context.one_date and _above(context.periodic, thresholds.periodic):
        earned.append(Badge.SAME_DAY)
    if context.one_session and _above(context.positional, thresholds.positional):
        earned.append(Badge.SAME_PERIOD)
    return tuple(earned)


def is_one_date(moment: datetime, other: datetime) -> bool:
    """Whether two moments fall on one date in the first one's time zone. Both must be aware."""
    return moment.date() == other.astimezone(moment.tzinfo).date()


def _above(cosine: float | None, threshold: float) -> bool:
    return cosine is not None and cosine > threshold
