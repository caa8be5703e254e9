"""The field of several lenses in numbers: how far they agree, and which pulls most (spec chapter 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

STRONG: Final = 0.5
"""The mass from which a lens has something to say where another has nothing."""
TIERS_APART: Final = 0.25
"""The difference of epistemic tiers from which two items about one matter are told apart."""
_KINDS: Final = 3
"""Kinds of divergence."""


def coherence(
    convergent: float, total: float, tensions: Mapping[tuple[str, str, str], Sequence[float]], lenses: int
) -> float:
    """Convergent mass / total mass - divergent tension / total tension + 0.5, within 0..1.

    Parameters
    ----------
    convergent, total : masses as they were scored, each item once.
    tensions : of each pair of lenses and kind of divergence; the largest of each counts.
    lenses : how many there are; the most tension is 3 for each pair of them.

    >>> coherence(2.0, 4.0, {("a", "b", "gap"): [0.6, 0.3]}, 2)
    0.8
    >>> coherence(0.0, 0.0, {}, 1)
    0.5
    """
    pairs = lenses * (lenses - 1) // 2
    agreed = convergent / total if total else 0.0
    torn = sum(map(max, tensions.values())) / (_KINDS * pairs) if pairs else 0.0
    return min(max(agreed - torn + 0.5, 0.0), 1.0)


def dominant(masses: Mapping[str, Sequence[float]]) -> str | None:
    """The lens of the greatest mass in all; of equal ones the first. None without any.

    >>> dominant({"connector": [0.5], "navigator": [0.4, 0.3]})
    'navigator'
    """
    weighed = {lens: sum(each) for lens, each in masses.items() if each}
    return max(weighed, key=lambda lens: weighed[lens]) if weighed else None


def gaps(tops: Mapping[str, float | None]) -> list[tuple[str, str, float]]:
    """Pairs of a lens that is strong and one that has nothing, with the strong one's mass.

    `tops`: the greatest mass of each lens among what answers; None where nothing does.

    >>> gaps({"connector": None, "navigator": 0.7, "builder": 0.3})
    [('navigator', 'connector', 0.7)]
    """
    found = []
    for one, other in combinations(tops, 2):
        for strong, empty in ((one, other), (other, one)):
            top = tops[strong]
            if top is not None and top >= STRONG and tops[empty] is None:
                found.append((strong, empty, top))
    return found
