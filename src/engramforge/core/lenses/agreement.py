"""Which items of several lenses are one matter: they converge.

Two items of different lenses go together if they are in one entanglement cluster, or if their calibrated similarity is
above 0.70 (spec chapter 6), unless they contradict each other: that is told as what pulls apart. A matter is a set of
items of which each goes together with every other of another lens, so that likeness is not passed on from item to item
until everything is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALIKE: Final = 0.70
"""Calibrated similarity above which two items are about one matter."""
BOOST: Final = 1.3
"""How much an item counts that converges."""
NO_CLUSTER: Final = -1


@dataclass(frozen=True, slots=True)
class Matter:
    """Items that are about one matter, the one of the greatest mass first.

    `cluster`: the entanglement cluster that items of two lenses share; None where they only say nearly the same.
    """

    items: tuple[int, ...]
    cluster: int | None


def matters(
    lenses: NDArray[np.int64],
    masses: NDArray[np.float64],
    clusters: NDArray[np.int64],
    similarity: NDArray[np.float64],
    against: NDArray[np.bool_],
) -> list[Matter]:
    """The matters on which two lenses or more agree, the one of the greatest mass first. Each item is in one at most.

    Parameters
    ----------
    lenses : shape (n,), the lens of each item.
    masses : shape (n,).
    clusters : shape (n,), the entanglement cluster of each, `NO_CLUSTER` for none.
    similarity : shape (n, n), calibrated, 0..1; its diagonal does not count.
    against : shape (n, n), whether two contradict each other.

    >>> import numpy as np
    >>> alike = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]])
    >>> matters(np.array([0, 1, 1]), np.array([0.5, 0.7, 0.6]), np.full(3, -1), alike, np.zeros((3, 3), bool))
    [Matter(items=(1, 0), cluster=None)]
    """
    same_cluster = (clusters[:, None] == clusters[None, :]) & (clusters != NO_CLUSTER)[:, None]
    apart = lenses[:, None] != lenses[None, :]
    joined = ((same_cluster | (similarity > ALIKE)) & ~against & apart).tolist()
    # Another item of a lens comes along, unless the two contradict each other.
    may_stand_by = (~against & ~apart).tolist()
    order = np.lexsort((np.arange(len(masses)), -masses)).tolist()
    taken: set[int] = set()
    found = []
    for first in order:
        if first in taken:
            continue
        group = [first]
        for other in sorted(set(order) - taken - {first}, key=lambda item: (-similarity[first, item], item)):
            if any(joined[each][other] for each in group) and all(
                joined[each][other] or may_stand_by[each][other] for each in group
            ):
                group.append(other)
        if len(set(lenses[group].tolist())) > 1:
            taken.update(group)
            ordered = tuple(sorted(group, key=lambda item: (-masses[item], item)))
            found.append(Matter(ordered, _shared(lenses[group], clusters[group])))
    return found


def _shared(lenses: NDArray[np.int64], clusters: NDArray[np.int64]) -> int | None:
    """The least cluster that items of two lenses are in."""
    for cluster in sorted(set(clusters.tolist()) - {NO_CLUSTER}):
        if len(set(lenses[clusters == cluster].tolist())) > 1:
            return int(cluster)
    return None


def combined_mass(masses: Sequence[float]) -> float:
    """1.3 times the mean of the members' own masses.

    >>> round(combined_mass([0.84, 0.79]), 2)
    1.06
    """
    return BOOST * sum(masses) / len(masses)
