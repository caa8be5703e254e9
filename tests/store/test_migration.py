"""Migrations: from nothing they make what a new store has at once; an older store is copied, then brought forward."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.store.sqlite_file import read

import engramforge
from engramforge.errors import StoreTooNew
from engramforge.store.schema import SCHEMA_REVISION
from engramforge.store.sqlite.connection import open_engine, upgrade_file

PACKAGE = Path(engramforge.__file__).parent
PLANTED = '''"""A later schema, for the test."""

import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{before}"


def upgrade() -> None:
    """Add a table and a column."""
    op.create_table("planted", sa.Column("seq", sa.Integer, primary_key=True))
    with op.batch_alter_table("project") as batch:
        batch.add_column(sa.Column("colour", sa.Text, nullable=True))
'''


def shape_of(path: Path) -> dict[str, object]:
    """Every table with its columns, keys and indexes."""
    shape: dict[str, object] = {}
    for name, without_rowid in read(path, "SELECT name, wr FROM pragma_table_list WHERE type = 'table'"):
        if str(name).startswith("sqlite_"):
            continue
        indexes = [
            (unique, origin, partial, read(path, f"SELECT name FROM pragma_index_info('{index}')"))
            for _, index, unique, origin, partial in read(path, f"SELECT * FROM pragma_index_list('{name}')")
        ]
        shape[str(name)] = {
            "without_rowid": without_rowid,
            "columns": sorted(
                read(path, f"SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('{name}')")
            ),
            "keys": sorted(
                read(
                    path, f'SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(\'{name}\')'
                )
            ),
            "indexes": sorted(indexes, key=repr),
        }
    return shape


def named_indexes(path: Path) -> list[tuple[object, ...]]:
    return sorted(
        read(path, "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    )


def migrated(path: Path) -> Path:
    """A file that Alembic alone has made."""
    engine = open_engine(path)
    try:
        assert upgrade_file(engine, path, None) is None
    finally:
        engine.dispose()
    return path


def fresh(folder: Path) -> Path:
    """A store of today with one memory; returns its file."""
    with engramforge.open(folder) as forge:
        forge.remember("The well is behind the mill.", project="farm")
    return folder / "memory.db"


def test_migrations_make_what_a_new_store_has(tmp_path: Path) -> None:
    first, other = fresh(tmp_path / "home"), migrated(tmp_path / "migrated.db")
    assert shape_of(first) == shape_of(other)
    assert named_indexes(first) == named_indexes(other)
    assert len(shape_of(first)) > 10
    assert read(other, "SELECT * FROM alembic_version") == [(SCHEMA_REVISION,)]


def test_every_partial_index_has_the_same_condition(tmp_path: Path) -> None:
    statement = (
        "SELECT name, substr(sql, instr(sql, 'WHERE')) FROM sqlite_master WHERE sql LIKE '%INDEX%WHERE%'"
    )
    first, other = fresh(tmp_path / "home"), migrated(tmp_path / "migrated.db")
    assert sorted(read(first, statement)) == sorted(read(other, statement)) != []


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    path = migrated(tmp_path / "memory.db")
    before = shape_of(path)
    assert migrated(path) == path
    assert shape_of(path) == before
    assert [file.name for file in tmp_path.iterdir() if "before" in file.name] == []


def test_a_migrated_store_holds_memories(tmp_path: Path) -> None:
    """The tables that Alembic made serve the engine: written to and read from as any other's."""
    from engramforge.model.scope import Scope
    from engramforge.store.sqlite.store import open_sqlite

    path = migrated(tmp_path / "memory.db")
    keep = {"store_id": "s", "tenant": "default", "created": "2026-01-01", "change": "0", "position": "0"}
    connection = sqlite3.connect(path)
    connection.executemany("INSERT INTO store (key, value) VALUES (?, ?)", keep.items())
    connection.commit()
    connection.close()
    store = open_sqlite(path, "default", lambda: ENCODER.id)
    with store.transaction(Scope()) as writes:
        writes.insert([entry("A memory in migrated tables.", tags=("one",))])
    assert [memory.tags for memory in store.asking(Scope()).browse(at(NOW), 10)] == [("one",)]
    store.close()


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """A later version of the package, whose schema has one revision more; the folder for PYTHONPATH."""
    folder = tmp_path / "later"
    shutil.copytree(PACKAGE, folder / "engramforge", ignore=shutil.ignore_patterns("__pycache__"))
    store = folder / "engramforge" / "store"
    (store / "migrations" / "versions" / "9001_planted.py").write_text(PLANTED.format(before=SCHEMA_REVISION))
    schema = (store / "schema.py").read_text()
    stated = f'SCHEMA_REVISION: Final = "{SCHEMA_REVISION}"'
    assert stated in schema
    (store / "schema.py").write_text(schema.replace(stated, 'SCHEMA_REVISION: Final = "9001"'))
    return folder


def recalled_by(package: Path, home: Path) -> list[str]:
    """What the package finds in a store, in a process of its own."""
    code = (
        "import sys, engramforge\n"
        "assert engramforge.__file__.startswith(sys.argv[1]), engramforge.__file__\n"
        "with engramforge.open(sys.argv[2]) as forge:\n"
        "    print('\\n'.join(hit.memory.content for hit in forge.recall('mill').hits))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, str(package), str(home)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(package)},
    )  # fmt: skip
    return shown.stdout.splitlines()


def test_an_older_store_is_copied_and_brought_forward(later: Path, tmp_path: Path) -> None:
    home = tmp_path / "home with 100 % space"
    path = fresh(home)
    before = shape_of(path)
    assert recalled_by(later, home) == ["The well is behind the mill."]
    after = shape_of(path)
    assert set(after) - set(before) == {"planted"}
    assert read(path, "SELECT name, colour FROM project") == [("farm", None)]
    assert read(path, "SELECT * FROM alembic_version") == [("9001",)]
    backup = home / "memory.db.before-9001"
    assert shape_of(backup) == before
    assert read(backup, "SELECT content FROM body") == [("The well is behind the mill.",)]

    # Once is enough: the second opening neither migrates nor copies.
    kept = backup.read_bytes()
    assert recalled_by(later, home) == ["The well is behind the mill."]
    assert backup.read_bytes() == kept
    assert shape_of(path) == after

    # The version of today refuses what the later one made, and leaves it alone.
    with pytest.raises(StoreTooNew, match="9001"):
        engramforge.open(home)
    assert read(path, "SELECT * FROM alembic_version") == [("9001",)]


def test_the_copy_is_the_owner_s_alone_from_its_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engramforge.store.sqlite import connection

    path = fresh(tmp_path / "home")
    modes: list[int] = []

    def connect(place: Path) -> sqlite3.Connection:
        modes.append(place.stat().st_mode & 0o777)
        return sqlite3.Connection(place)

    monkeypatch.setattr(connection.sqlite3, "connect", connect)
    before = os.umask(0)
    try:
        copy = connection._copied(path)
    finally:
        os.umask(before)
    assert modes == [0o600, 0o600] and copy.stat().st_mode & 0o777 == 0o600


def test_a_migration_that_fails_leaves_the_store_as_it_was(later: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = fresh(home)
    before = shape_of(path)
    script = later / "engramforge" / "store" / "migrations" / "versions" / "9001_planted.py"
    script.write_text(script.read_text() + '    op.execute("INSERT INTO nowhere VALUES (1)")\n')
    with pytest.raises(subprocess.CalledProcessError):
        recalled_by(later, home)
    assert shape_of(path) == before
    with engramforge.open(home) as forge:
        assert [hit.memory.content for hit in forge.recall("mill").hits] == ["The well is behind the mill."]
