"""A PostgreSQL store's schema and identity: created in an empty database, migrated by Alembic in an older one.

A database that a later version wrote is refused, untouched. Every tenant has its own identity in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import StoreCorrupt, StoreTooNew, StoreUnavailable
from engramforge.store.migrations.upgrading import upgrade_schema
from engramforge.store.postgres import schema
from engramforge.store.postgres.connection import APP_ROLE, may_become, read_connection, write_transaction
from engramforge.store.postgres.faults import translated
from engramforge.store.schema import SCHEMA_REVISION, store

LEAST_SERVER: Final = (15,)
LEAST_PGVECTOR: Final = (0, 8)
"""The first version with iterative index scans, without which filters shorten answers."""

_FACTS: Final = sa.text(
    "SELECT current_setting('server_version') AS server, current_database() AS database,"
    " (SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()) AS encoding,"
    " pg_is_in_recovery() AS in_recovery, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector,"
    " (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS pgvector_available,"
    " to_regtype('halfvec') IS NOT NULL AS pgvector_visible"
)
# The lock makes two processes that open a new store at once wait for each other instead of failing; its number is our
# own ("engr"). Both statements are one message, so one transaction, inside another or alone.
_CREATE: Final = "SELECT pg_advisory_xact_lock(1701734258); CREATE EXTENSION IF NOT EXISTS vector"
_SHORTEST_MEND: Final = "as a superuser or the database's owner, in that database"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """A server's properties; `pgvector` is None if it is not created in the database."""

    server: str
    database: str
    encoding: str
    in_recovery: bool
    pgvector: str | None
    pgvector_available: str | None
    pgvector_visible: bool


def read_facts(connection: Connection) -> ServerFacts:
    """Ask the server, in one statement."""
    return ServerFacts(**connection.execute(_FACTS).one()._mapping)


def check_server(connection: Connection, least_server: tuple[int, ...] = LEAST_SERVER) -> ServerFacts:
    """The server's facts if it can hold a store; pgvector is checked by `ensure_pgvector`.

    Raises StoreUnavailable: the server is older than `least_server`, the database is not UTF8, or it is a standby.
    """
    facts = read_facts(connection)
    if version_of(facts.server) < least_server:
        raise StoreUnavailable(
            f"The server of the database {facts.database} is PostgreSQL {facts.server}",
            f"engramforge needs {_dotted(least_server)} or later: upgrade it, or use another server",
        )
    if facts.encoding != "UTF8":
        raise StoreUnavailable(
            f"The database {facts.database} has the encoding {facts.encoding}",
            "Create one with UTF8: CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8'",
        )
    if facts.in_recovery:
        raise StoreUnavailable(
            f"The server of the database {facts.database} is a standby, or recovers from a backup",
            "Name the primary server in the URL; with several hosts, add target_session_attrs=read-write",
        )
    return facts


def ensure_pgvector(connection: Connection, least: tuple[int, ...] = LEAST_PGVECTOR) -> str:
    """The version of the extension vector in this database; it is created when it is missing.

    Works inside a transaction and outside; inside, a refusal leaves it to be rolled back.

    Raises StoreUnavailable: the server does not have it, has it older than `least`, or the user may not create it.
    """
    facts = read_facts(connection)
    if facts.pgvector is None:
        _create_pgvector(connection, facts, least)
        facts = read_facts(connection)
    found = facts.pgvector or ""
    if version_of(found) < least:
        available = facts.pgvector_available
        update = f"ALTER EXTENSION vector UPDATE, {_SHORTEST_MEND}"
        raise StoreUnavailable(
            f"The database {facts.database} has pgvector {found}; engramforge needs {_dotted(least)} or later",
            f"Run {update}"
            if available is not None and version_of(available) >= least
            else f"Upgrade the server's package of pgvector, then run {update}",
        )
    if not facts.pgvector_visible:
        raise StoreUnavailable(
            f"pgvector is in a schema of the database {facts.database} that this user does not search",
            "Add that schema to search_path (ALTER DATABASE ... SET search_path), and grant USAGE on it",
        )
    return found


def version_of(text: str) -> tuple[int, ...]:
    """`"16.4 (Debian 16.4-1)"` -> (16, 4); `"17beta2"` -> (17,); nothing to read -> ()."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(number) for number in found.group().split(".")) if found else ()


def _create_pgvector(connection: Connection, facts: ServerFacts, least: tuple[int, ...]) -> None:
    if facts.pgvector_available is None:
        raise StoreUnavailable(
            f"The server of the database {facts.database} does not have pgvector",
            f"Install it there (on Debian: apt install postgresql-{version_of(facts.server)[0]}-pgvector),"
            " or use a server that has it",
        )
    if version_of(facts.pgvector_available) < least:
        raise StoreUnavailable(
            f"The server of the database {facts.database} has pgvector {facts.pgvector_available};"
            f" engramforge needs {_dotted(least)} or later",
            "Upgrade the server's package of pgvector",
        )
    try:
        connection.exec_driver_sql(_CREATE, None, {"no_parameters": True}).close()
    except sa.exc.DBAPIError as error:
        if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise
        raise StoreUnavailable(
            f"The user of the database {facts.database} may not create the extension vector",
            f"Run CREATE EXTENSION vector, {_SHORTEST_MEND}",
        ) from error


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


_LOCK: Final = 1_701_734_260


@dataclass(frozen=True, slots=True)
class Ground:
    """The base of a store.

    `role`: of its transactions. `store_id`: its identity. `is_migrated`: whether an older schema was migrated just now,
    which leaves no vector index.
    """

    role: str | None
    store_id: str
    is_migrated: bool


def prepare(engine: Engine, place: str, tenant: str, only_read: bool = False) -> Ground:
    """Check the server, make or migrate the schema, make the tenant's identity. `only_read`: nothing is made.

    Raises StoreUnavailable, StoreCorrupt and StoreTooNew.
    """
    with translated(place), engine.connect() as connection:
        check_server(connection)
        revision = _revision(connection, place)
        if only_read and (revision is None or revision < SCHEMA_REVISION):
            found = "no store" if revision is None else f"a store of schema {revision}"
            raise StoreUnavailable(
                f"The database {place} holds {found}, this engramforge reads schema {SCHEMA_REVISION}",
                "Open it once by itself, which brings it up to date",
            )
        if revision is None or revision < SCHEMA_REVISION:
            _make_or_migrate(connection, place)
        elif revision > SCHEMA_REVISION:
            raise StoreTooNew(
                f"The store {place} has schema {revision}, this engramforge knows up to {SCHEMA_REVISION}",
                "Upgrade engramforge (pip install -U engramforge)",
            )
        role = APP_ROLE if may_become(connection, APP_ROLE) else None
        _check_bound(connection, place, role)
    return Ground(
        role,
        _identity(engine, place, tenant, role, only_read),
        revision is not None and revision < SCHEMA_REVISION,
    )


def has_identity(engine: Engine, place: str, tenant: str) -> bool:
    """Whether the tenant has a store in the database; nothing is made."""
    with translated(place), engine.connect() as connection:
        if _revision(connection, place) is None:
            return False
        role = APP_ROLE if may_become(connection, APP_ROLE) else None
    known = sa.select(store.c.value).where(store.c.tenant == tenant, store.c.key == "store_id")
    with read_connection(engine, place, tenant, role) as connection:
        return connection.execute(known).first() is not None


def _revision(connection: Connection, place: str) -> str | None:
    """The schema's revision, None in a database without a store."""
    names = ("alembic_version", "memory", "store", "posting")
    # From the catalogue itself: to_regclass may use a cache that does not yet know what another process made while this
    # one waited for the lock.
    query = sa.text(
        "SELECT relname FROM pg_class WHERE relname = ANY(CAST(:names AS text[])) AND pg_table_is_visible(oid)"
    )
    found = set(connection.execute(query, {"names": list(names)}).scalars())
    if not found:
        return None
    if found != set(names):
        raise StoreCorrupt(
            f"The database {place} holds tables of something else ({', '.join(sorted(found))})",
            "Name an empty database in the URL",
        )
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def _make_or_migrate(connection: Connection, place: str) -> None:
    """All or nothing, and one process at a time: whoever waited looks again."""
    connection.exec_driver_sql("BEGIN")
    try:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        revision = _revision(connection, place)
        if revision is None:
            _create(connection)
        elif revision < SCHEMA_REVISION:
            upgrade_schema(connection)
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        if not connection.closed and not connection.invalidated:
            connection.exec_driver_sql("ROLLBACK")
        raise


def _create(connection: Connection) -> None:
    ensure_pgvector(connection)
    role = _make_role(connection)
    schema.tables.create_all(connection, checkfirst=False)
    connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    connection.exec_driver_sql("INSERT INTO alembic_version VALUES (%s)", (SCHEMA_REVISION,))
    for statement in schema.statements_after(role):
        connection.exec_driver_sql(statement)


def _make_role(connection: Connection) -> str | None:
    """The role of transactions, created if missing and permitted; None if there is none."""
    role = APP_ROLE
    known = sa.text("SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = :role)")
    if not connection.execute(known, {"role": role}).scalar():
        may = "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
        if not connection.exec_driver_sql(may).scalar():
            return None
        _try(connection, f"CREATE ROLE {role} NOLOGIN")
    if not may_become(connection, role):
        may_grant = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        if not connection.exec_driver_sql(may_grant).scalar():
            _try(connection, f"GRANT {role} TO CURRENT_USER")
    return role


def _try(connection: Connection, statement: str) -> None:
    """Run a statement that may be refused, or that another database's setup is faster with, without losing the
    transaction."""
    connection.exec_driver_sql("SAVEPOINT tried")
    try:
        connection.exec_driver_sql(statement)
    except (sa.exc.ProgrammingError, sa.exc.IntegrityError, sa.exc.InternalError):
        connection.exec_driver_sql("ROLLBACK TO SAVEPOINT tried")


def _check_bound(connection: Connection, place: str, role: str | None) -> None:
    """Refuse to work if row-level security would not apply."""
    waived = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    if role is None and connection.exec_driver_sql(waived).scalar():
        raise StoreUnavailable(
            f"The user of {place} bypasses row-level security and cannot become the role {APP_ROLE}",
            f"CREATE ROLE {APP_ROLE} NOLOGIN and grant it the tables, or open the store as another user",
        )


def _identity(engine: Engine, place: str, tenant: str, role: str | None, only_read: bool) -> str:
    """The id of the tenant's store, made at its first opening."""
    known = sa.select(store.c.value).where(store.c.tenant == tenant, store.c.key == "store_id")
    with read_connection(engine, place, tenant, role) as connection:
        found = connection.execute(known).scalar()
    if found is not None:
        return str(found)
    if only_read:
        raise StoreUnavailable(
            f"The database {place} holds no store of tenant {tenant!r}", "Name a store that was written to"
        )
    from sqlalchemy.dialects.postgresql import insert

    fresh = {"store_id": str(uuid4()), "tenant": tenant, "created": datetime.now(UTC).isoformat()}
    rows = [{"tenant": tenant, "key": key, "value": value} for key, value in fresh.items()]
    with write_transaction(engine, place, tenant, role) as connection:
        connection.execute(insert(schema.tables.tables["store"]).on_conflict_do_nothing(), rows)
        return str(connection.execute(known).scalar_one())
