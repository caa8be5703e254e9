"""The shapes of topics, of what an update of them did, and of dreams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.shape import Shape
from engramforge.model.search.hit import Recall
from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE
from engramforge.model.topics.dream import DreamReport, DreamStep
from engramforge.model.topics.shift import ActivityShift
from engramforge.model.topics.told import TopicMatch, TopicPart, TopicStanding
from engramforge.model.topics.topic import ClusteringReport, Topic


@dataclass(frozen=True, slots=True)
class TopicView(Shape[Topic]):
    """A topic; `confidence`: agreement over 8.5, 0..1. `profile`: the strength in each space, 0..1, by its number."""

    id: str
    name: str
    project: str
    size: int
    phase: str
    confidence: float
    profile: dict[str, float]
    membership_stability: float
    centroid_stability: float
    activity: float
    trend: str
    accesses: int
    first_at: str
    last_at: str
    created_at: str

    @classmethod
    def _derived(cls, value: Topic) -> Mapping[str, object]:
        profile = zip(REGISTRY, value.profile, strict=False)
        return {"profile": {row.number: strength for row, strength in profile}}


@dataclass(frozen=True, slots=True)
class ClusteringView(Shape[ClusteringReport]):
    """What an update did; `batch`: everything was clustered anew."""

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


@dataclass(frozen=True, slots=True)
class TopicMatchView(Shape[TopicMatch]):
    """A topic that fits a question: its score, 0..1, and those of its memories that are nearest to the question."""

    score: float
    topic: TopicView
    nearest: list[MemoryView]


@dataclass(frozen=True, slots=True)
class TopicRecallView(Shape[Recall]):
    """The topics that fit a question, best first, among so many memories."""

    query: str
    topics: list[TopicMatchView]
    searched: int
    as_of: str
    note: str


@dataclass(frozen=True, slots=True)
class TopicPartView(Shape[TopicPart]):
    """What lies closer together within a topic, and the memory in its middle."""

    name: str
    size: int
    middle: MemoryView


@dataclass(frozen=True, slots=True)
class TopicStandingView(Shape[TopicStanding]):
    """How the topics of a project stand: the tier of its size, what it has and what the next one adds; how many
    memories are of no topic; when everything was clustered last, with churn and entropy as of then; what waits to be
    clustered, and whether for longer than a day; whether encoders changed since; when and why the last update failed;
    by space, how much it counts by what was used, 1 for what is usual."""

    project: str
    memories: int
    tier: int
    has: str
    next_at: int | None
    next_has: str
    topics: int
    of_none: int
    clustered_at: str | None
    churn: float | None
    entropy: float | None
    waiting: int
    waiting_since: str | None
    is_late: bool
    is_outdated: bool
    failed_at: str | None
    fault: str
    space_weights: dict[str, float]


@dataclass(frozen=True, slots=True)
class DreamStepView(Shape[DreamStep]):
    """A step: `recluster` (topics that stand), `merge` (memories merged away), `fade` (energies that fell), `promote`
    (patterns that were made); `ids`: of at most a hundred of them."""

    name: str
    count: int
    ids: list[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class DreamView(Shape[DreamReport]):
    """What a dream did; without an end it goes on. `id`: by which undo --dream takes it back; empty of a dry run."""

    id: str
    project: str
    began_at: str
    ended_at: str | None
    steps: list[DreamStepView]
    is_dry: bool
    is_undone: bool


@dataclass(frozen=True, slots=True)
class ShiftView(Shape[ActivityShift]):
    """A shift of activity; `spaces`: the largest similarity to what was recent, 0..1, by a space's number. Texts are
    empty, and ids null, for what was forgotten or is not in scope."""

    at: str
    session: str
    project: str
    evidence: float
    spaces: dict[str, float]
    topic: str
    before: str
    before_id: str | None
    after: str
    after_id: str | None

    @classmethod
    def _derived(cls, value: ActivityShift) -> Mapping[str, object]:
        return {"spaces": {ROW_BY_SPACE[space].number: similarity for space, similarity in value.spaces}}
