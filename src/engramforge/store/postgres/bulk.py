"""Many rows into a table, few by INSERT and many by COPY.

COPY does not write to tables under row-level security, so bulk goes by a temporary table of the connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.store.postgres.wire import copy_records, copy_rows

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
