"""Spreading activation: what is active makes active what it is linked to, less with each step.

    received(j) = sum over links i - j of activation(i) x 0.5 x energy(link) / sqrt(links followed at i), at most 1

A memory passes on what it received in the step before, where that is 0.05 or more; three steps. The square root is the
fan effect: of many links each carries less, and a hub does not light up everything. Source: Collins and Loftus 1975;
Anderson 1983 (fan); Crestani 1997 (distance, fan-out and threshold constraints); document 003, "Hybrid Spreading
Activation".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

DECAY: Final = 0.5
THRESHOLD: Final = 0.05
"""What less than this activates passes nothing on."""
STEPS: Final = 3
FIRING: Final = 64
"""How many memories pass something on in one step, the most active."""
Edge = tuple[str, str, float]
"""Both ends of a link, and its energy, 0..1."""


def firing(active: Mapping[str, float]) -> dict[str, float]:
    """Those that pass something on, the most active first.

    >>> firing({"a": 0.2, "b": 0.8, "c": 0.04})
    {'b': 0.8, 'a': 0.2}
    """
    above = [(one, value) for one, value in active.items() if value >= THRESHOLD]
    return dict(sorted(above, key=lambda pair: (-pair[1], pair[0]))[:FIRING])


def passed_on(active: Mapping[str, float], edges: Iterable[Edge]) -> dict[str, float]:
    """What each end of some links receives from what is active at the other, 0..1.

    a at 0.8 with two links: b gets 0.8 x 0.5 x 0.9 / sqrt(2) = 0.255, c gets 0.8 x 0.5 x 0.5 / sqrt(2) = 0.141:

    >>> {one: round(value, 3) for one, value in passed_on({"a": 0.8}, [("a", "b", 0.9), ("c", "a", 0.5)]).items()}
    {'b': 0.255, 'c': 0.141}
    """
    known = list(edges)
    links = Counter(end for source, target, _ in known for end in (source, target))
    received: defaultdict[str, float] = defaultdict(float)
    for source, target, energy in known:
        for here, there in ((source, target), (target, source)):
            if here in active:
                received[there] += active[here] * DECAY * energy / math.sqrt(links[here])
    return {one: min(1.0, value) for one, value in received.items()}
