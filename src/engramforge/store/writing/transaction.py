"""Writes to a store: the `Transaction` of the door, on one connection inside a write transaction of its engine.

What engines do each in their own way is named by the methods that raise NotImplementedError here: how a position and a
change number are drawn, how rows are added in bulk, and how what was read is held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from uuid_utils import uuid7

from engramforge.errors import InvalidValue, NotFound, OutOfScope
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Effect
from engramforge.model.storing.record import AuditEntry, Entry, Forgotten
from engramforge.model.time import InvalidationReason, from_micros, to_micros
from engramforge.store import schema
from engramforge.store.reading import links, memories, records
from engramforge.store.reading.encoders import ENCODERS_MARK
from engramforge.store.reading.predicates import admitted, together
from engramforge.store.rows import (
    audit_line_of,
    audit_row,
    blob,
    body_row,
    conversation_rows,
    dump,
    link_row,
    memory_row,
    registry_row,
    text_id,
)
from engramforge.store.writing.doings import Doings
from engramforge.store.writing.embeddings import EmbeddingWrites
from engramforge.store.writing.entries import EntryWrites
from engramforge.store.writing.restoring import RestoringWrites

_BODY_TABLES = (schema.body, schema.chunk, schema.memory_tag, schema.registry, schema.entry_conversation)
_BESIDE_TABLES = (*_BODY_TABLES, schema.embedding_part, schema.mention)


class StoreTransaction(EmbeddingWrites, EntryWrites, RestoringWrites):
    """One write; see `store.door.Transaction` for the contract of every verb.

    `connection`: inside a write transaction. `scope`: whose writes these are.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._keys: dict[tuple[Any, ...], int] = {}
        self._drawn: int | None = None
        self._doings = Doings()
        self.forgotten_texts: list[str] = []

    @property
    def records(self) -> int:
        """How many records were made and closed so far."""
        return self._doings.records

    def finish(self) -> None:
        """What is left to write before the commit; called once."""
        if lines := self._doings.told(str(uuid7())):
            self._add(schema.audit, [audit_row(line, self._scope.tenant) for line in lines])

    @property
    def signal_tables(self) -> tuple[sa.Table, ...]:
        """The tables of words and E1, which a forget has to empty as it does all others."""
        return (schema.embedding_semantic, schema.embedding_words)

    @property
    def _change(self) -> int:
        """The number of this change, drawn at the first write that readers have to notice."""
        if self._drawn is None:
            self._drawn = self._draw_change()
        return self._drawn

    def _draw_change(self) -> int:
        """A change number greater than all that are committed."""
        raise NotImplementedError

    def _draw_positions(self, count: int) -> Sequence[int]:
        """Positions that were never used, ascending."""
        raise NotImplementedError

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        """Insert rows of one table."""
        raise NotImplementedError

    def _add_origins(self, rows: list[dict[str, Any]], taking_over: bool = True) -> None:
        """Insert origin keys; a tombstone, or the key of an older memory, is taken over, or else stays."""
        raise NotImplementedError

    def _add_key(self, table: sa.Table, row: dict[str, Any]) -> int | None:
        """Insert a row that gives a name its key; None when another transaction was faster."""
        raise NotImplementedError

    def _hold(self, ids: Sequence[str]) -> None:
        """Keep these memories from being changed by others until the end of the transaction."""
        raise NotImplementedError

    def _hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        """Keep these origins from being written by others until the end of the transaction."""
        raise NotImplementedError

    def _add_signals(self, entries: Sequence[tuple[int, int, int | None, Entry]]) -> None:
        """Insert embeddings of entries given as position, project key, session key and entry."""
        raise NotImplementedError

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by version id or logical id."""
        asked = list(ids)
        self._hold(asked)
        return memories.fetch(self._connection, self._scope, asked)

    def known_origins(self, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys that the project has, or any of the scope; None marks a tombstone."""
        self._hold_origins(project or "", keys)
        return records.known_origins(self._connection, self._scope, project, keys)

    def add_origins(self, project: str, logical_id: str | None, keys: Sequence[bytes]) -> None:
        """Further keys of a memory, or of a tombstone; the project is one that has memories."""
        whole = {"tenant": self._scope.tenant, "project_seq": self._project_key(project, from_micros(0))}
        raw = None if logical_id is None else blob(logical_id)
        self._add_origins([{**whole, "key": key, "logical_id": raw} for key in keys], taking_over=False)

    def insert(self, entries: Sequence[Entry], writes: Sequence[int] | None = None) -> None:
        """Write versions with all that belongs to them; `writes` are their change numbers until `settle`."""
        if not entries:
            return
        strangers = sorted({entry.memory.tenant for entry in entries} - {self._scope.tenant})
        if strangers:
            raise OutOfScope(
                f"A memory of tenant {strangers[0]!r} is written as tenant {self._scope.tenant!r}",
                "Write it through its own tenant",
            )
        if writes is None:
            self._check_encoders(entries)
            self._doings.made += [entry.memory.id for entry in entries]
        rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in (schema.memory, *_BODY_TABLES)}
        origins: list[dict[str, Any]] = []
        further: list[dict[str, Any]] = []
        signals: list[tuple[int, int, int | None, Entry]] = []
        positions = self._draw_positions(len(entries))
        changes = writes or [self._change] * len(entries)
        for seq, entry, change in zip(positions, entries, changes, strict=True):
            memory = entry.memory
            owner = {"tenant": memory.tenant, "memory_seq": seq}
            project = self._project_key(memory.project, memory.created_at)
            session = None if memory.session_id is None else self._session_key(project, memory.session_id)
            rows["memory"].append(memory_row(entry, seq, project, session, change))
            rows["body"].append(body_row(memory, seq))
            if memory.chunk is not None:
                rows["chunk"].append({**owner, **_chunk_row(memory)})
            rows["memory_tag"].extend({**owner, "tag": tag} for tag in dict.fromkeys(memory.tags))
            if memory.registration is not None:
                rows["registry"].append(registry_row(memory, seq, project))
                rows["entry_conversation"].extend(conversation_rows(memory, seq))
            signals.append((seq, project, session, entry))
            known_by = {
                "tenant": memory.tenant,
                "project_seq": project,
                "logical_id": blob(memory.logical_id),
            }
            if entry.origin_key is not None:
                origins.append({**known_by, "key": entry.origin_key})
            further.extend({**known_by, "key": key} for key in entry.more_origin_keys)
        for table in (schema.memory, *_BODY_TABLES):
            if rows[table.name]:
                self._add(table, rows[table.name])
        self._add_signals(signals)
        self._add_parts(signals)
        self._add_mentions([(seq, entry.embedding.entities) for seq, _, _, entry in signals])
        if origins:
            # A tombstone is taken over by an explicit second remember; importers ask `known_origins` first.
            self._add_origins(origins)
        if further:
            self._add_origins(further, taking_over=False)

    def expire(
        self, memory_id: str, at: datetime, reason: InvalidationReason, correction_id: str | None = None
    ) -> None:
        """Close a version's recorded interval; refused when it is not open."""
        memory = schema.memory
        open_one = (memory.c.id == blob(memory_id), memory.c.expired_at.is_(None))
        result = self._connection.execute(
            sa.update(memory)
            .where(admitted(self._scope), *open_one)
            .values(
                expired_at=to_micros(at),
                invalidation_reason=str(reason),
                correction_id=None if correction_id is None else blob(correction_id),
                change=self._change,
            )
        )
        if result.rowcount != 1:
            raise NotFound(
                f"There is no open version {memory_id}", "Read its history to see which one is open"
            )
        self._end_entry(memory_id)
        self._doings.closed.append(memory_id)

    def link(self, links: Sequence[Link]) -> None:
        """Write links; both ends must be in scope."""
        if not links:
            return
        ends = {identifier for link in links for identifier in (link.source_id, link.target_id)}
        missing = sorted(ends - set(memories.fetch(self._connection, self._scope, ends)))
        if missing:
            raise NotFound(f"A link names memories that do not exist: {', '.join(missing)}", "Check the ids")
        self._add(schema.link, [link_row(link, self._scope.tenant) for link in links])
        self._doings.link(links)

    def expire_link(self, link_id: str, at: datetime, reason: InvalidationReason) -> None:
        """Close a link's recorded interval; refused when it is not open, or not in scope."""
        link = schema.link
        open_one = (
            link.c.tenant == self._scope.tenant,
            link.c.id == blob(link_id),
            link.c.expired_at.is_(None),
        )
        ends = self._connection.execute(
            sa.select(link.c.source_id, link.c.target_id).where(*open_one)
        ).first()
        both = [] if ends is None else [text_id(end) for end in ends]
        if not both or len(memories.fetch(self._connection, self._scope, both)) < len(set(both)):
            raise NotFound(f"There is no open link {link_id}", "List the links of one of its memories")
        values = {"expired_at": to_micros(at), "invalidation_reason": str(reason)}
        self._connection.execute(sa.update(link).where(*open_one).values(values))
        self._doings.unlink(text_id(blob(link_id)), *both)

    def forget(
        self, logical_ids: Sequence[str], at: datetime, keep_tombstone: bool = True
    ) -> list[Forgotten]:
        """Remove memories and what was derived from them; see the door."""
        self._hold(logical_ids)
        proofs = []
        for logical_id in self._with_derived(list(logical_ids)):
            found = memories.positions_of(self._connection, self._scope, logical_id)
            if not found:
                continue
            seqs = [seq for seq, _, _ in found]
            self.forgotten_texts.extend(text for _, _, texts in found for text in texts)
            links = self._forget_rows(logical_id, seqs, keep_tombstone)
            whole = {"tenant": self._scope.tenant, "change": self._change}
            self._add(
                schema.removal,
                [{**whole, "memory_seq": seq, "project_seq": project} for seq, project, _ in found],
            )
            proofs.append(Forgotten(logical_id, len(seqs), links, at, verified=False))
        self._drop_empty_sessions()
        return proofs

    def _drop_empty_sessions(self) -> None:
        """A session's name goes with its last memory."""
        session, memory = schema.session, schema.memory
        still = sa.exists().where(together(memory.c.session_seq, session.c.seq))
        self._connection.execute(sa.delete(session).where(session.c.tenant == self._scope.tenant, ~still))

    def _forget_rows(self, logical_id: str, seqs: list[int], keep_tombstone: bool) -> int:
        """Delete one memory's rows everywhere; how many links went with it."""
        raw, tenant = blob(logical_id), self._scope.tenant
        mentioned = self._mentioned_by(seqs)
        self.forgotten_texts.extend(mentioned.values())
        for table in (*_BESIDE_TABLES, *self.signal_tables):
            wanted = (table.c.tenant == tenant, table.c.memory_seq.in_(seqs))
            gone = self._connection.execute(sa.delete(table).where(*wanted))
            if table is schema.registry and gone.rowcount:
                self._forget_uses(logical_id)
        self._drop_unmentioned(mentioned)
        memory, link, origin = schema.memory, schema.link, schema.origin
        self._connection.execute(sa.delete(memory).where(memory.c.tenant == tenant, memory.c.seq.in_(seqs)))
        of_it = sa.or_(link.c.source_id == raw, link.c.target_id == raw)
        gone = self._connection.execute(sa.delete(link).where(link.c.tenant == tenant, of_it))
        its_key = (origin.c.tenant == tenant, origin.c.logical_id == raw)
        if keep_tombstone:
            self._connection.execute(sa.update(origin).where(*its_key).values(logical_id=None))
        else:
            self._connection.execute(sa.delete(origin).where(*its_key))
        return int(gone.rowcount)

    def _forget_uses(self, logical_id: str) -> None:
        """Take an entry's uses out of the audit log: they name conversations that mention it."""
        audit = schema.audit
        named = (audit.c.tenant == self._scope.tenant, audit.c.effect.contains('"uses":'))
        its = audit.c.effect.contains(logical_id)
        rows = self._connection.execute(sa.select(audit).where(*named, its)).mappings().all()
        for row in rows:
            line = audit_line_of(row)
            assert line.effect is not None
            kept = tuple(one for one in line.effect.uses if one.memory_id != logical_id)
            if kept != line.effect.uses:
                line = replace(line, effect=replace(line.effect, uses=kept))
                self._connection.execute(
                    sa.update(audit)
                    .where(named[0], audit.c.seq == row["seq"])
                    .values(effect=audit_row(line, self._scope.tenant)["effect"])
                )

    def _with_derived(self, logical_ids: list[str]) -> list[str]:
        """These memories and, step by step, everything that carries DERIVED_FROM to them."""
        found = dict.fromkeys(logical_ids)
        wave = logical_ids
        while wave:
            rows = links.links(self._connection, self._scope, wave, relation=Relation.DERIVED_FROM)
            wave = [
                link.source_id for link in rows if link.target_id in found and link.source_id not in found
            ]
            found.update(dict.fromkeys(wave))
        return list(found)

    def audit(
        self, action: str, subject: str, reason: str, at: datetime, effect: Effect | None = None
    ) -> None:
        """One line in the audit log, written before the commit."""
        self._doings.lines.append(AuditEntry(at, action, subject, self._scope.agent, reason, effect))

    def create_project(self, name: str, at: datetime) -> None:
        """Make the project exist."""
        self._project_key(name, at)

    def save_mark(self, key: str, value: Mapping[str, Any] | None) -> None:
        """Keep, replace or remove a named value."""
        if key == ENCODERS_MARK:
            raise InvalidValue(f"The mark {key!r} says which encoders are active", "Use `activate`")
        self._write_mark(key, None if value is None else dump(dict(value)))

    def _write_mark(self, key: str, text: str | None) -> None:
        mark, tenant = schema.mark, self._scope.tenant
        self._connection.execute(sa.delete(mark).where(mark.c.tenant == tenant, mark.c.key == key))
        if text is not None:
            self._add(mark, [{"tenant": tenant, "key": key, "value": text}])

    def _project_key(self, name: str, at: datetime) -> int:
        return self._key_of(schema.project, {"name": name}, {"created_at": to_micros(at)})

    def _session_key(self, project: int, name: str) -> int:
        return self._key_of(schema.session, {"project_seq": project, "name": name}, {})

    def _encoder_key(self, encoder: str) -> int:
        return self._key_of(schema.encoder, {"id": encoder}, {})

    def _key_of(self, table: sa.Table, identity: dict[str, Any], more: dict[str, Any]) -> int:
        """The key of the row with this identity, inserted when it is not there."""
        known = (table.name, *identity.values())
        if known not in self._keys:
            whole = {"tenant": self._scope.tenant, **identity}
            wanted = sa.and_(*(table.c[name] == value for name, value in whole.items()))
            find = sa.select(table.c.seq).where(wanted)
            found = self._connection.execute(find).scalar()
            if found is None:
                found = self._add_key(table, {**whole, **more})
            if found is None:
                found = self._connection.execute(find).scalar_one()
            self._keys[known] = int(found)
        return self._keys[known]


def _chunk_row(memory: Memory) -> dict[str, Any]:
    chunk = memory.chunk
    assert chunk is not None
    return {
        "file_path": chunk.file_path,
        "chunk_index": chunk.chunk_index,
        "total_chunks": chunk.total_chunks,
        "word_offset": chunk.word_offset,
    }
