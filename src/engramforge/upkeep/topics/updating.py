"""Keeps the topics of every project up to date, from the store and back to it.

    what came since the last batch is a fifth and more -> everything anew
    something came -> it joins the clusters and topics that there are

A topic of a new clustering that holds most of an old one's memories is that topic and keeps its id. Everybody's
memories take part; who sees three memories of a topic sees the topic, and its name if it has no words of others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from engramforge.core.injection.priority import TOPIC
from engramforge.core.topics.agreement import binding_of, mean_agreement, profile
from engramforge.core.topics.importance import ACTIVITY_HALF_LIFE_DAYS
from engramforge.core.topics.stability import churn, entropy, matched, membership_stability, phase
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.spaces import Space
from engramforge.model.topics.topic import ClusteringReport, Gathered, TopicQuery, TopicRow
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.entangling import KINDS
from engramforge.upkeep.topics.gathering import Gathering, add, concatenated, gather
from engramforge.upkeep.topics.vectors import SPACES, Points, Vectorizer
from engramforge.upkeep.topics.wording import Wording

MARK: Final = "topics/"
"""How the name of the mark of a project begins: how many memories its last batch had, and the past batches."""
GROWN: Final = 1.2
"""From this many times the memories of the last batch on, everything is clustered anew."""
PAST: Final = 50
"""How many past batches are kept."""
_SAMPLED: Final = 5_000
_READ: Final = 2_000
_NAMED_BY: Final = 200
"""How many memories of a topic, the newest, are read for its name."""
_WORDED_BY: Final = 2_000
_EVERY: Final = 10**6
_LN2: Final = 0.6931471805599453


@dataclass(frozen=True, slots=True)
class TopicUpkeep:
    """Clusters the memories of projects.

    `clock`: the time of what is written, timezone-aware.
    """

    door: Door
    clock: Callable[[], datetime]

    def is_due(self, scope: Scope) -> bool:
        """Whether some project has more memories, or fewer, than when its topics were last looked after."""
        return bool(self._due(scope))

    def update(
        self, scope: Scope, project: str | None = None, *, anew: bool = False
    ) -> list[ClusteringReport]:
        """Bring the topics of a project, or of all that changed, up to date.

        `anew`: cluster everything, whatever came since.
        """
        every = self._due(scope) if project is None and not anew else [project]
        if every == [None]:
            every = [each.name for each in self.door.asking(_everyone(scope)).projects()]
        return [report for name in every if name and (report := self._update(scope, name, anew)) is not None]

    def past(self, scope: Scope, project: str) -> list[dict[str, Any]]:
        """The batches of a project, oldest first: `at`, `memories`, `topics`, `churn`, `entropy`."""
        return list((self.door.asking(scope).mark(MARK + project) or {}).get("past", ()))

    def _due(self, scope: Scope) -> list[str]:
        asking = self.door.asking(_everyone(scope))
        marks, encoders = asking.marks(MARK), _encoders(asking)
        found = []
        for each in asking.projects():
            mark = marks.get(MARK + each.name) or {}
            is_other = bool(mark) and mark.get("encoders") != encoders
            if is_other or each.memories != mark.get("seen", 0):
                found.append(each.name)
        return found

    def _update(self, scope: Scope, project: str, anew: bool) -> ClusteringReport | None:
        began = time.perf_counter()
        whole = _everyone(scope).within(project)
        view = self.door.asking(whole)
        mark = view.mark(MARK + project) or {}
        seen = sum(each.memories for each in view.projects())
        encoders = _encoders(view)
        held = self.door.tending(whole).gathered(KINDS)
        count = len(held.positions)
        is_batch = (
            anew
            or count >= GROWN * mark.get("memories", 0)
            or count * GROWN <= mark.get("memories", 0)
            or mark.get("encoders") != encoders
        )
        is_named = all(each.name for each in view.topics(TopicQuery(limit=_EVERY)))
        if not is_batch and held.is_clustered.all() and is_named:
            self.door.write(whole, lambda writes: writes.save_mark(MARK + project, {**mark, "seen": seen}))
            return None
        update = _Update(self.door, whole, held, self.clock())
        update.gather(is_batch)
        kept = {**mark, "seen": seen, "encoders": encoders}
        report = update.write(project, kept, is_batch, began)
        return report


def _everyone(scope: Scope) -> Scope:
    return Scope(scope.tenant, every_agent=True)


def _encoders(view: Any) -> list[str]:
    return sorted(f"{space}={encoder.id}" for space, encoder in view.encoders().items())


class _Update:
    """One project at one time."""

    def __init__(self, door: Door, scope: Scope, held: Gathered, now: datetime) -> None:
        self._door = door
        self._scope = scope
        self._held = held
        self._now = now
        self._before: dict[str, set[str]] = {}
        for position, topic in zip(held.positions.tolist(), held.topics, strict=True):
            if topic is not None:
                self._before.setdefault(topic, set()).add(str(position))
        self._names = list(self._before)
        self._found = Gathering(held.labels, np.zeros(0, np.int64), np.zeros(0, np.float32))
        self._meanings: Points | None = None

    def gather(self, is_batch: bool) -> None:
        """Find clusters and topics; numbers only."""
        held, count = self._held, len(self._held.positions)
        if is_batch:
            chosen = np.arange(count)
        else:
            # Old ones that stand for the clusters, and all new ones.
            old = np.flatnonzero(held.is_clustered)
            chosen = np.sort(np.append(_spread(old, _SAMPLED), np.flatnonzero(~held.is_clustered)))
        vectorizer = Vectorizer(self._read(_spread(held.positions[chosen], _SAMPLED)))
        points = concatenated(
            (begin, vectorizer.points(self._read(held.positions[chosen[begin : begin + _READ]])))
            for begin in range(0, len(chosen), _READ)
        )
        self._meanings = points.get(Space.SEMANTIC)
        if is_batch:
            self._found = gather(count, points)
            return
        numbers = {name: number for number, name in enumerate(self._names)}
        topics = np.array([-1 if name is None else numbers[name] for name in held.topics], np.int64)
        topics = np.where(held.agreements >= TOPIC, topics, -1)
        found = add(points, held.labels[chosen], topics[chosen], ~held.is_clustered[chosen])
        labels, agreements = held.labels.copy(), held.agreements.astype(np.float32)
        whole = np.array([-1 if name is None else numbers[name] for name in held.topics], np.int64)
        news = np.flatnonzero(~held.is_clustered[chosen])
        labels[chosen[news]] = found.labels[news]
        whole[chosen[news]] = found.topics[news]
        agreements[chosen[news]] = found.agreements[news]
        self._found = Gathering(labels, whole, agreements)

    def write(self, project: str, mark: Mapping[str, Any], is_batch: bool, began: float) -> ClusteringReport:
        """Give topics their ids, names and numbers, and write what changed."""
        held, found = self._held, self._found
        count = int(found.topics.max(initial=-1)) + 1
        members = [np.flatnonzero(found.topics == number) for number in range(count)]
        ids, merged = self._identities(members, is_batch)
        after = [None if number < 0 else ids[number] for number in found.topics.tolist()]
        stands = {each: number for number, each in enumerate(ids)}
        rows = self._rows(ids, members, merged, is_batch)
        ended = [name for name in self._names if name not in stands]
        changed = [
            place
            for place, (one, other) in enumerate(zip(held.topics, after, strict=True))
            if one != other or not held.is_clustered[place]
        ]
        moved = churn(_as_sets(held.topics, held.positions), _as_sets(after, held.positions))
        active = entropy([float(row.details["activity"]) for row in rows])
        kept = dict(mark)
        if is_batch:
            kept["memories"] = len(held.positions)
            past = {
                "at": self._now.isoformat(),
                "memories": len(held.positions),
                "topics": count,
                "churn": round(moved, 4),
                "entropy": round(active, 4),
            }
            kept["past"] = [*kept.get("past", ()), past][-PAST:]
        ends = [self._ended(name, merged.get(name)) for name in ended]
        labelled = np.arange(len(held.positions)) if is_batch else np.flatnonzero(~held.is_clustered)

        def work(writes: Transaction) -> None:
            writes.save_topics(project, [*rows, *(each for each in ends if each is not None)])
            writes.place_clusters(held.positions[labelled], found.labels[labelled])
            writes.place_members(
                self._now,
                [int(held.positions[place]) for place in changed],
                [after[place] for place in changed],
                [float(found.agreements[place]) for place in changed],
            )
            writes.save_mark(MARK + project, kept)

        self._door.write(self._scope, work)
        return ClusteringReport(
            project=project,
            batch=is_batch,
            memories=len(held.positions),
            fresh=int(np.count_nonzero(~held.is_clustered)),
            topics=count,
            kept=len(stands.keys() & set(self._names)),
            found=len(stands.keys() - set(self._names)),
            ended=len(ended),
            unclustered=sum(each is None for each in after),
            churn=moved,
            entropy=active,
            seconds=time.perf_counter() - began,
        )

    def _identities(
        self, members: Sequence[NDArray[np.int64]], is_batch: bool
    ) -> tuple[list[str], dict[str, str]]:
        """The id of each topic, and which old ones went into which."""
        if not is_batch:
            return list(self._names), {}
        positions = self._held.positions
        sets = [set(map(str, positions[each].tolist())) for each in members]
        found = matched(self._before, sets)
        ids = [found.same.get(number) or str(uuid4()) for number in range(len(members))]
        merged = {old: ids[number] for number, names in found.merged.items() for old in names}
        return ids, merged

    def _rows(
        self,
        ids: Sequence[str],
        members: Sequence[NDArray[np.int64]],
        merged: Mapping[str, str],
        is_batch: bool,
    ) -> list[TopicRow]:
        """Topics as they are written; between batches those that got a memory, or have no name."""
        view = self._door.asking(self._scope)
        before = {each.id: each for each in view.topics(TopicQuery(limit=_EVERY))}
        got = set(self._found.topics[~self._held.is_clustered].tolist())
        wording: Wording | None = None
        into = set(merged.values())
        rows = []
        for number, (topic_id, places) in enumerate(zip(ids, members, strict=True)):
            old = before.get(topic_id)
            own = places[self._found.agreements[places] >= TOPIC]
            if not is_batch and number not in got and old is not None and old.name:
                continue
            memories = list(view.fetch_at(self._held.positions[own]).values())
            if wording is None:
                wording = self._wording()
            name, agent = _named(memories, wording)
            if old is not None and old.name and not is_batch:
                name = old.name
            rows.append(
                TopicRow(
                    id=topic_id,
                    name=name,
                    agent=agent,
                    created_at=self._now if old is None else old.created_at,
                    details=self._details(topic_id, own, memories, topic_id in into),
                )
            )
        return rows

    def _wording(self) -> Wording:
        sample = _spread(self._held.positions, _WORDED_BY)
        return Wording(each.content for each in self._door.asking(self._scope).fetch_at(sample).values())

    def _details(
        self, topic_id: str, own: NDArray[np.int64], memories: Sequence[Memory], is_merged: bool
    ) -> dict[str, Any]:
        """The numbers of a topic."""
        labels = binding_of(self._found.labels[own])
        now = set(map(str, self._held.positions[own].tolist()))
        before = self._before.get(topic_id, set())
        first = min((each.valid_at for each in memories), default=self._now)
        active = _activity([each.valid_at for each in memories], self._now)
        days = max((self._now - first) / timedelta(days=1), 1.0)
        half = ACTIVITY_HALF_LIFE_DAYS
        usual = len(memories) / days * half / _LN2 * (1 - 0.5 ** (days / half))
        return {
            "agreement": round(mean_agreement(labels, SPACES), 4),
            "profile": [round(each, 4) for each in profile(labels, SPACES)],
            "membership_stability": round(membership_stability(before, now), 4),
            "centroid_stability": round(self._centroid_stability(before, own), 4),
            "phase": str(phase(first, self._now, activity=active, usual=usual, merged=is_merged)),
            "activity": round(active, 4),
        }

    def _centroid_stability(self, before: set[str], own: NDArray[np.int64]) -> float:
        """The cosine of the middles in E1 of a topic's memories before and now, 0..1; 1 without a past."""
        points = self._meanings
        if points is None or not before or len(points.places) < len(self._held.positions):
            return 1.0
        old = np.flatnonzero([str(each) in before for each in self._held.positions.tolist()])
        middles = [points.vectors[np.isin(points.places, places)].sum(axis=0) for places in (old, own)]
        length = float(np.linalg.norm(middles[0]) * np.linalg.norm(middles[1]))
        return max(float(middles[0] @ middles[1]) / length, 0.0) if length else 1.0

    def _ended(self, name: str, into: str | None) -> TopicRow | None:
        """A topic that is no more."""
        known = self._door.asking(self._scope).topics(TopicQuery(limit=_EVERY))
        old = next((each for each in known if each.id == name), None)
        if old is None:
            return None
        details = {
            "agreement": old.agreement,
            "profile": list(old.profile),
            "membership_stability": old.membership_stability,
            "centroid_stability": old.centroid_stability,
            "phase": old.phase,
            "activity": old.activity,
        }
        return TopicRow(name, old.name, None, old.created_at, self._now, into, details)

    def _read(self, positions: NDArray[np.int64]) -> list[Embedding]:
        """The embeddings at positions, in their order; an empty one for a memory forgotten meanwhile."""
        found = self._door.asking(self._scope).signals(positions).embeddings
        return [found.get(position, _NOTHING) for position in positions.tolist()]


_NOTHING: Final = Embedding("", None, np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0, np.uint8))


def _spread(values: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of the values, evenly."""
    return values[:: max(-(-len(values) // most), 1)]


def _named(memories: Sequence[Memory], wording: Wording) -> tuple[str, str | None]:
    """A name, and the agent whose words it has; of memories that nobody sees together only the shared ones count."""
    owners = {each.agent for each in memories if each.level is Level.PERSONAL}
    if len(owners) > 1:
        memories, owners = [each for each in memories if each.level is not Level.PERSONAL], set()
    newest = sorted(memories, key=lambda each: each.valid_at)[-_NAMED_BY:]
    name = wording.name([each.content for each in newest]) if newest else ""
    return name, next(iter(owners), None)


def _activity(times: Sequence[datetime], now: datetime) -> float:
    """How much came of late: of what came seven days ago half."""
    days = [max((now - each) / timedelta(days=1), 0.0) for each in times]
    return float(sum(0.5 ** (each / ACTIVITY_HALF_LIFE_DAYS) for each in days))


def _as_sets(topics: Sequence[str | None], positions: NDArray[np.int64]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for topic, position in zip(topics, positions.tolist(), strict=True):
        if topic is not None:
            found.setdefault(topic, []).append(str(position))
    return found
