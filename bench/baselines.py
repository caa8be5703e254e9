"""What engramforge is compared with: plain BM25 and the cosine of mean word vectors, over the same documents.

They are ordinary, published methods without tuning, each scoped by an index of the scope's own documents.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from bench.harness import Document, Ranked
from bench.static_model import mean_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

_WORD: Final = re.compile(r"\w+")
_K1: Final = 0.9
_B: Final = 0.4


class Index(Protocol):
    """Documents prepared for scoring."""

    def scores(self, query: str) -> NDArray[np.float32]:
        """One score per document, higher is better."""


class Bm25:
    """Okapi BM25 over lower-cased words, no stemming, no stop words (Robertson and Zaragoza 2009).

    k1 .9 and b .4 serve short texts better than 1.2 and .75, so the comparison is the harder one.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(_WORD.findall(text.lower())) for text in texts]
        lengths = np.array([counts.total() for counts in counted], dtype=np.float32)
        self._norm = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0))
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for number, counts in enumerate(counted):
            for word, count in counts.items():
                numbers, occurrences = postings.setdefault(word, ([], []))
                numbers.append(number)
                occurrences.append(count)
        self._postings = {
            word: (np.array(numbers), np.array(occurrences, dtype=np.float32))
            for word, (numbers, occurrences) in postings.items()
        }
        self._total = len(texts)

    def scores(self, query: str) -> NDArray[np.float32]:
        """Shape (n,), zero for a document without any of the query's words."""
        scores = np.zeros(self._total, dtype=np.float32)
        for word in _WORD.findall(query.lower()):
            if word in self._postings:
                numbers, occurrences = self._postings[word]
                idf = np.log(1 + (self._total - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[numbers] += idf * occurrences * (_K1 + 1) / (occurrences + self._norm[numbers])
        return scores


class Cosine:
    """Cosine of the static model's mean token vectors."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._vectors = mean_vectors(texts)

    def scores(self, query: str) -> NDArray[np.float32]:
        """Shape (n,), in -1..1."""
        scores: NDArray[np.float32] = self._vectors @ mean_vectors([query])[0]
        return scores


class BaselineRanker:
    """A baseline over documents, with one index for each scope that is asked for."""

    def __init__(self, documents: Sequence[Document], index: Callable[[Sequence[str]], Index]) -> None:
        self._documents = documents
        self._index = index
        self._built: dict[str | None, tuple[list[int], Index]] = {}

    def rank(
        self,
        query: str,
        project: str | None,
        depth: int,
        now: datetime | None = None,  # noqa: ARG002 - the baselines know no time
    ) -> list[Ranked]:
        """As `harness.Ranker.rank`, without a notion of time; a score of zero or less is not a find."""
        if project not in self._built:
            keys = [
                key
                for key, document in enumerate(self._documents)
                if project is None or document.project == project
            ]
            self._built[project] = (keys, self._index([self._documents[key].content for key in keys]))
        keys, index = self._built[project]
        scores = index.scores(query)
        best = np.argsort(-scores, kind="stable")[:depth]
        return [Ranked(keys[position], float(scores[position])) for position in best if scores[position] > 0]
