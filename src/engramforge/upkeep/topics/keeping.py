"""What upkeep keeps of a project's topics between its runs, and what its two ways, anew and joining, both need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.topics.importance import activity
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.store.door import Door, View
from engramforge.upkeep.topics.wording import NAMED_BY, WORDED_BY, Wording

GROWN: Final = 1.2
"""From this many times the memories of the last batch on, everything is clustered anew."""
SAMPLED: Final = 5_000
"""How many memories of a project are read for how rare terms are, or for features that a forget dropped."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a project's topics.

    Parameters
    ----------
    seen, newest : how many memories of any kind the project had, and the highest position of them, -1 for none.
    encoders : whose embeddings were clustered.
    memories : how many took part in the last batch.
    scaled_for : how many there were when measures of clusters were last chosen.
    joined : how many came since.
    last : the highest position that was looked at, -1 for none.
    loose : positions of those that came since and are of no topic, the newest.
    waiting : how many of them were not there when topics were last looked for among them.
    active_at, activity : how active each topic was at a time (ISO 8601), by its id; see `core.topics.importance`.
    past : the batches, oldest first: `at`, `memories`, `topics`, `churn`, `entropy`.
    """

    seen: int = 0
    newest: int = -1
    encoders: list[str] = field(default_factory=list)
    memories: int = 0
    scaled_for: int = 0
    joined: int = 0
    last: int = -1
    loose: list[int] = field(default_factory=list)
    waiting: int = 0
    active_at: str = ""
    activity: dict[str, float] = field(default_factory=dict)
    past: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, mark: Mapping[str, Any] | None) -> Kept:
        """From its mark, an older one also."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in (mark or {}).items() if name in known})

    def as_mark(self) -> dict[str, Any]:
        """As its mark keeps it."""
        return asdict(self)

    def is_of_others(self, encoders: Sequence[str]) -> bool:
        """Whether the project was clustered by other encoders than these."""
        return bool(self.encoders) and self.encoders != list(encoders)

    def activity_at(self, now: datetime) -> dict[str, float]:
        """How active each topic is at a time."""
        if not self.active_at:
            return dict(self.activity)
        days = max((now - datetime.fromisoformat(self.active_at)).total_seconds() / 86_400, 0.0)
        return {topic: activity(before, days, 0) for topic, before in self.activity.items()}


def sees_all(door: Door, scope: Scope, project: str) -> bool:
    """Whether a scope sees every memory of a project: else figures of all of them tell of those of others."""
    own, every = (
        sum(each.memories for each in door.asking(its.within(project)).projects())
        for its in (scope, scope.of_everybody())
    )
    return own == every


def encoders_of(view: View) -> list[str]:
    """By what the store's embeddings are made."""
    return sorted(f"{space}={encoder.id}" for space, encoder in view.encoders().items())


def read(door: Door, scope: Scope, positions: NDArray[np.int64]) -> list[Embedding]:
    """The embeddings at positions, in their order; an empty one for a memory forgotten meanwhile."""
    found = door.asking(scope).signals(positions).embeddings
    return [found.get(position, _NOTHING) for position in positions.tolist()]


def spread(values: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of the values, evenly."""
    return values[:: max(-(-len(values) // most), 1)]


def numbered(topics: Sequence[str | None], ids: Sequence[str]) -> NDArray[np.int64]:
    """The place of each topic among these ids, int64, -1 for one that is not there and for none."""
    places = {topic: place for place, topic in enumerate(ids)}
    return np.array([places.get(each or "", -1) for each in topics], np.int64)


def wording_of(door: Door, scope: Scope, positions: NDArray[np.int64]) -> Wording:
    """Counts of words in memories of a project, or an even choice of them."""
    found = door.asking(scope).fetch_at(spread(positions, WORDED_BY))
    return Wording(each.content for each in found.values())


def named(memories: Sequence[Memory], wording: Wording) -> tuple[str, str | None]:
    """A name, and the agent whose words it has; of memories that nobody sees together only the shared ones count."""
    owners = {each.agent for each in memories if each.level is Level.PERSONAL}
    if len(owners) > 1:
        memories, owners = [each for each in memories if each.level is not Level.PERSONAL], set()
    newest = sorted(memories, key=lambda each: each.valid_at)[-NAMED_BY:]
    name = wording.name([each.content for each in newest]) if newest else ""
    return name, next(iter(owners), None)


_NOTHING: Final = Embedding("", None, np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0, np.uint8))
