"""A shard: the resident signals of versions of a project, or of all, as columns for filters and scans.

Current versions and closed ones live in separate shards, so that a question about the present never pays for history. A
shard knows nothing of SQL: it is fed rows and answers with row numbers. Thread safety is its owner's matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import decode_ragged, distinct, places_among
from engramforge.model.search.candidates import Candidates
from engramforge.store.schema import DIMENSION
from engramforge.store.scoring.strength import NO_SESSION, around_in_sessions
from engramforge.store.sqlite.resident.columns import Column, Ragged
from engramforge.store.sqlite.resident.postings import Postings

OPEN_END: Final = np.iinfo(np.int64).max
"""The value of an open end of an interval in a column."""


class ShardRows(NamedTuple):
    """Input of a shard: versions as a sequence per column, with interned names as the owner's small integers."""

    position: Sequence[int]
    project: Sequence[int]
    session: Sequence[int]
    sequence: Sequence[int]
    kind: Sequence[int]
    speaker: Sequence[int]
    level: Sequence[int]
    agent: Sequence[int]
    valid_at: Sequence[int]
    invalid_at: Sequence[int]
    created_at: Sequence[int]
    expired_at: Sequence[int]
    epistemic_tier: Sequence[float]
    status: Sequence[int]
    vector: Sequence[bytes]
    tokens: Sequence[bytes]
    terms: Sequence[bytes]
    counts: Sequence[bytes]
    cues: Sequence[int]
    intervals: Sequence[bytes]


class TakingPart(NamedTuple):
    """The rows of a shard that take part in a question.

    `mask`: bool, shape (rows,). `session`: int64, shape (rows,): of those that take part the session, counted from 0;
    else, and without one, -1. `session_lengths`: int32, shape (sessions,): their term occurrences. `units`: how many
    sessions, and rows without one, there are. `length`: the term occurrences of all.
    """

    mask: NDArray[np.bool_]
    session: NDArray[np.int64]
    session_lengths: NDArray[np.int32]
    units: int
    length: int


_FLAT_COLUMNS: Final[dict[str, Any]] = {
    "position": np.int64,
    "project": np.int64,
    "session": np.int64,
    "sequence": np.int64,
    "kind": np.uint8,
    "speaker": np.int32,
    "level": np.uint8,
    "agent": np.int32,
    "valid_at": np.int64,
    "invalid_at": np.int64,
    "created_at": np.int64,
    "expired_at": np.int64,
    "epistemic_tier": np.float32,
    "status": np.uint8,
    "cues": np.uint8,
}
_GATHERED: Final = (
    *("position", "project", "session", "sequence", "kind", "speaker", "valid_at", "created_at"),
    *("epistemic_tier", "cues"),
)
"""Columns that candidates have, too."""
_RAGGED: Final = {"tokens": np.uint16, "terms": np.uint32, "counts": np.uint8, "intervals": np.int32}
_ENDS: Final = " ends"
"""With what the name of a column ends that says where the rows of a ragged one end."""
_PORTION: Final = 65_536
_KEPT_MASKS: Final = 4
_PUT_WITHIN: Final = 32
"""How many new rows are put in their places before others of their sessions without a sort of all."""
_LEVEL_BITS: Final = 8
_LEVELS: Final = 2**_LEVEL_BITS - 1


class Shard:
    """Columns of versions; a new one is empty.

    `dimension`: of E1's vectors. `columns`: those that `portions` gave, to go on from.
    """

    def __init__(self, dimension: int = DIMENSION, columns: Mapping[str, Column] | None = None) -> None:
        self.dimension = dimension
        self._columns = dict(columns or _empty(dimension))
        self._ragged = {name: Ragged(self._columns[name], self._columns[name + _ENDS]) for name in _RAGGED}
        self.settled = len(self._columns["position"])
        self._alive = Column(np.bool_)
        self._alive.append(np.ones(self.settled, np.bool_))
        self.postings = Postings(self._ragged["terms"], self._ragged["counts"])
        self._row_of: dict[int, int] = {}
        self._order: NDArray[np.int64] | None = None
        self._rank: NDArray[np.int64] | None = None
        self._bounds: NDArray[np.int64] | None = None
        owners = distinct(self.column("agent").astype(np.int64) << _LEVEL_BITS | self.column("level"))
        self.owners = {(each & _LEVELS, each >> _LEVEL_BITS) for each in owners.values.tolist()}
        self._groups: tuple[NDArray[np.int64], int] | None = None
        self._taking_part: tuple[TakingPart, ...] = ()
        self._dead: list[int] = []

    def __len__(self) -> int:
        return len(self._alive)

    def column(self, name: str) -> NDArray[Any]:
        """One column over all rows."""
        return self._columns[name].values

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows still count."""
        return self._alive.values

    @property
    def living(self) -> int:
        """How many rows count."""
        return len(self) - self.dead

    def add(self, rows: ShardRows) -> None:
        """Append versions; one that is here already is replaced. An empty vector is an abstention."""
        if not rows.position:
            return
        if len(self):
            self.drop(rows.position)
        begin = len(self)
        size = len(rows.position)
        for name, dtype in _FLAT_COLUMNS.items():
            self._columns[name].append(np.array(getattr(rows, name), dtype))
        empty = bytes(self.dimension)
        vectors = np.frombuffer(b"".join(blob or empty for blob in rows.vector), np.int8).reshape(
            -1, self.dimension
        )
        self._columns["vectors"].append(vectors)
        as_float = vectors.astype(np.float32)
        self._columns["norms"].append(np.sqrt(np.einsum("ij,ij->i", as_float, as_float)))
        for name, dtype in _RAGGED.items():
            self._ragged[name].append(*decode_ragged(getattr(rows, name), dtype))
        counts, lengths = decode_ragged(rows.counts, np.uint8)
        owners = np.repeat(np.arange(size), lengths)
        occurred = np.bincount(owners, weights=counts, minlength=size).astype(np.int32)
        self._columns["lengths"].append(occurred)
        self._alive.append(np.ones(size, np.bool_))
        self._row_of.update(zip(rows.position, range(begin, len(self)), strict=True))
        self._order = None if self._order is None else self._extended(self._order, begin)
        self._rank = self._bounds = None
        self.owners.update(zip(rows.level, rows.agent, strict=True))
        self._groups, self._taking_part = None, ()

    def drop(self, positions: Sequence[int]) -> None:
        """Drop versions, those that are here."""
        rows = self.rows_at(positions)
        rows = rows[rows >= 0]
        if len(rows):
            self._alive.values[rows] = False
            self._dead += rows.tolist()
            if self._order is not None:
                counts = self.alive[self._order]
                self._order = np.concatenate([self._order[counts], self._order[~counts]])
            self._rank = self._bounds = None

    def rows_at(self, positions: Sequence[int]) -> NDArray[np.int64]:
        """The row of each position; -1 if it is not here, or was dropped."""
        rows = places_among(self.column("position")[: self.settled], np.array(positions, np.int64))
        if self._row_of:
            added = np.array([self._row_of.get(position, -1) for position in positions], np.int64)
            rows = np.where(added >= 0, added, rows)
        return np.where((rows >= 0) & self.alive[rows], rows, -1) if len(self) else rows

    def portions(self) -> Iterator[tuple[str, Iterator[NDArray[Any]]]]:
        """Every column over the rows that count, in the order of their positions, in portions."""
        rows = np.flatnonzero(self.alive)
        rows = rows[np.argsort(self.column("position")[rows], kind="stable")]
        blocks = [rows[begin : begin + _PORTION] for begin in range(0, len(rows), _PORTION)]
        for name, column in self._columns.items():
            if name in _RAGGED:
                yield name, (self._ragged[name].take(block)[0] for block in blocks)
            elif name.endswith(_ENDS):
                lengths = np.diff(column.values, prepend=0)[rows]
                yield name, iter([np.cumsum(lengths, dtype=np.int64)])
            else:
                yield name, (column.values[block] for block in blocks)

    @property
    def dead(self) -> int:
        """How many dropped rows are not swept yet."""
        return len(self._dead)

    @property
    def unsettled(self) -> int:
        """How many rows came or were dropped since the columns were taken over."""
        return len(self) - self.settled + self.dead

    @property
    def wants_rebuild(self) -> bool:
        """Whether dead rows have become a burden."""
        return self.dead > 1_000 and self.dead * 3 > len(self)

    @property
    def vectors(self) -> NDArray[np.int8]:
        """E1 of every row, shape (rows, dimension); zero where it abstains."""
        return self.column("vectors")

    @property
    def norms(self) -> NDArray[np.float32]:
        """Length of every row's vector."""
        return self.column("norms")

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Term occurrences of every row."""
        return self.column("lengths")

    def session_groups(self) -> tuple[NDArray[np.int64], int]:
        """Which session each row belongs to, counted from 0, -1 without one; and how many sessions there are."""
        if self._groups is None:
            # Counted from 0, for numbers that are small beside their count need no sort.
            keys, _, inverse = distinct(self.column("session") - NO_SESSION)
            shift = int(len(keys) > 0 and keys[0] == 0)
            self._groups = (inverse - shift, len(keys) - shift)
        return self._groups

    def taking_part(self, mask: NDArray[np.bool_]) -> TakingPart:
        """The rows that a mask lets in, by session; kept for the next questions, which often ask the same rows."""
        for kept in self._taking_part:
            if np.array_equal(kept.mask, mask):
                return kept
        group, count = self.session_groups()
        into = np.where(mask, group, -1)
        inside = into >= 0
        sessions = np.bincount(into[inside], weights=self.lengths[inside], minlength=count).astype(np.int32)
        told = np.count_nonzero(np.bincount(into[inside], minlength=count))
        units = int(told + np.count_nonzero(mask & ~inside))
        made = TakingPart(mask, into, sessions, units, int(self.lengths[mask].sum()))
        self._taking_part = (made, *self._taking_part[: _KEPT_MASKS - 1])
        return made

    def neighbours(self, rows: NDArray[np.int64], mask: NDArray[np.bool_], window: int) -> NDArray[np.int64]:
        """The rows around these in their sessions that the mask lets in, as `around_in_sessions`."""
        order = self._session_order()[: self.living]
        near = around_in_sessions(rows, window, self.column("session"), order, self._session_rank())
        return np.where(mask[near], near, -1)

    def ready(self) -> Self:
        """The shard; what an earlier question took of the sessions' order, and what came since has changed, is made
        again."""
        if self._order is not None:
            self._session_rank()
            self._session_bounds()
        return self

    def _session_order(self) -> NDArray[np.int64]:
        """Rows in the order of their sessions, dead ones at the end."""
        if self._order is None:
            keys = (self.column("position"), self.column("sequence"), self.column("session"), ~self.alive)
            self._order = np.lexsort(keys).astype(np.int64)
        return self._order

    def _session_rank(self) -> NDArray[np.int64]:
        """Each row's place in the session order."""
        if self._rank is None:
            order = self._session_order()
            self._rank = np.empty(len(self), np.int64)
            self._rank[order] = np.arange(len(order))
        return self._rank

    def _session_bounds(self) -> NDArray[np.int64]:
        """Where each session begins in the session order, the living rows' end behind them."""
        if self._bounds is None:
            group, count = self.session_groups()
            in_order = group[self._session_order()[: self.living]]
            self._bounds = np.searchsorted(in_order, np.arange(count + 1)).astype(np.int64)
        return self._bounds

    def _extended(self, order: NDArray[np.int64], begin: int) -> NDArray[np.int64] | None:
        """The session order with the rows from `begin` on put in; None when only a full sort can tell.

        New turns nearly always come last in their sessions, so they need no sort of what is there; a session's summary
        comes first in it.
        """
        position, session, sequence = (self.column(name) for name in ("position", "session", "sequence"))
        living = begin - self.dead
        order, dead = order[:living], order[living:]
        if not living:
            return None
        new = np.arange(begin, len(self))
        new = new[np.lexsort((position[new], sequence[new], session[new]))]
        sessions = session[order]
        places = np.searchsorted(sessions, session[new], side="right")
        before = order[np.maximum(places - 1, 0)]
        later = (sequence[before] > sequence[new]) | (
            (sequence[before] == sequence[new]) & (position[before] > position[new])
        )
        within = np.flatnonzero((places > 0) & (session[before] == session[new]) & later)
        if len(within) > _PUT_WITHIN:
            return None
        for each in within.tolist():
            row, end = new[each], places[each]
            its = order[np.searchsorted(sessions, session[row]) : end]
            first, last = (np.searchsorted(sequence[its], sequence[row], side) for side in ("left", "right"))
            placed = first + np.searchsorted(position[its[first:last]], position[row])
            places[each] = end - len(its) + placed
        return np.concatenate([np.insert(order, places, new), dead])

    def _session_places(
        self, rows: NDArray[np.int64], seen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many living rows that are seen stand before each of these in its session, and how many there are."""
        group = self.session_groups()[0][rows]
        bounds, places = self._session_bounds(), self._session_rank()[rows]
        begins, ends = bounds[group], bounds[group + 1]
        if not seen.all():
            before = np.concatenate(([0], np.cumsum(seen[self._session_order()[: self.living]])))
            begins, ends, places = before[begins], before[ends], before[places]
        alone = group < 0
        return np.where(alone, 0, places - begins), np.where(alone, 1, ends - begins)

    def order_in_sessions(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of these rows in the order of their sessions."""
        return np.lexsort(tuple(self.column(name)[rows] for name in ("position", "sequence", "session")))

    def gather(
        self,
        rows: NDArray[np.int64],
        found: NDArray[np.uint16],
        session_words: NDArray[np.float32],
        session_speaks: NDArray[np.bool_],
        speaker_names: tuple[str, ...],
        seen: NDArray[np.bool_],
    ) -> Candidates:
        """The signals of some rows as a batch, in their order; `seen` are the rows that the scope admits."""
        session_place, session_size = self._session_places(rows, seen)
        tokens, token_ends = self._ragged["tokens"].take(rows)
        places, term_ends = self._ragged["terms"].places(rows)
        # Each term has a count, so that both lie at the same places.
        terms, counts = (self._ragged[name].flat[places] for name in ("terms", "counts"))
        intervals, interval_ends = self._ragged["intervals"].take(rows)
        flat: dict[str, Any] = {name: self.column(name)[rows] for name in _GATHERED}
        return Candidates(
            **flat,
            session_place=session_place,
            session_size=session_size,
            vector=self.vectors[rows],
            tokens=tokens,
            token_ends=token_ends,
            terms=terms,
            counts=counts,
            term_ends=term_ends,
            intervals=intervals.reshape(-1, 3),
            interval_ends=interval_ends // 3,
            session_words=session_words,
            session_speaks=session_speaks,
            speaker_names=speaker_names,
            found=found,
        )


def _empty(dimension: int) -> dict[str, Column]:
    """The columns of a new shard."""
    flat = {name: Column(dtype) for name, dtype in _FLAT_COLUMNS.items()}
    ragged = {name: Column(dtype) for name, dtype in _RAGGED.items()}
    ends = {name + _ENDS: Column(np.int64) for name in _RAGGED}
    computed = {"norms": Column(np.float32), "lengths": Column(np.int32)}
    return {**flat, **ragged, **ends, **computed, "vectors": Column(np.int8, dimension)}
