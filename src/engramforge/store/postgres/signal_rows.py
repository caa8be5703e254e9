"""Rows of signals as PostgreSQL has them: vectors, parts with what scans compare, postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.spaces import Space
from engramforge.store.postgres import schema
from engramforge.store.postgres.search.fields import Field, field_of, is_packed, is_scanned, near_of
from engramforge.store.postgres.wire import Bits, bits_text, copy_records, copy_rows, vector_text
from engramforge.store.rows import LEVEL_CODE
from engramforge.store.writing.ledger import Placed, Row, Vectors

_MOST_LENGTH: Final = np.iinfo(np.int16).max


class SignalRows:
    """Writes signals of one tenant.

    `fields`: what was written that vector indexes are made of.
    """

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self.fields: set[Field] = set()

    def add_vectors(self, encoder_key: int, encoder: str, rows: Vectors) -> None:
        """Write E1 of an encoder for positions that have none by it."""
        alike: dict[int, list[tuple[int, NDArray[np.int8] | None]]] = {}
        for seq, vector in rows:
            alike.setdefault(0 if vector is None else len(vector), []).append((seq, vector))
        for size, some in alike.items():
            code = schema.encoder_code(Space.SEMANTIC, encoder, 1, size)
            if size:
                self.fields.add(field_of(Space.SEMANTIC, encoder_key, encoder, 1, size))
            self._add_vectors_alike(encoder_key, code, some)

    def _add_vectors_alike(
        self, encoder_key: int, code: int, rows: Sequence[tuple[int, NDArray[np.int8] | None]]
    ) -> None:
        """Write vectors of one encoder and size, or abstentions."""
        whole = {"tenant": self._tenant, "encoder_seq": encoder_key, "encoder_code": code}
        if len(rows) < BULK_ROWS:
            made = [
                {**whole, "memory_seq": seq, "vector": None if vector is None else vector_text(vector)}
                for seq, vector in rows
            ]
            self._insert_cast("embedding_semantic", made)
            return
        columns: dict[str, Any] = {
            "tenant": self._tenant,
            "memory_seq": np.array([seq for seq, _ in rows], np.int64),
            "encoder_seq": np.full(len(rows), encoder_key, np.int64),
            "encoder_code": np.full(len(rows), code, np.int64),
            "vector": None if rows[0][1] is None else np.array([vector for _, vector in rows], np.float16),
        }
        add_columns(self._connection, schema.semantic, columns)

    def add_parts(self, rows: list[Row], encoders: Mapping[int, str]) -> None:
        """Write parts beside positions that have none of the same space and encoder."""
        alike: dict[tuple[str, int, int, int], list[dict[str, Any]]] = {}
        for row in rows:
            size = 0 if row["vector"] is None else len(row["vector"])
            alike.setdefault((row["space"], row["encoder_seq"], row["rows"], size), []).append(row)
        for (name, key, count, size), some in alike.items():
            space, encoder = Space(name), encoders[key]
            if size and is_scanned(space):
                self.fields.add(field_of(space, key, encoder, count, size))
            self._add_parts_alike(space, schema.encoder_code(space, encoder, count, size), some)

    def _add_parts_alike(self, space: Space, code: int, rows: list[dict[str, Any]]) -> None:
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
        add_columns(self._connection, schema.part, columns)

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

    def add_postings(self, entries: Sequence[Placed]) -> None:
        """Write where the terms of entries occur."""
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
            "level": np.repeat(
                np.array([LEVEL_CODE[entry.memory.level] for *_, entry in entries], np.int16), sizes
            ),
            "closed": np.repeat(np.array(ended, np.uint8), sizes),
        }
        if len(entries) < BULK_ROWS:
            names = ", ".join(columns)
            kinds = ("bigint", *("integer",) * 3, *("smallint",) * 3, "integer")
            arrays = ", ".join(
                f"CAST(:{name} AS {kind}[])" for name, kind in zip(columns, kinds, strict=True)
            )
            taken = names.replace("closed", "closed = 1")
            self._connection.execute(
                sa.text(
                    f"INSERT INTO posting (tenant, {names}) SELECT :tenant, {taken} "
                    f"FROM unnest({arrays}) AS one({names})"
                ),
                {"tenant": self._tenant, **{name: values.tolist() for name, values in columns.items()}},
            )
            return
        add_columns(self._connection, schema.posting, {**columns, "tenant": self._tenant})


def signed(terms: bytes) -> NDArray[np.int32]:
    """Terms as PostgreSQL's int4 has them: the same 32 bits, read with a sign."""
    return np.frombuffer(terms, np.int32)


BULK_ROWS: Final = 40
"""From this many rows on COPY pays off."""


def add_rows(connection: Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows of Python values."""
    if len(rows) < BULK_ROWS:
        connection.execute(sa.insert(table), rows)
        return
    names = list(rows[0])
    staging = _staging(connection, table, names)
    copy_rows(connection, staging, names, [tuple(row.values()) for row in rows])
    _move(connection, staging, table, names)


def add_columns(connection: Connection, table: sa.Table, columns: dict[str, Any]) -> None:
    """Insert rows given as columns, as `copy_records` takes them."""
    staging = _staging(connection, table, list(columns))
    copy_records(connection, staging, columns)
    _move(connection, staging, table, list(columns))


def _staging(connection: Connection, table: sa.Table, names: Sequence[str]) -> str:
    """The connection's temporary table for bulk; its rows go with the transaction."""
    columns = ", ".join(f'"{name}"' for name in names)
    connection.exec_driver_sql("SET LOCAL client_min_messages = warning")
    connection.exec_driver_sql(
        f"CREATE TEMPORARY TABLE IF NOT EXISTS staging_{table.name} ON COMMIT DELETE ROWS "
        f'AS SELECT {columns} FROM "{table.name}" WITH NO DATA'
    )
    return f"pg_temp.staging_{table.name}"


def _move(connection: Connection, staging: str, table: sa.Table, names: Sequence[str]) -> None:
    columns = ", ".join(f'"{name}"' for name in names)
    connection.exec_driver_sql(f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {staging}')
    connection.exec_driver_sql(f"TRUNCATE {staging}")
