"""The one true deletion: memories with all that belongs to them, and what was derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from engramforge.model.link import Relation
from engramforge.model.storing.record import Forgotten
from engramforge.store import schema
from engramforge.store.reading.links import links
from engramforge.store.reading.memories import positions_of
from engramforge.store.reading.predicates import portions, together
from engramforge.store.rows import audit_line_of, audit_row, blob
from engramforge.store.writing.embeddings import drop_unmentioned, mentioned_by
from engramforge.store.writing.ledger import Write

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


def forget(write: Write, logical_ids: Sequence[str], at: datetime) -> list[Forgotten]:
    """Remove memories and what was derived from them; see the door."""
    proofs = []
    for logical_id in _with_derived(write, logical_ids):
        found = positions_of(write.connection, write.scope, logical_id)
        if not found:
            continue
        seqs = [seq for seq, _, _ in found]
        write.forgotten_texts.extend(text for _, _, texts in found for text in texts)
        gone = _forget_rows(write, logical_id, seqs)
        whole = {"tenant": write.tenant, "change": write.ledger.change}
        removed = [{**whole, "memory_seq": seq, "project_seq": project} for seq, project, _ in found]
        write.ledger.add(schema.removal, removed)
        proofs.append(Forgotten(logical_id, len(seqs), gone, at, verified=False))
    _drop_empty_sessions(write)
    return proofs


def _with_derived(write: Write, logical_ids: Sequence[str]) -> list[str]:
    """These memories and, step by step, everything that carries DERIVED_FROM to them; all of it held.

    What is derived may be changed, or get further copies, until it is held: so it is looked for until no more comes.
    """
    found = dict.fromkeys(logical_ids)
    held: set[str] = set()
    while missing := [logical_id for logical_id in found if logical_id not in held]:
        write.ledger.hold(missing)
        held.update(missing)
        derived = links(write.connection, write.scope, list(found), relation=Relation.DERIVED_FROM)
        found.update(dict.fromkeys(each.source_id for each in derived if each.target_id in found))
    return list(found)


def _forget_rows(write: Write, logical_id: str, seqs: list[int]) -> int:
    """Delete a memory's rows everywhere; returns how many links were deleted."""
    raw, tenant, connection = blob(logical_id), write.tenant, write.connection
    write.ledger.forget(seqs)
    mentioned = mentioned_by(write, seqs)
    write.forgotten_texts.extend(mentioned.values())
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
