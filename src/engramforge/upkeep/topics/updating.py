"""Keeps the topics of every project up to date, from the store and back to it.

what came since the last batch is a fifth and more, or most is gone -> everything anew (topics.batch)
something came -> it joins the clusters and topics that there are (topics.joining)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from engramforge.core.injection.priority import TOPIC
from engramforge.errors import EngramforgeError, Stopped
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.model.topics.topic import (
    ARMS,
    FAILED,
    FEATURES,
    KEPT,
    ClusteringReport,
    TopicQuery,
    TopicRow,
)
from engramforge.store.door import Door, Transaction, View
from engramforge.upkeep.entangling import KINDS
from engramforge.upkeep.topics.batch import clustered_anew, points_of
from engramforge.upkeep.topics.features import Features
from engramforge.upkeep.topics.joining import joined
from engramforge.upkeep.topics.keeping import (
    GROWN,
    SAMPLED,
    Kept,
    encoders_of,
    named,
    numbered,
    spread,
    wording_of,
)
from engramforge.upkeep.topics.vectors import Points


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
        """Bring the topics of a project, or of all that changed, up to date; a failure is kept for who asks.

        `anew`: cluster everything, whatever came since.
        """
        every = self._due(scope) if project is None and not anew else [project]
        if every == [None]:
            every = [each.name for each in self.door.asking(scope.of_everybody()).projects()]
        reports = []
        with self._telling_failure(scope):
            for name in filter(None, every):
                reports.append(self._update(scope, name, anew))
                self._keep_arms(scope, name)
        return [each for each in reports if each is not None]

    def kept(self, scope: Scope, project: str) -> Kept:
        """What is known of a project's topics."""
        return Kept.of(self.door.asking(scope).mark(KEPT + project))

    @contextmanager
    def _telling_failure(self, scope: Scope) -> Iterator[None]:
        """Keep why an update within fails, for who asks how topics stand; and that it does no more."""
        try:
            yield
        except Stopped:
            raise
        except Exception as error:
            # A fault of ours may have words of memories in it, an error made for people has none.
            fault = error.fault if isinstance(error, EngramforgeError) else type(error).__name__
            kept = {"at": self.clock().isoformat(), "fault": fault}
            with suppress(EngramforgeError):
                self.door.write(scope, lambda writes: writes.save_mark(FAILED, kept))
            raise
        if self.door.asking(scope).mark(FAILED) is not None:
            self.door.write(scope, lambda writes: writes.save_mark(FAILED, None))

    def _due(self, scope: Scope) -> list[str]:
        asking = self.door.asking(scope.of_everybody())
        marks, encoders = asking.marks(KEPT), encoders_of(asking)
        found = []
        for each in asking.projects():
            kept = Kept.of(marks.get(KEPT + each.name))
            its = self.door.asking(scope.of_everybody().within(each.name))
            if kept.is_of_others(encoders) or each.memories != kept.seen or _newest(its) != kept.newest:
                found.append(each.name)
        return found

    def _update(self, scope: Scope, project: str, anew: bool) -> ClusteringReport | None:
        whole = scope.of_everybody().within(project)
        view, tending, now = self.door.asking(whole), self.door.tending(whole), self.clock()
        before = Kept.of(view.mark(KEPT + project))
        seen = sum(each.memories for each in view.projects())
        kept = replace(before, seen=seen, newest=_newest(view), encoders=encoders_of(view))
        fresh = tending.gathered(KINDS, after=before.last)
        is_batch = (
            anew
            or kept.encoders != before.encoders
            or before.joined + len(fresh.positions) >= (GROWN - 1) * before.memories
            or seen * GROWN <= before.memories
        )
        if is_batch:
            return clustered_anew(self.door, whole, project, kept, tending.gathered(KINDS), now)
        if not (packed := view.mark(FEATURES + project)):
            packed = self._made_anew(whole, project)
            self._name(whole, project)
        if not len(fresh.positions):
            self.door.write(whole, lambda writes: writes.save_mark(KEPT + project, kept.as_mark()))
            return None
        return joined(self.door, whole, project, kept, packed, fresh, now)

    def _keep_arms(self, scope: Scope, project: str) -> None:
        """Keep how often memories of each topic were used, and not, when they were shown."""
        whole = scope.of_everybody().within(project)
        view = self.door.asking(whole)
        arms = {
            each.id: [each.used, each.exposures - each.used]
            for each in view.topics(TopicQuery())
            if each.exposures
        }
        if arms != (view.mark(ARMS + project) or {}):
            self.door.write(whole, lambda writes: writes.save_mark(ARMS + project, arms or None))

    def _made_anew(self, scope: Scope, project: str) -> dict[str, Any]:
        """The features of what there is, after a forget, by a sample of it."""
        held = self.door.tending(scope).gathered(KINDS)
        ids = [each.id for each in self.door.asking(scope).topics(TopicQuery())]
        topics = np.where(held.agreements >= TOPIC, numbered(held.topics, ids), -1)
        chosen = spread(np.arange(len(held.positions)), SAMPLED)
        points, vectorizer = points_of(self.door, scope, held.positions[chosen])
        whole = {space: Points(chosen[each.places], each.vectors) for space, each in points.items()}
        packed = Features.of(whole, held.labels, topics, ids, vectorizer.rarities).packed()
        made_of = held.positions[chosen].tolist()

        def work(writes: Transaction) -> None:
            if writes.is_unforgotten(project, made_of, None):
                writes.save_mark(FEATURES + project, packed)

        self.door.write(scope, work)
        return packed

    def _name(self, scope: Scope, project: str) -> None:
        """Name the topics whose name a forget took."""
        view = self.door.asking(scope)
        unnamed = [each for each in view.topics(TopicQuery()) if not each.name]
        if not unnamed:
            return
        wording = wording_of(self.door, scope, self.door.tending(scope).gathered(KINDS).positions)
        rows: list[TopicRow] = []
        made_of: list[int] = []
        for each in unnamed:
            its = [position for _, position, _ in view.topic_members([each.id], TopicQuery())]
            memories = view.fetch_at(np.array(its, np.int64))
            made_of += memories.keys()
            rows.append(TopicRow.of(each, *named(list(memories.values()), wording)))

        def work(writes: Transaction) -> None:
            if writes.is_unforgotten(project, made_of, None):
                writes.save_topics(project, rows)

        self.door.write(scope, work)


def _newest(view: View) -> int:
    """The highest position of a project's memories: as many as before may be others."""
    found = view.positions(Selection(mode=TemporalMode.FULL_HISTORY), 1)
    return int(found[0]) if len(found) else -1
