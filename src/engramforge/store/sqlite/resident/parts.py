"""What a resident index keeps besides words and E1: parts of each shard, once a probe asks for their space, and
mentions.

Read at the first question, updated by change number, and read again if memories were re-embedded since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.part import QueryPart
from engramforge.store.scoring.strength import Floats
from engramforge.store.sqlite.resident.part_rows import PartRows
from engramforge.store.sqlite.resident.shard import Shard

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
        """Positions of all versions that mention a name."""
        if name not in self._named:
            if len(self._named) >= _KEPT_NAMES:
                self._named.clear()
            rows = self._reader().exec_driver_sql(_MENTIONS, (name,))
            self._named[name] = np.fromiter(rows.scalars(), np.int64)
        return self._named[name]
