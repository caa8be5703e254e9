"""How much a lens weighs by what was said of its projects' memories: bounded, and only where enough was said."""

from __future__ import annotations

from typing import Final

from engramforge.model.lenses.orchestration import Weighed

LEAST_JUDGED: Final = 5
"""As many memories have to be judged before a weight follows."""
BOUND: Final = 0.25
"""The most that a weight changes, as a part of it."""


def adapted(weight: float, useful: int, judged: int) -> Weighed:
    """The weight of a lens of whose memories so many were of use, of so many that were judged.

    The share of use, smoothed by one of each, is set against a half; a weight changes by a quarter of itself at most
    and stays within 0..1.

    >>> round(adapted(0.8, 9, 10).after, 3), adapted(0.8, 2, 4).after, round(adapted(0.8, 0, 40).after, 3)
    (1.0, 0.8, 0.6)
    """
    said = f"{useful} of {judged} judged memories were of use"
    share = (useful + 1) / (judged + 2)
    change = max(-BOUND, min(share - 0.5, BOUND))
    after, why = (
        max(0.0, min(weight * (1 + change), 1.0)),
        f"{change:+.0%}, at most {BOUND:.0%} and within 0..1",
    )
    if judged < LEAST_JUDGED:
        after, why = weight, f"fewer than {LEAST_JUDGED}, so it stays"
    return Weighed(before=weight, after=round(after, 4), useful=useful, judged=judged, why=f"{said}: {why}")
