"""The shape of a detection that waits for review. What must not enter: printing, what one face has alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engramforge.faces.views.registry import (
    DecisionView,
    ThreadView,
    plain_fields,
    view_decision,
    view_thread,
)
from engramforge.model.registries.decision import Decision

if TYPE_CHECKING:
    from engramforge.model.registries.detection import PendingDetection
    from engramforge.model.registries.thread import Thread


@dataclass(frozen=True, slots=True)
class PendingView:
    """A detection that waits for review; `proposal` is all that it says."""

    id: str
    memory_id: str
    kind: str
    text: str
    sentence: str
    message_id: str
    rule: str
    confidence: float
    project: str
    conversation_id: str | None
    local_id: str | None
    status: str
    entry_status: str
    created_at: str
    proposal: dict[str, Any]


def view_pending(pending: PendingDetection) -> PendingView:
    """A detection that waits, as a shape."""
    return PendingView(**plain_fields(pending, "proposal"), proposal=plain_fields(pending.proposal))


def view_entry(entry: Decision | Thread) -> DecisionView | ThreadView:
    """An entry of either registry as its shape."""
    return view_decision(entry) if isinstance(entry, Decision) else view_thread(entry)
