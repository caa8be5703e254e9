"""What a resident index keeps besides words and E1: parts of each shard, once a probe asks for their space, and
mentions.

Read at the first question, updated by change number, and read again if memories were re-embedded since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.spaces import Space
from engramforge.store.reading.embeddings import dtype_of
from engramforge.store.scoring.parts import counted_rows, norms_of, row_scores
from engramforge.store.scoring.strength import Floats, Mask, Rows
from engramforge.store.sqlite.resident.columns import Column
from engramforge.store.sqlite.resident.shard import Shard

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

_LOAD_ROWS: Final = 20_000
_KEPT_NAMES: Final = 1_000
_FEW: Final = 2_000

_ITS: Final = "p.space = :space AND p.encoder_seq = (SELECT seq FROM encoder WHERE id = :encoder)"
_ALL: Final = f"SELECT p.memory_seq, p.rows, p.vector FROM embedding_part p WHERE {_ITS}"  # noqa: S608 - constants
_OF_PROJECT: Final = (
    "SELECT p.memory_seq, p.rows, p.vector FROM embedding_part p "  # noqa: S608 - constants alone
    f"JOIN memory m ON m.seq = p.memory_seq WHERE {_ITS} AND m.project_seq = :project"
)
_CHANGED: Final = (
    "SELECT p.memory_seq, p.rows, p.vector FROM memory m "  # noqa: S608 - constants alone
    f"JOIN embedding_part p ON p.memory_seq = m.seq WHERE {_ITS} "
    "AND m.project_seq IN (SELECT seq FROM project WHERE :project IN (seq, 0)) AND m.change > :since"
)
_MENTIONS: Final = "SELECT memory_seq FROM mention WHERE entity_seq = (SELECT seq FROM entity WHERE name = ?)"

ShardKey = tuple[int, bool]
"""A project's key, 0 for all, and whether it is the shard of closed versions."""


@dataclass(slots=True)
class _Kept:
    """Parts beside a shard, and the change up to which they are read."""

    parts: PartRows
    change: int


class ResidentParts:
    """Parts and mentions of one store.

    `reader`: gives the connection to read by.
    """

    def __init__(self, reader: Callable[[], Connection]) -> None:
        self._reader = reader
        self._kept: dict[tuple[ShardKey, str, str], _Kept] = {}
        self._placed: dict[str, int] = {}
        self._named: dict[str, NDArray[np.int64]] = {}

    def notice(self, placed: dict[str, int]) -> None:
        """Something has changed; `placed` is the change at which embeddings of each space were placed last."""
        self._placed = placed
        self._named.clear()

    def clear(self) -> None:
        """Release everything."""
        self._kept.clear()
        self._named.clear()

    def beside(self, key: ShardKey, shard: Shard, query: QueryPart, change: int) -> PartRows:
        """The parts beside a shard in the space of a question, as of a change."""
        name = (key, str(query.space), query.encoder)
        kept = self._kept.get(name)
        if (
            kept is None
            or kept.parts.shard is not shard
            or self._placed.get(str(query.space), 0) > kept.change
            or kept.parts.wants_rebuild
        ):
            kept = _Kept(PartRows(shard, query.space), -1)
            self._kept[name] = kept
        if kept.change < change:
            for positions, rows, raws in self._read(key[0], query, kept.change):
                kept.parts.add(positions, rows, raws)
            kept.change = change
        return kept.parts

    def _read(
        self, project: int, query: QueryPart, since: int
    ) -> Iterator[tuple[Sequence[int], Sequence[int], Sequence[bytes]]]:
        """Stored parts that changed after `since`, in bounded portions."""
        statement = _CHANGED if since >= 0 else _OF_PROJECT if project else _ALL
        wanted = {"space": str(query.space), "encoder": query.encoder, "project": project, "since": since}
        result = self._reader().connection.execute(statement, wanted)
        while portion := result.fetchmany(_LOAD_ROWS):
            positions, rows, raws = zip(*((at, n, raw) for at, n, raw in portion), strict=True)
            yield positions, rows, [raw or b"" for raw in raws]

    def mentioned(self, shard: Shard, names: Sequence[str]) -> Floats:
        """The share of these distinct names that each row of a shard mentions."""
        counts = np.zeros(len(shard), np.float32)
        for name in names:
            positions = self._positions(name)
            if len(positions) < _FEW:
                rows = shard.rows_at(positions.tolist())
                counts[rows[rows >= 0]] += 1
            else:
                counts += np.isin(shard.column("position"), positions)
        return (counts / max(len(names), 1)).astype(np.float32)

    def _positions(self, name: str) -> NDArray[np.int64]:
        if name not in self._named:
            if len(self._named) >= _KEPT_NAMES:
                self._named.clear()
            rows = self._reader().exec_driver_sql(_MENTIONS, (name,))
            self._named[name] = np.fromiter(rows.scalars(), np.int64)
        return self._named[name]


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
