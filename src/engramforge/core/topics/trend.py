"""Whether a topic rises or falls: what came of it in the last week, against the four weeks before.

As many as before would be a fifth of what came in the five weeks, give or take chance: the share is compared with a
binomial's, by its deviation. Source: spec chapter 8, "Activation by size" (trends).
"""

from __future__ import annotations

import math
from datetime import timedelta
from enum import StrEnum
from typing import Final

NOW: Final = timedelta(days=7)
BEFORE: Final = timedelta(days=28)
_SHARE: Final = NOW / (NOW + BEFORE)
_DEVIATIONS: Final = 1.64
"""Of one in twenty that nothing changed, on one side."""
_FEWEST: Final = 3


class Trend(StrEnum):
    """How a topic goes on."""

    RISING = "rising"
    STEADY = "steady"
    FALLING = "falling"
    QUIET = "quiet"
    """Too little came in five weeks to say."""


def trend(now: int, before: int) -> Trend:
    """The trend of a topic of which so many memories came in the last week, and in the four weeks before.

    >>> [str(trend(now, before)) for now, before in ((4, 2), (3, 12), (0, 20), (0, 8), (1, 0), (3, 0))]
    ['rising', 'steady', 'falling', 'steady', 'quiet', 'rising']
    """
    count = now + before
    if count < _FEWEST:
        return Trend.QUIET
    above = (now - _SHARE * count) / math.sqrt(_SHARE * (1 - _SHARE) * count)
    if above > _DEVIATIONS:
        return Trend.RISING
    return Trend.FALLING if above < -_DEVIATIONS else Trend.STEADY
