"""An import by a format that the file does not have, and one that spreads over several projects."""

from __future__ import annotations

from pathlib import Path

from .conftest import Cli


def test_a_file_that_is_not_of_the_named_format(cli: Cli, tmp_path: Path) -> None:
    note = tmp_path / "port" / "note.md"
    note.parent.mkdir()
    note.write_text("# Plan\n\nThe lamps at the quay burn oil.\n")
    for _ in range(2):
        told = cli("import", str(note), "--format", "claude_ai")
        assert told.code == 2 and "holds nothing of Claude.ai exports (claude_ai)" in told.err
    # Also where it was imported as what it is.
    assert "Imported" in cli("import", str(note), "--project", "port").out
    told = cli("import", str(note), "--project", "port", "--format", "claude_ai")
    assert told.code == 2 and "holds nothing of Claude.ai exports" in told.err
    assert "Nothing is new" in cli("import", str(note), "--project", "port").out
    assert len(cli("list", "--json").json["memories"]) == 1


def test_the_projects_of_a_folder_are_named(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "port"
    folder.mkdir()
    (folder / "note.md").write_text("# Plan\n\nThe lamps at the quay burn oil.\n")
    (folder / "more.jsonl").write_text('{"content": "The ferry leaves at seven."}\n')
    told = cli("import", str(folder)).out
    assert "default, port" in next(line for line in told.splitlines() if line.startswith("projects"))
    named = cli("import", str(folder), "--project", "harbour").out.splitlines()
    assert not any(line.startswith("projects") for line in named)
    assert any(line.split() == ["project", "harbour"] for line in named)
