"""How energy fades: what nobody uses falls back to the energy of a memory to which nobody gave another.

    energy after d days = 0.5 + (energy - 0.5) x 0.5^(d / half-life)
    half-life = 45 days x (resolved 0.3 | in progress 1 | blocked 1.5) x (1 + saturated accesses)

Source: 45 days and saturation from document 004, part 6 (importance); what is resolved, open and blocked counts as in
the energy feedback of document 003. Fading twice for d days is fading once for 2 d: how often dreams run makes no
difference.
Below 0.5 nothing falls: a broad intention asks for 0.5 and more (spec chapter 5), and finds what nobody rated.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

from engramforge.core.topics.importance import HALF_LIFE_DAYS, importance
from engramforge.model.memory import ENERGY, Memory, ResolutionState

SHARES: Final = {
    ResolutionState.RESOLVED: 0.3,
    ResolutionState.IN_PROGRESS: 1.0,
    ResolutionState.BLOCKED: 1.5,
}
"""Of the half-life."""
NEARLY: Final = 0.0005
"""How near it has to come to count as fallen back."""


def half_life(state: ResolutionState, accesses: float) -> float:
    """In days.

    >>> half_life(ResolutionState.IN_PROGRESS, 0), half_life(ResolutionState.RESOLVED, 0)
    (45.0, 13.5)
    >>> round(half_life(ResolutionState.IN_PROGRESS, 3), 1)
    98.1
    """
    return HALF_LIFE_DAYS * SHARES[state] * (1 + importance(accesses, 0.0))


def faded(energy: float, days: float, half_life_days: float) -> float:
    """The energy after so many days, not negative.

    >>> faded(0.9, 45, 45), faded(0.9, 0, 45), faded(0.4, 900, 45), faded(0.5001, 1, 45)
    (0.7, 0.9, 0.4, 0.5)
    >>> round(faded(faded(0.9, 10, 45), 35, 45), 12)
    0.7
    """
    if energy <= ENERGY or days <= 0:
        return energy
    left = ENERGY + (energy - ENERGY) * math.pow(0.5, days / half_life_days)
    return ENERGY if left - ENERGY < NEARLY else left


def energy_now(memory: Memory, last: datetime | None, now: datetime) -> float:
    """The energy that a memory has now. `last`: until when it has faded already; None: never.

    Time counts since it was written or last used; since it was resolved, as of what is resolved.
    """
    since = max(filter(None, (last, memory.created_at, memory.last_accessed_at)))
    if since >= now:
        return memory.energy
    resolved = memory.resolved_since or since
    state = memory.resolution_state
    if state is ResolutionState.RESOLVED and since < resolved < now:
        # Until then it was open.
        open_for = half_life(ResolutionState.IN_PROGRESS, memory.access_count)
        before = faded(memory.energy, (resolved - since) / timedelta(days=1), open_for)
        return faded(before, (now - resolved) / timedelta(days=1), half_life(state, memory.access_count))
    return faded(memory.energy, (now - since) / timedelta(days=1), half_life(state, memory.access_count))
