"""New memories join the clusters and topics that there are; those that fit none may make up new ones together.

    newcomers -> nearest clusters -> topic
        -> of no topic: ten of them and more that wait are clustered by themselves -> new topics beside the others

No other memory is read, whatever the size of the project.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from engramforge.core.injection.priority import TOPIC
from engramforge.core.topics.agreement import kept_as, nearest_of
from engramforge.core.topics.importance import activity_of
from engramforge.core.topics.stability import entropy
from engramforge.model.scope import Scope
from engramforge.model.topics.topic import FEATURES, KEPT, ClusteringReport, Gathered, TopicRow
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.topics.batch import details_of
from engramforge.upkeep.topics.features import Features
from engramforge.upkeep.topics.gathering import Gathering, gather
from engramforge.upkeep.topics.keeping import Kept, named, read, wording_of
from engramforge.upkeep.topics.vectors import Vectorizer

WAITING: Final = 10
"""From so many newcomers of no topic on, topics are looked for among them."""
LOOSE: Final = 500
"""How many of them, the newest, take part in that."""


def joined(
    door: Door,
    scope: Scope,
    project: str,
    kept: Kept,
    packed: Mapping[str, Any],
    fresh: Gathered,
    now: datetime,
) -> ClusteringReport | None:
    """Let new memories of a project join, and write it; None where a forget came between: nothing was written.

    `scope`: of everybody, within the project. `packed`: its features. `fresh`: those memories.
    """
    return _Joining(door, scope, packed, now).run(project, kept, fresh)


class _Joining:
    """One project at one time."""

    def __init__(self, door: Door, scope: Scope, packed: Mapping[str, Any], now: datetime) -> None:
        self._door = door
        self._scope = scope
        self._packed = packed
        self._features = Features.unpacked(packed)
        self._now = now

    def run(self, project: str, kept: Kept, fresh: Gathered) -> ClusteringReport | None:
        began = time.perf_counter()
        positions = fresh.positions
        gathering = self._features.join(read(self._door, self._scope, positions))
        topics = [None if each < 0 else self._features.topics[each] for each in gathering.topics.tolist()]
        is_own = gathering.agreements >= TOPIC
        active = self._activity(
            kept, positions[is_own], [each for each, own in zip(topics, is_own, strict=True) if own]
        )
        loose = [*kept.loose, *positions[~is_own].tolist()][-LOOSE:]
        waiting = kept.waiting + int(np.count_nonzero(~is_own))
        made_of = set(positions.tolist())
        rows: list[TopicRow] = []
        placed = (positions, gathering.labels, topics, gathering.agreements)
        work = [placed]
        if waiting >= WAITING:
            waiting = 0
            loose = sorted(self._door.asking(self._scope).fetch_at(np.array(loose, np.int64)))
            made_of |= set(loose)
            rows, more = self._emerged(np.array(loose, np.int64))
            if more is not None:
                work.append(more)
                loose = sorted(set(loose) - set(more[0].tolist()))
            active |= {row.id: float(row.details["activity"]) for row in rows}
        after = replace(
            kept,
            joined=kept.joined + len(positions),
            last=max(kept.last, int(positions.max(initial=-1))),
            loose=loose,
            waiting=waiting,
            active_at=self._now.isoformat(),
            activity={topic: round(each, 4) for topic, each in active.items()},
        )
        if not self._write(project, after, rows, work, sorted(made_of)):
            return None
        among = kept.memories + kept.joined
        newly = sum(each is not None for each in topics)
        return ClusteringReport(
            project=project,
            batch=False,
            memories=among + len(positions),
            fresh=len(positions),
            topics=len(self._features.topics),
            kept=len(self._features.topics) - len(rows),
            found=len(rows),
            ended=0,
            unclustered=len(loose),
            churn=newly / (among + newly) if newly else 0.0,
            entropy=entropy(active.values()),
            seconds=time.perf_counter() - began,
        )

    def _activity(
        self, kept: Kept, positions: NDArray[np.int64], topics: Sequence[str | None]
    ) -> dict[str, float]:
        """How active topics are with those that joined."""
        active = kept.activity_at(self._now)
        memories = self._door.asking(self._scope).fetch_at(positions)
        for position, topic in zip(positions.tolist(), topics, strict=True):
            if topic is not None and position in memories:
                came = activity_of([memories[position].valid_at], self._now)
                active[topic] = active.get(topic, 0.0) + came
        return active

    def _emerged(self, positions: NDArray[np.int64]) -> tuple[list[TopicRow], _Placed | None]:
        """Topics among memories of none, and where these belong now."""
        features = self._features
        points = Vectorizer(features.rarities).points(read(self._door, self._scope, positions))
        found = gather(len(positions), points)
        core = np.where(found.agreements >= TOPIC, found.topics, -1)
        count = int(core.max(initial=-1)) + 1
        if not count:
            return [], None
        ids = [str(uuid4()) for _ in range(count)]
        new = Features.of(points, found.labels, core, ids, features.rarities)
        self._features, beyond = features.beside(new)
        labels = _moved(found, beyond)
        view = self._door.asking(self._scope)
        wording = wording_of(self._door, self._scope, positions)
        rows = []
        for number, topic_id in enumerate(ids):
            own = core == number
            memories = list(view.fetch_at(positions[own]).values())
            name, agent = named(memories, wording)
            details = details_of(found.labels[own], memories, self._now)
            rows.append(TopicRow(topic_id, name, agent, self._now, details=details))
        inside = np.flatnonzero(core >= 0)
        its: list[str | None] = [ids[core[place]] for place in inside]
        return rows, (positions[inside], labels[inside], its, found.agreements[inside])

    def _write(
        self,
        project: str,
        kept: Kept,
        rows: Sequence[TopicRow],
        placed: Sequence[_Placed],
        made_of: Sequence[int],
    ) -> bool:
        """Write all of it, if nothing was forgotten of what it was made of; whether it was."""

        def work(writes: Transaction) -> bool:
            if not writes.is_unforgotten(project, made_of, self._packed):
                return False
            writes.save_topics(project, rows)
            for positions, labels, topics, agreements in placed:
                writes.place_clusters(positions, labels)
                writes.place_members(self._now, positions.tolist(), topics, agreements.tolist())
            writes.save_mark(KEPT + project, kept.as_mark())
            if rows:
                writes.save_mark(FEATURES + project, self._features.packed())
            return True

        return self._door.write(self._scope, work)


_Placed = tuple[NDArray[np.int64], NDArray[np.int32], list[str | None], NDArray[np.float32]]


def _moved(found: Gathering, beyond: NDArray[np.int32]) -> NDArray[np.int32]:
    """Labels with their clusters numbered after those that there are."""
    nearest = nearest_of(found.labels)
    moved = np.where(nearest >= 0, nearest + beyond, nearest).astype(np.int32)
    return kept_as(np.where(found.labels >= 0, moved, -1).astype(np.int32), moved)
