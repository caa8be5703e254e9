"""E6 and E13: stemmed terms, and terms with their nearest vocabulary terms.

Stored terms are 32-bit hashes of stems. `encode` folds them into the declared 30,000 dimensions; comparisons
use the unfolded hashes, because folding would let one unrelated pair in 400 share a dimension by chance, more
often than the tail probability (1e-3) at which a similarity counts as high.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct, distinct_values, places_among
from engramforge.core.similarity.comparison import jaccard, places_in, weighted_jaccard
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Documents, Similarities
from engramforge.spaces.words.vocabulary import Vocabulary

SIZE: Final = 30_000
MOST_ACTIVE: Final = SIZE // 20
"""At most 5 % of the dimensions are active; a longer text keeps its most frequent terms."""
EXPANDED_WORDS: Final = 64
"""How many of a memory's words, the most telling first, activate neighbours."""


class SparseLexicalEncoder:
    """E6: the set of a text's stems. Abstains for a text without words."""

    row = ROW_BY_SPACE[Space.SPARSE_LEXICAL]
    active = True
    size = SIZE
    id = f"sparse-lexical-1/{SIZE}"

    def encode(self, embedding: Embedding) -> NDArray[np.uint32] | None:
        """uint32, ascending and distinct: active dimensions, below 30,000."""
        if not len(embedding.terms):
            return None
        return distinct_values(_most_frequent(embedding) % np.uint32(SIZE))

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:
        """Jaccard in [0, 1], the query's terms weighing by its live statistics, all others 1."""
        if not len(query.terms):
            return Similarities.absent(len(documents))
        asked = query.weights * np.float32(len(query.weights))
        places = places_in(query.terms, documents.terms)
        weights = np.where(places >= 0, asked[places], 1).astype(np.float32)
        values = weighted_jaccard(query.terms, asked, documents.terms, weights, documents.term_ends)
        return Similarities.where(_has_terms(documents), values)

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:
        """Jaccard in [0, 1]."""
        if not len(memory.terms):
            return Similarities.absent(len(documents))
        values = jaccard(memory.terms, documents.terms, documents.term_ends)
        return Similarities.where(_has_terms(documents), values)


class SparseExpansionEncoder:
    """E13: stems, each also activating its nearest vocabulary stems. Abstains for a text without words.

    The expansion stands on one side of a comparison: on both it costs six times the postings for nearly nothing.
    """

    row = ROW_BY_SPACE[Space.SPARSE_EXPANSION]
    active = True
    size = SIZE

    def __init__(self, model_id: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.id = f"sparse-expansion-1/{model_id}/{SIZE}"

    def encode(self, embedding: Embedding) -> tuple[NDArray[np.uint32], NDArray[np.float32]] | None:
        """Active dimensions (uint32, ascending, distinct) and their weights in (0, 1]."""
        if not len(embedding.terms):
            return None
        terms, weights = self._expanded(embedding)
        strongest = np.argsort(-weights, kind="stable")[:MOST_ACTIVE]
        folded = distinct(terms[strongest] % np.uint32(SIZE))
        return folded.values, weights[strongest][folded.first]

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:
        """Weighted Jaccard in [0, 1] of the expanded query, its words weighing by live statistics."""
        if not len(query.terms):
            return Similarities.absent(len(documents))
        importance = (query.weights * np.float32(len(query.weights)))[query.expansion_words]
        places = places_in(query.expansion_terms, documents.terms)
        weights = np.where(places >= 0, importance[places], 1).astype(np.float32)
        values = weighted_jaccard(
            query.expansion_terms,
            importance * query.expansion_weights,
            documents.terms,
            weights,
            documents.term_ends,
        )
        return Similarities.where(_has_terms(documents), values)

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:
        """Weighted Jaccard in [0, 1] of the expanded memory with the others' terms."""
        if not len(memory.terms):
            return Similarities.absent(len(documents))
        terms, weights = self._expanded(memory)
        ones = np.ones(len(documents.terms), np.float32)
        values = weighted_jaccard(terms, weights, documents.terms, ones, documents.term_ends)
        return Similarities.where(_has_terms(documents), values)

    def _expanded(self, embedding: Embedding) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """A memory's terms with weight 1 and the neighbours of its most telling words, each term once."""
        table = self._vocabulary.table
        rows, _ = table.words_of(embedding.tokens, np.array([len(embedding.tokens)], np.int64))
        rows = distinct_values(rows)
        rows = rows[places_among(embedding.terms, table.terms(rows)) >= 0]
        rows = rows[np.argsort(-table.lengths(rows), kind="stable")][:EXPANDED_WORDS]
        near = self._vocabulary.nearest_to(rows)
        used = near.weights > 0
        terms = np.concatenate((embedding.terms, near.terms[used]))
        weights = np.concatenate((np.ones(len(embedding.terms), np.float32), near.weights[used]))
        order = np.lexsort((-weights, terms))
        first = order[np.flatnonzero(np.diff(terms[order].astype(np.int64), prepend=-1))]
        return terms[first], weights[first]


def _has_terms(documents: Documents) -> NDArray[np.bool_]:
    return np.diff(documents.term_ends, prepend=0) > 0


def _most_frequent(embedding: Embedding) -> NDArray[np.uint32]:
    if len(embedding.terms) <= MOST_ACTIVE:
        return embedding.terms
    return embedding.terms[np.argsort(-embedding.counts.astype(np.int16), kind="stable")[:MOST_ACTIVE]]
