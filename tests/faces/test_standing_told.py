"""How an entry stands is told where it is found, and of an import that only a part of it was taken back."""

from __future__ import annotations

from pathlib import Path

from .conftest import Cli

RECORD = (
    "# {number}. {title}\n\nDate: 2024-01-02\n\n## Status\n\n{status}\n\n## Context\n\nWe need one.\n\n"
    "## Decision\n\nWe use {title}.\n"
)


def _import(cli: Cli, folder: Path) -> None:
    (folder / "adr").mkdir(parents=True)
    for number, (title, status) in enumerate((("oak rudders", "Proposed"), ("pine masts", "Accepted")), 1):
        text = RECORD.format(number=number, title=title, status=status)
        (folder / "adr" / f"{number:04}-{title.split()[0]}.md").write_text(text)
    cli("import", str(folder / "adr"), "--project", "yard")


def test_a_found_decision_says_that_it_is_only_proposed(cli: Cli, tmp_path: Path) -> None:
    _import(cli, tmp_path)
    assert "decision  proposed" in cli("recall", "oak rudders").out.splitlines()[0]
    assert "proposed" not in cli("recall", "pine masts").out.splitlines()[0]


def test_undo_says_that_it_took_back_a_part_of_an_import(cli: Cli, tmp_path: Path) -> None:
    _import(cli, tmp_path)
    assert "import, a part of" in cli("undo", "--all-projects", "--yes").out
