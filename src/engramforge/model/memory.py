"""A memory: one remembered item, a vertex of the graph.

`Draft` is what a caller asks to remember; `Memory` is what the store holds. Both are frozen. Nothing here does
I/O or validates beyond types: core/checks/validation does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from engramforge.model.registration import Consequence, Registration
from engramforge.model.scope import DEFAULT_AGENT, DEFAULT_TENANT, Level
from engramforge.model.time import InvalidationReason

DEFAULT_PROJECT = "default"
ENERGY = 0.5
"""Of a memory to which nobody gave another."""
SUMMARISES = "summarises"
"""Key of the metadata of a summary that engramforge made: whose sentences were read already where they were said."""
LEARNED_OF = "learned_of"
"""Key of the metadata of a learning that engramforge made: the logical ids of the beliefs that were put right."""
SAID_SINCE = "said_since"
"""Key of the metadata of a version that says what one before it said, such as of what a link resolved: since when that
is said, in ISO 8601. Its `valid_at` is since when the version holds, such as since when it is resolved."""
_FILES_NAMED = 2
"""How many other files that say the same are named with a memory's first."""


class Kind(StrEnum):
    """What a memory is."""

    PROMPT = "prompt"
    TOOL_USE = "tool_use"
    RESPONSE = "response"
    CHUNK = "chunk"
    MESSAGE = "message"
    SESSION_SUMMARY = "session_summary"
    DECISION = "decision"
    THREAD = "thread"
    PATTERN = "pattern"
    PRIMING = "priming"
    FLAG = "flag"
    ENTITY = "entity"
    ACTION = "action"
    LEARNING = "learning"
    ARTIFACT = "artifact"
    NOTE = "note"
    LINEAGE = "lineage"
    ARCHIVE = "archive"


class Source(StrEnum):
    """How a memory came in."""

    HOOK_DESCRIPTION = "hook_description"
    ASSISTANT_RESPONSE = "assistant_response"
    MD_FILE_CHUNK = "md_file_chunk"
    USER_PROMPT = "user_prompt"
    IMPORT = "import"
    API = "api"


class ResolutionState(StrEnum):
    """How far the matter of a memory or link has come."""

    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    RESOLVED = "resolved"


UNRESOLVED = (ResolutionState.BLOCKED, ResolutionState.IN_PROGRESS)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a chunk sits in its file."""

    file_path: str
    chunk_index: int
    total_chunks: int
    word_offset: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that belongs to a memory: its name, media type, size, where it lies, what is said of it, and the SHA-256
    of its bytes in hexadecimal where somebody read it. No copy of it is kept."""

    name: str
    media_type: str = "application/octet-stream"
    size_bytes: int = 0
    location: str = ""
    caption: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory before it is written: what a caller or importer knows of it.

    Times are timezone-aware UTC. `valid_at` defaults to `recorded_at`, and that to the moment of the write; an
    importer sets both, so that history keeps its time. `origin` is the stable identity of the source record (a
    message id, or conversation and position, or a content hash): a second draft of the same origin in the same
    project is a duplicate. Drafts without an origin are recognised by their conversation, position and content; notes
    also without a position, and outside of conversations notes and chunks by their content alone.

    `energy`, `confidence` and `epistemic_tier` are in 0..1; `emotion_vector` maps an emotion's name to 0..1 and, left
    out, comes from the emotion rules. Never set by callers are `registration`, which comes from the registries, and
    `implied_session`, which comes from the writing.

    `also_in` is the importers' own: the other places where files of the project say the same, further ones of the same
    file among them; a memory of several places ends when none of them says it any more.

    `also_origins` and `same_as` are theirs, too, for records found in two sources, such as a prompt in its
    session's transcript and in a prompt history: `also_origins` are written with the memory, and a draft that names one
    of them in `same_as` is a duplicate of that memory, or forgotten with it. Both apply across projects, since the two
    sources may yield different ones. `live_as` is as `same_as`, for what a hook told before its transcript came in: a
    memory that is recognised so is known by the draft's origins, too, from then on.
    """

    content: str
    kind: Kind = Kind.NOTE
    name: str | None = None
    source: Source = Source.API
    project: str = DEFAULT_PROJECT
    session_id: str | None = None
    sequence: int | None = None
    speaker: str | None = None
    level: Level = Level.PERSONAL
    agent: str | None = None
    tags: tuple[str, ...] = ()
    chunk: Chunk | None = None
    also_in: tuple[Chunk, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    recorded_at: datetime | None = None
    energy: float = ENERGY
    confidence: float = 0.5
    epistemic_tier: float = 0.5
    emotion_vector: Mapping[str, float] | None = None
    felt_quality: str | None = None
    body_sensation: str | None = None
    goal: str | None = None
    mindstate: str | None = None
    resolution_state: ResolutionState = ResolutionState.IN_PROGRESS
    origin: str | None = None
    also_origins: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    live_as: tuple[str, ...] = ()
    registration: Registration | None = None
    implied_session: str | None = None


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that was there already and says the same as one that was written, or contradicts it.

    `id`: its version's. `excerpt`: its beginning. `similarity`: 0..1, in meaning. `contradicts`: why it seems to say
    something else, in words; None where it does not.
    """

    id: str
    excerpt: str
    similarity: float
    contradicts: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One version of a remembered item, as stored.

    Identity: `id` is this version's UUIDv7, `logical_id` is shared by all versions, `version` counts from 1.
    Time: true in the world during [valid_at, invalid_at), known to the system during [created_at, expired_at).
    `implied_session` is the sitting in which it came, where nobody said of which session it is (`session_id` is None).
    What a write returns also says what it did; read later, these are as their defaults. `redacted`: how many secrets it
    replaced in what it was given. `is_duplicate`: whether the memory was there already, so that nothing was written.
    `consequences`: what it did to decisions, threads and lineage. `near`: up to three memories that were there already
    and say the same or contradict it.
    """

    id: str
    logical_id: str
    version: int
    kind: Kind
    content: str
    source: Source
    project: str
    valid_at: datetime
    created_at: datetime
    name: str | None = None
    tenant: str = DEFAULT_TENANT
    level: Level = Level.PERSONAL
    agent: str = DEFAULT_AGENT
    session_id: str | None = None
    implied_session: str | None = None
    sequence: int | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    chunk: Chunk | None = None
    also_in: tuple[Chunk, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    invalidation_reason: InvalidationReason | None = None
    correction_id: str | None = None
    discovery_energy: float | None = None
    energy: float = ENERGY
    confidence: float = 0.5
    epistemic_tier: float = 0.5
    emotion_vector: Mapping[str, float] = field(default_factory=dict)
    felt_quality: str | None = None
    body_sensation: str | None = None
    goal: str | None = None
    mindstate: str | None = None
    resolution_state: ResolutionState = ResolutionState.IN_PROGRESS
    access_count: int = 0
    last_accessed_at: datetime | None = None
    exposure_count: int = 0
    registration: Registration | None = None
    redacted: int = field(default=0, compare=False)
    is_duplicate: bool = field(default=False, compare=False)
    consequences: tuple[Consequence, ...] = field(default=(), compare=False)
    near: tuple[Near, ...] = field(default=(), compare=False)

    @property
    def told_at(self) -> datetime:
        """The day that is told of it: since when what it says is so, before whatever became of it since."""
        return since_said(self.metadata, self.valid_at)

    @property
    def resolved_since(self) -> datetime | None:
        """Since when it is resolved; None where it is not, or was not open before."""
        is_resolved = self.resolution_state is ResolutionState.RESOLVED
        return self.valid_at if is_resolved and self.told_at < self.valid_at else None

    @property
    def where(self) -> str:
        """Where it is from, as `place`, and since when it is resolved."""
        since = self.resolved_since
        return self.place if since is None else f"{self.place}, resolved since {since:%Y-%m-%d}"

    @property
    def place(self) -> str:
        """Where it is from: file and headings, with the number and day that they give, or conversation and time, or
        the time alone; in UTC."""
        known = self.metadata.get("place" if self.chunk else "adr")
        said = known if isinstance(known, Mapping) else {}
        file, folder, day, number = said.get("file"), "", said.get("day"), None
        if self.chunk:
            # A chunk that has moved to another file is shown by the whole path of that.
            folder = self.chunk.file_path.removesuffix(f"/{file}")
            is_of_folder = folder != self.chunk.file_path
            file = file if is_of_folder else self.chunk.file_path
            day = day if is_of_folder and isinstance(day, str) and day not in str(file) else None
        elif self.registration:
            number, day = self.registration.local_id, f"{self.valid_at:%Y-%m-%d}"
        titled = self.metadata.get("conversation")
        if isinstance(titled, str) and titled and self.chunk:
            # What a text of a conversation is known by is no place that a person knows.
            return ", ".join(dict.fromkeys(filter(None, (titled, self.metadata.get("file_name"), self.name))))
        if isinstance(file, str):
            others = sorted(
                {each.file_path.removeprefix(f"{folder}/" if folder else "") for each in self.also_in}
                - {file}
            )
            more = f"and {len(others) - _FILES_NAMED} more" if len(others) > _FILES_NAMED else None
            also = ", ".join(filter(None, (*others[:_FILES_NAMED], more)))
            told = ", ".join(filter(None, (number, file, self.name, day)))
            return told + (f"; also in {also}" if also else "")
        origin = self.registration.origin if self.registration else None
        said_in = titled if isinstance(titled, str) and titled else self.session_id or origin
        return ", ".join(filter(None, (said_in, f"{self.told_at:%Y-%m-%d %H:%M}")))

    @property
    def named_with(self) -> str:
        """What says in an answer which one it is, beside another that is one with it: kind, id, where."""
        entry = self.registration.entry_id if self.registration else self.id
        return f"{self.kind} {entry} ({self.where})"

    @property
    def is_current_record(self) -> bool:
        """Whether no later record has replaced this one (its valid interval may still have ended)."""
        return self.expired_at is None

    @property
    def is_superseded(self) -> bool:
        """Whether something took its place, or is known to: it left the record, or is a closing record."""
        return self.expired_at is not None or self.invalidation_reason is not None


def since_said(metadata: Mapping[str, Any], valid_at: datetime) -> datetime:
    """Since when what a version with these metadata says is so: since it holds, or since one before it said it."""
    said = metadata.get(SAID_SINCE)
    try:
        since = datetime.fromisoformat(said) if isinstance(said, str) else valid_at
    except ValueError:
        # Metadata may hold anything that somebody gave.
        return valid_at
    return valid_at if since.tzinfo is None else min(since, valid_at)
