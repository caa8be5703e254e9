"""Connections to a PostgreSQL database: a pool, explicit transactions, and the role and tenant of each of them.

The driver is in autocommit mode and BEGIN is sent by hand, in one message with what row-level security needs: a
transaction costs two round trips in addition to its statements; one of a single statement costs none, where that goes
in the same message. Local settings end with their transaction, so a pooled connection carries no tenant, and a pooler
that passes on no options of a session changes nothing for transactions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import quote, unquote

import psycopg
import sqlalchemy as sa
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import InternalError, InvalidValue
from engramforge.model.stopping import interrupted_by_stop
from engramforge.store.given import PLANNED_ONCE
from engramforge.store.postgres.faults import CommitLost, is_lost, translated
from engramforge.store.postgres.wire import BinaryCursor, prepare

APP_ROLE: Final = "engramforge_app"
"""The role bound by row-level security: it owns nothing, so no policy is waived for it."""
TENANT_SETTING: Final = "engramforge.tenant"
"""The setting that the policies compare with a row's tenant."""

POOL_SIZE: Final = 5
POOL_OVERFLOW: Final = 10
POOL_TIMEOUT_S: Final = 30.0
CONNECT_TIMEOUT_S: Final = 10
LOCK_TIMEOUT_MS: Final = 30_000
MOST_CONNECTIONS: Final = 1_000

# A dead peer is noticed after 60 s without an answer. client_connection_check_interval is left alone: servers on
# Windows refuse it, and our statements are short.
_KEEPALIVES: Final = {"keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
# JIT compilation takes longer than our statements, and the index pages that they touch are mostly in memory.
_SESSION: Final = (("jit", "off"), ("random_page_cost", "1.1"))
_LOCAL: Final = "engramforge_settings"
_PARAMETER: Final = re.compile(r"%\((\w+)\)s")
_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"


def open_pool(
    url: str,
    *,
    pool_size: int = POOL_SIZE,
    pool_overflow: int = POOL_OVERFLOW,
    pool_timeout_s: float = POOL_TIMEOUT_S,
    connect_timeout_s: int = CONNECT_TIMEOUT_S,
    lock_timeout_ms: int = LOCK_TIMEOUT_MS,
    statement_timeout_ms: int = 0,
    only_read: bool = False,
) -> Engine:
    """A pool of connections in autocommit mode; none is opened yet.

    Parameters
    ----------
    url : as for `read_url`; its query takes precedence over the settings made here.
    pool_size : connections kept open, 1..1000.
    pool_overflow : further connections while all of those are in use, 0..1000; closed after use.
    pool_timeout_s : how long to wait for a connection of the pool before `StoreLocked`.
    connect_timeout_s : how long to wait for the server to accept one, from 2 (libpq's least).
    lock_timeout_ms : how long a statement waits for another's lock before `StoreLocked`; 0 is for ever.
    statement_timeout_ms : how long a statement may take; 0 is the server's own setting.
    only_read : transactions that do not say otherwise may not write.

    Raises InvalidValue: the URL cannot be read, or a number is out of its range.
    """
    for name, value, least, most in (
        ("pool_size", pool_size, 1, MOST_CONNECTIONS),
        ("pool_overflow", pool_overflow, 0, MOST_CONNECTIONS),
        ("pool_timeout_s", pool_timeout_s, 0, 3_600),
        ("connect_timeout_s", connect_timeout_s, 2, 3_600),
        ("lock_timeout_ms", lock_timeout_ms, 0, 2**31 - 1),
        ("statement_timeout_ms", statement_timeout_ms, 0, 2**31 - 1),
    ):
        if not least <= value <= most:
            raise InvalidValue(f"{name} is {value}", f"Give a number from {least} to {most}")
    settings = [*_SESSION, ("lock_timeout", str(lock_timeout_ms))]
    settings += [("default_transaction_read_only", "on")] * only_read
    settings += [("statement_timeout", str(statement_timeout_ms))] * (statement_timeout_ms > 0)
    given = read_url(url)  # what it sets itself stays as it says
    settings = [each for each in settings if not re.search(rf"\b{each[0]}\s*=", given.get("options", ""))]
    parameters = _parameters(given, connect_timeout_s, settings)
    pool = sa.create_engine(
        "postgresql+psycopg://",  # the parameters go by connect(), so that no password is in a repr
        creator=partial(_connected, parameters),
        isolation_level="AUTOCOMMIT",
        execution_options={_LOCAL: tuple(settings)},
        pool_size=pool_size,
        max_overflow=pool_overflow,
        pool_timeout=pool_timeout_s,
        pool_use_lifo=True,  # what is rarely needed grows idle and may be cut without harm
        use_native_hstore=False,  # else one more round trip per connection
    )
    return _keeping_plans(pool)


def _connected(parameters: dict[str, str]) -> psycopg.Connection[Any]:
    connection = psycopg.connect(autocommit=True, **parameters)  # type: ignore[arg-type]
    prepare(connection, keeps_plans=_answers_itself(connection))
    return connection


def _keeping_plans(pool: Engine) -> Engine:
    """A pool whose cursors let the server keep the plan of a statement that says so."""

    def tell(*executed: Any) -> None:
        _, cursor, _, _, context, _ = executed
        if isinstance(cursor, BinaryCursor):
            cursor.keeps_plan = context.execution_options.keys() >= PLANNED_ONCE.keys()

    sa.event.listen(pool, "before_cursor_execute", tell)
    return pool


def _parameters(
    given: dict[str, str], connect_timeout_s: int, settings: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """The driver's parameters for each connection, by libpq's names."""
    parameters = {
        "application_name": "engramforge",
        "connect_timeout": str(connect_timeout_s),
        "client_encoding": "UTF8",
        **_KEEPALIVES,
        **given,
    }
    # For what no transaction may hold, such as the building of an index.
    own = " ".join(f"-c {name}={value}" for name, value in settings)
    return {**parameters, "options": f"{own} {parameters.get('options', '')}".strip()}


@contextmanager
def read_connection(
    engine: Engine,
    place: str,
    tenant: str,
    role: str | None = APP_ROLE,
    settings: tuple[tuple[str, str], ...] = (),
) -> Iterator[Connection]:
    """A connection whose reads see one snapshot, as that tenant.

    `place`: the store's printable place, for messages. `tenant`: whose rows the policies admit. `role`: the role to
    become for the transaction; None stays the user of the URL. See `may_become`. `settings`: further settings of the
    transaction.
    """
    local = (*_local(engine), *settings)
    opening = _opening(_READ, tenant, role, local)
    with translated(place), _begun(engine, opening) as (connection, _):
        with interrupted_by_stop(lambda: _cancel(connection)):
            yield connection
        # Nothing was written, so it does not matter whether the end of the snapshot arrives.
        with suppress(sa.exc.DBAPIError):
            _run(connection, "COMMIT")


@contextmanager
def write_transaction(
    engine: Engine, place: str, tenant: str, role: str | None = APP_ROLE
) -> Iterator[Connection]:
    """BEGIN ... COMMIT as that tenant; rolls back when the block or the commit fails.

    Parameters as `read_connection`. A connection lost during COMMIT leaves the outcome in doubt: the StoreUnavailable
    says so, and `is_worth_repeating` is false.
    """
    opening = _opening(_WRITE, tenant, role, _local(engine))
    with translated(place), _begun(engine, opening) as (connection, _):
        with interrupted_by_stop(lambda: _cancel(connection)):
            yield connection
        _commit(connection, place)


def read_at_once(
    engine: Engine,
    place: str,
    tenant: str,
    role: str | None,
    statement: str,
    values: Mapping[str, Any],
) -> list[tuple[Any, ...]]:
    """The rows of a single statement, as that tenant, by a single message.

    Several statements in a message are a transaction, in which settings are as local as in one that is begun. A message
    of several takes no parameters, so the values are written into it.

    Parameters as `read_connection`. `statement`: a SELECT with %(name)s for values.
    """
    written = _PARAMETER.sub(lambda found: sql.Literal(values[found[1]]).as_string(None), statement)
    whole = f"{_opening('', tenant, role, _local(engine))}; {written}"
    with translated(place), _begun(engine, whole) as (_, result):
        cursor: Any = result.cursor
        cursor.nextset()  # the settings come first
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        result.close()
        return rows


def has_own_session(connection: Connection) -> bool:
    """Whether the server itself is at the other end: a pooler may give each statement to another session."""
    driver = _driver(connection)
    return driver is not None and _answers_itself(driver)


def _answers_itself(driver: psycopg.Connection[Any]) -> bool:
    """The same of the driver's connection: a pooler tells another process id than the one that answers."""
    (answering,) = driver.execute("SELECT pg_backend_pid()").fetchone() or (None,)
    return bool(answering == driver.info.backend_pid)


def _local(engine: Engine) -> tuple[tuple[str, str], ...]:
    """The pool's settings, which every transaction sets for itself."""
    found: tuple[tuple[str, str], ...] = engine.get_execution_options().get(_LOCAL, ())
    return found


def may_become(connection: Connection, role: str = APP_ROLE) -> bool:
    """Whether the role exists and the session's user may switch to it."""
    query = sa.text(
        "SELECT pg_has_role(session_user, oid, CASE WHEN current_setting('server_version_num')::int >= 160000 "
        "THEN 'SET' ELSE 'MEMBER' END) FROM pg_roles WHERE rolname = :role"
    )
    return bool(connection.execute(query, {"role": role}).scalar())


@lru_cache(maxsize=256)
def _opening(begin: str, tenant: str, role: str | None, more: tuple[tuple[str, str], ...] = ()) -> str:
    """A beginning with role and tenant as one message; all settings end with the transaction."""
    settings = [(TENANT_SETTING, tenant), *more]
    if role is not None:
        settings.append(("role", role))
    calls = sql.SQL(", ").join(
        sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
        for name, value in settings
    )
    return (begin and begin + "; ") + "SELECT " + calls.as_string(None)


@contextmanager
def _begun(engine: Engine, opening: str) -> Iterator[tuple[Connection, sa.CursorResult[Any]]]:
    """A pooled connection after its first message, and what came of that; one found dead then is replaced once.

    What an error leaves unfinished is rolled back.
    """
    connection = engine.connect()
    try:
        try:
            result = _opened(connection, opening)
        except sa.exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise
            # The server was restarted or cut the idle connection. Nothing was done on it yet. The pool has marked all
            # connections as old as this one, so the next is new.
            connection.close()
            connection = engine.connect()
            result = _opened(connection, opening)
        yield connection, result
    except BaseException:
        _roll_back(connection)
        raise
    finally:
        connection.close()


def _opened(connection: Connection, opening: str) -> sa.CursorResult[Any]:
    with interrupted_by_stop(lambda: _cancel(connection)):
        return _run(connection, opening)


def _run(connection: Connection, statements: str) -> sa.CursorResult[Any]:
    """Send one message of several statements, by the simple protocol: parameters and preparing allow only one."""
    return connection.exec_driver_sql(statements, None, {"no_parameters": True})


def _driver(connection: Connection) -> psycopg.Connection[Any] | None:
    """The driver's connection; None if it is gone."""
    if connection.closed or connection.invalidated:
        return None
    driver: psycopg.Connection[Any] | None = connection.connection.driver_connection
    return None if driver is None or driver.closed else driver


def _cancel(connection: Connection) -> None:
    """Have the server break off the statement that runs on a connection of another thread."""
    driver = _driver(connection)
    if driver is not None:
        driver.cancel()


def _commit(connection: Connection, place: str) -> None:
    driver = _driver(connection)
    if driver is not None and driver.info.transaction_status != TransactionStatus.INTRANS:
        # The server would answer such a COMMIT with a ROLLBACK, and no error.
        raise InternalError(
            f"A write to {place} was to be committed after a statement of it had failed", "Please report it"
        )
    try:
        _run(connection, "COMMIT")
    except sa.exc.DBAPIError as error:
        if error.connection_invalidated or (isinstance(error.orig, psycopg.Error) and is_lost(error.orig)):
            raise CommitLost from error
        raise


def _roll_back(connection: Connection) -> None:
    """End the transaction, if there is one; only the error that led here matters."""
    driver = _driver(connection)
    if driver is None or driver.info.transaction_status == TransactionStatus.IDLE:
        return
    with suppress(sa.exc.DBAPIError):
        _run(connection, "ROLLBACK")


SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_MEND: Final = (
    "Write postgresql://user:password@host:5432/database?option=value, options being those of libpq, and letters"
    " such as @ : / ? # % and spaces in a user or password as %40, %3A, %2F, %3F, %23, %25 and %20"
)


def read_url(url: str) -> dict[str, str]:
    """The connection parameters of a URL, by libpq's names.

    An @ or ? in a password may stand as it is; other letters with a meaning in URLs have to be percent-encoded.

    Raises InvalidValue: it is not a PostgreSQL URL; the message shows nothing of it, since any part may be a password.
    """
    scheme, separator, rest = url.strip().partition("://")
    if not separator or scheme.lower() not in SCHEMES:
        raise InvalidValue("A PostgreSQL URL begins with postgresql://", _MEND)
    if "\x00" in rest:
        raise InvalidValue("The PostgreSQL URL has a NUL in it", _MEND)
    authority, tail = re.fullmatch(r"([^/]*)(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
    credentials, at, hosts = authority.rpartition("@")
    path = tail.partition("?")[0]
    if not at and "@" in path:
        # user:pass/word@host: the part before the slash would be taken for the host.
        raise InvalidValue("The PostgreSQL URL cannot be read: there is an @ after its first slash", _MEND)
    try:
        given = conninfo_to_dict(f"postgresql://{credentials.replace('@', '%40')}{at}{hosts}{tail}")
    except psycopg.Error:
        raise InvalidValue("The PostgreSQL URL cannot be read", _MEND) from None
    parameters = {name: str(value) for name, value in given.items() if value is not None}
    if not re.fullmatch(r"[0-9]{0,5}(,[0-9]{0,5})*", parameters.get("port", "")):
        raise InvalidValue("The PostgreSQL URL cannot be read: its port is not a number", _MEND)
    return parameters


def place(url: str) -> str:
    """The URL as people may see it: user, host, port and database, no password and no other option."""
    parameters = read_url(url)
    hosts = parameters.get("host", "").split(",")
    ports = parameters.get("port", "").split(",")
    if len(ports) == 1:
        ports = ports * len(hosts)
    user = quote(parameters["user"], safe="") + "@" if parameters.get("user") else ""
    database = quote(parameters.get("dbname", ""), safe="")
    if any(host.startswith(("/", "@")) for host in hosts):
        options = f"?host={','.join(hosts)}" + (f"&port={','.join(ports)}" if any(ports) else "")
        return f"postgresql://{user}/{database}{options}"
    named = (f"[{host}]" if ":" in host else unquote(host) for host in hosts)
    pairs = zip(named, [*ports, *[""] * len(hosts)], strict=False)
    return f"postgresql://{user}{','.join(host + (port and ':' + port) for host, port in pairs)}/{database}"
