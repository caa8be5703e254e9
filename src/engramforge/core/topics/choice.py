"""Choosing what to show so that what was never shown gets its turn: Thompson sampling, diversity, propensity.

Everything random comes from a generator that is given. Source: spec chapter 8; document 004, part 7; Thompson 1933;
Carbonell and Goldstein 1998 (MMR); Horvitz and Thompson 1952 (inverse propensity).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXPLORED: Final = 0.15
"""The share of places that sampling decides."""
RELEVANT: Final = 0.7
"""What relevance counts in the trade with diversity."""
LEAST_PROPENSITY: Final = 0.1


@dataclass(frozen=True, slots=True)
class Arm:
    """What is believed of a cluster: a Beta distribution, at first Beta(1, 1). `used`, `unused`: how often what was
    shown of it was used, and was not."""

    used: int = 0
    unused: int = 0

    def after(self, *, used: bool) -> Arm:
        """The same after one of its memories was shown.

        >>> Arm().after(used=True).after(used=False)
        Arm(used=1, unused=1)
        """
        return Arm(self.used + used, self.unused + (not used))


def sampled(arms: Mapping[str, Arm], rng: np.random.Generator) -> list[str]:
    """Clusters in the order of what was drawn of each, the largest first. The same generator draws the same."""
    drawn = {name: float(rng.beta(1 + arm.used, 1 + arm.unused)) for name, arm in sorted(arms.items())}
    return sorted(drawn, key=lambda name: (-drawn[name], name))


def explored(places: int) -> int:
    """How many of some places sampling decides: 15 %, and at most one where there are fewer than seven.

    >>> [explored(each) for each in (1, 3, 7, 20, 100)]
    [0, 0, 1, 3, 15]
    """
    return int(places * EXPLORED + 1e-9)


def diverse(
    relevance: NDArray[np.floating], alike: NDArray[np.floating], most: int, *, share: float = RELEVANT
) -> list[int]:
    """Places of the best by maximal marginal relevance: share x relevance - (1 - share) x the largest similarity to
    what was chosen before.

    Parameters
    ----------
    relevance : shape (n,), 0..1.
    alike : shape (n, n), 0..1.
    most : how many are chosen.

    The second is the first again, so the third comes before it (.7 x .8 - .3 x 1 = .26, .7 x .6 = .42):

    >>> alike = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1.0]])
    >>> diverse(np.array([0.9, 0.8, 0.6]), alike, 3)
    [0, 2, 1]
    """
    chosen: list[int] = []
    nearest = np.zeros(len(relevance))
    left = np.ones(len(relevance), np.bool_)
    for _ in range(min(most, len(relevance))):
        worth = np.where(left, share * relevance - (1 - share) * nearest, -np.inf)
        best = int(worth.argmax())
        chosen.append(best)
        left[best] = False
        nearest = np.maximum(nearest, alike[best])
    return chosen


def propensity_weight(exposures: int, queries: int) -> float:
    """What a use of something counts that is seldom shown: 1 / propensity, at most 10.

    >>> propensity_weight(50, 100), propensity_weight(1, 100), propensity_weight(0, 0)
    (2.0, 10.0, 1.0)
    """
    if queries <= 0:
        return 1.0
    return 1.0 / min(max(exposures / queries, LEAST_PROPENSITY), 1.0)


def mean_use(uses: Sequence[bool], weights: Sequence[float]) -> float:
    """The share of use among what was shown, corrected for how seldom each is shown; 0 without any.

    >>> mean_use([True, False], [3.0, 1.0])
    0.75
    """
    total = sum(weights)
    return sum(weight for used, weight in zip(uses, weights, strict=True) if used) / total if total else 0.0
