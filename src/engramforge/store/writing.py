"""Writes to a SQLite store: the `Transaction` of the door, on one connection inside BEGIN IMMEDIATE.

Positions and change numbers come from counters in the store table, so that neither is ever used twice. What must not
enter: validation and meaning (capture's), encoding (done before a transaction begins).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import NotFound
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.record import Entry, Forgotten
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, to_micros
from engramforge.store import reading, schema
from engramforge.store.rows import blob, body_row, dump, link_row, memory_row, text_id

_BODY_TABLES = (
    schema.body,
    schema.chunk,
    schema.memory_tag,
    schema.embedding_semantic,
    schema.embedding_words,
)


class SqliteTransaction:
    """One write; see `store.door.Transaction` for the contract of every verb.

    Parameters
    ----------
    connection : inside a write transaction.
    scope : whose writes these are.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._projects: dict[str, int] = {}
        self._sessions: dict[tuple[int, str], int] = {}
        self._encoders: dict[str, int] = {}
        self._change = self._counter("change") + 1
        self._changed = False
        self.forgotten_contents: list[str] = []

    def finish(self) -> None:
        """Publish the change number; called once, before the commit."""
        if self._changed:
            self._set_counter("change", self._change)

    def fetch(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by version id or logical id."""
        return reading.fetch(self._connection, self._scope, ids)

    def known_origins(self, project: str, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys that the project has; None marks a tombstone."""
        return reading.known_origins(self._connection, project, keys)

    def insert(self, entries: Sequence[Entry]) -> None:
        """Write versions with all that belongs to them."""
        if not entries:
            return
        first = self._counter("position") + 1
        self._set_counter("position", first + len(entries) - 1)
        self._changed = True
        rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in (schema.memory, *_BODY_TABLES)}
        origins: list[dict[str, Any]] = []
        for seq, entry in enumerate(entries, first):
            memory = entry.memory
            project = self._project_key(memory.project, memory.created_at)
            session = None if memory.session_id is None else self._session_key(project, memory.session_id)
            rows["memory"].append(memory_row(entry, seq, project, session, self._change))
            rows["body"].append(body_row(memory, seq))
            self._add_signals(rows, entry, seq)
            if memory.chunk is not None:
                rows["chunk"].append({"memory_seq": seq, **_chunk_row(memory)})
            rows["memory_tag"].extend({"tag": tag, "memory_seq": seq} for tag in dict.fromkeys(memory.tags))
            if entry.origin_key is not None:
                key = {"project_seq": project, "key": entry.origin_key, "logical_id": blob(memory.logical_id)}
                origins.append(key)
        for table in (schema.memory, *_BODY_TABLES):
            if rows[table.name]:
                self._connection.execute(sa.insert(table), rows[table.name])
        if origins:
            # A tombstone is taken over by an explicit second remember; importers ask `known_origins` first.
            self._connection.execute(sa.insert(schema.origin).prefix_with("OR REPLACE"), origins)

    def _add_signals(self, rows: dict[str, list[dict[str, Any]]], entry: Entry, seq: int) -> None:
        """The embedding's rows; a space that abstains has none."""
        signals = entry.embedding
        encoder = self._encoder_key(signals.encoder)
        if signals.vector is not None:
            row = {"memory_seq": seq, "encoder_seq": encoder, "vector": signals.vector.tobytes()}
            rows["embedding_semantic"].append(row)
        if len(signals.terms) or signals.cues:
            rows["embedding_words"].append(
                {
                    "memory_seq": seq,
                    "encoder_seq": encoder,
                    "tokens": signals.tokens.tobytes(),
                    "terms": signals.terms.tobytes(),
                    "counts": signals.counts.tobytes(),
                    "cues": signals.cues,
                    "intervals": None if signals.intervals is None else signals.intervals.tobytes(),
                }
            )

    def expire(
        self, memory_id: str, at: datetime, reason: InvalidationReason, correction_id: str | None = None
    ) -> None:
        """Close a version's recorded interval; refused when it is not open."""
        self._changed = True
        result = self._connection.execute(
            sa.update(schema.memory)
            .where(schema.memory.c.id == blob(memory_id), schema.memory.c.expired_at.is_(None))
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

    def link(self, links: Sequence[Link]) -> None:
        """Write links; both ends must be in scope."""
        if not links:
            return
        ends = {identifier for link in links for identifier in (link.source_id, link.target_id)}
        missing = sorted(ends - set(reading.fetch(self._connection, self._scope, ends)))
        if missing:
            raise NotFound(f"A link names memories that do not exist: {', '.join(missing)}", "Check the ids")
        self._connection.execute(sa.insert(schema.link), [link_row(link) for link in links])

    def expire_link(self, link_id: str, at: datetime, reason: InvalidationReason) -> None:
        """Close a link's recorded interval; refused when it is not open, or not in scope."""
        link = schema.link
        raw = blob(link_id)
        ends = self._connection.execute(
            sa.select(link.c.source_id, link.c.target_id).where(link.c.id == raw, link.c.expired_at.is_(None))
        ).first()
        both = [] if ends is None else [text_id(end) for end in ends]
        if not both or len(reading.fetch(self._connection, self._scope, both)) < len(set(both)):
            raise NotFound(f"There is no open link {link_id}", "List the links of one of its memories")
        values = {"expired_at": to_micros(at), "invalidation_reason": str(reason)}
        self._connection.execute(sa.update(link).where(link.c.id == raw).values(values))

    def forget(
        self, logical_ids: Sequence[str], at: datetime, keep_tombstone: bool = True
    ) -> list[Forgotten]:
        """Remove memories and what was derived from them; see the door."""
        self._changed = True
        proofs = []
        for logical_id in self._with_derived(list(logical_ids)):
            found = reading.positions_of(self._connection, self._scope, logical_id)
            if not found:
                continue
            seqs = [seq for seq, _, _ in found]
            self.forgotten_contents.extend(content for _, _, content in found)
            links = self._forget_rows(logical_id, seqs, keep_tombstone)
            removals = [
                {"change": self._change, "memory_seq": seq, "project_seq": project}
                for seq, project, _ in found
            ]
            self._connection.execute(sa.insert(schema.removal), removals)
            proofs.append(Forgotten(logical_id, len(seqs), links, at, verified=False))
        self._connection.exec_driver_sql(
            "DELETE FROM session WHERE NOT EXISTS (SELECT 1 FROM memory WHERE session_seq = session.seq)"
        )
        return proofs

    def _forget_rows(self, logical_id: str, seqs: list[int], keep_tombstone: bool) -> int:
        """Delete one memory's rows everywhere; how many links went with it."""
        raw = blob(logical_id)
        for table in _BODY_TABLES:
            self._connection.execute(sa.delete(table).where(table.c.memory_seq.in_(seqs)))
        self._connection.execute(sa.delete(schema.memory).where(schema.memory.c.seq.in_(seqs)))
        gone = self._connection.execute(
            sa.delete(schema.link).where(
                sa.or_(schema.link.c.source_id == raw, schema.link.c.target_id == raw)
            )
        )
        of_it = schema.origin.c.logical_id == raw
        if keep_tombstone:
            self._connection.execute(sa.update(schema.origin).where(of_it).values(logical_id=None))
        else:
            self._connection.execute(sa.delete(schema.origin).where(of_it))
        return int(gone.rowcount)

    def _with_derived(self, logical_ids: list[str]) -> list[str]:
        """These memories and, step by step, everything that carries DERIVED_FROM to them."""
        found = dict.fromkeys(logical_ids)
        wave = logical_ids
        while wave:
            rows = reading.links(self._connection, self._scope, wave, Relation.DERIVED_FROM)
            wave = [
                link.source_id for link in rows if link.target_id in found and link.source_id not in found
            ]
            found.update(dict.fromkeys(wave))
        return list(found)

    def audit(self, action: str, subject: str, reason: str, at: datetime) -> None:
        """One line in the audit log."""
        row = {"at": to_micros(at), "action": action, "subject": subject, "reason": reason}
        self._connection.execute(sa.insert(schema.audit), [{**row, "agent": self._scope.agent}])

    def create_project(self, name: str, at: datetime) -> None:
        """Make the project exist."""
        self._changed = True
        self._project_key(name, at)

    def save_mark(self, key: str, value: Mapping[str, Any] | None) -> None:
        """Keep, replace or remove a named value."""
        self._connection.execute(sa.delete(schema.mark).where(schema.mark.c.key == key))
        if value is not None:
            self._connection.execute(sa.insert(schema.mark), [{"key": key, "value": dump(dict(value))}])

    def _counter(self, key: str) -> int:
        return int(
            self._connection.execute(
                sa.select(schema.store.c.value).where(schema.store.c.key == key)
            ).scalar_one()
        )

    def _set_counter(self, key: str, value: int) -> None:
        self._connection.execute(
            sa.update(schema.store).where(schema.store.c.key == key).values(value=str(value))
        )

    def _project_key(self, name: str, at: datetime) -> int:
        if name not in self._projects:
            row = {"name": name, "created_at": to_micros(at)}
            self._projects[name] = self._key_of(schema.project, {"name": name}, row)
        return self._projects[name]

    def _session_key(self, project: int, name: str) -> int:
        if (project, name) not in self._sessions:
            row = {"project_seq": project, "name": name}
            self._sessions[project, name] = self._key_of(schema.session, row, row)
        return self._sessions[project, name]

    def _encoder_key(self, encoder: str) -> int:
        if encoder not in self._encoders:
            self._encoders[encoder] = self._key_of(schema.encoder, {"id": encoder}, {"id": encoder})
        return self._encoders[encoder]

    def _key_of(self, table: sa.Table, identity: dict[str, Any], row: dict[str, Any]) -> int:
        """The key of the row with this identity, inserted when it is not there."""
        wanted = sa.and_(*(table.c[name] == value for name, value in identity.items()))
        found = self._connection.execute(sa.select(table.c.seq).where(wanted)).scalar()
        if found is None:
            found = self._connection.execute(sa.insert(table).returning(table.c.seq), row).scalar_one()
        return int(found)


def _chunk_row(memory: Memory) -> dict[str, Any]:
    chunk = memory.chunk
    assert chunk is not None
    return {
        "file_path": chunk.file_path,
        "chunk_index": chunk.chunk_index,
        "total_chunks": chunk.total_chunks,
        "word_offset": chunk.word_offset,
    }
