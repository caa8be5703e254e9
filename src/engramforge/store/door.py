"""The door: the only way to storage. Engines implement it; stages see nothing else of them.

Three protocols: a `View` answers questions, a `Transaction` writes, `Upkeep` reads a store as a whole. The contract,
held by tests/conformance on every engine:

- Each has a `Scope`. What the scope does not admit does not exist for the caller.
- A view is of one moment, whatever is written meanwhile.
- A transaction is all or nothing. When `write` returns, its writes survive kill -9.
- Ids are unique for ever; positions ascend in order of writing within a store and are never used twice.
- Intervals are half-open on both axes.
- Filters run inside the scan: a `Selection` never makes a limited answer shorter than it could be.
- Forgotten content is in no answer, no index and no free page afterwards; where somebody still holds it, the proof
  says so, and it is cleared as soon as they let go.

No SQL, no engine type and no file path goes through the door.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from engramforge.model.embeddings.encoder_spec import ActiveEncoder, Meanings, Signals
from engramforge.model.embeddings.part import Part
from engramforge.model.injection import Injection, InjectionQuery
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Captured, Project, Scope
from engramforge.model.search.candidates import MOST_HAVING, Candidates, Ground, Having, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Effect
from engramforge.model.storing.record import (
    AuditEntry,
    Entry,
    Erasure,
    Event,
    Extent,
    Forgotten,
    StoredChunk,
    StoreIdentity,
)
from engramforge.model.storing.section import Section, SectionRow
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Change
from engramforge.store.stream_view import StreamView
from engramforge.store.tending import Upkeep
from engramforge.store.topic_door import DreamWrites, TopicView, TopicWrites

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Door", "Transaction", "Upkeep", "View"]
T = TypeVar("T")


class View(StreamView, TopicView, Protocol):
    """Questions of one scope.

    As a context manager it answers all of them at a single moment, on one connection: that of the first question after
    its ground, so that no snapshot is held while a model embeds the question. Used without `with`, it answers each at a
    moment of its own.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def ground(self) -> Ground:
        """What has to be known before a question is asked; read once per view."""

    def candidates(self, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe among the selection."""

    def having(
        self, selection: Selection, groups: Sequence[NDArray[np.uint32]], most: int = MOST_HAVING
    ) -> Having:
        """Memories of a selection that have every term of one of these groups, none of which is empty; at most so many,
        see `Having`. Of a group that thousands have, older ones but for decisions may be left out."""

    def nearest(self, selection: Selection, probe: Probe) -> dict[int, float]:
        """Up to `probe.most` memories nearest to the probe's vector, whatever else it asks: position -> cosine > 0."""

    def signals(self, positions: NDArray[np.int64], named: Sequence[str] | None = None) -> Signals:
        """Everything the active encoders made of the memories at these positions.

        With `named`, also the vectors of those entities that any of the memories mentions or that are named here, if a
        current memory in scope mentions them.
        """

    def meanings(self, kinds: Sequence[Kind]) -> Meanings:
        """The vectors in E1 of all current memories of these kinds, by position; those that abstain are absent."""

    def encoders(self) -> Mapping[Space, ActiveEncoder]:
        """The encoders chosen for this store; a space without one has the static preset's."""

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by version id or logical id (its current version, else its last); unknown ones are absent."""

    def whole_id(self, asked: str, of_link: bool = False) -> str:
        """The id of which this is a beginning of six characters or more: a memory's, an entry's, or `of_link` a link's.

        Itself where it is no beginning or nothing begins so. InvalidValue names several that begin so.
        """

    def fetch_at(self, positions: NDArray[np.int64]) -> dict[int, Memory]:
        """Memories at candidate positions; those forgotten since are absent."""

    def fetch_with_entries(self, positions: NDArray[np.int64]) -> tuple[dict[int, Memory], list[Memory]]:
        """The same with the registry entries that were read from them: of each its current version, else its last."""

    def places_of(self, version_ids: Sequence[str]) -> dict[str, int]:
        """Version id -> position; unknown ones are absent."""

    def positions(self, selection: Selection, limit: int, by_time: bool = False) -> NDArray[np.int64]:
        """Positions of the newest of a selection, newest first: by writing, or `by_time` as `browse` has them."""

    def browse(
        self, selection: Selection, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[Memory]:
        """Memories of a selection ordered by valid time."""

    def versions(self, *logical_ids: str, on_record: bool = False) -> list[Memory]:
        """Every record of a logical id, or of a few hundred, closing records included, oldest first; or those that are
        on record now."""

    def links(
        self,
        logical_ids: Sequence[str],
        selection: Selection | None = None,
        *,
        relation: str | None = None,
        to_others: bool = False,
        most: int | None = None,
    ) -> list[Link]:
        """Links that begin or end at these memories, oldest first; both ends are in scope.

        Without a selection those on record now; with one, those that its mode and times select (its other filters apply
        to memories). `relation`: only those of this one. `to_others`: without those of a memory to itself, of which it
        has one for each version. `most`: at most so many of them all, the oldest.
        """

    def contradictions(self, limit: int) -> list[Link]:
        """The strongest CONTRADICTS links on record between memories in scope, also those that hold no more; of equal
        ones the last made comes first."""

    def tensions(self) -> dict[int, float]:
        """How strongly current memories are contradicted, by the strongest thousand CONTRADICTS links that hold and
        whose ends the scope's agent may see, of whatever project: position -> the strongest link's energy, 0..1."""

    def entries(self, query: EntryQuery) -> list[Memory]:
        """The entries of a registry that a query asks for, in its order."""

    def lineage(self, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """The lineage edges that lead to a conversation (backward) or on from it, nearest first.

        A single query for a chain of any length, which ends at a cycle.
        """

    def changes(self, selection: Selection, limit: int, offset: int = 0) -> list[Change]:
        """The turns of the selected versions on both axes within its `recorded_range`, newest first.

        On the valid axis only those on record now; the selection's mode and other times are ignored.
        """

    def known_origins(self, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys already in the project, or in any of the scope -> logical id, None if it was forgotten."""

    def known_files(self, project: str, prefix: str) -> dict[str, list[StoredChunk]]:
        """Current chunks of files under a path prefix in a project: file path -> chunks by index."""

    def projects(self) -> list[Project]:
        """Projects in scope by name, with their counts of current memories."""

    def project_names(self) -> list[str]:
        """Only the names, without counts."""

    def conversations(self, limit: int, offset: int = 0) -> list[Captured]:
        """Conversations with current memories in scope, each in each project, the one that went on last first."""

    def whole_conversation(self, asked: str) -> str:
        """As `whole_id`, of a conversation."""

    def audit_log(self, limit: int) -> list[AuditEntry]:
        """The newest lines of the audit log, newest first."""

    def events(self, after: int | None, limit: int) -> list[Event]:
        """Lines of the audit log in their order: those after a position, or the newest."""

    def forgotten(self, logical_ids: Sequence[str]) -> set[str]:
        """Which of these were forgotten, whoever's they were."""

    def injections(self, query: InjectionQuery) -> list[Injection]:
        """Records of what was put before a model for the scope's agent and projects, newest first; without texts."""

    def mark(self, key: str) -> Mapping[str, Any] | None:
        """A small named value kept with `save_mark`."""

    def marks(self, beginning: str) -> Mapping[str, Mapping[str, Any]]:
        """Those whose keys begin so, by key."""


class Transaction(TopicWrites, DreamWrites, Protocol):
    """Writes that happen together. Its reads see its own writes; no other writer intervenes.

    No other transaction changes what this one has fetched or asked the origin of, until it ends.
    """

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """As the view's, inside the transaction."""

    def hold(self, ids: Sequence[str]) -> None:
        """Keep memories from being changed or forgotten until the end, by version id or logical id, whoever's they are.

        NotFound if one does not exist.
        """

    def known_origins(self, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """As the view's, inside the transaction; no other transaction writes these origins until it ends."""

    def lineage(self, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """As the view's; no other transaction that asked adds an edge until this one ends."""

    def insert(self, entries: Sequence[Entry]) -> None:
        """Write versions with their embeddings and origins.

        EncoderChanged if a vector or part was not made by the space's active encoder: embed again.
        """

    def add_origins(self, project: str, logical_id: str | None, keys: Sequence[bytes]) -> None:
        """Further keys of an existing or forgotten memory; keys that the project has already are kept."""

    def expire(
        self, memory_id: str, at: datetime, reason: InvalidationReason, correction_id: str | None = None
    ) -> None:
        """Close the recorded interval of a version."""

    def note_use(self, memory: Memory, registration: Registration) -> None:
        """Update only the use counters and conversations of an entry's version; NotFound if it is none in scope."""

    def count_uses(self, shown: Mapping[str, int], opened: Mapping[str, int], at: datetime | None) -> None:
        """Add to the use counters of versions, by version id; `at`: when one was last opened.

        Those that are gone or not in scope are skipped. No change that others notice, and nothing to undo.
        """

    def link(self, links: Sequence[Link], known: Collection[str] | None = None) -> None:
        """Write links; both ends must exist in scope. One that is on record already, with the same ends, relation and
        valid time, is left out.

        `known`: ids of the links of the same ends and relation that the caller knew of. Raises PlanOutdated where there
        is another by now.
        """

    def bind(self, links: Sequence[Link]) -> None:
        """Write DERIVED_FROM links of copies, whose targets may be anybody's: a copy is forgotten with its source.

        The sources must be in scope; NotFound if an end does not exist.
        """

    def expire_link(self, link_id: str | Sequence[str], at: datetime, reason: InvalidationReason) -> None:
        """Close the recorded interval of a link, or of several; NotFound if one is not open or not in scope."""

    def forget(
        self,
        what: Extent,
        at: datetime,
        keys_of: Callable[[Memory], Sequence[bytes]] = lambda _: (),
        *,
        reason: str = "",
        confirm: Callable[[Mapping[str, str], int], None] = lambda *_: None,
    ) -> list[Forgotten]:
        """Remove all versions with content, embeddings, links and tags, and everything DERIVED_FROM them, with a line
        of the audit log for each.

        `what`: as far as it is in scope. `keys_of`: further keys to keep of each version, by which a later import
        recognises it. `confirm`: called before anything is removed with the logical ids that were asked for, each with
        its project (none of an entry), and how many memories made from them go too; it may raise.

        What is derived goes whoever's it is, and also where that was undone since. The keys of their origins stay, so
        that a later import does not bring them back.
        """

    def save_injections(self, records: Sequence[Injection]) -> None:
        """Keep records of what was put before a model; one that is there already is replaced.

        No change that others notice, and nothing to undo. A forget keeps the ids of what is gone, and no word of it.
        """

    def prune_injections(self, before: datetime, most: int) -> None:
        """Remove records of all agents that were made before a time, the oldest first, up to so many."""

    @property
    def erasure(self) -> Erasure:
        """What is left of forgotten texts after the commit: filled in when the write has returned."""

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
        """Make the project exist, if it does not."""

    def save_mark(self, key: str, value: Mapping[str, Any] | None) -> None:
        """Keep a small named value (an import's progress, a calibration); None removes it."""

    def place_vectors(
        self, positions: NDArray[np.int64], encoder: str, vectors: Sequence[NDArray[np.int8] | None]
    ) -> None:
        """Add E1 vectors of an encoder to memories, which may have others; None: it abstains, so the memory lacks
        nothing.

        Positions forgotten meanwhile are skipped. Only embeddings change.
        """

    def place_parts(
        self, positions: NDArray[np.int64], space: Space, encoder: str, parts: Sequence[Part | None]
    ) -> None:
        """Add parts of a space and encoder to memories, replacing earlier ones of the same."""

    def place_entities(self, encoder: str, names: Sequence[str], vectors: NDArray[np.int8]) -> None:
        """Set the vectors, shape (n, size), of mentioned entities.

        Unknown names are skipped.
        """

    def place_mentions(self, positions: NDArray[np.int64], names: Sequence[Sequence[str]]) -> None:
        """Set the names that memories mention, in order.

        For memories older than entities. Positions that no longer exist are skipped.
        """

    def activate(self, space: Space, encoder: ActiveEncoder) -> None:
        """Let questions compare the space by this encoder from now on.

        Conflict if memories lack an embedding by it (see `unencoded`), so that nothing is mixed or missed. No other
        write intervenes between the check and the change.
        """

    def drop_encoder(self, space: Space, encoder: str) -> int:
        """Remove the embeddings of an inactive encoder; returns how many."""

    def restore(self, section: Section, rows: Sequence[SectionRow]) -> None:
        """Write rows of another store's section unchanged and unchecked; `settle` must follow the last of them."""

    def adopt(self, store_id: str) -> None:
        """Take on the identity of a store that is moved into this one; this door reports it from the commit on, others
        when reopened."""

    def settle(self) -> None:
        """Let readers notice all restored memories; those of a write stay together for an undo."""

    def discard(self) -> None:
        """Remove everything of the tenant, for a move that starts over."""


class Door(Protocol):
    """A tenant's store: its questions, writes and upkeep."""

    @property
    def identity(self) -> StoreIdentity:
        """Which store this is."""

    def asking(self, scope: Scope) -> View:
        """Questions of a scope."""

    def tending(self, scope: Scope) -> Upkeep:
        """Upkeep of the store, as far as the scope admits it."""

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction, repeated from the start if the engine asks for it.

        It commits and syncs when the work returns, and rolls back when that raises. Since it may be repeated, the work
        must have no effect outside its transaction that would count twice.
        """

    def finish_erasure(self) -> list[str]:
        """Clear from the files what an earlier forget had to leave there; what it still cannot, each a sentence."""

    def check(self) -> list[str]:
        """Faults of the store itself, each a sentence; empty when sound."""

    def close(self) -> None:
        """Release every file and connection; later calls raise."""
