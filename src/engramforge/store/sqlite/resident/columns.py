"""Growing arrays: the memory of a resident index.

`Column` is one array with room to grow; `Ragged` is many short arrays laid end to end. Appending n rows costs
amortised O(n), whatever is there already.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engramforge.core.arrays.ragged import row_places, take_rows

_FIRST_CAPACITY = 64


class Column:
    """A growing array of rows of one type.

    `dtype`: of the values. `width`: values in a row; 0 for a flat column.
    """

    def __init__(self, dtype: DTypeLike, width: int = 0) -> None:
        self._rows: NDArray[Any] = np.empty((0, width) if width else 0, dtype)
        self._length = 0

    @classmethod
    def over(cls, rows: NDArray[Any], length: int) -> Self:
        """A column whose first rows are there; what is appended goes into the rest as long as there is some."""
        made = cls(rows.dtype)
        made._rows, made._length = rows, length
        return made

    def __len__(self) -> int:
        return self._length

    @property
    def values(self) -> NDArray[Any]:
        """The rows so far: a view, valid until the next append."""
        return self._rows[: self._length]

    def append(self, rows: NDArray[Any]) -> None:
        """Add rows at the end."""
        needed = self._length + len(rows)
        if needed > len(self._rows):
            # An empty column is sized exactly for its first load, so that a store read once has no slack.
            capacity = max(needed if not self._length else needed + needed // 4, _FIRST_CAPACITY)
            grown = np.empty((capacity, *self._rows.shape[1:]), self._rows.dtype)
            grown[: self._length] = self.values
            self._rows = grown
        self._rows[self._length : needed] = rows
        self._length = needed


class Ragged:
    """Many short arrays end to end.

    `flat` holds the values, `ends[i]` is where row i ends; row i begins where row i - 1 ends.
    """

    def __init__(self, flat: Column, ends: Column) -> None:
        self._flat = flat
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def flat(self) -> NDArray[Any]:
        """All values, row after row."""
        return self._flat.values

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where each row ends in `flat`."""
        return self._ends.values

    def append(self, flat: NDArray[Any], lengths: NDArray[np.int64]) -> None:
        """Add rows given end to end with their lengths."""
        self._ends.append(len(self._flat) + np.cumsum(lengths, dtype=np.int64))
        self._flat.append(flat)

    def places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the values of some rows stand, end to end, and where each row's end then."""
        return row_places(self.ends, rows)

    def take(self, rows: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The values of some rows end to end, and their new ends."""
        return take_rows(self.flat, self.ends, rows)
