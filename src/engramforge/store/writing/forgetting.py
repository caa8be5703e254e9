"""The one true deletion: memories with all that belongs to them, and what was derived from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from engramforge.model.link import Relation
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Forgotten
from engramforge.store import schema
from engramforge.store.reading.memories import positions_of, versions
from engramforge.store.reading.predicates import portions, raw_ids, together
from engramforge.store.rows import audit_line_of, audit_row, blob, text_id
from engramforge.store.writing.embeddings import drop_unmentioned, mentioned_by
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.memories import add_origins

_BESIDE: Final = (
    schema.body,
    schema.chunk,
    schema.memory_tag,
    schema.registry,
    schema.entry_conversation,
    schema.embedding_part,
    schema.mention,
    schema.embedding_semantic,
    schema.embedding_words,
)
"""Tables with rows of memories."""


def forget(
    write: Write,
    logical_ids: Sequence[str],
    at: datetime,
    keys_of: Callable[[Memory], Sequence[bytes]] = lambda _: (),
) -> list[Forgotten]:
    """Remove memories and what was derived from them; see the door."""
    everything = Scope(write.tenant, every_agent=True)
    # What is asked for must be in scope; what was made from it goes whoever's it is.
    asked = [each for each in logical_ids if positions_of(write.connection, write.scope, each)]
    gone: list[tuple[str, int, int]] = []
    for logical_id in _with_derived(write, asked):
        found = positions_of(write.connection, everything, logical_id)
        if not found:
            continue
        seqs = [seq for seq, _, _, _ in found]
        for _, _, said, labels in found:
            # What was derived repeats others, too, which may still say it.
            is_asked = logical_id in asked
            (write.forgotten.contents if is_asked else write.forgotten.labels).extend(said)
            write.forgotten.labels += labels
        _seal(write, versions(write.connection, everything, logical_id), keys_of)
        links = _forget_rows(write, logical_id, seqs)
        whole = {"tenant": write.tenant, "change": write.ledger.change}
        removed = [{**whole, "memory_seq": seq, "project_seq": project} for seq, project, _, _ in found]
        write.ledger.add(schema.removal, removed)
        gone.append((logical_id, len(seqs), links))
    _drop_empty_sessions(write)
    return [
        Forgotten(logical_id, count, links, at, verified=False, derived=len(gone) - 1)
        for logical_id, count, links in gone
    ]


def _with_derived(write: Write, logical_ids: Sequence[str]) -> list[str]:
    """These memories and, step by step, everything that was derived from them; all of it held.

    What is derived may be changed, or get further copies, until it is held: so it is looked for until no more comes.
    """
    found = dict.fromkeys(logical_ids)
    missing = list(found)
    while missing:
        write.ledger.hold(missing)
        derived = _derived_from(write, missing)
        missing = [logical_id for logical_id in derived if logical_id not in found]
        found.update(dict.fromkeys(missing))
    return list(found)


def _derived_from(write: Write, logical_ids: Sequence[str]) -> list[str]:
    """What carries, or carried, DERIVED_FROM to these memories, whoever's it is.

    A link that an undo took back together with its source still binds: the source is on record. One that somebody
    removed from a memory that stood on no longer does.
    """
    link, memory = schema.link, schema.memory
    its = sa.exists().where(together(memory.c.logical_id, link.c.source_id))
    binds = sa.or_(
        link.c.expired_at.is_(None),
        its.where(memory.c.expired_at == link.c.expired_at),
        ~its.where(memory.c.expired_at.is_(None)),
    )
    found: dict[str, None] = {}
    for portion in portions(raw_ids(logical_ids)):
        wanted = (link.c.tenant == write.tenant, link.c.relation == str(Relation.DERIVED_FROM))
        asked = sa.select(link.c.source_id).where(*wanted, link.c.target_id.in_(portion), binds)
        rows = write.connection.execute(asked.order_by(link.c.seq)).scalars()
        found.update((text_id(raw), None) for raw in rows)
    return list(found)


def _seal(write: Write, records: Sequence[Memory], keys_of: Callable[[Memory], Sequence[bytes]]) -> None:
    """Leave the keys by which an import recognises the same text under another name."""
    by_project: dict[str, set[bytes]] = {}
    for record in records:
        by_project.setdefault(record.project, set()).update(keys_of(record))
    for project, keys in by_project.items():
        if keys:
            add_origins(write, project, None, sorted(keys))


def _forget_rows(write: Write, logical_id: str, seqs: list[int]) -> int:
    """Delete a memory's rows everywhere; returns how many links were deleted."""
    raw, tenant, connection = blob(logical_id), write.tenant, write.connection
    write.ledger.forget(seqs)
    mentioned = mentioned_by(write, seqs)
    write.forgotten.labels += mentioned.values()
    for table in _BESIDE:
        its = (table.c.tenant == tenant, table.c.memory_seq.in_(seqs))
        removed = connection.execute(sa.delete(table).where(*its))
        if table is schema.registry and removed.rowcount:
            _forget_uses(write, logical_id)
    drop_unmentioned(write, mentioned)
    memory, link, origin = schema.memory, schema.link, schema.origin
    connection.execute(sa.delete(memory).where(memory.c.tenant == tenant, memory.c.seq.in_(seqs)))
    of_it = sa.or_(link.c.source_id == raw, link.c.target_id == raw)
    gone = connection.execute(sa.delete(link).where(link.c.tenant == tenant, of_it))
    its_key = (origin.c.tenant == tenant, origin.c.logical_id == raw)
    connection.execute(sa.update(origin).where(*its_key).values(logical_id=None))
    return int(gone.rowcount)


def _forget_uses(write: Write, logical_id: str) -> None:
    """Remove an entry's uses from the audit log, since they name conversations that mention it."""
    audit = schema.audit
    named = (audit.c.effect.contains('"uses":'), audit.c.effect.contains(logical_id))
    rows = write.connection.execute(sa.select(audit).where(audit.c.tenant == write.tenant, *named))
    for row in rows.mappings().all():
        line = audit_line_of(row)
        assert line.effect is not None
        kept = tuple(use for use in line.effect.uses if use.memory_id != logical_id)
        if kept != line.effect.uses:
            effect = audit_row(replace(line, effect=replace(line.effect, uses=kept)), write.tenant)["effect"]
            its = (audit.c.tenant == write.tenant, audit.c.seq == row["seq"])
            write.connection.execute(sa.update(audit).where(*its).values(effect=effect))


def _drop_empty_sessions(write: Write) -> None:
    """Remove the names of sessions without memories.

    Whoever is writing into one of them is waited for, and then seen by the statement that follows.
    """
    session, memory = schema.session, schema.memory
    is_empty = ~sa.exists().where(together(memory.c.session_seq, session.c.seq))
    asked = sa.select(session.c.seq).where(session.c.tenant == write.tenant, is_empty).order_by(session.c.seq)
    empty = write.connection.execute(write.ledger.holding(asked, session, "removal")).scalars().all()
    for portion in portions(empty):
        its = (session.c.tenant == write.tenant, session.c.seq.in_(portion), is_empty)
        write.connection.execute(sa.delete(session).where(*its))
