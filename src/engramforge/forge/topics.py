"""Verbs of topics and of dreams, as `forge.topics` and `forge.dreams`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engramforge.core.checks.validation import check_query
from engramforge.core.injection.priority import RELATED, TOPIC
from engramforge.core.topics.activation import SizeTier, size_tier
from engramforge.core.topics.agreement import UNCLUSTERED, nearest_of
from engramforge.core.topics.asking import by_clusters
from engramforge.core.topics.stability import Life, Phase, phase
from engramforge.core.topics.trend import Trend
from engramforge.errors import NotFound
from engramforge.forge.scoped import Ids, ScopedVerbs, checked_id
from engramforge.model.search.hit import Recall
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, TimeRange
from engramforge.model.timeline import Undone
from engramforge.model.topics.dream import DreamReport
from engramforge.model.topics.topic import ClusteringReport, Topic, TopicQuery
from engramforge.recall.request import Moment, moment, recall_request, whole
from engramforge.upkeep.entangling import KINDS
from engramforge.upkeep.topics.vectors import SPACES

if TYPE_CHECKING:
    from engramforge.model.memory import Memory
    from engramforge.model.scope import Scope
    from engramforge.model.spaces import Space
    from engramforge.model.topics.shift import ActivityShift
    from engramforge.model.topics.told import (
        TopicMatch,
        TopicPart,
        TopicPlace,
        TopicRiver,
        TopicStanding,
        TopicTier,
    )

MOST: Final = 10_000
"""The most topics, or memories of one, of an answer."""
_ASKED: Final = 200
"""How many hits a recall by clusters orders."""
_MOMENT: Final = timedelta(seconds=1)
_END: Final = datetime.max.replace(tzinfo=UTC)


class TopicVerbs(ScopedVerbs):
    """What memories gather around. Found by upkeep, which a daemon does by itself, or by `update`."""

    def browse(
        self,
        project: Ids | None = None,
        *,
        since: Moment = None,
        until: Moment = None,
        as_of: Moment = None,
        limit: int = 20,
    ) -> list[Topic]:
        """Topics, the largest first.

        Parameters
        ----------
        project : of which project or projects; None for all.
        since, until : only topics with memories that became true in this time, counted by these: what one worked on.
        as_of : as the topics were known then; None for now.
        limit : the most, 1 to 10,000.

        Raises InvalidTime, InvalidValue: an argument is invalid; NotFound: there is no such project.
        """
        scope = self._within(project)
        query = _query(since, until, as_of, limit)
        found = self._stages.door.asking(scope).topics(query)
        if query.recorded_at is None:
            found = self._as_of_now(found)
        if query.recorded_at is None and query.valid is None:
            found = self._with_trends(scope, found)
        return [self._named(scope, each, query.recorded_at) for each in found]

    def recall(self, query: str, project: Ids | None = None, *, limit: int = 20) -> Recall:
        """What is alike to some words: as `forge.recall`, but what shares clusters with what is nearest comes earlier.

        `limit`: the most hits, 1 to 200. Raises InvalidContent, InvalidValue; NotFound: there is no such project.
        """
        scope, most = self._within(project), whole(limit, "limit", 1, _ASKED)
        request = recall_request(query, Selection(), limit=_ASKED, clock=self._stages.clock)
        found = self._stages.retriever.recall(scope, request)
        view = self._stages.door.asking(scope)
        places = view.places_of([hit.memory.id for hit in found.hits])
        known = view.clusters_at(list(places.values()))
        none = np.full(len(SPACES), UNCLUSTERED, np.int32)
        labels = np.array(
            [known.get(places.get(hit.memory.id, -1), none) for hit in found.hits], np.int32
        ).reshape(-1, len(SPACES))
        high = np.zeros(labels.shape)
        for row, hit in zip(high, found.hits, strict=True):
            for match in hit.matches:
                if match.high and match.space in SPACES:
                    row[SPACES.index(match.space)] = match.calibrated or match.raw
        mass = np.array([hit.mass for hit in found.hits])
        order = by_clusters(mass, nearest_of(labels), high, SPACES)[:most]
        left_out = found.left_out + len(found.hits) - len(order)
        return replace(found, hits=tuple(found.hits[place] for place in order), left_out=left_out)

    def search(self, query: str, project: Ids | None = None, *, limit: int = 10) -> list[TopicMatch]:
        """The topics that fit a query, best first: by what is nearest to it, and by their names.

        From 500 memories of a single project on spaces count by what was used of what was put before a model (see
        `standing`).

        Raises InvalidContent, InvalidValue: an argument is invalid; NotFound: there is no such project.
        """
        asked, most = check_query(query), whole(limit, "limit", 1, MOST)
        scope = self._within(project)
        topics = [self._named(scope, each) for each in self._every(scope)]
        if not topics:
            return []
        weights: dict[Space, float] = {}
        held = [each for each in self._stages.door.asking(scope).projects() if each.memories]
        if len(held) == 1 and size_tier(held[0].memories) is SizeTier.PERSONAL:
            weights = self._stages.topic_reading.weights(scope, held[0].name)
        return self._stages.topic_finding.find(scope, asked, topics, weights, most)

    def parts(self, topic_id: str) -> list[TopicPart]:
        """The parts of a topic, the largest first: what lies closer together within it. None where it is of one piece,
        or its project has fewer than a hundred memories.

        `topic_id`: its id, or a unique beginning of it. Raises NotFound: there is no such topic in scope.
        """
        topic = self._found(topic_id)
        if not self._reaches(SizeTier.TRENDS, self._scope.within(topic.project)):
            return []
        return self._stages.topic_reading.parts(self._scope, topic)

    def standing(self, project: Ids | None = None) -> list[TopicStanding]:
        """How the topics of each project stand: the tier that its size reaches and what the next one adds, memories of
        no topic, what waits to be clustered, how restless topics are. The largest project first.

        Raises NotFound: there is no such project.
        """
        scope, reading = self._within(project), self._stages.topic_reading
        return [reading.standing(scope, each.project, each.memories) for each in self.tiers(project)]

    def tiers(self, project: Ids | None = None) -> list[TopicTier]:
        """What the size of each project gives, the largest first; quicker than `standing`.

        Raises NotFound: there is no such project.
        """
        from engramforge.upkeep.topics.reading import topic_tier

        held = self._stages.door.asking(self._within(project)).projects()
        return [
            topic_tier(each.name, each.memories) for each in sorted(held, key=lambda x: (-x.memories, x.name))
        ]

    def places(self, project: Ids | None = None, *, limit: int = 40) -> list[TopicPlace]:
        """Topics on a map, the largest first: near to each other where they mean alike.

        Raises NotFound: there is no such project; InvalidValue: the limit is not 1 to 200.
        """
        scope, most = self._within(project), whole(limit, "limit", 1, 200)
        topics = [self._named(scope, each) for each in self._every(scope)[:most]]
        return self._stages.topic_reading.places(scope, topics)

    def river(
        self,
        project: Ids | None = None,
        *,
        since: Moment = None,
        until: Moment = None,
        limit: int = 8,
        spans: int = 40,
    ) -> TopicRiver:
        """How topics flow through time: memories that became true in each of some equal spans.

        Parameters
        ----------
        project : of which project or projects; None for all.
        since, until : from when to when; by default from the first to the last memory of any topic.
        limit : how many topics, those with most in this time, are told by themselves. spans : into how many the time is
            divided, 2 to 400.

        Raises InvalidTime, InvalidValue: an argument is invalid; NotFound: there is no such project.
        """
        scope, most, many = self._within(project), whole(limit, "limit", 1, 50), whole(spans, "spans", 2, 400)
        asked = _query(since, until, None, 1)
        every = self._stages.door.asking(scope).topics(replace(asked, limit=None))
        start, end = (None, None) if asked.valid is None else (asked.valid.start, asked.valid.end)
        first = start or min((each.first_at for each in every), default=self._stages.clock())
        first = min(first, _END - many * _MOMENT)
        last = end or min(max((each.last_at for each in every), default=first), _END - _MOMENT) + _MOMENT
        last = max(last, first + many * _MOMENT)
        topics = [self._named(scope, each) for each in every[:most]]
        return self._stages.topic_reading.river(scope, topics, (first, last), many)

    def _every(self, scope: Scope) -> list[Topic]:
        return self._stages.door.asking(scope).topics(TopicQuery())

    def _reaches(self, tier: SizeTier, scope: Scope) -> bool:
        return size_tier(sum(each.memories for each in self._stages.door.asking(scope).projects())) >= tier

    def _with_trends(self, scope: Scope, topics: list[Topic]) -> list[Topic]:
        """Topics of projects that are large enough for trends, with these."""
        held = self._stages.door.asking(scope).projects()
        large = {each.name for each in held if size_tier(each.memories) >= SizeTier.TRENDS}
        if not large.intersection(each.project for each in topics):
            return topics
        trends = self._stages.topic_reading.trends(scope, self._stages.clock())
        return [
            replace(each, trend=str(trends.get(each.id, Trend.QUIET))) if each.project in large else each
            for each in topics
        ]

    def get(self, topic_id: str) -> Topic:
        """A topic by its id, or a unique beginning of it. Raises NotFound: there is no such topic in scope."""
        found = self._with_trends(self._scope, self._as_of_now([self._found(topic_id)]))
        return self._named(self._scope, found[0])

    def memories(
        self,
        topic_id: str,
        *,
        since: Moment = None,
        until: Moment = None,
        related: bool = False,
        limit: int = 20,
    ) -> list[tuple[Memory, float]]:
        """The memories of a topic, those that agree most first, each with its agreement, 2.5..8.5.

        `topic_id`: its id, or a unique beginning of it. `related`: also those that have to do with it, and with no
        other more: from 1.0. Raises NotFound: there is no such topic in scope.
        """
        view = self._stages.door.asking(self._scope)
        query = _query(since, until, None, limit)
        least = RELATED if related else TOPIC
        found = view.topic_members([self._found(topic_id).id], query, least)[:limit]
        memories = view.fetch_at(np.array([position for _, position, _ in found], np.int64))
        return [(memories[position], agreed) for _, position, agreed in found if position in memories]

    def update(self, project: str | None = None, *, anew: bool = False) -> list[ClusteringReport]:
        """Bring topics up to date now; `anew`: cluster everything, whatever came since the last time.

        Raises NotFound: there is no such project.
        """
        scope = self._within(project)
        before = self._ids_by_project(scope)
        done = self._stages.topic_upkeep.update(self._scope, project, anew=anew)
        after, known = self._ids_by_project(scope), set(self._stages.door.asking(scope).project_names())
        return [
            self._seen(report, before.get(report.project, set()), after.get(report.project, set()))
            for report in done
            if report.project in known
        ]

    def _ids_by_project(self, scope: Scope) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for each in self._stages.door.asking(scope).topics(TopicQuery()):
            found.setdefault(each.project, set()).add(each.id)
        return found

    def _seen(self, report: ClusteringReport, before: set[str], after: set[str]) -> ClusteringReport:
        """A report as the scope may be told it: everybody's memories take part in an update."""
        held = self._stages.door.tending(self._scope.within(report.project)).gathered(KINDS)
        is_whole = self._sees_all(report.project)
        return replace(
            report,
            memories=len(held.positions),
            fresh=min(report.fresh, len(held.positions)),
            topics=len(after),
            kept=len(before & after),
            found=len(after - before),
            ended=report.ended if is_whole else len(before - after),
            churn=report.churn if is_whole else None,
            entropy=report.entropy if is_whole else None,
            unclustered=sum(each is None for each in held.topics),
        )

    def history(self, project: str) -> list[dict[str, Any]]:
        """The clusterings of a project, oldest first: `at`, `memories`, `topics`, `churn`, `entropy`; `at` alone for
        who does not see every memory of the project."""
        self._within(project)
        past = self._stages.topic_upkeep.kept(self._scope, project).past
        return past if self._sees_all(project) else [{"at": each["at"]} for each in past]

    def shifts(self, project: str | None = None, *, limit: int = 20) -> list[ActivityShift]:
        """When this agent's activity shifted, newest first: from what to what, and in which spaces.

        Noticed at prompts of live sessions. Of what was forgotten since no word is told. `limit`: the most, 1 to
        10,000. Raises NotFound: there is no such project.
        """
        from engramforge.answer.shifts.kept import kept_shifts, with_words

        scope, most = self._within(project), whole(limit, "limit", 1, MOST)
        found: list[ActivityShift] = []
        for name in self._stages.door.asking(scope).project_names():
            with self._stages.door.asking(scope.within(name)) as view:
                found += with_words(view, kept_shifts(view, scope, name)[:most], self._stages.clock())
        return sorted(found, key=lambda each: each.at, reverse=True)[:most]

    def _sees_all(self, project: str) -> bool:
        from engramforge.upkeep.topics.keeping import sees_all

        return sees_all(self._stages.door, self._scope, project)

    def _found(self, asked: str) -> Topic:
        known = self._stages.door.asking(self._scope).topics(TopicQuery())
        those = [each for each in known if each.id.startswith(checked_id(asked).strip().lower())]
        if len(those) != 1:
            said = "is the beginning of several topics" if those else "is no topic"
            raise NotFound(f"{asked[:100]!r} {said}", "Take a whole id that topics lists")
        return those[0]

    def _as_of_now(self, topics: list[Topic]) -> list[Topic]:
        """Topics with their activity and phase now; they are kept as of when something came."""
        now, upkeep = self._stages.clock(), self._stages.topic_upkeep
        active: dict[str, dict[str, float]] = {}
        found = []
        for each in topics:
            if each.project not in active:
                active[each.project] = upkeep.kept(self._scope, each.project).activity_at(now)
            activity = active[each.project].get(each.id, each.activity)
            life = Life(each.first_at, each.last_at, each.size, activity)
            merged = each.phase == Phase.MERGING
            found.append(replace(each, activity=activity, phase=str(phase(life, now, merged=merged))))
        return found

    def _named(self, scope: Scope, topic: Topic, recorded_at: datetime | None = None) -> Topic:
        """A topic whose stored name is not for this scope, named by what the scope sees; or saw of it then."""
        if topic.name:
            return topic
        from engramforge.upkeep.topics.wording import NAMED_BY, WORDED_BY, Wording

        view = self._stages.door.asking(scope.within(topic.project))
        members = view.topic_members([topic.id], TopicQuery(recorded_at=recorded_at))
        its = [position for _, position, _ in members[:NAMED_BY]]
        texts = [each.content for each in view.fetch_at(np.array(its, np.int64)).values()]
        others = view.fetch_at(view.positions(Selection(mode=TemporalMode.FULL_HISTORY), WORDED_BY))
        return replace(topic, name=Wording(each.content for each in others.values()).name(texts))


class DreamVerbs(ScopedVerbs):
    """Projects are tidied up. A daemon does it by itself when activity is spread over all topics and nobody is at work;
    `run` does it now."""

    def run(self, project: str | None = None, *, dry_run: bool = False) -> list[DreamReport]:
        """Dream of a project, or of each: cluster its topics anew, merge what says the same, let energy fall that
        nobody uses, make patterns of what keeps recurring. Everybody's memories take part.

        What is merged away is still found by its id, and a forget of one of the merged takes all of them. One that was
        interrupted goes on. `dry_run`: write nothing, and tell what would be done beside the clustering.

        Raises NotFound: there is no such project.
        """
        self._within(project)
        return self._stages.dreaming.run(self._scope, project, is_dry=dry_run)

    def past(self, project: str | None = None) -> list[DreamReport]:
        """The last dreams, up to five of a project, the newest first; one without an end goes on.

        Raises NotFound: there is no such project.
        """
        self._within(project)
        return self._stages.dreaming.past(self._scope, project)

    def undo(self, dream_id: str = "last", *, project: str | None = None, confirmed: bool = False) -> Undone:
        """Take back all that a dream did, except what was changed since. `forge.undo` puts it back, but for topics.

        `dream_id`: its id, a unique beginning of it, or `last`. `project`: of its dreams. `confirmed`: go ahead where
        more than 20 records, links and energies are touched.

        Raises NotFound: there is no such dream that stands; NotConfirmed; Conflict: it was changed meanwhile.
        """
        from engramforge.registries.detected.consequences import became

        self._within(project)
        asked = checked_id(dream_id).strip().lower()
        return became(self._stages.dreaming.undo(self._scope, asked, project, confirmed))


def _query(since: Moment, until: Moment, as_of: Moment, limit: int) -> TopicQuery:
    span = TimeRange(moment(since, "since"), moment(until, "until"))
    is_open = span.start is None and span.end is None
    return TopicQuery(
        valid=None if is_open else span,
        recorded_at=moment(as_of, "as_of"),
        limit=whole(limit, "limit", 1, MOST),
    )
