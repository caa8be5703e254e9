"""How PostgreSQL writes: sequences, held rows, and COPY for bulk.

Several transactions run side by side, so what a transaction has read it holds: memories by row locks, origins by
advisory locks on a bucket of their keys, the choice of encoders by another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema as shared
from engramforge.store.postgres import schema
from engramforge.store.postgres.signal_rows import SignalRows, add_rows, signed
from engramforge.store.reading.predicates import raw_ids
from engramforge.store.rows import LEVEL_CODE, blob
from engramforge.store.writing.ledger import Purpose, Row

_BUCKETS: Final = 64
_ENCODERS: Final = b"encoders"
_PLACE_OF_POSTING: Final = tuple(
    schema.posting.c[name] for name in ("term", "level", "project_seq", "memory_seq")
)
"""What of the index's key differs between postings of a tenant that are open, or closed."""
_POSTINGS_AT_ONCE: Final = 20_000


class PostgresLedger:
    """See `store.writing.ledger.Ledger`.

    `inserted`: how many memories were written, or were given embeddings. `dropped`: space and code of encoders whose
    vector indexes may be empty after the commit. `deleted_by`: number of the transaction, once it has forgotten.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self._tenant = scope.tenant
        self.signals = SignalRows(connection, scope.tenant)
        self.add_vectors = self.signals.add_vectors
        self.add_parts = self.signals.add_parts
        self.add_postings = self.signals.add_postings
        self._drawn: int | None = None
        self.inserted = 0
        self.deleted_by = 0
        self.dropped: set[tuple[str, int]] = set()

    @property
    def change(self) -> int:
        """The number of this change, from a sequence."""
        if self._drawn is None:
            # The transaction gets its own number first, so that a snapshot which does not see it knows of it.
            drawn = "SELECT pg_current_xact_id(), nextval('change_counter')"
            self._drawn = int(self.connection.exec_driver_sql(drawn).one()[1])
        return self._drawn

    @property
    def tables(self) -> Sequence[sa.Table]:
        """PostgreSQL's own."""
        return schema.tables.sorted_tables

    def draw_changes(self, count: int) -> int:
        """The first of so many of the sequence."""
        drawn = sa.select(sa.func.nextval("change_counter").label("one")).select_from(
            sa.func.generate_series(1, count)
        )
        each = drawn.subquery()
        return int(self.connection.execute(sa.select(sa.func.min(each.c.one))).scalar_one())

    def draw_positions(self, count: int) -> Sequence[int]:
        """The next of the sequence."""
        drawn = self.connection.execute(
            sa.select(sa.func.nextval("position_counter")).select_from(sa.func.generate_series(1, count))
        )
        return [int(position) for position in drawn.scalars()]

    def add(self, table: sa.Table, rows: list[Row]) -> None:
        """Insert rows, many by COPY."""
        add_rows(self.connection, schema.tables.tables[table.name], rows)

    def add_versions(self, rows: list[Row], entries: Sequence[Entry]) -> None:
        """Insert narrow rows with the lengths of their memories."""
        lengths = [int(entry.embedding.counts.sum()) for entry in entries]
        self.add(
            shared.memory, [{**row, "length": length} for row, length in zip(rows, lengths, strict=True)]
        )
        self.inserted += len(rows)

    def add_origins(self, rows: list[dict[str, Any]], taking_over: bool) -> None:
        """Insert origin keys."""
        from sqlalchemy.dialects.postgresql import insert

        statement = insert(schema.tables.tables["origin"])
        keys = ["tenant", "project_seq", "key"]
        if not taking_over:
            self.connection.execute(statement.on_conflict_do_nothing(index_elements=keys), rows)
            return
        # The last of equal keys wins, as with one row after the other.
        last = {(row["project_seq"], row["key"]): row for row in rows}
        taken_over = statement.on_conflict_do_update(
            index_elements=keys, set_={"logical_id": statement.excluded.logical_id}
        )
        self.connection.execute(taken_over, list(last.values()))

    def add_key(self, table: sa.Table, row: dict[str, Any]) -> int | None:
        """Insert a row that gives a name its key."""
        from sqlalchemy.dialects.postgresql import insert

        own = schema.tables.tables[table.name]
        statement = insert(own).values(row).on_conflict_do_nothing().returning(own.c.seq)
        found = self.connection.execute(statement).scalar()
        return None if found is None else int(found)

    def add_names(self, names: Sequence[str]) -> None:
        """Insert entities, in one order for all: two who name the same wait for each other in turn, not crosswise."""
        self.connection.execute(
            sa.text(
                "INSERT INTO entity (tenant, name) SELECT :tenant, name "
                "FROM unnest(CAST(:names AS text[])) AS one(name) ORDER BY name ON CONFLICT DO NOTHING"
            ),
            {"tenant": self._tenant, "names": list(names)},
        )

    def hold(self, ids: Sequence[str]) -> None:
        """Lock rows of memories."""
        raw = list(raw_ids(ids))
        if raw:
            memory = shared.memory
            wanted = sa.or_(memory.c.id.in_(raw), memory.c.logical_id.in_(raw))
            # In a common order, so that two transactions cannot deadlock.
            self.connection.execute(
                sa.select(memory.c.seq)
                .where(memory.c.tenant == self._tenant, wanted)
                .order_by(memory.c.seq)
                .with_for_update(key_share=True)
            ).all()

    def hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        """Lock buckets of origin keys."""
        if not keys:
            return
        whose = f"{self._tenant}\0{project}".encode()
        locks = [_lock_of(bytes([bucket]), whose) for bucket in {key[0] % _BUCKETS for key in keys}]
        self.connection.execute(
            sa.text("SELECT count(pg_advisory_xact_lock(one)) FROM unnest(CAST(:locks AS bigint[])) AS one"),
            {"locks": sorted(locks)},
        )

    def hold_encoders(self, alone: bool) -> None:
        """Lock the choice of encoders."""
        # Of the store alone: there may be no row yet that says which encoders are active.
        whose = _lock_of(_ENCODERS, self._tenant.encode())
        taken = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        self.connection.execute(sa.text(f"SELECT count({taken}(:lock))"), {"lock": whose})

    def holding(self, statement: sa.Select[Any], table: sa.Table, for_what: Purpose) -> sa.Select[Any]:
        """The statement with row locks."""
        if for_what == "mention":
            return statement.with_for_update(read=True, key_share=True, of=table)
        return statement.with_for_update(key_share=for_what == "change", of=table)

    def close(self, memory_id: str) -> None:
        """Put the postings of a version with history."""
        self._move_postings(memory_id, is_closed=True)

    def reopen(self, memory_id: str) -> None:
        """Put the postings of a version with what holds now."""
        self._move_postings(memory_id, is_closed=False)

    def _move_postings(self, memory_id: str, *, is_closed: bool) -> None:
        memory = shared.memory
        its = sa.select(memory.c.seq).where(memory.c.tenant == self._tenant, memory.c.id == blob(memory_id))
        for place in self._postings_of(self.connection.execute(its).scalars().all()):
            self.connection.execute(sa.update(schema.posting).where(place).values(closed=is_closed))

    def forget(self, positions: Sequence[int]) -> None:
        """Remove the postings of memories."""
        for place in self._postings_of(positions):
            self.connection.execute(sa.delete(schema.posting).where(place))

    def _postings_of(self, seqs: Sequence[int]) -> Iterator[sa.ColumnElement[bool]]:
        """The postings of some memories, found by their terms, as no index leads from memory to term, many at once."""
        words, memory, posting = shared.embedding_words, shared.memory, schema.posting
        rows = self.connection.execute(
            sa.select(words.c.memory_seq, memory.c.level, memory.c.project_seq, words.c.terms)
            .join(memory, sa.and_(memory.c.tenant == words.c.tenant, memory.c.seq == words.c.memory_seq))
            .where(words.c.tenant == self._tenant, words.c.memory_seq.in_(seqs))
        )
        waiting: list[tuple[int, int, int, int]] = []
        for seq, level, project, terms in (*rows, (0, "", 0, None)):
            if terms is not None:
                its = (LEVEL_CODE[level], project, seq)
                waiting += [(term, *its) for term in signed(terms).tolist()]
            if waiting and (terms is None or len(waiting) >= _POSTINGS_AT_ONCE):
                asked = sa.select(
                    *(
                        sa.func.unnest(sa.cast(list(values), sa.ARRAY(column.type))).label(column.name)
                        for column, values in zip(_PLACE_OF_POSTING, zip(*waiting, strict=True), strict=True)
                    )
                ).subquery()
                waiting = []
                yield sa.and_(
                    posting.c.tenant == self._tenant,
                    posting.c.closed.in_([False, True]),
                    *(column == asked.c[column.name] for column in _PLACE_OF_POSTING),
                )

    def note_placed(self, space: Space, encoder_key: int, count: int) -> None:
        """An index of them may become due."""
        del space, encoder_key
        self.inserted += count

    def finish(self) -> None:
        """Nothing: numbers come from a sequence."""

    def note_dropping(self, space: Space, encoder_key: int) -> None:
        """Their vector indexes go after the commit."""
        table = shared.embedding_semantic if space is Space.SEMANTIC else shared.embedding_part
        code = sa.literal_column(f"{table.name}.encoder_code", sa.BigInteger)
        codes = sa.select(code).where(table.c.tenant == self._tenant, table.c.encoder_seq == encoder_key)
        dropped = self.connection.execute(codes.distinct()).scalars()
        self.dropped |= {(str(space), int(found)) for found in dropped}


def _lock_of(kind: bytes, whose: bytes) -> int:
    return int.from_bytes(blake2b(whose, digest_size=8, salt=kind).digest(), "big", signed=True)
