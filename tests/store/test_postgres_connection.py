"""The pool and its transactions on a real server: settings, tenants, snapshots, connections that die, repeats."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy as sa

from engramforge.errors import Conflict, InternalError, InvalidValue, StoreLocked, StoreUnavailable
from engramforge.store.given import PLANNED_ONCE
from engramforge.store.postgres.connection import (
    may_become,
    open_pool,
    place,
    read_at_once,
    read_connection,
    write_transaction,
)
from engramforge.store.postgres.faults import is_worth_repeating, repeated

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Engine
    from tests.postgres import PostgresServer

TENANT = "acme"


@pytest.fixture
def pools() -> Iterator[Callable[..., Engine]]:
    """Opens pools that are disposed of in the end, before their database is dropped."""
    opened: list[Engine] = []

    def make(url: str, **options: float) -> Engine:
        opened.append(open_pool(url, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for pool in opened:
        pool.dispose()


@pytest.fixture
def pool(postgres_url: str, pools: Callable[..., Engine]) -> Engine:
    """A pool on a database with a table `note (id, text)`."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE note (id int PRIMARY KEY, text text)")
    return pools(postgres_url)


def scalar(connection: Connection, query: str) -> object:
    return connection.exec_driver_sql(query).scalar()


def notes(pool: Engine) -> list[int]:
    with read_connection(pool, "x", TENANT, None) as connection:
        return list(connection.execute(sa.text("SELECT id FROM note ORDER BY id")).scalars())


def insert(connection: Connection, identifier: int) -> None:
    connection.execute(sa.text("INSERT INTO note VALUES (:id, '100%')"), {"id": identifier})


def end(pool: Engine, connection: Connection) -> None:
    """Terminate the backend of a connection from another, and wait until it is gone."""
    pid = scalar(connection, "SELECT pg_backend_pid()")
    terminate(pool, pid)


def terminate(pool: Engine, pid: object) -> None:
    with read_connection(pool, "x", TENANT, None) as other:
        assert scalar(other, f"SELECT pg_terminate_backend({pid}, 5000)") is True


def test_settings_of_a_connection(postgres_url: str, pools: Callable[..., Engine]) -> None:
    pool = pools(postgres_url, lock_timeout_ms=1234, statement_timeout_ms=5678)
    names = (
        "jit",
        "random_page_cost",
        "lock_timeout",
        "statement_timeout",
        "application_name",
        "client_encoding",
    )
    with read_connection(pool, "x", TENANT, None) as connection:
        found = [scalar(connection, f"SHOW {name}") for name in names]
    assert found == ["off", "1.1", "1234ms", "5678ms", "engramforge", "UTF8"]


def test_the_url_goes_before_our_settings(
    postgres_server: PostgresServer, postgres_url: str, pools: Callable[..., Engine]
) -> None:
    given = "application_name=mine&options=-c%20jit%3Don%20-c%20work_mem%3D8MB"
    pool = pools(postgres_server.with_options(postgres_url, given))
    with read_connection(pool, "x", TENANT, None) as connection:
        found = [
            scalar(connection, f"SHOW {name}")
            for name in ("application_name", "jit", "work_mem", "random_page_cost")
        ]
    assert found == ["mine", "on", "8MB", "1.1"]


def test_no_password_is_shown(
    postgres_url: str, app_url: Callable[..., str], pools: Callable[..., Engine]
) -> None:
    url = app_url()
    password = psycopg.conninfo.conninfo_to_dict(url)["password"]
    assert password
    pool = pools(url)
    assert str(password) not in f"{pool!r} {pool.url!r} {place(url)}"


@pytest.mark.parametrize(
    "wrong", [{"pool_size": 0}, {"pool_overflow": -1}, {"connect_timeout_s": 1}, {"pool_size": 1001}]
)
def test_numbers_out_of_range(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidValue, match=next(iter(wrong))):
        open_pool("postgresql://h/d", **wrong)  # type: ignore[arg-type]


def test_a_read_is_one_read_only_snapshot(pool: Engine) -> None:
    with read_connection(pool, "x", TENANT, None) as reader:
        assert scalar(reader, "SELECT count(*) FROM note") == 0
        with write_transaction(pool, "x", TENANT, None) as writer:
            insert(writer, 1)
        assert scalar(reader, "SELECT count(*) FROM note") == 0
        with pytest.raises(sa.exc.DBAPIError, match="read-only transaction"):
            insert(reader, 2)
    assert notes(pool) == [1]


def test_a_write_is_all_or_nothing(pool: Engine) -> None:
    with pytest.raises(Conflict), write_transaction(pool, "x", TENANT, None) as connection:
        insert(connection, 1)
        raise Conflict("No")
    assert notes(pool) == []
    with write_transaction(pool, "x", TENANT, None) as connection:
        insert(connection, 2)
    assert notes(pool) == [2]


def test_a_failed_statement_cannot_be_committed_over(pool: Engine) -> None:
    """PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error."""
    with (
        pytest.raises(InternalError, match="had failed"),
        write_transaction(pool, "x", TENANT, None) as connection,
    ):
        insert(connection, 1)
        with pytest.raises(sa.exc.IntegrityError):
            insert(connection, 1)
    assert notes(pool) == []


def test_the_tenant_ends_with_its_transaction(pool: Engine) -> None:
    odd = 'it\'s \\ a "tenant"; %s -- é'
    for opened in (read_connection, write_transaction):
        with opened(pool, "x", odd, None) as connection:
            assert scalar(connection, "SELECT current_setting('engramforge.tenant')") == odd
        with pool.connect() as raw:
            assert not scalar(raw, "SELECT current_setting('engramforge.tenant', true)")


def test_the_role_is_entered_and_left(
    postgres_server: PostgresServer, app_url: Callable[..., str], pool: Engine, pools: Callable[..., Engine]
) -> None:
    role, _ = postgres_server.create_role()
    member = pools(app_url(f"IN ROLE {role}"))
    stranger = pools(app_url())
    for candidate, allowed in ((pool, True), (member, True), (stranger, False)):
        with read_connection(candidate, "x", TENANT, None) as connection:
            assert may_become(connection, role) is allowed
            assert may_become(connection, "no_such_role") is False
    with write_transaction(member, "x", TENANT, role) as connection:
        assert scalar(connection, "SELECT current_user") == role
    with member.connect() as raw:
        assert scalar(raw, "SELECT current_user") != role
    with pytest.raises(StoreUnavailable, match="may not"), read_connection(stranger, "x", TENANT, role):
        pass


def test_an_empty_transaction_costs_two_messages(pool: Engine) -> None:
    """BEGIN with role and tenant is one, COMMIT the other; giving the connection back costs none."""
    sent: list[str] = []
    sa.event.listen(pool, "before_cursor_execute", lambda _c, _u, text, *_: sent.append(text))
    for opened in (read_connection, write_transaction):
        with opened(pool, "x", TENANT, "postgres"):
            pass
    assert len(sent) == 4
    assert sent[1] == sent[3] == "COMMIT"
    assert all("set_config('role'" in text and TENANT in text for text in sent[::2])


def test_a_statement_alone_costs_one_message(pool: Engine) -> None:
    """Role and tenant are in it, and end with it."""
    sent: list[str] = []
    sa.event.listen(pool, "before_cursor_execute", lambda _c, _u, text, *_: sent.append(text))
    settings = "current_setting('engramforge.tenant', true)"
    asked = {"name": "O'Brien \\ %(one)s; --", "names": ["a", 'b"c, {d}'], "one": 1, "none": None}
    values = "SELECT %(name)s, CAST(%(names)s AS text[]), %(one)s + 1, CAST(%(none)s AS text)"
    for _ in range(2):
        (row,) = read_at_once(pool, "x", TENANT, "postgres", f"{values}, {settings}", asked)
        assert row == (asked["name"], asked["names"], 2, None, TENANT)
    assert len(sent) == 2
    with pool.connect() as connection:
        assert scalar(connection, f"SELECT coalesce({settings}, '')") == ""


def test_the_plan_of_a_statement_is_kept_that_says_so(
    postgres_url: str, pools: Callable[..., Engine]
) -> None:
    pool = pools(postgres_url, pool_size=1, pool_overflow=0)
    for number in range(12):
        with read_connection(pool, "x", TENANT, None) as connection:
            for name, options in (("kept", PLANNED_ONCE), ("other", {})):
                asked = f"SELECT CAST(%(given)s AS integer) AS {name}"
                found = connection.exec_driver_sql(asked, {"given": number}, execution_options=options)
                assert found.scalar() == number
    with pool.connect() as connection:
        kept = connection.exec_driver_sql("SELECT statement FROM pg_prepared_statements").scalars().all()
    assert len(kept) == 1 and kept[0].endswith("kept")


def test_a_statement_alone_finds_another_connection_for_one_that_died(
    pool: Engine, postgres_url: str
) -> None:
    ((pid,),) = read_at_once(pool, "x", TENANT, None, "SELECT pg_backend_pid()", {})
    with psycopg.connect(postgres_url) as other:
        other.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
    ((after,),) = read_at_once(pool, "x", TENANT, None, "SELECT pg_backend_pid()", {})
    assert after != pid
    with pytest.raises(InternalError):
        read_at_once(pool, "x", TENANT, None, "SELECT nothing", {})
    assert pool.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_a_connection_that_died_idle_is_replaced(pool: Engine, postgres_url: str) -> None:
    with read_connection(pool, "x", TENANT, None) as connection:
        pid = scalar(connection, "SELECT pg_backend_pid()")
    with psycopg.connect(postgres_url) as other:
        other.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
    with write_transaction(pool, "x", TENANT, None) as connection:
        insert(connection, 1)
        assert scalar(connection, "SELECT pg_backend_pid()") != pid
    assert notes(pool) == [1]


def test_a_server_that_was_killed_and_came_back(postgres_server: PostgresServer, pool: Engine) -> None:
    # Several idle connections: all of them are dead afterwards, and none may reach a caller.
    with write_transaction(pool, "x", TENANT, None) as first, read_connection(pool, "x", TENANT, None):
        insert(first, 1)
    postgres_server.kill()
    try:
        with pytest.raises(StoreUnavailable) as caught:
            notes(pool)
        assert "server runs" in caught.value.mend
    finally:
        postgres_server.start()
    assert notes(pool) == [1]
    with write_transaction(pool, "x", TENANT, None) as one_of, read_connection(pool, "x", TENANT, None):
        insert(one_of, 2)
    assert notes(pool) == [1, 2]


def test_a_backend_that_ends_in_mid_transaction(pool: Engine) -> None:
    with (
        pytest.raises(StoreUnavailable, match="lost") as caught,
        write_transaction(pool, "here", TENANT, None) as writer,
    ):
        insert(writer, 1)
        end(pool, writer)
        insert(writer, 2)
    assert "here" in caught.value.fault
    assert is_worth_repeating(caught.value)
    assert notes(pool) == []


def test_a_backend_that_ends_in_mid_transaction_is_repeated(pool: Engine) -> None:
    tries = []

    def work() -> str:
        with write_transaction(pool, "x", TENANT, None) as writer:
            insert(writer, 1)
            tries.append(1)
            if len(tries) == 1:
                end(pool, writer)
            insert(writer, 2)
        return "done"

    assert repeated(work) == "done"
    assert len(tries) == 2
    assert notes(pool) == [1, 2]


def test_a_connection_lost_during_commit_is_in_doubt(pool: Engine) -> None:
    """A deferred trigger holds the commit up, so that the backend can be ended in the middle of it."""
    with pool.connect() as raw:
        raw.exec_driver_sql(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql"
            " AS $$BEGIN PERFORM pg_sleep(10); RETURN NULL; END$$"
        )
        raw.exec_driver_sql(
            "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION slow()"
        )
    pid: list[object] = []
    tries = []

    def work() -> None:
        tries.append(1)
        with write_transaction(pool, "x", TENANT, None) as writer:
            pid.append(scalar(writer, "SELECT pg_backend_pid()"))
            insert(writer, 1)

    def end_it() -> None:
        with read_connection(pool, "x", TENANT, None) as watcher:
            while (
                not pid
                or scalar(watcher, f"SELECT query FROM pg_stat_activity WHERE pid = {pid[0]}") != "COMMIT"
            ):
                scalar(watcher, "SELECT pg_stat_clear_snapshot()")
                time.sleep(0.01)
            scalar(watcher, f"SELECT pg_terminate_backend({pid[0]}, 5000)")

    thread = threading.Thread(target=end_it)
    thread.start()
    with pytest.raises(StoreUnavailable, match="may or may not") as caught:
        repeated(work)
    thread.join()
    assert len(tries) == 1
    assert not is_worth_repeating(caught.value)
    assert "before repeating" in caught.value.mend


def test_a_deadlock_is_repeated(pool: Engine) -> None:
    with write_transaction(pool, "x", TENANT, None) as writer:
        insert(writer, 1)
        insert(writer, 2)
    met = threading.Barrier(2, timeout=20)
    tries: list[int] = []
    faults: list[BaseException] = []

    def swap(first: int, second: int) -> None:
        def work() -> None:
            tries.append(first)
            with write_transaction(pool, "x", TENANT, None) as writer:
                scalar(writer, "SELECT set_config('deadlock_timeout', '20ms', true)")
                change(writer, first)
                if len(tries) <= 2:
                    met.wait()
                change(writer, second)

        try:
            repeated(work)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(error)

    threads = [threading.Thread(target=swap, args=pair) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(tries) == 3
    with read_connection(pool, "x", TENANT, None) as reader:
        assert scalar(reader, "SELECT string_agg(length(text)::text, ' ') FROM note") == "6 6"


def change(connection: Connection, identifier: int) -> None:
    connection.execute(sa.text("UPDATE note SET text = text || '+' WHERE id = :id"), {"id": identifier})


def test_a_serialisation_failure_is_repeated_and_told_in_the_end(pool: Engine) -> None:
    with write_transaction(pool, "x", TENANT, None) as writer:
        insert(writer, 1)
    tries = []

    def work() -> None:
        tries.append(1)
        with write_transaction(pool, "x", TENANT, None) as writer:
            writer.exec_driver_sql("COMMIT")
            writer.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            scalar(writer, "SELECT count(*) FROM note")
            with write_transaction(pool, "x", TENANT, None) as other:
                change(other, 1)
            change(writer, 1)

    with pytest.raises(StoreLocked, match="came between") as caught:
        repeated(work, attempts=3, first_pause_s=0.001)
    assert len(tries) == 3
    assert is_worth_repeating(caught.value)


def test_what_is_not_worth_repeating_is_done_once(pool: Engine) -> None:
    tries = []

    def work() -> None:
        tries.append(1)
        with write_transaction(pool, "x", TENANT, None) as writer:
            scalar(writer, "SELECT no_such_column FROM note")

    with pytest.raises(InternalError, match="no_such_column"):
        repeated(work)
    with pytest.raises(Conflict):
        repeated(lambda: (_ for _ in ()).throw(Conflict("no")))
    assert len(tries) == 1


def test_an_interrupted_block_leaves_no_transaction(pool: Engine) -> None:
    with pytest.raises(KeyboardInterrupt), write_transaction(pool, "x", TENANT, None) as writer:
        insert(writer, 1)
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), read_connection(pool, "x", TENANT, None):
        raise KeyboardInterrupt
    assert notes(pool) == []
    with pool.connect() as raw:
        held = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state ~ 'idle in'"
        )
        assert scalar(raw, held) == 0


def test_every_connection_in_use(postgres_url: str, pools: Callable[..., Engine]) -> None:
    pool = pools(postgres_url, pool_size=1, pool_overflow=0, pool_timeout_s=0.05)
    with (
        read_connection(pool, "x", TENANT, None),
        pytest.raises(StoreLocked, match="in use"),
        read_connection(pool, "x", TENANT, None),
    ):
        pass
    with read_connection(pool, "x", TENANT, None) as connection:
        assert scalar(connection, "SELECT 1") == 1


def test_threads_share_a_pool(pool: Engine) -> None:
    faults: list[BaseException] = []

    def write(start: int) -> None:
        try:
            for number in range(start, start + 20):
                with write_transaction(pool, "x", f"tenant-{start}", None) as writer:
                    insert(writer, number)
                    assert scalar(writer, "SELECT current_setting('engramforge.tenant')") == f"tenant-{start}"
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(error)

    threads = [threading.Thread(target=write, args=(start,)) for start in range(0, 160, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert notes(pool) == list(range(160))
