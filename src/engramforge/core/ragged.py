"""Ragged arrays: many short arrays laid end to end in one, where `ends[i]` is where row i ends. Pure NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def spans(starts: Places, ends: Places) -> tuple[Places, Places]:
    """All indices of the half-open spans [start, end), span after span, and where each span ends in them."""
    lengths = ends - starts
    new_ends = np.cumsum(lengths)
    total = int(new_ends[-1]) if len(new_ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts - (new_ends - lengths), lengths), new_ends


def take_rows(flat: NDArray[Any], ends: Places, rows: Places) -> tuple[NDArray[Any], Places]:
    """The values of some rows end to end, and where each ends now.

    Parameters
    ----------
    flat, ends : the ragged array; `flat` may have further axes.
    rows : which rows, in any order, repeats allowed.
    """
    starts = np.where(rows > 0, ends[rows - 1], 0) if len(ends) else rows
    picked, new_ends = spans(starts, ends[rows])
    return flat[picked], new_ends
