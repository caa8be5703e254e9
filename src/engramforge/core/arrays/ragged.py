"""Ragged arrays: many short arrays laid end to end in one, where `ends[i]` is where row i ends. Pure NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Places = NDArray[np.int64]


def spans(starts: Places, ends: Places) -> tuple[Places, Places]:
    """All indices of the half-open spans [start, end), span after span, and where each span ends in them."""
    lengths = ends - starts
    new_ends = np.cumsum(lengths)
    total = int(new_ends[-1]) if len(new_ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts - (new_ends - lengths), lengths), new_ends


def take_rows(flat: NDArray[Any], ends: Places, rows: Places) -> tuple[NDArray[Any], Places]:
    """The values of some rows end to end, and where each ends now.

    `flat`, `ends`: the ragged array; `flat` may have further axes. `rows`: which rows, in any order, repeats allowed.
    """
    picked, new_ends = row_places(ends, rows)
    return flat[picked], new_ends


def row_places(ends: Places, rows: Places) -> tuple[Places, Places]:
    """Where the values of some rows stand, row after row, and where each row ends now."""
    starts = np.where(rows > 0, ends[rows - 1], 0) if len(ends) else rows
    return spans(starts, ends[rows])


def places_among(ascending: NDArray[Any], values: NDArray[Any]) -> Places:
    """Where each value stands among distinct ascending ones, int64, shape of the values; -1 where it does not.

    Looking up numbers that are small beside the count of values, such as positions, needs no search.
    """
    if not len(ascending):
        return np.full(values.shape, -1, np.int64)
    kinds, last = {ascending.dtype.kind, values.dtype.kind}, ascending[-1]
    if kinds <= {"i", "u"} and ascending[0] >= 0 and last <= _TABLED_UP_TO * len(values):
        table = np.full(int(last) + 2, -1, np.int64)
        table[ascending] = np.arange(len(ascending))
        # Negative ones are beyond the last, too, as they are read without a sign.
        beyond = np.minimum(values.astype(np.uint64), np.uint64(int(last) + 1))
        return table[beyond.astype(np.int64)]
    nearest = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.where(ascending[nearest] == values, nearest, -1)


class Distinct(NamedTuple):
    """The distinct values of an array, ascending.

    `values`: shape (d,). `first`: int64, shape (d,): where each stands first. `places`: int64, shape (n,): which of
    them each value of the array is.
    """

    values: NDArray[Any]
    first: Places
    places: Places

    @property
    def counts(self) -> Places:
        """How often each occurs."""
        return np.bincount(self.places, minlength=len(self.values))


def distinct(array: NDArray[Any]) -> Distinct:
    """As np.unique with all it can return, for a flat array without NaN.

    np.unique loads numpy.ma at its first call, which would cost every cold command 35 ms; and numbers that are small
    beside their count, such as rows of a table, need no sort.
    """
    if not len(array):
        return Distinct(array, np.empty(0, np.int64), np.empty(0, np.int64))
    largest = int(array.max()) if array.dtype.kind in "iu" and array.min() >= 0 else _UNBOUNDED
    if largest <= _COUNTED_UP_TO * len(array):
        present = np.zeros(largest + 1, np.bool_)
        present[array] = True
        values = np.flatnonzero(present).astype(array.dtype)
        places = (np.cumsum(present) - 1)[array]
        first = np.empty(len(values), np.int64)
        # Written from the last to the first, so that the first occurrence stays.
        first[places[::-1]] = np.arange(len(array) - 1, -1, -1)
        return Distinct(values, first, places)
    order = np.argsort(array)
    ascending = array[order]
    fresh = np.ones(len(array), np.bool_)
    fresh[1:] = ascending[1:] != ascending[:-1]
    places = np.empty(len(array), np.int64)
    places[order] = np.cumsum(fresh) - 1
    return Distinct(ascending[fresh], np.minimum.reduceat(order, np.flatnonzero(fresh)), places)


def distinct_values(array: NDArray[Any]) -> NDArray[Any]:
    """The distinct values of a flat array without NaN, ascending: less work than `distinct`."""
    ascending = np.sort(array)
    fresh = np.ones(len(array), np.bool_)
    fresh[1:] = ascending[1:] != ascending[:-1]
    return ascending[fresh]


def among(array: NDArray[Any], few: Iterable[int]) -> NDArray[np.bool_]:
    """Which values are one of these: for a few, np.isin takes a hundred times as long as they do."""
    found = np.zeros(len(array), np.bool_)
    for each in few:
        found |= array == each
    return found


_UNBOUNDED: Final = 2**63
_COUNTED_UP_TO: Final = 32
_TABLED_UP_TO: Final = 8


def decode_ragged(blobs: Sequence[bytes], dtype: DTypeLike) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Stored blobs as values end to end, and the number of values in each."""
    size = np.dtype(dtype).itemsize
    lengths = np.fromiter(map(len, blobs), np.int64, len(blobs)) // size
    return np.frombuffer(b"".join(blobs), dtype), lengths
