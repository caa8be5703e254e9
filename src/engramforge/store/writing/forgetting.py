"""The one true deletion: memories with all that belongs to them, and what was derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from engramforge.model.link import Relation
from engramforge.model.memory import SUMMARISES, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Extent, Forgotten
from engramforge.store import schema
from engramforge.store.reading.memories import Position, positions_of, versions, within
from engramforge.store.reading.predicates import IN_PROJECT, portions, raw_ids, together, visible
from engramforge.store.rows import audit_line_of, audit_row, blob, registry_row, text_id
from engramforge.store.writing.embeddings import drop_unmentioned, mentioned_by
from engramforge.store.writing.forgotten_words import clear_words, drop_projects, forget_accounts
from engramforge.store.writing.injections import forget_injections
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.memories import add_origins, audit
from engramforge.store.writing.topics import forget_topics

_AT_ONCE: Final = 200
"""How many memories are read and removed at once: never more than 200 MB of text."""
_BESIDE: Final = (
    schema.body,
    schema.chunk,
    schema.memory_file,
    schema.memory_tag,
    schema.memory_goal,
    schema.memory_emotion,
    schema.registry,
    schema.entry_conversation,
    schema.embedding_part,
    schema.mention,
    schema.embedding_semantic,
    schema.embedding_words,
    schema.cluster_label,
)
"""Tables with rows of memories."""


def forget(
    write: Write,
    what: Extent,
    at: datetime,
    keys_of: Callable[[Memory], Sequence[bytes]] = lambda _: (),
    *,
    reason: str = "",
    confirm: Callable[[Mapping[str, str], int], None] = lambda *_: None,
) -> list[Forgotten]:
    """Remove memories and what was derived from them; see the door."""
    everything = Scope(write.tenant, every_agent=True)
    # What is asked for must be in scope; what was made from it goes whoever's it is.
    asked = within(write.connection, write.scope, what)
    whole, changed = _with_derived(write, list(asked))
    confirm(asked, len(whole) - len(asked))
    gone: list[Forgotten] = []
    projects: set[int] = set()
    ends: set[bytes] = set()
    for begin in range(0, len(whole), _AT_ONCE):
        found = positions_of(write.connection, everything, whole[begin : begin + _AT_ONCE])
        projects.update(project for its in found.values() for _, project, _, _ in its)
        for logical_id, its in found.items():
            # What was derived repeats others, too, which may still say it.
            _look_for(write, its, is_asked=logical_id in asked)
        _seal(write, versions(write.connection, everything, *found), keys_of)
        if entries := _forget_rows(write, [position for its in found.values() for position in its]):
            _forget_uses(write, {each for each, its in found.items() if any(p[0] in entries for p in its)})
        links, both = _forget_identities(write, list(found))
        ends |= both
        gone += [Forgotten(each, len(its), links[each], at, verified=False) for each, its in found.items()]
    for logical_id, change in changed.items():
        its = positions_of(write.connection, everything, [logical_id]).get(logical_id, [])
        written = [each for each in its if each[0] in change.written]
        _look_for(write, written, is_asked=False)
        _forget_rows(write, written)
        stand_again(write, logical_id, change)
    emptied = _drop_empty_sessions(write)
    forget_accounts(write, projects)
    if what.projects:
        drop_projects(write)
    forget_injections(write, whole, emptied)
    write.erasure.linked += _staying(write, ends)
    reason = clear_words(write, reason)
    for each in gone:
        audit(write, "forget", each.logical_id, reason, at)
    return [replace(each, memories=len(asked), derived=len(gone) - len(asked)) for each in gone]


def _look_for(write: Write, found: Sequence[Position], *, is_asked: bool) -> None:
    """Have the files searched for what these versions say."""
    for _, _, said, labels in found:
        (write.forgotten.contents if is_asked else write.forgotten.labels).add(said)
        write.forgotten.labels.add(labels)


def _with_derived(write: Write, logical_ids: Sequence[str]) -> tuple[list[str], dict[str, LastChange]]:
    """These memories and, step by step, everything that was derived from them; and entries that only lose their last
    change. All of it is held.

    What is derived may be changed, or get further copies, until it is held: so it is looked for until no more comes.
    """
    whole = dict.fromkeys(logical_ids)
    changed: dict[str, LastChange] = {}
    missing: list[tuple[str, int | None]] = [(logical_id, None) for logical_id in whole]
    while missing:
        for some in portions(logical_id for logical_id, _ in missing):
            write.ledger.hold(some)
        derived = [each for portion, since in _by_time(missing) for each in made_from(write, portion, since)]
        missing = []
        for logical_id, at in derived:
            if logical_id in whole or (logical_id in changed and changed[logical_id].at == at):
                continue
            write.ledger.hold([logical_id])
            before = changed.pop(logical_id, None)
            change = last_change(write, logical_id, at) if before is None else None
            if change is None:
                whole[logical_id] = None
            else:
                changed[logical_id] = change
            missing.append((logical_id, None if change is None else at))
    return list(whole), changed


def _by_time(found: Sequence[tuple[str, int | None]]) -> Iterator[tuple[Sequence[bytes], int | None]]:
    """Raw ids in portions that a statement takes, of one time each."""
    by_time: dict[int | None, list[str]] = {}
    for logical_id, at in found:
        by_time.setdefault(at, []).append(logical_id)
    for at, logical_ids in by_time.items():
        for portion in portions(raw_ids(logical_ids)):
            yield portion, at


def _seal(write: Write, records: Sequence[Memory], keys_of: Callable[[Memory], Sequence[bytes]]) -> None:
    """Leave the keys by which an import recognises the same text under another name."""
    by_project: dict[str, set[bytes]] = {}
    for record in records:
        by_project.setdefault(record.project, set()).update(keys_of(record))
    for project, keys in by_project.items():
        if keys:
            add_origins(write, project, None, sorted(keys))


def _forget_rows(write: Write, found: Sequence[Position]) -> set[int]:
    """Delete the rows of some versions everywhere; the positions of those that were an entry's."""
    tenant, connection, memory, registry = write.tenant, write.connection, schema.memory, schema.registry
    entries: set[int] = set()
    for seqs in portions(seq for seq, _, _, _ in found):
        write.ledger.forget(seqs)
        mentioned = mentioned_by(write, seqs)
        write.forgotten.labels.add(mentioned.values())
        its = (registry.c.tenant == tenant, registry.c.memory_seq.in_(seqs))
        entries.update(connection.execute(sa.select(registry.c.memory_seq).where(*its)).scalars())
        for table in _BESIDE:
            its = (table.c.tenant == tenant, table.c.memory_seq.in_(seqs))
            connection.execute(sa.delete(table).where(*its))
        drop_unmentioned(write, mentioned)
        forget_topics(write, seqs)
        connection.execute(sa.delete(memory).where(memory.c.tenant == tenant, memory.c.seq.in_(seqs)))
    whole = {"tenant": tenant, "change": write.ledger.change}
    removed_rows = [{**whole, "memory_seq": seq, "project_seq": project} for seq, project, _, _ in found]
    write.ledger.add(schema.removal, removed_rows)
    return entries


def _forget_identities(write: Write, logical_ids: Sequence[str]) -> tuple[Counter[str], set[bytes]]:
    """Delete the links of memories whose versions are gone with what was said of both, and make tombstones of their
    origins; how many links of each, one between two of them counted once, and all that they led to."""
    raws, link, origin = raw_ids(logical_ids), schema.link, schema.origin
    either = sa.or_(link.c.source_id.in_(raws), link.c.target_id.in_(raws))
    of_it = (link.c.tenant == write.tenant, either)
    asked = sa.select(link.c.id, link.c.source_id, link.c.target_id).where(*of_it)
    links = write.connection.execute(asked).all()
    _forget_reasons(write, [*logical_ids, *(text_id(raw) for raw, _, _ in links)])
    felt = write.connection.execute(sa.delete(link).where(*of_it).returning(link.c.felt))
    write.forgotten.labels.add(felt.scalars())
    its_key = (origin.c.tenant == write.tenant, origin.c.logical_id.in_(raws))
    write.connection.execute(sa.update(origin).where(*its_key).values(logical_id=None))
    ends = [(bytes(source), bytes(target)) for _, source, target in links]
    counted = Counter(raws[source] if source in raws else raws[target] for source, target in ends)
    return counted, {end for both in ends for end in both}


def _staying(write: Write, ends: Collection[bytes]) -> list[str]:
    """Which of these memories are still there and seen by who asks, entries by their global ids."""
    memory, registry = schema.memory, schema.registry
    joined = IN_PROJECT.outerjoin(registry, together(registry.c.memory_seq, memory.c.seq))
    seen = visible(replace(write.scope, projects=None))
    found: dict[str, str] = {}
    for portion in portions(sorted(ends)):
        asked = sa.select(memory.c.logical_id, registry.c.entry_id).select_from(joined)
        rows = write.connection.execute(asked.where(memory.c.logical_id.in_(portion), seen).distinct())
        found |= {text_id(raw): entry_id or text_id(raw) for raw, entry_id in rows}
    return sorted(found.values())


def _forget_uses(write: Write, logical_ids: Collection[str]) -> None:
    """Remove the uses of entries from the audit log, since they name conversations that mention them."""
    audit = schema.audit
    named = (audit.c.tenant == write.tenant, audit.c.effect.contains('"uses":'))
    rows = write.connection.execute(sa.select(audit).where(*named))
    for row in rows.mappings().all():
        line = audit_line_of(row)
        assert line.effect is not None
        kept = tuple(use for use in line.effect.uses if use.memory_id not in logical_ids)
        if kept != line.effect.uses:
            effect = audit_row(replace(line, effect=replace(line.effect, uses=kept)), write.tenant)["effect"]
            its = (audit.c.tenant == write.tenant, audit.c.seq == row["seq"])
            write.connection.execute(sa.update(audit).where(*its).values(effect=effect))


def _forget_reasons(write: Write, subjects: Sequence[str]) -> None:
    """Clear the reasons in the audit log's lines about memories and links: people quote what they end."""
    audit = schema.audit
    for portion in portions(subjects):
        its = (audit.c.tenant == write.tenant, audit.c.subject.in_(portion), audit.c.reason != "")
        write.forgotten.labels.add(write.connection.execute(sa.select(audit.c.reason).where(*its)).scalars())
        write.connection.execute(sa.update(audit).where(*its).values(reason=""))


def _drop_empty_sessions(write: Write) -> list[str]:
    """Remove the names of sessions without memories; which they were.

    Whoever is writing into one of them is waited for, and then seen by the statement that follows.
    """
    session, memory = schema.session, schema.memory
    is_empty = ~sa.exists().where(together(memory.c.session_seq, session.c.seq))
    asked = sa.select(session.c.seq).where(session.c.tenant == write.tenant, is_empty).order_by(session.c.seq)
    empty = write.connection.execute(write.ledger.holding(asked, session, "removal")).scalars().all()
    names: list[str] = []
    for portion in portions(empty):
        its = (session.c.tenant == write.tenant, session.c.seq.in_(portion), is_empty)
        removed = sa.delete(session).where(*its).returning(session.c.name)
        names += write.connection.execute(removed).scalars()
    return names


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
    rows = [*write.connection.execute(asked.order_by(link.c.seq)), *_summaries_with(write, logical_ids)]
    return [(text_id(raw), at) for raw, at in rows]


def _summaries_with(write: Write, logical_ids: Sequence[bytes]) -> Iterator[tuple[bytes, int]]:
    """The summaries that were made of the sessions in which these were said, of sentences that may be theirs."""
    said, summary, body = schema.memory.alias("said"), schema.memory.alias("summary"), schema.body
    of_session = sa.and_(
        together(summary.c.session_seq, said.c.session_seq), summary.c.kind == str(Kind.SESSION_SUMMARY)
    )
    found = (
        sa.select(summary.c.logical_id, summary.c.created_at)
        .select_from(said.join(summary, of_session).join(body, together(body.c.memory_seq, summary.c.seq)))
        .where(
            said.c.tenant == write.tenant,
            said.c.logical_id.in_(logical_ids),
            said.c.kind.in_((str(Kind.PROMPT), str(Kind.RESPONSE))),
            body.c.extra.contains(f'"{SUMMARISES}"'),
        )
    )
    yield from map(tuple, write.connection.execute(found.order_by(summary.c.seq)))
