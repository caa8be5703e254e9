"""What matters most in a conversation when an archive has no room for all of it.

    critical   active decisions with a rationale; open threads of high priority
    high       other active decisions; open threads of medium priority
    medium     open threads of low priority; artefacts
    low        decisions and threads that ended; the conversation itself

Within a rank surer decisions come before less sure ones, and what depends on nothing else stays in its order.
"""

from __future__ import annotations

from enum import IntEnum

from engramforge.model.registries.archive import ArchivedDecision, ArchivedThread
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus


class Rank(IntEnum):
    """How much a part of an archive matters; the least number matters most."""

    CRITICAL = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3


_OF_THREADS = {Priority.HIGH: Rank.CRITICAL, Priority.MEDIUM: Rank.HIGH, Priority.LOW: Rank.MEDIUM}


def rank_of(entry: ArchivedDecision | ArchivedThread) -> Rank:
    """The rank of an entry."""
    if isinstance(entry, ArchivedThread):
        return _OF_THREADS[entry.priority] if entry.status is ThreadStatus.OPEN else Rank.LOW
    if entry.status is not DecisionStatus.ACTIVE:
        return Rank.LOW
    return Rank.CRITICAL if entry.rationale.strip() else Rank.HIGH


def importance_of(entry: ArchivedDecision | ArchivedThread) -> tuple[int, float]:
    """By which entries are ordered, what matters most first."""
    return rank_of(entry), -getattr(entry, "epistemic_tier", 1.0)
