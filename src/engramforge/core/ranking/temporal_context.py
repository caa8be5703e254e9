"""Temporal context: badges that say how near in time a memory is. They describe a hit and never produce one.

They read the raw cosines of the three temporal spaces, which are not calibrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray


class Badge(StrEnum):
    """How a memory stands to the moment or memory it is compared with."""

    SAME_SESSION = "same_session"
    SAME_DAY = "same_day"
    SAME_PERIOD = "same_period"


RECENT_ABOVE: Final = 0.8
PERIODIC_ABOVE: Final = 0.7
POSITIONAL_ABOVE: Final = 0.6
"""Raw cosines above which a badge is given: for same_session; beside one date; within one session."""


@dataclass(frozen=True, slots=True)
class TemporalContext:
    """What two moments have in common.

    `one_session`: whether both belong to the same session. `one_date`: whether both fall on the same date. `recent`,
    `periodic`, `positional`: raw cosines, None where the space abstains.
    """

    one_session: bool
    one_date: bool
    recent: float | None = None
    periodic: float | None = None
    positional: float | None = None


def badges(context: TemporalContext) -> tuple[Badge, ...]:
    """The badges that a context earns, nearest first."""
    earned = []
    if context.one_session or (context.recent or 0.0) > RECENT_ABOVE:
        earned.append(Badge.SAME_SESSION)
    if context.one_date and (context.periodic or 0.0) > PERIODIC_ABOVE:
        earned.append(Badge.SAME_DAY)
    if context.one_session and (context.positional or 0.0) > POSITIONAL_ABOVE:
        earned.append(Badge.SAME_PERIOD)
    return tuple(earned)


def is_one_date(moment: datetime, other: datetime) -> bool:
    """Whether two moments fall on one date in the first one's time zone. Both must be aware."""
    return moment.date() == other.astimezone(moment.tzinfo).date()


LAG_DAYS: Final = 10.0
"""Things are told after they happen: the number of days after the asked interval in which the fit falls to 1/e."""


def day_fit(days: NDArray[np.int64], start: int, end: int) -> NDArray[np.float32]:
    """1 for a day within the closed interval of ordinal days, falling after it; 0 before it."""
    late = np.clip((days - end) / LAG_DAYS, 0, 700)
    return np.where(days >= start - 1, np.exp(-late), 0).astype(np.float32)
