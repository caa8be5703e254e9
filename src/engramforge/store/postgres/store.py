"""The PostgreSQL engine of the door: one database for any number of tenants, processes and machines.

Wires connections, schema, reading, writing and search together; see `store.door` for the contract.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import InternalError, OutOfScope, StoreUnavailable, WorldError
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Corpus
from engramforge.model.storing.record import Remnant, StoreIdentity
from engramforge.store import schema
from engramforge.store.door import Transaction
from engramforge.store.erasing.holders import Saying
from engramforge.store.erasing.lines import clear_lines
from engramforge.store.erasing.texts import SEARCHED
from engramforge.store.postgres import erasure
from engramforge.store.postgres.connection import (
    open_pool,
    place,
    read_at_once,
    read_connection,
    write_transaction,
)
from engramforge.store.postgres.faults import repeated, translated
from engramforge.store.postgres.ledger import PostgresLedger
from engramforge.store.postgres.schema import tables
from engramforge.store.postgres.search import vector_index
from engramforge.store.postgres.search.candidates import PostgresSearch, SearchOptions
from engramforge.store.postgres.search.fields import Field
from engramforge.store.postgres.search.vector_index import IndexOptions
from engramforge.store.postgres.search.view_search import ViewSearch
from engramforge.store.postgres.setup import has_identity, prepare
from engramforge.store.reading import counts
from engramforge.store.reading.view import Upkeep, View
from engramforge.store.schema import PENDING_ERASURE, SCHEMA_REVISION
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.transaction import StoreTransaction

if TYPE_CHECKING:
    from pathlib import Path

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


T = TypeVar("T")

_OVERDUE: Final = 2.0
"""How much later than bulk a single write builds an index, since somebody waits for it."""


class PostgresStore:
    """A tenant's store in a PostgreSQL database; use `open_postgres`."""

    values = PostgresValues()

    def __init__(
        self,
        url: str,
        tenant: str,
        encoder: Callable[[], str],
        search: SearchOptions,
        indexes: IndexOptions,
        home: Path | None,
        only_read: bool,
        **pool: Any,
    ) -> None:
        self._home = home
        self._only_read = only_read
        self._place = place(url)
        self._engine = open_pool(url, only_read=only_read, **pool)
        try:
            ground = prepare(self._engine, self._place, tenant, only_read)
        except BaseException:
            self._engine.dispose()
            raise
        self._role = ground.role
        self.identity = StoreIdentity(ground.store_id, tenant, "postgresql", self._place, SCHEMA_REVISION)
        self._search = PostgresSearch(encoder, search)
        self._indexes = indexes
        self._growing = threading.Lock()
        self._written = 0
        self._fields: set[Field] = set()
        self._closed = False
        if ground.is_migrated:
            with suppress(WorldError, InternalError):
                # A migration drops the vector indexes.
                self._make_indexes()
        with suppress(WorldError, InternalError):
            if not only_read:
                self._finish_erasure(erasure.REWRITTEN_BYTES, patience_s=0)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[StoreTransaction]:
        """Begin a write; commits and syncs when the block ends, rolls back when it raises."""
        with self._writing(scope) as (writes, ledger):
            yield writes
        self._tidy(writes.write, ledger)

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction, again when others came between."""

        def once() -> tuple[Write, PostgresLedger, T]:
            with self._writing(scope) as (writes, ledger):
                return writes.write, ledger, work(writes)

        write, ledger, result = repeated(once)
        # Outside the repeated part: the write is durable by now, whatever happens here.
        self._tidy(write, ledger)
        return result

    def asking(self, scope: Scope) -> View:
        """Questions of a scope."""
        return View(self, scope)

    def tending(self, scope: Scope) -> Upkeep:
        """The store as a whole."""
        return Upkeep(self, scope)

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[Connection]:
        """A connection whose reads see one snapshot, as that tenant."""
        self._check_tenant(scope.tenant)
        settings = vector_index.settings(self._search.options.nearest)
        with read_connection(self._engine, self._place, scope.tenant, self._role, settings) as connection:
            yield connection

    def _at_once(self, scope: Scope, statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of a single statement, as that tenant."""
        self._check_tenant(scope.tenant)
        return read_at_once(self._engine, self._place, scope.tenant, self._role, statement, values)

    def translating(self) -> AbstractContextManager[None]:
        """Turns the driver's errors of the block into ours."""
        return translated(self._place)

    def search(self, scope: Scope) -> ViewSearch:
        """A search for a new view."""
        self._check_tenant(scope.tenant)
        return ViewSearch(self._search, scope, self.reading, self._at_once)

    def corpus(self, connection: Connection, scope: Scope) -> Corpus:
        """The terms of a scope's current memories."""
        return self._search.statistics(connection, scope)[0].corpus

    def check(self) -> list[str]:
        """Faults of the tenant's rows; the server checks its own files."""
        scope = Scope(self.identity.tenant, every_agent=True)
        left = self.finish_erasure()
        with self.reading(scope) as connection:
            return left + counts.faults(connection, scope)

    def close(self) -> None:
        """Release every connection."""
        self._closed = True
        self._engine.dispose()

    @contextmanager
    def _writing(self, scope: Scope) -> Iterator[tuple[StoreTransaction, PostgresLedger]]:
        self._check_tenant(scope.tenant)
        if self._only_read:
            raise StoreUnavailable(f"The store {self._place} was opened to be read", "Write to another")
        with write_transaction(self._engine, self._place, scope.tenant, self._role) as connection:
            ledger = PostgresLedger(connection, scope)
            writes = StoreTransaction(Write(ledger, scope))
            yield writes, ledger
            if writes.write.forgotten:
                # Committed with the forget, so that whoever opens the store next finishes it if this process dies now.
                now = "SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)"
                ledger.deleted_by = int(connection.exec_driver_sql(now).scalar_one())
                writes.save_mark(f"{PENDING_ERASURE}:{ledger.deleted_by}", {"since": ledger.deleted_by})
            writes.write.finish()

    def _tidy(self, write: Write, ledger: PostgresLedger) -> None:
        """Work after a commit: erase the traces of a forget from the files, build an index if one is due."""
        if write.adopted is not None:
            self.identity = replace(self.identity, store_id=write.adopted)
        if write.forgotten:
            self._erase_traces(write, ledger.deleted_by)
        # An index that cannot be built now (a long reader, a full disk) is tried again after further writes.
        with suppress(WorldError, InternalError):
            self._grow_indexes(ledger)
            if ledger.dropped:
                with translated(self._place), self._engine.connect() as connection:
                    for space, code in ledger.dropped:
                        vector_index.drop(connection, space, code)

    def _erase_traces(self, write: Write, deleted_by: int) -> None:
        """Clear the files of what was forgotten, and look for it in the rows; the write's erasure tells what came."""
        told = write.erasure
        try:
            left = self._clear(deleted_by, erasure.REWRITTEN_BYTES, erasure.PATIENCE_S)
            told.found += left.every
            told.queued = not left.is_settled
            with self.reading(write.scope) as connection:
                its = write.forgotten
                saying = Saying(connection, write.scope, its.contents)
                told.found += saying.remnants(its.said())
                if self._home is not None:
                    told.cleared += clear_lines(self._home, its.said(), saying)
            told.searched += dict.fromkeys(table.name for table, _ in SEARCHED)
            self._end_erasure([deleted_by], left)
        except WorldError as error:
            # The memory is forgotten, whatever happens here.
            told.found.append(Remnant("table", "", f"they could not be cleared or searched: {error.fault}"))
            told.queued = True

    def _clear(self, deleted_by: int, most_bytes: int, patience_s: float) -> erasure.Cleared:
        with translated(self._place), self._engine.connect() as connection:
            return erasure.erase_traces(connection, deleted_by, most_bytes, patience_s)

    def finish_erasure(self) -> list[str]:
        """Clear the files of what an earlier forget had to leave there."""
        left = self._finish_erasure(erasure.SWEPT_BYTES, erasure.PATIENCE_S)
        told = [(each, "Let it end, then run this again") for each in left.held]
        told += [(each, "Have that user do it") for each in left.unowned]
        return [
            f"A forgotten text is not cleared yet, {each.place} {each.name}: {each.why}. {mend}".replace(
                " :", ":"
            )
            for each, mend in told
        ]

    def _finish_erasure(self, most_bytes: int, patience_s: float) -> erasure.Cleared:
        """Clear what is pending; what was only too large for a forget waits for a sweep, and slows no opening."""
        its = (
            schema.mark.c.tenant == self.identity.tenant,
            schema.mark.c.key.startswith(f"{PENDING_ERASURE}:"),
        )
        with self.reading(Scope(self.identity.tenant)) as connection:
            found = connection.execute(sa.select(schema.mark.c.value).where(*its)).scalars()
            told = [json.loads(text) for text in found]
        is_sweep = most_bytes > erasure.REWRITTEN_BYTES
        pending = [int(each["since"]) for each in told if is_sweep or not each.get("is_large")]
        if not pending:
            return erasure.Cleared()
        left = self._clear(max(pending), most_bytes, patience_s)
        self._end_erasure(pending, left)
        return left

    def _end_erasure(self, deleted_by: Sequence[int], left: erasure.Cleared) -> None:
        """Take the marks of some forgets away when nothing is left, or note that only a sweep has to go on."""
        if left.held or left.unowned:
            return
        keys = [f"{PENDING_ERASURE}:{each}" for each in deleted_by]
        its = (schema.mark.c.tenant == self.identity.tenant, schema.mark.c.key.in_(keys))
        noted = json.dumps({"since": max(deleted_by), "is_large": True})
        change = (
            sa.update(schema.mark).where(*its).values(value=noted)
            if left.large
            else sa.delete(schema.mark).where(*its)
        )
        with write_transaction(self._engine, self._place, self.identity.tenant, self._role) as connection:
            connection.execute(change)

    def _grow_indexes(self, ledger: PostgresLedger) -> None:
        """Build vector indexes once enough was written since the last; bulk writes check often, single ones seldom."""
        self._written += ledger.inserted
        self._fields |= ledger.signals.fields
        often = self._indexes.looked_after
        if self._written < often or not self._growing.acquire(blocking=False):
            return
        try:
            self._written = 0
            patience = 1.0 if ledger.inserted >= often else _OVERDUE
            fields, self._fields = sorted(self._fields), set()
            self._make_indexes(fields, patience)
        finally:
            self._growing.release()

    def _make_indexes(self, fields: Sequence[Field] | None = None, patience: float = 1.0) -> None:
        """Make the vector indexes of some fields that are due; by default of the tenant's E1."""
        tenant = self.identity.tenant
        with self.reading(Scope(tenant, every_agent=True)) as connection:
            if fields is None:
                fields = vector_index.meanings(connection, tenant)
            wanted = vector_index.due(connection, tenant, fields, self._indexes, patience)
        if wanted:
            with translated(self._place), self._engine.connect() as connection:
                vector_index.grow(connection, wanted, self._indexes)

    def _check_tenant(self, tenant: str) -> None:
        if self._closed:
            raise StoreUnavailable(
                f"The store {self._place} was closed", "Open it again with engramforge.open"
            )
        if tenant != self.identity.tenant:
            raise OutOfScope(
                f"This store was opened for tenant {self.identity.tenant!r}, not for {tenant!r}",
                "Open the other tenant's store",
            )


def open_postgres(
    url: str,
    tenant: str,
    encoder: Callable[[], str],
    search: SearchOptions | None = None,
    indexes: IndexOptions | None = None,
    home: Path | None = None,
    only_read: bool = False,
    **pool: Any,
) -> PostgresStore:
    """Open or create a tenant's store in a database.

    `url`: postgresql://user:password@host/database, as `address.read_url` takes it. `encoder`: gives the id of the
    encoders whose embeddings may be compared. `search`, `indexes`: when a search goes by indexes, and when those are
    made. `home`: whose spool and logs a forget clears. `only_read`: nothing is made, migrated or
    written. `pool`: as `connection.open_pool` takes it.
    """
    return PostgresStore(
        url, tenant, encoder, search or SearchOptions(), indexes or IndexOptions(), home, only_read, **pool
    )


def holds_store(url: str, tenant: str) -> bool:
    """Whether the database holds a store of that tenant; nothing is made.

    Raises StoreUnavailable and the other errors of opening.
    """
    where, engine = place(url), open_pool(url, pool_size=1, pool_overflow=0)
    try:
        return has_identity(engine, where, tenant)
    finally:
        engine.dispose()
