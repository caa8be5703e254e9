"""Which rows have all terms of a group, from where each term occurs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.store.scoring.strength import Mask, Rows

Terms = NDArray[np.uint32]


def terms_of(groups: Sequence[Terms]) -> Terms:
    """The distinct terms of all groups, ascending, as postings are looked up."""
    return distinct(np.concatenate(groups)).values


def rows_having(rows: Rows, which: Rows, terms: Terms, groups: Sequence[Terms]) -> tuple[Rows, Mask]:
    """The rows that have one of k groups whole, ascending, and which of them each has, bool (k, n).

    `rows`, `which`: parallel: a row, and the place in `terms` of a term that occurs in it.

    >>> terms = np.array([2, 5, 9], np.uint32)
    >>> found = rows_having(np.array([0, 0, 1, 3]), np.array([0, 1, 1, 2]), terms, [terms[:2], terms[2:]])
    >>> found[0].tolist(), found[1].tolist()
    ([0, 3], [[True, False], [False, True]])
    """
    each = distinct(rows)
    present = np.zeros((len(terms), len(each.values)), np.bool_)
    present[which, each.places] = True
    has = np.stack([present[np.searchsorted(terms, group)].all(axis=0) for group in groups])
    some = np.flatnonzero(has.any(axis=0))
    return each.values[some], has[:, some]
