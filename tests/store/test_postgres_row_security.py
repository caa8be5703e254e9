"""Row-level security as the backstop: raw SQL, past the product's own predicates, sees and changes one tenant alone.

As the role of transactions, as a login that owns nothing, and as the owner who is no superuser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg
import pytest
from psycopg import errors, sql
from tests.conformance.conftest import ENCODER, entry
from tests.conformance.spaces import part, with_signals
from tests.conformance.test_entries import registered
from tests.conformance.test_scope import _link
from tests.store.test_postgres_statements import injection

import engramforge
from engramforge.model.memory import Chunk, Kind
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Extent
from engramforge.model.topics.topic import TopicRow
from engramforge.store.postgres import schema
from engramforge.store.postgres.connection import APP_ROLE, TENANT_SETTING, open_pool, read_connection
from engramforge.store.postgres.store import PostgresStore, open_postgres

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

TABLES = tuple(schema.tables.tables)
Connection = psycopg.Connection[Any]


def _filled(url: str, tenant: str) -> PostgresStore:
    """A store of a tenant with a row in every table."""
    scope, store = Scope(tenant), open_postgres(url, tenant, lambda: ENCODER.id)
    made = [
        entry(
            f"{tenant} says number {number} on 2026-03-01.",
            tenant=tenant,
            session_id="s",
            tags=("red",),
            goal="sail on",
            emotion_vector={"joy": 0.5},
            chunk=Chunk("/a.md", number, 3, 0),
            also_in=(Chunk("/b.md", number, 3, 0),),
            origin=bytes([number]) * 16,
        )
        for number in range(3)
    ]
    ids = [row.memory.logical_id for row in made]
    decided = registered(f"{tenant} decided.", tenant=tenant, conversations=("c1",))
    rng = np.random.default_rng(1)
    made = [with_signals(item, [part(Space.CAUSAL, rng)], (f"Harbor of {tenant}",)) for item in made]
    with store.transaction(scope) as writes:
        writes.insert([*made, decided])
        writes.link([_link(ids[0], ids[1])])
        writes.audit("remember", ids[0], "", made[0].memory.created_at)
        writes.save_mark("k", {"v": 1})
        writes.save_injections([injection(ids[0])])
        writes.forget(Extent([ids[2]]), made[0].memory.created_at)
    its = store.tending(scope).gathered([Kind.NOTE])
    with store.transaction(scope) as writes:
        writes.place_clusters(its.positions, its.labels)
        writes.save_topics("atlas", [TopicRow(ids[0], "harbor", None, made[0].memory.created_at)])
        count = len(its.positions)
        writes.place_members(
            made[0].memory.created_at, its.positions.tolist(), [ids[0]] * count, [3.0] * count
        )
    return store


@pytest.fixture(
    scope="module", params=["the role", "a login in the role", "the owner", "the superuser as the role"]
)
def login(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[tuple[str, bool]]:
    """The URL of a database with two tenants, acme and globex, and whether to become the role there.

    One for all tests that go past the product: none of them may succeed in changing it.
    """
    is_owner = request.param == "the owner"
    name = postgres_server.create_empty_database() if is_owner else postgres_server.create_database()
    whole = postgres_server.database_url(name)
    user = None
    if is_owner or request.param == "a login in the role":
        user = f"{name}_user"
        own = postgres_server.database_url(name, user, "p")
        postgres_server.run(f"CREATE ROLE {user} LOGIN PASSWORD 'p'")
    if is_owner:
        # What a database's owner needs of a superuser beforehand; then the tables are the owner's.
        postgres_server.run(f"ALTER DATABASE {name} OWNER TO {user}")
        postgres_server.run("GRANT ALL ON SCHEMA public TO PUBLIC", database=name)
    for tenant in ("acme", "globex"):
        _filled(own if is_owner else whole, tenant).close()
    if user is not None and not is_owner:
        postgres_server.run(f"GRANT {APP_ROLE} TO {user}")
    yield (whole, True) if user is None else (own, False)
    postgres_server.drop_database(name)
    if user is not None:
        postgres_server.run(f"DROP ROLE {user}")


@pytest.fixture
def raw(login: tuple[str, bool]) -> Iterator[Connection]:
    """A connection past the product, in autocommit, to a database with two tenants: acme and globex."""
    url, becomes_role = login
    with psycopg.connect(url, autocommit=True) as connection:
        if becomes_role:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(APP_ROLE)))
        else:
            ((superuser,),) = connection.execute(
                "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
            ).fetchall()
            assert not superuser
        yield connection


def _set(connection: Connection, tenant: str) -> None:
    connection.execute("SELECT set_config(%s, %s, true)", (TENANT_SETTING, tenant))


def _count(connection: Connection, table: str, condition: str = "true") -> int:
    row = connection.execute(f'SELECT count(*) FROM "{table}" WHERE {condition}'.encode()).fetchone()
    assert row is not None
    return int(row[0])


def test_without_a_tenant_nothing_is_there(raw: Connection) -> None:
    for table in TABLES:
        assert _count(raw, table) == 0, table
        assert raw.execute(f'DELETE FROM "{table}"'.encode()).rowcount == 0
    for nobody in ("", "nobody", "ACME", "acme "):
        with raw.transaction():
            _set(raw, nobody)
            assert [table for table in TABLES if _count(raw, table)] == []


def test_one_tenant_reads_nothing_of_another(raw: Connection) -> None:
    with raw.transaction():
        _set(raw, "acme")
        for table in TABLES:
            assert _count(raw, table) == _count(raw, table, "tenant = 'acme'") > 0, table
            assert _count(raw, table, "tenant = 'globex' OR tenant <> 'acme'") == 0, table
        contents = raw.execute("SELECT content FROM body").fetchall()
        assert contents
        assert not any("globex" in content for (content,) in contents)
        joined = "memory m JOIN body b ON b.memory_seq = m.seq OR true"
        row = raw.execute(f"SELECT count(*) FROM {joined} WHERE b.tenant <> 'acme'".encode()).fetchone()
        assert row == (0,)


def test_one_tenant_changes_nothing_of_another(raw: Connection) -> None:
    def rows() -> list[Any]:
        with raw.transaction():
            _set(raw, "globex")
            return [
                raw.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2, 3'.encode()).fetchall()
                for table in TABLES
            ]

    before = rows()
    assert all(before)
    for table in TABLES:
        with raw.transaction(force_rollback=True):
            _set(raw, "acme")
            for statement in (
                f"UPDATE \"{table}\" SET tenant = tenant WHERE tenant = 'globex'",
                f"DELETE FROM \"{table}\" WHERE tenant = 'globex'",
            ):
                assert raw.execute(statement.encode()).rowcount == 0
        # Neither by handing a row over, nor by writing one for the other.
        for statement in (
            f"UPDATE \"{table}\" SET tenant = 'globex'",
            f'INSERT INTO "{table}" SELECT (jsonb_populate_record(t, \'{{"tenant": "globex"}}\')).* FROM "{table}" t',
        ):
            with pytest.raises(errors.InsufficientPrivilege, match="row-level security"), raw.transaction():
                _set(raw, "acme")
                raw.execute(statement.encode())
    assert rows() == before


def test_policies_cannot_be_taken_away(raw: Connection) -> None:
    owner = raw.execute("SELECT tableowner = current_user FROM pg_tables WHERE tablename = 'body'").fetchone()
    # row_security = off is a wish for an error, not for rows.
    with pytest.raises(errors.InsufficientPrivilege), raw.transaction():
        raw.execute("SET LOCAL row_security = off")
        raw.execute("SELECT * FROM body")
    if owner == (True,):
        return  # an owner may drop a policy: that is what the role is for
    for statement in (
        "ALTER TABLE body DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant_alone ON body",
        "TRUNCATE body",
        "CREATE POLICY all_of_it ON body USING (true)",
    ):
        with pytest.raises(errors.InsufficientPrivilege):
            raw.execute(statement.encode())


def test_the_tenant_goes_with_the_transaction(postgres_url: str) -> None:
    _filled(postgres_url, "acme").close()
    pool = open_pool(postgres_url, pool_size=1, pool_overflow=0)
    try:
        with read_connection(pool, "x", "acme") as connection:
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            assert connection.exec_driver_sql("SELECT current_user").scalar_one() == APP_ROLE
            assert connection.exec_driver_sql("SELECT count(*) FROM memory").scalar_one() == 3
        with pytest.raises(ZeroDivisionError), read_connection(pool, "x", "acme"):
            raise ZeroDivisionError
        with pool.connect() as connection:
            assert connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() == pid
            left = connection.exec_driver_sql(
                f"SELECT current_setting('{TENANT_SETTING}', true)"
            ).scalar_one()
            assert left in (None, "")
            assert connection.exec_driver_sql("SELECT current_user").scalar_one() != APP_ROLE
        with read_connection(pool, "x", "globex") as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM memory").scalar_one() == 0
    finally:
        pool.dispose()


def test_a_superuser_s_store_works_as_the_role(postgres_url: str) -> None:
    store = _filled(postgres_url, "acme")
    try:
        for opened in (store.reading, store.transaction):
            with opened(Scope("acme")) as given:
                connection = given.write.connection if hasattr(given, "write") else given
                assert connection.exec_driver_sql("SELECT current_user").scalar_one() == APP_ROLE
    finally:
        store.close()


def test_a_login_that_owns_nothing_can_use_the_store(postgres_url: str, app_url: Callable[..., str]) -> None:
    engramforge.open(postgres_url).close()
    with engramforge.open(app_url(f"IN ROLE {APP_ROLE}"), tenant="acme") as forge:
        first = forge.remember("The harbor opens at six.", project="atlas", tags=["red"])
        other = forge.remember("The ferry leaves at seven.", project="atlas")
        forge.remember_many([{"content": f"Ship {number} came in."} for number in range(60)])
        link = forge.link(
            first.id,
            other.id,
            "RELATES_TO",
            energy=0.5,
            confidence=0.5,
            emotion_vector={},
            goal="g",
            mindstate="m",
        ).link
        new = forge.revise(first.id, "The harbor opens at seven.")
        forge.supersede(other.id, "The ferry leaves at eight.")
        assert len(forge.links(new.id)) == 2
        forge.unlink(link.id)
        assert "harbor" in forge.recall("when does the harbor open").hits[0].memory.content
        forge.undo()
        forge.forget(new.id)
        assert forge.stats().memories == 61
        assert len(forge.memories(limit=100)) == 61
        (fault,) = forge.check()
        assert "only their owner" in fault, "what was forgotten lies in tables that this user cannot rewrite"
        assert forge.sweep().broken == 0
    with engramforge.open(app_url(f"IN ROLE {APP_ROLE}"), tenant="globex") as forge:
        assert forge.stats().versions == 0
