"""A thread, an open matter, as its registry shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.registries.entry import Evidence, Priority, ThreadStatus


@dataclass(frozen=True, slots=True)
class Blocker:
    """A thread that another waits for, in its present state."""

    id: str
    title: str
    status: ThreadStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One version of a thread.

    Parameters
    ----------
    id : global id, thr_ and 12 hexadecimal digits; the same for all versions.
    memory_id : logical id of its memory.
    blocked_by : the threads that it waits for, with their status now.
    first_seen_in, resolved_in, conversation_ids : conversations: where it began, where it was closed, all that mention
        it.
    resolution : how it was closed; None while it is open.
    local_id : what its conversation calls it (T001).
    created_at : when this version was recorded; opened_at : since when the thread is there.
    confidence, evidence, score, redacted : as a decision's.
    """

    id: str
    memory_id: str
    version: int
    title: str
    content: str = ""
    status: ThreadStatus = ThreadStatus.OPEN
    priority: Priority = Priority.MEDIUM
    blocked_by: tuple[Blocker, ...] = ()
    first_seen_in: str | None = None
    resolved_in: str | None = None
    conversation_ids: tuple[str, ...] = ()
    resolution: str | None = None
    project: str = DEFAULT_PROJECT
    tags: tuple[str, ...] = ()
    local_id: str | None = None
    opened_at: datetime
    valid_at: datetime
    created_at: datetime
    confidence: float = 0.5
    evidence: Evidence | None = None
    score: float | None = None
    redacted: int = field(default=0, compare=False)

    @property
    def is_blocked(self) -> bool:
        """Whether it is open and a thread that it waits for is open, too."""
        waits = any(blocker.status is ThreadStatus.OPEN for blocker in self.blocked_by)
        return self.status is ThreadStatus.OPEN and waits
