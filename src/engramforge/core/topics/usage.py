"""How a memory was used: its importance, how active it was of late, and how often it was of use when it was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from engramforge.core.topics.importance import activity_of, damped, importance, use_rate
from engramforge.model.memory import Memory
from engramforge.model.search.hit import Hit
from engramforge.model.topics.usage import Usage


def importance_of(memory: Memory, now: datetime) -> float:
    """The importance of a memory, 0..2.2."""
    return importances([memory], now)[0]


def importances(memories: Sequence[Memory], now: datetime) -> list[float]:
    """The importance of memories that are compared, each 0..2.2: none counts a burst for more than its bound."""
    counts = damped([each.access_count for each in memories])
    return [importance(count, _days(each, now)) for each, count in zip(memories, counts, strict=True)]


def _days(memory: Memory, now: datetime) -> float:
    opened_at = memory.last_accessed_at
    return 0.0 if opened_at is None else max((now - opened_at) / timedelta(days=1), 0.0)


def usage_of(memory: Memory, times: Sequence[datetime], now: datetime) -> Usage:
    """How a memory was used. `times`: when it was opened, as far as that is known beside the last time."""
    last = memory.last_accessed_at
    known = [*times, *([last] if last is not None and last not in times else [])][-memory.access_count :]
    return Usage(
        importance=importance_of(memory, now),
        activity=activity_of(known, now) if memory.access_count else 0.0,
        use_rate=use_rate(memory.access_count, memory.exposure_count),
        opened=memory.access_count,
        shown=memory.exposure_count,
        opened_at=last,
    )


def with_usage(hits: Sequence[Hit], now: datetime) -> tuple[Hit, ...]:
    """Hits with how those were used that somebody opened."""
    return tuple(
        replace(each, usage=usage_of(each.memory, (), now)) if each.memory.access_count else each
        for each in hits
    )
