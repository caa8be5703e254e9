"""What is told of topics beside what they are: which fit a question, their parts, their river, how a project stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from engramforge.model.spaces import Space
from engramforge.model.topics.topic import Topic

if TYPE_CHECKING:
    from engramforge.model.memory import Memory


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """A topic that fits a question.

    `score`: 0..1: the share of what is nearest to the question that is of it, and a tenth for words of its name.
    `nearest`: up to three of its memories, nearest first.
    """

    topic: Topic
    score: float
    nearest: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class TopicPart:
    """What lies closer together within a topic: its name, how many memories it has, and the one in its middle."""

    name: str
    size: int
    middle: Memory


@dataclass(frozen=True, slots=True)
class TopicPlace:
    """Where a topic lies on a map: x and y, each -1..1; near to topics of like meaning."""

    topic: Topic
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TopicRiver:
    """How many memories became true in each of some spans of equal length, by topics.

    `begins`: when each span begins. `counts`: of each topic, the largest first. `others`: of all other topics together.
    """

    begins: tuple[datetime, ...]
    end: datetime
    topics: tuple[Topic, ...]
    counts: tuple[tuple[int, ...], ...]
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTier:
    """What the size of a project gives.

    Parameters
    ----------
    memories : how many there are, by which `tier`, 0 to 6, `has` what it has.
    next_at, next_has : from how many memories on the next tier is reached, and what it adds; None and "" at the last.
    """

    project: str
    memories: int
    tier: int
    has: str
    next_at: int | None
    next_has: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStanding(TopicTier):
    """How the topics of a project stand, beside what its size gives.

    Parameters
    ----------
    topics : how many stand. of_none : memories of no topic.
    clustered_at : when everything was clustered last; None before.
    churn, entropy : as of then; None for who does not see every memory of the project.
    waiting, waiting_since : memories that were never clustered, and since when the first of them waits.
    is_late : whether that is longer ago than a day, where there are enough memories for topics.
    is_outdated : whether an encoder changed since.
    failed_at, fault : when the last update failed, and by what; None and "" where it did not.
    space_weights : from 500 memories on: how much each space counts by what was used of what was shown, 1 for what is
        usual; empty where too little is known.
    """

    topics: int
    of_none: int
    clustered_at: datetime | None = None
    churn: float | None = 0.0
    entropy: float | None = 0.0
    waiting: int = 0
    waiting_since: datetime | None = None
    is_late: bool = False
    is_outdated: bool = False
    failed_at: datetime | None = None
    fault: str = ""
    space_weights: Mapping[Space, float] = field(default_factory=dict)
