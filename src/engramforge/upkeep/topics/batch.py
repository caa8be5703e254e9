"""Clusters a whole project anew, and writes what changed.

A topic that holds most of an old one's memories is that topic and keeps its id. Everybody's memories take part; who
sees three memories of a topic sees the topic, and its name if it has no words of others.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from engramforge.core.injection.priority import TOPIC
from engramforge.core.topics.agreement import SMALLEST, binding_of, mean_agreement, profile
from engramforge.core.topics.importance import activity_of
from engramforge.core.topics.stability import Life, churn, entropy, matched, membership_stability, phase
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.topics.topic import (
    FEATURES,
    KEPT,
    ClusteringReport,
    Gathered,
    Topic,
    TopicQuery,
    TopicRow,
)
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.topics.features import Features
from engramforge.upkeep.topics.gathering import Gathering, concatenated, gather, separation
from engramforge.upkeep.topics.keeping import (
    GROWN,
    SAMPLED,
    Kept,
    named,
    numbered,
    read,
    spread,
    wording_of,
)
from engramforge.upkeep.topics.vectors import SPACES, Points, Vectorizer

BETTER: Final = 1.05
"""How many times as well separated new topics have to be where a project hardly grew."""
PAST: Final = 50
"""How many past batches are kept."""
_READ: Final = 2_000


def clustered_anew(
    door: Door, scope: Scope, project: str, kept: Kept, held: Gathered, now: datetime
) -> ClusteringReport:
    """Cluster memories of a project and write what came of it.

    `scope`: of everybody, within the project. `held`: its memories. `kept`: as before, but for `seen` and `encoders`.
    """
    return _Batch(door, scope, held, now).run(project, kept)


def points_of(
    door: Door, scope: Scope, positions: NDArray[np.int64], vectorizer: Vectorizer | None = None
) -> tuple[dict[Space, Points], Vectorizer]:
    """The points of memories, and what made them: without one, rarities are those of a sample."""
    vectorizer = vectorizer or Vectorizer.of_sample(read(door, scope, spread(positions, SAMPLED)))
    points = concatenated(
        (begin, vectorizer.points(read(door, scope, positions[begin : begin + _READ])))
        for begin in range(0, len(positions), _READ)
    )
    return points, vectorizer


@dataclass(frozen=True, slots=True)
class _Found:
    """Topics of a batch: their ids and members, and which old ones went into which."""

    ids: Sequence[str]
    members: Sequence[NDArray[np.int64]]
    merged: Mapping[str, str]


class _Batch:
    """One project at one time."""

    def __init__(self, door: Door, scope: Scope, held: Gathered, now: datetime) -> None:
        self._door = door
        self._scope = scope
        self._held = held
        self._now = now
        self._packed: Mapping[str, Any] | None = None
        """The features of a former batch that this one was made with."""
        self._before = _as_sets(held.topics, held.positions)
        known = door.asking(scope).topics(TopicQuery())
        self._known: dict[str, Topic] = {each.id: each for each in known}

    def run(self, project: str, kept: Kept) -> ClusteringReport:
        began = time.perf_counter()
        held = self._held
        kept, before = self._as_before(project, kept)
        maker = None if before is None else Vectorizer(before.rarities)
        points, vectorizer = points_of(self._door, self._scope, held.positions, maker)
        gathering = self._better(gather(len(held.positions), points, kept.scaled_for), before, points)
        found = self._identities(gathering)
        after = [None if number < 0 else found.ids[number] for number in gathering.topics.tolist()]
        core = np.where(gathering.agreements >= TOPIC, gathering.topics, -1)
        features = Features.of(points, gathering.labels, core, found.ids, vectorizer.rarities)
        rows = self._rows(found, gathering, points.get(Space.SEMANTIC))
        moved = churn(self._before, _as_sets(after, held.positions))
        activity = {row.id: float(row.details["activity"]) for row in rows}
        report = ClusteringReport(
            project=project,
            batch=True,
            memories=len(held.positions),
            fresh=int(np.count_nonzero(~held.is_clustered)),
            topics=len(found.ids),
            kept=len(self._known.keys() & set(found.ids)),
            found=len(set(found.ids) - self._known.keys()),
            ended=0,
            unclustered=sum(each is None for each in after),
            churn=moved,
            entropy=entropy(activity.values()),
            seconds=0.0,
        )
        ended = self._write(
            project, gathering, after, rows, found.merged, features, self._kept(kept, report, activity)
        )
        return replace(report, ended=ended, seconds=time.perf_counter() - began)

    def _as_before(self, project: str, kept: Kept) -> tuple[Kept, Features | None]:
        """The measures of a former batch, as long as the project is about as large as then: others would make other
        clusters of the same memories."""
        count = len(self._held.positions)
        if not count * GROWN >= kept.scaled_for >= count / GROWN:
            return replace(kept, scaled_for=count), None
        self._packed = self._door.asking(self._scope).mark(FEATURES + project)
        return kept, None if self._packed is None else Features.unpacked(self._packed)

    def _better(self, anew: Gathering, before: Features | None, points: Mapping[Space, Points]) -> Gathering:
        """What was found anew, unless it is hardly better than what there was: a clustering falls out otherwise with
        every memory more, and a topic that comes and goes so is of no use to anybody."""
        if before is None:
            return anew
        held = self._held
        topics = numbered(held.topics, before.topics)
        labels, agreements = held.labels.copy(), held.agreements.astype(np.float32)
        fresh = np.flatnonzero(~held.is_clustered)
        if len(fresh):
            joined = before.join(read(self._door, self._scope, held.positions[fresh]))
            labels[fresh], topics[fresh], agreements[fresh] = joined.labels, joined.topics, joined.agreements
        if separation(points, anew.topics) > BETTER * separation(points, topics):
            return anew
        return Gathering(labels, _standing(topics, agreements), agreements)

    def _kept(self, kept: Kept, report: ClusteringReport, activity: dict[str, float]) -> Kept:
        past = {
            "at": self._now.isoformat(),
            "memories": report.memories,
            "topics": report.topics,
            "churn": round(report.churn or 0.0, 4),
            "entropy": round(report.entropy or 0.0, 4),
        }
        return Kept(
            seen=kept.seen,
            newest=kept.newest,
            encoders=kept.encoders,
            memories=report.memories,
            scaled_for=kept.scaled_for,
            last=int(self._held.positions.max(initial=-1)),
            active_at=self._now.isoformat(),
            activity=activity,
            past=[*kept.past, past][-PAST:],
        )

    def _write(
        self,
        project: str,
        gathering: Gathering,
        after: Sequence[str | None],
        rows: Sequence[TopicRow],
        merged: Mapping[str, str],
        features: Features,
        kept: Kept,
    ) -> int:
        """Write all of it; how many topics ended."""
        held = self._held
        changed = [place for place, one in enumerate(held.topics) if one != after[place]]

        def work(writes: Transaction) -> int:
            is_whole = writes.is_unforgotten(project, held.positions.tolist(), self._packed)
            writes.save_topics(project, rows if is_whole else [replace(each, name="") for each in rows])
            writes.place_clusters(held.positions, gathering.labels)
            writes.place_members(
                self._now,
                [int(held.positions[place]) for place in changed],
                [after[place] for place in changed],
                [float(gathering.agreements[place]) for place in changed],
            )
            writes.save_mark(KEPT + project, kept.as_mark())
            # Without them the next update makes them of what is left, and names again.
            writes.save_mark(FEATURES + project, features.packed() if is_whole else None)
            return writes.end_topics(project, [row.id for row in rows], merged, self._now)

        return self._door.write(self._scope, work)

    def _identities(self, gathering: Gathering) -> _Found:
        """The id of each topic, and which old ones went into which."""
        count = int(gathering.topics.max(initial=-1)) + 1
        members = [np.flatnonzero(gathering.topics == number) for number in range(count)]
        positions = self._held.positions
        sets = [set(map(str, positions[each].tolist())) for each in members]
        same = matched(self._before, sets)
        ids = [same.same.get(number) or str(uuid4()) for number in range(count)]
        merged = {old: ids[number] for number, names in same.merged.items() for old in names}
        return _Found(ids, members, merged)

    def _rows(self, found: _Found, gathering: Gathering, meanings: Points | None) -> list[TopicRow]:
        """Topics as they are written."""
        wording = wording_of(self._door, self._scope, self._held.positions)
        view = self._door.asking(self._scope)
        into = set(found.merged.values())
        rows = []
        for topic_id, places in zip(found.ids, found.members, strict=True):
            own = places[gathering.agreements[places] >= TOPIC]
            memories = list(view.fetch_at(self._held.positions[own]).values())
            name, agent = named(memories, wording)
            old = self._known.get(topic_id)
            details = details_of(gathering.labels[own], memories, self._now, merged=topic_id in into)
            now, before = set(map(str, self._held.positions[own].tolist())), self._before.get(topic_id, set())
            details["membership_stability"] = round(membership_stability(before, now), 4)
            details["centroid_stability"] = round(self._centroid_stability(meanings, before, own), 4)
            born = self._now if old is None else old.created_at
            rows.append(TopicRow(topic_id, name, agent, born, details=details))
        return rows

    def _centroid_stability(self, points: Points | None, before: set[str], own: NDArray[np.int64]) -> float:
        """The cosine of the middles in E1 of a topic's memories before and now, 0..1; 1 without a past."""
        if points is None or not before:
            return 1.0
        old = np.flatnonzero(np.isin(self._held.positions, np.array(sorted(map(int, before)), np.int64)))
        middles = [points.vectors[np.isin(points.places, places)].sum(axis=0) for places in (old, own)]
        length = float(np.linalg.norm(middles[0]) * np.linalg.norm(middles[1]))
        return max(float(middles[0] @ middles[1]) / length, 0.0) if length else 1.0


def _standing(topics: NDArray[np.int64], agreements: NDArray[np.float32]) -> NDArray[np.int64]:
    """Topics without those that have lost their memories, numbered from 0."""
    own = topics[(topics >= 0) & (agreements >= TOPIC)]
    sizes = np.bincount(own, minlength=int(topics.max(initial=-1)) + 1)
    number = np.where(sizes >= SMALLEST, np.cumsum(sizes >= SMALLEST) - 1, -1)
    return np.where(topics >= 0, number[topics], -1) if len(number) else topics


def details_of(
    labels: NDArray[np.int32], memories: Sequence[Memory], now: datetime, *, merged: bool = False
) -> dict[str, Any]:
    """The numbers of a topic with these memories. `labels`: their clusters, as of `Gathering`."""
    binding = binding_of(labels)
    times = [each.valid_at for each in memories] or [now]
    active = activity_of(times, now)
    life = Life(min(times), max(times), len(memories), active)
    return {
        "agreement": round(mean_agreement(binding, SPACES), 4),
        "profile": [round(each, 4) for each in profile(binding, SPACES)],
        "membership_stability": 1.0,
        "centroid_stability": 1.0,
        "phase": str(phase(life, now, merged=merged)),
        "activity": round(active, 4),
    }


def _as_sets(topics: Sequence[str | None], positions: NDArray[np.int64]) -> dict[str, set[str]]:
    """Topic -> the positions of its memories."""
    found: dict[str, set[str]] = {}
    for topic, position in zip(topics, positions.tolist(), strict=True):
        if topic is not None:
            found.setdefault(topic, set()).add(str(position))
    return found
