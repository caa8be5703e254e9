"""T."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
import numpy as np
from numpy.typing import NDArray
from engramforge.model.candidates import Candidates, Corpus
from engramforge.model.embedding import QueryEmbedding
from engramforge.spaces.word_table import WordTable
from engramforge.core.similarity import cosine


@dataclass(frozen=True, slots=True)
class Similarity:
    values: NDArray[np.float32]
    signals: dict[str, NDArray[np.float32]]

    def signals_of(self, row: int) -> dict[str, float]:
        return {name: float(values[row]) for name, values in self.signals.items()}


def score_similarity(query: QueryEmbedding, candidates: Candidates, corpus: Corpus, table: WordTable, now: datetime) -> Similarity:
    n = len(candidates)
    cos = cosine(query.vector, candidates.vector) if query.vector is not None and n else np.zeros(n, np.float32)
    v = np.clip(0.6 * cos + 0.4 * candidates.session_words, 0, 1)
    return Similarity(v, {"cosine": 0.6 * cos, "session": 0.4 * candidates.session_words})
