"""E5 by the static model: what a text says is the cause and what the effect, embedded separately.

Row 0 holds the words of its causes, row 1 those of its effects, in the static model's 256 dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.words import words_of
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import Space, SpaceRow
from engramforge.spaces.causal.causal_rows import CausalRows, asked_of, said_of
from engramforge.spaces.encoder import Similarities
from engramforge.spaces.part_encoder import Item
from engramforge.spaces.words.word_table import Rows, WordTable

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

Floats = NDArray[np.float32]
_ROWS = CausalRows()


class CausalEncoder:
    """E5. Abstains for a text that says nothing about cause and effect; safe to share.

    `table`: the word table of the static model.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._size = table.model.dimensions
        self.id = f"causal-1/{table.model.id}/{self._size}"
        self.shape = (2, self._size)

    @property
    def row(self) -> SpaceRow:
        """The space's row of the registry."""
        return _ROWS.row

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (2, 256), for each item: causes and effects; None where it abstains."""
        said: list[list[list[str]]] = []
        places: list[int] = []
        for place, item in enumerate(items):
            found = said_of(item.text)
            if found is not None:
                places.append(place)
                said.append([words_of(part) for part in found])
        values: list[Values | None] = [None] * len(items)
        if not places:
            return values
        vectors = self._vectors([self._content(words) for pair in said for words in pair])
        peaks = np.abs(vectors).max(axis=1, keepdims=True)
        small = np.rint(vectors * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)
        for place, pair in zip(places, small.reshape(len(places), *self.shape), strict=True):
            if pair.any():
                values[place] = pair.copy()
        return values

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question for causes or effects; None for any other, or if it names neither."""
        asked = asked_of(item.text)
        if asked is None:
            return None
        vector = self._vectors([self._content(asked.words)])[0]
        norm = float(np.linalg.norm(vector))
        if norm <= 0:
            return None
        both = np.stack((vector, vector)) / np.float32(norm)
        return QueryPart(Space.CAUSAL, self.id, both.astype(np.float32), np.array(asked.weights, np.float32))

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """As `CausalRows` compares."""
        return _ROWS.query_to_memories(query, values, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """As `CausalRows` compares."""
        return _ROWS.memory_to_memories(memory, values, present)

    def _content(self, words: Sequence[str]) -> Rows:
        """Rows of the distinct content words; of all words if there are none."""
        rows = self._table.rows_of(list(dict.fromkeys(words)))
        kept = ~self._table.is_stop(rows)
        return rows[kept] if kept.any() else rows

    def _vectors(self, texts: Sequence[Rows]) -> Floats:
        """As E1 makes them: unit vectors of the words times the root of their length, summed; shape (n, 256)."""
        sums = np.zeros((len(texts), self._size), np.float32)
        rows = np.concatenate([np.zeros(0, np.int32), *texts])
        if len(rows):
            weighted = self._table.vectors(rows) * np.sqrt(self._table.lengths(rows))[:, None]
            owners = np.repeat(np.arange(len(texts)), [len(each) for each in texts])
            begins = np.flatnonzero(np.diff(owners, prepend=-1))
            sums[owners[begins]] = np.add.reduceat(weighted, begins, axis=0)
        return sums
