"""Records around memories: what a write returns, the audit log, an import's report, a store's counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.storing.effect import Effect


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory on its way into the store, with its signals.

    `origin_key`: 16 bytes that recognise the source record, or None when it can never be a duplicate.
    `more_origin_keys`: likewise, for other ways on which the same record may come in.
    """

    memory: Memory
    embedding: Embedding
    origin_key: bytes | None = None
    more_origin_keys: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A current chunk of a file, without its text: the ids of its record and of its memory, the 16 bytes of
    `content_digest` by which its text is compared, since when it holds, and the file."""

    id: str
    logical_id: str
    digest: bytes
    valid_at: datetime
    path: str = ""


def content_digest(content: str) -> bytes:
    """16 bytes that equal contents share."""
    return blake2b(content.encode(), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log: ids, a time and a reason, never content.

    `effect`: what the write did, on the last of its lines; None where an older version wrote the line and did not say.
    """

    at: datetime
    action: str
    subject: str
    agent: str
    reason: str
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the audit log as an event.

    `position`: ascends within a store and is never used twice, so that a reader goes on from the last one that it has
    seen. The others: as in `AuditEntry`.
    """

    position: int
    at: datetime
    action: str
    subject: str
    agent: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoreIdentity:
    """Which store this is."""

    store_id: str
    tenant: str
    engine: str
    location: str
    schema: str


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """How much a store holds; bytes are of the files on disk."""

    memories: int
    versions: int
    projects: int
    sessions: int
    links: int
    by_kind: Mapping[str, int]
    by_project: Mapping[str, int]
    content_bytes: int
    bytes_on_disk: int


@dataclass(frozen=True, slots=True)
class Remnant:
    """Where something of a forgotten memory still is: no content.

    `place`: what kind of place: memory, link, file, table. `name`: which one: an id, a file's or a table's name; empty
    for further ones that are only counted. `why`: who holds it, and what becomes of it.
    """

    place: str
    name: str
    why: str


@dataclass(slots=True)
class Erasure:
    """What the search after a forget looked through, and what it found; filled in when the write has returned.

    `searched`: files or tables, by name. `found`: what is left. `cleared`: copies that were deleted whole, since they
    held what was forgotten, and files of the spool and logs that lost the lines that did. `queued`: whether the store's
    own files still hold some of it, until the next to open or to sweep the store clears them. `reason`: as it is kept,
    without distinctive words of what was forgotten. `linked`: ids of memories and entries that were linked to what is
    gone, and stay.
    """

    searched: list[str] = field(default_factory=list)
    found: list[Remnant] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    queued: bool = False
    reason: str = ""
    linked: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Extent:
    """What is forgotten as one.

    `ids`: logical ids. `conversation`: what was said and recorded in it. `file`: the chunks of a file, or of all in a
    folder, by its path. `projects`: everything in the scope's projects, and their names.
    """

    ids: Sequence[str] = ()
    conversation: str = ""
    file: str = ""
    projects: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Proof of a forget: what was removed, what was searched afterwards, and what was found; no content.

    `logical_id`: the memory, of several the first. `memories`: how many were asked for; `versions` and `links` are
    theirs. `derived`: how many others went with them, since they were made from them. `verified`: whether the places
    that were `searched` have nothing of it left; otherwise `found` says where it still is and who holds it.
    `cleared`, `queued`, `reason`, `linked`: as in `Erasure`.
    """

    logical_id: str
    versions: int
    links: int
    at: datetime
    verified: bool
    memories: int = 1
    derived: int = 0
    searched: tuple[str, ...] = ()
    found: tuple[Remnant, ...] = ()
    cleared: tuple[str, ...] = ()
    queued: bool = False
    reason: str = ""
    linked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken record of an import: where it is and what is wrong; it was skipped, the rest went in.

    `is_note`: the record went in, and something beside it did not, as an image that is not there.
    """

    path: str
    line: int | None
    reason: str
    is_note: bool = False

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    `found`: records that hold a message, note or chunk. `written`, `duplicates`, `superseded`, `invalidated`,
    `skipped`: what became of them; skipped are those that carry nothing to remember (tool plumbing, injected context,
    private parts), and the `forgotten`, which no import brings back. `redacted`: how many secrets were replaced.
    """

    format: str
    source: str
    project: str | None
    files: int = 0
    found: int = 0
    written: int = 0
    duplicates: int = 0
    superseded: int = 0
    invalidated: int = 0
    skipped: int = 0
    forgotten: int = 0
    redacted: int = 0
    faults: tuple[Fault, ...] = ()
    seconds: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)
