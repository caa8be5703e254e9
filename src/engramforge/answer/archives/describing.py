"""Entries of the registries and memories as an archive writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engramforge.core.registries.local_ids import assign_local_ids
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedDecision,
    ArchivedEdge,
    ArchivedMemory,
    ArchivedThread,
    Revalidation,
)
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread

ArchivedEntry = ArchivedDecision | ArchivedThread


def entries_in(content: ArchiveContent) -> list[ArchivedEntry]:
    """The decisions, then the threads of an archive."""
    return [*content.decisions, *content.threads]


def local_ids_of(
    decisions: Sequence[Decision], threads: Sequence[Thread], given: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Global id -> what an archive calls the entry: its existing name if no other entry has it.

    Parameters
    ----------
    given : global id -> its name in an earlier archive, which takes precedence over its own conversation's.
    """
    known = given or {}
    names: dict[str, str] = {}
    for entries, letter in ((decisions, "D"), (threads, "T")):
        wanted = [known.get(entry.id) or entry.local_id for entry in entries]
        names |= dict(zip((entry.id for entry in entries), assign_local_ids(wanted, letter), strict=True))
    return names


def described_decision(decision: Decision, local_id: str) -> ArchivedDecision:
    """A decision as its registry has it now."""
    return ArchivedDecision(
        local_id=local_id,
        id=decision.id,
        decision=decision.decision,
        rationale=decision.rationale,
        epistemic_tier=decision.epistemic_tier,
        status=decision.status,
        alternatives_rejected=decision.alternatives_rejected,
        last_validated=decision.last_validated,
        validation_count=decision.validation_count,
        hops=decision.hops,
        tags=decision.tags,
    )


def carried_once_more(decision: ArchivedDecision, at: datetime, needs_revalidation: bool) -> ArchivedDecision:
    """The decision as it will be in its registry once the archive that carries it is written."""
    if needs_revalidation:
        return replace(decision, hops=decision.hops + 1)
    return replace(
        decision,
        hops=decision.hops + 1,
        last_validated=at,
        validation_count=decision.validation_count + 1,
    )


def described_thread(thread: Thread, names: Mapping[str, str]) -> ArchivedThread:
    """A thread as its registry has it now; open threads that it waits for are given by the archive's names, else by
    global ids."""
    return ArchivedThread(
        local_id=names[thread.id],
        id=thread.id,
        title=thread.title,
        content=thread.content,
        status=thread.status,
        priority=thread.priority,
        blocked_by=tuple(names.get(blocker, blocker) for blocker in open_blockers(thread)),
        resolution=thread.resolution,
        tags=thread.tags,
    )


def open_blockers(thread: Thread) -> list[str]:
    """Global ids of the open threads that a thread waits for."""
    return [blocker.id for blocker in thread.blocked_by if blocker.status is ThreadStatus.OPEN]


def described_memories(
    memories: Sequence[Memory],
) -> tuple[tuple[ArchivedArtifact, ...], tuple[ArchivedMemory, ...]]:
    """Artefacts (A001) and what was said (M001), each in the order of the conversation."""
    artifacts = [memory for memory in memories if memory.kind is Kind.ARTIFACT]
    said = [memory for memory in memories if memory.kind is not Kind.ARTIFACT]
    return (
        tuple(
            ArchivedArtifact(
                local_id=f"A{number:03d}",
                id=artifact.logical_id,
                name=artifact.name or "",
                version=artifact.version,
                content=artifact.content,
            )
            for number, artifact in enumerate(artifacts, 1)
        ),
        tuple(
            ArchivedMemory(
                local_id=f"M{number:03d}",
                id=memory.logical_id,
                kind=str(memory.kind),
                speaker=memory.speaker,
                at=memory.valid_at,
                content=memory.content,
            )
            for number, memory in enumerate(said, 1)
        ),
    )


def described_edge(edge: LineageEdge) -> ArchivedEdge:
    """A row of the lineage table."""
    return ArchivedEdge(
        id=edge.id,
        source_conversation_id=edge.source_conversation_id,
        target_conversation_id=edge.target_conversation_id,
        compression_tag=edge.compression_tag,
        compression_mode=edge.compression_mode,
        compressed_at=edge.compressed_at,
    )


def for_revalidation(decision: ArchivedDecision) -> Revalidation:
    """A row of "Revalidation Required"."""
    return Revalidation(
        local_id=decision.local_id,
        decision=decision.decision,
        epistemic_tier=decision.epistemic_tier,
        last_validated=decision.last_validated,
        hops=decision.hops,
    )
