"""Reading the registry of lineage: edges by id and filters, and the path to and from a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from engramforge.errors import NotFound
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import CompressionMode, Direction, LineageEdge, StoredEdge
from engramforge.model.scope import Scope
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.registered import registration_of

LONGEST = 100_000
"""The most edges that are read for a whole path."""


class LineageReading(EntryReading[LineageEdge]):
    """Finds and shows lineage edges."""

    kind = Kind.LINEAGE

    def _view(self, _scope: Scope, _edges: Sequence[Memory]) -> Callable[[Memory, float | None], LineageEdge]:
        return edge_of

    def recorded(self, scope: Scope, edge_id: str | None) -> Memory | None:
        """The edge that a compression recorded under this global id; None where the store has none that stands."""
        if not edge_id:
            return None
        query = EntryQuery(kind=Kind.LINEAGE, entry_ids=(edge_id,), limit=1)
        return next(iter(self.door.asking(scope).entries(query)), None)

    def trace(self, scope: Scope, conversation: str, direction: Direction, limit: int) -> list[LineageEdge]:
        """The edges that lead to a conversation and on from it, the oldest ancestor's first; a query each way.

        `limit`: of each way; the nearest are kept.
        """
        found: list[Any] = []
        if direction is not Direction.DESCENDANTS:
            found += reversed(self.door.asking(scope).lineage(conversation, backward=True, limit=limit))
        if direction is not Direction.ANCESTORS:
            found += self.door.asking(scope).lineage(conversation, backward=False, limit=limit)
        # Replaced in place, so that the raw rows are freed at once: keeping a long chain twice triggers the garbage
        # collector.
        for place, each in enumerate(found):
            found[place] = edge_of(each)
        return found

    def way(self, scope: Scope, source: str, target: str) -> list[LineageEdge]:
        """The shortest path from a conversation to one that continues it; of several edges the newest.

        Raises NotFound where there is none.
        """
        back = [
            edge_of(edge) for edge in self.door.asking(scope).lineage(target, backward=True, limit=LONGEST)
        ]
        nearest = _nearest(back, target)
        if source not in nearest or source == target:
            raise self._apart(scope, source, target)
        leaving: dict[str, list[LineageEdge]] = {}
        for edge in back:
            leaving.setdefault(edge.source_conversation_id, []).append(edge)
        way: list[LineageEdge] = []
        here = source
        while here != target:
            best = min(
                leaving[here],
                key=lambda edge: (nearest[str(edge.target_conversation_id)], -edge.compressed_at.timestamp()),
            )
            way.append(best)
            here = str(best.target_conversation_id)
        return way

    def _apart(self, scope: Scope, source: str, target: str) -> NotFound:
        other = self.door.asking(scope).lineage(source, backward=True, limit=LONGEST)
        if any(edge_of(edge).source_conversation_id == target for edge in other):
            return NotFound(
                f"The conversation {target!r} does not go on from {source!r}, but the other way round",
                f"Ask for the bridge from {target!r} to {source!r}",
            )
        return NotFound(
            f"No lineage leads from the conversation {source!r} to {target!r}",
            "Trace one of them to see what it is linked to, or link them",
        )


def _nearest(back: list[LineageEdge], target: str) -> dict[str, int]:
    """The number of edges between each conversation and the target."""
    into: dict[str, list[str]] = {}
    for edge in back:
        into.setdefault(str(edge.target_conversation_id), []).append(edge.source_conversation_id)
    far = {target: 0}
    wave, distance = [target], 0
    while wave:
        distance += 1
        wave = list(dict.fromkeys(each for here in wave for each in into.get(here, ()) if each not in far))
        far.update(dict.fromkeys(wave, distance))
    return far


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
