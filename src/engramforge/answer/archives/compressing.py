"""Compress: a conversation becomes an archive, with the state that the registries have now.

    gather -> describe -> what is stale, what others decided -> choose by mode -> one transaction

The transaction records the edge without a target and what it carries, counts the carrying, and keeps the archive's
text, which is derived from what it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.answer.archives.archive_selection import matching, within_size
from engramforge.answer.archives.conversation_contents import Gathered, Gathering, is_active
from engramforge.answer.archives.describing import (
    carried_once_more,
    described_decision,
    described_edge,
    described_memories,
    described_thread,
    entries_in,
    for_revalidation,
    local_ids_of,
)
from engramforge.answer.archives.related import ContextMatching, RelatedDecisions, subjects_of
from engramforge.answer.archives.stored_texts import ArchiveKeeping, PlannedText
from engramforge.core.archive_format.reader import memory_ids_in
from engramforge.core.archive_format.writer import write_archive
from engramforge.core.registries.archive_priority import importance_of
from engramforge.errors import InvalidValue, PlanOutdated
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.archive import Archive, ArchiveContent, ArchivedEdge
from engramforge.model.registries.entry import ThreadStatus
from engramforge.model.registries.lineage import CompressionMode, Direction
from engramforge.model.scope import Level, Scope
from engramforge.registries.lineage.lineage_changes import EdgePlan, Lineage, NewEdge
from engramforge.registries.lineage.lineage_reading import LineageReading
from engramforge.registries.registered import entries_named
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.repeating import embedding_again

_PLACEHOLDER: Final = "lin_000000000000"
_LINEAGE_ROWS: Final = 100
_NAMED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressRequest:
    """What is to be compressed, checked.

    `context`: of a partial archive, what it is for. `size`: of a lossy one, characters. `turn_range`: first and last
    turn, counted from 1; None is all. `level`: of the archive and its edge; None for that of what it is made from.
    """

    conversation: str
    mode: CompressionMode
    context: str | None
    tag: str
    project: str | None
    size: int
    turn_range: tuple[int, int] | None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Compressing:
    """Makes archives; `lineage` writes edges, `reading` reads them."""

    changes: VersionChanges
    gathering: Gathering
    lineage: Lineage
    reading: LineageReading
    related: RelatedDecisions
    matches: ContextMatching
    keeping: ArchiveKeeping

    @embedding_again
    def compress(self, scope: Scope, asked: CompressRequest) -> Archive:
        """The archive of a conversation, and its edge.

        Raises NotFound: the store has nothing of the conversation. Raises InvalidValue: several conversations have that
        name; or it has fewer turns than asked for.
        """
        now = self.changes.clock()
        redactor = self.keeping.preparation.redactor
        context = None if asked.context is None else redactor.redact(asked.context).text
        asked = replace(asked, context=context, tag=redactor.redact(asked.tag).text)
        if asked.level is not None:
            scope = scope.shared_at(asked.level)
        gathered = self.gathering.gather(scope, asked.conversation, asked.project)
        # Nothing of those who see less comes into it from elsewhere either.
        level = asked.level or gathered.level
        scope = scope.shared_at(level)
        whole, stale = self._described(scope, gathered, asked, now)
        chosen, warnings = self._chosen(scope, whole, gathered, asked)
        edge = self._edge_of(gathered, chosen, asked, stale, now)
        said = write_archive(chosen)
        text = self.keeping.plan(scope, gathered.project, asked.conversation, said, now, level)
        warnings += text.warnings
        plan = self.lineage.plan(scope, replace(edge, archive_id=text.id, level=level), now)
        # The edge as it is recorded, in the head and in the lineage table.
        rows = [described_edge(plan.edge) if each.id == _PLACEHOLDER else each for each in chosen.lineage]
        content = replace(
            chosen, lineage_id=plan.edge.id, compression_tag=plan.edge.compression_tag, lineage=tuple(rows)
        )
        written = write_archive(content)
        self._commit(scope, plan, text.saying(written), self._sources(scope, whole, content, gathered))
        return Archive(id=text.id, text=written, content=content, edge=plan.edge, warnings=warnings)

    def _described(
        self, scope: Scope, gathered: Gathered, asked: CompressRequest, now: datetime
    ) -> tuple[ArchiveContent, set[str]]:
        """Everything known about the conversation, and the global ids of stale decisions."""
        entries = gathered.entries
        decisions = sorted(entries.decisions, key=lambda decision: (decision.valid_at, decision.id))
        threads = sorted(entries.threads, key=lambda thread: (thread.opened_at, thread.id))
        earlier = {id_: name for edge in gathered.edges for id_, name in edge.local_ids.items()}
        names = local_ids_of(decisions, threads, earlier)
        stale = {decision.id for decision in decisions if is_active(decision) and decision.is_stale(now)}
        described = [
            carried_once_more(described_decision(decision, names[decision.id]), now, decision.id in stale)
            if is_active(decision)
            else described_decision(decision, names[decision.id])
            for decision in decisions
        ]
        described.sort(key=importance_of)
        artifacts, said = described_memories(_turns(gathered.memories, asked.turn_range))
        before = self.reading.trace(scope, gathered.conversation, Direction.ANCESTORS, _LINEAGE_ROWS)
        content = ArchiveContent(
            conversation_id=gathered.conversation,
            project=gathered.project,
            compression_tag=asked.tag,
            compression_mode=asked.mode,
            compressed_at=now,
            lineage_id=_PLACEHOLDER,
            turn_range=asked.turn_range,
            context=asked.context,
            decisions=tuple(described),
            threads=tuple(sorted((described_thread(thread, names) for thread in threads), key=importance_of)),
            artifacts=artifacts,
            memories=said,
            lineage=(
                *(described_edge(edge) for edge in before),
                ArchivedEdge(
                    id=_PLACEHOLDER,
                    source_conversation_id=gathered.conversation,
                    compression_tag=asked.tag,
                    compression_mode=asked.mode,
                    compressed_at=now,
                ),
            ),
            revalidation=tuple(for_revalidation(decision) for decision in described if decision.id in stale),
        )
        return replace(content, external_store=self._store_block(content, scope.agent)), stale

    def _chosen(
        self, scope: Scope, whole: ArchiveContent, gathered: Gathered, asked: CompressRequest
    ) -> tuple[ArchiveContent, tuple[str, ...]]:
        """What the mode keeps, with related decisions of other projects."""
        if asked.mode is CompressionMode.PARTIAL:
            assert asked.context is not None
            ids = self.matches.find(scope.within(gathered.project), scope, gathered, asked.context)
            whole = matching(whole, ids)
        known = {decision.id for decision in gathered.entries.decisions}
        subjects = subjects_of(whole.decisions, whole.threads)
        whole = replace(whole, related=self.related.find(scope, gathered.project, subjects, known))
        if asked.mode is CompressionMode.LOSSY:
            return within_size(whole, asked.size)
        if asked.mode is CompressionMode.PARTIAL and not (whole.decisions or whole.threads or whole.memories):
            return whole, ("nothing of the conversation matches the context",)
        return whole, ()

    def _edge_of(
        self,
        gathered: Gathered,
        chosen: ArchiveContent,
        asked: CompressRequest,
        stale: Collection[str],
        now: datetime,
    ) -> NewEdge:
        """The edge, which says what the archive carries and what it leaves out."""
        names = {entry.id: entry.local_id for entry in entries_in(chosen) if entry.id}
        active = [decision for decision in gathered.entries.decisions if is_active(decision)]
        carried = [decision.id for decision in active if decision.id in names]
        threads = gathered.entries.threads
        still_open = [
            thread.id for thread in threads if thread.status is ThreadStatus.OPEN and thread.id in names
        ]
        closed = [thread.id for thread in threads if thread.status is not ThreadStatus.OPEN]
        dropped = [decision.id for decision in active if decision.id not in names]
        records = gathered.entries.records
        return NewEdge(
            source=gathered.conversation,
            tag=asked.tag,
            mode=asked.mode,
            turn_range=asked.turn_range,
            decisions_carried=[records[each] for each in carried],
            decisions_dropped=[records[each] for each in dropped],
            threads_carried=[records[each] for each in still_open],
            threads_resolved=[records[each] for each in closed],
            for_revalidation=[records[each] for each in carried if each in stale],
            bridge_summary=_summary(chosen, names, carried, still_open, closed, dropped),
            project=gathered.project,
            local_ids=names,
            compressed_at=now,
        )

    def _commit(self, scope: Scope, plan: EdgePlan, text: PlannedText, sources: Sequence[str]) -> None:
        """The edge, what it carries and the archive's text, all or nothing."""

        def beside(writes: Transaction) -> None:
            _check_unchanged(writes, plan.decisions)
            plan.write_beside(writes)

        changes = [*text.changes, plan.change]
        self.changes.commit(scope, changes, "compress", copies=text.links(sources), beside=beside)

    def _sources(
        self, scope: Scope, whole: ArchiveContent, content: ArchiveContent, gathered: Gathered
    ) -> list[str]:
        """Logical ids of everything that an archive's text repeats.

        `whole`: with the decisions that a shorter text leaves out but may list for revalidation.
        """
        records = gathered.entries.records
        ids = [records[entry.id].logical_id for entry in entries_in(content) if entry.id in records]
        listed = {each.local_id for each in content.revalidation}
        ids += [records[str(each.id)].logical_id for each in whole.decisions if each.local_id in listed]
        related = entries_named(
            self.changes.door, scope, Kind.DECISION, [each.id for each in content.related]
        )
        if len(related) < len(content.related):
            raise PlanOutdated("A related decision was forgotten meanwhile", "Repeat the call")
        ids += [each.logical_id for each in related.values()]
        ids += memory_ids_in(content)
        if content.summary:
            ids += [memory.logical_id for memory in gathered.memories]
        return list(dict.fromkeys(ids))

    def _store_block(self, content: ArchiveContent, agent: str) -> dict[str, Any]:
        earlier = dict.fromkeys(edge.compression_tag for edge in content.lineage[:-1] if edge.compression_tag)
        return {
            "type": "engramforge",
            "store_id": self.changes.door.identity.store_id,
            "agent": agent,
            "contains": {
                "full_transcript": True,
                "memories": len(content.memories),
                "artifact_versions": "all",
                "rationale_chains": "full",
                "prior_compressions": list(earlier),
            },
            "sync": {
                "lineage": "registered",
                "threads": "synced",
                "decisions": "synced",
                "last_validated": "bumped",
            },
        }


def _turns(memories: Sequence[Memory], turn_range: tuple[int, int] | None) -> Sequence[Memory]:
    if turn_range is None:
        return memories
    first, last = turn_range
    if last > len(memories):
        raise InvalidValue(
            f"The turn_range ends at {last}, and the conversation has {len(memories)} turns",
            "Give turns that it has, or None for all",
        )
    return memories[first - 1 : last]


def _summary(
    chosen: ArchiveContent,
    names: dict[str, str],
    carried: Sequence[str],
    still_open: Sequence[str],
    closed: Sequence[str],
    dropped: Sequence[str],
) -> str:
    """The edge's summary, with ids only, so that it holds nothing that is forgotten later."""
    said = [
        _counted(len(carried), "decision", [names[each] for each in carried]) + " carried",
        _counted(len(still_open), "open thread", [names[each] for each in still_open]) + " carried",
    ]
    if closed:
        said.append(_counted(len(closed), "thread", [names.get(each, each) for each in closed]) + " closed")
    if dropped:
        said.append(_counted(len(dropped), "decision", dropped) + " left to the store")
    if chosen.revalidation:
        said.append(f"{len(chosen.revalidation)} to be validated again")
    return "; ".join(said) + "."


def _counted(number: int, what: str, names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
    return f"{number} {what}{'' if number == 1 else 's'}" + (f" ({shown})" if names else "")


def _check_unchanged(writes: Transaction, decisions: Sequence[Memory]) -> None:
    """Raise PlanOutdated if a decision described in the archive's text has changed meanwhile."""
    standing = writes.fetch([memory.logical_id for memory in decisions]) if decisions else {}
    for decision in decisions:
        there = standing.get(decision.logical_id)
        if there is None or there.id != decision.id or there.registration != decision.registration:
            raise PlanOutdated("A decision of the conversation changed meanwhile", "Repeat the call")
