"""Writes to a PostgreSQL store: `StoreTransaction` with sequences, held rows, and COPY for bulk.

Transactions run concurrently, so each locks what it has read: memories by row locks, origins by advisory locks on a
bucket of their keys, the choice of encoders by another. Signals are written by signal_writing.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.part import Part
from engramforge.model.link import Link
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason
from engramforge.store import schema as shared
from engramforge.store.postgres import schema
from engramforge.store.postgres.signal_writing import BULK_ROWS, SignalWrites, signed
from engramforge.store.postgres.wire import copy_rows
from engramforge.store.reading.predicates import raw_ids, together
from engramforge.store.rows import blob

_BUCKETS: Final = 64
_ENCODERS: Final = b"encoders"


class PostgresTransaction(SignalWrites):
    """One write to a PostgreSQL store.

    Attributes
    ----------
    inserted : how many memories were written, or were given embeddings.
    """

    _lengths: dict[bytes, int]
    inserted = 0

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.dropped: set[tuple[str, int]] = set()

    @property
    def all_tables(self) -> Sequence[sa.Table]:
        """Every table, each after those that it points to."""
        return schema.tables.sorted_tables

    def insert(self, entries: Sequence[Entry], writes: Sequence[int] | None = None) -> None:
        """Write versions with all that belongs to them; `writes` are their change numbers until `settle`."""
        self._lengths = {blob(one.memory.id): int(one.embedding.counts.sum()) for one in entries}
        super().insert(entries, writes)
        self.inserted += len(entries)

    def place_vectors(
        self, positions: NDArray[np.int64], encoder: str, vectors: Sequence[NDArray[np.int8] | None]
    ) -> None:
        """Put E1 of an encoder beside memories; an index of it may become due."""
        super().place_vectors(positions, encoder, vectors)
        self.inserted += len(positions)

    def place_parts(
        self, positions: NDArray[np.int64], space: Space, encoder: str, parts: Sequence[Part | None]
    ) -> None:
        """Put parts beside memories; an index of them may become due."""
        super().place_parts(positions, space, encoder, parts)
        self.inserted += len(positions)

    def drop_encoder(self, space: Space, encoder: str) -> int:
        """Remove the embeddings of an encoder; its vector indexes go after the commit."""
        key = self._encoder_key(encoder)
        table = shared.embedding_semantic if space is Space.SEMANTIC else shared.embedding_part
        code = sa.literal_column(f"{table.name}.encoder_code", sa.BigInteger)
        codes = sa.select(code).where(table.c.tenant == self._scope.tenant, table.c.encoder_seq == key)
        dropped = set(self._connection.execute(codes.distinct()).scalars())
        gone = super().drop_encoder(space, encoder)
        self.dropped |= {(str(space), int(one)) for one in dropped}
        return gone

    def expire(
        self, memory_id: str, at: Any, reason: InvalidationReason, correction_id: str | None = None
    ) -> None:
        """Close a version's recorded interval, and put its postings with history."""
        super().expire(memory_id, at, reason, correction_id)
        memory = shared.memory
        seqs = self._connection.execute(
            sa.select(memory.c.seq).where(
                memory.c.tenant == self._scope.tenant, memory.c.id == blob(memory_id)
            )
        ).scalars()
        for place in self._postings_of(list(seqs)):
            self._connection.execute(sa.update(schema.posting).where(place).values(closed=True))

    def link(self, links: Sequence[Link]) -> None:
        """Write links; their ends are locked until the end of the transaction, or a forget could leave a link
        behind."""
        self._hold([end for link in links for end in (link.source_id, link.target_id)])
        super().link(links)

    def expire_link(self, link_id: str, at: Any, reason: InvalidationReason) -> None:
        """Close a link's recorded interval; of two concurrent callers the second finds it closed."""
        link = shared.link
        asked = (link.c.tenant == self._scope.tenant, link.c.id == blob(link_id))
        self._connection.execute(sa.select(link.c.seq).where(*asked).with_for_update(key_share=True)).all()
        super().expire_link(link_id, at, reason)

    def _with_derived(self, logical_ids: list[str]) -> list[str]:
        found, held = super()._with_derived(logical_ids), len(logical_ids)
        # Derived memories may change, or get further copies, until they are locked.
        while len(found) > held:
            held = len(found)
            self._hold(found)
            found = super()._with_derived(logical_ids)
        return found

    def _forget_rows(self, logical_id: str, seqs: list[int], keep_tombstone: bool) -> int:
        for place in self._postings_of(seqs):
            self._connection.execute(sa.delete(schema.posting).where(place))
        return super()._forget_rows(logical_id, seqs, keep_tombstone)

    def _postings_of(self, seqs: list[int]) -> list[sa.ColumnElement[bool]]:
        """The postings of some memories, found by their terms, since no index leads from memory to term."""
        words, memory, posting = shared.embedding_words, shared.memory, schema.posting
        rows = self._connection.execute(
            sa.select(words.c.memory_seq, memory.c.project_seq, words.c.terms)
            .join(memory, sa.and_(memory.c.tenant == words.c.tenant, memory.c.seq == words.c.memory_seq))
            .where(words.c.tenant == self._scope.tenant, words.c.memory_seq.in_(seqs))
        )
        return [
            sa.and_(
                posting.c.tenant == self._scope.tenant,
                posting.c.closed.in_([False, True]),
                posting.c.term == sa.func.any(sa.cast(signed(terms).tolist(), sa.ARRAY(sa.Integer))),
                posting.c.project_seq == project,
                posting.c.memory_seq == seq,
            )
            for seq, project, terms in rows
        ]

    def _draw_change(self) -> int:
        # The transaction gets its own number first, so that a snapshot that does not see it knows that it exists.
        drawn = "SELECT pg_current_xact_id(), nextval('change_counter')"
        return int(self._connection.exec_driver_sql(drawn).one()[1])

    def _draw_changes(self, count: int) -> int:
        drawn = sa.select(sa.func.nextval("change_counter").label("one")).select_from(
            sa.func.generate_series(1, count)
        )
        each = drawn.subquery()
        return int(self._connection.execute(sa.select(sa.func.min(each.c.one))).scalar_one())

    def _draw_positions(self, count: int) -> Sequence[int]:
        drawn = self._connection.execute(
            sa.select(sa.func.nextval("position_counter")).select_from(sa.func.generate_series(1, count))
        )
        return [int(position) for position in drawn.scalars()]

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        if table is shared.memory:
            rows = [{**row, "length": self._lengths[row["id"]]} for row in rows]
        own = schema.tables.tables[table.name]
        if len(rows) < BULK_ROWS:
            self._connection.execute(sa.insert(own), rows)
            return
        names = list(rows[0])
        staging = self._staging(own, names)
        copy_rows(self._connection, staging, names, [tuple(row.values()) for row in rows])
        self._move(staging, own, names)

    def _add_origins(self, rows: list[dict[str, Any]], taking_over: bool = True) -> None:
        from sqlalchemy.dialects.postgresql import insert

        statement = insert(schema.tables.tables["origin"])
        keys = ["tenant", "project_seq", "key"]
        if not taking_over:
            self._connection.execute(statement.on_conflict_do_nothing(index_elements=keys), rows)
            return
        # The last of equal keys wins, as with one row after the other.
        last = {(row["project_seq"], row["key"]): row for row in rows}
        taken_over = statement.on_conflict_do_update(
            index_elements=keys, set_={"logical_id": statement.excluded.logical_id}
        )
        self._connection.execute(taken_over, list(last.values()))

    def _add_key(self, table: sa.Table, row: dict[str, Any]) -> int | None:
        from sqlalchemy.dialects.postgresql import insert

        own = schema.tables.tables[table.name]
        statement = insert(own).values(row).on_conflict_do_nothing().returning(own.c.seq)
        found = self._connection.execute(statement).scalar()
        return None if found is None else int(found)

    def _hold(self, ids: Sequence[str]) -> None:
        raw = list(raw_ids(ids))
        if raw:
            memory = shared.memory
            wanted = sa.or_(memory.c.id.in_(raw), memory.c.logical_id.in_(raw))
            # In a common order, so that two transactions cannot deadlock.
            self._connection.execute(
                sa.select(memory.c.seq)
                .where(memory.c.tenant == self._scope.tenant, wanted)
                .order_by(memory.c.seq)
                .with_for_update(key_share=True)
            ).all()

    def _hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        if not keys:
            return
        whose = f"{self._scope.tenant}\0{project}".encode()
        locks = [_lock_of(bytes([bucket]), whose) for bucket in {key[0] % _BUCKETS for key in keys}]
        self._connection.execute(
            sa.text("SELECT count(pg_advisory_xact_lock(one)) FROM unnest(CAST(:locks AS bigint[])) AS one"),
            {"locks": sorted(locks)},
        )

    def _hold_encoders(self, alone: bool) -> None:
        # Of the store alone: there may be no row yet that says which encoders are active.
        whose = _lock_of(_ENCODERS, self._scope.tenant.encode())
        taken = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        self._connection.execute(sa.text(f"SELECT count({taken}(:lock))"), {"lock": whose})

    def _drop_empty_sessions(self) -> None:
        # Whoever is writing into one of these sessions is waited for, and then seen by the statement that follows.
        session, memory = shared.session, shared.memory
        still = sa.exists().where(together(memory.c.session_seq, session.c.seq))
        empty = sa.select(session.c.seq).where(session.c.tenant == self._scope.tenant, ~still)
        self._connection.execute(empty.order_by(session.c.seq).with_for_update()).all()
        super()._drop_empty_sessions()


def _lock_of(kind: bytes, whose: bytes) -> int:
    """The number of an advisory lock."""
    return int.from_bytes(blake2b(whose, digest_size=8, salt=kind).digest(), "big", signed=True)
