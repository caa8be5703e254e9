"""The shapes of a memory, and of the proof that it was forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from engramforge.faces.views.shape import Shape, numbered
from engramforge.model.embeddings.embedding import MemoryEmbeddings, SpaceEmbedding
from engramforge.model.memory import Attachment, Chunk, Memory, ResolutionState, since_said
from engramforge.model.storing.record import Forgotten, Remnant
from engramforge.model.topics.usage import Usage

_NAMED: Final = 20
"""How many of what was linked to the forgotten are named."""


class Written(Protocol):
    """What a write answers."""

    @property
    def redacted(self) -> int:
        """How many secrets it replaced in what was given."""


@dataclass(frozen=True, slots=True)
class ChunkView(Shape[Chunk]):
    """Where a chunk sits in its file."""

    file_path: str
    chunk_index: int
    total_chunks: int
    word_offset: int


@dataclass(frozen=True, slots=True)
class AttachmentView(Shape[Attachment]):
    """A file that belongs to a memory."""

    name: str
    media_type: str
    size_bytes: int
    location: str
    caption: str
    sha256: str


@dataclass(frozen=True, slots=True)
class MemoryView(Shape[Memory]):
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
    implied_session: str | None
    sequence: int | None
    speaker: str | None
    tags: list[str]
    where: str
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
    also_in: list[ChunkView]
    attachments: list[AttachmentView]
    metadata: dict[str, Any]
    access_count: int
    last_accessed_at: str | None
    exposure_count: int

    @property
    def told_at(self) -> str:
        """Since when what it says is so, in ISO 8601."""
        return since_said(self.metadata, datetime.fromisoformat(self.valid_at)).isoformat()

    @property
    def is_resolved_since(self) -> bool:
        """Whether it is resolved since `valid_at`, and was open before."""
        return self.resolution_state == ResolutionState.RESOLVED and self.told_at != self.valid_at


def secrets_told(*written: Written) -> str:
    """How many secrets a write replaced, as a sentence that follows another; empty for none."""
    if not (redacted := sum(each.redacted for each in written)):
        return ""
    return f" {redacted} secret{'s were' if redacted > 1 else ' was'} replaced."


@dataclass(frozen=True, slots=True)
class UsageView(Shape[Usage]):
    """How a memory was used: `importance` 0..2.2, `activity` of late, `use_rate` the lower bound of use when shown."""

    importance: float
    activity: float
    use_rate: float
    opened: int
    shown: int
    opened_at: str | None


def usage_line(usage: UsageView) -> str:
    """How a memory was used, in a line; empty where it was neither opened nor shown.

    >>> usage_line(UsageView(1.179, 2.5, 0.2361, 3, 5, None))
    'importance 1.18, activity of late 2.50, use rate 0.24 (opened 3 times, shown 5 times)'
    """
    if not usage.opened:
        return f"never, of {numbered(usage.shown, 'time')} shown" if usage.shown else ""
    counts = f"opened {numbered(usage.opened, 'time')}, shown {numbered(usage.shown, 'time')}"
    rates = f"activity of late {usage.activity:.2f}, use rate {usage.use_rate:.2f}"
    return f"importance {usage.importance:.2f}, {rates} ({counts})"


@dataclass(frozen=True, slots=True)
class RemnantView(Shape[Remnant]):
    """Where something of a forgotten memory still is, and who holds it."""

    place: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class ForgottenView(Shape[Forgotten]):
    """Proof of a forget: what was removed, what was searched for it afterwards, and what is left where."""

    logical_id: str
    versions: int
    links: int
    at: str
    verified: bool
    memories: int
    derived: int
    searched: list[str]
    found: list[RemnantView]
    cleared: list[str]
    queued: bool
    reason: str
    linked: list[str]

    def named(self, given: Sequence[str] = ()) -> str:
        """What was forgotten: a memory by its id, as it was `given` if it was, or how many."""
        own = given[0] if len(given) == 1 else self.logical_id
        return own if self.memories == 1 else numbered(self.memories, "memory")

    def told(self, reason: str = "", *, is_repeated: bool = False) -> str:
        """What the search came to, in sentences, and what was kept of the reason that was given. `is_repeated`: whether
        other memories have some of what it said."""
        gone = ": its words are gone" if is_repeated else ": nothing of it is left"
        said = [f"{numbered(len(self.searched), 'place')} searched" + (gone if self.verified else "")]
        if self.derived:
            said.append(f"{numbered(self.derived, 'memory')} made from it went too")
        if self.cleared:
            said.append(f"deleted, since they held it: {', '.join(self.cleared)}")
        if self.linked:
            more = f" and {len(self.linked) - _NAMED:,} more" if len(self.linked) > _NAMED else ""
            said.append(f"linked to it, and kept: {', '.join(self.linked[:_NAMED])}{more}")
        if reason and not self.reason:
            said.append("the reason is left out, since it said so too")
        elif reason != self.reason:
            said.append(f"the reason is kept without its words: {self.reason}")
        said += [f"left in {each.place} {each.name}".rstrip() + f": {each.why}" for each in self.found]
        return ". ".join(said)


@dataclass(frozen=True, slots=True)
class SpaceEmbeddingView(Shape[SpaceEmbedding]):
    """One memory in one space: `abstains` says why it has no signal there, else norm and surprise (0..1) have numbers.

    `calibrations`: direction -> id; a space without them has raw similarities alone."""

    number: str
    space: str
    encoder: str | None
    rows: int
    size: int
    norm: float | None
    calibrations: dict[str, str]
    surprise: float | None
    abstains: str | None
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EmbeddingsView(Shape[MemoryEmbeddings]):
    """A memory in all thirteen spaces; `around`: how many memories its surprise was measured against."""

    memory_id: str
    around: int
    spaces: list[SpaceEmbeddingView]
