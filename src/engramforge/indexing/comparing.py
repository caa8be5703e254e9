"""One question or memory against n memories, in every space in which both have a signal.

Words and the static E1 come from columns (`Documents`), all other spaces from parts. Vectors and parts of different
encoders are never compared: what a different encoder made counts as absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.comparison import cosine
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.encoder_spec import Entities
from engramforge.model.embeddings.part import Part, PartBatch, QueryPart
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Documents, Encoder, PartEncoder, Similarities
from engramforge.spaces.entity import EntityEncoder
from engramforge.spaces.presets import comparing_spaces, static_preset
from engramforge.spaces.words.word_table import WordTable

PartEncoders = Mapping[Space, PartEncoder]


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison with n memories in a space.

    `encoder`: id of the encoder that both sides are of. `similarities`: raw, shape (n,).
    """

    encoder: str
    similarities: Similarities


@dataclass(frozen=True, slots=True)
class EntityVectors:
    """E11's vectors of the entities that take part in a comparison.

    `encoder`: id of the training; without vectors only names are compared. `vectors`: name -> int8, shape (d,).
    """

    encoder: str
    vectors: Mapping[str, NDArray[np.int8]]

    @classmethod
    def of(cls, entities: Entities) -> EntityVectors:
        """Those that a store holds."""
        known = {
            name: vector
            for name, vector in zip(entities.names, entities.vectors, strict=True)
            if vector.any()
        }
        return cls(entities.encoder or NAMES_ALONE, known) if known else NO_ENTITY_VECTORS


NAMES_ALONE: Final = "entity-names-1"
"""Encoder id of E11 before any training: equal names are 1, others 0."""
NO_ENTITY_VECTORS: Final = EntityVectors(NAMES_ALONE, {})


class MemoryBatch:
    """n memories laid out for comparison.

    Parameters
    ----------
    documents : their words, and E1 where it is the static model's.
    parts : space -> the memories' parts, None where one abstains.
    meaning_encoder : id of E1's encoder where it is another than the words'; None: the same.
    vectors : int8, shape (n, d): E1 by that encoder, zero where absent.
    entities : the names that each mentions; () where none are known.
    """

    def __init__(
        self,
        documents: Documents,
        parts: Mapping[Space, Sequence[Part | None]],
        meaning_encoder: str | None = None,
        vectors: NDArray[np.int8] | None = None,
        entities: Sequence[tuple[str, ...]] = (),
    ) -> None:
        self.documents = documents
        self.meaning_encoder = meaning_encoder
        self.vectors = documents.vector if vectors is None else vectors
        self.entities = entities
        self._parts = parts
        self._stacked: dict[tuple[Space, str], PartBatch] = {}

    @classmethod
    def of(cls, table: WordTable, embeddings: Sequence[Embedding]) -> MemoryBatch:
        """The batch of these embeddings; E1 of another encoder than the first one's is absent."""
        foreign = {each.vector_encoder for each in embeddings if each.vector_encoder is not None}
        parts = {
            space: [each.parts.get(space) for each in embeddings]
            for space in {space for each in embeddings for space in each.parts}
        }
        entities = [each.entities for each in embeddings]
        if not foreign:
            return cls(Documents.of(table, embeddings), parts, entities=entities)
        encoder = sorted(foreign)[0]
        mine = [each.vector if each.vector_encoder == encoder else None for each in embeddings]
        documents = Documents.of(table, [replace(each, vector=None) for each in embeddings])
        return cls(documents, parts, encoder, stacked_vectors(mine), entities)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words of each, which decides its length bucket in calibration."""
        return self.documents.lengths

    def spaces(self) -> frozenset[Space]:
        """The spaces in which some memory has a part."""
        return frozenset(self._parts)

    def part(self, space: Space, encoder: str) -> PartBatch | None:
        """The memories' parts of a space by an encoder, padded with zero rows; None if all abstain."""
        key = (space, encoder)
        if key not in self._stacked:
            held = [
                None if each is None or each.encoder != encoder else each.values
                for each in self._parts.get(space, ())
            ]
            found = stacked(held)
            if found is None:
                return None
            self._stacked[key] = found
        return self._stacked[key]


def stacked(held: Sequence[NDArray[Any] | None]) -> PartBatch | None:
    """Values of parts, each (rows, size), as one array (n, rows, size) with zero rows below; None without any."""
    some = [each for each in held if each is not None]
    if not some:
        return None
    rows = max(len(each) for each in some)
    values = np.zeros((len(held), rows, some[0].shape[1]), some[0].dtype)
    for place, each in enumerate(held):
        if each is not None:
            values[place, : len(each)] = each
    return PartBatch(values, np.array([each is not None for each in held], np.bool_))


def stacked_vectors(held: Sequence[NDArray[np.int8] | None]) -> NDArray[np.int8]:
    """Vectors as one array (n, d), zero where absent."""
    size = next((len(each) for each in held if each is not None), 1)
    nothing = np.zeros(size, np.int8)
    return np.array([nothing if each is None else each for each in held], np.int8).reshape(len(held), size)


def compare(
    asked: QueryEmbedding | Embedding,
    batch: MemoryBatch,
    encoders: PartEncoders,
    entities: EntityVectors = NO_ENTITY_VECTORS,
) -> dict[Space, Compared]:
    """A question or memory against the memories; spaces in which either side abstains are left out."""
    found: dict[Space, Compared] = {}
    for static in _static_encoders(asked, batch, encoders):
        if isinstance(asked, QueryEmbedding):
            similarities = static.query_to_memories(asked, batch.documents)
        else:
            similarities = static.memory_to_memories(asked, batch.documents)
        found[static.row.space] = Compared(static.id, similarities)
    found |= _by_meaning(asked, batch)
    for space, encoder in encoders.items():
        part, held = asked.parts.get(space), batch.part(space, encoder.id)
        if part is None or held is None or part.encoder != encoder.id:
            continue
        if isinstance(part, QueryPart):
            similarities = encoder.query_to_memories(part, held.values, held.present)
        else:
            similarities = encoder.memory_to_memories(part.values, held.values, held.present)
        found[space] = Compared(encoder.id, similarities)
    if asked.entities and any(batch.entities):
        mentioned = EntityEncoder().compare(asked.entities, batch.entities, entities.vectors)
        found[Space.ENTITY] = Compared(entities.encoder, mentioned)
    return {space: each for space, each in found.items() if each.similarities.present.any()}


def _static_encoders(
    asked: QueryEmbedding | Embedding, batch: MemoryBatch, encoders: PartEncoders
) -> list[Encoder[Any]]:
    """The encoders that compare columns: those of spaces without parts, E1 if both sides have the static one."""
    preset = static_preset()
    has_static_meaning = asked.vector_encoder is None and batch.meaning_encoder is None
    return [
        preset[space]
        for space in comparing_spaces(preset)
        if space not in encoders and (space is not Space.SEMANTIC or has_static_meaning)
    ]


def _by_meaning(asked: QueryEmbedding | Embedding, batch: MemoryBatch) -> dict[Space, Compared]:
    """Cosines in E1 if both sides have it by the same non-static encoder."""
    encoder, vector = asked.vector_encoder, asked.vector
    if encoder is None or encoder != batch.meaning_encoder:
        return {}
    if vector is None or vector.shape != batch.vectors.shape[1:]:
        return {Space.SEMANTIC: Compared(encoder, Similarities.absent(len(batch)))}
    present = (batch.vectors != 0).any(axis=1)
    return {Space.SEMANTIC: Compared(encoder, Similarities.where(present, cosine(vector, batch.vectors)))}
