"""A link: a directed, typed, weighted connection between two memories.

The metadata has three tiers: REQUIRED, IMPORTANT and CONDITIONAL; unknown fields are kept in `extra`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engramforge.model.memory import ResolutionState
from engramforge.model.time import InvalidationReason


class Relation(StrEnum):
    """The relations that engramforge writes itself; the vocabulary is open, any upper-case word may be used."""

    JUSTIFIES = "JUSTIFIES"
    ENABLES = "ENABLES"
    CONTRADICTS = "CONTRADICTS"
    RESOLVED_BY = "RESOLVED_BY"
    REVISES = "REVISES"
    SUPERSEDES = "SUPERSEDES"
    DEPENDS_ON = "DEPENDS_ON"
    MENTIONS = "MENTIONS"
    CAUSES = "CAUSES"
    FOLLOWS = "FOLLOWS"
    RELATES_TO = "RELATES_TO"
    DERIVED_FROM = "DERIVED_FROM"
    BLOCKED_BY = "BLOCKED_BY"
    CARRIES = "CARRIES"
    CONTINUES = "CONTINUES"
    REPLIES_TO = "REPLIES_TO"


PROVENANCE: Final = frozenset({Relation.DERIVED_FROM, Relation.CARRIES, Relation.CONTINUES})
"""Relations that say where something comes from, and nothing of what it has to do with another."""
REQUIRED_FIELDS: Final = (
    "energy",
    "confidence",
    "emotion_vector",
    "goal",
    "mindstate",
    "energy_transfer_coefficient",
    "resolution_state",
)
"""A link without one of these is refused; the last two have defaults (0.5, in_progress)."""
IMPORTANT_FIELDS: Final = ("formation_trigger", "felt_quality", "emotion_description")
"""A link without one of these is written with a warning."""
CONDITIONAL_FIELDS: Final = ("body_sensation", "spatial_context", "sensory_details")
"""Checked only when present."""
METADATA_FIELDS: Final = REQUIRED_FIELDS + IMPORTANT_FIELDS + CONDITIONAL_FIELDS
"""The 13 names that `metadata_completeness` counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One directed link; `source_id` and `target_id` are logical ids, so a link survives a new version.

    `energy`, `confidence` and `energy_transfer_coefficient` are in 0..1. `sensory_details` is a text, or a text for
    each sense.
    """

    id: str
    source_id: str
    target_id: str
    relation: str
    valid_at: datetime
    created_at: datetime
    energy: float
    confidence: float
    emotion_vector: Mapping[str, float]
    goal: str
    mindstate: str
    energy_transfer_coefficient: float = 0.5
    resolution_state: ResolutionState = ResolutionState.IN_PROGRESS
    formation_trigger: str | None = None
    felt_quality: str | None = None
    emotion_description: str | None = None
    body_sensation: str | None = None
    spatial_context: str | None = None
    sensory_details: str | Mapping[str, str] | None = None
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    invalidation_reason: InvalidationReason | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def metadata_completeness(self) -> float:
        """Present fields / 13, in 0..1 (an empty emotion vector counts as present: nothing was felt)."""
        return sum(getattr(self, name) is not None for name in METADATA_FIELDS) / len(METADATA_FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedLink(Link):
    """A link that was met on a walk; `depth`: how many links in a row led from the start to its far end, from 1."""

    depth: int


class Step(NamedTuple):
    """What a walk has to know of a link."""

    id: str
    source_id: str
    target_id: str
    relation: str
    energy: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Linked:
    """What a caller gets for a link.

    `warnings`: IMPORTANT fields that are missing, and what else the caller should know; each a sentence. `written`:
    False if the same link existed already; `link` is then the existing one. `redacted`: how many secrets were replaced
    in what was given.
    """

    link: Link
    warnings: tuple[str, ...]
    written: bool
    redacted: int = 0


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Proof that a link's recorded interval was closed; it stays in history."""

    link_id: str
    at: datetime
    reason: str
