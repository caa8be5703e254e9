"""A detection: a decision or thread that a text speaks of, before any registry knows it (spec chapter 7). No I/O."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.model.memory import Kind
from engramforge.model.registry import Priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """What one sentence says of a decision or a thread.

    Parameters
    ----------
    kind : Kind.DECISION or Kind.THREAD.
    sentence : as it stands in the text.
    rule : name of the rule, or of the model, that found it.
    confidence : how sure it is that the sentence says so, 0..1.
    text : the decision, or the thread's title; "" where the sentence only says how a named entry stands.
    status : how the entry stands after it: one of its kind's statuses.
    local_id : what the text calls it (D001, T001).
    is_update : whether it speaks of an entry that should be there already.
    rationale, alternatives_rejected : of a decision, where the text says them.
    content : of a thread, more than its title.
    priority : of a thread.
    resolution : how a thread was closed.
    blocked_by : local ids of the threads that a thread waits for.
    superseded_by : local id of the decision that took a decision's place.
    """

    kind: Kind
    sentence: str
    rule: str
    confidence: float
    text: str = ""
    status: str
    local_id: str | None = None
    is_update: bool = False
    rationale: str = ""
    alternatives_rejected: tuple[str, ...] = ()
    content: str = ""
    priority: Priority = Priority.MEDIUM
    resolution: str = ""
    blocked_by: tuple[str, ...] = ()
    superseded_by: str | None = None
