"""How a PostgreSQL transaction writes signals: words, postings, vectors, parts and names, few by INSERT, many by COPY.

COPY does not write to tables under row-level security, so bulk goes by a temporary table of the connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema as shared
from engramforge.store.postgres import schema
from engramforge.store.postgres.search.fields import Field, field_of, is_packed, is_scanned, near_of
from engramforge.store.postgres.wire import Bits, bits_text, copy_records, vector_text
from engramforge.store.reading.predicates import admitted
from engramforge.store.rows import words_row
from engramforge.store.writing.transaction import StoreTransaction

BULK_ROWS: Final = 40
"""From this many rows on COPY pays off."""
_MOST_LENGTH: Final = np.iinfo(np.int16).max


class SignalWrites(StoreTransaction):
    """The writes of signals, of which `PostgresTransaction` is made.

    Attributes
    ----------
    fields : what was written that vector indexes are made of.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.fields: set[Field] = set()
        self._ids: dict[int, str] = {}

    def _encoder_key(self, encoder: str) -> int:
        key = super()._encoder_key(encoder)
        self._ids[key] = encoder
        return key

    def _add_signals(self, entries: Sequence[tuple[int, int, int | None, Entry]]) -> None:
        tenant = self._scope.tenant
        words = [
            {
                "tenant": tenant,
                "memory_seq": seq,
                "encoder_seq": self._encoder_key(entry.embedding.encoder),
                **words_row(entry.embedding),
            }
            for seq, _, _, entry in entries
            if len(entry.embedding.terms) or entry.embedding.cues
        ]
        if words:
            self._add(shared.embedding_words, words)
        vectors: dict[int, list[tuple[int, NDArray[np.int8] | None]]] = {}
        for seq, _, _, entry in entries:
            if entry.embedding.vector is not None:
                key = self._encoder_key(entry.embedding.meaning_encoder)
                vectors.setdefault(key, []).append((seq, entry.embedding.vector))
        for key, rows in vectors.items():
            self._put_vectors(key, rows)
        self._add_postings([entry for entry in entries if len(entry[3].embedding.terms)])

    def _put_vectors(self, encoder_key: int, rows: Sequence[tuple[int, NDArray[np.int8] | None]]) -> None:
        encoder = self._ids[encoder_key]
        alike: dict[int, list[tuple[int, NDArray[np.int8] | None]]] = {}
        for seq, vector in rows:
            alike.setdefault(0 if vector is None else len(vector), []).append((seq, vector))
        for size, some in alike.items():
            code = schema.encoder_code(Space.SEMANTIC, encoder, 1, size)
            if size:
                self.fields.add(field_of(Space.SEMANTIC, encoder_key, encoder, 1, size))
            self._put_vectors_alike(encoder_key, code, some)

    def _put_vectors_alike(
        self, encoder_key: int, code: int, rows: Sequence[tuple[int, NDArray[np.int8] | None]]
    ) -> None:
        """Write vectors of one encoder and size, or abstentions."""
        whole = {"tenant": self._scope.tenant, "encoder_seq": encoder_key, "encoder_code": code}
        if len(rows) < BULK_ROWS:
            made = [
                {**whole, "memory_seq": seq, "vector": None if vector is None else vector_text(vector)}
                for seq, vector in rows
            ]
            self._insert_cast("embedding_semantic", made)
            return
        columns: dict[str, Any] = {
            "tenant": self._scope.tenant,
            "memory_seq": np.array([seq for seq, _ in rows], np.int64),
            "encoder_seq": np.full(len(rows), encoder_key, np.int64),
            "encoder_code": np.full(len(rows), code, np.int64),
            "vector": None if rows[0][1] is None else np.array([vector for _, vector in rows], np.float16),
        }
        self._bulk(schema.semantic, columns)

    def _put_parts(self, rows: list[dict[str, Any]]) -> None:
        alike: dict[tuple[str, int, int, int], list[dict[str, Any]]] = {}
        for row in rows:
            size = 0 if row["vector"] is None else len(row["vector"])
            alike.setdefault((row["space"], row["encoder_seq"], row["rows"], size), []).append(row)
        for (name, key, count, size), some in alike.items():
            space, encoder = Space(name), self._ids[key]
            if size and is_scanned(space):
                self.fields.add(field_of(space, key, encoder, count, size))
            self._put_parts_alike(space, schema.encoder_code(space, encoder, count, size), some)

    def _put_parts_alike(self, space: Space, code: int, rows: list[dict[str, Any]]) -> None:
        """Write parts of one space, encoder and shape, with what scans compare."""
        near: NDArray[np.float16] | None = None
        bits: NDArray[np.uint8] | None = None
        raw = b"".join(row["vector"] or b"" for row in rows)
        if raw and is_packed(space):
            bits = np.frombuffer(raw, np.uint8).reshape(len(rows), -1)
        elif raw and is_scanned(space):
            near = near_of(np.frombuffer(raw, np.int8).reshape(len(rows), rows[0]["rows"], -1))
        if len(rows) < BULK_ROWS:
            made = [
                {
                    **row,
                    "encoder_code": code,
                    "near": None if near is None else vector_text(near[place]),
                    "near_bits": None if bits is None else bits_text(bits[place]),
                }
                for place, row in enumerate(rows)
            ]
            self._insert_cast("embedding_part", made)
            return
        first = rows[0]
        columns: dict[str, Any] = {
            "tenant": first["tenant"],
            "memory_seq": np.array([row["memory_seq"] for row in rows], np.int64),
            "space": first["space"],
            "encoder_seq": np.full(len(rows), first["encoder_seq"], np.int64),
            "encoder_code": np.full(len(rows), code, np.int64),
            "rows": np.full(len(rows), first["rows"], np.int16),
            "vector": None,
            "near": near,
            "near_bits": None if bits is None else Bits(bits),
        }
        if first["vector"] is not None:
            columns["vector"] = np.frombuffer(raw, np.uint8).reshape(len(rows), -1)
        self._bulk(schema.part, columns)

    def _insert_cast(self, table: str, rows: list[dict[str, Any]]) -> None:
        """Insert rows in which half-precision vectors and bits are texts."""
        names = list(rows[0])
        kinds = {"near": "halfvec", "near_bits": "bit varying"}
        if table == "embedding_semantic":
            kinds = {"vector": "halfvec"}
        values = ", ".join(
            f"CAST(:{name} AS {kinds[name]})" if name in kinds else f":{name}" for name in names
        )
        columns = ", ".join(f'"{name}"' for name in names)
        self._connection.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), rows)

    def _put_names(self, names: Sequence[str]) -> None:
        # In a common order, so that two writers of the same names cannot deadlock.
        self._connection.execute(
            sa.text(
                "INSERT INTO entity (tenant, name) SELECT :tenant, name "
                "FROM unnest(CAST(:names AS text[])) AS one(name) ORDER BY name ON CONFLICT DO NOTHING"
            ),
            {"tenant": self._scope.tenant, "names": list(names)},
        )

    def _entity_keys(self, names: Iterable[str]) -> dict[str, int]:
        ordered = sorted(names)
        keys = self._known_entities(ordered)
        # A forget may remove a name between its creation and its lock.
        while missing := [name for name in ordered if name not in keys]:
            self._put_names(missing)
            keys |= self._known_entities(missing)
        return keys

    def _known_entities(self, names: Sequence[str]) -> dict[str, int]:
        entity = shared.entity
        if not names:
            return {}
        # Locked, so that a concurrent forget waits before removing a name that is about to be mentioned.
        statement = (
            sa.select(entity.c.name, entity.c.seq)
            .where(
                entity.c.tenant == self._scope.tenant,
                entity.c.name == sa.func.any(sa.cast(list(names), sa.ARRAY(sa.Text))),
            )
            .order_by(entity.c.name)
            .with_for_update(read=True, key_share=True)
        )
        return {name: int(seq) for name, seq in self._connection.execute(statement)}

    def _drop_unmentioned(self, keys: Iterable[int]) -> None:
        entity = shared.entity
        some = sorted(keys)
        if some:
            # Whoever is about to mention one of them is waited for, and then seen by the statement that follows.
            mine = (entity.c.tenant == self._scope.tenant, entity.c.seq.in_(some))
            held = sa.select(entity.c.seq).where(*mine).order_by(entity.c.name).with_for_update()
            self._connection.execute(held).all()
            super()._drop_unmentioned(some)

    def _there(self, positions: NDArray[np.int64]) -> set[int]:
        memory = shared.memory
        asked = [int(position) for position in positions]
        # Held: others place the same embeddings after this one, and a forget comes before or after it.
        statement = (
            sa.select(memory.c.seq)
            .where(memory.c.seq.in_(asked), admitted(self._scope))
            .order_by(memory.c.seq)
            .with_for_update(key_share=True, of=memory)
        )
        return {int(seq) for seq in self._connection.execute(statement).scalars()}

    def _add_postings(self, entries: Sequence[tuple[int, int, int | None, Entry]]) -> None:
        if not entries:
            return
        sizes = np.array([len(entry.embedding.terms) for *_, entry in entries])
        lengths = np.array([min(int(entry.embedding.counts.sum()), _MOST_LENGTH) for *_, entry in entries])
        ended = [
            entry.memory.expired_at is not None or entry.memory.invalid_at is not None
            for *_, entry in entries
        ]
        columns: dict[str, NDArray[Any]] = {
            "memory_seq": np.repeat(np.array([seq for seq, *_ in entries], np.int64), sizes),
            "term": signed(b"".join(entry.embedding.terms.tobytes() for *_, entry in entries)),
            "project_seq": np.repeat(np.array([project for _, project, *_ in entries], np.int32), sizes),
            "session_seq": np.repeat(
                np.array([-1 if session is None else session for _, _, session, _ in entries], np.int32),
                sizes,
            ),
            "length": np.repeat(lengths.astype(np.int16), sizes),
            "times": np.concatenate([entry.embedding.counts for *_, entry in entries]).astype(np.int16),
            "closed": np.repeat(np.array(ended, np.uint8), sizes),
        }
        if len(entries) < BULK_ROWS:
            names = ", ".join(columns)
            kinds = ("bigint", "integer", "integer", "integer", "smallint", "smallint", "integer")
            arrays = ", ".join(
                f"CAST(:{name} AS {kind}[])" for name, kind in zip(columns, kinds, strict=True)
            )
            taken = names.replace("closed", "closed = 1")
            self._connection.execute(
                sa.text(
                    f"INSERT INTO posting (tenant, {names}) SELECT :tenant, {taken} "
                    f"FROM unnest({arrays}) AS one({names})"
                ),
                {"tenant": self._scope.tenant, **{name: values.tolist() for name, values in columns.items()}},
            )
            return
        self._bulk(schema.posting, {**columns, "tenant": self._scope.tenant})

    def _bulk(self, table: sa.Table, columns: dict[str, Any]) -> None:
        staging = self._staging(table, list(columns))
        copy_records(self._connection, staging, columns)
        self._move(staging, table, list(columns))

    def _staging(self, table: sa.Table, names: Sequence[str]) -> str:
        """The connection's temporary table for bulk; its rows go with the transaction."""
        columns = ", ".join(f'"{name}"' for name in names)
        self._connection.exec_driver_sql("SET LOCAL client_min_messages = warning")
        self._connection.exec_driver_sql(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS staging_{table.name} ON COMMIT DELETE ROWS "
            f'AS SELECT {columns} FROM "{table.name}" WITH NO DATA'
        )
        return f"pg_temp.staging_{table.name}"

    def _move(self, staging: str, table: sa.Table, names: Sequence[str]) -> None:
        columns = ", ".join(f'"{name}"' for name in names)
        self._connection.exec_driver_sql(
            f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {staging}'
        )
        self._connection.exec_driver_sql(f"TRUNCATE {staging}")


def signed(terms: bytes) -> NDArray[np.int32]:
    """Terms as PostgreSQL's int4 has them: the same 32 bits, read with a sign."""
    return np.frombuffer(terms, np.int32)
