"""What is read of topics beside themselves: parts, trends, a map, a river, how a project stands, which spaces count.

Numbers come from the store as it is; nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import unit
from engramforge.core.topics.activation import ADDS, SizeTier, needed_for, size_tier
from engramforge.core.topics.agreement import SMALLEST, nearest_of
from engramforge.core.topics.layout import places_of
from engramforge.core.topics.parts import parts_of
from engramforge.core.topics.personal import space_weights
from engramforge.core.topics.trend import BEFORE, NOW, Trend, trend
from engramforge.model.injection import InjectionQuery
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.time import TimeRange
from engramforge.model.topics.told import TopicPart, TopicPlace, TopicRiver, TopicStanding, TopicTier
from engramforge.model.topics.topic import FAILED, Topic, TopicQuery
from engramforge.store.door import Door, View
from engramforge.upkeep.entangling import KINDS
from engramforge.upkeep.topics.keeping import encoders_of, sees_all
from engramforge.upkeep.topics.updating import TopicUpkeep
from engramforge.upkeep.topics.vectors import SPACES, Vectorizer
from engramforge.upkeep.topics.wording import Wording

LATE: Final = timedelta(days=1)
"""What waits longer to be clustered is late: a daemon takes minutes."""
_READ: Final = 2_000
"""How many memories of a topic are read for its parts."""
_RECORDS: Final = 1_000
"""How many injections, the newest, tell what a person uses."""


@dataclass(frozen=True, slots=True)
class TopicReading:
    """Reads what is told of topics. `upkeep`: keeps them up to date."""

    door: Door
    upkeep: TopicUpkeep

    def parts(self, scope: Scope, topic: Topic) -> list[TopicPart]:
        """The parts of a topic, the largest first; none where it is of one piece."""
        view = self.door.asking(scope.within(topic.project))
        its = [position for _, position, _ in view.topic_members([topic.id], TopicQuery())]
        positions = np.array(sorted(its)[:: max(-(-len(its) // _READ), 1)], np.int64)
        held = view.signals(positions).embeddings
        embedded = [held[place] for place in positions.tolist() if place in held]
        points = Vectorizer.of_sample(embedded).points(embedded).get(Space.SEMANTIC)
        if points is None:
            return []
        known = np.array([place for place in positions.tolist() if place in held], np.int64)[points.places]
        found = parts_of(points.vectors)
        memories = view.fetch_at(known)
        if len(memories) < len(known) or found.max(initial=-1) < 0:
            return []
        wording = Wording(each.content for each in memories.values())
        told = []
        for number in range(int(found.max()) + 1):
            rows = np.flatnonzero(found == number)
            middle = points.vectors[rows].sum(axis=0)
            nearest = int(known[rows[(points.vectors[rows] @ middle).argmax()]])
            name = wording.name([memories[place].content for place in known[rows].tolist()])
            told.append(TopicPart(name, len(rows), memories[nearest]))
        return told

    def trends(self, scope: Scope, now: datetime) -> dict[str, Trend]:
        """Topic -> how it goes on, by what the scope sees; absent where nothing came in five weeks."""
        view = self.door.asking(scope)

        def came(since: datetime, until: datetime) -> Counter[str]:
            found = view.topics(TopicQuery(valid=TimeRange(since, until)))
            return Counter({each.id: each.size for each in found})

        late, before = came(now - NOW, now), came(now - NOW - BEFORE, now - NOW)
        return {topic: trend(late[topic], before[topic]) for topic in late | before}

    def places(self, scope: Scope, topics: Sequence[Topic]) -> list[TopicPlace]:
        """Where topics lie on a map, by the middles of their meanings."""
        view = self.door.asking(scope)
        meanings = view.meanings(KINDS)
        rows = {place: row for row, place in enumerate(meanings.positions.tolist())}
        numbers = {each.id: number for number, each in enumerate(topics)}
        members = view.topic_members([each.id for each in topics], TopicQuery())
        of = [(numbers[topic], rows[place]) for topic, place, _ in members if place in rows]
        middles = np.zeros((len(topics), meanings.vectors.shape[1]), np.float32)
        for number, row in of:
            middles[number] += meanings.vectors[row]
        found = places_of(unit(middles))
        return [TopicPlace(each, *map(float, place)) for each, place in zip(topics, found, strict=True)]

    def river(
        self, scope: Scope, topics: Sequence[Topic], span: tuple[datetime, datetime], spans: int
    ) -> TopicRiver:
        """How many memories of topics, and of the others, became true in so many equal parts of a span of time."""
        view = self.door.asking(scope)
        first, last = span
        length = (last - first) / spans
        begins = tuple(first + length * number for number in range(spans))
        shown = {each.id for each in topics}
        counts: list[Counter[str]] = []
        others: list[int] = []
        for begin in begins:
            found = view.topics(TopicQuery(valid=TimeRange(begin, begin + length)))
            counts.append(Counter({each.id: each.size for each in found if each.id in shown}))
            others.append(sum(each.size for each in found if each.id not in shown))
        by_topic = tuple(tuple(count[each.id] for count in counts) for each in topics)
        return TopicRiver(begins, last, tuple(topics), by_topic, tuple(others))

    def standing(self, scope: Scope, project: str, memories: int) -> TopicStanding:
        """How the topics of a project with so many memories stand."""
        within = scope.within(project)
        view = self.door.asking(within)
        kept = self.upkeep.kept(within, project)
        last: Mapping[str, Any] = kept.past[-1] if kept.past else {}
        is_whole = sees_all(self.door, scope, project)
        failed = view.mark(FAILED) or {}
        sizes = view.topic_sizes(KINDS)
        of_none = sizes.pop(None, 0)
        # Upkeep has looked at the others: of a large project only what came since is read.
        came = self.door.tending(within).gathered(KINDS, after=kept.last)
        waiting = came.positions[~came.is_clustered]
        waiting_since = _written(view, waiting[:1])
        is_old = waiting_since is not None and self.upkeep.clock() - waiting_since > LATE
        return TopicStanding(
            **asdict(topic_tier(project, memories)),
            topics=sum(size >= SMALLEST for size in sizes.values()),
            of_none=of_none,
            clustered_at=datetime.fromisoformat(last["at"]) if last else None,
            churn=last.get("churn", 0.0) if is_whole else None,
            entropy=last.get("entropy", 0.0) if is_whole else None,
            waiting=len(waiting),
            waiting_since=waiting_since,
            is_late=is_old and size_tier(memories) >= SizeTier.CLUSTERS,
            is_outdated=bool(kept.past) and kept.is_of_others(encoders_of(view)),
            failed_at=datetime.fromisoformat(failed["at"]) if failed else None,
            fault=failed.get("fault", ""),
            space_weights=self.weights(scope, project) if size_tier(memories) is SizeTier.PERSONAL else {},
        )

    def weights(self, scope: Scope, project: str) -> dict[Space, float]:
        """How much each space counts by what was used of what was shown; empty where too little is known."""
        within = scope.within(project)
        view = self.door.asking(within)
        shown = _judged(view)
        places = view.places_of(list({version for judged in shown for version, _ in judged}))
        known = view.clusters_at(list(places.values()))
        together = []
        for judged in shown:
            those = [(known[places[v]], used) for v, used in judged if places.get(v) in known]
            labels = np.array([each for each, _ in those], np.int32).reshape(-1, len(SPACES))
            together.append((nearest_of(labels), np.array([used for _, used in those], np.bool_)))
        found = space_weights(together)
        return {} if found is None else dict(zip(SPACES, found, strict=True))


def topic_tier(project: str, memories: int) -> TopicTier:
    """What so many memories give a project."""
    tier = size_tier(memories)
    after = None if tier is SizeTier.PERSONAL else SizeTier(tier + 1)
    return TopicTier(
        project=project,
        memories=memories,
        tier=int(tier),
        has=ADDS[tier],
        next_at=None if after is None else needed_for(after),
        next_has="" if after is None else ADDS[after],
    )


Judged = list[list[tuple[str, bool]]]
"""Of what was shown together each version, and whether it was used."""


def _judged(view: View) -> Judged:
    """What was put before a model and taken up in part, newest first."""
    found = []
    for record in view.injections(InjectionQuery(limit=_RECORDS)):
        judged = [
            (each.version_id, bool(each.used if each.useful is None else each.useful))
            for each in record.memories
            if each.used is not None or each.useful is not None
        ]
        if len(judged) > 1 and any(used for _, used in judged):
            found.append(judged)
    return found


def _written(view: View, positions: NDArray[np.int64]) -> datetime | None:
    """When the memory at a position was recorded; None without one."""
    return next((each.created_at for each in view.fetch_at(positions).values()), None)
