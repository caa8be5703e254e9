"""The queue of a project's review holds only the surest detections, so that somebody can review it.

What persons of conversations said comes before what stands in texts, however sure its wording is: it is likelier
theirs. What is less sure gives way: a new one is not written, an older one is closed as dropped and does not wait
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import EntryQuery, ReviewStatus
from engramforge.model.scope import Scope
from engramforge.registries.detected.consequences import DetectedWrite
from engramforge.registries.registered import registration_of
from engramforge.writing.changes import VersionChanges
from engramforge.writing.version_change import VersionChange

MOST_WAITING: Final = 20
"""How many detections wait in a project (spec chapter 3)."""
_LOOKED_AT: Final = 1_000


def keep_surest(
    changes: VersionChanges, scope: Scope, writes: Sequence[DetectedWrite], now: datetime
) -> None:
    """Take from writes that are planned what would wait past the surest of its project, and close what they replace."""
    added: dict[str, list[tuple[DetectedWrite, VersionChange]]] = {}
    for write in writes:
        for change in write.changes:
            if _waits(change.memory) and change.replaced is None:
                added.setdefault(change.memory.project, []).append((write, change))
    for project, new in added.items():
        query = EntryQuery(kind=Kind.FLAG, statuses=(str(ReviewStatus.PENDING),), limit=_LOOKED_AT)
        there = changes.door.asking(scope.within(project)).entries(query)
        old = [flag for flag in there if "proposal" in registration_of(flag).details]
        # Equally sure ones stay in the order in which they came.
        ranked = sorted(
            [*((None, flag) for flag in reversed(old)), *((each, each[1].memory) for each in new)],
            key=lambda pair: surest_first(pair[1]),
        )
        for planned, flag in ranked[MOST_WAITING:]:
            if planned is not None:
                _leave_out(*planned)
                continue
            dropped = replace(registration_of(flag), status=str(ReviewStatus.DROPPED))
            new[-1][0].changes.append(changes.closed(flag, now, registration=dropped))


def surest_first(flag: Memory) -> tuple[bool, float]:
    """The key by which detections are sorted: what persons said first, then by confidence."""
    registration = registration_of(flag)
    speaker = registration.details.get("proposal", {}).get("speaker")
    return registration.origin is None or speaker == "assistant", -flag.confidence


def _waits(memory: Memory) -> bool:
    return memory.kind is Kind.FLAG and registration_of(memory).status == ReviewStatus.PENDING


def _leave_out(write: DetectedWrite, change: VersionChange) -> None:
    write.changes.remove(change)
    write.links[:] = [link for link in write.links if link.source_id != change.memory.logical_id]
