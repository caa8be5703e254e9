"""The shapes of archives, continuations and loaded context. What must not enter: printing, what one face has alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engramforge.faces.views.registry import (
    DecisionView,
    LineageEdgeView,
    ThreadView,
    plain_fields,
    view_decision,
    view_edge,
    view_thread,
)

if TYPE_CHECKING:
    from engramforge.model.registries.archive import (
        Archive,
        Continuation,
        Difference,
        LoadedContext,
        RelatedDecision,
    )


@dataclass(frozen=True, slots=True)
class RelatedDecisionView:
    """A decision of another project that bears on this conversation."""

    id: str
    project: str
    decision: str
    epistemic_tier: float
    relevance: float
    reason: str
    conflicts: bool


@dataclass(frozen=True, slots=True)
class ArchiveView:
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


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """Where the archive and the registry say different things; the registry is right."""

    local_id: str
    id: str | None
    what: str
    name: str
    archive: str
    registry: str
    because: str


@dataclass(frozen=True, slots=True)
class ContinuationView:
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
class ContextView:
    """Context for a question, and what is in it."""

    text: str
    memory_ids: list[str]
    decision_ids: list[str]
    thread_ids: list[str]
    left_out: int


def view_archive(archive: Archive) -> ArchiveView:
    """An archive as a shape."""
    content = archive.content
    return ArchiveView(
        id=archive.id,
        text=archive.text,
        edge=view_edge(archive.edge),
        decisions=len(content.decisions),
        threads=len(content.threads),
        artifacts=len(content.artifacts),
        memories=len(content.memories),
        revalidation=len(content.revalidation),
        related=[view_related(one) for one in content.related],
        warnings=list(archive.warnings),
    )


def view_continuation(continuation: Continuation) -> ContinuationView:
    """A continuation as a shape."""
    return ContinuationView(
        edge=view_edge(continuation.edge),
        decisions=[view_decision(one) for one in continuation.decisions],
        threads=[view_thread(one) for one in continuation.threads],
        differences=[view_difference(one) for one in continuation.differences],
        revalidation=[view_decision(one) for one in continuation.revalidation],
        related=[view_related(one) for one in continuation.related],
        problems=list(continuation.problems),
        text=continuation.text,
    )


def view_difference(difference: Difference) -> DifferenceView:
    """A difference between archive and registry as a shape."""
    return DifferenceView(**plain_fields(difference))


def view_related(related: RelatedDecision) -> RelatedDecisionView:
    """A decision of another project as a shape."""
    return RelatedDecisionView(**plain_fields(related))


def view_context(context: LoadedContext) -> ContextView:
    """Loaded context as a shape."""
    return ContextView(**plain_fields(context))
