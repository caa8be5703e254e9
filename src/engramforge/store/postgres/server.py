"""Whether a PostgreSQL server can hold a store: its version, its encoding, its state, and pgvector."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import StoreUnavailable

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
        _create(connection, facts, least)
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


def _create(connection: Connection, facts: ServerFacts, least: tuple[int, ...]) -> None:
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
