"""A decision record is found by the number that only its file's name tells."""

from __future__ import annotations

from pathlib import Path

import engramforge

TITLES = {7: "Moor the barges upstream", 12: "Paint the hulls in spring", 25: "Heat the sheds with peat"}


def test_a_decision_record_is_found_by_its_number(tmp_path: Path) -> None:
    folder = tmp_path / "adr"
    folder.mkdir()
    for number, title in TITLES.items():
        head = f"# {title}\n\nDate: 2026-01-{number:02}\n\n## Status\n\nAccepted\n\n"
        text = f"{head}## Decision\n\nWe will {title.lower()}.\n"
        (folder / f"{number:04}-record.md").write_text(text, encoding="utf-8")
    with engramforge.open(f"sqlite:///{tmp_path}/memory.db") as forge:
        forge.import_path(folder, project="harbour")
        for number, title in TITLES.items():
            for asked in (f"ADR {number}", f"adr-{number:04}"):
                assert forge.recall(asked, project="harbour").hits[0].memory.name == title
