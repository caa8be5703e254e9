"""Groups of terms of which a memory is to have all of one: the words of a name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.store.scoring.strength import Mask, Rows

Terms = NDArray[np.uint32]


def terms_of(groups: Sequence[Terms]) -> tuple[Terms, list[list[int]]]:
    """The distinct terms of all groups, ascending, as postings are looked up, and the places of each group's."""
    found = distinct(np.concatenate(groups))
    places, ends = found.places.tolist(), accumulate(map(len, groups))
    return found.values, [places[end - len(group) : end] for group, end in zip(groups, ends, strict=True)]


def groups_of(chosen: Rows, found: Sequence[tuple[Rows, Sequence[Rows]]], count: int) -> Mask:
    """Which of n chosen rows have each of k groups whole, bool (k, n).

    `chosen`: by their places among the rows of all batches, laid end to end. `found`: of each batch its rows,
    ascending, and which of them have each group.

    >>> groups_of(np.array([2, 1]), [(np.array([0, 3]), [np.array([0, 3])]), (np.array([5]), [np.array([], int)])], 1)
    array([[False,  True]])
    """
    has = np.zeros((count, len(chosen)), np.bool_)
    rank = np.full(sum(len(rows) for rows, _ in found), -1, np.int64)
    rank[chosen] = np.arange(len(chosen))
    begin = 0
    for rows, held in found:
        # Looked up by row: among thousands a common name's are found in a tenth of the time of a search for each.
        ranked = np.zeros(int(rows[-1]) + 1 if len(rows) else 0, np.int64)
        ranked[rows], begin = rank[begin : begin + len(rows)], begin + len(rows)
        for group, own in enumerate(held):
            # Most of many names stand nowhere.
            if len(own):
                at = ranked[own]
                has[group, at[at >= 0]] = True
    return has
