"""The words of the registries: statuses, priorities, and what may be asked of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from engramforge.model.memory import Kind

ENTRY_PREFIXES: Final = {
    Kind.DECISION: "dec_",
    Kind.THREAD: "thr_",
    Kind.LINEAGE: "lin_",
    Kind.ARCHIVE: "arc_",
    Kind.FLAG: "flg_",
}
"""Kind -> how its global ids begin; 12 hexadecimal digits follow."""


class DecisionStatus(StrEnum):
    """How a decision stands; all but active have ended."""

    ACTIVE = "active"
    REVISED = "revised"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"


PROPOSED: Final = "proposed"
"""Tag of a decision that nobody has accepted yet."""
REJECTED: Final = "rejected"
"""Tag of a decision against something: it holds, and nothing of it is to be done."""


def standing_of(status: str, tags: Iterable[str]) -> str:
    """How a decision stands, in a word for people: its status, or that it is only proposed so far, or rejects
    something."""
    if status != DecisionStatus.ACTIVE:
        return status
    return next((tag for tag in (REJECTED, PROPOSED) if tag in tags), status)


class ThreadStatus(StrEnum):
    """How a thread stands."""

    OPEN = "open"
    RESOLVED = "resolved"
    SUPERSEDED = "superseded"
    ABANDONED = "abandoned"


STANDING: Final = (DecisionStatus.ACTIVE, ThreadStatus.OPEN)
"""How entries stand that have not ended."""


class Priority(StrEnum):
    """How much a thread matters; archives keep high before medium before low."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ReviewStatus(StrEnum):
    """How a detection that waits for review stands; dropped: too many surer ones wait in its project."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence and message that a detection came from.

    `sentence`: as it stands in the message. `message_id`: logical id of the message's memory. `rule`: name of the rule,
    or of the model, that found it.
    """

    sentence: str
    message_id: str
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryQuery:
    """Which entries of a registry are asked for; every filter that is given has to hold.

    Parameters
    ----------
    entry_ids, local_ids, statuses : one of these; empty for all.
    conversations : entries that one of these mentions; of lineage edges, those that begin there.
    continuations : lineage edges that go on in one of these.
    tags, without_tags : every one of these; none of these.
    stale : active decisions that are stale by this rule.
    ended : also what ended (superseded, invalidated): then the last record of each; otherwise what stands.
    longest_unvalidated_first : by `last_validated`, oldest first.
    urgent_first : threads by priority, high before medium before low, then oldest first. Without an order newest first
        by valid time.
    """

    kind: Kind
    entry_ids: tuple[str, ...] = ()
    local_ids: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    continuations: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    stale: StaleRule | None = None
    ended: bool = False
    limit: int = 1_000
    offset: int = 0
    longest_unvalidated_first: bool = False
    urgent_first: bool = False


STALE_DAYS: Final = 30
"""How many days without validation make a decision of low tier stale."""
STALE_TIER: Final = 0.7
"""The highest tier that age makes stale."""
STALE_HOPS: Final = 3
"""How many archives make a decision stale, whatever its tier."""


@dataclass(frozen=True, slots=True)
class StaleRule:
    """Stale is what has tier <= max_tier and was last validated at `before` or earlier, or has hops >= this."""

    before: datetime
    max_tier: float = STALE_TIER
    hops: int = STALE_HOPS

    @classmethod
    def usual(cls, now: datetime) -> Self:
        """The rule where nobody asked for another."""
        return cls(now - timedelta(days=STALE_DAYS))

    def is_met(self, tier: float, last_validated: datetime, hops: int) -> bool:
        """Whether an active decision of this tier, validation and number of archives is stale."""
        return hops >= self.hops or (last_validated <= self.before and tier <= self.max_tier)
