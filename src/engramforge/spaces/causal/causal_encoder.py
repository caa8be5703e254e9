"""E5 by the static model: what a text says is the cause and what the effect, embedded separately.

Row 0 holds the words of its causes, row 1 those of its effects, in the static model's 256 dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.core.text.words import words_of
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import Space
from engramforge.spaces.causal.causal_rows import CausalRows, asked_of, said_of
from engramforge.spaces.part_encoder import Item
from engramforge.spaces.words.word_table import Rows, WordTable

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

Floats = NDArray[np.float32]


class CausalEncoder:
    """E5. Abstains for a text that says nothing about cause and effect; safe to share.

    `table`: the word table of the static model.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._size = table.model.dimensions
        self.id = f"causal-1/{table.model.id}/{self._size}"
        self.shape = (2, self._size)
        rows = CausalRows()
        self.row = rows.row
        self.query_to_memories, self.memory_to_memories = rows.query_to_memories, rows.memory_to_memories

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (2, 256), for each item: causes and effects; None where it abstains."""
        said = [said_of(item.text) for item in items]
        texts = [self._content(words_of(part)) for pair in said if pair is not None for part in pair]
        made = iter(quantised(self._vectors(texts)).reshape(-1, *self.shape))
        found = [None if pair is None else next(made).copy() for pair in said]
        return [None if values is None or not values.any() else values for values in found]

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question for causes or effects; None for any other, or if it names neither."""
        if (asked := asked_of(item.text)) is None:
            return None
        vector = self._vectors([self._content(asked.words)])[0]
        norm = float(np.linalg.norm(vector))
        if norm <= 0:
            return None
        both = np.stack((vector, vector)) / np.float32(norm)
        return QueryPart(Space.CAUSAL, self.id, both.astype(np.float32), np.array(asked.weights, np.float32))

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
