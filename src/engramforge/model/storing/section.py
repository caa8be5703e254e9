"""Everything that a store keeps of a tenant, in sections: what moves to another store and what an export writes.

Rows are model types; positions in a store are nowhere in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.injection import Injection
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Project
from engramforge.model.storing.record import AuditEntry


class Section(StrEnum):
    """One kind of rows of a store, in the order in which they have to be written."""

    PROJECTS = "projects"
    MEMORIES = "memories"
    ENTITIES = "entities"
    ORIGINS = "origins"
    LINKS = "links"
    AUDIT = "audit"
    INJECTIONS = "injections"
    MARKS = "marks"


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """One record of a memory with its signals, exactly as stored.

    `write`: which of the store's writes touched the record last, counted from 1; records of one write share it, and an
    undo takes them back together.
    """

    memory: Memory
    embedding: Embedding
    write: int


@dataclass(frozen=True, slots=True)
class EntityVector:
    """The trained vector of an entity that memories mention; the names themselves come with the memories.

    `vector`: int8 components.
    """

    name: str
    encoder: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Origin:
    """The stable identity of an imported record.

    `key`: 16 bytes, keyed by the id of the store. `logical_id`: the memory made from it; None is a tombstone.
    """

    project: str
    key: bytes
    logical_id: str | None


@dataclass(frozen=True, slots=True)
class StoredInjection:
    """A record of what was put before a model, and the agent whose it is."""

    agent: str
    injection: Injection


@dataclass(frozen=True, slots=True)
class Mark:
    """A small named value."""

    key: str
    value: Mapping[str, Any]


SectionRow: TypeAlias = (
    Project | StoredMemory | EntityVector | Origin | Link | AuditEntry | StoredInjection | Mark
)
"""A row of any section; projects come without their count of memories."""
Cursor: TypeAlias = int | str | tuple[str, str] | None
"""How far a section was read; None is its beginning. Can be written as JSON."""

MOVE_MARK: Final = "move"
"""Mark of a store into which another is being moved: the progress."""
RESTORE_MARK: Final = "restore"
"""Mark of a store into which an export is being restored: the progress."""
PLACE_MARKS: Final = ("unfilled", "relations")
"""Marks that name positions of embeddings in this very store: an export leaves them out, as it does embeddings."""
ENCODER_MARKS: Final = ("encoders", "reembed")
"""Marks, or beginnings of their names up to a slash or colon, that say which encoders a store has or moves to: an
export includes them, and a store into which it is restored keeps its own."""
SCRATCH_MARKS: Final = "scratch/"
"""How the names of marks begin that live for a while: an export leaves them out."""
EXPORT_FORMAT: Final = 1
"""The version of the export's format; it rises when older readers would misunderstand it."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Consecutive rows of a section.

    `rows`: in order of writing, where the section has one; empty at the end. `cursor`: where the next portion begins.
    """

    rows: tuple[SectionRow, ...]
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What a move did.

    `source`, `target`: the places, without passwords. `moved`: rows of each section that this run wrote; none if
    everything was there already. `counts`: rows of each section in the target, and of embeddings, each verified by
    checksum against the source. `resumed`: an earlier run had begun it.
    """

    source: str
    target: str
    tenant: str
    store_id: str
    moved: Mapping[str, int]
    counts: Mapping[str, int]
    resumed: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote.

    `path`: the file, or None where it went to a stream. `counts`: lines of each section.
    """

    path: str | None
    counts: Mapping[str, int]
    size_bytes: int
