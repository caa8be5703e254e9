"""The state with which a conversation goes on from an archive: what the registries say now, and what changed.

What must not enter: writing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engramforge.answer.archives.describing import (
    described_decision,
    described_edge,
    described_thread,
    entries_in,
    for_revalidation,
    local_ids_of,
)
from engramforge.answer.archives.gathering import Entries, Gathering, is_active
from engramforge.answer.archives.reconciling import (
    Said,
    differences_of_decision,
    differences_of_thread,
    sentence_of,
)
from engramforge.answer.archives.related import RelatedDecisions, subjects_of
from engramforge.core.archive_format.writer import write_archive
from engramforge.core.registries.triage import importance_of
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedEdge,
    ArchivedMemory,
    Continuation,
    Difference,
)
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import STALE_DAYS, STALE_HOPS, STALE_TIER, ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.store.door import Door

_GONE: Final = "it is no longer in the store"
_IDS_AT_ONCE: Final = 500


class CurrentState:
    """Tells the state of what an archive carried.

    Parameters
    ----------
    door, clock : the store and its time.
    gathering : finds entries.
    related : finds decisions of other projects.
    """

    def __init__(
        self, door: Door, gathering: Gathering, related: RelatedDecisions, clock: Callable[[], datetime]
    ) -> None:
        self._door = door
        self._gathering = gathering
        self._related = related
        self._clock = clock

    def tell(
        self,
        scope: Scope,
        archived: ArchiveContent,
        edge: LineageEdge,
        is_ours: bool,
        problems: Sequence[str],
    ) -> Continuation:
        """What a conversation inherits by an edge, as it is now."""
        now = self._clock()
        named = [one.id for one in entries_in(archived) if one.id]
        carried = [*edge.decisions_carried, *edge.threads_carried, *named]
        entries = self._gathering.entries(scope, self._gathering.named(scope, carried))
        names = local_ids_of(
            entries.decisions, entries.threads, {**edge.local_ids, **_names_in(archived, entries)}
        )
        differences = _differences(archived, entries, names, edge, is_ours)
        artifacts, changed = self._artifacts(scope, archived.artifacts)
        memories, gone = self._memories(scope, archived.memories, is_ours)
        decisions = [one for one in entries.decisions if is_active(one)]
        threads = [one for one in entries.threads if one.status is ThreadStatus.OPEN]
        stale = [one for one in decisions if _is_stale(one, now)]
        described = sorted((described_decision(one, names[one.id]) for one in decisions), key=importance_of)
        waiting = {one.id for one in stale}
        content = replace(
            archived,
            lineage_id=edge.id,
            conversation_id=edge.source_conversation_id,
            project=edge.project,
            decisions=tuple(described),
            threads=tuple(sorted((described_thread(one, names) for one in threads), key=importance_of)),
            lineage=_lineage(archived, edge),
            artifacts=artifacts,
            memories=memories,
            revalidation=tuple(for_revalidation(one) for one in described if one.id in waiting),
        )
        known = {one.id for one in entries.decisions}
        subjects = subjects_of(content.decisions, content.threads)
        related = self._related.find(scope, edge.project, subjects, known)
        told = (*differences, *changed)
        text = write_archive(replace(content, related=related), [sentence_of(one) for one in told])
        return Continuation(
            edge=edge,
            decisions=tuple(decisions),
            threads=tuple(threads),
            differences=told,
            revalidation=tuple(stale),
            related=related,
            problems=(*problems, *gone),
            text=text,
        )

    def _artifacts(
        self, scope: Scope, archived: Sequence[ArchivedArtifact]
    ) -> tuple[tuple[ArchivedArtifact, ...], list[Difference]]:
        """Artefacts in their current versions, and which of them have another one since."""
        there = self._door.fetch(scope, [one.id for one in archived if one.id])
        current, changed = [], []
        for one in archived:
            memory = there.get(one.id or "")
            if memory is None or memory.version == one.version:
                current.append(one)
                continue
            current.append(
                replace(one, version=memory.version, content=memory.content, name=memory.name or "")
            )
            changed.append(
                Difference(
                    local_id=one.local_id,
                    id=one.id,
                    what="artefact",
                    name="version",
                    archive=str(one.version),
                    registry=str(memory.version),
                    because=f"changed on {memory.created_at:%Y-%m-%d}",
                )
            )
        return tuple(current), changed

    def _memories(
        self, scope: Scope, archived: Sequence[ArchivedMemory], is_ours: bool
    ) -> tuple[tuple[ArchivedMemory, ...], list[str]]:
        """What was said, without what was forgotten since."""
        if not is_ours:
            return tuple(archived), []
        ids = [one.id for one in archived if one.id]
        there: set[str] = set()
        for begin in range(0, len(ids), _IDS_AT_ONCE):
            there |= self._door.fetch(scope, ids[begin : begin + _IDS_AT_ONCE]).keys()
        kept = tuple(one for one in archived if not one.id or one.id in there)
        lost = [one.local_id for one in archived if one.id and one.id not in there]
        names = ", ".join(lost[:20])
        return kept, [f"{names}: {_GONE}, and left out of the continuation"] if lost else []


def _lineage(archived: ArchiveContent, edge: LineageEdge) -> tuple[ArchivedEdge, ...]:
    """The lineage table with the edge as it is now."""
    return (*(one for one in archived.lineage if one.target_conversation_id), described_edge(edge))


def _names_in(archived: ArchiveContent, entries: Entries) -> dict[str, str]:
    """Global id -> what the archive's text calls the entry."""
    known = {one.id for one in entries.decisions} | {one.id for one in entries.threads}
    return {one.id: one.local_id for one in entries_in(archived) if one.id in known and one.id is not None}


def _differences(
    archived: ArchiveContent, entries: Entries, names: dict[str, str], edge: LineageEdge, is_ours: bool
) -> list[Difference]:
    """Where the archive and the registries differ, in the order of the archive; then what its text lacks."""
    decisions = {one.id: one for one in entries.decisions}
    threads = {one.id: one for one in entries.threads}
    said = Said(archived.compressed_at, names)
    found: list[Difference] = []
    for decision in archived.decisions:
        if (now := decisions.get(decision.id or "")) is not None:
            found += differences_of_decision(decision, now, said)
        elif is_ours and decision.id:
            found.append(_gone(decision.local_id, decision.id, "decision", str(decision.status)))
    for thread in archived.threads:
        if (there := threads.get(thread.id or "")) is not None:
            found += differences_of_thread(thread, there, said)
        elif is_ours and thread.id:
            found.append(_gone(thread.local_id, thread.id, "thread", str(thread.status)))
    written = {one.id for one in entries_in(archived)}
    missing: list[Decision | Thread] = [
        decisions.get(one) or threads[one]
        for one in (*edge.decisions_carried, *edge.threads_carried)
        if one not in written and (one in decisions or one in threads)
    ]
    if is_ours:
        found += [_missing(one, names[one.id]) for one in missing]
    replaced = {one.superseded_by for one in entries.decisions} - written - set(edge.decisions_carried)
    found += [
        Difference(
            local_id=names[one.id],
            id=one.id,
            what="decision",
            name="status",
            archive="",
            registry=str(one.status),
            because="it took the place of one that the archive has",
        )
        for one in entries.decisions
        if one.id in replaced and is_active(one)
    ]
    return found


def _gone(local_id: str, entry_id: str, what: str, status: str) -> Difference:
    return Difference(
        local_id=local_id, id=entry_id, what=what, name="status", archive=status, registry="", because=_GONE
    )


def _missing(entry: Decision | Thread, local_id: str) -> Difference:
    return Difference(
        local_id=local_id,
        id=entry.id,
        what="decision" if isinstance(entry, Decision) else "thread",
        name="text",
        archive="",
        registry=entry.decision if isinstance(entry, Decision) else entry.title,
        because="the archive's text no longer has it",
    )


def _is_stale(decision: Decision, now: datetime) -> bool:
    """The rule of spec chapter 7, of an active decision."""
    aged = decision.last_validated <= now - timedelta(days=STALE_DAYS)
    return decision.hops >= STALE_HOPS or (aged and decision.epistemic_tier <= STALE_TIER)
