"""Postings: from a term to the memories that have it, with BM25 weights.

An inverted index over the first `built` rows, made by one sort, and a plain pass over the rows added since; when
those grow past a share of the whole the index is rebuilt, so that adding costs amortised O(log n) a term.
Reference: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
What must not enter: text, storage, which terms matter (weights come with the probe).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.store.columns import Ragged, spans

K1: Final = 0.9
"""Saturation of repeated terms; measured best on chat turns together with B."""
B: Final = 0.4
"""How much length counts."""
_TAIL_SHARE: Final = 8
_TAIL_ROWS: Final = 2_000


class Postings:
    """An inverted index over the ragged terms of a shard.

    Parameters
    ----------
    terms : uint32 rows, distinct within a row.
    counts : uint8 rows of the same shape: occurrences.
    """

    def __init__(self, terms: Ragged, counts: Ragged) -> None:
        self._terms = terms
        self._counts = counts
        self._built = 0
        self._keys = np.empty(0, np.uint32)
        self._key_ends = np.empty(0, np.int64)
        self._rows = np.empty(0, np.int32)
        self._row_counts = np.empty(0, np.uint8)

    def frequencies(self, terms: NDArray[np.uint32]) -> NDArray[np.int64]:
        """In how many rows each term occurs; terms ascend."""
        self._refresh()
        starts, ends = self._ranges(terms)
        tail_terms, _, _ = self._tail()
        if not len(tail_terms) or not len(terms):
            return ends - starts
        places, found = _matched(terms, tail_terms)
        tail = np.bincount(places[found], minlength=len(terms))
        return ends - starts + tail

    def score(
        self,
        terms: NDArray[np.uint32],
        weights: NDArray[np.float32],
        lengths: NDArray[np.int32],
        mean_length: float,
    ) -> NDArray[np.float32]:
        """BM25 of every row: sum over terms of weight x saturated count; shape (rows,), 0 without any term.

        Terms ascend, so that sums do not depend on which part of the index a row is in.
        """
        self._refresh()
        size = len(self._terms)
        if not len(terms) or not size:
            return np.zeros(size, np.float32)
        starts, ends = self._ranges(terms)
        picked, _ = spans(starts, ends)
        rows = self._rows[picked].astype(np.int64)
        counts = self._row_counts[picked].astype(np.float32)
        each = np.repeat(weights, ends - starts)
        tail_terms, tail_rows, tail_counts = self._tail()
        if len(tail_terms):
            places, found = _matched(terms, tail_terms)
            rows = np.concatenate([rows, tail_rows[found]])
            counts = np.concatenate([counts, tail_counts[found].astype(np.float32)])
            each = np.concatenate([each, weights[places[found]]])
        length_norm = K1 * (1 - B + B * lengths[rows] / max(mean_length, 1.0))
        gains = each * (counts * (K1 + 1) / (counts + length_norm))
        return np.bincount(rows, weights=gains, minlength=size).astype(np.float32)

    def _ranges(self, terms: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each term's rows stand in the built part; an unknown term gets an empty range."""
        if not len(self._keys):
            empty = np.zeros(len(terms), np.int64)
            return empty, empty
        places = np.minimum(np.searchsorted(self._keys, terms), len(self._keys) - 1)
        known = self._keys[places] == terms
        ends = self._key_ends[places]
        starts = np.where(places > 0, self._key_ends[places - 1], 0)
        return np.where(known, starts, 0), np.where(known, ends, 0)

    def _tail(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8]]:
        """Terms, rows and counts of what was added since the index was built."""
        ends = self._terms.ends
        begin = int(ends[self._built - 1]) if self._built else 0
        lengths = np.diff(ends[self._built :], prepend=begin)
        rows = np.repeat(np.arange(self._built, len(self._terms)), lengths)
        return self._terms.flat[begin:], rows, self._counts.flat[begin:]

    def _refresh(self) -> None:
        """Rebuild when the tail has grown past its share."""
        size = len(self._terms)
        if size == self._built or (size - self._built <= max(_TAIL_ROWS, self._built // _TAIL_SHARE) and self._built):
            return
        flat = self._terms.flat
        lengths = np.diff(self._terms.ends, prepend=0)
        order = np.argsort(flat, kind="stable")
        in_order = flat[order]
        last = np.flatnonzero(np.append(in_order[1:] != in_order[:-1], True)) if len(flat) else np.empty(0, np.int64)
        self._keys = in_order[last]
        self._key_ends = last + 1
        self._rows = np.repeat(np.arange(size, dtype=np.int32), lengths)[order]
        self._row_counts = self._counts.flat[order]
        self._built = size


def _matched(terms: NDArray[np.uint32], given: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each given term stands among the ascending terms, and whether it is there at all."""
    places = np.minimum(np.searchsorted(terms, given), len(terms) - 1)
    return places, terms[places] == given
