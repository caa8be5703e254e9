"""Entries of the registries and memories as an archive writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar, cast

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

T = TypeVar("T")
ArchivedEntry = ArchivedDecision | ArchivedThread


def entries_in(content: ArchiveContent) -> list[ArchivedEntry]:
    """The decisions, then the threads of an archive."""
    return [*content.decisions, *content.threads]


def local_ids_of(
    decisions: Sequence[Decision], threads: Sequence[Thread], given: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Global id -> what an archive calls the entry: its existing name if no other entry has it.

    `given`: global id -> its name in an earlier archive, which takes precedence over its own conversation's.
    """
    known = given or {}
    names: dict[str, str] = {}
    for entries, letter in ((decisions, "D"), (threads, "T")):
        wanted = [known.get(entry.id) or entry.local_id for entry in entries]
        names |= dict(zip((entry.id for entry in entries), assign_local_ids(wanted, letter), strict=True))
    return names


def described_decision(decision: Decision, local_id: str) -> ArchivedDecision:
    """A decision as its registry has it now."""
    return _copied(ArchivedDecision, decision, local_id=local_id)


def carried_once_more(decision: ArchivedDecision, at: datetime, needs_revalidation: bool) -> ArchivedDecision:
    """The decision as it will be in its registry once the archive that carries it is written."""
    if needs_revalidation:
        return replace(decision, hops=decision.hops + 1)
    return replace(
        decision, hops=decision.hops + 1, last_validated=at, validation_count=decision.validation_count + 1
    )


def described_thread(thread: Thread, names: Mapping[str, str]) -> ArchivedThread:
    """A thread as its registry has it now; open threads that it waits for are given by the archive's names, else by
    global ids."""
    waits_for = tuple(names.get(blocker, blocker) for blocker in open_blockers(thread))
    return _copied(ArchivedThread, thread, local_id=names[thread.id], blocked_by=waits_for)


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
                at=memory.told_at,
                content=memory.content,
            )
            for number, memory in enumerate(said, 1)
        ),
    )


def described_edge(edge: LineageEdge) -> ArchivedEdge:
    """A row of the lineage table."""
    return _copied(ArchivedEdge, edge)


def for_revalidation(decision: ArchivedDecision) -> Revalidation:
    """A row of "Revalidation Required"."""
    return _copied(Revalidation, decision)


def _copied(kind: type[T], value: object, **other: object) -> T:
    """A value of another type with fields of the same names; `other` are those that differ."""
    names = [field.name for field in fields(cast("Any", kind)) if field.name not in other]
    return kind(**{name: getattr(value, name) for name in names}, **other)
