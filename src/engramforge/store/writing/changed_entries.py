"""Entries that a forgotten message changed, and that others had made: only the version that it wrote goes.

What stood before stands again, as if the message had never been, so that a forget takes no decision away from those who
made it. That is possible where the change was the last one; where somebody has changed the entry since, what they wrote
may carry words of the message on, and the entry goes as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from engramforge.model.link import Relation
from engramforge.model.scope import Scope
from engramforge.store import schema
from engramforge.store.reading.memories import versions
from engramforge.store.rows import blob, registry_row, text_id
from engramforge.store.writing.ledger import Write


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of an entry: when it was recorded, what it wrote, and what stood before; positions."""

    at: int
    written: Sequence[int]
    before: int


def last_change(write: Write, logical_id: str, at: int) -> LastChange | None:
    """The change that was recorded then, if it is the last of an entry that was there before."""
    memory, registry = schema.memory, schema.registry
    its = (memory.c.tenant == write.tenant, memory.c.logical_id == blob(logical_id))
    is_entry = sa.exists().where(registry.c.tenant == write.tenant, registry.c.memory_seq == memory.c.seq)
    asked = sa.select(
        memory.c.seq,
        memory.c.version,
        memory.c.created_at,
        memory.c.expired_at,
        memory.c.invalid_at,
        is_entry.label("is_entry"),
    )
    rows = write.connection.execute(asked.where(*its)).all()
    written = [row for row in rows if row.created_at == at]
    kept = [row for row in rows if row.created_at < at]
    closed = [row for row in kept if row.expired_at == at]
    if len(written) + len(kept) < len(rows) or len(closed) != 1 or not all(row.is_entry for row in rows):
        return None
    (before,) = closed
    is_closing = before.invalid_at is not None or [row.version for row in kept].count(before.version) > 1
    if is_closing or any(row.expired_at is not None for row in written):
        return None
    return LastChange(at, [row.seq for row in written], before.seq)


def stand_again(write: Write, logical_id: str, change: LastChange) -> None:
    """Put what stood before a change, whose own rows are gone, on record again, without the links of the change."""
    memory, registry, link = schema.memory, schema.registry, schema.link
    whose = (link.c.tenant == write.tenant, link.c.created_at == change.at)
    of_it = sa.or_(link.c.source_id == blob(logical_id), link.c.target_id == blob(logical_id))
    write.connection.execute(sa.delete(link).where(*whose, of_it))
    its = (memory.c.tenant == write.tenant, memory.c.seq == change.before)
    values = dict.fromkeys(("expired_at", "invalidation_reason", "correction_id"))
    reopened = sa.update(memory).where(*its).values(**values, change=write.ledger.change)
    raw = write.connection.execute(reopened.returning(memory.c.id)).scalar_one()
    everything = Scope(write.tenant, every_agent=True)
    (before,) = [
        each for each in versions(write.connection, everything, logical_id) if each.id == text_id(raw)
    ]
    standing = registry_row(before, change.before, 0)["standing"]
    entry = (registry.c.tenant == write.tenant, registry.c.memory_seq == change.before)
    write.connection.execute(sa.update(registry).where(*entry).values(standing=standing))
    write.ledger.reopen(before.id)


def made_from(write: Write, logical_ids: Sequence[bytes], since: int | None = None) -> list[tuple[str, int]]:
    """What carries, or carried, DERIVED_FROM to these memories, whoever's it is, and since when.

    A link that an undo took back together with its source still binds: the source is on record. One that somebody
    removed from a memory that stood on no longer does. `since`: only those that were recorded then or later.
    """
    link, memory = schema.link, schema.memory
    its = sa.exists().where(memory.c.tenant == link.c.tenant, memory.c.logical_id == link.c.source_id)
    binds = sa.or_(
        link.c.expired_at.is_(None),
        its.where(memory.c.expired_at == link.c.expired_at),
        ~its.where(memory.c.expired_at.is_(None)),
    )
    wanted = [link.c.tenant == write.tenant, link.c.relation == str(Relation.DERIVED_FROM)]
    if since is not None:
        wanted.append(link.c.created_at >= since)
    asked = sa.select(link.c.source_id, link.c.created_at).where(
        *wanted, link.c.target_id.in_(logical_ids), binds
    )
    rows = write.connection.execute(asked.order_by(link.c.seq))
    return [(text_id(raw), at) for raw, at in rows]
