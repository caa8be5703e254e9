"""When an active decision is stale: long unvalidated and of low tier, or carried by many archives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

STALE_DAYS: Final = 30
"""How many days without validation make a decision of low tier stale."""
STALE_TIER: Final = 0.7
"""The highest tier that age makes stale."""
STALE_HOPS: Final = 3
"""How many archives make a decision stale, whatever its tier."""


@dataclass(frozen=True, slots=True)
class StaleRule:
    """Stale is what has tier <= max_tier and was last validated at `before` or earlier, or has hops >= this."""

    before: datetime
    max_tier: float = STALE_TIER
    hops: int = STALE_HOPS

    @classmethod
    def usual(cls, now: datetime) -> Self:
        """The rule where nobody asked for another."""
        return cls(now - timedelta(days=STALE_DAYS))

    def is_met(self, tier: float, last_validated: datetime, hops: int) -> bool:
        """Whether an active decision of this tier, validation and number of archives is stale."""
        return hops >= self.hops or (last_validated <= self.before and tier <= self.max_tier)
