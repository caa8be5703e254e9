"""Memories as points: one unit vector a memory and space, from the signals that a store keeps.

    E1, E10             the vector itself
    E5                  both halves, cause and effect, end to end: so that a cosine is the mean of the halves'
    E6, E11, E13        the terms, names or word pieces, each by its rarity, through a fixed random projection
    E7, E8              the mean of the rows
    E9                  the bits, as -1 and 1, through a fixed random projection
    E12                 the mean of the tokens' vectors, each by its rarity; of a model's own rows their mean

Temporal spaces are left out: they count for no topic. Source: spec chapter 8; random projections keep distances
(Johnson and Lindenstrauss 1984).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.arrays.seeded import bits, mixed, seeds_of
from engramforge.core.arrays.vectors import unit
from engramforge.model.spaces import REGISTRY, Space
from engramforge.spaces.words.static_model import static_model

if TYPE_CHECKING:
    from engramforge.model.embeddings.embedding import Embedding

Floats = NDArray[np.float32]
SPACES: Final = tuple(row.space for row in REGISTRY if row.topic_weight > 0)
"""The spaces that count for topics, in the registry's order."""
PROJECTED: Final = 256
"""Dimensions of a projection."""
_PIECE: Final = np.uint64(0x7FFF)
"""Of a token, without the mark of a word's beginning."""
_SALT: Final = {
    Space.SPARSE_LEXICAL: 6,
    Space.ENTITY: 11,
    Space.SPARSE_EXPANSION: 13,
    Space.HYPERDIMENSIONAL: 9,
}


@dataclass(frozen=True, slots=True)
class Points:
    """The memories that have a signal in a space.

    `places`: int64, shape (n,), ascending: which of the memories. `vectors`: float32, shape (n, size), unit rows.
    """

    places: NDArray[np.int64]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a term counts: log(1 + texts / texts with it).

    `terms`: uint64, ascending. `counts`: int64, in how many texts each is. `texts`: how many there are.
    """

    terms: NDArray[np.uint64]
    counts: NDArray[np.int64]
    texts: int

    @classmethod
    def counted(cls, texts: Sequence[NDArray[np.uint64]]) -> Rarity:
        """Of a sample of texts, the terms of each.

        >>> rarity = Rarity.counted([np.array([1, 2], np.uint64), np.array([2], np.uint64)])
        >>> rarity.of(np.array([1, 2, 3], np.uint64)).round(3)
        array([1.099, 0.693, 1.099], dtype=float32)
        """
        found = distinct(np.concatenate([np.zeros(0, np.uint64), *map(np.unique, texts)]))
        return cls(found.values, found.counts, len(texts))

    def of(self, terms: NDArray[np.uint64]) -> Floats:
        """The weight of each term, above 0; one of none of the texts counts as that of one."""
        if not len(self.terms):
            return np.full(len(terms), math.log(2), np.float32)
        at = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        counts = np.where(self.terms[at] == terms, self.counts[at], 1)
        return np.log1p(self.texts / counts).astype(np.float32)


class Vectorizer:
    """Makes points of embeddings; rarities are those of a sample, so that a later memory's point is comparable.

    `rarities`: of the spaces of words and names.
    """

    def __init__(self, rarities: Mapping[Space, Rarity]) -> None:
        self.rarities = rarities

    @classmethod
    def of_sample(cls, sample: Sequence[Embedding]) -> Vectorizer:
        """By embeddings of the project, up to some thousands."""
        return cls(
            {
                space: Rarity.counted([terms for each in sample if len(terms := terms_of(each))])
                for space, terms_of in _TERMS.items()
            }
        )

    def points(self, embeddings: Sequence[Embedding]) -> dict[Space, Points]:
        """The points of memories in each space in which any of them has a signal."""
        found = {}
        for space in SPACES:
            points = self._points(space, embeddings)
            if len(points.places):
                found[space] = points
        return found

    def _points(self, space: Space, embeddings: Sequence[Embedding]) -> Points:
        held = [_of_part(each, space) for each in embeddings]
        if not any(part is not None for part in held):
            if space is Space.SEMANTIC:
                held = [
                    None if each.vector is None else each.vector.astype(np.float32) for each in embeddings
                ]
            elif space in _TERMS:
                return self._of_terms(space, embeddings)
        places = np.flatnonzero([part is not None for part in held])
        rows = [part for part in held if part is not None]
        size = max((len(row) for row in rows), default=0)
        matrix = np.zeros((len(rows), size), np.float32)
        for row, part in zip(matrix, rows, strict=True):
            row[: len(part)] = part
        if space is Space.HYPERDIMENSIONAL and len(rows):
            matrix = matrix @ _signs(np.arange(size, dtype=np.uint64), space)
        return _told(places, matrix)

    def _of_terms(self, space: Space, embeddings: Sequence[Embedding]) -> Points:
        """Sums of the terms' vectors, a term once."""
        texts = [np.unique(_TERMS[space](each)) for each in embeddings]
        found = distinct(np.concatenate([np.zeros(0, np.uint64), *texts]))
        weighed = _vectors_of(space, found.values) * self.rarities[space].of(found.values)[:, None]
        matrix = np.zeros((len(texts), weighed.shape[1]), np.float32)
        begin = 0
        for row, text in zip(matrix, texts, strict=True):
            places = found.places[begin : begin + len(text)]
            row[:] = weighed[places].sum(axis=0)
            begin += len(text)
        return _told(np.arange(len(texts)), matrix)


def _told(places: NDArray[np.int64], matrix: Floats) -> Points:
    """Rows of unit length, without those that say nothing."""
    told = np.any(matrix, axis=1)
    return Points(places[told], unit(matrix[told]))


def _of_part(embedding: Embedding, space: Space) -> Floats | None:
    """A memory in a space of parts as one row; None where it has no part there."""
    part = embedding.parts.get(space)
    if part is None:
        return None
    if space is Space.HYPERDIMENSIONAL:
        return np.unpackbits(part.values[0]).astype(np.float32) * 2 - 1
    rows = unit(part.values.astype(np.float32))
    return rows.reshape(-1) if space is Space.CAUSAL else rows.mean(axis=0)


def _pieces(embedding: Embedding) -> NDArray[np.uint64]:
    return embedding.tokens.astype(np.uint64) & _PIECE


def _stems(embedding: Embedding) -> NDArray[np.uint64]:
    return embedding.terms.astype(np.uint64)


def _names(embedding: Embedding) -> NDArray[np.uint64]:
    return seeds_of(embedding.entities, "topics")


_TERMS: Final[dict[Space, Callable[[Embedding], NDArray[np.uint64]]]] = {
    Space.SPARSE_LEXICAL: _stems,
    Space.ENTITY: _names,
    Space.LATE_INTERACTION: _pieces,
    Space.SPARSE_EXPANSION: _pieces,
}


def _vectors_of(space: Space, terms: NDArray[np.uint64]) -> Floats:
    if space is Space.LATE_INTERACTION:
        return unit(static_model().rows(terms.astype(np.int64)))
    return _signs(terms, space)


def _signs(terms: NDArray[np.uint64], space: Space) -> Floats:
    """A vector of -1 and 1 for each term, determined by it alone."""
    seeds = mixed(terms * np.uint64(0x9E3779B97F4A7C15) + np.uint64(_SALT[space]))
    return bits(seeds, PROJECTED).astype(np.float32) * 2 - 1
