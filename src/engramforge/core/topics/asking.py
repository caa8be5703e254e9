"""Memories of the clusters that a question joins.

    in each space the nearest memory above the high threshold -> its cluster -> each memory agrees with the question by
        the topic weights of the spaces in which it is of that cluster -> a little more than what it was worth before

Helps who looks for what is alike, not who asks for an answer: off unless asked for (docs/measurements/topics.md).
Source: spec chapter 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.topics.agreement import MOST_AGREEMENT, UNCLUSTERED, Labels, pair_agreement
from engramforge.model.spaces import Space

Floats = NDArray[np.floating]
ADDED: Final = 0.2
"""What the agreement of all spaces adds to a mass of 0..1."""


def clusters_asked(labels: Labels, high: Floats) -> Labels:
    """The cluster that a question joins in each space, int32, shape (spaces,), -1 for none.

    Parameters
    ----------
    labels : shape (n, spaces): the nearest clusters of memories.
    high : shape (n, spaces): similarities of the question above the high threshold, 0 for none.

    The second memory is nearest in the first space, nothing is near in the second:

    >>> clusters_asked(np.array([[3, 5], [4, 5]], np.int32), np.array([[0.6, 0], [0.7, 0]])).tolist()
    [4, -1]
    """
    if not len(labels):
        return np.full(labels.shape[1], UNCLUSTERED, np.int32)
    nearest = high.argmax(axis=0)
    columns = np.arange(labels.shape[1])
    return np.where(high[nearest, columns] > 0, labels[nearest, columns], UNCLUSTERED).astype(np.int32)


def by_clusters(
    mass: Floats, labels: Labels, high: Floats, spaces: Sequence[Space], added: float = ADDED
) -> list[int]:
    """Places of memories in the order of their mass and their agreement with a question.

    `mass`: shape (n,), 0..1. `labels`, `high`: as of `clusters_asked`; a memory without clusters has -1 throughout.

    The third is of the first's cluster (.2 x 1 / 8.5 = .024), the second is not:

    >>> labels = np.array([[3], [4], [3]], np.int32)
    >>> by_clusters(np.array([0.9, 0.51, 0.5]), labels, np.array([[0.8], [0], [0]]), [Space.SEMANTIC])
    [0, 2, 1]
    """
    agreement = pair_agreement(clusters_asked(labels, high), labels, spaces)
    worth = mass + added * agreement / MOST_AGREEMENT
    return [int(place) for place in np.argsort(-worth, kind="stable")]
