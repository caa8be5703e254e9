"""When a link RESOLVED_BY resolves the memory at which it begins, and why it leaves it open."""

from __future__ import annotations

from datetime import datetime

from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import ALL_LEVELS
from engramforge.model.time import just_after


def resolved_from(memory: Memory, link: Link) -> datetime:
    """Since when a memory is resolved: since the link holds; where its version became true then or later, right after
    that."""
    return just_after(memory.valid_at, link.valid_at)


def stands(memory: Memory, now: datetime) -> bool:
    """Whether a memory is on record, was not ended, and holds already."""
    return memory.expired_at is None and memory.invalidation_reason is None and memory.valid_at <= now


def why_open(memory: Memory, by: Memory, link: Link, now: datetime) -> str | None:
    """Why a link does not resolve a memory that stands and is open; None where it does. `by`: where the link leads."""
    if link.valid_at > now:
        return f"the link holds only from {link.valid_at:%Y-%m-%d}; when that has come, revise it"
    if link.invalid_at is not None and link.invalid_at <= now:
        return f"the link held only until {link.invalid_at:%Y-%m-%d}"
    # Whoever sees that it is resolved sees by what.
    if ALL_LEVELS.index(memory.level) > ALL_LEVELS.index(by.level):
        return f"it is {memory.level}, and what resolves it is {by.level}; link it to what all see who see it"
    if by.expired_at is not None or by.invalidation_reason is not None:
        return "what would resolve it was invalidated"
    if by.valid_at > now:
        return f"what resolves it holds only from {by.valid_at:%Y-%m-%d}; when that has come, revise it"
    if memory.invalid_at is not None and memory.invalid_at <= resolved_from(memory, link):
        return f"it held only until {memory.invalid_at:%Y-%m-%d}"
    return None
