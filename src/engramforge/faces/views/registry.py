"""The shapes of decisions, threads and lineage edges, and of what is asked about them.

What must not enter: printing, anything of one face alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from engramforge.faces.views.link import LinkView, view_link

if TYPE_CHECKING:
    from engramforge.model.registries.decision import Decision, Why
    from engramforge.model.registries.evidence import Evidence
    from engramforge.model.registries.lineage import Bridge, LineageEdge
    from engramforge.model.registries.thread import Thread


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """The sentence and message that a detected entry was read from."""

    sentence: str
    message_id: str
    rule: str


@dataclass(frozen=True, slots=True)
class DecisionView:
    """One version of a decision; `score` is that of a search."""

    id: str
    memory_id: str
    version: int
    decision: str
    rationale: str
    epistemic_tier: float
    status: str
    originated_in: str | None
    revised_in: str | None
    superseded_by: str | None
    conversation_ids: list[str]
    project: str
    dependencies: list[str]
    dependents: list[str]
    alternatives_rejected: list[str]
    last_validated: str
    validation_count: int
    hops: int
    tags: list[str]
    local_id: str | None
    valid_at: str
    invalid_at: str | None
    created_at: str
    confidence: float
    evidence: EvidenceView | None
    score: float | None


@dataclass(frozen=True, slots=True)
class WhyView:
    """Why a decision stands, or no longer does."""

    decision: DecisionView
    history: list[DecisionView]
    dependencies: list[DecisionView]
    dependents: list[DecisionView]
    superseded: list[DecisionView]
    superseded_by: DecisionView | None
    carried_by: list[str]
    links: list[LinkView]


@dataclass(frozen=True, slots=True)
class BlockerView:
    """A thread that another one waits for, with its status now."""

    id: str
    title: str
    status: str


@dataclass(frozen=True, slots=True)
class ThreadView:
    """One version of a thread; `is_blocked` says whether a thread that it waits for is open."""

    id: str
    memory_id: str
    version: int
    title: str
    content: str
    status: str
    priority: str
    is_blocked: bool
    blocked_by: list[BlockerView]
    first_seen_in: str | None
    resolved_in: str | None
    conversation_ids: list[str]
    resolution: str | None
    project: str
    tags: list[str]
    local_id: str | None
    opened_at: str
    valid_at: str
    created_at: str
    confidence: float
    evidence: EvidenceView | None
    score: float | None


@dataclass(frozen=True, slots=True)
class LineageEdgeView:
    """One compression and what went on from it."""

    id: str
    memory_id: str
    source_conversation_id: str
    target_conversation_id: str | None
    compression_tag: str
    compression_mode: str
    compressed_at: str
    turn_range: list[int] | None
    decisions_carried: list[str]
    decisions_dropped: list[str]
    threads_carried: list[str]
    threads_resolved: list[str]
    local_ids: dict[str, str]
    project: str
    bridge_summary: str
    archive_id: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class BridgeView:
    """What changed between two linked conversations."""

    source_conversation_id: str
    target_conversation_id: str
    edges: list[LineageEdgeView]
    decisions_added: list[DecisionView]
    decisions_revised: list[DecisionView]
    decisions_ended: list[DecisionView]
    decisions_dropped: list[DecisionView]
    threads_added: list[ThreadView]
    threads_resolved: list[ThreadView]
    threads_dropped: list[ThreadView]
    summary: str


def with_status(asked: dict[str, Any], default: str) -> dict[str, Any]:
    """The arguments of a search or list, with the status that is asked for when none is named; all is any."""
    status = asked.get("status", default)
    return {**asked, "status": None if status == "all" else status}


def plain_fields(value: Any, *without: str) -> dict[str, Any]:
    """The fields of a model value as plain ones: times as ISO 8601, words as texts, tuples as lists."""
    return {one.name: _plain(getattr(value, one.name)) for one in fields(value) if one.name not in without}


def view_evidence(evidence: Evidence | None) -> EvidenceView | None:
    """What a detection was read from, as a shape."""
    return None if evidence is None else EvidenceView(**plain_fields(evidence))


def view_decision(decision: Decision) -> DecisionView:
    """A decision as a shape."""
    return DecisionView(
        **plain_fields(decision, "evidence"),
        evidence=view_evidence(decision.evidence),
    )


def view_why(why: Why) -> WhyView:
    """The reasons of a decision as a shape."""
    return WhyView(
        decision=view_decision(why.decision),
        history=[view_decision(one) for one in why.history],
        dependencies=[view_decision(one) for one in why.dependencies],
        dependents=[view_decision(one) for one in why.dependents],
        superseded=[view_decision(one) for one in why.superseded],
        superseded_by=None if why.superseded_by is None else view_decision(why.superseded_by),
        carried_by=list(why.carried_by),
        links=[view_link(link) for link in why.links],
    )


def view_thread(thread: Thread) -> ThreadView:
    """A thread as a shape."""
    return ThreadView(
        **plain_fields(thread, "evidence", "blocked_by"),
        is_blocked=thread.is_blocked,
        blocked_by=[BlockerView(one.id, one.title, str(one.status)) for one in thread.blocked_by],
        evidence=view_evidence(thread.evidence),
    )


def view_edge(edge: LineageEdge) -> LineageEdgeView:
    """A lineage edge as a shape."""
    return LineageEdgeView(**plain_fields(edge))


def view_bridge(bridge: Bridge) -> BridgeView:
    """What changed between two conversations, as a shape."""
    return BridgeView(
        source_conversation_id=bridge.source_conversation_id,
        target_conversation_id=bridge.target_conversation_id,
        edges=[view_edge(edge) for edge in bridge.edges],
        decisions_added=[view_decision(one) for one in bridge.decisions_added],
        decisions_revised=[view_decision(one) for one in bridge.decisions_revised],
        decisions_ended=[view_decision(one) for one in bridge.decisions_ended],
        decisions_dropped=[view_decision(one) for one in bridge.decisions_dropped],
        threads_added=[view_thread(one) for one in bridge.threads_added],
        threads_resolved=[view_thread(one) for one in bridge.threads_resolved],
        threads_dropped=[view_thread(one) for one in bridge.threads_dropped],
        summary=bridge.summary,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return dict(value) if isinstance(value, dict) else value
