"""What a change assumes of a memory is checked before and inside its transaction; what an undo puts back of its use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engramforge.errors import Conflict, InvalidTime, NotFound, PlanOutdated
from engramforge.model.memory import Memory
from engramforge.model.storing.effect import Use, UseChange
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


def use_again(
    writes: Transaction, uses: Sequence[UseChange], *, is_strict: bool
) -> list[tuple[str, Use, Use]]:
    """Restore how entries were used, except where they were used again since; returns what changed.

    `is_strict`: raise Conflict for such an entry instead of passing it over.
    """
    standing = writes.fetch({each.memory_id for each in uses}) if uses else {}
    changed: list[tuple[str, Use, Use]] = []
    for use in uses:
        there = standing.get(use.memory_id)
        now = None if there is None or there.expired_at is not None else there.registration
        is_as_left = now is not None and (use.before == use.after or Use.of(now) == use.after)
        if there is None or now is None or not is_as_left:
            if is_strict:
                raise Conflict(
                    f"What was validated, {use.memory_id}, was changed or used since",
                    "Look at its history, then validate or revise it as it should be",
                )
            continue
        after = use.before.put(now) if use.before != use.after else now
        mentions = dict.fromkeys((*now.conversations, *use.unmentioned))
        after = replace(after, conversations=tuple(each for each in mentions if each not in use.mentioned))
        writes.note_use(there, after)
        standing[use.memory_id] = replace(there, registration=after)
        changed.append((use.memory_id, Use.of(now), Use.of(after)))
    return changed


def hold_heads(writes: Transaction, heads: Mapping[str, Memory]) -> None:
    """Raise Conflict if a memory's current record is not the one that was read."""
    standing = writes.fetch(heads) if heads else {}
    for logical_id, head in heads.items():
        there = standing.get(logical_id)
        if there is None or (there.id, there.expired_at) != (head.id, head.expired_at):
            raise Conflict(
                f"The memory {logical_id} changed meanwhile",
                "Look at its history, then undo again if you still want to",
            )
