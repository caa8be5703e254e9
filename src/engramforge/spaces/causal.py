"""E5: what a text says is the cause and what the effect, each embedded apart and compared across (spec chapter 2).

Row 0 holds the words of its causes, row 1 those of its effects, in the static model's 256 dimensions. A why-question's
text is the effect that it knows, so it meets effects; a what-then-question's meets causes. What must not enter: the
rules that find the parts (core/causation), what plain sentences let one expect (spaces/causal_knowledge).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.causation import asked_direction, causations
from engramforge.core.words import is_stop_word, words_of
from engramforge.model.causation import AskedDirection
from engramforge.model.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space, SpaceRow
from engramforge.spaces.causal_knowledge import FRAME, causal_knowledge
from engramforge.spaces.encoder import Similarities
from engramforge.spaces.part_encoder import Item
from engramforge.spaces.word_table import Rows, WordTable

if TYPE_CHECKING:
    from engramforge.model.part import Values

CAUSE_ROW: Final = 0
EFFECT_ROW: Final = 1
WITH_DIRECTION: Final = 1.2
"""What a match in the asked direction is multiplied by."""
AGAINST_DIRECTION: Final = 0.8
"""What a match against it is multiplied by."""

Floats = NDArray[np.float32]


class CausalEncoder:
    """E5. Abstains for a text that says nothing of cause and effect; safe to share.

    Parameters
    ----------
    table : the word table of the static model.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._size = table.model.dimensions
        self.id = f"causal-1/{table.model.id}/{self._size}"
        self.shape = (2, self._size)

    @property
    def row(self) -> SpaceRow:
        """The space's row of the registry."""
        return ROW_BY_SPACE[Space.CAUSAL]

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (2, 256), for each item: causes and effects; None where it abstains."""
        said: list[list[list[str]]] = []
        places: list[int] = []
        for place, item in enumerate(items):
            found = causations(item.text)
            if found:
                places.append(place)
                said.append([words_of(" ".join(one.cause for one in found))])
                said[-1].append(words_of(" ".join(one.effect for one in found)))
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
        """A question for causes or effects; None for any other, and for one that names neither."""
        direction = asked_direction(item.text)
        if direction is None:
            return None
        words = [word for word in words_of(item.text) if word not in FRAME]
        if all(map(is_stop_word, words)):
            return None
        vector = self._vectors([self._content(words)])[0]
        norm = float(np.linalg.norm(vector))
        if norm <= 0:
            return None
        weights = np.full(2, AGAINST_DIRECTION, np.float32)
        weights[EFFECT_ROW if direction is AskedDirection.CAUSE else CAUSE_ROW] = WITH_DIRECTION
        both = np.stack((vector, vector)) / np.float32(norm)
        return QueryPart(Space.CAUSAL, self.id, both.astype(np.float32), weights)

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The better of the two rows' cosines, each by its modifier, in [0, 1].

        For a why-question 1.2 x cosine with the memory's effects or 0.8 x cosine with its causes; the other way round
        for what then.
        """
        cosines, has = _cosines(query.values.astype(np.float32), values)
        best = (cosines * query.weights).max(axis=1, initial=0)
        return Similarities.where(present & has.any(axis=1), np.clip(best, 0, 1).astype(np.float32))

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """How well a memory leads to others, in [0, 1]; not the same as how well they lead to it.

        The better of 1.2 x cosine of its effects with their causes and 0.8 x cosine of its causes with their effects.
        """
        across, has = _cosines(memory[::-1].astype(np.float32), values)
        modifiers = np.array([WITH_DIRECTION, AGAINST_DIRECTION], np.float32)
        best = (across * modifiers).max(axis=1, initial=0)
        return Similarities.where(present & has.any(axis=1), np.clip(best, 0, 1).astype(np.float32))

    def cause_effect_score(
        self, query: Sequence[str], candidate: Sequence[str], direction: AskedDirection
    ) -> float:
        """How well words fit as the cause, or the effect, of a question's words, in [0, 1], by learned knowledge alone.

        Raises ModelUnavailable where the learned numbers are missing.
        """
        rows = self._content(candidate)
        ends = np.array([len(rows)], np.int64)
        return float(causal_knowledge().scores(self._table, self._content(query), rows, ends, direction)[0])

    def _content(self, words: Sequence[str]) -> Rows:
        """Rows of the distinct content words; of all where there are no others."""
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


def _cosines(asked: Floats, values: Values) -> tuple[Floats, NDArray[np.bool_]]:
    """Cosine of each row with the same row of n memories, float32, shape (n, rows), and where both are there."""
    held = values.astype(np.float32)
    lengths = np.sqrt(np.einsum("nrd,nrd->nr", held, held)) * np.sqrt(np.einsum("rd,rd->r", asked, asked))
    dots = np.einsum("nrd,rd->nr", held, asked)
    has = lengths > 0
    return np.where(has, dots / np.where(has, lengths, 1), 0).astype(np.float32), has
