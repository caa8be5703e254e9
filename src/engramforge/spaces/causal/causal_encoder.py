"""E5 by the static model: what a text says is the cause and what the effect, embedded separately.

Row 0 holds the words of its causes, row 1 those of its effects, in the static model's 256 dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.core.causes.causation import asked_direction, causations
from engramforge.core.text.words import is_stop_word, words_of
from engramforge.model.causation import AskedDirection
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.causal.causal_knowledge import FRAME
from engramforge.spaces.chosen.model_parts import Question
from engramforge.spaces.encoder import Item, Similarities, row_cosines
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


WITH_DIRECTION: Final = 1.2
"""Factor of a match in the asked direction."""
AGAINST_DIRECTION: Final = 0.8
"""Factor of a match against it."""


class Asked(NamedTuple):
    """What a question for causes or effects says: its words without those that only ask, and the rows' weights."""

    words: list[str]
    weights: tuple[float, float]


def said_of(text: str) -> tuple[str, str] | None:
    """All causes and effects that a text states; None if there are none."""
    found = causations(text)
    if not found:
        return None
    return " ".join(causation.cause for causation in found), " ".join(causation.effect for causation in found)


def asked_of(text: str) -> Asked | None:
    """A question for causes or effects; None for any other, or if it names neither."""
    if (direction := asked_direction(text)) is None:
        return None
    words = [word for word in words_of(text) if word not in FRAME]
    if all(map(is_stop_word, words)):
        return None
    meets_effects = direction is AskedDirection.CAUSE
    weights = (AGAINST_DIRECTION, WITH_DIRECTION) if meets_effects else (WITH_DIRECTION, AGAINST_DIRECTION)
    return Asked(words, weights)


class CausalRows:
    """E5 as `TextRows`: a model embeds the words of causes and effects separately."""

    row = ROW_BY_SPACE[Space.CAUSAL]
    count = 2

    def texts_of(self, item: Item) -> tuple[str, ...] | None:
        """Causes and effects in the text's own words; None where it says nothing of them."""
        return said_of(item.text)

    def question_of(self, item: Item) -> Question | None:
        """The question's words for both rows, without those that only ask."""
        if (asked := asked_of(item.text)) is None:
            return None
        said = " ".join(asked.words)
        return Question((said, said), asked.weights)

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The better of the two rows' cosines, each by its modifier, in [0, 1].

        For why, 1.2 x cosine with the memory's effects or 0.8 x cosine with its causes; for what then, the reverse.
        """
        cosines, has = row_cosines(query.values.astype(np.float32), values)
        return _better(cosines * query.weights, has, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """How well a memory leads to others, in [0, 1]; not the same as how well they lead to it.

        The better of 1.2 x cosine of its effects with their causes and 0.8 x cosine of its causes with their effects.
        """
        across, has = row_cosines(memory[::-1].astype(np.float32), values)
        return _better(across * np.array([WITH_DIRECTION, AGAINST_DIRECTION], np.float32), has, present)


def _better(weighed: Floats, has: NDArray[np.bool_], present: NDArray[np.bool_]) -> Similarities:
    best = weighed.max(axis=1, initial=0)
    return Similarities.where(present & has.any(axis=1), np.clip(best, 0, 1).astype(np.float32))
