"""The shapes of decisions, threads and lineage edges, and of what is asked about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engramforge.faces.views.link import LinkView
from engramforge.faces.views.shape import Shape
from engramforge.model.registration import Act, Consequence
from engramforge.model.registries.decision import Decision, Why
from engramforge.model.registries.entry import Evidence
from engramforge.model.registries.lineage import Bridge, LineageEdge
from engramforge.model.registries.thread import Blocker, Thread


@dataclass(frozen=True, slots=True)
class EvidenceView(Shape[Evidence]):
    """The sentence and message that a detected entry was read from."""

    sentence: str
    message_id: str
    rule: str


@dataclass(frozen=True, slots=True)
class DecisionView(Shape[Decision]):
    """One version of a decision; `score` is that of a search, `redacted` how many secrets a write replaced,
    `contradicts` what stands against a new one."""

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
    redacted: int
    contradicts: list[str]


@dataclass(frozen=True, slots=True)
class WhyView(Shape[Why]):
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
class BlockerView(Shape[Blocker]):
    """A thread that another one waits for, with its status now."""

    id: str
    title: str
    status: str


@dataclass(frozen=True, slots=True)
class ThreadView(Shape[Thread]):
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
    redacted: int


@dataclass(frozen=True, slots=True)
class LineageEdgeView(Shape[LineageEdge]):
    """A compression and what continued from it."""

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
    redacted: int


@dataclass(frozen=True, slots=True)
class BridgeView(Shape[Bridge]):
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


@dataclass(frozen=True, slots=True)
class ConsequenceView(Shape[Consequence]):
    """What a message did to an entry of a registry, or would do once it is reviewed; `why` it waits for that."""

    act: str
    kind: str
    id: str
    local_id: str | None
    text: str
    status: str
    why: str


def done_and_waiting(consequences: Iterable[Consequence]) -> tuple[list[ConsequenceView], str]:
    """What a message did, and in words how much of it waits for review; empty for nothing."""
    views = ConsequenceView.list_of(consequences)
    done = [view for view in views if view.act != Act.WAITS]
    waiting = [view for view in views if view.act == Act.WAITS]
    if not waiting:
        return done, ""
    why = "; ".join(dict.fromkeys(view.why for view in waiting))
    return done, f"{len(waiting)} wait{'s' * (len(waiting) == 1)} for review, {why} (engramforge review)"


def view_entry(entry: Decision | Thread) -> DecisionView | ThreadView:
    """An entry of either registry as its shape."""
    return DecisionView.of(entry) if isinstance(entry, Decision) else ThreadView.of(entry)


def with_status(asked: dict[str, Any], default: str) -> dict[str, Any]:
    """The arguments of a search or list, with the status that is asked for when none is named; all is any."""
    status = asked.get("status", default)
    return {**asked, "status": None if status == "all" else status}
