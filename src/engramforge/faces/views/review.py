"""The shape of a detection that waits for review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engramforge.faces.views.registry import DecisionView, ThreadView
from engramforge.faces.views.shape import Shape
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.detection import PendingDetection
from engramforge.model.registries.thread import Thread


@dataclass(frozen=True, slots=True)
class PendingView(Shape[PendingDetection]):
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


def view_entry(entry: Decision | Thread) -> DecisionView | ThreadView:
    """An entry of either registry as its shape."""
    return DecisionView.of(entry) if isinstance(entry, Decision) else ThreadView.of(entry)
