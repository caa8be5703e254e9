"""What every face shows, as plain values: the stable shapes of the CLI's `--json` and of the MCP tools'
answers.

Times are ISO 8601 texts in UTC, names are the model's own. Only shapes and the way from model to shape: no
printing, no I/O, and nothing that belongs to one face alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engramforge.model.hit import Hit, Recall
    from engramforge.model.link import Link
    from engramforge.model.memory import Memory
    from engramforge.model.project import Project
    from engramforge.model.record import Forgotten, ImportReport, StoreCounts, StoreIdentity


@dataclass(frozen=True, slots=True)
class ChunkView:
    """Where a chunk sits in its file."""

    file_path: str
    chunk_index: int
    total_chunks: int
    word_offset: int


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """A file that belongs to a memory."""

    name: str
    media_type: str
    size_bytes: int
    location: str
    caption: str


@dataclass(frozen=True, slots=True)
class MemoryView:
    """One version of a memory. True in the world during [valid_at, invalid_at), known during [created_at,
    expired_at); an open end is null."""

    id: str
    logical_id: str
    version: int
    kind: str
    name: str | None
    content: str
    source: str
    tenant: str
    project: str
    level: str
    agent: str
    session_id: str | None
    sequence: int | None
    speaker: str | None
    tags: list[str]
    valid_at: str
    invalid_at: str | None
    created_at: str
    expired_at: str | None
    invalidation_reason: str | None
    correction_id: str | None
    discovery_energy: float | None
    energy: float
    confidence: float
    epistemic_tier: float
    emotion_vector: dict[str, float]
    felt_quality: str | None
    body_sensation: str | None
    goal: str | None
    mindstate: str | None
    resolution_state: str
    chunk: ChunkView | None
    attachments: list[AttachmentView]
    metadata: dict[str, Any]
    access_count: int
    last_accessed_at: str | None
    exposure_count: int


@dataclass(frozen=True, slots=True)
class MatchView:
    """How one space compared the query with a memory: raw, and calibrated to 0..1."""

    space: str
    raw: float
    calibrated: float
    calibration: str
    high: bool


@dataclass(frozen=True, slots=True)
class HitView:
    """One recalled memory: its mass (0..1), the five parts of it, the signals behind its similarity, the
    spaces that matched, and the ways that found it."""

    rank: int
    memory: MemoryView
    mass: float
    parts: dict[str, float]
    signals: dict[str, float]
    matches: list[MatchView]
    found_by: list[str]
    relevant: bool
    relevance_score: float
    excerpt: str


@dataclass(frozen=True, slots=True)
class RecallView:
    """The answer to one recall: hits best first. Budgets are in characters."""

    query: str
    hits: list[HitView]
    searched: int
    budget: int | None
    budget_used: int
    left_out: int
    as_of: str
    timings_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class LinkView:
    """One link between two memories, by their logical ids."""

    id: str
    source_id: str
    target_id: str
    relation: str
    valid_at: str
    created_at: str
    energy: float
    confidence: float


@dataclass(frozen=True, slots=True)
class ForgottenView:
    """Proof of a forget: what was removed, and that a search of the store found nothing of it."""

    logical_id: str
    versions: int
    links: int
    at: str
    verified: bool


@dataclass(frozen=True, slots=True)
class ProjectView:
    """A project and its number of current memories."""

    name: str
    created_at: str
    memories: int


@dataclass(frozen=True, slots=True)
class FaultView:
    """A record that an import skipped because it is broken."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """What an import did."""

    format: str
    source: str
    project: str | None
    files: int
    found: int
    written: int
    duplicates: int
    superseded: int
    invalidated: int
    skipped: int
    redacted: int
    faults: list[FaultView]
    seconds: float
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoreView:
    """Which store it is and how much it holds."""

    store_id: str
    tenant: str
    engine: str
    location: str
    schema: str
    memories: int
    versions: int
    projects: int
    sessions: int
    links: int
    by_kind: dict[str, int]
    by_project: dict[str, int]
    content_bytes: int
    bytes_on_disk: int


def moment(at: datetime | None) -> str | None:
    """A time as text; None stays None."""
    return None if at is None else at.isoformat()


def view_memory(memory: Memory) -> MemoryView:
    """A memory as a shape."""
    chunk = memory.chunk
    return MemoryView(
        id=memory.id,
        logical_id=memory.logical_id,
        version=memory.version,
        kind=str(memory.kind),
        name=memory.name,
        content=memory.content,
        source=str(memory.source),
        tenant=memory.tenant,
        project=memory.project,
        level=str(memory.level),
        agent=memory.agent,
        session_id=memory.session_id,
        sequence=memory.sequence,
        speaker=memory.speaker,
        tags=list(memory.tags),
        valid_at=memory.valid_at.isoformat(),
        invalid_at=moment(memory.invalid_at),
        created_at=memory.created_at.isoformat(),
        expired_at=moment(memory.expired_at),
        invalidation_reason=None if memory.invalidation_reason is None else str(memory.invalidation_reason),
        correction_id=memory.correction_id,
        discovery_energy=memory.discovery_energy,
        energy=memory.energy,
        confidence=memory.confidence,
        epistemic_tier=memory.epistemic_tier,
        emotion_vector=dict(memory.emotion_vector),
        felt_quality=memory.felt_quality,
        body_sensation=memory.body_sensation,
        goal=memory.goal,
        mindstate=memory.mindstate,
        resolution_state=str(memory.resolution_state),
        chunk=None
        if chunk is None
        else ChunkView(chunk.file_path, chunk.chunk_index, chunk.total_chunks, chunk.word_offset),
        attachments=[
            AttachmentView(file.name, file.media_type, file.size_bytes, file.location, file.caption)
            for file in memory.attachments
        ],
        metadata=dict(memory.metadata),
        access_count=memory.access_count,
        last_accessed_at=moment(memory.last_accessed_at),
        exposure_count=memory.exposure_count,
    )


def view_hit(rank: int, hit: Hit) -> HitView:
    """A hit as a shape; `rank` counts from 1."""
    return HitView(
        rank=rank,
        memory=view_memory(hit.memory),
        mass=hit.mass,
        parts=hit.parts.as_dict(),
        signals=dict(hit.signals),
        matches=[
            MatchView(str(match.space), match.raw, match.calibrated, match.calibration, match.high)
            for match in hit.matches
        ],
        found_by=list(hit.found_by),
        relevant=hit.relevant,
        relevance_score=hit.relevance_score,
        excerpt=hit.excerpt,
    )


def view_recall(answer: Recall) -> RecallView:
    """A recall as a shape."""
    return RecallView(
        query=answer.query,
        hits=[view_hit(rank, hit) for rank, hit in enumerate(answer.hits, start=1)],
        searched=answer.searched,
        budget=answer.budget,
        budget_used=answer.budget_used,
        left_out=answer.left_out,
        as_of=answer.as_of.isoformat(),
        timings_ms=dict(answer.timings_ms),
    )


def view_link(link: Link) -> LinkView:
    """A link as a shape."""
    return LinkView(
        id=link.id,
        source_id=link.source_id,
        target_id=link.target_id,
        relation=link.relation,
        valid_at=link.valid_at.isoformat(),
        created_at=link.created_at.isoformat(),
        energy=link.energy,
        confidence=link.confidence,
    )


def view_forgotten(proof: Forgotten) -> ForgottenView:
    """The proof of a forget as a shape."""
    return ForgottenView(proof.logical_id, proof.versions, proof.links, proof.at.isoformat(), proof.verified)


def view_projects(projects: Sequence[Project]) -> list[ProjectView]:
    """Projects as shapes."""
    return [ProjectView(each.name, each.created_at.isoformat(), each.memories) for each in projects]


def view_import(report: ImportReport) -> ImportView:
    """An import's report as a shape."""
    return ImportView(
        format=report.format,
        source=report.source,
        project=report.project,
        files=report.files,
        found=report.found,
        written=report.written,
        duplicates=report.duplicates,
        superseded=report.superseded,
        invalidated=report.invalidated,
        skipped=report.skipped,
        redacted=report.redacted,
        faults=[FaultView(fault.path, fault.line, fault.reason) for fault in report.faults],
        seconds=report.seconds,
        details=dict(report.details),
    )


def view_store(identity: StoreIdentity, counts: StoreCounts) -> StoreView:
    """A store's identity and counts as one shape."""
    return StoreView(
        store_id=identity.store_id,
        tenant=identity.tenant,
        engine=identity.engine,
        location=identity.location,
        schema=identity.schema,
        memories=counts.memories,
        versions=counts.versions,
        projects=counts.projects,
        sessions=counts.sessions,
        links=counts.links,
        by_kind=dict(counts.by_kind),
        by_project=dict(counts.by_project),
        content_bytes=counts.content_bytes,
        bytes_on_disk=counts.bytes_on_disk,
    )
