"""The steps of a dream that change memories: each in transactions of a few hundred, which leave a whole store whenever
the process ends, and keep how far the dream has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.core.dreams.duplicates import Merge, Said, merged
from engramforge.core.dreams.fading import energy_now
from engramforge.core.dreams.recurring import RECURRING, Recurrence, recurring
from engramforge.errors import Conflict
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.effect import Effect, EnergyChange, Step
from engramforge.model.time import InvalidationReason, just_after
from engramforge.model.topics.dream import DREAMS, MERGED, DreamStepName
from engramforge.registries.registered import entry_link
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.dreams.kept import Dream, Dreams
from engramforge.upkeep.dreams.reading import (
    PORTION,
    duplicates,
    energetic,
    known_patterns,
    linked,
    times_said,
)
from engramforge.writing.changes import VersionChanges
from engramforge.writing.repeating import embedding_again

ACTION: Final = "dream"
"""What the audit log calls it."""
MOST_PATTERNS: Final = 20
"""The most patterns of one dream, of what recurs most."""


@dataclass(slots=True)
class Steps:
    """One dream of a project, as far as it has come.

    `scope`: of everybody in the project. `dreams`: with the dream as `running`, owned by this process. `may_go_on`:
    asked before each transaction; the first no ends the dream for now.
    """

    door: Door
    changes: VersionChanges
    clock: Callable[[], datetime]
    scope: Scope
    project: str
    dreams: Dreams
    may_go_on: Callable[[], bool]

    @property
    def dream(self) -> Dream:
        """As far as it has come."""
        assert self.dreams.running is not None
        return self.dreams.running

    def standing(self, writes: Transaction) -> Dreams:
        """What is kept of the project's dreams now. Raises Conflict where the dream is in other hands, or was taken
        back: nothing is done twice."""
        kept = Dreams.of(writes.held_mark(DREAMS + self.project))
        mine, its = self.dream.owner, None if kept.running is None else kept.running.owner
        if mine is None or its is None or its.id != mine.id:
            raise Conflict(
                f"The dream {self.dream.id} of {self.project!r} was taken over or taken back meanwhile",
                "See how far it came by dream --last; a new one goes on from there",
            )
        return kept

    def keep(self, dream: Dream, writes: Transaction) -> Dreams:
        """Keep how far it has come, in the transaction of what it did; `dreams` follows once that is written."""
        owner = None if dream.owner is None else replace(dream.owner, at=self.clock())
        kept = replace(
            self.standing(writes), running=replace(dream, owner=owner), faded_at=self.dreams.faded_at
        )
        writes.save_mark(DREAMS + self.project, kept.as_mark())
        return kept

    def leave(self) -> None:
        """Let others go on with it."""

        def work(writes: Transaction) -> None:
            kept = Dreams.of(writes.held_mark(DREAMS + self.project))
            dream, mine = kept.running, self.dream.owner
            if (
                dream is not None
                and dream.owner is not None
                and mine is not None
                and dream.owner.id == mine.id
            ):
                left = replace(kept, running=replace(dream, owner=None))
                writes.save_mark(DREAMS + self.project, left.as_mark())

        self.door.write(self.scope, work)

    # Merging

    def merge(self) -> bool:
        """Merge what says the same; whether it came to its end."""
        for part in self._merges():
            if not self.may_go_on():
                return False
            self._merge(part)
        return True

    def would_merge(self) -> list[Merge]:
        """What would be merged."""
        view = self.door.asking(self.scope)
        groups = duplicates(view, self.clock())
        bound = linked(view, groups)
        return [found for group in groups if (found := merged(group, bound)) is not None]

    def _merges(self) -> Iterator[list[Merge]]:
        """In parts of so many memories that one transaction takes."""
        part: list[Merge] = []
        size = 0
        for each in self.would_merge():
            for begin in range(0, len(each.gone), PORTION):
                part.append(Merge(each.kept, each.gone[begin : begin + PORTION]))
                size += len(part[-1].gone)
                if size >= PORTION:
                    yield part
                    part, size = [], 0
        if part:
            yield part

    def _merge(self, part: Sequence[Merge]) -> None:
        began, now = time.perf_counter(), self.clock()

        def work(writes: Transaction) -> Dreams:
            self.standing(writes)
            there = writes.fetch([each.id for one in part for each in (one.kept, *one.gone)])
            done: list[Merge] = []
            links: list[Link] = []
            for each in part:
                gone = [old for old in each.gone if _stands(there.get(old.id))]
                if gone and _stands(there.get(each.kept.id)):
                    done.append(Merge(each.kept, tuple(gone)))
                    links += _merged(writes, there, each.kept, gone, now)
            writes.link(links)
            count = sum(len(each.gone) for each in done)
            dream = self._noted(DreamStepName.MERGE, count, [each.kept.logical_id for each in done], began)
            if done:
                dream = self._line(writes, dream, done[0].kept.logical_id, f"{count} merged", now)
            return self.keep(dream, writes)

        self.dreams = self.door.write(self.scope, work)

    # Fading

    def fade(self) -> bool:
        """Let energies fall; whether it came to its end."""
        until, after = self.dream.fading or (self.clock(), -1)
        positions = energetic(self.door.asking(self.scope), after, until)
        for begin in range(0, len(positions), PORTION):
            if not self.may_go_on():
                return False
            self._fade(positions[begin : begin + PORTION], until)
        last = self.dreams.faded_at
        # Where the clock jumped back, nothing fades a second time.
        self.dreams = replace(self.dreams, faded_at=until if last is None else max(last, until))
        return True

    def would_fade(
        self, positions: np.ndarray[tuple[int], np.dtype[np.int64]], until: datetime
    ) -> list[EnergyChange]:
        """Which energies would fall."""
        memories = self.door.asking(self.scope).fetch_at(positions).values()
        found = [
            EnergyChange(each.id, each.energy, energy_now(each, self.dreams.faded_at, until))
            for each in memories
        ]
        return [each for each in found if each.after < each.before]

    def _fade(self, portion: np.ndarray[tuple[int], np.dtype[np.int64]], until: datetime) -> None:
        began, now = time.perf_counter(), self.clock()
        wanted = self.would_fade(portion, until)

        def work(writes: Transaction) -> Dreams:
            self.standing(writes)
            done = writes.set_energies(wanted)
            dream = self._noted(DreamStepName.FADE, len(done), [each.id for each in done], began)
            dream = replace(dream, fading=(until, int(portion[-1])))
            if done:
                dream = self._line(writes, dream, done[0].id, f"energy of {len(done)} fell", now)
            return self.keep(dream, writes)

        self.dreams = self.door.write(self.scope, work)

    # Promoting

    def promote(self) -> bool:
        """Make patterns of what keeps recurring; whether it came to its end."""
        for each in self.would_promote():
            if not self.may_go_on():
                return False
            self._promote(each)
        return True

    def would_promote(self) -> list[Recurrence]:
        """Of what patterns would be made."""
        view = self.door.asking(self.scope)
        return recurring(times_said(view, self.clock()), known_patterns(view))[:MOST_PATTERNS]

    @embedding_again
    def _promote(self, found: Recurrence) -> None:
        """Make a pattern of the words that were said last; it goes when any of those is forgotten."""
        began, now = time.perf_counter(), self.clock()
        view = self.door.asking(self.scope)
        memories = view.fetch([each.logical_id for each in found.times])
        times = [memories[each.logical_id] for each in found.times if each.logical_id in memories]
        if len(times) < len(found.times):
            return  # Somebody has forgotten one; it may recur too seldom now.
        last = times[-1]
        scope = Scope(self.scope.tenant, last.agent if last.level is Level.PERSONAL else self.scope.agent)
        draft = Draft(
            content=last.content,
            kind=Kind.PATTERN,
            project=last.project,
            level=last.level,
            metadata={RECURRING: found.key},
        )
        (change,) = self.changes.new_entries(scope, [draft], now)
        copies = [
            entry_link(
                Relation.DERIVED_FROM, change.memory, each, change.at, trigger="a dream found that it recurs"
            )
            for each in times
        ]
        kept: list[Dreams] = []

        def beside(writes: Transaction) -> None:
            dream = self._noted(DreamStepName.PROMOTE, 1, [change.memory.logical_id], began)
            kept.append(self.keep(replace(dream, lines=dream.lines + 1), writes))

        said = f"said {len(times)} times"
        self.changes.commit(
            scope, [change], ACTION, said, copies=copies, beside=beside, step=Step.UPKEEP, dream=self.dream.id
        )
        self.dreams = kept[-1]

    def _noted(self, step: DreamStepName, count: int, ids: Sequence[str], began: float) -> Dream:
        return self.dream.has_done(step, count, ids, time.perf_counter() - began)

    def _line(self, writes: Transaction, dream: Dream, subject: str, said: str, at: datetime) -> Dream:
        """A line of the audit log, by which an undo takes back what the transaction did."""
        writes.audit(ACTION, subject, said, at, Effect(step=Step.UPKEEP, dream=dream.id))
        return replace(dream, lines=dream.lines + 1)


def _stands(memory: Memory | None) -> bool:
    return memory is not None and not memory.is_superseded


def _merged(
    writes: Transaction, there: dict[str, Memory], kept: Said, gone: Sequence[Said], now: datetime
) -> Iterator[Link]:
    """Take memories from the record whose place another takes; the links that say so.

    Both ways: what stays says what the others said, and they what it says. So a forget of any of them takes all.
    """
    stays = there[kept.id]
    for each in gone:
        old = there[each.id]
        at = just_after(max(old.created_at, stays.created_at), now)
        writes.expire(old.id, at, InvalidationReason.DISCOVERED_FALSE, stays.id)
        for one, other in ((stays, old), (old, stays)):
            yield entry_link(Relation.DERIVED_FROM, one, other, at, trigger=MERGED)
