"""What may be wrong with a file, each as a typed error that names the fault and the mend, and nothing changed."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.conformance.conftest import ENCODER, NOW, at, entry

from engramforge.errors import (
    EngramforgeError,
    StoreCorrupt,
    StoreFull,
    StoreLocked,
    StoreTooNew,
    StoreUnavailable,
)
from engramforge.model.scope import Scope
from engramforge.store.sqlite.connection import open_engine, write_transaction
from engramforge.store.sqlite.store import SqliteStore, open_sqlite

SCOPE = Scope()


def opened(path: Path, busy_timeout_ms: int = 30_000) -> SqliteStore:
    return open_sqlite(path, "default", lambda: ENCODER.id, busy_timeout_ms)


def filled(path: Path, number: int = 3) -> Path:
    store = opened(path)
    with store.transaction(SCOPE) as writes:
        writes.insert([entry(f"Memory number {index}.") for index in range(number)])
    store.close()
    return path


def refused(kind: type[EngramforgeError], path: Path) -> None:
    """Opening raises this error, with a fault and a mend, and leaves the file as it is."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(kind) as caught:
        opened(path).close()
    assert str(path.name) in caught.value.fault or str(path.parent) in caught.value.fault
    assert caught.value.mend
    assert (path.read_bytes() if path.is_file() else None) == before


def test_text_is_not_a_database(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_text("This is not a database at all, but it is longer than a header of one. " * 20)
    refused(StoreCorrupt, path)


def test_a_database_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE holiday (id)")
    connection.commit()
    connection.close()
    refused(StoreCorrupt, path)


def test_a_damaged_file_is_found_by_check(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db", 400)
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 8192] = b"\xff" * 8192
    path.write_bytes(bytes(raw))
    try:
        store = opened(path)
    except StoreCorrupt:
        return
    try:
        assert any("damaged" in fault for fault in store.check())
    except StoreCorrupt as error:
        assert error.mend
    finally:
        store.close()


def test_a_newer_schema_is_refused_untouched(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    refused(StoreTooNew, path)


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    refused(StoreUnavailable, tmp_path)


def test_a_missing_folder(tmp_path: Path) -> None:
    refused(StoreUnavailable, tmp_path / "missing" / "memory.db")


def test_a_read_only_database(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "if os.geteuid() == 0:\n"
        "    os.setuid(65534)\n"
        "from engramforge.errors import StoreUnavailable\n"
        "from engramforge.store.sqlite.store import open_sqlite\n"
        "try:\n"
        "    open_sqlite(Path(sys.argv[1]), 'default', lambda: 'x')\n"
        "except StoreUnavailable as error:\n"
        "    print(error)\n"
    )
    # Imported as the owner, then tried as somebody who may read only: root is never refused by permissions.
    before = path.read_bytes()
    path.chmod(0o444)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == path.owner() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    run = subprocess.run(
        [sys.executable, "-c", "import sqlalchemy, engramforge.store.sqlite.store\n" + program, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "is read-only" in run.stdout
    assert "write permission" in run.stdout
    assert path.read_bytes() == before


def test_a_lock_held_too_long(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    store = opened(path, busy_timeout_ms=50)
    with pytest.raises(StoreLocked) as caught, store.transaction(SCOPE) as writes:
        writes.insert([entry("Blocked.")])
    assert "another process" in caught.value.fault
    assert len(store.asking(SCOPE).browse(at(NOW), 10)) == 3
    blocker.execute("ROLLBACK")
    with store.transaction(SCOPE) as writes:
        writes.insert([entry("Free again.")])
    assert len(store.asking(SCOPE).browse(at(NOW), 10)) == 4
    store.close()


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    engine = open_engine(path)
    with pytest.raises(StoreFull) as caught, write_transaction(engine, path) as connection:
        # The driver's own limit gives exactly what a full disk gives.
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        from engramforge.store.sqlite.ledger import SqliteLedger
        from engramforge.store.writing.ledger import Write
        from engramforge.store.writing.transaction import StoreTransaction

        StoreTransaction(Write(SqliteLedger(connection, SCOPE), SCOPE)).insert(
            [entry("x" * 4000) for _ in range(50)]
        )
    assert "space" in caught.value.mend
    engine.dispose()
    store = opened(path)
    assert len(store.asking(SCOPE).browse(at(NOW), 100)) == 3
    assert store.check() == []
    store.close()


def test_a_tenant_is_a_file(tmp_path: Path) -> None:
    from engramforge.errors import OutOfScope

    path = filled(tmp_path / "memory.db")
    with pytest.raises(OutOfScope):
        open_sqlite(path, "another", lambda: ENCODER.id)


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    assert filled(tmp_path / "memory.db").stat().st_mode & 0o077 == 0


def test_many_threads_make_one_store(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    identities, faults = [], []

    def make() -> None:
        try:
            store = opened(path)
            identities.append(store.identity.store_id)
            store.close()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(set(identities)) == 1


def test_a_copy_opens_elsewhere(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    (tmp_path / "other place").mkdir()
    copy = Path(shutil.copy(path, tmp_path / "other place" / "memory.db"))
    store = opened(copy)
    assert len(store.asking(SCOPE).browse(at(NOW), 10)) == 3
    store.close()
