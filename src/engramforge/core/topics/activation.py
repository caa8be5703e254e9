"""What a body of memories can tell by its size: seven steps, each adding to the one before.

Nothing fails for being small: below, what would be told has a default. Source: spec chapter 8; document 004, part 5.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class Step(IntEnum):
    """What is there at each step, beside what was there before."""

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


ADDS: Final[Mapping[Step, str]] = {
    Step.EMPTY: "memories are kept and found",
    Step.PAIRS: "two memories are compared",
    Step.CLUSTERS: "memories gather in topics",
    Step.SHIFTS: "several topics; shifts of activity are noticed",
    Step.STATISTICS: "stability, churn and entropy mean something",
    Step.TRENDS: "topics have parts, and rise or fall",
    Step.PERSONAL: "spaces count by what you used",
}
"""What each step adds, as people are told."""
_FROM: Final = (1, 3, 10, 30, 100, 500)
"""From how many memories on each step after the first is reached."""


def step_of(memories: int) -> Step:
    """The step of so many memories.

    >>> [int(step_of(each)) for each in (0, 1, 2, 3, 9, 10, 29, 30, 99, 100, 499, 500, 10**6)]
    [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    """
    return Step(bisect_right(_FROM, memories))


def needed_for(step: Step) -> int:
    """From how many memories on a step is reached.

    >>> needed_for(Step.TRENDS)
    100
    """
    return 0 if step is Step.EMPTY else _FROM[step - 1]
