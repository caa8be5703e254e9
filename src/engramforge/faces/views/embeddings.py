"""The shapes of a memory's embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engramforge.faces.views.shape import Shape
from engramforge.model.embeddings.memory_embeddings import MemoryEmbeddings, SpaceEmbedding


@dataclass(frozen=True, slots=True)
class SpaceEmbeddingView(Shape[SpaceEmbedding]):
    """One memory in one space: `abstains` says why it has no signal there, else norm and surprise (0..1) have numbers.

    `calibrations`: direction -> id; a space without them has raw similarities alone."""

    number: str
    space: str
    encoder: str | None
    rows: int
    size: int
    norm: float | None
    calibrations: dict[str, str]
    surprise: float | None
    abstains: str | None
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EmbeddingsView(Shape[MemoryEmbeddings]):
    """A memory in all thirteen spaces; `around`: how many memories its surprise was measured against."""

    memory_id: str
    around: int
    spaces: list[SpaceEmbeddingView]
