"""E11: entities by what is known about them: TransE over links and mentions.

The vectors belong to entities, not to memories: a memory has the names that it mentions. Upkeep trains them, continuing
from earlier vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.seeded import seeds_of, uniforms
from engramforge.core.arrays.translation import TransEOptions, Translations, distances, train
from engramforge.core.similarity.comparison import segment_maxima
from engramforge.model.entity import Triple
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Similarities

SIZE: Final = 32
"""Dimension: measured best of 32, 48 and 64 on three small knowledge graphs (docs/measurements/relations.md)."""
OPTIONS: Final = TransEOptions()
WARM: Final = replace(OPTIONS, epochs=5, least_steps=150)
"""Training options when continuing from earlier vectors."""
_FIRST_LENGTH: Final = np.float32(0.1)
_MOST: Final = 127

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TransE:
    """Vectors of named entities and relations.

    `encoder`: id; vectors of different ids are never compared. A training from seeds needs a new one. `entities`,
    `relations`: names, distinct, in the order of the vectors' rows.
    """

    encoder: str
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    vectors: Translations

    @classmethod
    def seeded(cls, encoder: str) -> Self:
        """A model without any entity."""
        nothing = np.zeros((0, SIZE), np.float32)
        return cls(encoder, (), (), Translations(nothing, nothing))

    @property
    def size(self) -> int:
        """Dimension."""
        return int(self.vectors.relations.shape[1])

    def trained(self, triples: Sequence[Triple]) -> TransE:
        """Vectors that explain the triples; entities and relations that are known begin where they are.

        The same triples in the same order give the same vectors. Names that no triple has stay as they are.
        """
        entities = tuple(dict.fromkeys((*self.entities, *(e for t in triples for e in (t.head, t.tail)))))
        relations = tuple(dict.fromkeys((*self.relations, *(t.relation for t in triples))))
        start = Translations(self.vectors_of(entities), self._relation_vectors(relations))
        entity = {name: place for place, name in enumerate(entities)}
        relation = {name: place for place, name in enumerate(relations)}
        indexes = np.array(
            [(entity[t.head], relation[t.relation], entity[t.tail]) for t in triples], np.int64
        ).reshape(-1, 3)
        found = train(start, indexes, np.random.default_rng(0), WARM if self.entities else OPTIONS)
        return TransE(self.encoder, entities, relations, found)

    def vectors_of(self, names: Sequence[str]) -> Floats:
        """float32, shape (n, size); an unseen name gets a vector from its hash."""
        return _held_or_seeded(names, self.entities, self.vectors.entities, "entity")

    def ranked_tails(self, head: str, relation: str) -> tuple[NDArray[np.int64], Floats]:
        """Places of all entities as tails of (head, relation, ?), the likeliest first, and their ||h + r - t||."""
        return self._ranked(self.vectors_of([head]) + self._relation_vectors([relation]))

    def ranked_heads(self, relation: str, tail: str) -> tuple[NDArray[np.int64], Floats]:
        """As `ranked_tails`, of (?, relation, tail)."""
        return self._ranked(self.vectors_of([tail]) - self._relation_vectors([relation]))

    def _ranked(self, asked: Floats) -> tuple[NDArray[np.int64], Floats]:
        found = distances(asked, self.vectors.entities)[0]
        order = np.argsort(found, kind="stable")
        return order, found[order]

    def _relation_vectors(self, names: Sequence[str]) -> Floats:
        return _held_or_seeded(names, self.relations, self.vectors.relations, "relation")


def _held_or_seeded(names: Sequence[str], known: Sequence[str], held: Floats, purpose: str) -> Floats:
    size = held.shape[1]
    found: Floats = uniforms(seeds_of(names, purpose), size) * _FIRST_LENGTH
    place_of = {name: place for place, name in enumerate(known)}
    places = np.array([place_of.get(name, -1) for name in names], np.int64)
    found[places >= 0] = held[places[places >= 0]]
    return found


def quantised(vectors: Floats, scale: float) -> NDArray[np.int8]:
    """Vectors as int8, all by one scale, so that distances keep their proportions."""
    scaled: Floats = np.clip(vectors / np.float32(scale), -_MOST, _MOST)
    return np.rint(scaled).astype(np.int8)


def scale_for(vectors: Floats) -> float:
    """The scale by which the largest component of all is 127; 1 where there is none."""
    peak = float(np.abs(vectors).max(initial=0))
    return peak / _MOST if peak > 0 else 1.0


class EntityEncoder:
    """Compares the entities that two sides mention."""

    row = ROW_BY_SPACE[Space.ENTITY]

    def compare(
        self, asked: Sequence[str], memories: Sequence[Sequence[str]], vectors: Mapping[str, NDArray[np.int8]]
    ) -> Similarities:
        """How well each memory's entities match the asked ones: the best match of each, averaged; in [0, 1].

        The same name is 1. Two vectors a and b are 1 / (1 + d), d = ||a - b|| / ((||a|| + ||b||) / 2) by the L1 norm,
        in [0, 2], so the similarity is in [1/3, 1): TransE's distance without a relation, in units of the vectors'
        length. A name without a vector, or with a zero vector, matches only itself. Absent if either side mentions
        nobody.
        """
        counts = np.array([len(names) for names in memories], np.int64)
        present = counts > 0
        if not asked or not present.any():
            return Similarities.absent(len(memories))
        wanted = tuple(dict.fromkeys(asked))
        others = tuple(dict.fromkeys(name for names in memories for name in names))
        between = _alike(wanted, others, vectors)
        place_of = {name: place for place, name in enumerate(others)}
        places = np.array([place_of[name] for names in memories for name in names], np.int64)
        best = segment_maxima(between[:, places], np.cumsum(counts[present]))
        values = np.zeros(len(memories), np.float32)
        values[present] = best.mean(axis=0)
        return Similarities.where(present, values)


def _alike(
    wanted: Sequence[str], others: Sequence[str], vectors: Mapping[str, NDArray[np.int8]]
) -> NDArray[np.float32]:
    """Similarity of each wanted name with each other one, shape (w, o)."""
    found = np.zeros((len(wanted), len(others)), np.float32)
    known = [place for place, name in enumerate(others) if name in vectors]
    if known:
        held = np.stack([vectors[others[place]] for place in known]).astype(np.float32)
        lengths = np.abs(held).sum(axis=1)
        for row, name in enumerate(wanted):
            vector = vectors.get(name)
            if vector is None or not vector.any():
                continue
            mine = vector.astype(np.float32)
            apart = np.abs(held - mine).sum(axis=1) / ((lengths + np.abs(mine).sum()) / 2)
            found[row, known] = np.where(lengths > 0, 1 / (1 + apart), 0)
    for row, name in enumerate(wanted):
        for place, other in enumerate(others):
            if name == other:
                found[row, place] = 1
    return found
