"""Topics: what memories of a project are about, as they gather; their past, and how they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from engramforge.model.spaces import REGISTRY
from engramforge.model.time import TimeRange
from engramforge.model.topics.dream import DREAMS
from engramforge.model.topics.shift import SHIFTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT: Final = "topics/"
"""How the name of the mark of a project begins that keeps what upkeep knows of its topics."""
FEATURES: Final = "topic-features/"
"""How the name of the mark of a project begins that keeps of a clustering what new memories join by. It is made of
memories, so a forget removes it."""
FAILED: Final = "topic-failed"
"""The mark that says when and why an update failed last; none where it did not."""
ARMS: Final = "topic-arms/"
"""How the name of the mark of a project begins that keeps how often memories of each topic were used, and not, when
they were shown."""
TOPIC_MARKS: Final = (KEPT, FEATURES, FAILED, ARMS, DREAMS, SHIFTS)
"""They name memories, clusters and work of this very store, so nothing takes them elsewhere."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Three memories and more that cluster together in several spaces at once (spec chapter 8).

    Parameters
    ----------
    id, project : UUID text, and the project whose memories gather in it.
    name : its distinctive words; empty where it has to be found again.
    size : how many of its memories the scope sees.
    first_at, last_at : since when the first, and the last, of these is true.
    created_at, expired_at : when it was found, and when it was no more; None while it stands.
    merged_into : the topic that it went into; None where it did not.
    agreement : mean of its pairs that agree enough, 2.5..8.5.
    profile : strength in each of the thirteen spaces, in the registry's order, 0..1.
    membership_stability, centroid_stability : against the clustering before, 0..1; 1 without one.
    phase : emerging, stable, declining or merging.
    activity : memories of late, those of seven days ago half.
    trend : rising, steady, falling, or quiet where too little came; empty where its project has fewer than a hundred
        memories, and for another time than now.
    accesses : how often its memories were opened. exposures : how often they were shown. used : how often they were
        opened of these, of each memory at most as often as it was shown.
    """

    id: str
    project: str
    name: str
    size: int
    first_at: datetime
    last_at: datetime
    created_at: datetime
    expired_at: datetime | None = None
    merged_into: str | None = None
    agreement: float = 0.0
    profile: tuple[float, ...] = ()
    membership_stability: float = 1.0
    centroid_stability: float = 1.0
    phase: str = "emerging"
    activity: float = 0.0
    accesses: int = 0
    trend: str = ""
    exposures: int = 0
    used: int = 0

    @property
    def confidence(self) -> float:
        """How sure it is, 0..1: its agreement over that of all spaces, 8.5."""
        return self.agreement / sum(row.topic_weight for row in REGISTRY)


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """Which topics are asked for.

    Parameters
    ----------
    project : of which project; None for all in scope.
    valid : only those with memories that became true in this range, counted by these alone; None for all.
    recorded_at : as it was known then; None for now.
    limit : the most; None for all.
    """

    project: str | None = None
    valid: TimeRange | None = None
    recorded_at: datetime | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic as it is written. `agent`: whose words the name may have; None: words that everybody in the project sees.
    `details`: numbers, as of `Topic`."""

    id: str
    name: str
    agent: str | None
    created_at: datetime
    expired_at: datetime | None = None
    merged_into: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, topic: Topic, name: str, agent: str | None) -> TopicRow:
        """A topic that stands, as it is, under a name."""
        details = {
            "agreement": topic.agreement,
            "profile": list(topic.profile),
            "membership_stability": topic.membership_stability,
            "centroid_stability": topic.centroid_stability,
            "phase": topic.phase,
            "activity": topic.activity,
        }
        return cls(topic.id, name, agent, topic.created_at, details=details)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The current memories of a project and the topics that they are of.

    `positions`: int64, shape (n,). `labels`: int32, shape (n, spaces), or -1 throughout where a memory was never
    clustered; `is_clustered`: bool, shape (n,). `topics`: id of each one's topic, None for none. `agreements`: float64,
    shape (n,), 0 without a topic.
    """

    positions: NDArray[np.int64]
    labels: NDArray[np.int32]
    is_clustered: NDArray[np.bool_]
    topics: tuple[str | None, ...]
    agreements: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClusteringReport:
    """What an update of a project's topics did.

    `batch`: whether everything was clustered anew. `memories`: how many took part, `fresh` of them for the first
    time. `topics`: how many stand; `kept`, `found`, `ended`: how many of before go on, are new, are no more.
    `unclustered`: memories of no topic. `churn`, `entropy`: 0..1, None for who does not see every memory of the
    project. `seconds`: how long it took.
    """

    project: str
    batch: bool
    memories: int
    fresh: int
    topics: int
    kept: int
    found: int
    ended: int
    unclustered: int
    churn: float | None
    entropy: float | None
    seconds: float
