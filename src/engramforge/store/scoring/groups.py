"""Groups of terms of which a memory is to have all of one: the words of a name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.store.scoring.strength import Mask, Rows

Terms = NDArray[np.uint32]


def terms_of(groups: Sequence[Terms]) -> tuple[Terms, list[Rows]]:
    """The distinct terms of all groups, ascending, as postings are looked up, and the places of each group's."""
    found = distinct(np.concatenate(groups))
    return found.values, np.split(found.places, np.cumsum([len(group) for group in groups])[:-1])


def rows_having(found: Sequence[Rows]) -> tuple[Rows, Mask]:
    """The rows that have one of k groups whole, ascending, and which of them each has, bool (k, n).

    `found`: the ascending rows that have each group.

    >>> found = rows_having([np.array([0, 3]), np.array([3])])
    >>> found[0].tolist(), found[1].tolist()
    ([0, 3], [[True, True], [False, True]])
    """
    rows = distinct(np.concatenate(found)).values
    has = np.zeros((len(found), len(rows)), np.bool_)
    for group, own in zip(has, found, strict=True):
        if len(own):
            group[np.searchsorted(rows, own)] = True
    return rows, has
