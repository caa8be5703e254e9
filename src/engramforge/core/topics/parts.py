"""The parts of a topic: within it, what lies closer together than the rest.

    unit vectors of its memories -> two at a time, the closest groups first (average linkage)
        -> of two to eight parts the division whose silhouette is best (Rousseeuw 1987), if it is good enough

A part has three memories and more; what is left over is of the nearest part. A large topic is divided by an even choice
of its memories. Source: spec chapter 8, "Activation by size".
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.linkage import linked
from engramforge.core.arrays.vectors import unit
from engramforge.core.topics.agreement import SMALLEST

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]
MOST: Final = 8
"""More parts than these nobody reads."""
_LEAST_SILHOUETTE: Final = 0.3
"""A topic whose parts are less apart is told whole."""
_COMPARED: Final = 240
"""How many memories of a topic are compared with each other."""


def parts_of(vectors: Floats) -> Numbers:
    """The part of each memory, 0 for the largest; -1 for all of them where the topic has no parts.

    `vectors`: float32, shape (n, size), unit rows.

    >>> rng = np.random.default_rng(2)
    >>> ways = unit(rng.normal(size=(3, 24)).astype(np.float32))[[0] * 6 + [1] * 4 + [2] * 1]
    >>> parts_of(unit(ways + 0.05 * rng.normal(size=(11, 24)).astype(np.float32))).tolist()[:10]
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    """
    whole = np.full(len(vectors), -1, np.int64)
    if len(vectors) < 2 * SMALLEST:
        return whole
    chosen = np.arange(len(vectors))[:: -(-len(vectors) // _COMPARED)]
    points = vectors[chosen]
    likeness = (points @ points.T).astype(np.float64)
    best, divided = _LEAST_SILHOUETTE, None
    for groups in _divisions(likeness):
        large = np.flatnonzero(np.bincount(groups) >= SMALLEST)
        if 2 <= len(large) <= MOST and (apart := _silhouette(1 - likeness, groups)) > best:
            best, divided = apart, (groups, large)
    if divided is None:
        return whole
    groups, large = divided
    middles = unit(np.array([points[groups == each].mean(axis=0) for each in large], np.float32))
    found = (vectors @ middles.T).argmax(axis=1)
    for place, each in enumerate(large):
        found[chosen[groups == each]] = place
    order = np.argsort(-np.bincount(found, minlength=len(large)), kind="stable")
    number = np.empty(len(large), np.int64)
    number[order] = np.arange(len(large))
    told: Numbers = number[found]
    return told


def _divisions(likeness: NDArray[np.float64]) -> list[Numbers]:
    """The groups of points, numbered, when few are left: from twice the most parts down to two."""
    count = len(likeness)
    of = np.arange(count)
    found = []
    for gone, (one, other, _) in enumerate(linked(likeness, np.ones(count))):
        if count - gone <= 2 * MOST:
            found.append(np.unique(of, return_inverse=True)[1])
        of[of == other] = one
    return found


def _silhouette(distances: NDArray[np.float64], groups: Numbers) -> float:
    """The mean over all points of how much nearer they are to their own group than to the next one; 0 of a point that
    is alone."""
    sizes = np.bincount(groups)
    members = np.zeros((len(groups), len(sizes)))
    members[np.arange(len(groups)), groups] = 1
    sums = distances @ members
    rows = np.arange(len(groups))
    alone = sizes[groups] == 1
    own = sums[rows, groups] / np.maximum(sizes[groups] - 1, 1)
    means = sums / sizes
    means[rows, groups] = np.inf
    other = means.min(axis=1)
    apart = np.where(alone, 0.0, (other - own) / np.maximum(np.maximum(own, other), 1e-9))
    return float(apart.mean())
