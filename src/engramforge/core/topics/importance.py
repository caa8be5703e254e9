"""How much a memory matters by how it is used: often, lately, and of use when it was shown.

Source: spec chapter 8; document 004, part 6. Saturation is BM25's (Robertson and Zaragoza 2009); the bound is Wilson's
(1927), 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

SATURATION: Final = 1.2
"""BM25's k1."""
HALF_LIFE_DAYS: Final = 45.0
BURST_DEVIATIONS: Final = 1.5
ACTIVITY_HALF_LIFE_DAYS: Final = 7.0
_Z: Final = 1.959963984540054
"""Of the two-sided 95 % of a normal distribution."""


def importance(accesses: float, days: float) -> float:
    """log(1 + accesses), saturated, x e^(-ln 2 / 45 x days), 0..2.2. `days`: since the last access, not negative.

    log(1 + 3) = 1.386, x 2.2 / (1.386 + 1.2) = 1.179, and half of it 45 days later:

    >>> round(importance(3, 0), 3), round(importance(3, 45), 3), importance(0, 0)
    (1.179, 0.59, 0.0)
    """
    used = math.log1p(accesses)
    return used * (SATURATION + 1) / (used + SATURATION) * math.pow(0.5, days / HALF_LIFE_DAYS)


def damped(accesses: Sequence[float]) -> list[float]:
    """Counts with their bursts cut: none above the mean and one and a half standard deviations.

    Mean 3, deviation 4 (of the whole):

    >>> damped([1, 1, 1, 1, 11])
    [1, 1, 1, 1, 9.0]
    """
    if not accesses:
        return []
    mean = sum(accesses) / len(accesses)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in accesses) / len(accesses))
    return [min(each, mean + BURST_DEVIATIONS * deviation) for each in accesses]


def activity(before: float, days: float, accesses: int) -> float:
    """Recent activity, an exponentially weighted sum of accesses that halves in seven days.

    >>> activity(activity(0.0, 0, 4), 7, 1)
    3.0
    """
    return before * math.pow(0.5, days / ACTIVITY_HALF_LIFE_DAYS) + accesses


def activity_of(times: Sequence[datetime], now: datetime) -> float:
    """Recent activity of what happened once at each of these times.

    >>> now = datetime(2026, 5, 8)
    >>> activity_of([now, datetime(2026, 5, 1), datetime(2026, 6, 1)], now)
    2.5
    """
    days = [max((now - each) / timedelta(days=1), 0.0) for each in times]
    return float(sum(0.5 ** (each / ACTIVITY_HALF_LIFE_DAYS) for each in days))


def usual_activity(count: int, days: float) -> float:
    """The activity of so many that came evenly over so many days, of which the last is now; of less than a day as of
    one.

    Ten a day for seven days: 10 x 7 / ln 2 x (1 - 1/2):

    >>> round(usual_activity(70, 7), 2)
    50.49
    """
    days = max(days, 1.0)
    half = ACTIVITY_HALF_LIFE_DAYS
    return count / days * half / math.log(2) * (1 - math.pow(0.5, days / half))


def use_rate(used: int, shown: int) -> float:
    """The lower bound of how often a memory is used when it is shown, 0..1; 0 of what was never shown.

    >>> round(use_rate(1, 1), 3), round(use_rate(8, 10), 3), round(use_rate(80, 100), 3), use_rate(0, 0)
    (0.207, 0.49, 0.711, 0.0)
    """
    if shown <= 0:
        return 0.0
    share, z2 = min(used, shown) / shown, _Z * _Z
    spread = _Z * math.sqrt(share * (1 - share) / shown + z2 / (4 * shown * shown))
    # Rounding may leave a little above what was seen.
    return min(max((share + z2 / (2 * shown) - spread) / (1 + z2 / shown), 0.0), share)
