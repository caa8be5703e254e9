"""How what was retrieved moves the energy of who retrieved it.

Source: spec chapter 5, "Energy feedback"; document 003, component 5c.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from engramforge.model.link import Link
from engramforge.model.memory import ResolutionState

BY_STATE: Final[Mapping[ResolutionState, float]] = {
    ResolutionState.RESOLVED: 0.3,
    ResolutionState.IN_PROGRESS: 1.0,
    ResolutionState.BLOCKED: 1.5,
}
MOST_FELT: Final = 2.0
LARGEST: Final = 150.0
"""50 links x energy 1 x blocked 1.5 x emotions 2."""
EVEN: Final = 0.5
"""The potential that neither gives nor takes energy; a cycle applies what is above it."""
WEIGHT: Final = 0.3
ACTIVATED: Final = 0.2
"""A rise of energy above this sets to work on what is unresolved. With the usual weight a rise is 0.15 at most."""


def transfer_of(link: Link) -> float:
    """energy x transfer coefficient x (resolved 0.3, in progress 1.0, blocked 1.5) x min(sum of emotions, 2); the last
    is 1 where nothing is felt."""
    felt = math.fsum(link.emotion_vector.values())
    intensity = min(felt, MOST_FELT) if felt > 0 else 1.0
    return link.energy * link.energy_transfer_coefficient * BY_STATE[link.resolution_state] * intensity


def feedback_potential(links: Iterable[Link]) -> float:
    """The sum of what links transfer over 150, at most 1.

    One blocked link of energy 0.8, coefficient 0.5 and emotions of 1.4: 0.8 x 0.5 x 1.5 x 1.4 = 0.84, / 150 = 0.0056.
    """
    return min(1.0, math.fsum(map(transfer_of, links)) / LARGEST)


def with_feedback(energy: float, potential: float, weight: float = WEIGHT) -> float:
    """energy + (potential - 0.5) x 0.3, in 0..1.

    >>> round(with_feedback(0.5, 0.8), 3), round(with_feedback(0.1, 0.0), 3)
    (0.59, 0.0)
    """
    return min(1.0, max(0.0, energy + (potential - EVEN) * weight))
