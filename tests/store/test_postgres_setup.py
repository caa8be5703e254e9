"""Setting up a PostgreSQL store: once, by however many at once, in an empty database; nothing of others is touched."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.conformance.spaces import with_signals
from tests.postgres import PostgresServer
from tests.store.test_migration import PACKAGE, PLANTED
from tests.store.test_postgres_migration import catalogue

from engramforge.errors import OutOfScope, StoreCorrupt, StoreTooNew
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Extent
from engramforge.store.postgres.store import PostgresStore, open_postgres
from engramforge.store.schema import SCHEMA_REVISION


def opened(url: str, tenant: str = "default") -> PostgresStore:
    return open_postgres(url, tenant, lambda: ENCODER.id)


def run(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def postgres_url(empty_url: str) -> str:
    """Here the tables are not there yet."""
    return empty_url


def test_the_tests_databases_are_what_a_store_makes(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    opened(postgres_url).close()
    name = postgres_server.create_database()
    ready = postgres_server.database_url(name)
    try:
        assert catalogue(ready) == catalogue(postgres_url)
        names = run(ready, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        filled = [name for (name,) in names if run(ready, f"SELECT 1 FROM {name} LIMIT 1")]
        assert filled == ["alembic_version"]
        for sequence in ("position_counter", "change_counter"):
            assert run(ready, f"SELECT is_called FROM {sequence}") == [(False,)]
    finally:
        postgres_server.drop_database(name)


def test_a_store_is_made_once_and_keeps_its_identity(postgres_url: str) -> None:
    first, second = opened(postgres_url), opened(postgres_url)
    assert first.identity == second.identity
    other = opened(postgres_url, "other")
    assert other.identity.store_id != first.identity.store_id
    assert first.identity.engine == "postgresql"
    assert "@" not in first.identity.location.partition("@")[2]
    for store in (first, second, other):
        store.close()


def test_many_that_open_an_empty_database_at_once_make_one_store(postgres_url: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: opened(postgres_url), range(8)))
    assert len({store.identity.store_id for store in stores}) == 1
    for store in stores:
        store.close()


@pytest.mark.parametrize("is_creator", [False, True])
def test_two_databases_of_a_server_set_up_at_once_make_one_role(
    postgres_url: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch, is_creator: bool
) -> None:
    """A role belongs to the whole server; whoever is second waits for the first, and then it is there."""
    role = f"engramforge_test_{secrets.token_hex(6)}"
    monkeypatch.setattr("engramforge.store.postgres.setup.APP_ROLE", role)
    url = postgres_url
    if is_creator:
        user, password = postgres_server.create_role("CREATEROLE")
        name = postgres_server.name_of(postgres_url)
        postgres_server.run(f"ALTER DATABASE {name} OWNER TO {user}")
        url = postgres_server.database_url(name, user, password)
    waiting = (
        f"SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE ROLE {role}%' AND wait_event_type = 'Lock'"
    )
    with psycopg.connect(postgres_server.url) as faster, ThreadPoolExecutor(1) as pool:
        faster.execute(f"CREATE ROLE {role} NOLOGIN".encode())
        later = pool.submit(opened, url)
        while not postgres_server.run(waiting):
            assert not later.done(), later.exception()
        faster.commit()
        later.result(30).close()
    postgres_server.run(f"DROP OWNED BY {role}", database=postgres_server.name_of(postgres_url))
    postgres_server.run(f"DROP ROLE {role}")


def test_a_store_of_a_later_version_is_refused_untouched(postgres_url: str) -> None:
    opened(postgres_url).close()
    run(postgres_url, "UPDATE alembic_version SET version_num = '9001'")
    with pytest.raises(StoreTooNew) as caught:
        opened(postgres_url)
    assert "9001" in caught.value.fault and "Upgrade" in caught.value.mend
    assert run(postgres_url, "SELECT version_num FROM alembic_version") == [("9001",)]


def test_tables_of_something_else_are_refused(postgres_url: str) -> None:
    run(postgres_url, "CREATE TABLE memory (id int)")
    with pytest.raises(StoreCorrupt) as caught:
        opened(postgres_url)
    assert "something else" in caught.value.fault
    assert run(postgres_url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]


def test_an_owner_who_may_make_no_role_is_bound_all_the_same(owned_url: str) -> None:
    store, other = opened(owned_url), opened(owned_url, "other")
    with store.transaction(Scope()) as writes:
        writes.insert([entry("Only the default tenant knows this.")])
    assert store.tending(Scope()).count().memories == 1
    assert other.tending(Scope("other")).count().memories == 0
    assert run(owned_url, "SELECT count(*) FROM memory") == [(0,)]
    for handle in (store, other):
        handle.close()


def test_a_store_serves_its_own_tenant_only(postgres_url: str) -> None:
    store = opened(postgres_url)
    with pytest.raises(OutOfScope):
        store.tending(Scope("other")).count()
    with pytest.raises(OutOfScope), store.transaction(Scope("other")):
        pass
    store.close()


def test_an_older_schema_is_brought_forward_by_a_later_version(postgres_url: str, tmp_path: Path) -> None:
    """A later version of the package, whose schema has one revision more, opens what this one wrote."""
    store = opened(postgres_url)
    with store.transaction(Scope()) as writes:
        writes.insert([entry("Written before the migration.")])
    store.close()
    later = tmp_path / "engramforge"
    shutil.copytree(PACKAGE, later, ignore=shutil.ignore_patterns("__pycache__"))
    planted = PLANTED.format(before=SCHEMA_REVISION)
    (later / "store" / "migrations" / "versions" / "9001_planted.py").write_text(planted)
    schema = later / "store" / "schema.py"
    stated = f'SCHEMA_REVISION: Final = "{SCHEMA_REVISION}"'
    schema.write_text(schema.read_text().replace(stated, 'SCHEMA_REVISION: Final = "9001"'))
    script = (
        "import sys, engramforge\n"
        "with engramforge.open(sys.argv[1]) as forge:\n"
        "    print(forge.stats().memories, forge.identity.schema)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, postgres_url],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.split() == ["1", "9001"], done.stderr
    assert run(postgres_url, "SELECT version_num FROM alembic_version") == [("9001",)]
    with pytest.raises(StoreTooNew):
        opened(postgres_url)


def test_what_was_written_by_a_login_role_that_owns_nothing(
    postgres_url: str, app_url: Callable[..., str]
) -> None:
    opened(postgres_url).close()
    store = opened(app_url("IN ROLE engramforge_app"))
    with store.transaction(Scope()) as writes:
        writes.insert([entry(f"Note {number} of a guest.") for number in range(60)])
    assert len(store.asking(Scope()).browse(at(NOW), 100)) == 60
    with store.transaction(Scope()) as writes:
        writes.forget(Extent([store.asking(Scope()).browse(at(NOW), 1)[0].logical_id]), NOW)
    assert store.tending(Scope()).count().memories == 59
    store.close()


def test_the_planner_keeps_no_words_of_memories(postgres_url: str) -> None:
    """Nor what encoders made of them. Its samples would outlive a forget, in a table of the server's own."""
    store = opened(postgres_url)
    said = {"speaker": "Zephyrina", "tags": ("plovdiv",), "session_id": "wombat", "name": "Jubilant"}
    with store.transaction(Scope()) as writes:
        notes = [entry(f"The quixotic note {number}.", sequence=number, **said) for number in range(90)]
        writes.insert([with_signals(note, (), ("Xanadu Harbor", "Ozymandias")) for note in notes])
    run(postgres_url, "ANALYZE")
    ((kept,),) = run(postgres_url, "SELECT coalesce(string_agg(s::text, ' '), '') FROM pg_stats s")
    words = ("zephyrina", "plovdiv", "wombat", "jubilant", "quixotic", "xanadu", "ozymandias")
    assert [word for word in words if word in str(kept).lower()] == []
    assert "personal" in str(kept)
    made = run(
        postgres_url,
        "SELECT tablename, attname FROM pg_stats JOIN pg_attribute USING (attname) WHERE schemaname = 'public' AND"
        " attrelid = to_regclass(tablename) AND atttypid IN ('bytea'::regtype, 'halfvec'::regtype, 'varbit'::regtype)",
    )
    assert {column for _, column in made} <= {
        "id",
        "logical_id",
        "key",
        "source_id",
        "target_id",
        "correction_id",
    }
    store.close()
