"""PostgreSQL's own expressions for columns that both engines have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.store.postgres.schema import tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROW_HEADER: Final = 28
"""The header of a row, and the pointer to it in its page."""


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

    def bytes_on_disk(self, connection: Connection, tenant: str) -> int:
        """The tenant's rows as they are stored, without indexes: these are of all tenants together."""
        total = 0
        for table in tables.tables.values():
            row = sum(
                (sa.func.coalesce(sa.func.pg_column_size(column), 0) for column in table.c),
                sa.literal(_ROW_HEADER),
            )
            sized = sa.select(sa.func.sum(row)).where(table.c.tenant == tenant)
            total += int(connection.execute(sized).scalar() or 0)
        return total
