"""Connections to a SQLite file: how it is made, pragmas, explicit transactions, and driver errors turned into ours.

Every write transaction is BEGIN IMMEDIATE, so that locks are waited for at the start and never met half-way;
synchronous=FULL makes a commit survive a crash; secure_delete overwrites what is deleted.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import (
    EngramforgeError,
    InternalError,
    StoreCorrupt,
    StoreFull,
    StoreLocked,
    StoreTooNew,
    StoreUnavailable,
)
from engramforge.model.stopping import interrupted_by_stop
from engramforge.store.migrations.upgrading import upgrade_schema
from engramforge.store.schema import SCHEMA_REVISION, store, tables

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


def open_engine(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS, only_read: bool = False) -> Engine:
    """An engine on one SQLite file; connections are in autocommit mode, transactions explicit.

    `only_read`: no statement may write.
    """
    # Who may not write leaves the log and its index behind that SQLite makes for readers too; who may would write back
    # what a killed process has left in its log.
    way = {"mode": "ro" if _has_log(path) else "rw", "uri": "true"} if only_read else {}
    engine = sa.create_engine(
        # Not a text: "?" and "%" are letters of a path.
        sa.URL.create("sqlite", database=f"file:{quote(str(path))}" if only_read else str(path), query=way),
        isolation_level="AUTOCOMMIT",
        connect_args={"check_same_thread": False, "timeout": busy_timeout_ms / 1000},
    )

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        if only_read:
            cursor.execute("PRAGMA query_only=ON")
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
def write_transaction(engine: Engine, path: Path, wait_ms: int | None = None) -> Iterator[Connection]:
    """BEGIN IMMEDIATE ... COMMIT; rolls back when the block or the commit fails.

    `wait_ms`: how long another writer is waited for; None: as long as always.
    """
    with translated(path), engine.connect() as connection:
        if wait_ms is not None:
            patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(wait_ms)}")
        try:
            with interrupted_by_stop(driver_of(connection).interrupt):
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            # A full disk may have caused a rollback already, leaving no transaction to end.
            if driver_of(connection).in_transaction:
                connection.exec_driver_sql("ROLLBACK")
            raise
        finally:
            if wait_ms is not None:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={int(patience)}")


@contextmanager
def read_connection(engine: Engine, path: Path) -> Iterator[Connection]:
    """A connection whose reads see one snapshot."""
    with translated(path), engine.connect() as connection:
        driver = driver_of(connection)
        try:
            with interrupted_by_stop(driver.interrupt):
                driver.execute("BEGIN")
                yield connection
        finally:
            if driver.in_transaction:
                driver.execute("COMMIT")


_MANGLED: Final = ("has no column named", "no such column", "no such table", "Could not decode to UTF-8")
"""What SQLite says of a schema or a text that is not as it was written."""


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection: a statement costs a tenth by it, which counts where an answer asks a dozen."""
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
    is_mangled = any(each in str(error) for each in _MANGLED)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or is_mangled:
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


FILE_NAME: Final = "memory.db"
"""The name of a store in a home; another tenant's begins with the tenant's."""
BEFORE: Final = ".before-"
"""Beside the store's name, the copy that an upgrade makes of it."""
_VERSION_TABLE = "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


def stored_revision(connection: Connection, path: Path) -> str | None:
    """The schema revision of the file, or None when it is empty."""
    names = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
    if not names:
        return None
    if not {"alembic_version", "memory", "store"} <= names:
        raise StoreCorrupt(
            f"The file {path} is a database of something else", "Choose another folder with ENGRAMFORGE_HOME"
        )
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def _has_log(path: Path) -> bool:
    """Whether something of a store stands in its write-ahead log: a process is at work on it, or was killed."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


def check_schema(engine: Engine, path: Path) -> None:
    """Refuse a file that is not a store of this schema; nothing is made or migrated. Raises WorldError."""
    with read_connection(engine, path) as connection:
        revision = stored_revision(connection, path)
    if revision is None:
        raise StoreCorrupt(f"The file {path} is empty, and no store", "Name a store that was written to")
    if revision > SCHEMA_REVISION:
        raise _too_new(path, revision)
    if revision < SCHEMA_REVISION:
        raise StoreUnavailable(
            f"The store {path} has schema {revision}, this engramforge reads {SCHEMA_REVISION}",
            "Open it once by itself, which brings it up to date: engramforge --home FOLDER doctor",
        )


def _too_new(path: Path, revision: str) -> StoreTooNew:
    return StoreTooNew(
        f"The store {path} has schema {revision}, this engramforge knows up to {SCHEMA_REVISION}",
        "Upgrade engramforge (pip install -U engramforge)",
    )


def ensure_schema(engine: Engine, path: Path, identity: dict[str, str]) -> None:
    """Make the tables of a new store, or migrate an older one; `identity` is kept in a new one."""
    with read_connection(engine, path) as connection:
        revision = stored_revision(connection, path)
    if revision is None or revision <= SCHEMA_REVISION:
        # Only now, since the mode is stored in the file, and a foreign file must not be touched.
        with translated(path), engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
    if revision == SCHEMA_REVISION:
        return
    if revision is None:
        _create(engine, path, identity)
    elif revision > SCHEMA_REVISION:
        raise _too_new(path, revision)
    else:
        upgrade_file(engine, path, revision)


@cache
def _definitions() -> tuple[str, ...]:
    """What makes all tables; working it out takes as long as making them, and some processes make many stores."""
    made: list[str] = []
    dialect = sqlite.dialect()
    engine = sa.create_mock_engine(
        "sqlite://", lambda statement, *_: made.append(str(statement.compile(dialect=dialect)))
    )
    tables.create_all(engine, checkfirst=False)
    return tuple(made)


def _create(engine: Engine, path: Path, identity: dict[str, str]) -> None:
    """All tables in one transaction; another process may have been faster, then nothing is left to do."""
    with write_transaction(engine, path) as connection:
        if stored_revision(connection, path) is not None:
            return
        for statement in _definitions():
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(_VERSION_TABLE)
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (SCHEMA_REVISION,))
        rows = {**identity, "change": "0", "position": "0"}
        tenant = identity["tenant"]
        kept = [{"tenant": tenant, "key": key, "value": value} for key, value in rows.items()]
        connection.execute(sa.insert(store), kept)


def upgrade_file(engine: Engine, path: Path, revision: str | None) -> Path | None:
    """Run the migrations after `revision`; returns the copy of the file made before."""
    with write_transaction(engine, path) as connection:
        # The previous holder of the lock may have migrated or written, so check and copy under the lock.
        if stored_revision(connection, path) != revision:
            return None
        backup = None if revision is None else _copied(path)
        upgrade_schema(connection)
    return backup


def is_copy_before(other: Path, path: Path) -> bool:
    """Whether a file is a copy of the store that an upgrade made before it began."""
    return other.parent == path.parent and other.name.startswith(f"{path.name}{BEFORE}")


def _copied(path: Path) -> Path:
    """A copy of the last committed state beside the store; complete or absent."""
    backup = path.with_name(f"{path.name}{BEFORE}{SCHEMA_REVISION}")
    partial = backup.with_name(f"{backup.name}.partial")
    partial.unlink(missing_ok=True)
    # Created here so that only the owner can ever read it, whatever the umask.
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as copy:
        source.backup(copy)
    partial.replace(backup)
    return backup
