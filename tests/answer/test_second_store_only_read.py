"""The oracle's second store is only read: nothing in it or beside it changes, and no copy of it outlives a process."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.children import Child

import engramforge
from engramforge.errors import StoreUnavailable
from engramforge.forge import Forge
from engramforge.store.postgres.store import open_postgres
from engramforge.store.sqlite.store import open_sqlite

QUESTION = "Who is the keeper of the lighthouse on the far island?"
KEEPER = "The keeper of the lighthouse on the far island is Morwenna Tregenza."
NEXT = "The keeper of the lighthouse on the far island is now Jago Penrose."
NOT_ASKED = "The fallback store was not asked: "
OLD = Path(__file__).parents[1] / "store" / "store_0002.sql"
KILLED = """
import os, signal, sys, tempfile
import engramforge
os.environ["ORACLE_FALLBACK"] = sys.argv[2]
tempfile.tempdir = sys.argv[4]
forge = engramforge.open(sys.argv[1])
assert forge.consult(sys.argv[3]).answered
os.kill(os.getpid(), signal.SIGKILL)
"""
UNFINISHED = """
import os, signal, sys
import engramforge
forge = engramforge.open(sys.argv[1])
forge.remember(sys.argv[2], project="harbour")
os.kill(os.getpid(), signal.SIGKILL)
"""

Asked = Callable[[object], Forge]


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """Opens a store of another matter with this fallback."""
    forges: list[Forge] = []

    def opened(place: object) -> Forge:
        monkeypatch.setenv("ORACLE_FALLBACK", str(place))
        forges.append(engramforge.open(tmp_path / "first"))
        forges[-1].remember("The gulls were loud on the quay this morning.", project="town")
        return forges[-1]

    yield opened
    for forge in forges:
        forge.close()


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """The home of another store."""
    with engramforge.open(tmp_path / "second") as forge:
        forge.remember(KEEPER, project="harbour")
    return tmp_path / "second"


def _files(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_nothing_in_another_home_changes(asking: Asked, second: Path) -> None:
    before = _files(second)
    forge = asking(second)
    assert KEEPER in forge.consult(QUESTION, "deep").answer
    assert before.items() <= _files(second).items(), "while it is open"
    forge.close()
    assert _files(second) == before


def test_what_a_killed_process_has_left_in_the_log_is_read_and_stays(asking: Asked, second: Path) -> None:
    Child(UNFINISHED, second, NEXT).wait(60)
    log = second / "memory.db-wal"
    before = {path: _files(second)[str(path)] for path in (second / "memory.db", log)}
    assert log.stat().st_size > 0
    forge = asking(second)
    assert NEXT in forge.consult(QUESTION).answer
    forge.close()
    assert before == {path: _files(second)[str(path)] for path in before}


def test_what_is_written_there_meanwhile_is_found(asking: Asked, second: Path) -> None:
    forge = asking(second)
    assert NEXT not in forge.consult(QUESTION).answer
    with engramforge.open(second) as writer:
        writer.remember(NEXT, project="harbour")
        assert NEXT in forge.consult(QUESTION).answer, "while its writer has it open"
    with engramforge.open(second) as writer:
        writer.remember("The keeper of the lighthouse on the far island sails the Curlew.", project="harbour")
    assert "Curlew" in forge.consult(QUESTION).answer


def test_while_it_is_written_to_every_answer_is_whole(asking: Asked, second: Path) -> None:
    forge, over = asking(second), threading.Event()

    def write() -> None:
        for number in range(40):
            with engramforge.open(second) as writer:
                writer.remember(f"Gull {number} sat on the quay. " + "x" * 5_000, project="birds")
        over.set()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        while not over.is_set():
            answer = forge.consult(QUESTION)
            assert KEEPER in answer.answer, answer.degraded
    finally:
        writing.join()


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _older(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.executescript(OLD.read_text())
    connection.close()


def _foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE boat (name TEXT)")
    connection.close()


def _newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_emptied, "is empty"),
        (_older, "schema 0002"),
        (_foreign, "something else"),
        (_newer, "Upgrade engramforge"),
    ],
)
def test_a_file_that_is_no_store_of_today_stays_as_it_is(
    asking: Asked, second: Path, change: Callable[[Path], None], said: str
) -> None:
    change(second / "memory.db")
    before = _files(second)
    forge = asking(second)
    answer = forge.consult(QUESTION)
    forge.close()
    assert not answer.answered and answer.degraded.startswith(NOT_ASKED) and said in answer.degraded
    assert _files(second) == before


@pytest.mark.parametrize("place", ["~nobody_of_that_name/x", "/" + "x" * 5_000, "/" + "y/" * 2_500])
def test_a_path_that_the_system_refuses_only_degrades(asking: Asked, place: str) -> None:
    answer = asking(place).consult(QUESTION)
    assert answer.degraded.startswith(NOT_ASKED) and len(answer.degraded) < 500


def test_a_store_that_is_opened_to_be_read_refuses_a_write(second: Path, postgres_url: str) -> None:
    with engramforge.open(postgres_url) as forge:
        forge.remember(KEEPER)
    for store in (
        open_sqlite(second / "memory.db", "default", lambda: "x", only_read=True),
        open_postgres(postgres_url, "default", lambda: "x", only_read=True),
    ):
        scope = forge._scope
        with pytest.raises(StoreUnavailable):
            store.write(scope, lambda writes: writes.save_mark("odd", {"value": 1}))
        assert "odd" not in store.asking(scope).marks("odd")
        store.close()


def test_a_database_of_an_older_schema_or_without_a_store_stays_as_it_is(
    asking: Asked, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        assert asking(postgres_url).consult(QUESTION).degraded.startswith(NOT_ASKED)
        tenants = "SELECT count(DISTINCT tenant) FROM store"
        assert connection.execute(tenants).fetchone() == (0,), "nothing is made"
        with engramforge.open(postgres_url) as forge:
            forge.remember(KEEPER)
        assert asking(postgres_url).consult(QUESTION).answered
        connection.execute("UPDATE alembic_version SET version_num = '0002'")
        assert "schema 0002" in asking(postgres_url).consult(QUESTION).degraded
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)


def test_copies_of_tables_do_not_outlive_a_killed_process_for_long(
    asking: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lancedb: Any = pytest.importorskip("lancedb")
    rows = [{"id": "row-1", "text": KEEPER, "vector": [0.5, 0.5]}]
    lancedb.connect(str(tmp_path / "tables")).create_table("memory", data=rows)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    forge = asking(tmp_path / "tables")
    assert forge.consult(QUESTION).answered
    (own,) = (tmp_path / "temporary").iterdir()
    child = Child(KILLED, tmp_path / "other", tmp_path / "tables", QUESTION, tmp_path / "temporary")
    child.wait(60)
    assert len(list((tmp_path / "temporary").iterdir())) == 2, "its copy is left"
    foreign = tmp_path / "temporary" / "engramforge-fallback-link"
    foreign.symlink_to(tmp_path / "tables")
    asking(tmp_path / "tables")
    assert set((tmp_path / "temporary").iterdir()) == {own, foreign}, "of a living process and a link stay"
    assert (tmp_path / "tables" / "memory.lance").is_dir() and forge.consult(QUESTION).answered
    forge.close()
    assert list((tmp_path / "temporary").iterdir()) == [foreign]
