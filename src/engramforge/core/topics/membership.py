"""Which topic a memory belongs to, or has to do with, that was not there when topics were formed, or is of none.

    its clusters, and how many of each topic's memories share each of them -> agreement with each topic
        -> 2.5: it is of the topic; 1.0: it has to do with it; of several the one to which it is most alike

Source: spec chapter 8; document 004, parts 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.linkage import linked
from engramforge.core.injection.priority import RELATED, TOPIC
from engramforge.core.topics.agreement import UNCLUSTERED, Labels, topics_of
from engramforge.model.spaces import ROW_BY_SPACE, Space

Floats = NDArray[np.float32]
HALF: Final = TOPIC / 2


@dataclass(frozen=True, slots=True)
class Shares:
    """Of each topic, which share of its memories is in each cluster.

    Parameters
    ----------
    spaces : the space of each column of labels.
    columns : float32, for each space of shape (clusters + 1, topics), 0..1; the last row is that of no cluster, which
        nobody shares.
    """

    spaces: tuple[Space, ...]
    columns: tuple[Floats, ...]

    @classmethod
    def counted(cls, labels: Labels, topics: NDArray[np.int64], spaces: Sequence[Space]) -> Shares:
        """Of memories: their clusters, shape (n, spaces), -1 for none, and topics 0..t-1, -1 for none."""
        count = int(topics.max(initial=-1)) + 1
        inside = topics >= 0
        sizes = np.maximum(np.bincount(topics[inside], minlength=count), 1)
        columns = []
        for column in labels.T:
            some = inside & (column >= 0)
            shares = np.zeros((int(column.max(initial=UNCLUSTERED)) + 2, count), np.float32)
            np.add.at(shares, (column[some], topics[some]), 1)
            columns.append(np.asarray(shares / sizes, np.float32))
        return cls(tuple(spaces), tuple(columns))

    @property
    def count(self) -> int:
        """How many topics there are."""
        return self.columns[0].shape[1] if self.columns else 0

    def beside(self, others: Shares) -> Shares:
        """With the topics of others, none of whose clusters is one of these: they are numbered after these."""
        columns = []
        for one, other in zip(self.columns, others.columns, strict=True):
            wide = np.zeros((len(one) + len(other) - 1, self.count + others.count), np.float32)
            wide[: len(one) - 1, : self.count] = one[:-1]
            wide[len(one) - 1 :, self.count :] = other
            columns.append(wide)
        return Shares(self.spaces, tuple(columns))

    def between(self) -> Floats:
        """The mean agreement of the memories of one topic with those of another, 0..8.5, shape (t, t)."""
        found = np.zeros((self.count, self.count), np.float32)
        for shares, weight in self._weighed():
            found += weight * (shares[:-1].T @ shares[:-1])
        return found

    def agreement(self, labels: Labels) -> Floats:
        """The mean agreement of memories with those of each topic, 0..8.5, shape (n, t).

        Two of three memories of a topic share both of a newcomer's clusters, the third one of them (weights 1 and 1):

        >>> labels = np.array([[0, 5], [0, 5], [0, 6]], np.int32)
        >>> shares = Shares.counted(labels, np.array([0, 0, 0]), [Space.SEMANTIC, Space.CODE])
        >>> shares.agreement(np.array([[0, 5], [1, -1]], np.int32)).round(3)
        array([[1.667],
               [0.   ]], dtype=float32)
        """
        found = np.zeros((len(labels), self.count), np.float32)
        for column, (shares, weight) in zip(labels.T, self._weighed(), strict=True):
            known = np.where(column < len(shares) - 1, column, UNCLUSTERED)
            found += weight * shares[known]
        return found

    def _weighed(self) -> Iterator[tuple[Floats, float]]:
        for space, column in zip(self.spaces, self.columns, strict=True):
            yield column, ROW_BY_SPACE[space].topic_weight


def joined(agreement: Floats, similarity: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The topic of each memory, -1 for none, and its agreement: of those with which it agrees by 1.0 and more the one
    to which it is most alike.

    `agreement`, `similarity`: shape (n, t).

    >>> topics, agreed = joined(np.array([[2.6, 1.2, 0.9], [0.5, 0.2, 0]]), np.array([[0.1, 0.4, 0.9], [1, 1, 1]]))
    >>> topics.tolist(), agreed
    ([1, -1], array([1.2, 0. ], dtype=float32))
    """
    if not agreement.shape[1]:
        return np.full(len(agreement), -1, np.int64), np.zeros(len(agreement), np.float32)
    open_to = np.where(agreement >= RELATED, similarity, -np.inf)
    best = open_to.argmax(axis=1)
    rows = np.arange(len(agreement))
    any_is = agreement[rows, best] >= RELATED
    return np.where(any_is, best, -1), np.where(any_is, agreement[rows, best], 0).astype(np.float32)


def taken_apart(
    topics: NDArray[np.int64], binding: Labels, spaces: Sequence[Space], least: float = TOPIC
) -> NDArray[np.int64]:
    """Topics without those that run from one matter to another through memories between them: where the mean agreement
    of all pairs is below half of what makes a topic, it falls into those parts that agree by one space more, and so on.

    `least`: how much the pairs of these topics agree.

    A hundred memories hang together, each with the next; no part of them agrees by 3.5:

    >>> steps = np.arange(100)
    >>> labels = np.stack([(steps + shift) // 4 for shift in range(4)], axis=1).astype(np.int32)
    >>> spaces = [Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.LATE_INTERACTION, Space.SPARSE_EXPANSION]
    >>> int(taken_apart(np.zeros(100, np.int64), labels, spaces).max())
    -1
    """
    shares = Shares.counted(binding, topics, spaces)
    found, count = np.full(len(topics), -1, np.int64), 0
    for number, agreed in enumerate(shares.between().diagonal()):
        its = np.flatnonzero(topics == number)
        parts = np.zeros(len(its), np.int64)
        if agreed < HALF:
            more = least + 1
            parts = taken_apart(topics_of(binding[its], spaces, more), binding[its], spaces, more)
        inside = parts >= 0
        found[its[inside]] = count + parts[inside]
        count += int(parts.max(initial=-1)) + 1
    return found


def united(topics: NDArray[np.int64], labels: Labels, spaces: Sequence[Space]) -> NDArray[np.int64]:
    """Topics whose memories, on the whole, agree by half of what makes a topic are one; numbered by size again.

    Two at a time, those that agree most first (average linkage), so that topics do not run
    into each other through a few memories between them.

    Both clusters of three memories are those of two of three others (weights 1 and 1; 2 x 2/3 = 1.33):

    >>> labels = np.array([[0, 5], [0, 5], [0, 5], [0, 5], [0, 5], [1, 6]], np.int32)
    >>> united(np.array([0, 0, 0, 1, 1, 1]), labels, [Space.SEMANTIC, Space.CODE]).tolist()
    [0, 0, 0, 0, 0, 0]
    """
    shares = Shares.counted(labels, topics, spaces)
    of = np.arange(shares.count)
    sizes = np.bincount(topics[topics >= 0], minlength=shares.count).astype(np.float32)
    for one, other, agreed in linked(shares.between(), sizes):
        if agreed < HALF:
            break
        of[of == other] = one
    found = np.where(topics >= 0, of[np.maximum(topics, 0)] if shares.count else -1, -1)
    order = np.argsort(-np.bincount(found[found >= 0], minlength=shares.count), kind="stable")
    number = np.empty(shares.count, np.int64)
    number[order] = np.arange(shares.count)
    return np.where(found >= 0, number[np.maximum(found, 0)] if shares.count else -1, -1)
