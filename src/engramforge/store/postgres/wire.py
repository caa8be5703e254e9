"""Converts NumPy arrays to and from PostgreSQL's binary formats without a Python object per number.

An array result is a header of 20 bytes (12 for its shape, 8 for the one dimension), then each element with its length
before it; COPY in binary is a header, rows of length-prefixed fields, and a trailer (PostgreSQL manual, COPY). Both
have a fixed stride where no element is null, so NumPy reads and writes them as records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from struct import pack
from typing import Any, Final, Self

import numpy as np
import psycopg
import sqlalchemy as sa
from numpy.typing import NDArray
from psycopg.adapt import Dumper, Loader
from sqlalchemy.engine import Connection
from sqlalchemy.types import UserDefinedType

_ARRAY_HEADER: Final = 20
_COPY_HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_TRAILER: Final = b"\xff\xff"
_ELEMENTS: Final[Mapping[str, str]] = {
    "int2": ">i2",
    "int4": ">i4",
    "int8": ">i8",
    "float4": ">f4",
    "float8": ">f8",
    "bool": ">u1",
}


def _loader(element: str) -> type[Loader]:
    width = np.dtype(element).itemsize
    record = np.dtype([("length", ">i4"), ("value", element)])

    class ArrayLoader(Loader):
        """Reads one-dimensional arrays without nulls."""

        format = psycopg.pq.Format.BINARY

        def load(self, data: Any) -> NDArray[Any]:
            raw = bytes(data)
            if len(raw) < _ARRAY_HEADER:
                return np.empty(0, np.dtype(element).newbyteorder("="))
            found = np.frombuffer(raw, record, offset=_ARRAY_HEADER)
            if (found["length"] != width).any():
                raise ValueError("an array with nulls")
            return found["value"].astype(np.dtype(element).newbyteorder("="))

    return ArrayLoader


_LOADERS: Final = {
    psycopg.adapters.types[name].array_oid: _loader(element) for name, element in _ELEMENTS.items()
}


@dataclass(frozen=True, slots=True, eq=False)
class Integers:
    """A list of integers as one parameter: `among` compares with it."""

    values: NDArray[np.int32] | NDArray[np.int64]


class IntegersDumper(Dumper):
    """Writes `Integers` as an array in binary."""

    format = psycopg.pq.Format.BINARY
    oid = psycopg.adapters.types["int8"].array_oid

    def get_key(self, obj: Integers, format: Any) -> Any:  # noqa: A002, ARG002 - the driver's
        """A dumper per width."""
        return (self.cls, obj.values.dtype.itemsize)

    def upgrade(self, obj: Integers, format: Any) -> Dumper:  # noqa: A002, ARG002 - the driver's
        """The dumper that names the width to the server."""
        upgraded = type(self)(self.cls)
        upgraded.oid = psycopg.adapters.types[f"int{obj.values.dtype.itemsize}"].array_oid
        return upgraded

    def dump(self, obj: Integers) -> bytes:
        """Header and elements, each with its length before it."""
        values = obj.values
        width = values.dtype.itemsize
        element = psycopg.adapters.types[f"int{width}"].oid
        if not len(values):
            return pack(">iiI", 0, 0, element)
        records = np.empty(len(values), np.dtype([("length", ">i4"), ("value", f">i{width}")]))
        records["length"], records["value"] = width, values
        return pack(">iiIii", 1, 0, element, len(values), 1) + records.tobytes()


class _IntegersType(UserDefinedType[Any]):
    """Tells SQLAlchemy nothing about it."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "bigint[]"


def among(column: sa.ColumnElement[Any], values: NDArray[Any]) -> sa.ColumnElement[bool]:
    """Whether a column's value is one of these integers, as a single parameter for any number of them."""
    if values.dtype.itemsize != 4:
        values = values.astype(np.int64)
    return column == sa.func.any(sa.literal(Integers(values), _IntegersType()))


class BinaryCursor(psycopg.Cursor[Any]):
    """Requests results in binary if the protocol allows it; scripts without parameters stay text.

    `keeps_plan`: whether the server may keep the plan of what is executed.
    """

    keeps_plan = False

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> Self:
        """As the driver's."""
        if prepare is None and not self.keeps_plan:
            prepare = False
        return super().execute(
            query, params, prepare=prepare, binary=bool(params) if binary is None else binary
        )


def prepare(connection: psycopg.Connection[Any], *, keeps_plans: bool) -> None:
    """Let a new connection speak binary, and read arrays of numbers into NumPy arrays. `keeps_plans`: whether the plans
    of some statements may be kept with the session, which a pooler in between would lose."""
    connection.cursor_factory = BinaryCursor
    if not keeps_plans:
        connection.prepare_threshold = None
    connection.adapters.register_dumper(Integers, IntegersDumper)
    for oid, loader in _LOADERS.items():
        connection.adapters.register_loader(oid, loader)


def fetch_arrays(
    connection: Connection, columns: Mapping[str, sa.ColumnElement[Any]], frame: sa.Select[Any]
) -> dict[str, NDArray[Any]]:
    """The columns of a statement's rows as arrays; an empty one has no element.

    `columns`: name -> expression of type smallint, integer, bigint, real, double precision or boolean, never null.
    `frame`: a statement whose FROM and WHERE give the rows.
    """
    # Without a SQLAlchemy type, which would process the arrays element by element.
    aggregates = [
        sa.func.array_agg(column, type_=sa.types.NullType()).label(name) for name, column in columns.items()
    ]
    row = connection.execute(frame.with_only_columns(*aggregates, maintain_column_froms=True)).one()
    return {
        name: np.empty(0, np.int64) if value is None else value
        for name, value in zip(columns, row, strict=True)
    }


@dataclass(frozen=True, slots=True, eq=False)
class Bits:
    """A column of bit strings of one length, packed, shape (n, bytes)."""

    packed: NDArray[np.uint8]


def copy_records(
    connection: Connection, table: str, columns: Mapping[str, NDArray[Any] | Bits | str | bool | None]
) -> None:
    """COPY rows into a table, column by column.

    `columns`: name -> an array in the column's own width (int16, int32, int64, float32; 2-d float16 for a halfvec, 2-d
    uint8 for bytes), packed bits, or one text, truth value or null for all rows.
    """
    fields: list[tuple[str, Any, Any]] = []
    size = next(len(values) for values in columns.values() if isinstance(values, np.ndarray))
    for name, values in columns.items():
        if isinstance(values, Bits):
            width = values.packed.shape[1]
            bits = np.dtype([("length", ">i4"), ("packed", np.uint8, (width,))])
            filled = np.zeros(size, bits)
            filled["length"], filled["packed"] = 8 * width, values.packed
            fields.append((name, bits, filled))
        elif isinstance(values, str):
            raw = np.frombuffer(values.encode(), np.uint8)
            fields.append((name, (np.uint8, (len(raw),)), raw))
        elif isinstance(values, bool):
            fields.append((name, np.uint8, np.uint8(values)))
        elif values is None:
            fields.append((name, None, None))
        elif values.ndim == 2 and values.dtype == np.uint8:
            fields.append((name, (np.uint8, (values.shape[1],)), values))
        elif values.ndim == 2:
            width = values.shape[1]
            half = np.dtype([("dimension", ">i2"), ("unused", ">i2"), ("values", ">f2", (width,))])
            filled = np.zeros(size, half)
            filled["dimension"], filled["values"] = width, values
            fields.append((name, half, filled))
        else:
            fields.append((name, values.dtype.newbyteorder(">"), values))
    layout: list[tuple[str, Any]] = [("fields", ">i2")]
    for name, dtype, _ in fields:
        layout.append((f"{name} length", ">i4"))
        if dtype is not None:
            layout.append((name, *dtype) if isinstance(dtype, tuple) else (name, dtype))
    records = np.zeros(size, np.dtype(layout))
    records["fields"] = len(fields)
    for name, dtype, values in fields:
        if dtype is None:
            records[f"{name} length"] = -1
            continue
        records[f"{name} length"] = records.dtype[name].itemsize
        records[name] = values
    with _copying(connection, f"{table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)") as copy:
        for portion in (_COPY_HEADER, records.tobytes(), _COPY_TRAILER):
            copy.write(portion)


def copy_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """COPY rows of Python values into a table."""
    quoted = ", ".join(f'"{name}"' for name in columns)
    with _copying(connection, f"{table} ({quoted}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@contextmanager
def _copying(connection: Connection, what: str) -> Iterator[psycopg.Copy]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    with driver.cursor() as cursor, cursor.copy(f"COPY {what}") as copy:
        yield copy


def int8_vectors(raws: Sequence[bytes | None], dimension: int) -> NDArray[np.int8]:
    """Output of `halfvec_send` as the stored int8 components, shape (n, dimension); zeros for None."""
    whole = np.dtype([("header", ">i4"), ("values", ">f2", (dimension,))])
    nothing = bytes(whole.itemsize)
    return np.frombuffer(b"".join(raw or nothing for raw in raws), whole)["values"].astype(np.int8)


def vector_text(vector: NDArray[Any]) -> str:
    """A vector as pgvector reads it from text."""
    return "[" + ",".join(map(str, vector.tolist())) + "]"


def bits_text(packed: NDArray[np.uint8]) -> str:
    """Packed bits as the server reads them from text."""
    return (np.unpackbits(packed) + ord("0")).tobytes().decode("ascii")
