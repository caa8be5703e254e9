"""Writes to the rows of the registries that stand beside versions. Mixed into `StoreTransaction`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import NotFound
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Scope
from engramforge.store import schema
from engramforge.store.reading import entries, memories
from engramforge.store.rows import blob, conversation_rows, use_values
from engramforge.store.writing.doings import Doings

_LINEAGE: Final = b"lineage"
"""What stands for all edges of a tenant where one writer waits for another; no project has an empty name."""


class EntryWrites:
    """The verbs of entries; see `store.door.Transaction`."""

    _connection: Connection
    _scope: Scope
    _doings: Doings

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        raise NotImplementedError

    def _hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        raise NotImplementedError

    def note_use(self, memory: Memory, registration: Registration) -> None:
        """Put the use counters and conversations of an entry's version in place; see the door."""
        place = memories.places_of(self._connection, self._scope, [memory.id]).get(memory.id)
        registry, mention, tenant = schema.registry, schema.entry_conversation, self._scope.tenant
        its = (registry.c.tenant == tenant, registry.c.memory_seq == place)
        done = self._connection.execute(sa.update(registry).where(*its).values(use_values(registration)))
        if place is None or done.rowcount != 1:
            raise NotFound(
                f"There is no entry of the registry at version {memory.id}", "Read its history again"
            )
        before = (mention.c.tenant == tenant, mention.c.memory_seq == place)
        self._connection.execute(sa.delete(mention).where(*before))
        rows = conversation_rows(replace(memory, registration=registration), place)
        if rows:
            self._add(mention, rows)
        self._doings.use(memory, registration)

    def lineage(self, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
        """The edges that lead to a conversation or from it on; whoever asks adds edges one after the other."""
        self._hold_origins("", [_LINEAGE])
        return entries.lineage(self._connection, self._scope, conversation, backward, limit)

    def _end_entry(self, memory_id: str) -> None:
        """The entry's version, if it is one, stands no more."""
        registry, memory, tenant = schema.registry, schema.memory, self._scope.tenant
        seq = sa.select(memory.c.seq).where(memory.c.tenant == tenant, memory.c.id == blob(memory_id))
        its = (registry.c.tenant == tenant, registry.c.memory_seq == seq.scalar_subquery())
        self._connection.execute(sa.update(registry).where(*its).values(standing=False))
