"""How well a memory's day fits the days that a question asks about."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

LAG_DAYS: Final = 10.0
"""Things are told after they happen: the number of days after the asked interval in which the fit falls to 1/e."""


def day_fit(days: NDArray[np.int64], start: int, end: int) -> NDArray[np.float32]:
    """1 for a day within the closed interval of ordinal days, falling after it; 0 before it."""
    late = np.clip((days - end) / LAG_DAYS, 0, 700)
    return np.where(days >= start - 1, np.exp(-late), 0).astype(np.float32)
