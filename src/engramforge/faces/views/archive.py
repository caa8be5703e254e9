"""The shapes of archives, continuations and loaded context."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.registry import DecisionView, LineageEdgeView, ThreadView
from engramforge.faces.views.shape import Shape
from engramforge.model.registries.archive import (
    Archive,
    Continuation,
    Difference,
    LoadedContext,
    RelatedDecision,
)


@dataclass(frozen=True, slots=True)
class RelatedDecisionView(Shape[RelatedDecision]):
    """A decision of another project that bears on this conversation."""

    id: str
    project: str
    decision: str
    epistemic_tier: float
    relevance: float
    reason: str
    conflicts: bool


@dataclass(frozen=True, slots=True)
class ArchiveView(Shape[Archive]):
    """An archive that was made: its text, the edge that it left, and how much is in it."""

    id: str | None
    text: str
    edge: LineageEdgeView
    decisions: int
    threads: int
    artifacts: int
    memories: int
    revalidation: int
    related: list[RelatedDecisionView]
    warnings: list[str]

    @classmethod
    def _derived(cls, value: Archive) -> dict[str, object]:
        content = value.content
        return {
            "decisions": len(content.decisions),
            "threads": len(content.threads),
            "artifacts": len(content.artifacts),
            "memories": len(content.memories),
            "revalidation": len(content.revalidation),
            "related": RelatedDecisionView.list_of(content.related),
        }


@dataclass(frozen=True, slots=True)
class DifferenceView(Shape[Difference]):
    """Where the archive and the registry say different things; the registry is right."""

    local_id: str
    id: str | None
    what: str
    name: str
    archive: str
    registry: str
    because: str


@dataclass(frozen=True, slots=True)
class ContinuationView(Shape[Continuation]):
    """The state with which a conversation goes on, as the registry has it now."""

    edge: LineageEdgeView
    decisions: list[DecisionView]
    threads: list[ThreadView]
    differences: list[DifferenceView]
    revalidation: list[DecisionView]
    related: list[RelatedDecisionView]
    problems: list[str]
    text: str


@dataclass(frozen=True, slots=True)
class ContextView(Shape[LoadedContext]):
    """Context for a question, and what is in it."""

    text: str
    memory_ids: list[str]
    decision_ids: list[str]
    thread_ids: list[str]
    left_out: int
    note: str
