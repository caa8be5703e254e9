"""E1: the static Matryoshka model's vector of a text, compared by cosine at any prefix length."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.comparison import cosine
from engramforge.errors import InvalidValue
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Documents, Similarities

FULL: Final = 256


class SemanticEncoder:
    """E1. Abstains for a text without a word the model knows.

    `model_id`: id of the static model. `dimensions`: how long a prefix of the vector is compared, 1 to 256.
    """

    row = ROW_BY_SPACE[Space.SEMANTIC]
    active = True

    def __init__(self, model_id: str, dimensions: int = FULL) -> None:
        if not 1 <= dimensions <= FULL:
            raise InvalidValue(
                f"E1 has {FULL} dimensions, not {dimensions}", f"Give a length from 1 to {FULL}"
            )
        self.size = dimensions
        self.id = f"semantic-1/{model_id}/{dimensions}"

    def encode(self, embedding: Embedding) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length."""
        if embedding.vector is None:
            return None
        part = embedding.vector[: self.size].astype(np.float32)
        norm = float(np.linalg.norm(part))
        return part / np.float32(norm) if norm > 0 else None

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:
        """Cosines in [-1, 1]."""
        return self._compare(query.vector, documents)

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:
        """Cosines in [-1, 1]."""
        return self._compare(memory.vector, documents)

    def _compare(
        self, vector: NDArray[np.float32] | NDArray[np.int8] | None, documents: Documents
    ) -> Similarities:
        if vector is None or not vector[: self.size].any():
            return Similarities.absent(len(documents))
        part = documents.vector[:, : self.size]
        return Similarities.where((part != 0).any(axis=1), cosine(vector[: self.size], part))
