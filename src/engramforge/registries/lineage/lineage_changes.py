"""The registry of lineage: which conversation continues which, and what was carried over.

An edge is recorded without a target when a conversation is compressed; the first conversation that continues completes
it, every further one adds another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engramforge.core.checks.validation import check_name, check_word
from engramforge.errors import Conflict, InvalidValue
from engramforge.model.link import Relation
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Memory
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import CompressionMode, LineageEdge
from engramforge.model.scope import Level, Scope
from engramforge.registries.decisions.decision_revision import carry
from engramforge.registries.lineage.lineage_reading import (
    ARCHIVE,
    COMPRESSED_AT,
    DECISIONS_CARRIED,
    DECISIONS_DROPPED,
    LOCAL_IDS,
    LONGEST,
    MODE,
    TAG,
    THREADS_CARRIED,
    THREADS_RESOLVED,
    TURN_RANGE,
    LineageReading,
    bridge_summary_of,
    edge_content,
    edge_draft,
    edge_of,
    source_of,
)
from engramforge.registries.registered import ENTRY_ID, entries_named, entry_link, find_entry, registration_of
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges, next_draft
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import VersionChange

Named = str | Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """A requested edge.

    Parameters
    ----------
    decisions_carried, decisions_dropped, threads_carried, threads_resolved : entries, by any id or as memories.
    for_revalidation : ids of carried decisions that the archive lists for revalidation: they do not count as validated.
    local_ids : global id -> what the archive calls it.
    archive_id : global id of the archive's text.
    compressed_at : defaults to the recorded time.
    """

    source: str
    target: str | None = None
    tag: str = ""
    mode: CompressionMode | str = CompressionMode.LOSSLESS
    turn_range: Sequence[int] | None = None
    decisions_carried: Sequence[Named] = ()
    decisions_dropped: Sequence[Named] = ()
    threads_carried: Sequence[Named] = ()
    threads_resolved: Sequence[Named] = ()
    for_revalidation: Sequence[Named] = ()
    bridge_summary: str = ""
    project: str = DEFAULT_PROJECT
    local_ids: Mapping[str, str] = field(default_factory=dict)
    archive_id: str | None = None
    compressed_at: datetime | None = None
    recorded_at: datetime | None = None
    level: Level = Level.PERSONAL


@dataclass(frozen=True, slots=True)
class EdgePlan:
    """A planned edge, to be written in one transaction: its change, and `write_beside` after it.

    `decisions`, `threads`: what it carries. `for_revalidation`: logical ids of decisions that do not count as
    validated. `counts`: whether the carrying counts; a second continuation of the same archive does not.
    """

    change: VersionChange
    decisions: tuple[Memory, ...] = ()
    threads: tuple[Memory, ...] = ()
    for_revalidation: frozenset[str] = frozenset()
    counts: bool = True

    @property
    def edge(self) -> LineageEdge:
        """The edge as it will be shown."""
        return edge_of(self.change.memory)

    def write_beside(self, writes: Transaction) -> None:
        """Count the carrying, and link what is carried; inside the transaction, after the change."""
        memory, at = self.change.memory, self.change.at
        extras: Mapping[str, Mapping[str, Any]] = {}
        if self.counts and self.decisions:
            extras = carry(writes, self.decisions, self.for_revalidation, at)
        said = "an archive carries it"
        links = [
            entry_link(
                Relation.CARRIES,
                memory,
                decision,
                at,
                trigger=said,
                extra=extras.get(decision.logical_id, {"bumped": False}),
            )
            for decision in (*self.decisions, *self.threads)
        ]
        writes.link(links)


@dataclass(frozen=True, slots=True)
class Lineage:
    """The registry of lineage."""

    changes: VersionChanges
    reading: LineageReading

    @embedding_again
    def link(self, scope: Scope, asked: NewEdge) -> LineageEdge:
        """Record an edge with what it carries; repeating the same edge records nothing.

        Raises InvalidContent, InvalidTime, InvalidValue, OutOfScope: it is not valid, or would lead back to its
        beginning, directly or through others; NotFound: an entry that it carries does not exist; Conflict: a different
        edge has this source, target and tag.
        """
        plan = self.plan(scope, asked, self.changes.clock())
        there = self._same(scope, plan)
        if there is not None:
            return there
        self.changes.commit(scope, [plan.change], "compress", beside=plan.write_beside)
        return plan.edge

    def plan(self, scope: Scope, asked: NewEdge, now: datetime) -> EdgePlan:
        """As `link`, but only planned. `EdgePlan.write_beside` belongs in the same transaction."""
        source = check_name(asked.source, "source conversation")
        target = None if asked.target is None else check_name(asked.target, "target conversation")
        _check_apart(source, target)
        # What others see names nothing that is one agent's own.
        shared = scope.shared_at(asked.level)
        decisions = self._each(shared, Kind.DECISION, asked.decisions_carried)
        threads = self._each(shared, Kind.THREAD, asked.threads_carried)
        dropped = self._each(shared, Kind.DECISION, asked.decisions_dropped)
        resolved = self._each(shared, Kind.THREAD, asked.threads_resolved)
        waiting = self._each(shared, Kind.DECISION, asked.for_revalidation)
        details = {
            MODE: str(check_word(CompressionMode, asked.mode, "mode")),
            COMPRESSED_AT: (asked.compressed_at or asked.recorded_at or now).isoformat(),
            TAG: check_name(asked.tag, "tag") if asked.tag else None,
            TURN_RANGE: _checked_turns(asked.turn_range),
            DECISIONS_CARRIED: _ids(decisions),
            DECISIONS_DROPPED: _ids(dropped),
            THREADS_CARRIED: _ids(threads),
            THREADS_RESOLVED: _ids(resolved),
            LOCAL_IDS: dict(asked.local_ids),
            ARCHIVE: asked.archive_id,
        }
        draft = edge_draft(
            source,
            target,
            {key: value for key, value in details.items() if value},
            _checked_summary(asked.bridge_summary),
            project=asked.project,
            valid_at=asked.compressed_at,
            recorded_at=asked.recorded_at,
            level=asked.level,
        )
        return EdgePlan(
            self._change(scope, draft, now),
            tuple(decisions),
            tuple(threads),
            frozenset(memory.logical_id for memory in waiting),
        )

    @embedding_again
    def complete(
        self, scope: Scope, edge: Named, target: str, beside: Callable[[Transaction], object] | None = None
    ) -> LineageEdge:
        """A conversation continues a compressed one: the edge gets its target, or another edge is added.

        Repeating the same conversation changes nothing. `beside`: what else belongs into the transaction.

        Raises NotFound: the edge does not exist; InvalidValue: the conversation is the compressed one, or one of its
        ancestors; Conflict: somebody else completed it meanwhile.
        """
        its = check_name(target, "conversation")
        old = edge if isinstance(edge, Memory) else self.reading.find(scope, edge)
        before = registration_of(old)
        _check_apart(source_of(old), its)
        if before.continuation == its:
            return edge_of(old)
        query = EntryQuery(kind=Kind.LINEAGE, conversations=(source_of(old),), continuations=(its,))
        for other in self.changes.door.asking(scope).entries(query):
            said = registration_of(other).details
            if all(said.get(key) == before.details.get(key) for key in (TAG, COMPRESSED_AT)):
                return edge_of(other)
        now = self.changes.clock()
        if before.continuation is not None:
            return self._another(scope, old, its, now, beside)
        change = _onward(self.completed(scope, old, its, now))
        self.changes.commit(scope, [change], "supersede", beside=beside)
        return edge_of(change.memory)

    def completed(self, scope: Scope, edge: Memory, target: str, now: datetime) -> VersionChange:
        """The change that gives an edge its target, only planned; who writes it checks the circle (`check_onward`)."""
        content = edge_content(source_of(edge), target, bridge_summary_of(edge))
        registration = replace(registration_of(edge), continuation=target)
        draft = next_draft(edge, {"content": content}, registration)
        return self.changes.succeeded(scope, edge, draft, now)

    def _another(
        self,
        scope: Scope,
        first: Memory,
        target: str,
        now: datetime,
        beside: Callable[[Transaction], object] | None,
    ) -> LineageEdge:
        """Another edge of the same archive; it carries the same, which does not count again."""
        draft = edge_draft(
            source_of(first),
            target,
            registration_of(first).details,
            bridge_summary_of(first),
            project=first.project,
            level=first.level,
            agent=first.agent,
        )
        links = [
            link
            for link in self.changes.door.asking(scope).links([first.logical_id])
            if link.relation == Relation.CARRIES
        ]
        carried = self.changes.door.asking(scope).fetch({link.target_id for link in links})
        plan = EdgePlan(self._change(scope, draft, now), tuple(carried.values()), counts=False)

        def written(writes: Transaction) -> None:
            plan.write_beside(writes)
            if beside is not None:
                beside(writes)

        self.changes.commit(scope, [plan.change], "compress", beside=written)
        return plan.edge

    def _change(self, scope: Scope, draft: Draft, now: datetime) -> VersionChange:
        return _onward(self.changes.new_entries(scope, [draft], now)[0])

    def _same(self, scope: Scope, plan: EdgePlan) -> LineageEdge | None:
        """The existing edge. Raises Conflict if it differs."""
        wanted = plan.edge
        if wanted.target_conversation_id is None:
            return None
        ends = (wanted.source_conversation_id, wanted.target_conversation_id)
        query = EntryQuery(kind=Kind.LINEAGE, conversations=ends[:1], continuations=ends[1:])
        for other in self.reading.browse(scope, query):
            if other.compression_tag != wanted.compression_tag or other.project != wanted.project:
                continue
            same = replace(wanted, id=other.id, memory_id=other.memory_id, compressed_at=other.compressed_at)
            if same == other:
                return other
            raise Conflict(
                f"{ends[0]!r} goes on in {ends[1]!r} already, by {other.id}, which says something else",
                "Give another tag, or forget that edge first",
            )
        return None

    def _each(self, scope: Scope, kind: Kind, named: Iterable[Named]) -> list[Memory]:
        """Entries by any id or as memories, each once, in order."""
        asked = list(named)
        ids = [
            each.strip().lower()
            for each in asked
            if isinstance(each, str) and ENTRY_ID.fullmatch(each.strip())
        ]
        known = entries_named(self.changes.door, scope, kind, ids)
        found: dict[str, Memory] = {}
        for memory in asked:
            there = memory if isinstance(memory, Memory) else known.get(str(memory).strip().lower())
            there = there or find_entry(self.changes.door, scope, kind, memory)
            found.setdefault(there.logical_id, there)
        return list(found.values())


def _onward(change: VersionChange) -> VersionChange:
    """A planned edge, or its completion, that is not written where it would close a cycle."""
    source, target = source_of(change.memory), registration_of(change.memory).continuation
    return replace(change, check=lambda writes: check_onward(writes, source, target))


def check_onward(writes: Transaction, source: str, target: str | None) -> None:
    """Raise InvalidValue if an edge between two conversations would close a cycle, over any number of others."""
    if target is None:
        return
    _check_apart(source, target)
    # The target mostly has no continuations yet, so these are searched instead of the source's ancestors.
    for edge in writes.lineage(target, backward=False, limit=LONGEST):
        if edge.continuation == source:
            raise InvalidValue(
                f"{source!r} cannot go on in {target!r}: {source!r} itself goes on from {target!r}",
                f"Trace {source!r} to see the way; a conversation goes on in a newer one",
            )


def _check_apart(source: str, target: str | None) -> None:
    if source == target:
        raise InvalidValue(
            f"The conversation {source!r} would go on from itself", "Name the conversation that goes on"
        )


def _checked_turns(turns: object) -> list[int] | None:
    """First and last turn, counted from 1, both included; None is all."""
    if turns is None:
        return None
    sound = (
        isinstance(turns, list | tuple)
        and len(turns) == 2
        and all(isinstance(turn, int) and not isinstance(turn, bool) for turn in turns)
        and 1 <= turns[0] <= turns[1] < 2**53
    )
    if not sound:
        raise InvalidValue(
            f"The turn_range is {str(turns)[:60]}",
            "Give the first and the last turn from 1 on, or None for all",
        )
    assert isinstance(turns, list | tuple)
    return [*turns]


def _checked_summary(summary: object) -> str:
    if not isinstance(summary, str):
        raise InvalidValue(f"The bridge_summary is a {type(summary).__name__}", "Give a text")
    return summary


def _ids(memories: Iterable[Memory]) -> list[str]:
    return [registration_of(memory).entry_id for memory in memories]
