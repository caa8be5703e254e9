"""Topics: memories that cluster together in several spaces at once.

    clusters of each space -> pairs that agree enough -> connected components -> topics

Agreement is the sum of the topic weights of the spaces in which two memories share a cluster; temporal spaces weigh
nothing. No pair is ever written down: who shares the clusters of enough spaces has the same row in the columns of one
of the least sets of spaces that suffice. Source: spec chapter 8; document 004, parts 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.injection.priority import TOPIC
from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Space

UNCLUSTERED: Final = -1
"""The cluster of what no cluster has taken."""
SMALLEST: Final = 3
"""Fewer memories are no topic."""
MOST_AGREEMENT: Final = sum(row.topic_weight for row in REGISTRY)
"""All spaces together: 8.5."""
UNKNOWN_STRENGTH: Final = 0.5
"""The strength in every space of what no cluster has taken."""
_AT_ONCE: Final = 1_000_000
"""How many pairs are compared at once."""
Labels = NDArray[np.int32]


def kept_as(binding: Labels, nearest: Labels) -> Labels:
    """One number for both: a cluster that binds a memory as it is; one to which it is only nearest as -2 - cluster.

    >>> kept = kept_as(np.array([4, -1, -1], np.int32), np.array([4, 7, -1], np.int32))
    >>> kept.tolist(), binding_of(kept).tolist(), nearest_of(kept).tolist()
    ([4, -9, -1], [4, -1, -1], [4, 7, -1])
    """
    return np.where(binding >= 0, binding, np.where(nearest >= 0, -2 - nearest, UNCLUSTERED)).astype(np.int32)


def binding_of(kept: Labels) -> Labels:
    """The clusters that bind memories; see `kept_as`."""
    return np.maximum(kept, UNCLUSTERED)


def nearest_of(kept: Labels) -> Labels:
    """The clusters that bind memories or are nearest to them; see `kept_as`."""
    return np.where(kept <= -2, -2 - kept, kept)


def topics_of(labels: Labels, spaces: Sequence[Space], least: float = TOPIC) -> NDArray[np.int64]:
    """The topic of each memory, numbered from 0 by size, the largest first; -1 for none.

    Parameters
    ----------
    labels : int32, shape (memories, spaces): the cluster in each space, `UNCLUSTERED` for none.
    spaces : the space of each column.
    least : how much a pair has to agree to belong together.

    Three agree in meaning, words and entities (2.5), the fourth with them in meaning and words alone (2):

    >>> labels = np.array([[0, 4, 1], [0, 4, 1], [0, 4, 1], [0, 4, 2]], np.int32)
    >>> topics_of(labels, [Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.ENTITY]).tolist()
    [0, 0, 0, -1]
    """
    same = np.arange(len(labels))
    groups = [_groups(labels[:, list(columns)]) for columns in sufficient(spaces, least)]
    while len(labels):
        before = same
        for group in groups:
            first = np.full(int(group.max(initial=UNCLUSTERED)) + 2, len(labels))
            np.minimum.at(first, group, same)
            # What has no row there belongs to no group of these spaces.
            same = np.where(group < 0, same, np.minimum(same, first[group]))
            same = same[same]
        if np.array_equal(before, same):
            break
    return _by_size(same)


def sufficient(spaces: Sequence[Space], least: float = TOPIC) -> list[tuple[int, ...]]:
    """The least sets of columns whose topic weights reach what is needed: without any one of them it is not reached.

    >>> sufficient([Space.SEMANTIC, Space.CODE, Space.ENTITY, Space.TEMPORAL_RECENT, Space.CAUSAL])
    [(0, 1, 2), (0, 1, 4), (0, 2, 4), (1, 2, 4)]
    """
    weights = [ROW_BY_SPACE[space].topic_weight for space in spaces]
    counting = [column for column, weight in enumerate(weights) if weight > 0]
    found = []
    for size in range(1, len(counting) + 1):
        for columns in combinations(counting, size):
            total = sum(weights[column] for column in columns)
            if total >= least and all(total - weights[column] < least for column in columns):
                found.append(columns)
    return found


def pair_agreement(one: Labels, others: Labels, spaces: Sequence[Space]) -> NDArray[np.float32]:
    """How much memories agree with one, 0..8.5, float32. `one`: shape (spaces,). `others`: shape (memories, spaces)."""
    weights = np.array([ROW_BY_SPACE[space].topic_weight for space in spaces], np.float32)
    agreement: NDArray[np.float32] = ((others == one) & (one != UNCLUSTERED)) @ weights
    return agreement


def mean_agreement(labels: Labels, spaces: Sequence[Space]) -> float:
    """The mean agreement of the pairs of a topic that agree enough; 0 where none does.

    >>> labels = np.array([[0, 4, 1, 2], [0, 4, 1, 2], [0, 4, 1, 3]], np.int32)
    >>> spaces = [Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.CODE, Space.CAUSAL]
    >>> round(mean_agreement(labels, spaces), 3)  # (4 + 3 + 3) / 3
    3.333
    """
    rows, counts = _distinct_rows(labels)
    total = pairs = 0.0
    step = max(_AT_ONCE // max(len(rows) * len(spaces), 1), 1)
    for begin in range(0, len(rows), step):
        for at in range(begin, min(begin + step, len(rows))):
            agreement = pair_agreement(rows[at], rows[at:], spaces)
            number = counts[at] * counts[at:].astype(np.float64)
            number[0] = counts[at] * (counts[at] - 1) / 2
            enough = agreement >= TOPIC
            total += float(agreement[enough] @ number[enough])
            pairs += float(number[enough].sum())
    return total / pairs if pairs else 0.0


def profile(labels: Labels, spaces: Sequence[Space]) -> tuple[float, ...]:
    """The strength of a topic in each of the thirteen spaces, in the registry's order, 0..1: the share of its pairs
    that share a cluster there; .5 in a space that has no clusters, and in all of them of fewer than two memories.

    >>> labels = np.array([[0, 4], [0, 4], [0, -1]], np.int32)
    >>> strengths = profile(labels, [Space.SEMANTIC, Space.CODE])
    >>> [round(strengths[at], 3) for at in (0, 1, 6)]
    [1.0, 0.5, 0.333]
    """
    strengths = dict.fromkeys((row.space for row in REGISTRY), UNKNOWN_STRENGTH)
    pairs = len(labels) * (len(labels) - 1) / 2
    for column, space in enumerate(spaces if pairs else ()):
        clustered = labels[:, column][labels[:, column] != UNCLUSTERED]
        counts = distinct(clustered).counts
        strengths[space] = float((counts * (counts - 1) / 2).sum() / pairs)
    return tuple(strengths.values())


def _groups(columns: Labels) -> NDArray[np.int64]:
    """Which rows are alike; -1 where one of the columns has no cluster."""
    whole = np.flatnonzero((columns != UNCLUSTERED).all(axis=1))
    group = np.full(len(columns), -1, np.int64)
    group[whole] = _numbered(columns[whole])
    return group


def _numbered(rows: Labels) -> NDArray[np.int64]:
    """Equal rows by equal numbers."""
    number = np.zeros(len(rows), np.int64)
    for column in rows.T:
        places = distinct(column.astype(np.int64)).places
        number = distinct(number * (int(places.max(initial=0)) + 1) + places).places
    return number


def _distinct_rows(labels: Labels) -> tuple[Labels, NDArray[np.int64]]:
    """Each row once, and how often it stands there."""
    found = distinct(_numbered(labels))
    return labels[found.first], found.counts


def _by_size(same: NDArray[np.int64]) -> NDArray[np.int64]:
    """Components by size, the largest first, those of equal size by their first memory; small ones are none."""
    found = distinct(same)
    counts = found.counts
    order = np.lexsort((found.first, -counts))
    order = order[counts[order] >= SMALLEST]
    number = np.full(len(counts), -1, np.int64)
    number[order] = np.arange(len(order))
    topics: NDArray[Any] = number[found.places] if len(same) else same
    return topics
