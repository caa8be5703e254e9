"""Checks that a memory is in the state that a change assumes, before and inside its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from engramforge.errors import Conflict, InvalidTime, NotFound, PlanOutdated
from engramforge.model.memory import Memory
from engramforge.model.time import utc
from engramforge.store.door import Transaction


def check_standing(memory: Memory, expected_version: int | None) -> None:
    """Raise Conflict if a memory is not at the expected version, or has ended."""
    if expected_version is not None and memory.version != expected_version:
        raise Conflict(
            f"The memory {memory.logical_id} is at version {memory.version}, not {expected_version}",
            "Read it again, then repeat the change on what it says now",
        )
    if memory.expired_at is not None or memory.invalidation_reason is not None:
        ended = memory.invalid_at or memory.expired_at
        raise Conflict(
            f"The memory {memory.logical_id} already ended"
            + (f" at {ended.isoformat()}" if ended is not None else ""),
            "Remember a new one, which may say what holds now; revise with invalid_at corrects until when it "
            "held",
        )


def check_change_time(old: Memory, at: datetime) -> None:
    """Raise InvalidTime when a version cannot have ended at this time."""
    if at <= old.valid_at:
        raise InvalidTime(
            f"The time of change {at.isoformat()} is not after {old.valid_at.isoformat()}, when version "
            f"{old.version} became true",
            "Give a later time. If it was true before, say since when first (revise --valid-at TIME; valid_at in "
            "Python and MCP), then supersede",
        )
    if old.invalid_at is not None and at > old.invalid_at:
        raise InvalidTime(
            f"The time of change {at.isoformat()} is after {old.invalid_at.isoformat()}, when version "
            f"{old.version} already ended",
            "Give an earlier time, or remember a new memory",
        )


def hold(
    writes: Transaction, old: Memory, expected_version: int | None, others: Sequence[Memory] = ()
) -> None:
    """Check again inside the transaction, where nobody else can intervene.

    `old`: the record to change: it must still be the current one of its memory. `others`: open records of the same
    memory that the change was checked against: they must still be open.
    """
    there = writes.fetch([old.logical_id]).get(old.logical_id)
    if there is None:
        raise forgotten(old)
    check_standing(there, expected_version)
    if there.id != old.id:
        raise Conflict(
            f"The memory {old.logical_id} changed meanwhile, to version {there.version}",
            "Read it again, then repeat the change on what it says now",
        )
    hold_open(writes, others)


def hold_open(writes: Transaction, records: Sequence[Memory]) -> None:
    """Raise Conflict if any of these records has left the record since it was read."""
    standing = writes.fetch([record.id for record in records]) if records else {}
    for record in records:
        there = standing.get(record.id)
        if there is None:
            raise forgotten(record)
        if there.expired_at is not None:
            raise Conflict(
                f"Version {record.version} of the memory {record.logical_id} was changed meanwhile, at "
                f"{there.expired_at.isoformat()}",
                "Read its history again, then repeat the change on what it says now",
            )


def hold_sources(writes: Transaction, sources: Iterable[str]) -> None:
    """Keep what a write repeats from being forgotten until its end; called before anything is written, since the words
    of a write that is refused later stay in the files. Raises PlanOutdated where a source was forgotten meanwhile."""
    try:
        writes.hold(list(dict.fromkeys(sources)))
    except NotFound as error:
        raise PlanOutdated(error.fault, "Repeat the call") from error


def check_among(head: Memory, records: Sequence[Memory]) -> None:
    """Raise Conflict if the open records, read after the head, no longer include it: somebody else intervened."""
    if head.expired_at is not None or any(record.id == head.id for record in records):
        return
    if not records:
        raise forgotten(head)
    raise Conflict(
        f"The memory {head.logical_id} changed meanwhile, to version {max(record.version for record in records)}",
        "Read it again, then repeat the change on what it says now",
    )


def check_recorded(old: Memory, recorded_at: datetime | None, now: datetime) -> datetime | None:
    """The recorded time of an imported change; InvalidTime when it cannot have been recorded then."""
    recorded = utc(recorded_at, "recorded_at")
    if recorded is None:
        return None
    if recorded <= old.created_at:
        raise InvalidTime(
            f"recorded_at {recorded.isoformat()} is not after {old.created_at.isoformat()}, when version "
            f"{old.version} was recorded",
            "Import changes in the order in which they were recorded, or leave recorded_at out",
        )
    if recorded > now:
        raise InvalidTime(
            f"recorded_at {recorded.isoformat()} lies in the future (now is {now.isoformat()})",
            "Give the time at which it was recorded, or leave it out",
        )
    return recorded


def forgotten(memory: Memory) -> NotFound:
    """The error for a memory that was there a moment ago."""
    return NotFound(
        f"The memory {memory.logical_id} was forgotten meanwhile", "Remember it again if it should stay"
    )
