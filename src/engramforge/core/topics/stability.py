"""How steady topics are from one clustering to the next: the same topic, its phase, churn, entropy, when to dream.

Source: spec chapter 8; document 004, part 8. Entropy is Shannon's, over the logarithm of the number of topics.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeVar

from engramforge.core.topics.importance import usual_activity

T = TypeVar("T", bound=str)
MOST: Final = 0.5
"""A topic goes on in another with more than this share of its memories, or of those of the other."""
YOUNG: Final = timedelta(days=7)
SILENT: Final = 4
"""How many times the mean distance of its memories a topic is silent that declines."""
FALLEN: Final = 0.5
"""A topic declines whose recent activity is below this share of what is usual for its age."""
RESTLESS: Final = 0.7
"""Entropy above which activity is spread over everything."""
CHANGED: Final = 0.5
"""Churn above which topics are others than before."""
RESTLESS_FOR: Final = timedelta(minutes=5)


class Phase(StrEnum):
    """Where in its life a topic is."""

    EMERGING = "emerging"
    STABLE = "stable"
    DECLINING = "declining"
    MERGING = "merging"


@dataclass(frozen=True, slots=True)
class Matched:
    """Which new topics go on from which old ones.

    `same`: place of a new topic -> the old one whose name it keeps. `merged`: place of a new topic -> further old ones
    that went into it.
    """

    same: Mapping[int, str]
    merged: Mapping[int, tuple[str, ...]]


def matched(before: Mapping[T, Set[str]], after: Sequence[Set[str]]) -> Matched:
    """Match topics by their members, the largest overlap first, each once. What is gone meanwhile does not count.

    >>> before = {"a": {"1", "2", "3"}, "b": {"4", "5", "6"}, "c": {"7", "8", "9"}}
    >>> found = matched(before, [{"4", "5", "6", "7", "8", "9"}, {"1", "2", "x"}, {"y", "z", "3"}])
    >>> dict(found.same), dict(found.merged)
    ({0: 'b', 1: 'a'}, {0: ('c',)})
    """
    now = {member: place for place, members in enumerate(after) for member in members}
    overlaps: list[tuple[int, T, int, int]] = []
    for name, members in before.items():
        shared = Counter(now[each] for each in members if each in now)
        left = sum(shared.values())
        overlaps += [(count, name, place, left) for place, count in shared.items()]
    same: dict[int, str] = {}
    merged: defaultdict[int, list[str]] = defaultdict(list)
    taken: set[str] = set()
    for count, name, place, left in sorted(overlaps, key=lambda each: (-each[0], each[1], each[2])):
        most_of_old, most_of_new = count > MOST * left, count > MOST * len(after[place])
        if name in taken or not (most_of_old or most_of_new):
            continue
        if place not in same:
            same[place] = name
        elif most_of_old:
            merged[place].append(name)
        else:
            continue
        taken.add(name)
    return Matched(same, {place: tuple(names) for place, names in merged.items()})


def churn(before: Mapping[str, Iterable[str]], after: Mapping[str, Iterable[str]]) -> float:
    """1 - the Jaccard index of the pairs of a memory and its topic in two snapshots, 0..1; 0 where both are empty.

    >>> churn({"t": ["a", "b"]}, {"t": ["b", "c"]}), churn({}, {})
    (0.6666666666666667, 0.0)
    """
    one = {(member, topic) for topic, members in before.items() for member in members}
    other = {(member, topic) for topic, members in after.items() for member in members}
    every = len(one | other)
    return 1 - len(one & other) / every if every else 0.0


def membership_stability(before: Set[str], after: Set[str]) -> float:
    """The Jaccard index of a topic's members in two snapshots, 0..1; 1 of what has no history.

    >>> membership_stability({"a", "b"}, {"b", "c"}), membership_stability(set(), {"a"})
    (0.3333333333333333, 1.0)
    """
    return len(before & after) / len(before | after) if before else 1.0


def entropy(activity: Iterable[float]) -> float:
    """How evenly activity is spread over topics, 0..1; 0 with fewer than two active ones.

    >>> entropy([5, 5]), entropy([9]), round(entropy([8, 1, 1]), 3)
    (1.0, 0.0, 0.582)
    """
    counts = [each for each in activity if each > 0]
    if len(counts) < 2:
        return 0.0
    total = sum(counts)
    return -sum(each / total * math.log(each / total) for each in counts) / math.log(len(counts))


@dataclass(frozen=True, slots=True)
class Life:
    """When the memories of a topic came.

    `first`, `last`: of the first and the last of its `count` memories. `activity`: as of `core.topics.importance` now.
    """

    first: datetime
    last: datetime
    count: int
    activity: float


def phase(life: Life, now: datetime, *, merged: bool = False) -> Phase:
    """The phase of a topic: it declines where its activity is less than half of what is usual for its age, or nothing
    came for a week and for four times as long as usual.

    `merged`: whether another topic went into it at the last clustering.

    >>> day = timedelta(days=1)
    >>> began = datetime(2026, 5, 1)
    >>> life = Life(began, began + 10 * day, 20, activity=8.0)
    >>> [str(phase(life, began + days * day)) for days in (5, 15, 18)]
    ['emerging', 'stable', 'declining']
    """
    if merged:
        return Phase.MERGING
    if now - life.first < YOUNG:
        return Phase.EMERGING
    usual = usual_activity(life.count, (now - life.first) / timedelta(days=1))
    gap = (life.last - life.first) / max(life.count - 1, 1)
    is_silent = now - life.last > max(YOUNG, SILENT * gap)
    return Phase.DECLINING if is_silent or life.activity < FALLEN * usual else Phase.STABLE


def may_dream(entropy: float, churn: float, restless_for: timedelta) -> bool:
    """Whether a dream may start. `restless_for`: for how long entropy has been above .7.

    >>> may_dream(0.8, 0.0, timedelta(minutes=6)), may_dream(0.8, 0.6, timedelta(0)), may_dream(0.6, 0.9, YOUNG)
    (True, True, False)
    """
    return entropy > RESTLESS and (churn > CHANGED or restless_for > RESTLESS_FOR)
