"""Clusters of a space: BIRCH sub-clusters, HDBSCAN over their centres, and the nearest cluster for what is left over.

    points -> sub-clusters of a radius (BIRCH; at most 5,000) -> clusters of three centres and more (HDBSCAN), without
        those that are as close to others as to themselves -> every point to the nearest centre
        -> what binds: the members, and where a cluster is cohesive (silhouette above .3) also what it drew to itself

That looser clusters bind their own members alone, and spaces that only support topics (relations, structure) bind by
cohesive clusters alone, keeps topics from running into each other (docs/measurements/topics.md). scikit-learn is
imported when the first clusters are made: no question does that. Source: spec chapter 8; Zhang, Ramakrishnan, Livny
1996 (BIRCH); Campello, Moulavi, Sander 2013 (HDBSCAN); Rousseeuw 1987 (silhouettes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import unit
from engramforge.core.topics.agreement import SMALLEST, UNCLUSTERED

if TYPE_CHECKING:
    from sklearn.cluster import Birch

    from engramforge.core.topics.agreement import Labels

Floats = NDArray[np.float32]
_LOOSE: Final = 0.05
"""The silhouette of points that have nothing in common, and a little more."""
_COHESIVE: Final = 0.3
"""A cluster is cohesive if the mean silhouette of its centres is above this."""
_LEAST_COHESIVE: Final = 0.15
"""A space that only supports topics has no clusters where a smaller share of them is cohesive."""
_SHARE: Final = 0.001
"""Of all points: so many, and at least three, make a sub-cluster a cluster by itself."""
_OUTSIDE: Final = 0.02
"""Share of the members that are farther from their centre than what a cluster may still draw."""
_PORTION: Final = 2_000
_BRANCHES: Final = 50
_BLOCK: Final = 4_096
_ROUNDED: Final = 1e-5
"""What float32 may lose."""


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """How the points of a space are gathered.

    Parameters
    ----------
    radius : of a sub-cluster, as BIRCH's threshold; it grows where there would be more sub-clusters than `most`.
    most : the most sub-clusters that HDBSCAN compares.
    supports : whether the space only supports topics: then only cohesive clusters bind, and draw nothing.
    """

    radius: float = 0.55
    most: int = 5_000
    supports: bool = False


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of a space.

    `labels`: int32, shape (n,): of each point, -1 for none. `binding`: the same where the cluster makes topics with its
    other points, else -1. `centres`: float32, shape (k, size), unit rows.
    """

    labels: Labels
    binding: Labels
    centres: Floats


def cluster(vectors: Floats, options: ClusterOptions | None = None) -> Clusters | None:
    """Cluster the points of a space, unit rows, shape (n, size); None where they form no clusters.

    >>> rng = np.random.default_rng(3)
    >>> ways = unit(rng.normal(size=(4, 32)).astype(np.float32))
    >>> points = unit((np.repeat(ways, 10, axis=0) + 0.05 * rng.normal(size=(40, 32))).astype(np.float32))
    >>> found = cluster(points)
    >>> len(found.centres), np.bincount(found.labels).tolist()
    (4, [10, 10, 10, 10])
    """
    options = options or ClusterOptions()
    if len(vectors) < SMALLEST:
        return None
    centres, of_point = _sub_clusters(vectors, options)
    sizes = np.bincount(of_point, minlength=len(centres))
    found, silhouettes = _without_loose(centres, _hdbscan(centres))
    cohesive = silhouettes > _COHESIVE
    if options.supports and len(cohesive) and np.mean(cohesive) < _LEAST_COHESIVE:
        return None
    alone = (found == UNCLUSTERED) & (sizes >= max(SMALLEST, int(len(vectors) * _SHARE)))
    found[alone] = len(cohesive) + np.arange(np.count_nonzero(alone), dtype=np.int32)
    if found.max() == UNCLUSTERED:
        return None
    # A sub-cluster by itself is as close as its radius, and draws nothing.
    dense = np.ones(np.count_nonzero(alone), np.bool_)
    binds = np.append(cohesive if options.supports else np.ones(len(cohesive), np.bool_), dense)
    draws = np.append(cohesive & (not options.supports), ~dense)
    members = found[of_point]
    middles = centres_of(vectors, members)
    labels = nearest(vectors, middles, members)
    is_bound = (labels != UNCLUSTERED) & np.where(members == UNCLUSTERED, draws[labels], binds[labels])
    return Clusters(labels, np.where(is_bound, labels, UNCLUSTERED).astype(np.int32), middles)


def centres_of(vectors: Floats, labels: Labels) -> Floats:
    """The centres of clusters 0..k-1, float32, shape (k, size), unit rows."""
    inside = labels != UNCLUSTERED
    sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, labels[inside], vectors[inside])
    return unit(sums)


def nearest(vectors: Floats, centres: Floats, labels: Labels) -> Labels:
    """The labels, and for points without one that of the nearest centre, where they are as near to it as its members
    are (`reach`).

    >>> points = unit(np.array([[1, 0], [1, 0.1], [1, 0.2], [0, 1], [1, 0.15]], np.float32))
    >>> nearest(points, points[1:2], np.array([0, 0, 0, -1, -1], np.int32)).tolist()
    [0, 0, 0, -1, 0]
    """
    found = labels.copy()
    if not (labels != UNCLUSTERED).any():
        return found
    least = reach(vectors, centres, labels)
    for begin in range(0, len(vectors), _BLOCK):
        part = np.flatnonzero(labels[begin : begin + _BLOCK] == UNCLUSTERED) + begin
        cosines = vectors[part] @ centres.T
        found[part] = np.where(cosines.max(axis=1) >= least, cosines.argmax(axis=1), UNCLUSTERED)
    return found


def reach(vectors: Floats, centres: Floats, labels: Labels) -> float:
    """How near to their centre all but a share of the members are: a cosine. There has to be a member."""
    inside = np.flatnonzero(labels != UNCLUSTERED)
    own = np.einsum("ij,ij->i", vectors[inside], centres[labels[inside]])
    return float(np.quantile(own, _OUTSIDE)) - _ROUNDED


def _sub_clusters(vectors: Floats, options: ClusterOptions) -> tuple[Floats, NDArray[np.int64]]:
    """The centres of sub-clusters, at most so many, as unit rows; and each point's."""
    from sklearn.cluster import Birch

    def tree(radius: float, points: Floats) -> Birch:
        return Birch(threshold=radius, branching_factor=_BRANCHES, n_clusters=None).partial_fit(points)

    radius, grown = options.radius, None
    for begin in range(0, len(vectors), _PORTION):
        portion = vectors[begin : begin + _PORTION]
        grown = tree(radius, portion) if grown is None else grown.partial_fit(portion)
        while len(grown.subcluster_centers_) > options.most:
            radius *= 1.1
            # A centre lies within the sphere: taken as it is, all of them would draw together.
            grown = tree(radius, unit(np.asarray(grown.subcluster_centers_, np.float32)))
    assert grown is not None
    centres = unit(np.asarray(grown.subcluster_centers_, np.float32))
    of_point = np.empty(len(vectors), np.int64)
    for begin in range(0, len(vectors), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        of_point[part] = (vectors[part] @ centres.T).argmax(axis=1)
    return centres, of_point


def _hdbscan(centres: Floats) -> Labels:
    """By excess of mass; where that takes a large part of everything for one cluster, by leaves."""
    from sklearn.cluster import HDBSCAN

    labels = np.full(len(centres), UNCLUSTERED, np.int32)
    if len(centres) < 2 * SMALLEST:
        return labels
    for method in ("eom", "leaf"):
        found = HDBSCAN(min_cluster_size=SMALLEST, min_samples=1, cluster_selection_method=method, copy=True)
        labels = found.fit_predict(centres).astype(np.int32)
        counts = np.bincount(labels[labels != UNCLUSTERED], minlength=1)
        if counts.max() <= _WHOLE * len(centres):
            break
    return labels


_WHOLE: Final = 0.25
"""A cluster of more than this share of the sub-clusters is most likely what is common to everything."""


def _without_loose(centres: Floats, labels: Labels) -> tuple[Labels, Floats]:
    """Clusters numbered anew without those that are about as close to others, and the silhouettes of those kept."""
    silhouettes = _silhouettes(centres, labels)
    kept = silhouettes > _LOOSE
    number = np.append(np.where(kept, np.cumsum(kept) - 1, UNCLUSTERED), UNCLUSTERED).astype(np.int32)
    return number[labels], silhouettes[kept]


def _silhouettes(centres: Floats, labels: Labels) -> Floats:
    """The mean silhouette of the centres of each cluster, by cosines; 1 of a cluster that is alone."""
    from sklearn.metrics import silhouette_samples

    inside = labels != UNCLUSTERED
    count = int(labels.max(initial=UNCLUSTERED)) + 1
    if count < 2:
        return np.ones(count, np.float32)
    each = silhouette_samples(centres[inside], labels[inside], metric="cosine")
    sums = np.bincount(labels[inside], weights=each, minlength=count)
    return np.asarray(sums / np.bincount(labels[inside], minlength=count), np.float32)
