"""Archives: the text that carries a conversation into the next one. A cache, not a record.

`ArchiveContent` is what an archive says, whichever way it is written; core/archive_format writes and reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus
from engramforge.model.registries.lineage import CompressionMode, LineageEdge
from engramforge.model.registries.thread import Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDecision:
    """A decision as an archive writes it; `id` is global, `local_id` (D001) the archive's own."""

    local_id: str
    id: str | None = None
    decision: str
    rationale: str = ""
    epistemic_tier: float = 0.5
    status: DecisionStatus = DecisionStatus.ACTIVE
    alternatives_rejected: tuple[str, ...] = ()
    last_validated: datetime | None = None
    validation_count: int = 0
    hops: int = 0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedThread:
    """A thread as an archive writes it; `blocked_by` are local ids of the archive, or global ones."""

    local_id: str
    id: str | None = None
    title: str
    content: str = ""
    status: ThreadStatus = ThreadStatus.OPEN
    priority: Priority = Priority.MEDIUM
    blocked_by: tuple[str, ...] = ()
    resolution: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedArtifact:
    """An artefact as an archive writes it (A001); `id` is the logical id of its memory of kind artifact."""

    local_id: str
    id: str | None = None
    name: str = ""
    version: int = 1
    content: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMemory:
    """Any other memory of the conversation as an archive writes it (M001), in the order of the conversation."""

    local_id: str
    id: str | None = None
    kind: str = "message"
    speaker: str | None = None
    at: datetime | None = None
    content: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedEdge:
    """A row of the lineage table."""

    id: str
    source_conversation_id: str
    target_conversation_id: str | None = None
    compression_tag: str = ""
    compression_mode: CompressionMode = CompressionMode.LOSSLESS
    compressed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revalidation:
    """A row of "Revalidation Required"."""

    local_id: str
    decision: str
    epistemic_tier: float
    last_validated: datetime | None
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedDecision:
    """A row of "Cross-Project Context"; relevance 0..1, and why: which entry it touches, and whether it conflicts."""

    id: str
    project: str
    decision: str
    epistemic_tier: float
    relevance: float
    reason: str = ""
    conflicts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveContent:
    """Everything that an archive says.

    `conversation_id`, `project`, `compression_tag`, `compression_mode`, `compressed_at`, `lineage_id`, `turn_range`: of
    the edge. `context`: what a partial one was asked for. `summary`: of a lossy one, the conversation in short.
    `external_store`: what the store holds beside it (type, location, contains, sync), JSON values.
    """

    conversation_id: str
    project: str = DEFAULT_PROJECT
    compression_tag: str = ""
    compression_mode: CompressionMode = CompressionMode.LOSSLESS
    compressed_at: datetime
    lineage_id: str | None = None
    turn_range: tuple[int, int] | None = None
    context: str | None = None
    summary: str = ""
    decisions: tuple[ArchivedDecision, ...] = ()
    threads: tuple[ArchivedThread, ...] = ()
    artifacts: tuple[ArchivedArtifact, ...] = ()
    memories: tuple[ArchivedMemory, ...] = ()
    lineage: tuple[ArchivedEdge, ...] = ()
    revalidation: tuple[Revalidation, ...] = ()
    related: tuple[RelatedDecision, ...] = ()
    external_store: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadArchive:
    """An archive read back, and what was wrong with its text: each problem names its place and what was taken.

    `is_known`: whether its head says no version of the format that is unknown here.
    """

    content: ArchiveContent
    problems: tuple[str, ...] = ()
    is_known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What compress returns.

    `id`: global id under which the store keeps the text (arc_); None where it is larger than a memory may be. `text`:
    the Markdown to carry on. `warnings`: what a reader should know: entries left out for want of room, a text too large
    to keep.
    """

    id: str | None
    text: str
    content: ArchiveContent
    edge: LineageEdge
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where the archive and the registry say different things; the registry is right.

    `local_id`, `id`: the archive's and the global id of the entry; id None where the registry knows none. `what`:
    "decision" or "thread". `name`: the field that differs (status, decision, resolution, ...). `because`: what
    happened, in words: resolved in which conversation, superseded by what.
    """

    local_id: str
    id: str | None
    what: str
    name: str
    archive: str
    registry: str
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """What continue_from returns: the state as the registry has it now.

    `decisions`, `threads`: what the conversation inherits, as it stands now; ended ones are in `differences` alone.
    `revalidation`: inherited decisions that are stale. `related`: decisions of other projects. `text`: all of it as
    Markdown, to be put into the new conversation in place of the archive.
    """

    edge: LineageEdge
    decisions: tuple[Decision, ...] = ()
    threads: tuple[Thread, ...] = ()
    differences: tuple[Difference, ...] = ()
    revalidation: tuple[Decision, ...] = ()
    related: tuple[RelatedDecision, ...] = ()
    problems: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedContext:
    """What context_load returns.

    `text`: Markdown within the budget. `memory_ids`, `decision_ids`, `thread_ids`: what is in it, in its order.
    `left_out`: how many found things the budget had no room for. `note`: as of a `Recall`. `versions`: ids of the
    versions that it shows, entries' among them, which count as shown.
    """

    text: str
    memory_ids: tuple[str, ...] = ()
    decision_ids: tuple[str, ...] = ()
    thread_ids: tuple[str, ...] = ()
    left_out: int = 0
    note: str = ""
    versions: tuple[str, ...] = ()
