"""Dreams: a project is tidied up while nobody is at work.

    cluster topics anew -> merge what says the same -> let unused energy fall -> make patterns of what keeps recurring

A dream starts by itself by the rules of `core.dreams.starting`, or when somebody asks for it. It stops between two
transactions as soon as a session is active, or with its process; the next one goes on. Undo takes back all of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import uuid4

from engramforge.core.dreams.starting import Unrest, is_busy, may_start, restless_since
from engramforge.core.topics.stability import entropy
from engramforge.errors import Conflict, NotFound
from engramforge.model.injection import InjectionQuery
from engramforge.model.scope import Project, Scope
from engramforge.model.storing.effect import Step
from engramforge.model.timeline import Undone
from engramforge.model.topics.dream import DREAMS, UNDONE, DreamReport, DreamStep, DreamStepName
from engramforge.model.topics.topic import TopicQuery
from engramforge.store.door import Door, Transaction, View
from engramforge.upkeep.dreams.kept import IDS, Dream, Dreams, Owner
from engramforge.upkeep.dreams.reading import energetic
from engramforge.upkeep.dreams.steps import Steps
from engramforge.upkeep.dreams.topics_before import restore_topics
from engramforge.upkeep.topics.keeping import sees_all
from engramforge.upkeep.topics.updating import TopicUpkeep
from engramforge.writing.changes import VersionChanges
from engramforge.writing.undo import Undo

log = logging.getLogger(__name__)
LAST: Final = "last"
"""How an undo calls the last dream."""
_LINES: Final = 50
_MOMENT: Final = timedelta(microseconds=1)
"""Topics may be found at the very time at which a dream began."""


@dataclass(frozen=True, slots=True)
class Dreaming:
    """Dreams of projects.

    `changes`: writes patterns. `topics`: clusters anew. `undoing`: takes dreams back. `clock`: the time of what is
    written, timezone-aware.
    """

    door: Door
    changes: VersionChanges
    topics: TopicUpkeep
    undoing: Undo
    clock: Callable[[], datetime]

    def look(self, scope: Scope) -> None:
        """Note how restless every project is: since when activity has been spread over all of its topics."""
        whole = scope.of_everybody()
        view = self.door.asking(whole)
        marks, now = view.marks(DREAMS), self.clock()
        for each in view.projects():
            kept = Dreams.of(marks.get(DREAMS + each.name))
            topics = self.topics.kept(scope, each.name)
            spread = entropy(topics.activity_at(now).values())
            # The first clustering changed nothing: there was none before.
            churn = float(topics.past[-1]["churn"]) if len(topics.past) > 1 else 0.0
            since = restless_since(kept.restless_since, spread, now)
            seen = partial(replace, entropy=spread, churn=churn, restless_since=since)
            if seen(kept).as_mark() != kept.as_mark():
                self._change(whole, each.name, seen)

    def is_due(self, scope: Scope) -> bool:
        """Whether a dream may start, or go on, now."""
        return bool(self._due(scope)) and not self._is_busy(scope)

    def dream_when_due(self, scope: Scope) -> list[DreamReport]:
        """Dream of every project of which one may start, or go on, until somebody is at work."""
        found = []
        for project in self._due(scope):
            if self._is_busy(scope):
                break
            try:
                found.append(self._dream(scope, project, lambda: not self._is_busy(scope)))
            except Conflict as error:
                log.info("%s", error)  # another process dreams of it
        return found

    def run(self, scope: Scope, project: str | None = None, *, is_dry: bool = False) -> list[DreamReport]:
        """Dream of a project, or of each that the scope sees, whatever the rules say: somebody asks for it.

        Raises Conflict where another process dreams of it now.
        """
        names = self.door.asking(scope).project_names() if project is None else [project]
        dream = self._imagined if is_dry else self._dream
        return [self._seen(scope, dream(scope, name)) for name in names]

    def past(self, scope: Scope, project: str | None = None) -> list[DreamReport]:
        """The last dreams of a project, or of all that the scope sees, the newest first; one that goes on is the
        first."""
        view = self.door.asking(scope)
        names = view.project_names() if project is None else [project]
        marks, undone = view.marks(DREAMS), _undone(view)
        found = []
        for name in names:
            kept = Dreams.of(marks.get(DREAMS + name))
            running = [] if kept.running is None else [kept.running]
            told = [each.report(name) for each in (*kept.past, *running)]
            found += [replace(each, is_undone=each.id in undone) for each in told]
        found.sort(key=lambda each: each.began_at, reverse=True)
        return [self._seen(scope, each) for each in found]

    def undo(self, scope: Scope, dream_id: str, project: str | None, is_confirmed: bool) -> Undone:
        """Take back all that a dream did. `dream_id`: its id, a unique beginning of it, or `last`.

        Raises NotFound: there is no such dream, or it was taken back; Conflict, NotConfirmed: as of any undo.
        """
        every = [each for each in self.past(scope, project) if not each.is_undone]
        those = every[:1] if dream_id == LAST else [each for each in every if each.id.startswith(dream_id)]
        if len(those) != 1:
            raise NotFound(
                f"{dream_id[:100]!r} is no dream that stands", "Take an id that dream --last lists, or last"
            )
        (dream,) = those
        whole = scope.of_everybody()
        mark = DREAMS + dream.project
        kept = Dreams.of(self.door.asking(whole).mark(mark))
        its = next(each for each in (*kept.past, kept.running) if each is not None and each.id == dream.id)

        def beside(writes: Transaction) -> None:
            now = Dreams.of(writes.held_mark(mark))
            if its not in (*now.past, now.running) or its.is_owned(self.clock()):
                raise Conflict(f"The dream {its.id} goes on now", "Undo it when it is at its end")
            if now.running == its:
                writes.save_mark(mark, replace(now, running=None).as_mark())

        undone = self.undoing.undo_dream(scope, its.id, its.lines, is_confirmed, beside)
        if any(each.name is DreamStepName.RECLUSTER for each in its.steps):
            restore_topics(self.door, whole, dream.project, its.began_at - _MOMENT, self.clock())
        return undone

    # One dream

    def _dream(self, scope: Scope, project: str, may_go_on: Callable[[], bool] = lambda: True) -> DreamReport:
        whole = scope.of_everybody().within(project)
        dreams = self._change(whole, project, partial(self._owned, project))
        steps = Steps(self.door, self.changes, self.clock, whole, project, dreams, may_go_on)
        order: Sequence[Callable[[], bool]] = (
            partial(self._recluster, scope, steps),
            steps.merge,
            steps.fade,
            steps.promote,
        )
        try:
            if not all(may_go_on() and step() for step in order):
                return steps.dream.report(project)
            memories = self._memories(whole)
            over = replace(steps.dream, ended_at=self.clock(), memories=memories, fading=None, owner=None)

            def work(writes: Transaction) -> None:
                ended = steps.standing(writes).ended(over)
                ended = replace(ended, memories=memories, faded_at=steps.dreams.faded_at)
                writes.save_mark(DREAMS + project, ended.as_mark())

            self.door.write(whole, work)
            return over.report(project)
        finally:
            steps.leave()

    def _owned(self, project: str, dreams: Dreams) -> Dreams:
        """With a dream that this process goes on with. Raises Conflict where another one is at it."""
        now = self.clock()
        running = dreams.running or Dream(str(uuid4()), now)
        if running.is_owned(now):
            raise Conflict(
                f"Another process dreams of {project!r} now", "Wait for its end, which dream --last tells"
            )
        return replace(dreams, running=replace(running, owner=Owner.here(now)))

    def _recluster(self, scope: Scope, steps: Steps) -> bool:
        """Cluster anew, unless this dream has; true."""
        has_done = any(each.name is DreamStepName.RECLUSTER for each in steps.dream.steps)
        if has_done or not self._memories(steps.scope):
            return True
        began = time.perf_counter()
        self.topics.update(scope, steps.project, anew=True)
        found = self.door.asking(steps.scope).topics(TopicQuery())
        seconds = time.perf_counter() - began
        dream = steps.dream.has_done(
            DreamStepName.RECLUSTER, len(found), [each.id for each in found[:IDS]], seconds
        )
        steps.dreams = self.door.write(steps.scope, lambda writes: steps.keep(dream, writes))
        return True

    def _imagined(self, scope: Scope, project: str) -> DreamReport:
        """What a dream would do beside clustering; nothing is written."""
        whole, now = scope.of_everybody().within(project), self.clock()
        dreams = Dreams.of(self.door.asking(whole).mark(DREAMS + project))
        steps = Steps(self.door, self.changes, self.clock, whole, project, dreams, lambda: True)

        def merged() -> list[tuple[str, int]]:
            return [(each.kept.logical_id, len(each.gone)) for each in steps.would_merge()]

        def faded() -> list[tuple[str, int]]:
            positions = energetic(self.door.asking(whole), -1, now)
            return [(each.id, 1) for each in steps.would_fade(positions, now)]

        def promoted() -> list[tuple[str, int]]:
            return [(each.times[-1].logical_id, 1) for each in steps.would_promote()]

        imagined = Dream("", now, now)
        for name, would in (
            (DreamStepName.MERGE, merged),
            (DreamStepName.FADE, faded),
            (DreamStepName.PROMOTE, promoted),
        ):
            began = time.perf_counter()
            found = would()
            count, ids = sum(each for _, each in found), [its for its, _ in found]
            imagined = imagined.has_done(name, count, ids, time.perf_counter() - began)
        return replace(imagined.report(project), is_dry=True)

    # What is known

    def _due(self, scope: Scope) -> list[str]:
        """The projects of which a dream may start, or go on."""
        view, now = self.door.asking(scope.of_everybody()), self.clock()
        marks = {name.removeprefix(DREAMS): Dreams.of(kept) for name, kept in view.marks(DREAMS).items()}
        # Most stores have nothing restless, and are not counted.
        if not any(each.running or each.restless_since for each in marks.values()):
            return []
        return [
            each.name
            for each in view.projects()
            if (kept := marks.get(each.name)) is not None
            and not (kept.running is not None and kept.running.is_owned(now))
            and (kept.running is not None or may_start(_unrest(each, kept), now))
        ]

    def _is_busy(self, scope: Scope) -> bool:
        """Whether somebody wrote, or had something injected, within the last minutes."""
        view = self.door.asking(scope.of_everybody())
        lines = view.audit_log(_LINES)
        wrote = [each.at for each in lines if each.effect is None or each.effect.step is not Step.UPKEEP]
        told = [each.at for each in view.injections(InjectionQuery(limit=1))]
        return is_busy([*wrote[:1], *told], self.clock())

    def _change(self, whole: Scope, project: str, change: Callable[[Dreams], Dreams]) -> Dreams:
        """Change what is kept of a project's dreams, as it stands at the moment of the write."""
        mark = DREAMS + project

        def work(writes: Transaction) -> Dreams:
            changed = change(Dreams.of(writes.held_mark(mark)))
            writes.save_mark(mark, changed.as_mark())
            return changed

        return self.door.write(whole, work)

    def _memories(self, scope: Scope) -> int:
        return sum(each.memories for each in self.door.asking(scope).projects())

    def _seen(self, scope: Scope, report: DreamReport) -> DreamReport:
        """A report as the scope may be told it: with the ids of what it sees, and no count of what others did."""
        view = self.door.asking(scope)
        topics = {each.id for each in view.topics(TopicQuery(project=report.project))}
        is_whole = sees_all(self.door, scope, report.project)

        def seen(step: DreamStep) -> DreamStep:
            ids = _visible(view, topics, step.ids)
            return replace(step, ids=ids, count=step.count if is_whole else len(ids))

        return replace(report, steps=tuple(map(seen, report.steps)))


def _undone(view: View) -> Sequence[str]:
    """The ids of the dreams that are taken back."""
    mark = view.mark(UNDONE)
    return () if mark is None else tuple(mark["dreams"])


def _visible(view: View, topics: set[str], ids: Sequence[str]) -> tuple[str, ...]:
    there = view.fetch([each for each in ids if each not in topics])
    return tuple(each for each in ids if each in topics or each in there)


def _unrest(project: Project, kept: Dreams) -> Unrest:
    last = kept.last
    return Unrest(
        project.memories,
        kept.entropy,
        kept.churn,
        kept.restless_since,
        None if last is None else last.ended_at,
        kept.memories,
    )
