"""Writes to the rows of the registries that stand beside versions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import sqlalchemy as sa

from engramforge.errors import NotFound
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.lineage import StoredEdge
from engramforge.store import schema
from engramforge.store.reading import entries
from engramforge.store.reading.memories import places_of
from engramforge.store.rows import blob, conversation_rows, use_values
from engramforge.store.writing.ledger import Write

_LINEAGE: Final = b"lineage"
"""The lock key for all edges of a tenant; no project has an empty name."""


def note_use(write: Write, memory: Memory, registration: Registration) -> None:
    """Update the use counters and conversations of an entry's version in place; see the door."""
    place = places_of(write.connection, write.scope, [memory.id]).get(memory.id)
    registry, mention = schema.registry, schema.entry_conversation
    its = (registry.c.tenant == write.tenant, registry.c.memory_seq == place)
    done = write.connection.execute(sa.update(registry).where(*its).values(use_values(registration)))
    if place is None or done.rowcount != 1:
        raise NotFound(f"There is no entry of the registry at version {memory.id}", "Read its history again")
    before = (mention.c.tenant == write.tenant, mention.c.memory_seq == place)
    write.connection.execute(sa.delete(mention).where(*before))
    rows = conversation_rows(replace(memory, registration=registration), place)
    if rows:
        write.ledger.add(mention, rows)
    write.doings.use(memory, registration)


def lineage(write: Write, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
    """The edges that lead to a conversation or on from it; transactions that asked add edges one after the other."""
    write.ledger.hold_origins("", [_LINEAGE])
    return entries.lineage(write.connection, write.scope, conversation, backward, limit)


def end_entry(write: Write, memory_id: str) -> None:
    """End the entry's version, if it is one."""
    registry, memory, tenant = schema.registry, schema.memory, write.tenant
    seq = sa.select(memory.c.seq).where(memory.c.tenant == tenant, memory.c.id == blob(memory_id))
    its = (registry.c.tenant == tenant, registry.c.memory_seq == seq.scalar_subquery())
    write.connection.execute(sa.update(registry).where(*its).values(standing=False))
