"""Connections to a SQLite file: pragmas, explicit transactions, and driver errors turned into ours.

Every write transaction is BEGIN IMMEDIATE, so that locks are waited for at the start and never met half-way;
synchronous=FULL makes a commit survive a crash; secure_delete overwrites what is deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import (
    EngramforgeError,
    InternalError,
    StoreCorrupt,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from engramforge.model.stopping import interrupted_by_stop

BUSY_TIMEOUT_MS: Final = 30_000
"""How long a writer waits for another before `StoreLocked`."""

_PRAGMAS: Final = (
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-16000",
)


def open_engine(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Engine:
    """An engine on one SQLite file; connections are in autocommit mode, transactions explicit."""
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),  # not a text: "?" and "%" are letters of a path
        isolation_level="AUTOCOMMIT",
        connect_args={"check_same_thread": False, "timeout": busy_timeout_ms / 1000},
    )

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        if busy_timeout_ms != BUSY_TIMEOUT_MS:
            cursor.execute(f"PRAGMA busy_timeout={int(busy_timeout_ms)}")
        cursor.close()

    return engine


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn driver errors of the block into ours, naming the file, the fault and the mend."""
    try:
        yield
    except EngramforgeError:
        raise
    except sa.exc.DBAPIError as error:
        raise _translate(error.orig, path) from error
    except sqlite3.Error as error:
        raise _translate(error, path) from error


@contextmanager
def write_transaction(engine: Engine, path: Path) -> Iterator[Connection]:
    """BEGIN IMMEDIATE ... COMMIT; rolls back when the block or the commit fails."""
    with translated(path), engine.connect() as connection:
        try:
            with interrupted_by_stop(_driver(connection).interrupt):
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            # A full disk may have caused a rollback already, leaving no transaction to end.
            if _driver(connection).in_transaction:
                connection.exec_driver_sql("ROLLBACK")
            raise


@contextmanager
def read_connection(engine: Engine, path: Path) -> Iterator[Connection]:
    """A connection whose reads see one snapshot."""
    with translated(path), engine.connect() as connection:
        try:
            with interrupted_by_stop(_driver(connection).interrupt):
                connection.exec_driver_sql("BEGIN")
                yield connection
        finally:
            if _driver(connection).in_transaction:
                connection.exec_driver_sql("COMMIT")


def _driver(connection: Connection) -> sqlite3.Connection:
    """The driver's connection."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def _translate(error: BaseException | None, path: Path) -> EngramforgeError:
    """The typed error for what SQLite says."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(
            f"The store {path} is locked by another process", "Wait for it or stop it, then try again"
        )
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull(
            f"There is no space left for the store {path}", "Free some disk space, then try again"
        )
    if primary == sqlite3.SQLITE_READONLY:
        return StoreUnavailable(
            f"The store {path} is read-only", "Give this user write permission on the file and its folder"
        )
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreCorrupt(
            f"The file {path} is not a sound engramforge store ({error})",
            "Restore it from a copy, or move it away to begin a new store",
        )
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreUnavailable(
            f"The store {path} cannot be opened ({error})",
            "Check that its folder exists and that this user may read and write it",
        )
    return InternalError(f"The store {path} refused a statement ({error})", "Please report it with this text")
