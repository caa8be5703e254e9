"""What a message did, as its writer is told; and what a waiting detection is about. Nothing is read or written here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engramforge.core.detection.proposal import detection_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Act, Consequence, NamedEntry
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import title_of
from engramforge.writing.version_change import VersionChange

STANDING: Final = (DecisionStatus.ACTIVE, ThreadStatus.OPEN)
"""How entries stand that have not ended."""


def consequences_of(changes: Sequence[VersionChange]) -> tuple[Consequence, ...]:
    """What changes did to entries, in their order, and each entry once: as the last of its changes left it."""
    made = {
        change.memory.logical_id for change in changes if change.replaced is None and change.ended is None
    }
    last = {change.memory.logical_id: change.memory for change in changes}
    return tuple(
        Consequence(act=_act(memory, is_new=logical_id in made), **_fields(memory))
        for logical_id, memory in last.items()
    )


def left_standing(memories: Sequence[Memory]) -> tuple[Consequence, ...]:
    """Entries that stand although the message that they were read from says them no more."""
    return tuple(Consequence(act=Act.LEFT, **_fields(memory)) for memory in memories)


def named_entry(memory: Memory) -> NamedEntry:
    """An entry, or a detection that waits, in short."""
    return NamedEntry(**_fields(memory))


def _act(memory: Memory, *, is_new: bool) -> Act:
    if memory.kind is Kind.FLAG:
        return Act.WAITS
    if is_new:
        return Act.MADE
    has_ended = memory.kind is not Kind.LINEAGE and registration_of(memory).status not in STANDING
    return Act.ENDED if has_ended else Act.CHANGED


def _fields(memory: Memory) -> dict[str, Any]:
    registration = registration_of(memory)
    said = {"kind": str(memory.kind), "text": memory.content, "status": registration.status}
    if memory.kind is Kind.DECISION:
        said["text"] = decision_text(memory)
    elif memory.kind is Kind.THREAD:
        said["text"] = title_of(memory)
    elif memory.kind is Kind.FLAG:
        proposal = detection_of(registration.details["proposal"])
        said |= {"kind": str(proposal.kind), "status": proposal.status}
    return {**said, "id": registration.entry_id, "local_id": registration.local_id}
