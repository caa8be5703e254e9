"""How well a pattern has worked so far."""

from __future__ import annotations

from math import sqrt
from typing import Final

_Z: Final = 1.96
"""The 97.5th percentile of the normal distribution: both sides leave out 5 %."""


def success_score(successes: int, tries: int) -> float | None:
    """How often it works at least, 0..1: the lower bound of Wilson's interval (95 %), as a use rate has it in spec
    chapter 8. So a few lucky tries do not outrank many. None where nobody has tried it.

    Nine of ten, p = 0.9: (0.9 + 3.8416/20 - 1.96 sqrt(0.09/10 + 3.8416/400)) / (1 + 3.8416/10) = 0.8247 / 1.3842.

    >>> round(success_score(9, 10), 3), round(success_score(1, 1), 3), success_score(0, 4)
    (0.596, 0.207, 0.0)
    >>> success_score(0, 0) is None
    True
    """
    if not tries:
        return None
    share, spread = successes / tries, _Z * _Z / tries
    bound = share + spread / 2 - _Z * sqrt(share * (1 - share) / tries + spread / (4 * tries))
    return max(bound / (1 + spread), 0.0)
