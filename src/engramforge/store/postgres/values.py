"""PostgreSQL's own expressions for columns that both engines have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.store.postgres.schema import tables

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PostgresValues:
    """See `store.reading.source.Values`."""

    def octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes a text or blob takes."""
        return sa.func.octet_length(column)

    def vector_octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes an E1 takes: halfvec keeps two for a component where SQLite keeps one."""
        return sa.func.pg_column_size(column)

    def sent(self, vector: sa.Column[Any]) -> sa.ColumnElement[Any]:
        """An E1 in halfvec's wire format: dimension, nothing, and the components as big-endian half floats."""
        return sa.func.halfvec_send(vector, type_=sa.LargeBinary)

    def received(self, raw: bytes) -> NDArray[np.int8]:
        """The inverse of `sent`."""
        return np.frombuffer(raw[4:], ">f2").astype(np.int8)

    def bytes_on_disk(self, connection: Connection) -> int:
        """The tables with their indexes, those of all tenants."""
        names = ", ".join(f"('{name}')" for name in tables.tables)
        sizes = f"SELECT sum(pg_total_relation_size(to_regclass(name))) FROM (VALUES {names}) AS one(name)"
        return int(connection.exec_driver_sql(sizes).scalar_one() or 0)
