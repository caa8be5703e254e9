"""Reciprocal rank fusion of several ways, for a stream that would be too long to read.

Source: Cormack, Clarke and Buettcher 2009; spec chapter 5, "The stream" (k = 60, the top 100, beyond 100,000 tokens).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeVar

RANK_CONSTANT: Final = 60
FUSED: Final = 100
"""How many are left of what was fused."""
LONGEST_TOKENS: Final = 100_000
"""A stream of more is fused."""
K = TypeVar("K", bound=Hashable)


def fused(rankings: Iterable[Sequence[K]]) -> list[K]:
    """At most 100 of what is ranked, by the sum over rankings of 1 / (60 + rank), ranks from 1, best first.

    b: 1/62 + 1/61 = .0325, a: 1/61 = .0164, c: 1/62 = .0161:

    >>> fused([["a", "b"], ["b", "c"]])
    ['b', 'a', 'c']
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(dict.fromkeys(ranking), 1):
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda key: -scores[key])[:FUSED]
