"""An engine may ask to repeat a transaction: whatever is written must be the same as without, and count once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.store.door import Transaction
from engramforge.store.sqlite.store import SqliteStore


class RolledBack(Exception):
    """Ends the first try."""


@pytest.fixture
def forge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    """A forge on a store that rolls every write back once before it lets it through."""
    once: Callable[..., Any] = SqliteStore.write
    tries: list[int] = []

    def twice(self: SqliteStore, scope: Scope, work: Callable[[Transaction], Any]) -> Any:
        def fail(writes: Transaction) -> None:
            work(writes)
            raise RolledBack

        tries.append(1)
        with pytest.raises(RolledBack):
            once(self, scope, fail)
        return once(self, scope, work)

    monkeypatch.setattr(SqliteStore, "write", twice)
    with engramforge.open(tmp_path / "home") as opened:
        yield opened
    assert tries


def test_changes_of_one_memory(forge: Forge) -> None:
    made = forge.remember("The pump runs at 40 bar.", project="pumps")
    forge.revise(made.logical_id, "The pump runs at 45 bar.")
    forge.supersede(made.logical_id, "The pump runs at 50 bar.")
    assert [(version.version, version.content[-7:-5]) for version in forge.history(made.logical_id)] == [
        (1, "40"),
        (2, "45"),
        (2, "45"),
        (3, "50"),
    ]
    assert [link.relation for link in forge.links(made.logical_id)] == ["REVISES", "SUPERSEDES"]
    assert [line.action for line in forge.audit_log()] == ["supersede", "revise", "remember"]
    assert forge.forget(made.logical_id).versions == 4
    assert forge.check() == []


def test_undoing(forge: Forge) -> None:
    made = forge.remember("The pump runs at 40 bar.", project="pumps")
    forge.supersede(made.logical_id, "The pump runs at 45 bar.", at="2999-01-01")
    forge.undo()
    forge.redo()
    assert sorted(version.version for version in forge.history(made.logical_id)) == [1, 1, 1, 2, 3, 4]
    forge.revise(made.logical_id, version=1, invalid_at="2998-01-01")
    assert len([version for version in forge.history(made.logical_id) if version.expired_at is None]) == 2
    assert [line.action for line in forge.audit_log()] == ["revise", "redo", "undo", "supersede", "remember"]
    assert forge.check() == []


def test_remembering_many(forge: Forge) -> None:
    drafts = [{"content": f"Note {number % 3} of the pump", "project": "pumps"} for number in range(6)]
    made = forge.remember_many(drafts)
    assert len({record.id for record in made}) == 3
    assert forge.stats().versions == 3
    forge.create_project("empty")
    assert [project.name for project in forge.projects()] == ["empty", "pumps"]


def test_an_import_counts_once(forge: Forge, tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    lines = [f'{{"content": "Reading {number} of the gauge", "project": "gauges"}}' for number in range(4)]
    source.write_text("\n".join([*lines, lines[0], "{broken"]), "utf-8")
    report = forge.import_path(source)
    assert (report.found, report.written, report.duplicates, len(report.faults)) == (6, 4, 1, 1)
    (counts,) = report.details["files"].values()
    assert (
        counts["found"] == counts["remembered"] + counts["duplicate"] + counts["nothing"] + counts["faulty"]
    )
    again = forge.import_path(source)
    assert (again.found, again.written) == (6, 0)


def test_a_markdown_file_counts_once(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    note = folder / "gauge.md"
    note.write_text("# Gauge\n\nThe gauge reads 4 bar.\n", "utf-8")
    assert forge.import_path(folder).written == 1
    note.write_text("# Gauge\n\nThe gauge reads 5 bar now, and is checked weekly.\n", "utf-8")
    report = forge.import_path(folder)
    assert (report.superseded, report.written, report.invalidated) == (1, 0, 0)
    note.unlink()
    (folder / "other.md").write_text("# Other\n\nAnother gauge.\n", "utf-8")
    report = forge.import_path(folder)
    assert (report.written, report.invalidated) == (1, 1)
    assert len(forge.memories()) == 1
