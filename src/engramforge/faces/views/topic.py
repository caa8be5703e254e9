"""The shapes of topics, and of what an update of them did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.spaces import REGISTRY
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
    churn: float
    entropy: float
    seconds: float
