"""A shard: the resident signals of one project's versions, as columns that filters and scans run over.

Current versions and closed ones live in separate shards, so that a question about now never pays for history. A
shard knows nothing of SQL: it is fed rows and answers with row numbers. Thread safety is its owner's matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numkong
import numpy as np
from numpy.typing import NDArray

from engramforge.model.candidates import (
    FOUND_BY_MEANING,
    FOUND_BY_WORDS,
    Candidates,
    Probe,
)
from engramforge.store.columns import Column, Ragged, decode_ragged
from engramforge.store.postings import Postings

OPEN_END: Final = np.iinfo(np.int64).max
"""What an open end of an interval is in a column."""
DIMENSION: Final = 256
"""Width of the stored E1 vectors."""
NO_SESSION: Final = -1


class ShardRows(NamedTuple):
    """Versions as they are fed to a shard: one sequence per column, interned names as the owner's small integers."""

    position: Sequence[int]
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
    vector: Sequence[bytes]
    tokens: Sequence[bytes]
    terms: Sequence[bytes]
    counts: Sequence[bytes]
    cues: Sequence[int]
    intervals: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Scored:
    """Every row's two scores: cosine to the probe's vector (-1..1) and BM25 of its terms (>= 0)."""

    meaning: NDArray[np.float32] | None
    words: NDArray[np.float32] | None

    def strength(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Both scores of some rows as one, to say whose neighbours come first; words tell twice as much."""
        strength = np.zeros(len(rows), np.float32)
        if self.meaning is not None:
            strength += self.meaning[rows]
        if self.words is not None:
            strength += 2 * self.words[rows]
        return strength


_FLAT_COLUMNS: Final[dict[str, Any]] = {
    "position": np.int64,
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
    "cues": np.uint8,
}


class Shard:
    """Columns of one project.

    Parameters
    ----------
    project : the store's key of the project.
    """

    def __init__(self, project: int) -> None:
        self.project = project
        self._columns = {name: Column(dtype) for name, dtype in _FLAT_COLUMNS.items()}
        self._vectors = Column(np.int8, DIMENSION)
        self._norms = Column(np.float32)
        self._lengths = Column(np.int32)
        self._alive = Column(np.bool_)
        self._tokens = Ragged(np.uint16)
        self._terms = Ragged(np.uint32)
        self._counts = Ragged(np.uint8)
        self._intervals = Ragged(np.int32)
        self._postings = Postings(self._terms, self._counts)
        self._row_of: dict[int, int] = {}
        self._order: NDArray[np.int64] | None = None
        self._dead: list[int] = []

    def __len__(self) -> int:
        return len(self._alive)

    def column(self, name: str) -> NDArray[Any]:
        """One flat column over all rows."""
        return self._columns[name].values

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows still count."""
        return self._alive.values

    @property
    def living(self) -> int:
        """How many rows count."""
        return len(self) - self.dead

    @property
    def total_length(self) -> int:
        """Term occurrences of all living rows."""
        return int(self._lengths.values[self.alive].sum()) if self.dead else int(self._lengths.values.sum())

    def add(self, rows: ShardRows) -> None:
        """Append versions; one that is here already is replaced. An empty vector is an abstention."""
        if not rows.position:
            return
        for position in rows.position:
            self.drop(position)
        begin = len(self)
        settled = self._order
        size = len(rows.position)
        for name, dtype in _FLAT_COLUMNS.items():
            self._columns[name].append(np.array(getattr(rows, name), dtype))
        empty = bytes(DIMENSION)
        vectors = np.frombuffer(b"".join(blob or empty for blob in rows.vector), np.int8).reshape(
            -1, DIMENSION
        )
        self._vectors.append(vectors)
        as_float = vectors.astype(np.float32)
        self._norms.append(np.sqrt(np.einsum("ij,ij->i", as_float, as_float)))
        self._tokens.append(*decode_ragged(rows.tokens, np.uint16))
        self._terms.append(*decode_ragged(rows.terms, np.uint32))
        counts, lengths = decode_ragged(rows.counts, np.uint8)
        self._counts.append(counts, lengths)
        self._intervals.append(*decode_ragged(rows.intervals, np.int32))
        owners = np.repeat(np.arange(size), lengths)
        self._lengths.append(np.bincount(owners, weights=counts, minlength=size).astype(np.int32))
        self._alive.append(np.ones(size, np.bool_))
        self._row_of.update(zip(rows.position, range(begin, len(self)), strict=True))
        self._order = None if settled is None else self._extended(settled, begin)

    def drop(self, position: int) -> None:
        """A version counts no more; nothing happens when it is not here."""
        row = self._row_of.pop(position, None)
        if row is not None:
            self._alive.values[row] = False
            self._dead.append(row)
            self._order = None

    @property
    def dead(self) -> int:
        """How many rows count no more but are not swept yet."""
        return len(self._dead)

    @property
    def wants_rebuild(self) -> bool:
        """Whether dead rows have become a burden."""
        return self.dead > 1_000 and self.dead * 3 > len(self)

    def frequencies(self, terms: NDArray[np.uint32], counted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """In how many of the counted rows each term occurs; terms ascend."""
        return self._postings.frequencies(terms, None if counted.all() else counted)

    def session_words(
        self, probe: Probe, mask: NDArray[np.bool_], rows: NDArray[np.int64], mean_length: float
    ) -> NDArray[np.float32]:
        """The word score of the whole session of each of these rows, over the rows that the mask lets in."""
        session = self.column("session")
        wanted = np.unique(session[rows])
        places = np.minimum(np.searchsorted(wanted, session), len(wanted) - 1)
        into = np.where(mask & (wanted[places] == session) & (session != NO_SESSION), places, -1)
        inside = into >= 0
        lengths = np.bincount(into[inside], weights=self._lengths.values[inside], minlength=len(wanted))
        scores = self._postings.score(probe, lengths.astype(np.int32), mean_length, into)
        return scores[places[rows]]

    def score(self, probe: Probe, mean_length: float) -> Scored:
        """Both scores of every row; None for a way that the probe does not ask."""
        meaning = None
        if probe.vector is not None and len(self):
            query = quantise(probe.vector)[None, :]
            products = np.asarray(numkong.cdist(query, self._vectors.values, "dot"), np.float32)[0]
            norm = float(np.linalg.norm(query.astype(np.float32)))
            meaning = products / np.maximum(self._norms.values * norm, 1e-9)
        words = None
        if len(probe.terms) and len(self):
            words = self._postings.score(probe, self._lengths.values, mean_length)
        return Scored(meaning, words)

    def neighbours(self, rows: NDArray[np.int64], mask: NDArray[np.bool_], window: int) -> NDArray[np.int64]:
        """The rows around these in their sessions, nearest first, that the mask lets in; -1 where there is none.

        Shape (rows, 2 x window): the one before, the one after, the second before, ...
        """
        order = self._session_order()
        rank = np.empty(len(self), np.int64)
        rank[order] = np.arange(len(order))
        session = self.column("session")
        near = np.full((len(rows), 2 * window), -1, np.int64)
        for column in range(2 * window):
            step = (column // 2 + 1) * (1 if column % 2 else -1)
            places = rank[rows] + step
            inside = (places >= 0) & (places < self.living) & (session[rows] != NO_SESSION)
            others = order[np.where(inside, places, 0)]
            fits = inside & (session[others] == session[rows]) & mask[others]
            near[fits, column] = others[fits]
        return near

    def _session_order(self) -> NDArray[np.int64]:
        """Rows in the order of their sessions, dead ones at the end."""
        if self._order is None:
            keys = (self.column("position"), self.column("sequence"), self.column("session"), ~self.alive)
            self._order = np.lexsort(keys).astype(np.int64)
        return self._order

    def _extended(self, order: NDArray[np.int64], begin: int) -> NDArray[np.int64] | None:
        """The session order with the rows from `begin` on put in; None when only a full sort can tell.

        New turns nearly always come last in their sessions, so they need no sort of what is there.
        """
        session, sequence = self.column("session"), self.column("sequence")
        new = np.arange(begin, len(self))
        new = new[np.lexsort((new, sequence[new], session[new]))]
        if self._dead:
            return None
        places = np.searchsorted(session[order], session[new], side="right")
        before = order[np.maximum(places - 1, 0)]
        same = (places > 0) & (session[before] == session[new])
        if bool((sequence[before[same]] > sequence[new[same]]).any()):
            return None
        return np.insert(order, places, new)

    @property
    def sessions(self) -> int:
        """How many units a session score counts: sessions, and rows without one."""
        in_order = self.column("session")[self._session_order()[: self.living]]
        return int((np.diff(in_order, prepend=-2) != 0).sum() + max((in_order == NO_SESSION).sum() - 1, 0))

    def _session_places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many living rows stand before each of these in its session, and how many there are."""
        order = self._session_order()[: self.living]
        in_order = self.column("session")[order]
        rank = np.zeros(len(self), np.int64)
        rank[order] = np.arange(len(order))
        sessions = self.column("session")[rows]
        begins = np.searchsorted(in_order, sessions, side="left")
        sizes = np.searchsorted(in_order, sessions, side="right") - begins
        alone = sessions == NO_SESSION
        return np.where(alone, 0, rank[rows] - begins), np.where(alone, 1, sizes)

    def gather(
        self,
        rows: NDArray[np.int64],
        found: NDArray[np.uint8],
        session_words: NDArray[np.float32],
        speaker_names: tuple[str, ...],
    ) -> Candidates:
        """The signals of some rows as a batch, in session order."""
        order = np.lexsort(tuple(self.column(name)[rows] for name in ("position", "sequence", "session")))
        rows, found, session_words = rows[order], found[order], session_words[order]
        tokens, token_ends = self._tokens.take(rows)
        session_place, session_size = self._session_places(rows)
        terms, term_ends = self._terms.take(rows)
        counts, _ = self._counts.take(rows)
        intervals, interval_ends = self._intervals.take(rows)
        return Candidates(
            position=self.column("position")[rows],
            project=np.full(len(rows), self.project, np.int64),
            session=self.column("session")[rows],
            sequence=self.column("sequence")[rows],
            session_place=session_place,
            session_size=session_size,
            kind=self.column("kind")[rows],
            speaker=self.column("speaker")[rows],
            valid_at=self.column("valid_at")[rows],
            created_at=self.column("created_at")[rows],
            epistemic_tier=self.column("epistemic_tier")[rows],
            vector=self._vectors.values[rows],
            tokens=tokens,
            token_ends=token_ends,
            terms=terms,
            counts=counts,
            term_ends=term_ends,
            cues=self.column("cues")[rows],
            intervals=intervals.reshape(-1, 3),
            interval_ends=interval_ends // 3,
            session_words=session_words,
            speaker_names=speaker_names,
            found=found,
        )


def quantise(vector: NDArray[np.float32]) -> NDArray[np.int8]:
    """A vector as int8 of the same direction; the largest component becomes 127."""
    peak = float(np.abs(vector).max(initial=0.0))
    if peak == 0.0:
        return np.zeros(len(vector), np.int8)
    rounded: NDArray[np.int8] = np.rint(vector * (127.0 / peak)).astype(np.int8)
    return rounded


def merge(parts: list[Candidates]) -> Candidates:
    """Batches of several shards as one."""
    if len(parts) == 1:
        return parts[0]
    fields: dict[str, Any] = {}
    flats = {"token_ends": "tokens", "term_ends": "terms", "interval_ends": "intervals"}
    for name in Candidates.__dataclass_fields__:
        if name == "speaker_names":
            fields[name] = parts[0].speaker_names
            continue
        arrays = [getattr(part, name) for part in parts]
        if name in flats:
            offsets = np.cumsum([0] + [len(getattr(part, flats[name])) for part in parts[:-1]])
            arrays = [array + offset for array, offset in zip(arrays, offsets, strict=True)]
        fields[name] = np.concatenate(arrays)
    return Candidates(**fields)


class Chosen(NamedTuple):
    """Rows of one shard, ascending, and by which ways each was found (bits of FOUND_BY_*; 0 for none)."""

    rows: NDArray[np.int64]
    found: NDArray[np.uint8]


def choose(
    shards: list[Shard], scored: list[Scored], masks: list[NDArray[np.bool_]], probe: Probe
) -> list[Chosen]:
    """The best rows by each score over all shards.

    A selection no larger than the probe's bound is taken whole. Equal scores go to the earlier position, so that
    every process chooses the same.
    """
    whole = sum(int(mask.sum()) for mask in masks) <= probe.most
    asked = probe.vector is not None or len(probe.terms) > 0
    bits = [np.zeros(len(shard), np.uint8) for shard in shards]
    for bit, name in ((FOUND_BY_MEANING, "meaning"), (FOUND_BY_WORDS, "words")):
        ways = [getattr(one, name) for one in scored]
        rows = [
            np.empty(0, np.int64) if way is None else _best(way, mask, probe.per_way)
            for way, mask in zip(ways, masks, strict=True)
        ]
        scores = [
            row.astype(np.float32) if way is None else way[row] for way, row in zip(ways, rows, strict=True)
        ]
        owners = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
        if not len(owners):
            continue
        positions = [shard.column("position")[each] for shard, each in zip(shards, rows, strict=True)]
        best = np.lexsort((np.concatenate(positions), -np.concatenate(scores)))[: probe.per_way]
        flat = np.concatenate(rows)
        for index in np.unique(owners[best]).tolist():
            bits[index][flat[best[owners[best] == index]]] |= np.uint8(bit)
    kept = [
        np.flatnonzero(mask if whole and asked else bit > 0) for mask, bit in zip(masks, bits, strict=True)
    ]
    return [Chosen(rows, bit[rows]) for rows, bit in zip(kept, bits, strict=True)]


def _best(scores: NDArray[np.float32], mask: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
    """Rows that the mask lets in with a score above 0, those below the best `count` left out; ties stay."""
    fitting = np.flatnonzero(mask & (scores > 0))
    if len(fitting) <= count:
        return fitting
    worst = np.partition(scores[fitting], len(fitting) - count)[len(fitting) - count]
    kept: NDArray[np.int64] = fitting[scores[fitting] >= worst]
    return kept


__all__ = [
    "DIMENSION",
    "NO_SESSION",
    "OPEN_END",
    "Chosen",
    "Scored",
    "Shard",
    "ShardRows",
    "choose",
    "merge",
    "quantise",
]
