"""A thread as a memory and back: the composition of its content, and how a record is shown.

The memory is named by the title, and its content ends with how the matter was closed, so that a recall finds it by the
resolution and never shows what is closed as open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from engramforge.core.registries.registration import evidence_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Draft, Kind, Memory, ResolutionState
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import Priority, ThreadStatus
from engramforge.model.registries.thread import Blocker, Thread
from engramforge.model.scope import Scope
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door

PRIORITY: Final = "priority"
BLOCKED_BY: Final = "blocked_by"
RESOLUTION: Final = "resolution"
RESOLVED_IN: Final = "resolved_in"
OPENED_AT: Final = "opened_at"
"""Keys of a thread's details; blockers are logical ids."""

Blockers = Mapping[str, Memory]
"""The threads that others wait for, as they are now, by logical id."""


def thread_draft(
    title: str,
    content: str = "",
    *,
    status: ThreadStatus = ThreadStatus.OPEN,
    priority: Priority = Priority.MEDIUM,
    blocked_by: Sequence[str] = (),
    resolution: str | None = None,
    resolved_in: str | None = None,
    conversation: str | None = None,
    local_id: str | None = None,
    details: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Draft:
    """The draft of a thread, whose content is yet to be composed (`composed`).

    `blocked_by`: logical ids of threads. `details`: further details, such as `evidence`. `fields`: other fields of
    `Draft`.
    """
    said: dict[str, Any] = {**(details or {}), PRIORITY: str(priority)}
    if blocked_by:
        said[BLOCKED_BY] = list(blocked_by)
    if status is not ThreadStatus.OPEN:
        said |= {RESOLUTION: resolution} if resolution else {}
        said |= {RESOLVED_IN: resolved_in} if resolved_in else {}
    registration = Registration(
        entry_id="",
        status=str(status),
        local_id=local_id,
        conversations=() if conversation is None else (conversation,),
        details=said,
    )
    return Draft(
        content=content if content.strip() else title,
        name=title,
        kind=Kind.THREAD,
        session_id=conversation,
        resolution_state=resolution_state(status),
        registration=registration,
        **fields,
    )


def composed(draft: Draft) -> str:
    """The full content of a cleaned draft whose content is that of the open thread."""
    return draft.content + ("" if draft.registration is None else _tail(draft.registration))


def resolution_state(status: ThreadStatus) -> ResolutionState:
    """The resolution state, as every memory has it."""
    return ResolutionState.IN_PROGRESS if status is ThreadStatus.OPEN else ResolutionState.RESOLVED


def body_of(memory: Memory) -> str:
    """The content without how it was closed; all of it if it was written differently."""
    return memory.content.removesuffix(_tail(registration_of(memory))) or memory.content


def title_of(memory: Memory) -> str:
    """The title: the memory's name, else its first line."""
    if memory.name is not None:
        return memory.name
    return next(iter(body_of(memory).strip().splitlines()), "")[:NAME_CHARACTERS]


def content_of(memory: Memory) -> str:
    """The content without the title."""
    body = body_of(memory)
    return "" if body == title_of(memory) else body


def status_of(memory: Memory) -> ThreadStatus:
    """The status of a thread's record."""
    return ThreadStatus(registration_of(memory).status or ThreadStatus.OPEN)


def resolution_of(memory: Memory) -> str | None:
    """How a thread was settled, if that was said."""
    return registration_of(memory).details.get(RESOLUTION)


def blocking_of(memory: Memory) -> tuple[str, ...]:
    """Logical ids of the threads that it waits for."""
    return tuple(map(str, registration_of(memory).details.get(BLOCKED_BY, ())))


def blockers_of(door: Door, scope: Scope, memories: Iterable[Memory]) -> Blockers:
    """The threads that these wait for, as they are now; forgotten ones block nothing."""
    ids = {each for memory in memories for each in blocking_of(memory)}
    found = door.asking(scope).fetch(sorted(ids)) if ids else {}
    return {
        key: memory for key, memory in found.items() if memory.kind is Kind.THREAD and memory.registration
    }


def opened_at(memory: Memory) -> datetime:
    """When the thread was first opened."""
    said = registration_of(memory).details.get(OPENED_AT)
    return memory.valid_at if said is None else datetime.fromisoformat(str(said))


def thread_of(memory: Memory, score: float | None = None, *, blockers: Blockers) -> Thread:
    """A record of a thread as its registry shows it."""
    registration = registration_of(memory)
    details = registration.details
    status = status_of(memory)
    is_open = status is ThreadStatus.OPEN
    waits_for = [blockers[each] for each in blocking_of(memory) if each in blockers]
    return Thread(
        id=registration.entry_id,
        memory_id=memory.logical_id,
        version=memory.version,
        title=title_of(memory),
        content=content_of(memory),
        status=status,
        priority=Priority(details.get(PRIORITY, Priority.MEDIUM)),
        blocked_by=tuple(
            Blocker(registration_of(wait).entry_id, title_of(wait), status_of(wait)) for wait in waits_for
        ),
        first_seen_in=registration.origin,
        resolved_in=None if is_open else details.get(RESOLVED_IN),
        conversation_ids=registration.conversations,
        resolution=None if is_open else resolution_of(memory),
        project=memory.project,
        tags=memory.tags,
        local_id=registration.local_id,
        opened_at=opened_at(memory),
        valid_at=memory.valid_at,
        created_at=memory.created_at,
        confidence=memory.confidence,
        evidence=evidence_of(registration),
        score=score,
        redacted=memory.redacted,
    )


def _tail(registration: Registration) -> str:
    """How a closed thread's content ends."""
    status = registration.status
    if not status or status == ThreadStatus.OPEN:
        return ""
    resolution = registration.details.get(RESOLUTION)
    return f"\n\n{status.capitalize()}: {resolution}" if resolution else f"\n\n{status.capitalize()}."


class ThreadReading(EntryReading[Thread]):
    """Finds and shows threads."""

    kind = Kind.THREAD

    def _view(self, scope: Scope, memories: Sequence[Memory]) -> Callable[[Memory, float | None], Thread]:
        return partial(thread_of, blockers=blockers_of(self.door, scope, memories))
