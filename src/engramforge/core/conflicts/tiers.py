"""A lower epistemic tier contradicts a higher one: which of two is to be doubted, and how much surer the conflict is.

strength + (1 - strength) x difference of the tiers / 2, from a difference of 0.25 on
"""

from __future__ import annotations

from typing import Final

from engramforge.core.conflicts.signals import Disagreement, Signal

TIERS_APART: Final = 0.25
"""From this difference one is much surer than the other (spec chapter 6, tier mismatch)."""


def lower_tier(found: Disagreement, tier: float, other_tier: float) -> Disagreement | None:
    """The signal that joins one that was found, where the tiers (0..1) are far enough apart.

    >>> from engramforge.core.conflicts.signals import Disagreement, Signal
    >>> lower_tier(Disagreement(Signal.NEGATION, "", 0.6), 0.9, 0.4)
    Disagreement(signal=<Signal.TIER: 'lower_tier'>, why='tier 0.4 against tier 0.9', strength=0.7)
    """
    difference = abs(tier - other_tier)
    if difference < TIERS_APART:
        return None
    low, high = sorted((tier, other_tier))
    strength = round(found.strength + (1 - found.strength) * difference / 2, 6)
    return Disagreement(Signal.TIER, f"tier {low:g} against tier {high:g}", strength)
