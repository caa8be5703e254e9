"""The shape of a memory. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from engramforge.model.memory import Memory


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
    sha256: str


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
            AttachmentView(
                file.name, file.media_type, file.size_bytes, file.location, file.caption, file.sha256
            )
            for file in memory.attachments
        ],
        metadata=dict(memory.metadata),
        access_count=memory.access_count,
        last_accessed_at=moment(memory.last_accessed_at),
        exposure_count=memory.exposure_count,
    )
