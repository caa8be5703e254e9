"""The records of one memory read as its history: beliefs, closing records, what held at a point.

A version's first record is the version itself; every later record of the same version is a closing record, which says
until when it held.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from engramforge.errors import InvalidTime
from engramforge.model.memory import Memory
from engramforge.model.timeline import Change, Turn


def beliefs_of(records: Iterable[Memory]) -> list[Memory]:
    """The first record of each version of one memory, in the order in which they came on record."""
    first: dict[int, Memory] = {}
    for record in sorted(records, key=_age):
        first.setdefault(record.version, record)
    return sorted(first.values(), key=_age)


def is_closing(record: Memory, records: Iterable[Memory]) -> bool:
    """Whether a record of a memory is a closing record: an earlier one of its version is among the memory's."""
    return any(other.version == record.version and other.created_at < record.created_at for other in records)


def next_version(records: Iterable[Memory]) -> int:
    """The number that the next version of a memory takes."""
    return max((record.version for record in records), default=0) + 1


def holds_at(record: Memory, valid: datetime, recorded: datetime) -> bool:
    """Whether a record counts at a point of both axes; intervals are half-open."""
    return (
        record.valid_at <= valid
        and (record.invalid_at is None or valid < record.invalid_at)
        and record.created_at <= recorded
        and (record.expired_at is None or recorded < record.expired_at)
    )


def changes_of(records: Sequence[Memory]) -> list[Change]:
    """Every turn of one memory's records, newest first; on the valid axis only those on record now."""
    found: list[Change] = []
    for record in records:
        closing = is_closing(record, records)
        found.append(Change(record.created_at, Turn.END_RECORDED if closing else Turn.RECORDED, record))
        if record.expired_at is not None:
            found.append(Change(record.expired_at, Turn.EXPIRED, record))
            continue
        found.append(Change(record.valid_at, Turn.BECAME_TRUE, record))
        if record.invalid_at is not None:
            found.append(Change(record.invalid_at, Turn.CEASED, record))
    return sorted(found, key=lambda change: (change.at, list(Turn).index(change.turn)), reverse=True)


def check_apart(memory: Memory, others: Iterable[Memory]) -> None:
    """Raise InvalidTime if a record about to be written overlaps another open record of its memory in valid time.

    At any time at most one version of a memory is true.
    """
    for other in others:
        if other.expired_at is not None or other.id == memory.id:
            continue
        begins_before_end = other.invalid_at is None or memory.valid_at < other.invalid_at
        if begins_before_end and (memory.invalid_at is None or other.valid_at < memory.invalid_at):
            end = "on" if memory.invalid_at is None else f"until {memory.invalid_at.isoformat()}"
            until = "now on" if other.invalid_at is None else f"until {other.invalid_at.isoformat()}"
            raise InvalidTime(
                f"The time from {memory.valid_at.isoformat()} {end} meets version {other.version}, "
                f"which holds from {other.valid_at.isoformat()} {until}",
                "At any time one version holds: correct that version's times first, or give others",
            )


def _age(record: Memory) -> tuple[datetime, int, str]:
    # A version and the closing record of the one before it come at one moment.
    return record.created_at, record.version, record.id
