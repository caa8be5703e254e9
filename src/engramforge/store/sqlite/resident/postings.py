"""Postings: from a term to the memories that have it.

An inverted index over the first `built` rows, made by one sort, and a plain pass over the rows added since; when those
grow past a share of the whole the index is rebuilt, so that adding costs amortised O(log n) a term.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct, places_among
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Corpus
from engramforge.store.reading.predicates import CURRENT, admitted, together
from engramforge.store.schema import embedding_words, encoder, memory
from engramforge.store.scoring.strength import Occurrences
from engramforge.store.sqlite.resident.columns import Ragged

_TAIL_SHARE: Final = 8
_TAIL_ROWS: Final = 2_000
_Tail = tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8]]


class Postings:
    """An inverted index over the ragged terms of a shard.

    `terms`: uint32 rows, distinct within a row. `counts`: uint8 rows of the same shape: occurrences.
    """

    def __init__(self, terms: Ragged, counts: Ragged) -> None:
        self._terms = terms
        self._counts = counts
        self._built = 0
        self._keys = np.empty(0, np.uint32)
        self._key_bounds = np.zeros(1, np.int64)
        self._rows = np.empty(0, np.int32)
        self._row_counts = np.empty(0, np.uint8)
        self._tail_reach = -1, -1
        self._kept_tail: _Tail = np.empty(0, np.uint32), np.empty(0, np.int64), np.empty(0, np.uint8)

    @property
    def built(self) -> tuple[NDArray[Any], ...]:
        """The index over the first rows, as `over` takes it; made where there is none."""
        self._refresh()
        return self._keys, self._key_bounds, self._rows, self._row_counts

    def over(self, *built: NDArray[Any]) -> None:
        """Take an index over all rows as it was built earlier."""
        self._keys, self._key_bounds, self._rows, self._row_counts = built
        self._built = len(self._terms)

    def document_frequencies(
        self, counted: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Every term, ascending, and in how many of the counted rows it occurs."""
        self._refresh()
        totals = np.diff(self._key_bounds)
        left_out = np.flatnonzero(~counted[: self._built])
        if len(left_out):
            gone, _ = self._terms.take(left_out)
            totals = totals - np.bincount(np.searchsorted(self._keys, gone), minlength=len(self._keys))
        tail_terms, tail_rows, _ = self._tail()
        added = distinct(tail_terms[counted[tail_rows]])
        return summed_counts([self._keys, added.values], [totals, added.counts])

    def find(self, terms: NDArray[np.uint32], among: NDArray[np.bool_]) -> Occurrences:
        """Every occurrence of the ascending terms in these rows, from the built part and from the tail."""
        self._refresh()
        rows: list[NDArray[Any]] = [np.empty(0, np.int32)]
        counts = [np.empty(0, np.uint8)]
        # A term at a time stays within what the processor keeps near: a tenth of the time of all of them at once.
        for start, end in zip(*(each.tolist() for each in self._ranges(terms)), strict=True):
            held = self._rows[start:end]
            kept = np.flatnonzero(among.take(held))
            rows.append(held.take(kept))
            counts.append(self._row_counts[start:end].take(kept))
        which = np.repeat(np.arange(len(terms)), list(map(len, rows[1:])))
        tail_terms, tail_rows, tail_counts = self._tail()
        if len(tail_terms):
            places = places_among(terms, tail_terms)
            found = (places >= 0) & among[tail_rows]
            rows.append(tail_rows[found])
            counts.append(tail_counts[found])
            which = np.concatenate([which, places[found]])
        return Occurrences(np.concatenate(rows).astype(np.int64), which, np.concatenate(counts))

    def whole(self, terms: NDArray[np.uint32], within: Sequence[Sequence[int]]) -> list[NDArray[np.int64]]:
        """The rows that have all terms of each group, ascending. `within`: the places of its terms in the ascending
        `terms`. A common term is only looked for where a rarer one of its group is."""
        self._refresh()
        starts, ends = (each.tolist() for each in self._ranges(terms))
        held = [end - start for start, end in zip(starts, ends, strict=True)]
        tail_terms, tail_rows, _ = self._tail()
        places = places_among(terms, tail_terms)
        new = np.zeros((len(terms), len(self._terms) - self._built), np.bool_)
        new[places[places >= 0], tail_rows[places >= 0] - self._built] = True
        is_new: list[bool] = np.asarray(new.any(axis=1)).tolist()
        nothing = self._rows[:0]
        found: list[NDArray[Any]] = []
        for group in within:
            rarest, *others = group if len(group) == 1 else sorted(group, key=held.__getitem__)
            # Most of many names stand nowhere.
            rows = self._rows[starts[rarest] : ends[rarest]] if held[rarest] else nothing
            for other in others if len(rows) else ():
                its = self._rows[starts[other] : ends[other]]
                rows = rows[its.take(np.searchsorted(its, rows), mode="clip") == rows]
            if is_new[rarest] and all(is_new[other] for other in others):
                rows = np.concatenate([rows, self._built + np.flatnonzero(new[group].all(axis=0))])
            found.append(rows)
        return found

    def _ranges(self, terms: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each term's rows stand in the built part; an unknown term gets an empty range."""
        places = places_among(self._keys, terms)
        starts, ends = self._key_bounds[places], self._key_bounds[places + 1]
        return np.where(places < 0, 0, starts), np.where(places < 0, 0, ends)

    def _tail(self) -> _Tail:
        """Terms, rows and counts of what was added since the index was built; kept until more is."""
        reach = self._built, len(self._terms)
        if reach != self._tail_reach:
            ends = self._terms.ends
            begin = int(ends[self._built - 1]) if self._built else 0
            lengths = np.diff(ends[self._built :], prepend=begin)
            rows = np.repeat(np.arange(self._built, len(self._terms)), lengths)
            self._kept_tail = self._terms.flat[begin:], rows, self._counts.flat[begin:]
            self._tail_reach = reach
        return self._kept_tail

    def _refresh(self) -> None:
        """Rebuild when the tail has grown past its share."""
        size = len(self._terms)
        if size == self._built or (
            size - self._built <= max(_TAIL_ROWS, self._built // _TAIL_SHARE) and self._built
        ):
            return
        flat = self._terms.flat
        # Term and place as one number: sorted where it stands, at a third of the time and memory of an argsort.
        keyed = flat.astype(np.uint64) << np.uint64(32)
        keyed |= np.arange(len(flat), dtype=np.uint32)
        keyed.sort()
        order = keyed.astype(np.uint32)
        keyed >>= np.uint64(32)
        last = (
            np.flatnonzero(np.append(keyed[1:] != keyed[:-1], True)) if len(flat) else np.empty(0, np.int64)
        )
        self._keys = keyed[last].astype(np.uint32)
        del keyed
        self._key_bounds = np.append(0, last + 1)
        lengths = np.diff(self._terms.ends, prepend=0)
        self._rows = np.repeat(np.arange(size, dtype=np.int32), lengths)[order]
        self._row_counts = self._counts.flat[order]
        self._built = size


def summed_counts(
    keys: Sequence[NDArray[np.uint32]], counts: Sequence[NDArray[np.int64]]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Several ascending lists of keys with counts as one: each key once, its counts added."""
    every, each = np.concatenate(keys), np.concatenate(counts)
    if not len(every):
        return every.astype(np.uint32), each.astype(np.int64)
    order = np.argsort(every, kind="stable")
    every, each = every[order], each[order]
    begins = np.flatnonzero(np.append(True, every[1:] != every[:-1]))
    return every[begins], np.add.reduceat(each, begins)


_ROWS: Final = 100
_TERMS: Final = 250_000
"""How many terms are held at once, uncounted: those of some 4,000 messages, or of a few long texts; 1 MB."""


def count_terms(connection: Connection, scope: Scope, encoder_id: str) -> Corpus:
    """Count a scope's current memories, by the words of one encoder; the memory it takes is that of all terms once."""
    words = embedding_words
    whose = sa.select(encoder.c.seq).where(encoder.c.tenant == scope.tenant, encoder.c.id == encoder_id)
    its_words = sa.and_(
        together(words.c.memory_seq, memory.c.seq), words.c.encoder_seq == whose.scalar_subquery()
    )
    every = (
        sa.select(words.c.terms, words.c.counts)
        .select_from(memory.outerjoin(words, its_words))
        .where(admitted(scope), *CURRENT)
    )
    total = length = waiting = 0
    keys, counts = np.empty(0, np.uint32), np.empty(0, np.int64)
    blobs: list[tuple[bytes, bytes]] = []
    rows = connection.execute(every)
    while True:
        portion = rows.fetchmany(_ROWS)
        total += len(portion)
        for terms, occurrences in portion:
            if terms:
                blobs.append((terms, occurrences))
                waiting += len(occurrences)
        if not portion or waiting >= _TERMS:
            # A memory has each of its terms once, so a term's occurrences equal its number of memories.
            found = distinct(np.frombuffer(b"".join(each for each, _ in blobs), np.uint32))
            keys, counts = summed_counts([keys, found.values], [counts, found.counts])
            occurred = np.frombuffer(b"".join(each for _, each in blobs), np.uint8)
            length += int(occurred.sum(dtype=np.int64))
            blobs.clear()
            waiting = 0
        if not portion:
            return Corpus(total, length, keys, counts)
