"""The surprise of one memory in every space, against the memories around it.

Arrays are prepared here for the measures of core/similarity/surprise. A space in which the memory abstains is absent;
one in which too few others have a signal gives 0.5. A pass over a thousand memories takes well below 300 ms: typical
distances are measured on up to 64 of the others, spread evenly.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.arrays.vectors import unit
from engramforge.core.entities.entity_relations import triples_in
from engramforge.core.similarity import surprise as measures
from engramforge.indexing.comparing import MemoryBatch, PartEncoders
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.part import PartBatch
from engramforge.model.entity import Triple
from engramforge.model.memory import Memory
from engramforge.model.spaces import Space
from engramforge.model.time import to_micros
from engramforge.recall.surroundings import LinkSample, Surroundings
from engramforge.spaces.encoder import PartEncoder, Similarities
from engramforge.spaces.presets import static_preset
from engramforge.spaces.temporal import temporal_encoder
from engramforge.spaces.words.word_table import WordTable

ANCHORS: Final = 64
"""How many of the others define what is typical."""
MOST_TOKENS: Final = 256
"""How many of a memory's words are used, the most telling first."""
MOST_PAIRS: Final = 64
"""How many pairs of a memory's entities are used."""
TOGETHER: Final = "MENTIONED_TOGETHER"
"""The relation of two entities about which a text says nothing else."""

Rows = NDArray[np.float32]


def surprises(around: Surroundings, table: WordTable, part_encoders: PartEncoders) -> dict[Space, float]:
    """Surprise in [0, 1] by space, of the spaces in which the memory has a signal."""
    found = _temporal(around)
    if around.embedding is None:
        return found
    memory, batch = around.embedding, MemoryBatch.of(table, around.embeddings)
    found |= _worded(memory, batch, table, part_encoders)
    for space, encoder in part_encoders.items():
        part = memory.parts.get(space)
        if part is not None and part.encoder == encoder.id:
            found[space] = _by_part(space, encoder, part.values, batch)
    if around.links is not None:
        found[Space.GRAPH] = _by_links(around.links)
    if memory.entities:
        found[Space.ENTITY] = _by_entities(around)
    return found


def _neighbours(own: NDArray[Any], others: int, distances_of: Callable[[int], NDArray[Any]]) -> float:
    """kNN surprise by the memory's distances and those of the anchors, each infinite to itself."""
    # Up to 64 places, spread evenly.
    places = np.linspace(0, others - 1, min(ANCHORS, others)).astype(np.int64)
    if len(places) < measures.NEIGHBOURS:
        return measures.UNKNOWN
    around = np.stack([distances_of(place) for place in places.tolist()]).astype(np.float64)
    around[np.arange(len(places)), places] = np.inf
    return measures.neighbour_surprise(own, around)


def _by_cosine(own: Rows, others: Rows) -> float:
    """kNN surprise by 1 - cosine of unit vectors."""
    return _neighbours(1 - others @ own, len(others), lambda place: 1 - others @ others[place])


def _temporal(around: Surroundings) -> dict[Space, float]:
    """E2 and E3 of the time at which each became true, E4 of the place in the session, which not all have."""
    found = {}
    readings: dict[Space, Callable[[Memory], int | None]] = {
        Space.TEMPORAL_RECENT: lambda memory: to_micros(memory.valid_at),
        Space.TEMPORAL_PERIODIC: lambda memory: to_micros(memory.valid_at),
        Space.TEMPORAL_POSITIONAL: lambda memory: None if memory.session_id is None else memory.sequence,
    }
    for space, read in readings.items():
        own = read(around.memory)
        if own is None:
            continue
        others = [number for memory in around.memories if (number := read(memory)) is not None]
        vectors = temporal_encoder(space).encode_numbers(np.array([own, *others], np.int64))
        found[space] = _by_cosine(vectors[0], vectors[1:])
    return found


def _worded(
    memory: Embedding, batch: MemoryBatch, table: WordTable, part_encoders: PartEncoders
) -> dict[Space, float]:
    """E1, E6, E12 and E13 of the static preset."""
    found: dict[Space, float] = {}
    if memory.vector is not None and memory.vector.any():
        known = batch.vectors if memory.vector_encoder == batch.meaning_encoder else batch.vectors[:0]
        others = unit(known.astype(np.float32))
        own = unit(memory.vector[None].astype(np.float32))[0]
        fits = others.shape[1] == len(own)
        found[Space.SEMANTIC] = (
            measures.mixture_surprise(own, others[others.any(axis=1)]) if fits else measures.UNKNOWN
        )
    if len(memory.terms):
        held = batch.documents
        found[Space.SPARSE_LEXICAL] = measures.rarity_surprise(memory.terms, held.terms, held.term_ends)
        if Space.LATE_INTERACTION not in part_encoders:
            found[Space.LATE_INTERACTION] = _by_tokens(memory, batch, table)
        if Space.SPARSE_EXPANSION not in part_encoders:
            compared = static_preset()[Space.SPARSE_EXPANSION].memory_to_memories(memory, held)
            found[Space.SPARSE_EXPANSION] = measures.overlap_surprise(compared.values[compared.present])
    return found


def _by_tokens(memory: Embedding, batch: MemoryBatch, table: WordTable) -> float:
    """The surprise of the strangest word; words of the same stem have distance 0."""
    rows = distinct(table.words_of(memory.tokens, np.array([len(memory.tokens)], np.int64))[0]).values
    rows = rows[np.isin(table.terms(rows), memory.terms)]
    rows = rows[np.argsort(-table.lengths(rows), kind="stable")][:MOST_TOKENS]
    words, ends = batch.documents.words
    owners = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    pairs = distinct(owners.astype(np.int64) << np.int64(32) | words).values & np.int64(0xFFFFFFFF)
    known = distinct(pairs)
    counted = ~table.is_stop(known.values)
    others, counts = known.values[counted], known.counts[counted]
    similar = np.clip(table.vectors(rows, 128) @ table.vectors(others, 128).T, 0, 1)
    similar[table.terms(rows)[:, None] == table.terms(others)[None, :]] = 1
    return measures.token_surprise(1 - similar, counts)


def _by_part(space: Space, encoder: PartEncoder, own: NDArray[Any], batch: MemoryBatch) -> float:
    """The surprise of a stored part among the parts of the same encoder."""
    held = batch.part(space, encoder.id)
    if held is None:
        return measures.UNKNOWN
    values = held.values[held.present]
    match space:
        case Space.HYPERDIMENSIONAL:
            flat = values.view(np.uint8).reshape(len(values), -1)
            return measures.structure_surprise(own.view(np.uint8).ravel(), flat)
        case Space.CAUSAL if len(own) == 2 and values.shape[1] == 2:
            return _by_causes(own, values)
        case Space.CODE:
            return _by_code(encoder, own, held)
        case Space.LATE_INTERACTION:
            rows = unit(values.reshape(-1, values.shape[-1]).astype(np.float32))
            rows = rows[rows.any(axis=1)]
            similar = np.clip(unit(own.astype(np.float32))[:MOST_TOKENS] @ rows.T, 0, 1)
            return measures.token_surprise(1 - similar, np.ones(len(rows), np.int64))
        case Space.SPARSE_EXPANSION:
            compared = _compared(encoder, own, values)
            return measures.overlap_surprise(compared.values[compared.present])
        case Space.SEMANTIC:
            return measures.mixture_surprise(_flat(own[None])[0], _flat(values))
        case _:
            return _by_similarity(encoder, own, values)


def _by_similarity(encoder: PartEncoder, own: NDArray[Any], values: NDArray[Any]) -> float:
    """kNN surprise by 1 - the encoder's own similarity of memories."""

    def distances(rows: NDArray[Any]) -> NDArray[np.float64]:
        compared = _compared(encoder, rows, values)
        return np.where(compared.present, 1 - compared.values.astype(np.float64), np.inf)

    return _neighbours(distances(own), len(values), lambda place: distances(values[place]))


def _by_causes(own: NDArray[Any], values: NDArray[Any]) -> float:
    """E5: rows are a cause and an effect; what may follow from the memory, and what it may follow from."""
    rows = unit(values.astype(np.float32))
    rows[~rows.any(axis=2)] = np.nan

    def distances(ends: Rows) -> NDArray[np.float64]:
        found = measures.directed_distances(rows[:, 0] @ ends[1], rows[:, 1] @ ends[0])
        return np.where(np.isfinite(found), found, np.inf)

    mine = unit(own.astype(np.float32))
    mine[~mine.any(axis=1)] = np.nan
    return _neighbours(distances(mine), len(rows), lambda place: distances(rows[place]))


def _by_code(encoder: PartEncoder, own: NDArray[Any], held: PartBatch) -> float:
    """E7: half mixture over all rows side by side, half nearest neighbours."""
    values = held.values[held.present]
    mixed = measures.UNKNOWN
    if own.shape == values.shape[1:]:
        mixed = measures.mixture_surprise(_flat(own[None])[0], _flat(values))
    return measures.half_and_half(mixed, _by_similarity(encoder, own, values))


def _by_links(sample: LinkSample) -> float:
    """E8: a relation is the mean difference from its heads to its tails."""
    known = distinct(sample.relations)
    ways = np.stack(
        [
            (sample.tails - sample.heads)[known.places == place].mean(axis=0)
            for place in range(len(known.values))
        ]
    )
    lengths = measures.translation_lengths(sample.heads, ways[known.places], sample.tails)
    return measures.translation_surprise(lengths[sample.own], lengths[~sample.own])


def _by_entities(around: Surroundings) -> float:
    """E11: how far what a memory says about its entities is from what is known about them.

    Its relations are those that its text states by the rules of core/entities/entity_relations; for a memory that
    states none, pairs of its entities count as mentioned together. The vector of a relation is the mean among the
    others; being mentioned together has no direction, so its vector is zero.
    """
    vectors = {name: vector.astype(np.float64) / 127 for name, vector in around.entities.vectors.items()}

    def said(memory: Memory, names: tuple[str, ...]) -> list[Triple]:
        known = [name for name in names if name in vectors]
        stated = triples_in(memory.content, memory.speaker) if len(known) > 1 else []
        stated = [each for each in stated if each.head in vectors and each.tail in vectors]
        return stated or [Triple(head, TOGETHER, tail) for head, tail in combinations(known, 2)][:MOST_PAIRS]

    def lengths(triples: list[Triple]) -> NDArray[np.float64]:
        heads = np.array([vectors[each.head] for each in triples])
        tails = np.array([vectors[each.tail] for each in triples])
        way = np.array([ways.get(each.relation, 0 * vectors[each.head]) for each in triples])
        return measures.translation_lengths(heads, way, tails)

    others = [
        found
        for memory, each in zip(around.memories, around.embeddings, strict=True)
        if (found := said(memory, each.entities))
    ]
    steps: dict[str, list[NDArray[np.float64]]] = {}
    for each in (each for triples in others for each in triples if each.relation != TOGETHER):
        steps.setdefault(each.relation, []).append(vectors[each.tail] - vectors[each.head])
    ways = {relation: np.mean(found, axis=0) for relation, found in steps.items()}
    own = said(around.memory, () if around.embedding is None else around.embedding.entities)
    if not own:
        return measures.UNKNOWN
    return measures.translation_surprise(lengths(own), np.array([lengths(each).mean() for each in others]))


def _compared(encoder: PartEncoder, own: NDArray[Any], values: NDArray[Any]) -> Similarities:
    return encoder.memory_to_memories(own, values, np.ones(len(values), np.bool_))


def _flat(values: NDArray[Any]) -> Rows:
    """Rows brought to unit length and laid side by side, shape (n, rows x size)."""
    return unit(values.astype(np.float32)).reshape(len(values), -1)
