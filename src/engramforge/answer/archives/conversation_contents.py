"""The contents of a conversation as the store has them now: its memories, and the decisions and threads that it knows.

It knows the entries that mention it, those carried by the archives from which it continues, and the successors of
superseded ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidValue, NotFound
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import ENTRY_PREFIXES, DecisionStatus, EntryQuery
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import ALL_LEVELS, Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.registries.decisions.decision_reading import DecisionReading
from engramforge.registries.lineage.lineage_reading import LineageReading
from engramforge.registries.registered import entries_named, registration_of
from engramforge.registries.threads.thread_view import ThreadReading
from engramforge.store.door import Door

_AT_ONCE: Final = 1_000
_SUCCESSIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of both registries, without repetition, with their last records.

    `records`: global id -> the last record.
    """

    decisions: tuple[Decision, ...]
    threads: tuple[Thread, ...]
    records: dict[str, Memory]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The contents of a conversation.

    `memories`: the conversation's memories in order, artefacts included. `entries`: decisions and threads, its own
    before inherited ones. `edges`: the lineage edges from the conversations that it continues.
    """

    conversation: str
    project: str
    memories: tuple[Memory, ...]
    entries: Entries
    edges: tuple[LineageEdge, ...]

    @property
    def level(self) -> Level:
        """The widest at which all of this may be seen."""
        levels = {memory.level for memory in (*self.memories, *self.entries.records.values())}
        return min(levels, key=ALL_LEVELS.index, default=Level.PERSONAL)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Reads conversations."""

    door: Door
    decisions: DecisionReading
    threads: ThreadReading
    lineage: LineageReading
    clock: Callable[[], datetime]

    def gather(self, scope: Scope, conversation: str, project: str | None) -> Gathered:
        """Everything of a conversation.

        `project`: the conversation's project; None if only one project has it.

        Raises NotFound: the store has nothing of it; InvalidValue: several projects have a conversation of this name.
        """
        its = check_name(conversation, "conversation")
        within = scope if project is None else scope.within(check_name(project, "project"))
        said = self._said(within, its)
        own = [*self._mentioning(within, Kind.DECISION, its), *self._mentioning(within, Kind.THREAD, its)]
        edges = self.leading_to(scope, its, project)
        named = sorted({memory.project for memory in (*said, *own)}) or sorted(
            {edge.project for edge in edges}
        )
        if not named:
            raise NotFound(
                f"There is no conversation {its!r}"
                + ("" if project is None else f" in the project {project!r}"),
                "Give the session_id that its memories have",
            )
        if len(named) > 1 and project is None:
            # A mention from another project is not a second conversation of that name.
            spoken = sorted({memory.project for memory in said}) or named
            if len(spoken) > 1:
                raise InvalidValue(
                    f"The projects {', '.join(spoken[:5])} have a conversation {its!r}", "Name the project"
                )
            named = spoken
        its_project = project or named[0]
        own = [memory for memory in own if memory.project == its_project or memory.session_id != its]
        edges = self.leading_to(scope, its, its_project)
        carried = [id_ for edge in edges for id_ in (*edge.decisions_carried, *edge.threads_carried)]
        entries = self.entries(scope, [*own, *self.named(scope, carried)])
        memories = tuple(memory for memory in said if memory.project == its_project)
        return Gathered(its, its_project, memories, entries, edges)

    def leading_to(self, scope: Scope, conversation: str, project: str | None) -> tuple[LineageEdge, ...]:
        """The edges from conversations that this one continues; only those of its own project if there are any."""
        query = EntryQuery(kind=Kind.LINEAGE, continuations=(conversation,))
        found = self.lineage.browse(scope, query)
        own = [edge for edge in found if edge.project == project]
        return tuple(own or found)

    def named(self, scope: Scope, entry_ids: Iterable[str]) -> list[Memory]:
        """The last records of entries by their global ids, in their order; unknown ones are absent."""
        wanted = list(dict.fromkeys(entry_ids))
        found: dict[str, Memory] = {}
        for kind in (Kind.DECISION, Kind.THREAD):
            ids = [each for each in wanted if each.startswith(ENTRY_PREFIXES[kind])]
            found |= entries_named(self.door, scope, kind, ids)
        return [found[each] for each in wanted if each in found]

    def entries(self, scope: Scope, records: Sequence[Memory]) -> Entries:
        """These entries and the successors of superseded ones, over any number of steps."""
        by_id = {record.logical_id: record for record in records}
        decisions: dict[str, Decision] = {}
        fresh = [memory for memory in by_id.values() if memory.kind is Kind.DECISION]
        for _ in range(_SUCCESSIONS):
            if not fresh:
                break
            shown = self.decisions.shown(scope, fresh)
            decisions |= {decision.memory_id: decision for decision in shown}
            known = {decision.id for decision in decisions.values()}
            following = [decision.superseded_by for decision in shown if decision.superseded_by]
            fresh = self.named(scope, [each for each in following if each not in known])
            by_id |= {memory.logical_id: memory for memory in fresh}
        threads = self.threads.shown(
            scope, [memory for memory in by_id.values() if memory.kind is Kind.THREAD]
        )
        last = {registration_of(record).entry_id: record for record in by_id.values()}
        return Entries(tuple(decisions.values()), tuple(threads), last)

    def _said(self, scope: Scope, conversation: str) -> list[Memory]:
        """The conversation's memories in order: by sequence if every memory has one, else by time."""
        now = self.clock()
        selection = Selection(session_id=conversation, as_of=AsOf(now, now))
        every = [
            memory
            for memory in _paged(
                lambda offset: self.door.asking(scope).browse(selection, _AT_ONCE, offset, newest_first=False)
            )
            if memory.kind not in ENTRY_PREFIXES or (memory.kind is Kind.FLAG and memory.registration is None)
        ]
        if all(memory.sequence is not None for memory in every):
            return sorted(
                every, key=lambda memory: (memory.project, memory.sequence or 0, memory.valid_at, memory.id)
            )
        return sorted(every, key=lambda memory: (memory.valid_at, memory.sequence or 0, memory.id))

    def _mentioning(self, scope: Scope, kind: Kind, conversation: str) -> list[Memory]:
        """The entries that mention a conversation, oldest first."""

        def page(offset: int) -> list[Memory]:
            query = EntryQuery(
                kind=kind, conversations=(conversation,), ended=True, limit=_AT_ONCE, offset=offset
            )
            return self.door.asking(scope).entries(query)

        return list(reversed(list(_paged(page))))


def is_active(decision: Decision) -> bool:
    """Whether a decision holds."""
    return decision.status is DecisionStatus.ACTIVE


def _paged(page: Callable[[int], Sequence[Memory]]) -> Iterator[Memory]:
    offset = 0
    while True:
        found = page(offset)
        yield from found
        if len(found) < _AT_ONCE:
            return
        offset += len(found)
