"""From the points of memories to clusters and topics. What comes later joins them: `topics.features`.

Numbers in, numbers out: what is read and written is in `topics.updating`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.injection.priority import TOPIC
from engramforge.core.topics.agreement import UNCLUSTERED, Labels, kept_as, nearest_of, topics_of
from engramforge.core.topics.membership import Shares, joined, taken_apart, united
from engramforge.model.spaces import ROW_BY_SPACE, Category, Space
from engramforge.upkeep.topics.clusters import ClusterOptions, cluster
from engramforge.upkeep.topics.vectors import SPACES, Points

Floats = NDArray[np.float32]
_BLOCK: Final = 2_048
RADII: Final = {
    Space.SEMANTIC: 0.55,
    Space.SPARSE_LEXICAL: 0.65,
    Space.HYPERDIMENSIONAL: 0.45,
    Space.LATE_INTERACTION: 0.61,
    Space.SPARSE_EXPANSION: 0.73,
}
RADIUS: Final = 0.6
"""How wide sub-clusters are, by spaces: words that are or are not there lie farther apart than meanings. Chosen on
banking77 and clinc150 (docs/measurements/topics.md)."""
WIDER: Final = 0.1
"""How much wider they are for each time ten as many memories as a thousand, at most once: the more there are, the more
of them lie between two matters."""
_FEW: Final = 1_000


@dataclass(frozen=True, slots=True)
class Gathering:
    """n memories in clusters and topics.

    `labels`: int32, shape (n, spaces), see `core.topics.agreement.kept_as`. `topics`: int64, shape (n,): 0..t-1, -1 for
    none. `agreements`: float32, shape (n,): with the topic.
    """

    labels: Labels
    topics: NDArray[np.int64]
    agreements: Floats


def gather(count: int, points: Mapping[Space, Points], scaled_for: int | None = None) -> Gathering:
    """Cluster n memories in every space in which they have points, and find their topics.

    What is of a topic by clusters of its own makes up the topics; others join one, or have to do with one.

    `scaled_for`: how many memories sub-clusters are made as wide for; None: n. The least change of it makes others of
    them (BIRCH), and so of topics: as long as a project grows little it stays.
    """
    own = np.full((count, len(SPACES)), UNCLUSTERED, np.int32)
    full = own.copy()
    wider = WIDER * min(max(math.log10((scaled_for or max(count, 1)) / _FEW), 0.0), 1.0)
    for column, space in enumerate(SPACES):
        if space not in points:
            continue
        supports = ROW_BY_SPACE[space].category is not Category.SEMANTIC
        options = ClusterOptions(
            radius=RADII.get(space, RADIUS) + (0 if supports else wider), supports=supports
        )
        found = cluster(points[space].vectors, options)
        if found is not None:
            own[points[space].places, column] = found.binding
            full[points[space].places, column] = found.labels
    core = united(taken_apart(topics_of(own, SPACES), own, SPACES), full, SPACES)
    return _completed(core, kept_as(own, full), points)


def _completed(core: NDArray[np.int64], labels: Labels, points: Mapping[Space, Points]) -> Gathering:
    """Let what is of no topic join one."""
    full = nearest_of(labels)
    shares = Shares.counted(full, core, SPACES)
    middles = {space: middles_of(its, core, shares.count) for space, its in points.items()}
    topics, agreements = core.copy(), np.zeros(len(core), np.float32)
    for begin in range(0, len(core), _BLOCK):
        part = slice(begin, min(begin + _BLOCK, len(core)))
        agreement = shares.agreement(full[part])
        inside = core[part] >= 0
        found, agreed = joined(agreement, likeness(points, middles, part))
        own = agreement[np.arange(len(inside)), np.maximum(core[part], 0)] if shares.count else agreed
        topics[part] = np.where(inside, core[part], found)
        # By the pairs that made the topic, whatever the mean over all of its memories.
        agreements[part] = np.where(inside, np.maximum(own, TOPIC), agreed)
    return Gathering(labels, topics, agreements)


def middles_of(points: Points, topics: NDArray[np.int64], count: int) -> Floats:
    """The middle of each topic in a space, float32, shape (count, size), unit rows, or 0 where it has no point there.

    `topics`: of every memory, -1 for none.
    """
    its = topics[points.places]
    sums = np.zeros((count, points.vectors.shape[1]), np.float32)
    np.add.at(sums, its[its >= 0], points.vectors[its >= 0])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.where(lengths > 0, lengths, 1), np.float32)


def likeness(points: Mapping[Space, Points], middles: Mapping[Space, Floats], part: slice) -> Floats:
    """How alike the memories in a range are to each topic, float32, shape (rows, topics): the mean cosine with its
    middle over the spaces that both have, by their topic weights."""
    count = max((len(each) for each in middles.values()), default=0)
    found = np.zeros((part.stop - part.start, count), np.float32)
    weights = np.zeros((part.stop - part.start, 1), np.float32)
    for space in points.keys() & middles.keys():
        its, weight = points[space], ROW_BY_SPACE[space].topic_weight
        begin, end = np.searchsorted(its.places, (part.start, part.stop))
        rows = its.places[begin:end] - part.start
        found[rows] += weight * (its.vectors[begin:end] @ middles[space].T)
        weights[rows] += weight
    return np.asarray(found / np.maximum(weights, 1e-6), np.float32)


def separation(points: Mapping[Space, Points], topics: NDArray[np.int64]) -> float:
    """How well memories lie in their topics: the mean of (a - b) / (1 - min(a, b)), a being how alike a memory is to
    the middle of its topic, b to the nearest other one; 0 of what is of none. -1..1, 0 of fewer than two topics.

    A silhouette by middles, in all spaces at once (Rousseeuw 1987; Hruschka, de Castro and Campello 2004).
    """
    count = int(topics.max(initial=-1)) + 1
    if count < 2:
        return 0.0
    middles = {space: middles_of(its, topics, count) for space, its in points.items()}
    total = 0.0
    for begin in range(0, len(topics), _BLOCK):
        part = slice(begin, min(begin + _BLOCK, len(topics)))
        alike, of = likeness(points, middles, part), topics[part]
        rows = np.flatnonzero(of >= 0)
        own = alike[rows, of[rows]]
        alike[rows, of[rows]] = -np.inf
        other = alike[rows].max(axis=1, initial=-np.inf)
        total += float(((own - other) / np.maximum(1 - np.minimum(own, other), 1e-6)).sum())
    return total / len(topics)


def concatenated(parts: Iterable[tuple[int, Mapping[Space, Points]]]) -> dict[Space, Points]:
    """Points of portions as those of the whole; each with the place at which its portion begins."""
    gathered: dict[Space, list[Points]] = {}
    for begin, points in parts:
        for space, each in points.items():
            gathered.setdefault(space, []).append(Points(each.places + begin, each.vectors))
    return {
        space: Points(
            np.concatenate([each.places for each in those]), np.concatenate([each.vectors for each in those])
        )
        for space, those in gathered.items()
    }
