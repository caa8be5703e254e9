"""The SQLite engine of the door: one file per tenant, any number of processes.

Wires connection, reading, writing and the resident index together; see `store.door` for the contract.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import OutOfScope, StoreGone, StoreUnavailable
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Candidates, Corpus, Ground, Having, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import StoreIdentity
from engramforge.store import schema
from engramforge.store.door import Transaction
from engramforge.store.reading import counts
from engramforge.store.reading.records import mark
from engramforge.store.reading.view import Upkeep, View
from engramforge.store.schema import PENDING_ERASURE
from engramforge.store.sqlite.connection import (
    BUSY_TIMEOUT_MS,
    check_schema,
    ensure_schema,
    open_engine,
    read_connection,
    translated,
    write_transaction,
)
from engramforge.store.sqlite.erasure import HeldFile, erase_traces, finish_erasure, held_by, inode_of
from engramforge.store.sqlite.ledger import SqliteLedger
from engramforge.store.sqlite.resident.index import KEPT_FROM, ResidentIndex
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.transaction import StoreTransaction

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")


class SqliteStore:
    """A store in one SQLite file; use `open_sqlite`."""

    def __init__(
        self,
        path: Path,
        tenant: str,
        encoder: Callable[[], str],
        busy_timeout_ms: int,
        kept_from: int,
        home: Path,
        only_read: bool,
    ) -> None:
        self._path = path
        self._home = home
        self._closed = False
        self._file = HeldFile(path, only_read)
        self._engine = open_engine(path, busy_timeout_ms, only_read)
        self._resident = ResidentIndex(self._engine, path, encoder, sys.maxsize if only_read else kept_from)
        try:
            if only_read:
                check_schema(self._engine, path)
            else:
                fresh = {"store_id": str(uuid4()), "tenant": tenant, "created": datetime.now(UTC).isoformat()}
                ensure_schema(self._engine, path, fresh)
            with read_connection(self._engine, path) as connection:
                kept = dict(connection.execute(sa.select(schema.store.c.key, schema.store.c.value)).all())
            self.identity = StoreIdentity(
                kept["store_id"], kept["tenant"], "sqlite", str(path), schema.SCHEMA_REVISION
            )
            self._check_tenant(tenant)
            if not only_read:
                self.finish_erasure()
        except BaseException:
            self._engine.dispose()
            self._file.close()
            raise
        self.values = SqliteValues(path)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[StoreTransaction]:
        """Begin a write; see the door."""
        self._check_open(scope.tenant)
        with write_transaction(self._engine, self._path) as connection:
            writes = StoreTransaction(Write(SqliteLedger(connection, scope), scope))
            yield writes
            left_before = False
            if writes.write.forgotten:
                left_before = mark(connection, scope, PENDING_ERASURE) is not None
                # Committed with the forget, so that if this process dies now, the next one to open the store finishes
                # it.
                writes.save_mark(PENDING_ERASURE, {"store": self.identity.store_id})
            writes.write.finish()
        if writes.write.adopted is not None:
            self.identity = replace(self.identity, store_id=writes.write.adopted)
        if writes.write.forgotten:
            self._erase_traces(writes.write, left_before)

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction; locks are waited for, so it is never repeated."""
        with self.transaction(scope) as writes:
            return work(writes)

    def _erase_traces(self, write: Write, left_before: bool) -> None:
        """Clear the files of what was forgotten; the write's erasure tells what came of it."""
        self._resident.files.remove()
        with translated(self._path):
            done = erase_traces(
                self._engine,
                self._path,
                self._file,
                write.scope,
                write.forgotten,
                home=self._home,
                anew=left_before,
            )
        told = write.erasure
        told.searched, told.queued = done.searched, done.queued
        told.found += done.found
        told.cleared += done.cleared
        if not done.queued:
            self._end_erasure()

    def finish_erasure(self) -> list[str]:
        """Finish a forget that died between its commit and the clearing of the files, or that a reader held up."""
        self._check_open(self.identity.tenant)
        with read_connection(self._engine, self._path) as connection:
            pending = mark(connection, Scope(self.identity.tenant), PENDING_ERASURE) is not None
        if not pending:
            return []
        self._resident.files.remove()
        with translated(self._path):
            done = finish_erasure(self._engine)
        if done:
            self._end_erasure()
            return []
        return [
            f"A forgotten text is still in {self._path.name} or {self._path.name}-wal, which a reader holds "
            f"({held_by(self._path)}). Let it end, then run this again"
        ]

    def _end_erasure(self) -> None:
        with write_transaction(self._engine, self._path) as connection:
            connection.execute(sa.delete(schema.mark).where(schema.mark.c.key == PENDING_ERASURE))

    def asking(self, scope: Scope) -> View:
        """Questions of a scope."""
        return View(self, scope)

    def tending(self, scope: Scope) -> Upkeep:
        """The store as a whole."""
        return Upkeep(self, scope)

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[Connection]:
        """A connection whose reads see one snapshot."""
        self._check_open(scope.tenant)
        with read_connection(self._engine, self._path) as connection:
            yield connection

    def translating(self) -> AbstractContextManager[None]:
        """Turns the driver's errors of the block into ours."""
        return translated(self._path)

    def search(self, scope: Scope) -> ResidentSearch:
        """A search for a new view."""
        return ResidentSearch(self._resident, scope, self._check_open)

    def corpus(self, connection: Connection, scope: Scope) -> Corpus:
        """The terms of a scope's current memories."""
        del connection  # the index counts on one of its own
        return self._resident.corpus(scope)

    def check(self) -> list[str]:
        """Faults of the file and of what it holds."""
        left = self.finish_erasure()
        left += [
            f"The file {name} was damaged and has been removed; it is made again from the store"
            for name in self._resident.files.remove_damaged()
        ]
        scope = Scope(self.identity.tenant, every_agent=True)
        with self.reading(scope) as connection:
            found = [
                f"The database file is damaged: {line}. Restore it from a copy"
                for line in connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars()
                if line != "ok"
            ]
            if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                found.append("Some rows point to rows that do not exist. Restore the store from a copy")
            return left + found + counts.faults(connection, scope)

    def close(self) -> None:
        """Release the file."""
        self._closed = True
        self._resident.close()
        self._engine.dispose()
        self._file.close()

    def _check_open(self, tenant: str) -> None:
        self._check_tenant(tenant)
        self._check_place()

    def _check_place(self) -> None:
        """Refuse a file that was deleted or replaced: what is written would be lost with it, what is read is gone."""
        if inode_of(self._path) != self._file.inode:
            raise StoreGone(
                f"The store {self._path} was removed or replaced while it was open",
                "Put it back, or open the store again",
            )

    def _check_tenant(self, tenant: str) -> None:
        if self._closed:
            raise StoreUnavailable(
                f"The store {self._path} was closed", "Open it again with engramforge.open"
            )
        if tenant != self.identity.tenant:
            raise OutOfScope(
                f"The store {self._path} belongs to tenant {self.identity.tenant!r}, not to {tenant!r}",
                "Open the other tenant's store: a tenant is a file",
            )


@dataclass(slots=True)
class ResidentSearch:
    """The search of one view over the shards.

    `check`: raises where the store is closed, gone, or another tenant's.
    """

    index: ResidentIndex
    scope: Scope
    check: Callable[[str], None]
    known: Ground | None = None

    def ground(self) -> Ground:
        """What has to be known before a question is asked; read once."""
        if self.known is None:
            self.check(self.scope.tenant)
            self.known = self.index.ground(self.scope)
        return self.known

    def candidates(self, connection: Connection, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe."""
        return self.index.candidates(connection, self.scope, selection, probe)

    def having(
        self, connection: Connection, selection: Selection, groups: Sequence[NDArray[np.uint32]], most: int
    ) -> Having:
        """Memories that have every term of one of these groups; see the door."""
        return self.index.having(connection, self.scope, selection, groups, most)

    def near_of_levels(self, *_: object) -> dict[Level, NDArray[np.int64]]:
        """Nothing: the scan of a level looks at all of it anyway."""
        return {}

    def nearest(self, connection: Connection, selection: Selection, probe: Probe) -> dict[int, float]:
        """The memories nearest to a probe's vector."""
        return self.index.nearest(connection, self.scope, selection, probe)


def open_sqlite(
    path: Path,
    tenant: str,
    encoder: Callable[[], str],
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    kept_from: int = KEPT_FROM,
    home: Path | None = None,
    only_read: bool = False,
) -> SqliteStore:
    """Open or create the store in a file.

    `path`: the database file; its folder must exist. `tenant`: whose store it is; kept at creation, checked afterwards.
    `encoder`: gives the id of the encoders whose embeddings may be compared. `busy_timeout_ms`: how long to wait for
    another process's lock. `kept_from`: how many versions of a project or of all, current or closed, have their columns
    kept beside the store. `home`: whose spool and logs a forget clears; None: the file's folder. `only_read`: nothing
    is made, migrated or written.
    """
    if path.is_dir():
        raise StoreUnavailable(f"The store {path} is a folder", "Choose another folder with ENGRAMFORGE_HOME")
    if only_read and not path.is_file():
        raise StoreUnavailable(f"The store {path} is no file", "Name a store that is there")
    if path.exists() and not only_read and not os.access(path, os.R_OK | os.W_OK):
        raise StoreUnavailable(
            f"The store {path} is read-only", "Give this user write permission on the file and its folder"
        )
    if not path.exists() and not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreUnavailable(
            f"The folder {path.parent} is missing or read-only",
            "Create it with write permission, or choose another with ENGRAMFORGE_HOME",
        )
    return SqliteStore(path, tenant, encoder, busy_timeout_ms, kept_from, home or path.parent, only_read)


@dataclass(frozen=True, slots=True)
class SqliteValues:
    """See `store.reading.source.Values`.

    `path`: the store's file.
    """

    path: Path

    def octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes a text or blob takes: length() counts the characters of a text."""
        is_text = isinstance(column.type, sa.Text)
        return sa.func.length(sa.cast(column, sa.LargeBinary) if is_text else column)

    def vector_octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes an E1 takes."""
        return self.octets(column)

    def sent(self, vector: sa.Column[Any]) -> sa.ColumnElement[Any]:
        """An E1 as bytes: its int8 components, as they are stored."""
        return vector

    def received(self, raw: bytes) -> NDArray[np.int8]:
        """The inverse of `sent`."""
        return np.frombuffer(raw, np.int8)

    def bytes_on_disk(self, connection: Connection, tenant: str) -> int:
        """The file and its log: a tenant is a file."""
        del connection, tenant
        parts = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(part.stat().st_size for part in parts if part.exists())
