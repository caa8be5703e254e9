"""Another order, where it is asked for: what is nearest by a model that reads it together with the question.

    the sixty most active that are not far -> how well each answers -> that order, then everything else as before

What such a model costs grows with what it reads, so it reads excerpts, and few of them. Source: document 003,
"Consciousness-Aware Reranking" (a second stage over what a first one found).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from engramforge.model.streams.stream import StreamItem, WayReport
from engramforge.recall.intention.time_limit import Tried, tried

WAY: Final = "rerank"
"""What it is called beside the ways."""
MOST: Final = 60
"""How many memories are read, the most active."""
_LOAD_S: Final = 60.0
"""How long the first who asks may wait for the model; the limit of a way is for the reading alone."""


class Scorer(Protocol):
    """A model that reads a question and a text together."""

    def load(self) -> None:
        """Have the model in memory. Raises EngramforgeError."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0..1. Raises EngramforgeError."""


class Reranked(NamedTuple):
    """The score of each version id, the best first; none where the model failed or was too slow. `report`: which."""

    scores: dict[str, float]
    report: WayReport


def reranked(scorer: Scorer, way_s: float, question: str, near: Sequence[StreamItem]) -> Reranked:
    """What a model says of the first of some memories, each of which is there once. `way_s`: how long it may take."""
    read = near[:MOST]
    nothing: list[float] = []
    loaded = tried(_LOAD_S, scorer.load, None)
    done = Tried(nothing, loaded.took_ms, loaded.fault)
    if loaded.fault is None:
        done = tried(way_s, lambda: scorer.scores(question, [each.excerpt for each in read]), nothing)
    found = [] if done.fault is not None else list(zip(read, done.answer, strict=True))
    # Of equal scores the more active comes first, as before.
    found.sort(key=lambda pair: -pair[1])
    return Reranked({item.memory.id: score for item, score in found}, done.report(WAY, len(found)))
