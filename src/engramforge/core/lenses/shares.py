"""How a budget is shared between lenses: in proportion to their weights, and what one leaves the next may use."""

from __future__ import annotations

from collections.abc import Sequence


def share_of(room: int, weights: Sequence[float], at: int) -> int:
    """What of the room that is left the lens at a place may use; `weights`: of all lenses, in their order.

    >>> share_of(900, [1.0, 0.5], 0), share_of(500, [1.0, 0.5], 1)
    (600, 500)
    >>> share_of(900, [0.0, 0.0], 0)
    450
    """
    left = weights[at:]
    total = sum(left)
    if len(left) == 1:
        return room
    return min(int(room * (left[0] / total)), room) if total else room // len(left)
