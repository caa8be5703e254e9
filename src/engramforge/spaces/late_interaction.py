"""E12: late interaction over whole-word vectors at 128 dimensions (the static model's first 128, unit length)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct_values, places_among
from engramforge.core.arrays.vectors import unit
from engramforge.core.similarity.comparison import maxsim, segment_sums
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Documents, Similarities
from engramforge.spaces.words.word_table import Rows, WordTable

SIZE: Final = 128


class LateInteractionEncoder:
    """E12. Abstains for a text without words.

    Two words match by their squared cosine, or fully if their stems are equal (the best of what was measured on
    locomo); stop words of a memory match nothing.
    """

    row = ROW_BY_SPACE[Space.LATE_INTERACTION]
    active = True
    size = SIZE

    def __init__(self, model_id: str, table: WordTable) -> None:
        self._table = table
        self.id = f"late-interaction-1/{model_id}/{SIZE}"

    def encode(self, embedding: Embedding) -> NDArray[np.float32] | None:
        """float32, shape (words, 128): a unit vector for each distinct word that counts."""
        rows = self._telling_words(embedding)
        return self._table.vectors(rows, SIZE) if len(rows) else None

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:
        """MaxSim in [0, 1] of the query's words, weighing by live statistics, over each memory's."""
        if not len(query.terms):
            return Similarities.absent(len(documents))
        matches = self._matches(query.terms, unit(query.vectors[:, :SIZE]), documents)
        matches = _of_words(matches, documents)
        return Similarities.where(documents.lengths > 0, maxsim(matches, documents.words[1], query.weights))

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:
        """MaxSim in [0, 1], the mean of both directions; words weigh by the root of their vector's length."""
        rows = self._telling_words(memory)
        if not len(rows):
            return Similarities.absent(len(documents))
        table, ends = self._table, documents.words[1]
        places = documents.distinct_words[1]
        matches = self._matches(table.terms(rows), table.vectors(rows, SIZE), documents)
        onward = maxsim(_of_words(matches, documents), ends, np.sqrt(table.lengths(rows)))
        importance, total = documents.derived(_importance)
        backward = segment_sums(matches.max(axis=0)[places] * importance, ends)
        backward /= total
        return Similarities.where(documents.lengths > 0, ((onward + backward) / 2).astype(np.float32))

    def _matches(
        self, terms: NDArray[np.uint32], vectors: NDArray[np.float32], documents: Documents
    ) -> NDArray[np.float32]:
        """How well each asked word matches each distinct word of the batch, in [0, 1]."""
        words, stops, stems = documents.derived(_words)
        similar: NDArray[np.float32] = vectors @ words.T
        np.maximum(similar, 0, out=similar)
        np.minimum(similar, 1, out=similar)
        np.square(similar, out=similar)
        similar[:, stops] = 0
        similar[terms[:, None] == stems] = 1
        return similar

    def _telling_words(self, embedding: Embedding) -> Rows:
        """Distinct words of a memory whose stems it is indexed under."""
        ends = np.array([len(embedding.tokens)], np.int64)
        rows = distinct_values(self._table.words_of(embedding.tokens, ends)[0])
        return rows[places_among(embedding.terms, self._table.terms(rows)) >= 0]


def _of_words(matches: NDArray[np.float32], documents: Documents) -> NDArray[np.float32]:
    """The columns of distinct words as those of every word; taken as rows, whose values lie together."""
    return np.ascontiguousarray(matches.T).take(documents.distinct_words[1], axis=0).T


def _words(documents: Documents) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.uint32]]:
    """The batch's distinct words: their vectors, which are stop words, and their stems."""
    table, rows = documents.table, documents.distinct_words[0]
    return table.vectors(rows, SIZE), table.is_stop(rows), table.terms(rows)


def _importance(documents: Documents) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weight of every word of the batch, and that of each memory's together, 1 for none; stop words count only in a
    memory that has no other words.
    """
    rows, ends = documents.words
    content = ~documents.table.is_stop(rows)
    has_content = segment_sums(content.astype(np.float32), ends) > 0
    counted = content | ~np.repeat(has_content, documents.lengths)
    weights = np.where(counted, np.sqrt(documents.table.lengths(rows)), 0).astype(np.float32)
    total = segment_sums(weights, ends)
    return weights, np.where(total > 0, total, 1).astype(np.float32)
