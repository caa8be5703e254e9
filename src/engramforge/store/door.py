"""The door: the only way to storage. Engines implement it; stages see nothing else of them.

Three protocols: a `View` answers questions, a `Transaction` writes, `Upkeep` reads a store as a whole. The contract,
held by tests/conformance on every engine:

- Each has a `Scope`. What the scope does not admit does not exist for the caller.
- A view is of one moment, whatever is written meanwhile.
- A transaction is all or nothing. When `write` returns, its writes survive kill -9.
- Ids are unique for ever; positions ascend in order of writing within a store and are never used twice.
- Intervals are half-open on both axes.
- Filters run inside the scan: a `Selection` never makes a limited answer shorter than it could be.
- What was forgotten is in no answer, no index and no free page afterwards.

No SQL, no engine type and no file path goes through the door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from engramforge.model.embeddings.active_encoders import ActiveEncoder, MemoryGraph, Mentions, Signals
from engramforge.model.embeddings.part import Part
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.project import Project
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Candidates, Corpus, Ground, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Effect
from engramforge.model.storing.record import AuditEntry, Entry, Forgotten, StoreCounts, StoreIdentity
from engramforge.model.storing.section import Cursor, Portion, Section, SectionRow
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Change

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


class View(Protocol):
    """Questions of one scope.

    As a context manager it answers all of them as of one moment, on one connection: the moment of the first question
    after its ground, so that no snapshot is held while a model embeds the question. Used without `with`, it answers
    each at a moment of its own.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def ground(self) -> Ground:
        """What has to be known before a question is put; read once a view."""

    def candidates(self, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe among the selection."""

    def signals(self, positions: NDArray[np.int64], named: Sequence[str] | None = None) -> Signals:
        """Everything the active encoders made of the memories at these positions.

        With `named`, also the vectors of those entities that any of the memories mentions or that are named here, if a
        current memory in scope mentions them.
        """

    def encoders(self) -> Mapping[Space, ActiveEncoder]:
        """The active encoders that somebody chose for this store; a space without one has the static preset's."""

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by version id or logical id (its current version, else its last); unknown ones are absent."""

    def fetch_at(self, positions: NDArray[np.int64]) -> dict[int, Memory]:
        """Memories at candidate positions; one that was forgotten since is absent."""

    def places_of(self, version_ids: Sequence[str]) -> dict[str, int]:
        """Version id -> position; unknown ones are absent."""

    def positions(self, selection: Selection, limit: int) -> NDArray[np.int64]:
        """Positions of the newest written memories of a selection, newest first."""

    def browse(
        self, selection: Selection, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[Memory]:
        """Memories of a selection ordered by valid time."""

    def versions(self, logical_id: str) -> list[Memory]:
        """Every record of a logical id, closing records too, oldest record first."""

    def links(self, logical_ids: Sequence[str], selection: Selection | None = None) -> list[Link]:
        """Links that begin or end at these memories, oldest first; both ends are in scope.

        Without a selection those on record now; with one, those that its mode and times select (its other filters
        are for memories).
        """

    def entries(self, query: EntryQuery) -> list[Memory]:
        """The entries of a registry that a query asks for, in its order."""

    def lineage(self, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """The lineage edges that lead to a conversation (backward) or from it on, nearest first.

        One query for a chain of any length; a cycle ends it.
        """

    def changes(self, selection: Selection, limit: int, offset: int = 0) -> list[Change]:
        """The turns of the selected versions on both axes within its `recorded_range`, newest first.

        On the valid axis only of what is on record now; the selection's mode and other times do not count.
        """

    def known_origins(self, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys already in the project, or in any of the scope -> logical id, None where it was forgotten."""

    def known_files(self, project: str, prefix: str) -> dict[str, list[Memory]]:
        """Current chunks of files under a path prefix in a project: file path -> chunks by index."""

    def projects(self) -> list[Project]:
        """Projects in scope by name, with their counts of current memories."""

    def project_names(self) -> list[str]:
        """The names alone, without counting: what a question has to know before it is asked."""

    def audit_log(self, limit: int) -> list[AuditEntry]:
        """The newest lines of the audit log, newest first."""

    def mark(self, key: str) -> Mapping[str, Any] | None:
        """A small named value kept with `save_mark`."""


class Transaction(Protocol):
    """Writes that happen together. Reads in it see its own writes; no other writer comes between them and it.

    What a transaction has fetched or asked the origin of, no other transaction changes until it ends.
    """

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """As the view's, inside the transaction."""

    def known_origins(self, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """As the view's, inside the transaction: no other writes these origins until it ends."""

    def lineage(self, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """As the view's; no other transaction that has asked adds an edge until this one ends."""

    def insert(self, entries: Sequence[Entry]) -> None:
        """Write versions with their embeddings and origins.

        EncoderChanged where a vector or part was made by another encoder than the space's active one: embed again.
        """

    def add_origins(self, project: str, logical_id: str | None, keys: Sequence[bytes]) -> None:
        """Further keys of a memory that is there, or of a forgotten one; a key that the project has stays as it is."""

    def expire(
        self, memory_id: str, at: datetime, reason: InvalidationReason, correction_id: str | None = None
    ) -> None:
        """Close the recorded interval of one version."""

    def note_use(self, memory: Memory, registration: Registration) -> None:
        """Put use counters and conversations in place for a version of a registry's entry; nothing else changes.

        NotFound when it is no entry, or not in scope.
        """

    def link(self, links: Sequence[Link]) -> None:
        """Write links; both ends must exist in scope."""

    def expire_link(self, link_id: str, at: datetime, reason: InvalidationReason) -> None:
        """Close the recorded interval of one link; NotFound when it is not open or not in scope."""

    def forget(
        self, logical_ids: Sequence[str], at: datetime, keep_tombstone: bool = True
    ) -> list[Forgotten]:
        """Remove all versions with content, embeddings, links and tags, and what carries DERIVED_FROM to them.

        `keep_tombstone` keeps the origin's key, so that a later import does not bring the memory back.
        """

    @property
    def records(self) -> int:
        """How many records this transaction has made and closed so far."""

    def audit(
        self, action: str, subject: str, reason: str, at: datetime, effect: Effect | None = None
    ) -> None:
        """Add a line to the audit log; the last one of a transaction is kept with all that it did.

        `effect` has what only the caller knows: of an undo what it takes back, and what stands for what.
        """

    def create_project(self, name: str, at: datetime) -> None:
        """Make the project exist; nothing happens when it does."""

    def save_mark(self, key: str, value: Mapping[str, Any] | None) -> None:
        """Keep a small named value (an import's progress, a calibration); None removes it."""

    def place_vectors(
        self, positions: NDArray[np.int64], encoder: str, vectors: Sequence[NDArray[np.int8] | None]
    ) -> None:
        """Put E1 of an encoder beside memories that may have one of another; None: it abstains, so is not lacking.

        Positions that are no more (forgotten meanwhile) are passed over. Nothing but embeddings changes.
        """

    def place_parts(
        self, positions: NDArray[np.int64], space: Space, encoder: str, parts: Sequence[Part | None]
    ) -> None:
        """Put parts of one space and encoder beside memories, in place of earlier ones of the same; likewise."""

    def place_entities(self, encoder: str, names: Sequence[str], vectors: NDArray[np.int8]) -> None:
        """Put vectors, shape (n, size), to mentioned entities, in place of any they had.

        Unknown names are passed over.
        """

    def place_mentions(self, positions: NDArray[np.int64], names: Sequence[Sequence[str]]) -> None:
        """Put the names that they mention, in order, beside memories, in place of earlier ones.

        For memories that were written before names were taken. Positions that are no more are passed over.
        """

    def activate(self, space: Space, encoder: ActiveEncoder) -> None:
        """Let questions compare the space by this encoder from now on.

        Conflict where memories lack an embedding by it (see `unencoded`): nothing is mixed, nothing is missed. No write
        of another comes between the check and the change.
        """

    def drop_encoder(self, space: Space, encoder: str) -> int:
        """Remove the embeddings of an encoder that is not active, and how many these were."""

    def restore(self, section: Section, rows: Sequence[SectionRow]) -> None:
        """Write rows of another store's section as they were there, unchecked; `settle` ends the last of them."""

    def adopt(self, store_id: str) -> None:
        """Take on the identity of the store that is moved in here; this door tells it from the commit on, others when
        they are opened again."""

    def settle(self) -> None:
        """Let readers notice all restored memories; those of one write stay together for an undo."""

    def discard(self) -> None:
        """Remove everything of the tenant, for a move that begins anew."""


class Upkeep(Protocol):
    """What is read of a store as a whole, for moving, exporting, learning and counting; a context as a `View` is."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def counts(self) -> dict[Section, int]:
        """How many rows each section has."""

    def writes(self) -> tuple[int, int]:
        """How many writes touched what is there, and the number of the newest."""

    def ordered(self, section: Section) -> NDArray[np.int64]:
        """Positions of all memories, or links, ordered by `created_at`, then id."""

    def at(self, section: Section, positions: NDArray[np.int64]) -> list[Any]:
        """The memories, or links, at these positions, in the order asked."""

    def writes_of(self, positions: NDArray[np.int64]) -> list[int]:
        """Which of the store's writes touched each of these memories last, counted from 1, in the order asked."""

    def portion(self, section: Section, after: Cursor, limit: int) -> Portion:
        """Up to `limit` rows of a section that follow a cursor, fewer where contents are large; none at the end."""

    def unencoded(self, space: Space, encoder: str, limit: int, after: int = 0) -> list[tuple[int, Memory]]:
        """Up to `limit` versions, ended ones too, without an embedding by this encoder, by position, above `after`."""

    def graph(self) -> MemoryGraph:
        """The links now between current memories in scope."""

    def mentions(self) -> Mentions:
        """The entities that current memories in scope mention, and which do: m rows for m mentions."""

    def corpus(self) -> Corpus:
        """The terms of the scope's current memories, counted without what a question keeps in memory."""

    def count(self) -> StoreCounts:
        """How much is in scope."""

    def embedding_bytes(self) -> int:
        """What the embeddings of all versions of the tenant take, in bytes, without the engine's account of rows."""


class Door(Protocol):
    """A tenant's store: ways to ask, to write and to keep it up."""

    @property
    def identity(self) -> StoreIdentity:
        """Which store this is."""

    def asking(self, scope: Scope) -> View:
        """Questions of a scope."""

    def tending(self, scope: Scope) -> Upkeep:
        """The store as a whole, as far as the scope admits it."""

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction, again from the start where the engine asks to repeat it.

        It commits and syncs when the work returns, and rolls back when that raises. A repeat follows a rollback, so the
        work must have no effect outside its transaction that would count twice.
        """

    def check(self) -> list[str]:
        """Faults of the store itself, each a sentence; empty when sound."""

    def close(self) -> None:
        """Release every file and connection; later calls raise."""
