"""The registry of the thirteen spaces. Nothing else in the code knows a space's number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Space(StrEnum):
    """One way of embedding a memory and of comparing two of them."""

    SEMANTIC = "semantic"
    TEMPORAL_RECENT = "temporal_recent"
    TEMPORAL_PERIODIC = "temporal_periodic"
    TEMPORAL_POSITIONAL = "temporal_positional"
    CAUSAL = "causal"
    SPARSE_LEXICAL = "sparse_lexical"
    CODE = "code"
    GRAPH = "graph"
    HYPERDIMENSIONAL = "hyperdimensional"
    MULTIMODAL = "multimodal"
    ENTITY = "entity"
    LATE_INTERACTION = "late_interaction"
    SPARSE_EXPANSION = "sparse_expansion"


class Category(StrEnum):
    """The role of a space; its weight says how much the space counts for topics and relevance."""

    SEMANTIC = "semantic"
    TEMPORAL = "temporal"
    RELATIONAL = "relational"
    STRUCTURAL = "structural"


class Comparison(StrEnum):
    """How two embeddings of a space are compared."""

    COSINE = "cosine"
    ASYMMETRIC = "asymmetric"
    JACCARD = "jaccard"
    WEIGHTED_JACCARD = "weighted_jaccard"
    TRANSLATION = "translation"
    HAMMING = "hamming"
    MAXSIM = "maxsim"


CATEGORY_WEIGHTS: Final[dict[Category, float]] = {
    Category.SEMANTIC: 1.0,
    Category.TEMPORAL: 0.0,
    Category.RELATIONAL: 0.5,
    Category.STRUCTURAL: 0.5,
}


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """One row of the table. Sizes are the most a space may take; an encoder states its own."""

    number: str
    space: Space
    declared_size: int
    category: Category
    comparison: Comparison
    topic_weight: float
    relevance_weight: float
    high: float | None
    low: float | None
    rhythm_hz: int
    family: str

    @property
    def category_weight(self) -> float:
        """How much this space's category counts."""
        return CATEGORY_WEIGHTS[self.category]

    @property
    def takes_part_in_relevance(self) -> bool:
        """Semantic, relational and structural spaces do; temporal ones never."""
        return self.category is not Category.TEMPORAL


_S, _T, _R, _X = Category.SEMANTIC, Category.TEMPORAL, Category.RELATIONAL, Category.STRUCTURAL
_C = Comparison

REGISTRY: Final[tuple[SpaceRow, ...]] = (
    SpaceRow("E1", Space.SEMANTIC, 1024, _S, _C.COSINE, 1.0, 1.0, 0.75, 0.30, 40, "meaning"),
    SpaceRow("E2", Space.TEMPORAL_RECENT, 512, _T, _C.COSINE, 0.0, 0.0, None, None, 8, "time"),
    SpaceRow("E3", Space.TEMPORAL_PERIODIC, 512, _T, _C.COSINE, 0.0, 0.0, None, None, 8, "time"),
    SpaceRow("E4", Space.TEMPORAL_POSITIONAL, 512, _T, _C.COSINE, 0.0, 0.0, None, None, 8, "time"),
    SpaceRow("E5", Space.CAUSAL, 768, _S, _C.ASYMMETRIC, 1.0, 0.9, 0.70, 0.25, 25, "cause"),
    SpaceRow("E6", Space.SPARSE_LEXICAL, 30_000, _S, _C.JACCARD, 1.0, 0.7, 0.60, 0.20, 4, "words"),
    SpaceRow("E7", Space.CODE, 1536, _S, _C.COSINE, 1.0, 0.85, 0.80, 0.35, 25, "code"),
    SpaceRow("E8", Space.GRAPH, 384, _R, _C.TRANSLATION, 0.5, 0.6, 0.65, None, 12, "relations"),
    SpaceRow("E9", Space.HYPERDIMENSIONAL, 10_000, _X, _C.HAMMING, 0.5, 0.5, 0.70, None, 80, "structure"),
    SpaceRow("E10", Space.MULTIMODAL, 768, _S, _C.COSINE, 1.0, 0.8, 0.70, 0.30, 40, "image"),
    SpaceRow("E11", Space.ENTITY, 384, _R, _C.TRANSLATION, 0.5, 0.6, 0.65, None, 15, "relations"),
    SpaceRow("E12", Space.LATE_INTERACTION, 128, _S, _C.MAXSIM, 1.0, 0.75, 0.70, 0.30, 60, "meaning"),
    SpaceRow(
        "E13", Space.SPARSE_EXPANSION, 30_000, _S, _C.WEIGHTED_JACCARD, 1.0, 0.7, 0.60, 0.20, 4, "words"
    ),
)

ROW_BY_SPACE: Final[dict[Space, SpaceRow]] = {row.space: row for row in REGISTRY}
