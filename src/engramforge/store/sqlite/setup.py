"""The schema of a store: created for a new file, migrated by Alembic for an older one.

A store written by a later version is refused, untouched. Before a migration the file is copied. Alembic is imported
only when a stored schema is behind.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import StoreCorrupt, StoreTooNew
from engramforge.store.migrations.upgrading import upgrade_schema
from engramforge.store.schema import SCHEMA_REVISION, store, tables
from engramforge.store.sqlite.connection import read_connection, translated, write_transaction

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
        raise StoreTooNew(
            f"The store {path} has schema {revision}, this engramforge knows up to {SCHEMA_REVISION}",
            "Upgrade engramforge (pip install -U engramforge)",
        )
    else:
        upgrade_file(engine, path, revision)


def _create(engine: Engine, path: Path, identity: dict[str, str]) -> None:
    """All tables in one transaction; another process may have been faster, then nothing is left to do."""
    with write_transaction(engine, path) as connection:
        if stored_revision(connection, path) is not None:
            return
        tables.create_all(connection, checkfirst=False)
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
