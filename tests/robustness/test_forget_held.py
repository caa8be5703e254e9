"""What others hold while something is forgotten: it is told, queued, and cleared as soon as they let go."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import sqlalchemy as sa
from tests.children import Child, finished
from tests.postgres import PostgresServer, PrivateServer
from tests.robustness.conftest import traces
from tests.robustness.forget_trial import words_on_server

import engramforge
from engramforge.errors import InvalidContent, InvalidSource, InvalidValue
from engramforge.faces.cli.program import run

WORDS = ["jubilant", "wombat"]


@contextmanager
def reader(home: Path) -> Iterator[sqlite3.Connection]:
    """Another program's transaction that reads the store."""
    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM memory").fetchone()
        yield connection


@pytest.mark.parametrize("through", ["open", "sweep", "check", "forget"])
def test_a_reader_of_the_file(tmp_path: Path, through: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engramforge.store.sqlite.erasure._WAIT_S", 0.3)
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        chosen, other = forge.remember("A jubilant wombat."), forge.remember("Something else.")
        with reader(home):
            proof = forge.forget(chosen.id)
            assert proof.queued and not proof.verified
            holding = [path.name for path in sorted(home.iterdir()) if b"wombat" in path.read_bytes()]
            assert [held.name for held in proof.found] == holding
            assert f"({os.getpid()})" in proof.found[0].why
            assert any("memory.db-wal" in fault for fault in forge.check()), "the doctor tells of it"
            assert traces(home, WORDS)
        if through == "open":
            engramforge.open(home).close()
        elif through == "sweep":
            forge.sweep()
        elif through == "check":
            assert forge.check() == []
        else:
            assert forge.forget(other.id).verified
        assert traces(home, WORDS) == set()


def test_others_do_not_take_the_log_from_who_forgot(tmp_path: Path) -> None:
    """A process that looks into its own store's file must not lose its locks by that: whoever closed the store next
    would remove the log that it writes to."""
    home = tmp_path / "home"
    asking = """
import sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    print(*(memory.content for memory in forge.memories()), sep=";", flush=True)
"""
    with engramforge.open(home) as forge:
        engramforge.open(home).close()
        forge.forget(forge.remember("A jubilant wombat.").id)
        for content in ("The first narwhal.", "The second narwhal."):
            finished(Child(asking, home))
            forge.remember(content)
        told = finished(Child(asking, home))
    assert sorted(told.strip().split(";")) == ["The first narwhal.", "The second narwhal."]


@pytest.mark.parametrize("name", ["memory.db", "memory.db-shm", "bob.memory.db", "linked"])
def test_a_file_of_a_store_is_neither_read_nor_written(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge, engramforge.open(home, tenant="bob") as bob:
        kept = [forge.remember("The first narwhal."), bob.remember("The second narwhal.")]
        (home / "linked").symlink_to("memory.db")
        with pytest.raises(InvalidSource, match="of a store"):
            forge.import_path(home / name, format="markdown")
        with pytest.raises(InvalidSource, match="of a store"):
            forge.import_path(tmp_path, assign=f"@{home / name}")
        with pytest.raises(InvalidContent, match="of a store"):
            forge.remember("See this.", images=[str(home / name)])
        with pytest.raises(InvalidValue, match="of a store"):
            forge.export(home / name)
        locks = Path("/proc/locks")
        for file in ("memory.db", "bob.memory.db") if locks.exists() else ():
            assert f":{(home / file).stat().st_ino} " in locks.read_text(), "the process keeps its lock on it"
        assert [forge.get(kept[0].id).content, bob.get(kept[1].id).content] == [each.content for each in kept]


def test_copies_in_the_home_and_beside_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge, engramforge.open(home, tenant="other") as stranger:
        chosen = forge.remember("A jubilant wombat sang all the night in Plovdiv.")
        stranger.remember("A jubilant wombat sang all the night in Plovdiv.")
        for name in ("memory.db.before-0005", "memory.db.before-0004.partial", "mine.txt"):
            (home / name).write_text("x A jubilant wombat sang all the night in Plovdiv. y")
        (home / "memory.db.before-0003").write_text("of something else")
        proof = forge.forget(chosen.id)
        assert sorted(proof.cleared) == ["memory.db.before-0004.partial", "memory.db.before-0005"]
        assert [(held.place, held.name) for held in proof.found] == [("file", "mine.txt")]
        assert not proof.verified and not proof.queued
        left = {path.name for path in home.iterdir() if b"jubilant" in path.read_bytes()}
        assert left <= {"mine.txt", "other.memory.db", "other.memory.db-wal"}, "another tenant's is not ours"
        assert (home / "memory.db.before-0003").exists()
        assert "other" not in repr(proof)


def test_a_usual_line_in_a_file_of_the_home_is_no_trace(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        for number in range(8):
            forge.remember(f"    return (\nwho counts the {number} things")
        chosen = forge.remember("A kitten, said Zo\u00eb.\n    return (\nThe wombat eats 47 figs")
        (home / "mine.py").write_text("def two():\n    return (\n        1 + 1\n    )\n" * 9)
        (home / "pins.txt").write_text("x" * 5_000_000 + "\nThe wombat eats 47 figs\n" + "y" * 5_000)
        proof = forge.forget(chosen.id)
    assert {"mine.py", "pins.txt"} <= set(proof.searched)
    assert [(held.place, held.name) for held in proof.found] == [("file", "pins.txt")]


@pytest.fixture
def tenants(postgres_url: str) -> Callable[[str], engramforge.forge.Forge]:
    """Opens tenants of one database."""
    return lambda tenant: engramforge.open(postgres_url, tenant=tenant)


@pytest.fixture
def search(postgres_server: PostgresServer) -> Callable[[list[str]], set[str]]:
    """Which of some words the server's files have."""
    if not isinstance(postgres_server, PrivateServer):
        pytest.skip("an ordinary server's files are not ours to read")
    return words_on_server(postgres_server)


@pytest.mark.parametrize("through", ["open", "sweep", "check", "forget"])
def test_a_snapshot_on_the_server(
    postgres_url: str, search: Callable[[list[str]], set[str]], monkeypatch: pytest.MonkeyPatch, through: str
) -> None:
    monkeypatch.setattr("engramforge.store.postgres.erasure.PATIENCE_S", 0.2)
    url = postgres_url + ("&" if "?" in postgres_url else "?") + f"application_name={quote('a report')}"
    with engramforge.open(postgres_url) as forge:
        chosen = forge.remember("A jubilantqq wombatqq.")
        with psycopg.connect(url) as held:
            held.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            held.execute("SELECT 1")
            proof = forge.forget(chosen.id)
            assert proof.queued and not proof.verified
            assert [each.place for each in proof.found] == ["transaction"]
            assert proof.found[0].name.startswith("a report")
            assert "the server keeps the removed rows for it" in proof.found[0].why
            assert any("a report" in fault for fault in forge.check())
        assert search(["jubilantqq"]), "its dead row is still in the file"
        if through == "open":
            engramforge.open(postgres_url).close()
        elif through == "sweep":
            forge.sweep()
        elif through == "forget":
            assert forge.forget(forge.remember("A narwhal.").id).verified
        assert through == "check" or search(["jubilantqq", "wombatqq"]) == set()
        assert forge.check() == []
    assert search(["jubilantqq", "wombatqq"]) == set()


def test_large_tables_wait_for_a_sweep(
    postgres_url: str, search: Callable[[list[str]], set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engramforge.store.postgres.erasure.REWRITTEN_BYTES", 1)
    with engramforge.open(postgres_url) as forge:
        forge.remember("Something else, for a page that stays.")
        proof = forge.forget(forge.remember("A jubilantqv wombatqv.").id)
        assert proof.queued and not proof.verified
        assert "body" in {each.name for each in proof.found}
        assert all(each.place == "table" and "a sweep does it" in each.why for each in proof.found)
    assert search(["jubilantqv"]), "freed, and not overwritten"
    with engramforge.open(postgres_url) as forge:
        assert search(["jubilantqv"]), "an opening does not take the time"
        forge.sweep()
        assert search(["jubilantqv", "wombatqv"]) == set()
        assert forge.check() == []


def test_tables_of_another_user_wait_for_that_user(
    postgres_url: str,
    search: Callable[[list[str]], set[str]],
    app_url: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = app_url("IN ROLE engramforge_app")
    with engramforge.open(url) as forge:
        proof = forge.forget(forge.remember("A jubilantqu wombatqu.").id)
        assert proof.queued and not proof.verified
        assert len(proof.found) == 1 and "the user postgres" in proof.found[0].why
        for _ in range(2):
            (fault,) = forge.check()
            assert "the user postgres" in fault
    assert run(["doctor", "--url", url, "--json"]) == 1
    told = [each for each in json.loads(capsys.readouterr().out)["checks"] if each["state"] == "fault"]
    assert [each["name"] for each in told] == ["integrity"] and "that user" in told[0]["mend"]
    engramforge.open(postgres_url, tenant="other").close()
    assert search(["jubilantqu"])
    engramforge.open(postgres_url).close()
    assert search(["jubilantqu", "wombatqu"]) == set()
    with engramforge.open(url) as forge:
        assert forge.check() == []


def test_another_tenant_does_not_wait(
    postgres_url: str, tenants: Callable[[str], engramforge.forge.Forge], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long transaction uses the tables; a rewrite that waited for it would make everybody else queue."""
    monkeypatch.setattr("engramforge.store.postgres.erasure.PATIENCE_S", 0.6)
    with tenants("one") as one, tenants("two") as two:
        chosen = one.remember("A jubilant wombat.")
        two.remember("The other tenant's narwhal.")
        two.recall("narwhal")
        times: list[float] = []
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                began = time.monotonic()
                assert len(two.recall("narwhal").hits) == 1
                times.append(time.monotonic() - began)

        with psycopg.connect(postgres_url) as held:
            held.execute("SELECT count(*) FROM memory, body, link, posting, registry, audit, session, mark")
            asking = threading.Thread(target=ask)
            asking.start()
            proof = one.forget(chosen.id)
            done.set()
            asking.join()
        assert proof.queued and {each.place for each in proof.found} <= {"table", "transaction"}
        assert len(times) > 5 and max(times) < 0.9, max(times)


def test_tables_that_others_read_are_told_and_cleared_by_the_next_upkeep(
    postgres_url: str,
    tenants: Callable[[str], engramforge.forge.Forge],
    search: Callable[[list[str]], set[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engramforge.store.postgres.erasure.PATIENCE_S", 0.2)
    with tenants("one") as one, tenants("two") as two, psycopg.connect(postgres_url) as reading:
        chosen = one.remember("A jubilantqr wombatqr.")
        two.remember("The other tenant's narwhal.")
        # Between two questions of a transaction nothing is seen, and the tables are in use all the same.
        reading.execute("SELECT count(*) FROM body, memory WHERE body.tenant = 'two'")
        proof = one.forget(chosen.id)
        assert proof.queued and [each.place for each in proof.found] == ["table"]
        assert {"body", "memory"} <= set(proof.found[0].name.split(", "))
        assert "others are reading or writing there just now" in proof.found[0].why
        assert "cleared when the store is next opened or swept" in proof.found[0].why
        reading.rollback()
        one.sweep()
        assert search(["jubilantqr", "wombatqr"]) == set() and one.check() == []


def test_no_setting_stays_in_a_session(postgres_url: str) -> None:
    """As behind a pooler, which hands sessions on: what one client set, the next would have."""
    with engramforge.open(postgres_url) as forge:
        door = forge._stages.door
        before = _settings(door)
        forge.forget(forge.remember("A jubilant wombat.").id)
        assert _settings(door) == before
        statements: list[str] = []
        sa.event.listen(
            door._engine,  # type: ignore[attr-defined]
            "before_cursor_execute",
            lambda *arguments: statements.append(arguments[2]),
        )
        forge.forget(forge.remember("A second jubilant wombat.").id)
        assert any("VACUUM" in each for each in statements)
        assert not [each for each in statements if each.lstrip().startswith(("SET ", "RESET "))]


def test_many_memories_take_hardly_more_statements_than_two(postgres_url: str) -> None:
    with engramforge.open(postgres_url) as forge:
        made = forge.remember_many(
            {"content": f"Crate {number} is on pier {number % 7}."} for number in range(102)
        )
        statements: list[str] = []
        sa.event.listen(
            forge._stages.door._engine,  # type: ignore[attr-defined]
            "before_cursor_execute",
            lambda *arguments: statements.append(arguments[2]),
        )
        sent = []
        for some in (made[:2], made[2:]):
            statements.clear()
            forge.forget([each.id for each in some], confirmed=True)
            sent.append(
                len([each for each in statements if "VACUUM" not in each and "pg_relation" not in each])
            )
        assert sent[1] < sent[0] + 60, sent


def _settings(door: object) -> list[tuple[str, str]]:
    with door._engine.connect() as connection:  # type: ignore[attr-defined]
        rows = connection.exec_driver_sql("SELECT name, setting FROM pg_settings WHERE source = 'session'")
        return sorted((row[0], row[1]) for row in rows)
