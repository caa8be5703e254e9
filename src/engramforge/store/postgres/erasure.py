"""Removes dead rows from the tables' files after a forget.

A deleted row lies in its page until VACUUM, and its bytes until the page is filled again. So small tables are rewritten
as a whole, larger ones vacuumed; the write-ahead log and backups are the server's, and keep what they had until they
are recycled (docs/how-to/postgres.md says how to shorten that).
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.store.postgres.schema import tables

REWRITTEN_BYTES: Final = 32 * 2**20
"""The largest table that is rewritten, which blocks readers for well under a second."""
_REWRITE_WAIT_MS: Final = 1_500
"""How long a rewrite waits for readers of the table, while others queue behind it. Longer than the second after which
the server stops an autovacuum that blocks somebody."""
_SHORT_WAIT_MS: Final = 100
_VACUUM_WAIT_MS: Final = 2_000


def erase_traces(connection: Connection) -> None:
    """Remove dead rows from the files, as the user of the URL; without ownership of the tables it is left to
    autovacuum.

    `connection`: in autocommit.
    """
    owned = sa.text(
        "SELECT relname, pg_total_relation_size(oid) FROM pg_class "
        "WHERE oid = ANY(SELECT to_regclass(name) FROM unnest(CAST(:names AS text[])) AS name) "
        "AND pg_has_role(session_user, relowner, 'USAGE')"
    )
    found = connection.execute(owned, {"names": list(tables.tables)}).all()
    try:
        may_wait = True
        for name, size in found:
            full = f"VACUUM (FULL) {name}"
            # A long reader is waited for once, not once per table.
            wait_ms = _REWRITE_WAIT_MS if may_wait else _SHORT_WAIT_MS
            if size > REWRITTEN_BYTES or not _vacuumed(connection, full, wait_ms):
                may_wait = may_wait and size > REWRITTEN_BYTES
                _vacuumed(connection, f"VACUUM {name}", _VACUUM_WAIT_MS)
    finally:
        if not connection.invalidated:
            connection.exec_driver_sql("RESET lock_timeout")


def _vacuumed(connection: Connection, statement: str, wait_ms: int) -> bool:
    """Whether the statement got its lock in time."""
    connection.exec_driver_sql(f"SET lock_timeout = {wait_ms}")
    try:
        connection.exec_driver_sql(statement)
    except sa.exc.OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != "55P03":
            raise
        return False
    return True
