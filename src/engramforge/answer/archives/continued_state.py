"""The state with which a conversation goes on from an archive: what the registries say now, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.answer.archives.conversation_contents import Entries, Gathering, is_active
from engramforge.answer.archives.describing import (
    described_decision,
    described_edge,
    described_thread,
    entries_in,
    for_revalidation,
    local_ids_of,
)
from engramforge.answer.archives.reconciling import (
    Said,
    differences_of_decision,
    differences_of_thread,
    sentence_of,
)
from engramforge.answer.archives.related import RelatedDecisions, subjects_of
from engramforge.core.archive_format.writer import write_archive
from engramforge.core.registries.archive_priority import importance_of
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedMemory,
    Continuation,
    Difference,
)
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.store.door import Door

_GONE: Final = "it is no longer in the store"


@dataclass(frozen=True, slots=True)
class CurrentState:
    """Reports the present state of what an archive carried."""

    door: Door
    gathering: Gathering
    related: RelatedDecisions
    clock: Callable[[], datetime]

    def tell(
        self,
        scope: Scope,
        archived: ArchiveContent,
        edge: LineageEdge,
        is_ours: bool,
        problems: Sequence[str],
    ) -> Continuation:
        """What a conversation inherits through an edge, as it is now."""
        now = self.clock()
        written = {entry.id: entry.local_id for entry in entries_in(archived) if entry.id}
        carried = [*edge.decisions_carried, *edge.threads_carried, *written]
        entries = self.gathering.entries(scope, self.gathering.named(scope, carried))
        names = local_ids_of(entries.decisions, entries.threads, {**edge.local_ids, **written})
        differences = _differences(archived, entries, names, edge, is_ours)
        artifacts, changed, lost = self._artifacts(scope, archived.artifacts, is_ours)
        memories, gone = self._memories(scope, archived.memories, is_ours)
        gone = lost + gone
        decisions = [decision for decision in entries.decisions if is_active(decision)]
        threads = [thread for thread in entries.threads if thread.status is ThreadStatus.OPEN]
        stale = [decision for decision in decisions if decision.is_stale(now)]
        described = sorted(
            (described_decision(decision, names[decision.id]) for decision in decisions), key=importance_of
        )
        waiting = {decision.id for decision in stale}
        content = replace(
            archived,
            lineage_id=edge.id,
            conversation_id=edge.source_conversation_id,
            project=edge.project,
            decisions=tuple(described),
            threads=tuple(sorted((described_thread(thread, names) for thread in threads), key=importance_of)),
            lineage=(
                *(each for each in archived.lineage if each.target_conversation_id),
                described_edge(edge),
            ),
            artifacts=artifacts,
            memories=memories,
            revalidation=tuple(
                for_revalidation(decision) for decision in described if decision.id in waiting
            ),
        )
        known = {decision.id for decision in entries.decisions}
        subjects = subjects_of(content.decisions, content.threads)
        related = self.related.find(scope, edge.project, subjects, known)
        told = (*differences, *changed)
        text = write_archive(
            replace(content, related=related), [sentence_of(difference) for difference in told]
        )
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
        self, scope: Scope, archived: Sequence[ArchivedArtifact], is_ours: bool
    ) -> tuple[tuple[ArchivedArtifact, ...], list[Difference], list[str]]:
        """Artefacts in their current versions, which of them have a newer one, and which were forgotten since."""
        there = self.door.asking(scope).fetch([each.id for each in archived if each.id])
        current, changed, lost = [], [], []
        for artifact in archived:
            memory = there.get(artifact.id or "")
            if memory is None and is_ours and artifact.id:
                lost.append(artifact.local_id)
                continue
            if memory is None or memory.version == artifact.version:
                current.append(artifact)
                continue
            current.append(
                replace(artifact, version=memory.version, content=memory.content, name=memory.name or "")
            )
            changed.append(
                Difference(
                    local_id=artifact.local_id,
                    id=artifact.id,
                    what="artefact",
                    name="version",
                    archive=str(artifact.version),
                    registry=str(memory.version),
                    because=f"changed on {memory.created_at:%Y-%m-%d}",
                )
            )
        return tuple(current), changed, _left_out(lost)

    def _memories(
        self, scope: Scope, archived: Sequence[ArchivedMemory], is_ours: bool
    ) -> tuple[tuple[ArchivedMemory, ...], list[str]]:
        """The memories of the conversation, without those forgotten since."""
        if not is_ours:
            return tuple(archived), []
        there = self.door.asking(scope).fetch([memory.id for memory in archived if memory.id])
        kept = tuple(memory for memory in archived if not memory.id or memory.id in there)
        lost = [memory.local_id for memory in archived if memory.id and memory.id not in there]
        return kept, _left_out(lost)


def _left_out(lost: Sequence[str]) -> list[str]:
    return [f"{', '.join(lost[:20])}: {_GONE}, and left out of the continuation"] if lost else []


def _differences(
    archived: ArchiveContent, entries: Entries, names: dict[str, str], edge: LineageEdge, is_ours: bool
) -> list[Difference]:
    """Where the archive and the registries differ, in the order of the archive; then what is missing from its text."""
    decisions = {decision.id: decision for decision in entries.decisions}
    threads = {thread.id: thread for thread in entries.threads}
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
    written = {entry.id for entry in entries_in(archived)}
    if is_ours:
        every: dict[str, Decision | Thread] = {**decisions, **threads}
        carried = (*edge.decisions_carried, *edge.threads_carried)
        missing = [every[each] for each in carried if each in every and each not in written]
        found += [_missing(each, names[each.id]) for each in missing]
    replaced = (
        {decision.superseded_by for decision in entries.decisions} - written - set(edge.decisions_carried)
    )
    found += [
        Difference(
            local_id=names[decision.id],
            id=decision.id,
            what="decision",
            name="status",
            archive="",
            registry=str(decision.status),
            because="it took the place of one that the archive has",
        )
        for decision in entries.decisions
        if decision.id in replaced and is_active(decision)
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
