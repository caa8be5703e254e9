"""The fixed vocabulary of whole words and its neighbourhoods: where E13's expansion comes from.

Whole words only ("▁word" tokens, alphabetic, lower-case), because neighbours of sub-words mislead. It depends on the
model alone, never on a corpus, so an expansion means the same everywhere.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import simsimd

from engramforge.core.arrays.ragged import distinct
from engramforge.core.similarity.comparison import cosine
from engramforge.core.text.words import is_stop_word, term_of
from engramforge.spaces.words.static_model import WORD_MARK
from engramforge.spaces.words.word_table import Rows, WordTable, quantised, word_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NEIGHBOURS: Final = 16
"""How many stems a word activates in addition to its own."""
FLOOR: Final = 0.35
"""The least cosine of a neighbour."""
_SHORTEST: Final = 3
_LOOKED_AT: Final = 3
_KNOWN_WORDS: Final = 20_000
"""How many words' neighbours are kept at most."""
_ROUGHLY: Final = 0.02
"""By how much a cosine of vectors in int8 is off, at most: what is nearer than that to the floor is looked at exactly.
"""
_AT_ONCE: Final = 128
"""How many words are compared with all others at once: 5 MB of cosines."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nearest stems of q words; each row is ordered by weight, its own stem is not among them.

    `terms`: uint32, shape (q, k): hashes of stems; meaningless where the weight is 0. `weights`: float32, shape (q, k),
    in [0, 1]: squared cosine, 0 where there is no further neighbour.
    """

    terms: NDArray[np.uint32]
    weights: NDArray[np.float32]


_Near = tuple["NDArray[np.uint32]", "NDArray[np.float32]"]


class Vocabulary:
    """About 10,000 whole words of the static model with unit vectors; they never change."""

    def __init__(self, table: WordTable) -> None:
        self.table = table
        model = table.model
        # Each is a single token and has its vector, so they need no place in the word table.
        tokens = {
            piece[1:]: token
            for token, piece in enumerate(model.pieces)
            if piece.startswith(WORD_MARK) and len(piece) > _SHORTEST
            if piece[1:].isalpha() and piece[1:].islower() and not is_stop_word(piece[1:])
        }
        self.words: tuple[str, ...] = tuple(sorted(tokens))
        self.known: frozenset[str] = frozenset(tokens)
        self._tokens = np.array([tokens[word] for word in self.words])
        self._rough, self._scales = _rough(model.rows(self._tokens))
        self._terms = np.fromiter(map(term_of, self.words), np.uint32, len(self.words))
        self._known: dict[tuple[int, int], _Near] = {}

    def nearest(self, words: Sequence[str], k: int = NEIGHBOURS) -> Neighbourhood:
        """The k nearest stems of each word."""
        return self.nearest_to(self.table.rows_of(words), k)

    def nearest_to(self, rows: Rows, k: int = NEIGHBOURS) -> Neighbourhood:
        """The k nearest stems of each of these rows of the word table (see `Neighbourhood`)."""
        found = Neighbourhood(np.zeros((len(rows), k), np.uint32), np.zeros((len(rows), k), np.float32))
        fresh = [row for row in rows.tolist() if (row, k) not in self._known]
        if fresh:
            if len(self._known) > _KNOWN_WORDS:
                self._known.clear()
            for begin in range(0, len(fresh), _AT_ONCE):
                self._look_up(np.array(fresh[begin : begin + _AT_ONCE], rows.dtype), k)
        for place, row in enumerate(rows.tolist()):
            terms, weights = self._known.get((row, k)) or self._look_up(rows[place : place + 1], k)
            found.terms[place, : len(terms)] = terms
            found.weights[place, : len(weights)] = weights
        return found

    def _look_up(self, rows: Rows, k: int) -> _Near:
        """Find the neighbours of some words and keep them: they never change. Returns the last word's."""
        own, vectors = self.table.terms(rows), self.table.vectors(rows)
        asked, scales = _rough(vectors)
        products = np.asarray(simsimd.cdist(asked, self._rough, "dot"), np.float32)
        near = products * scales[:, None] * self._scales >= FLOOR - _ROUGHLY
        looked_at = _LOOKED_AT * k
        for row, is_near in enumerate(near):
            columns = np.flatnonzero(is_near)
            cosines = cosine(vectors[row], self.table.model.rows(self._tokens[columns]))
            # They ascend, so a stable sort leaves equal ones in order.
            order = np.argsort(-cosines, kind="stable")[: min(looked_at, int((cosines >= FLOOR).sum()))]
            columns, cosines = columns[order], cosines[order]
            terms = self._terms[columns]
            first = distinct(terms).first
            kept = np.sort(first[terms[first] != own[row]])[:k]
            self._known[int(rows[row]), k] = found = terms[kept], np.minimum(cosines[kept], 1) ** 2
        return found


_lock = threading.Lock()
_shared: Vocabulary | None = None


def _rough(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    return quantised(vectors, np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


def vocabulary() -> Vocabulary:
    """The process's vocabulary over the shared word table, made at first use."""
    global _shared
    if _shared is None:
        table = word_table()
        with _lock:
            if _shared is None:
                _shared = Vocabulary(table)
    return _shared
