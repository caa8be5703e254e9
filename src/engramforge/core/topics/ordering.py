"""The order of what may be put before a model: by priority, by use, by unlikeness, some by lot.

    by priority -> among equals by use -> diverse (MMR) -> some of the last places by lot (Thompson)

Every way but the first can be off; with all of them off the order is that of priorities, and of equals as they came.
What each is worth is measured by `engramforge bench bandit` (docs/measurements/topics.md). Source: spec chapter 8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engramforge.core.topics.choice import EXPLORED, Arm, diverse, sampled
from engramforge.core.topics.importance import ACTIVITY_HALF_LIFE_DAYS, damped, importance, use_rate

EQUAL: Final = 0.05
"""By what share two priorities may differ and still count as equal: less than one step of recency. Of what is found
for a prompt a few are so near (docs/measurements/topics.md)."""
PLACES: Final = 8
"""How many memories an injection has room for, of the length that they usually have."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What may be shown.

    `priority`: see `core.injection.priority`. `accesses`, `exposures`: how often it was opened, and shown. `days`:
    since it was opened last, not negative. `topic`: its id, "" for none. `words`: of its text.
    """

    priority: float
    accesses: int = 0
    exposures: int = 0
    days: float = 0.0
    topic: str = ""
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Chance:
    """What a choice by lot needs: what is believed of topics, and the generator that draws."""

    rng: np.random.Generator
    arms: Mapping[str, Arm] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ways:
    """By what the order is made, beside priority."""

    importance: bool = False
    diversity: bool = False


def ordered(
    offered: Sequence[Offered], ways: Ways, chance: Chance | None = None, places: int = PLACES
) -> list[int]:
    """The places of what is offered, first what is shown first. `chance`: None, and nothing is by lot.

    >>> told = [Offered(0.80), Offered(0.79, accesses=3), Offered(0.9)]
    >>> ordered(told, Ways()), ordered(told, Ways(importance=True))
    ([2, 0, 1], [2, 1, 0])
    """
    order = sorted(range(len(offered)), key=lambda place: -offered[place].priority)
    if ways.importance:
        order = _by_use(order, offered)
    if ways.diversity and len(order) > 1:
        order = _diverse(order, offered, places)
    if chance is not None and len(order) > places:
        order = _by_lot(order, offered, chance, places)
    return order


def groups(values: Sequence[float], share: float = EQUAL) -> list[int]:
    """Ends of runs of near-equal values, of which the first is the largest of all, and each of its run.

    >>> groups([1.0, 0.96, 0.94, 0.5])
    [2, 3, 4]
    """
    ends, floor = [], np.inf
    for place, value in enumerate(values):
        if value < floor:
            floor = value * (1 - share)
            ends.append(place)
    return [*ends[1:], len(values)] if len(values) else []


def has_choice(priorities: Sequence[float], places: int) -> bool:
    """Whether there is something to draw from: what has no room is near-equal to what has the places that lots decide.
    `priorities`: falling.

    >>> has_choice([1.0, 0.99, 0.98], 2), has_choice([1.0, 0.99, 0.9], 2), has_choice([1.0, 0.99], 2)
    (True, False, False)
    """
    if not 0 < places < len(priorities):
        return False
    return priorities[places] >= priorities[places - math.ceil(places * EXPLORED)] * (1 - EQUAL)


def _by_use(order: list[int], offered: Sequence[Offered]) -> list[int]:
    """Among those of near-equal priority what matters more first."""
    kept: list[int] = []
    begin = 0
    for end in groups([offered[place].priority for place in order]):
        kept += by_use(order[begin:end], offered) if end - begin > 1 else order[begin:end]
        begin = end
    return kept


def by_use(places: Sequence[int], offered: Sequence[Offered]) -> list[int]:
    """Places of what is equal, what matters more first: by importance, then by how lately it was opened, then by how
    often it was of use when it was shown; as they came where nothing tells them apart."""
    those = [offered[place] for place in places]
    if not any(each.accesses for each in those):
        return list(places)
    counts = damped([each.accesses for each in those])
    keys = [
        (
            -importance(count, each.days),
            -(0.5 ** (each.days / ACTIVITY_HALF_LIFE_DAYS)) if each.accesses else 0.0,
            -use_rate(each.accesses, each.exposures),
        )
        for count, each in zip(counts, those, strict=True)
    ]
    return [places[at] for at in sorted(range(len(those)), key=keys.__getitem__)]


def _diverse(order: list[int], offered: Sequence[Offered], places: int) -> list[int]:
    """The first places by maximal marginal relevance."""
    those = [offered[place] for place in order]
    most = max(each.priority for each in those)
    relevance = np.array([each.priority / most if most > 0 else 0.0 for each in those])
    alike = np.array([[_alike(one.words, other.words) for other in those] for one in those])
    first = diverse(relevance, alike, places)
    chosen = set(first)
    return [order[at] for at in first] + [each for at, each in enumerate(order) if at not in chosen]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def _by_lot(order: list[int], offered: Sequence[Offered], chance: Chance, places: int) -> list[int]:
    """15 % of the places, the last ones, go to the topics that a draw prefers, among what is near-equal to what has
    them; where that is no whole number of places, the rest is drawn, too."""
    share = places * EXPLORED
    count = int(share + 1e-9)
    count += bool(chance.rng.random() < share - count)
    kept, left = order[: places - count], order[places - count :]
    for _ in range(count):
        floor = offered[left[0]].priority * (1 - EQUAL)
        near = [place for place in left if offered[place].priority >= floor]
        topics = {offered[place].topic for place in near}
        drawn = sampled({each: chance.arms.get(each, Arm()) for each in topics}, chance.rng)
        taken = next(place for place in near if offered[place].topic == drawn[0])
        kept.append(taken)
        left.remove(taken)
    return kept + left
