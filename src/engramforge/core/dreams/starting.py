"""When a dream may start: activity has been spread over everything for a while, and nobody is at work.

Source: spec chapter 8; document 004, part 8. How often at most, and how long nobody must have been at work, is ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from engramforge.core.topics.activation import SizeTier, size_tier
from engramforge.core.topics.stability import RESTLESS, may_dream

QUIET: Final = timedelta(minutes=5)
"""For how long no session may have been active."""
AGAIN: Final = timedelta(days=1)
"""How long after a dream the next one may start at the earliest: energies halve in weeks."""
UNCHANGED: Final = timedelta(days=7)
"""How long after it where nothing was written since."""


@dataclass(frozen=True, slots=True)
class Unrest:
    """What is known of a project.

    `memories`: how many are current. `entropy`, `churn`: as of `core.topics.stability`, of the last look and of the
    last clustering that had one before it. `restless_since`: since when entropy has been above .7; None: it is not.
    `dreamt_at`: when the last dream ended; None without one. `memories_then`: how many memories there were.
    """

    memories: int
    entropy: float
    churn: float
    restless_since: datetime | None
    dreamt_at: datetime | None
    memories_then: int


def restless_since(before: datetime | None, entropy: float, now: datetime) -> datetime | None:
    """Since when entropy has been above .7, as of now. Where the clock jumped back, it has been so from now on.

    >>> from datetime import UTC
    >>> noon, one = datetime(2026, 5, 1, 12, tzinfo=UTC), datetime(2026, 5, 1, 13, tzinfo=UTC)
    >>> restless_since(noon, 0.8, one) == noon, restless_since(one, 0.8, noon) == noon, restless_since(noon, 0.7, one)
    (True, True, None)
    """
    if entropy <= RESTLESS:
        return None
    return before if before is not None and before <= now else now


def may_start(unrest: Unrest, now: datetime) -> bool:
    """Whether a dream of a project may start."""
    since = unrest.restless_since
    if since is None or size_tier(unrest.memories) < SizeTier.STATISTICS:
        return False
    if unrest.dreamt_at is not None:
        # A clock that jumped back says nothing of how long ago that was.
        ago = now - unrest.dreamt_at
        least = AGAIN if unrest.memories != unrest.memories_then else UNCHANGED
        if timedelta(0) <= ago < least:
            return False
    return may_dream(unrest.entropy, unrest.churn, max(now - since, timedelta(0)))


def is_busy(active_at: Iterable[datetime], now: datetime) -> bool:
    """Whether somebody was at work within the last minutes; times to come count as long ahead as these."""
    return any(abs(now - each) < QUIET for each in active_at)
