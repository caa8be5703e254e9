"""What a body of memories can tell by its size: seven tiers, each adding to the one before.

Nothing fails for being small: below a tier, what it would tell has a default. Source: spec chapter 8; document 004,
part 5.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class SizeTier(IntEnum):
    """What is there at each tier, beside what was there before."""

    EMPTY = 0
    """Memories are kept and found."""
    PAIRS = 1
    """Two memories are compared."""
    CLUSTERS = 2
    """Memories gather in clusters, and in topics."""
    SHIFTS = 3
    """Several clusters; a shift of activity is noticed."""
    STATISTICS = 4
    """Stability, churn and entropy mean something."""
    TRENDS = 5
    """Topics have parts, and rise or fall over time."""
    PERSONAL = 6
    """What was used weighs in what is shown."""


ADDS: Final[Mapping[SizeTier, str]] = {
    SizeTier.EMPTY: "memories are kept and found",
    SizeTier.PAIRS: "two memories are compared",
    SizeTier.CLUSTERS: "memories gather in topics",
    SizeTier.SHIFTS: "several topics; shifts of activity are noticed",
    SizeTier.STATISTICS: "stability, churn and entropy mean something",
    SizeTier.TRENDS: "topics have parts, and rise or fall",
    SizeTier.PERSONAL: "spaces count by what you used",
}
"""What each tier adds, as people are told."""
_FROM: Final = (1, 3, 10, 30, 100, 500)
"""From how many memories on each tier after the first is reached."""


def size_tier(memories: int) -> SizeTier:
    """The tier of so many memories.

    >>> [int(size_tier(each)) for each in (0, 1, 2, 3, 9, 10, 29, 30, 99, 100, 499, 500, 10**6)]
    [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    """
    return SizeTier(bisect_right(_FROM, memories))


def needed_for(tier: SizeTier) -> int:
    """From how many memories on a tier is reached.

    >>> needed_for(SizeTier.TRENDS)
    100
    """
    return 0 if tier is SizeTier.EMPTY else _FROM[tier - 1]
