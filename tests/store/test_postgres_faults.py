"""What may be wrong with a PostgreSQL server, each provoked: a typed error that names the fault and the mend."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest

from engramforge.errors import (
    EngramforgeError,
    InternalError,
    OutOfScope,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from engramforge.store.postgres.connection import (
    open_pool,
    place,
    read_connection,
    write_transaction,
)
from engramforge.store.postgres.faults import is_worth_repeating
from engramforge.store.postgres.setup import check_server, ensure_pgvector, version_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection
    from tests.postgres import PostgresServer

TENANT = "acme"


def failing(
    kind: type[EngramforgeError], url: str, statement: str = "SELECT 1", **options: int
) -> EngramforgeError:
    """The error of running a statement in a write; it names the place, has a mend and shows no password."""
    pool = open_pool(url, pool_size=1, **options)
    try:
        with pytest.raises(kind) as caught, write_transaction(pool, place(url), TENANT, None) as connection:
            connection.exec_driver_sql(statement, None, {"no_parameters": True})
    finally:
        pool.dispose()
    assert place(url) in caught.value.fault
    assert caught.value.mend
    password = psycopg.conninfo.conninfo_to_dict(url).get("password")
    assert not password or str(password) not in str(caught.value)
    assert type(caught.value) is kind
    return caught.value


@pytest.fixture
def tcp(postgres_server: PostgresServer, postgres_url: str) -> Callable[[str, str], str]:
    """URLs of the test's database by TCP, where a password is asked for."""
    base = postgres_server.tcp_url
    if base is None:
        pytest.skip("an ordinary server may trust everybody")
    database = postgres_server.name_of(postgres_url)

    def make(user: str, password: str) -> str:
        from urllib.parse import quote

        address = base.rpartition("@")[2].partition("/")[0]
        return f"postgresql://{user}:{quote(password, safe='')}@{address}/{database}"

    return make


@pytest.fixture
def connection(postgres_url: str) -> Iterator[Connection]:
    """A connection of the database's owner, outside any transaction."""
    pool = open_pool(postgres_url)
    with pool.connect() as opened:
        yield opened
    pool.dispose()


# Before there is a connection


def test_the_right_password(postgres_server: PostgresServer, tcp: Callable[[str, str], str]) -> None:
    user, password = postgres_server.create_role()
    pool = open_pool(tcp(user, password))
    with read_connection(pool, "x", TENANT, None) as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar() == user
    pool.dispose()


def test_a_wrong_password(postgres_server: PostgresServer, tcp: Callable[[str, str], str]) -> None:
    user, _ = postgres_server.create_role()
    error = failing(StoreUnavailable, tcp(user, "wrong@S3cret"))
    assert "refuses the password" in error.fault
    assert "user and password in the URL" in error.mend


def test_no_password_where_one_is_asked_for(
    postgres_server: PostgresServer, tcp: Callable[[str, str], str]
) -> None:
    user, _ = postgres_server.create_role()
    error = failing(StoreUnavailable, tcp(user, "").replace(":@", "@"))
    assert "password" in error.fault
    assert "user and password in the URL" in error.mend


def test_an_unknown_user(postgres_server: PostgresServer, postgres_url: str) -> None:
    url = postgres_server.database_url(postgres_server.name_of(postgres_url), "nobody_at_all", "S3cret")
    error = failing(StoreUnavailable, url)
    assert "refuses the " in error.fault
    assert "pg_hba.conf" in error.mend


def test_a_role_that_may_not_log_in(postgres_server: PostgresServer, app_url: Callable[..., str]) -> None:
    error = failing(StoreUnavailable, app_url("NOLOGIN"))
    assert "not permitted to log in" in error.fault


def test_no_such_database(postgres_server: PostgresServer) -> None:
    error = failing(StoreUnavailable, postgres_server.database_url("no_such_database"))
    assert "There is no database" in error.fault
    assert "createdb" in error.mend


def test_a_user_who_may_not_connect(
    postgres_server: PostgresServer, postgres_url: str, app_url: Callable[..., str]
) -> None:
    name = postgres_server.name_of(postgres_url)
    postgres_server.run(f"REVOKE CONNECT ON DATABASE {name} FROM PUBLIC")
    assert "permission denied" in failing(StoreUnavailable, app_url()).fault


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:S3cret@127.0.0.1:1/d",
        "postgresql://ada@/d?host=/nowhere",
        "postgresql://a@no.invalid/d",
    ],
)
def test_nobody_listens(url: str) -> None:
    error = failing(StoreUnavailable, url)
    assert "No connection" in error.fault
    assert "server runs" in error.mend


def test_a_server_that_never_answers() -> None:
    """A socket that accepts and then says nothing, as behind a firewall or a hung server."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://ada@127.0.0.1:{silent.getsockname()[1]}/d?connect_timeout=2"
        error = failing(StoreUnavailable, url)
    assert "timeout" in error.fault
    assert "server runs" in error.mend


def test_too_many_connections(postgres_server: PostgresServer, app_url: Callable[..., str]) -> None:
    url = app_url("CONNECTION LIMIT 1")
    with psycopg.connect(url):
        error = failing(StoreUnavailable, url)
    assert "no connection left" in error.fault
    assert "max_connections" in error.mend


def test_the_server_is_full(postgres_server: PostgresServer, app_url: Callable[..., str]) -> None:
    url = app_url()
    most = int(postgres_server.run("SHOW max_connections")[0][0])
    if most > 100:
        pytest.skip("an ordinary server with many connections is not filled up")
    with ExitStack() as held:
        with pytest.raises(psycopg.OperationalError):
            for _ in range(most):
                held.enter_context(psycopg.connect(url))
        error = failing(StoreUnavailable, url)
    assert "no connection left" in error.fault


def test_a_server_that_starts(postgres_server: PostgresServer, postgres_url: str) -> None:
    """Its answer while it starts is worth another try; a wrong password is not."""
    error = psycopg.OperationalError("connection failed: FATAL:  the database system is starting up")
    assert is_worth_repeating(error)
    refused = failing(StoreUnavailable, postgres_server.database_url("no_such_database"))
    assert not is_worth_repeating(refused)


# While connected


def test_no_permission(app_url: Callable[..., str]) -> None:
    error = failing(StoreUnavailable, app_url(), "CREATE TABLE mine (id int)")
    assert "may not do this (permission denied for schema public)" in error.fault
    assert "grant" in error.mend


def test_a_row_of_another_tenant(connection: Connection, app_url: Callable[..., str]) -> None:
    connection.exec_driver_sql("CREATE TABLE note (tenant text)")
    connection.exec_driver_sql("ALTER TABLE note ENABLE ROW LEVEL SECURITY")
    connection.exec_driver_sql(
        "CREATE POLICY own ON note USING (tenant = current_setting('engramforge.tenant'))"
    )
    connection.exec_driver_sql("GRANT ALL ON note TO PUBLIC")
    url = app_url()
    error = failing(OutOfScope, url, "INSERT INTO note VALUES ('another')")
    assert "Row-level security" in error.fault
    assert not is_worth_repeating(error)
    pool = open_pool(url)
    with write_transaction(pool, "x", TENANT, None) as writer:
        writer.exec_driver_sql("INSERT INTO note VALUES ('acme')")
    pool.dispose()


def test_a_read_only_database(postgres_server: PostgresServer, postgres_url: str) -> None:
    url = postgres_server.with_options(postgres_url, "options=-c%20default_transaction_read_only%3Don")
    pool = open_pool(url)
    with read_connection(pool, "x", TENANT, None) as reader:
        assert reader.exec_driver_sql("SELECT 1").scalar() == 1
    pool.dispose()
    error = failing(StoreUnavailable, postgres_url, "SET TRANSACTION READ ONLY; CREATE TABLE t (id int)")
    assert "is read-only" in error.fault
    assert "primary" in error.mend


def test_a_lock_held_too_long(connection: Connection, postgres_url: str) -> None:
    connection.exec_driver_sql("CREATE TABLE note (id int)")
    connection.exec_driver_sql("BEGIN")
    connection.exec_driver_sql("LOCK TABLE note")
    error = failing(StoreLocked, postgres_url, "INSERT INTO note VALUES (1)", lock_timeout_ms=30)
    assert "another process" in error.fault
    connection.exec_driver_sql("ROLLBACK")


def test_a_statement_that_takes_too_long(postgres_url: str) -> None:
    error = failing(StoreUnavailable, postgres_url, "SELECT pg_sleep(20)", statement_timeout_ms=30)
    assert "statement timeout" in error.fault
    assert "statement_timeout" in error.mend
    assert not is_worth_repeating(error)


def test_a_cancelled_statement(connection: Connection, postgres_url: str) -> None:
    cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND pid <> %s"
    stop = threading.Event()

    def keep_cancelling() -> None:
        with psycopg.connect(postgres_url, autocommit=True) as other:
            while not stop.wait(0.02):
                other.execute(cancel.replace("%'", "%%'"), (other.info.backend_pid,))

    thread = threading.Thread(target=keep_cancelling)
    thread.start()
    error = failing(StoreUnavailable, postgres_url, "SELECT pg_sleep(20)")
    stop.set()
    thread.join()
    assert "user request" in error.fault


def test_a_disk_that_fills(postgres_server: PostgresServer, postgres_url: str) -> None:
    full = "DO $$BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END$$"
    error = failing(StoreFull, postgres_url, full)
    assert "space" in error.fault
    assert "Free" in error.mend
    limit = (
        "SET LOCAL temp_file_limit = 0; SET LOCAL work_mem = 64; SELECT generate_series(1, 100000) ORDER BY 1"
    )
    assert "has reached a limit" in failing(StoreUnavailable, postgres_url, limit).fault


def test_a_small_disk_that_fills(postgres_server: PostgresServer, postgres_url: str) -> None:
    """A real one of 4 MB with one table on it; mounting it needs root."""
    disk = postgres_server.small_disk(4)
    database = postgres_server.name_of(postgres_url)
    postgres_server.run(f"CREATE TABLESPACE small LOCATION '{disk}'")
    try:
        postgres_server.run("CREATE TABLE note (text text STORAGE PLAIN) TABLESPACE small", database=database)
        fill = "INSERT INTO note SELECT repeat('x', 4000) FROM generate_series(1, 10000)"
        assert "space" in failing(StoreFull, postgres_url, fill).fault
        assert postgres_server.run("SELECT count(*) FROM note", database=database) == [(0,)]
        postgres_server.run("INSERT INTO note VALUES ('small')", database=database)
    finally:
        postgres_server.run("DROP TABLE note", database=database)
        postgres_server.run("DROP TABLESPACE small")


def test_no_memory_left(postgres_server: PostgresServer, postgres_url: str) -> None:
    pool = open_pool(postgres_url)
    with (
        pytest.raises(StoreUnavailable, match="no memory left") as caught,
        write_transaction(pool, place(postgres_url), TENANT, None) as writer,
    ):
        pid = writer.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        postgres_server.limit_memory(int(str(pid)), 50_000_000)
        writer.exec_driver_sql("SELECT length(repeat('x', 500000000))")
    pool.dispose()
    assert "work_mem" in caught.value.mend


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("SELECT pg_terminate_backend(pg_backend_pid()); SELECT pg_sleep(1)", "was lost"),
        ("SET LOCAL idle_in_transaction_session_timeout = 1; SELECT pg_sleep(0.01)", "lost"),
    ],
)
def test_a_lost_connection(statement: str, text: str, postgres_url: str) -> None:
    if "idle" in statement:
        pool = open_pool(postgres_url)
        with (
            pytest.raises(StoreUnavailable) as caught,
            write_transaction(pool, place(postgres_url), TENANT, None) as writer,
        ):
            writer.exec_driver_sql(statement, None, {"no_parameters": True})
            threading.Event().wait(0.2)
            writer.exec_driver_sql("SELECT 1")
        pool.dispose()
        error: EngramforgeError = caught.value
    else:
        error = failing(StoreUnavailable, postgres_url, statement)
    assert text in error.fault
    assert "try again" in error.mend
    assert is_worth_repeating(error)


def test_a_server_killed_in_mid_transaction(postgres_server: PostgresServer, postgres_url: str) -> None:
    pool = open_pool(postgres_url)
    try:
        with pytest.raises(StoreUnavailable) as caught, write_transaction(pool, "x", TENANT, None) as writer:
            writer.exec_driver_sql("SELECT 1")
            postgres_server.kill()
            writer.exec_driver_sql("SELECT 1")
        assert "lost" in caught.value.fault
        assert is_worth_repeating(caught.value)
    finally:
        pool.dispose()
        postgres_server.start()


def test_a_fault_of_ours(postgres_url: str) -> None:
    error = failing(InternalError, postgres_url, "SELECT nonsense FROM nowhere")
    assert "nowhere" in error.fault
    assert "report" in error.mend


@pytest.mark.parametrize("code", ["XX001", "XX002"])
def test_damage(code: str, postgres_url: str) -> None:
    from engramforge.errors import StoreCorrupt

    error = failing(
        StoreCorrupt, postgres_url, f"DO $$BEGIN RAISE 'bad page' USING ERRCODE = '{code}'; END$$"
    )
    assert "damage" in error.fault


# The server itself


def test_a_server_that_can_hold_a_store(connection: Connection) -> None:
    facts = check_server(connection)
    assert version_of(facts.server) >= (15,)
    assert facts.encoding == "UTF8"
    assert version_of(ensure_pgvector(connection)) >= (0, 8)


def test_an_old_server(connection: Connection) -> None:
    with pytest.raises(StoreUnavailable, match=r"is PostgreSQL 1\d") as caught:
        check_server(connection, least_server=(99, 1))
    assert "99.1 or later" in caught.value.mend


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("16.4 (Debian 16.4-1.pgdg120+1)", (16, 4)),
        ("17beta2", (17,)),
        ("0.8.1", (0, 8, 1)),
        ("18.4", (18, 4)),
        ("", ()),
    ],
)
def test_versions(text: str, version: tuple[int, ...]) -> None:
    assert version_of(text) == version


def test_a_database_of_another_encoding(postgres_server: PostgresServer) -> None:
    name = postgres_server.create_empty_database(with_vector=False, encoding="LATIN1")
    pool = open_pool(postgres_server.database_url(name))
    try:
        with pytest.raises(StoreUnavailable, match="LATIN1") as caught, pool.connect() as connection:
            check_server(connection)
        assert "UTF8" in caught.value.mend
    finally:
        pool.dispose()
        postgres_server.drop_database(name)


@pytest.fixture
def bare(postgres_server: PostgresServer) -> Iterator[str]:
    """A database without pgvector."""
    name = postgres_server.create_empty_database(with_vector=False)
    yield name
    postgres_server.drop_database(name)
    postgres_server.drop_roles()


def test_pgvector_is_created_by_who_may(postgres_server: PostgresServer, bare: str) -> None:
    pool = open_pool(postgres_server.database_url(bare), pool_size=4)
    faults: list[BaseException] = []

    def create() -> None:
        try:
            with pool.connect() as connection:
                ensure_pgvector(connection)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(error)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pool.dispose()
    assert faults == []


def test_no_pgvector_and_no_right_to_create_it(postgres_server: PostgresServer, bare: str) -> None:
    user, password = postgres_server.create_role()
    pool = open_pool(postgres_server.database_url(bare, user, password))
    with pytest.raises(StoreUnavailable, match="may not create") as caught, pool.connect() as connection:
        ensure_pgvector(connection)
    assert "CREATE EXTENSION vector" in caught.value.mend
    pool.dispose()


def test_an_old_pgvector(connection: Connection) -> None:
    with pytest.raises(StoreUnavailable, match=r"needs 99\.0 or later") as caught:
        ensure_pgvector(connection, least=(99, 0))
    assert "package of pgvector" in caught.value.mend
    connection.exec_driver_sql("UPDATE pg_extension SET extversion = '0.5.1' WHERE extname = 'vector'")
    with pytest.raises(StoreUnavailable, match=r"has pgvector 0\.5\.1") as caught:
        ensure_pgvector(connection)
    assert caught.value.mend.startswith("Run ALTER EXTENSION vector UPDATE")


def test_an_old_package_of_pgvector(postgres_server: PostgresServer, bare: str) -> None:
    pool = open_pool(postgres_server.database_url(bare))
    with (
        pytest.raises(StoreUnavailable, match="The server of the database") as caught,
        pool.connect() as connection,
    ):
        ensure_pgvector(connection, least=(99, 0))
    assert "Upgrade" in caught.value.mend
    pool.dispose()


def test_pgvector_where_nobody_looks(postgres_server: PostgresServer, bare: str) -> None:
    pool = open_pool(postgres_server.database_url(bare))
    with pool.connect() as connection:
        connection.exec_driver_sql(
            "CREATE SCHEMA hidden; CREATE EXTENSION vector SCHEMA hidden", None, {"no_parameters": True}
        )
        with pytest.raises(StoreUnavailable, match="does not search") as caught:
            ensure_pgvector(connection)
        assert "search_path" in caught.value.mend
        connection.exec_driver_sql("SET search_path = public, hidden")
        assert ensure_pgvector(connection)
    pool.dispose()
