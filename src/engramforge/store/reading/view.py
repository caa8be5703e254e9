"""The reading verbs of the door that are the same on every engine: a connection that sees one snapshot, a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.active_encoders import ActiveEncoder, Entities, MemoryGraph, Mentions
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.project import Project
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import AuditEntry, StoreCounts
from engramforge.model.time import to_micros
from engramforge.model.timeline import Change
from engramforge.store import schema
from engramforge.store.reading import changes as turns
from engramforge.store.reading import counts as counting
from engramforge.store.reading import embeddings as signals
from engramforge.store.reading import encoders, entries, relations
from engramforge.store.reading import memories as reading
from engramforge.store.reading import projects as project_reading
from engramforge.store.reading.snapshot import Snapshot
from engramforge.store.rows import blob

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StoreReads:
    """Verbs over `_reading`; see `store.door.Door` for the contract of each."""

    def _reading(self, scope: Scope) -> AbstractContextManager[Connection]:
        """A connection whose reads see one snapshot, for a scope of the store's tenant."""
        raise NotImplementedError

    def _touching(self, scope: Scope) -> AbstractContextManager[Connection]:
        """A connection inside a write transaction that changes use counters alone."""
        raise NotImplementedError

    def _bytes_on_disk(self, connection: Connection) -> int:
        """What the store takes on disk."""
        raise NotImplementedError

    def fetch(self, scope: Scope, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by version id or logical id."""
        with self._reading(scope) as connection:
            return reading.fetch(connection, scope, ids)

    def fetch_at(self, scope: Scope, positions: NDArray[np.int64]) -> dict[int, Memory]:
        """Memories at candidate positions."""
        with self._reading(scope) as connection:
            return reading.fetch_at(connection, scope, [int(position) for position in positions])

    def encoders(self, scope: Scope) -> Mapping[Space, ActiveEncoder]:
        """The active encoders that somebody chose."""
        with self._reading(scope) as connection:
            return encoders.active_encoders(connection, scope.tenant)

    def unencoded(
        self, scope: Scope, space: Space, encoder: str, limit: int, after: int = 0
    ) -> list[tuple[int, Memory]]:
        """Versions without an embedding by this encoder."""
        with self._reading(scope) as connection:
            return encoders.unencoded(connection, scope, space, encoder, limit, after)

    def signals(self, scope: Scope, positions: NDArray[np.int64]) -> dict[int, Embedding]:
        """Everything the active encoders made of the memories at these positions."""
        with self._reading(scope) as connection:
            return signals.signals(connection, scope, [int(position) for position in positions])

    def graph(self, scope: Scope) -> MemoryGraph:
        """The links now between current memories in scope."""
        with self._reading(scope) as connection:
            return relations.graph(connection, scope)

    def mentions(self, scope: Scope) -> Mentions:
        """The entities that current memories in scope mention, and which do."""
        with self._reading(scope) as connection:
            return relations.mentions(connection, scope)

    def entities(self, scope: Scope, names: Sequence[str]) -> Entities:
        """Those entities with these names that are mentioned."""
        with self._reading(scope) as connection:
            return relations.entities(connection, scope, names)

    def places_of(self, scope: Scope, version_ids: Sequence[str]) -> dict[str, int]:
        """Positions of versions by their ids."""
        with self._reading(scope) as connection:
            return reading.places_of(connection, scope, version_ids)

    def positions(self, scope: Scope, selection: Selection, limit: int) -> NDArray[np.int64]:
        """Positions of the newest written memories of a selection."""
        with self._reading(scope) as connection:
            return relations.positions(connection, scope, selection, limit)

    def versions(self, scope: Scope, logical_id: str) -> list[Memory]:
        """Every record of a logical id."""
        with self._reading(scope) as connection:
            return reading.versions(connection, scope, logical_id)

    def browse(
        self, scope: Scope, selection: Selection, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[Memory]:
        """Memories of a selection by valid time."""
        with self._reading(scope) as connection:
            return reading.browse(connection, scope, selection, limit, offset, newest_first)

    def links(
        self, scope: Scope, logical_ids: Sequence[str], selection: Selection | None = None
    ) -> list[Link]:
        """Links that begin or end at these memories."""
        with self._reading(scope) as connection:
            return reading.links(connection, scope, logical_ids, selection=selection)

    def last_change(self, scope: Scope, logical_id: str) -> list[Memory]:
        """The records of the newest write to a memory."""
        with self._reading(scope) as connection:
            return turns.last_change(connection, scope, logical_id)

    def changes(self, scope: Scope, selection: Selection, limit: int, offset: int = 0) -> list[Change]:
        """The turns of the selected versions, newest first."""
        with self._reading(scope) as connection:
            return turns.changes(connection, scope, selection, limit, offset)

    def entries(self, scope: Scope, query: EntryQuery) -> list[Memory]:
        """Entries of a registry."""
        with self._reading(scope) as connection:
            return entries.entries(connection, scope, query)

    def count_entries(self, scope: Scope, query: EntryQuery) -> int:
        """How many entries a query asks for."""
        with self._reading(scope) as connection:
            return entries.count_entries(connection, scope, query)

    def lineage(self, scope: Scope, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """The lineage edges that lead to a conversation or from it on."""
        with self._reading(scope) as connection:
            return entries.lineage(connection, scope, conversation, backward, limit)

    def projects(self, scope: Scope) -> list[Project]:
        """Projects in scope."""
        with self._reading(scope) as connection:
            return project_reading.projects(connection, scope)

    def project_names(self, scope: Scope) -> list[str]:
        """Names of the projects in scope."""
        with self._reading(scope) as connection:
            return project_reading.project_names(connection, scope)

    def audit_log(self, scope: Scope, limit: int) -> list[AuditEntry]:
        """The newest lines of the audit log."""
        with self._reading(scope) as connection:
            return reading.audit_log(connection, scope, limit)

    def mark(self, scope: Scope, key: str) -> Mapping[str, Any] | None:
        """A named value."""
        with self._reading(scope) as connection:
            return reading.read_mark(connection, scope.tenant, key)

    def known_files(self, scope: Scope, project: str, prefix: str) -> dict[str, list[Memory]]:
        """Current chunks of files under a prefix."""
        with self._reading(scope) as connection:
            return reading.files(connection, scope.within(project), prefix)

    @contextmanager
    def snapshot(self, scope: Scope) -> Iterator[Snapshot]:
        """One moment of everything."""
        with self._reading(scope) as connection:
            yield Snapshot(connection, scope)

    def count(self, scope: Scope) -> StoreCounts:
        """How much is in scope."""
        with self._reading(scope) as connection:
            return counting.count(connection, scope, self._bytes_on_disk(connection))

    def embedding_bytes(self, scope: Scope) -> int:
        """What the embeddings of the tenant take."""
        with self._reading(scope) as connection:
            return counting.embedding_bytes(connection, scope)

    def touch(self, scope: Scope, memory_ids: Sequence[str], at: datetime, accessed: bool) -> None:
        """Count an exposure or an access in place; the search does not need to know."""
        memory = schema.memory
        counter = memory.c.access_count if accessed else memory.c.exposure_count
        values: dict[Any, Any] = {counter: counter + 1}
        if accessed:
            values[memory.c.last_accessed_at] = to_micros(at)
        with self._touching(scope) as connection:
            raw = [blob(each) for each in memory_ids if reading.is_id(each)]
            wanted = (memory.c.id.in_(raw), reading.admitted(scope))
            connection.execute(sa.update(memory).where(*wanted).values(values))
