"""A lineage edge as a memory and back: the composition of its content, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.lineage import CompressionMode, LineageEdge, StoredEdge
from engramforge.registries.registered import registration_of

TAG: Final = "compression_tag"
MODE: Final = "compression_mode"
COMPRESSED_AT: Final = "compressed_at"
TURN_RANGE: Final = "turn_range"
DECISIONS_CARRIED: Final = "decisions_carried"
DECISIONS_DROPPED: Final = "decisions_dropped"
THREADS_CARRIED: Final = "threads_carried"
THREADS_RESOLVED: Final = "threads_resolved"
LOCAL_IDS: Final = "local_ids"
ARCHIVE: Final = "archive_id"
"""Keys of an edge's details, all but the mode and the time left out where they are empty; entries are named by their
global ids."""
EdgeRecord = Memory | StoredEdge
"""What an edge is shown from."""


def edge_draft(
    source: str, target: str | None, details: Mapping[str, Any], bridge_summary: str, **fields: Any
) -> Draft:
    """The draft of an edge; `fields` are other fields of `Draft`."""
    registration = Registration(
        entry_id="", conversations=(source,), continuation=target, details=dict(details)
    )
    return Draft(
        content=edge_content(source, target, bridge_summary),
        name=details.get(TAG),
        kind=Kind.LINEAGE,
        registration=registration,
        **fields,
    )


def edge_content(source: str, target: str | None, bridge_summary: str) -> str:
    """The content of an edge's memory: the conversations that it connects, and what changed."""
    said = _head(source, target)
    return f"{said}\n\n{bridge_summary}" if bridge_summary.strip() else said


def bridge_summary_of(memory: EdgeRecord) -> str:
    """What changed on the way; all of the content if it was written differently."""
    said = _head(source_of(memory), _stored(memory).continuation)
    content = memory.content
    return content[len(said) :].removeprefix("\n\n") if content.startswith(said) else content


def source_of(memory: EdgeRecord) -> str:
    """The conversation that was compressed."""
    return _stored(memory).source or ""


def _stored(memory: EdgeRecord) -> StoredEdge:
    """What an edge is made of."""
    if isinstance(memory, StoredEdge):
        return memory
    its = registration_of(memory)
    place = (memory.logical_id, memory.project, memory.content, memory.valid_at)
    return StoredEdge(*place, its.entry_id, its.origin, its.continuation, its.details)


def edge_of(memory: EdgeRecord, score: float | None = None) -> LineageEdge:
    """A record of an edge as its registry shows it."""
    stored = _stored(memory)
    details = stored.details
    said_at = details.get(COMPRESSED_AT)
    turns: Sequence[int] | None = details.get(TURN_RANGE)
    return LineageEdge(
        id=stored.entry_id,
        memory_id=stored.logical_id,
        source_conversation_id=source_of(stored),
        target_conversation_id=stored.continuation,
        compression_tag=details.get(TAG, ""),
        compression_mode=CompressionMode(details.get(MODE, CompressionMode.LOSSLESS)),
        compressed_at=stored.valid_at if said_at is None else datetime.fromisoformat(said_at),
        turn_range=None if turns is None else (turns[0], turns[1]),
        decisions_carried=tuple(details.get(DECISIONS_CARRIED, ())),
        decisions_dropped=tuple(details.get(DECISIONS_DROPPED, ())),
        threads_carried=tuple(details.get(THREADS_CARRIED, ())),
        threads_resolved=tuple(details.get(THREADS_RESOLVED, ())),
        local_ids=dict(details.get(LOCAL_IDS, {})),
        project=stored.project,
        bridge_summary=bridge_summary_of(stored),
        archive_id=details.get(ARCHIVE),
        score=score,
        redacted=memory.redacted if isinstance(memory, Memory) else 0,
    )


def _head(source: str, target: str | None) -> str:
    return f"{source} goes on in {target}." if target is not None else f"{source} was compressed."
