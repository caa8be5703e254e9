"""What `show` reports of a memory's embeddings: encoder, shape, norm, calibration and surprise in each space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.calibration import Direction
from engramforge.indexing.calibrations import CalibrationSet
from engramforge.indexing.comparing import PartEncoders
from engramforge.indexing.encode import spoken_text
from engramforge.model.embeddings.embedding import Embedding, MemoryEmbeddings, SpaceEmbedding
from engramforge.model.memory import Memory
from engramforge.model.spaces import REGISTRY, Space
from engramforge.model.time import to_micros
from engramforge.recall.surprising import surprises
from engramforge.recall.surroundings import Surroundings
from engramforge.spaces.presets import static_preset
from engramforge.spaces.temporal import temporal_encoder
from engramforge.spaces.words.word_table import WordTable

ABSTAINS: Final[Mapping[Space, str]] = {
    Space.SEMANTIC: "it has no word that the model knows",
    Space.TEMPORAL_POSITIONAL: "it has no place in a session",
    Space.CAUSAL: "it states no cause or effect",
    Space.SPARSE_LEXICAL: "it has no words",
    Space.CODE: "it holds no code",
    Space.GRAPH: "it has no links that the graph was encoded with",
    Space.HYPERDIMENSIONAL: "it is too short to have a structure",
    Space.MULTIMODAL: "it carries no image",
    Space.ENTITY: "it names no entity",
    Space.LATE_INTERACTION: "it has no words",
    Space.SPARSE_EXPANSION: "it has no words",
}
"""Why a memory has no signal in a space."""
UNSERVED: Final = "no encoder serves this space"


@dataclass(frozen=True, slots=True)
class _Seen:
    """An embedding as an encoder keeps it: rows of numbers, and further facts."""

    encoder: str | None
    rows: int = 0
    size: int = 0
    norm: float | None = None
    details: Mapping[str, Any] | None = None


def embeddings_of(
    around: Surroundings, table: WordTable, part_encoders: PartEncoders, calibrations: CalibrationSet
) -> MemoryEmbeddings:
    """A memory in all thirteen spaces; `part_encoders` are those that the store compares by now."""
    surprise = surprises(around, table, part_encoders)
    rows = []
    for row in REGISTRY:
        seen = _seen(row.space, around, part_encoders)
        known = {
            str(direction): fitted.id
            for direction in Direction
            if seen.encoder is not None
            and (fitted := calibrations.find(row.space, direction, seen.encoder)) is not None
        }
        reason = None
        if seen.norm is None:
            reason = UNSERVED if seen.encoder is None else ABSTAINS[row.space]
        found = SpaceEmbedding(
            number=row.number,
            space=row.space,
            encoder=seen.encoder,
            rows=seen.rows,
            size=seen.size,
            norm=seen.norm,
            calibrations=known,
            surprise=None if reason is not None else surprise.get(row.space),
            abstains=reason,
            details=seen.details or {},
        )
        rows.append(found)
    return MemoryEmbeddings(around.memory.id, len(around.memories), tuple(rows))


def _seen(space: Space, around: Surroundings, part_encoders: PartEncoders) -> _Seen:
    """The memory in one space."""
    memory, embedding = around.memory, around.embedding
    if space in part_encoders:
        encoder = part_encoders[space]
        part = None if embedding is None else embedding.parts.get(space)
        if part is None or part.encoder != encoder.id:
            return _Seen(encoder.id, size=encoder.shape[1], details=_details(space, memory, None))
        bits = part.values.dtype == np.uint8
        size = part.values.shape[1] * (8 if bits else 1)
        norm = float(np.bitwise_count(part.values).sum()) ** 0.5 if bits else _length(part.values / 127)
        return _Seen(encoder.id, len(part.values), size, norm, _details(space, memory, part.values))
    match space:
        case Space.TEMPORAL_RECENT | Space.TEMPORAL_PERIODIC | Space.TEMPORAL_POSITIONAL:
            return _in_time(space, memory)
        case Space.SEMANTIC:
            return _meant(embedding)
        case Space.ENTITY:
            return _named(around)
        case _:
            return _worded(space, embedding)


def _in_time(space: Space, memory: Memory) -> _Seen:
    encoder = temporal_encoder(space)
    number: int | None = to_micros(memory.valid_at)
    if space is Space.TEMPORAL_POSITIONAL:
        number = None if memory.session_id is None else memory.sequence
    if number is None:
        return _Seen(encoder.id, size=encoder.size)
    return _Seen(encoder.id, 1, encoder.size, _length(encoder.encode_numbers(np.array([number], np.int64))))


def _meant(embedding: Embedding | None) -> _Seen:
    """E1: the stored vector is the encoder's, each number a 127th of the largest."""
    static = static_preset()[Space.SEMANTIC]
    if embedding is None:
        return _Seen(static.id, size=static.size)
    encoder = embedding.vector_encoder or static.id
    if embedding.vector is None:
        return _Seen(encoder, size=static.size)
    return _Seen(encoder, 1, len(embedding.vector), _length(embedding.vector / 127))


def _named(around: Surroundings) -> _Seen:
    """E11: the vectors belong to the names; untrained names have none."""
    names = () if around.embedding is None else around.embedding.entities
    held = [around.entities.vectors[name] / 127 for name in names if name in around.entities.vectors]
    size = len(held[0]) if held else 0
    norm = None if not names else _length(np.array(held)) if held else 0.0
    details = {"names": list(names), "with_vector": len(held)} if names else None
    return _Seen(around.entities.encoder, len(names), size, norm, details)


def _worded(space: Space, embedding: Embedding | None) -> _Seen:
    """E6, E12 and E13 of the static preset: active terms with their weights, or a row per word."""
    encoder = static_preset()[space]
    signal = None if embedding is None or not encoder.active else encoder.encode(embedding)
    if not encoder.active:
        return _Seen(None)
    if signal is None:
        return _Seen(encoder.id, size=encoder.size)
    if space is Space.LATE_INTERACTION:
        return _Seen(encoder.id, len(signal), encoder.size, _length(signal))
    weights = signal[1] if isinstance(signal, tuple) else np.ones(len(signal))
    return _Seen(encoder.id, len(weights), encoder.size, _length(weights))


def _details(space: Space, memory: Memory, values: NDArray[Any] | None) -> Mapping[str, Any] | None:
    """For code the languages and whether it parsed; for a picture whether it was seen and has a caption."""
    if space is Space.CODE and values is not None:
        from engramforge.spaces.code.code_encoder import report_on_code

        report = report_on_code(spoken_text(memory))
        return {"languages": list(report.languages), "snippets": report.snippets, "parsed": report.parsed}
    if space is Space.MULTIMODAL and values is not None and len(values) == 2:
        return {"seen": bool(values[0].any()), "captioned": bool(values[1].any())}
    if space is Space.CAUSAL and values is not None and len(values) == 2:
        return {"cause": bool(values[0].any()), "effect": bool(values[1].any())}
    return None


def _length(values: NDArray[Any]) -> float:
    return float(np.linalg.norm(np.asarray(values, np.float64)))
