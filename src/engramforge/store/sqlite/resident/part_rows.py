"""Resident parts: what the versions of a shard are in one space by one encoder, as matrices that a scan runs over.

One matrix for each row of a part, so that every scan reads contiguous memory. Fed positions and bytes; a version whose
encoder abstains has none. Thread safety is its owner's matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.spaces import Space
from engramforge.store.reading.embeddings import dtype_of
from engramforge.store.scoring.parts import counted_rows, norms_of, row_scores
from engramforge.store.scoring.strength import Floats, Mask, Rows
from engramforge.store.sqlite.resident.columns import Column
from engramforge.store.sqlite.resident.shard import Shard

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

_GATHERED_SHARE = 4
"""A scan of less than this fraction of the parts copies those; else it reads all of them."""


class PartRows:
    """Parts of one space and encoder beside the rows of a shard."""

    def __init__(self, shard: Shard, space: Space) -> None:
        self.shard = shard
        self._dtype = dtype_of(space)
        self._size = 0
        self._matrices: list[Column] = []
        self._norms: list[Column] = []
        self._rows = Column(np.int32)
        self._place = np.empty(0, np.int64)
        self._used = 0

    @property
    def wants_rebuild(self) -> bool:
        """Whether parts that were replaced have become a burden."""
        return len(self._rows) > 1_000 and self._used * 3 < len(self._rows) * 2

    def add(self, positions: Sequence[int], rows: Sequence[int], raws: Sequence[bytes]) -> None:
        """Add parts of versions; those of versions not in the shard are skipped."""
        whose = self.shard.rows_at(positions)
        self._size = self._size or next((len(raw) // n for n, raw in zip(rows, raws, strict=True) if n), 0)
        fitting = [
            place
            for place, (row, n, raw) in enumerate(zip(whose.tolist(), rows, raws, strict=True))
            if row >= 0 and n and len(raw) == n * self._size
        ]
        if not fitting:
            return
        counts = np.array([rows[place] for place in fitting], np.int32)
        begin = len(self._rows)
        self._widen(int(counts.max()), begin)
        itemsize = np.dtype(self._dtype).itemsize * self._size
        for number, (matrix, norms) in enumerate(zip(self._matrices, self._norms, strict=True)):
            part = slice(number * itemsize, (number + 1) * itemsize)
            nothing = bytes(itemsize)
            joined = b"".join(raws[place][part] or nothing for place in fitting)
            values = cast("Values", np.frombuffer(joined, self._dtype).reshape(-1, self._size))
            matrix.append(values)
            norms.append(norms_of(values))
        self._rows.append(counts)
        self._grow_places()
        here = whose[fitting]
        self._used += int((self._place[here] < 0).sum())
        self._place[here] = np.arange(begin, len(self._rows))

    def scores(self, query: QueryPart, fits: Mask) -> Floats:
        """The score of every row of the shard that fits and has a part; 0 for all others."""
        self._grow_places()
        scores = np.zeros(len(self.shard), np.float32)
        rows = np.flatnonzero(fits & (self._place >= 0))
        places = self._place[rows]
        if not len(rows) or query.values.shape[1] != self._size:
            return scores
        is_sparse = len(places) * _GATHERED_SHARE < len(self._rows)
        found = np.zeros(len(places), np.float32)
        for number in counted_rows(query, len(self._matrices)):
            values, norms = self._matrices[number].values, self._norms[number].values
            if is_sparse:
                each = row_scores(query.values[number], cast("Values", values[places]), norms[places])
            else:
                each = row_scores(query.values[number], cast("Values", values), norms)[places]
            found += query.weights[number] * np.where(self._rows.values[places] > number, each, 0)
        scores[rows] = found
        return scores

    def batch(self, rows: Rows, query: QueryPart) -> PartBatch:
        """The parts of some rows of the shard, in the order asked."""
        self._grow_places()
        places = self._place[rows]
        present = places >= 0
        if not present.any():
            return PartBatch(np.zeros((len(rows), *query.values.shape), self._dtype), present)
        most = int(self._rows.values[places[present]].max())
        values = np.zeros((len(rows), most, self._size), self._dtype)
        for number, matrix in enumerate(self._matrices[:most]):
            values[present, number] = matrix.values[places[present]]
        return PartBatch(cast("Values", values), present)

    def _widen(self, most: int, filled: int) -> None:
        """Add matrices for this many rows of a part, empty for existing parts."""
        while len(self._matrices) < most:
            matrix, norms = Column(self._dtype, self._size), Column(np.float32)
            matrix.append(np.zeros((filled, self._size), self._dtype))
            norms.append(np.zeros(filled, np.float32))
            self._matrices.append(matrix)
            self._norms.append(norms)

    def _grow_places(self) -> None:
        """As many places as the shard has rows by now."""
        missing = len(self.shard) - len(self._place)
        if missing:
            self._place = np.concatenate((self._place, np.full(missing, -1, np.int64)))
