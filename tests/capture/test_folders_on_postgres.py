"""Folders that write by themselves come in on PostgreSQL as they do on SQLite: vaults, decision records, histories."""

from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge

HEAD = "# {n}. {title}\n\nDate: 2024-01-0{n}\n\n## Status\n\n{status}\n\n"
RECORD = HEAD + "## Context\n\nRain.\n\n## Decision\n\nWe do it.\n"


def fill(root: Path, status: str, link: str) -> None:
    for folder in ("vault", "adr"):
        (root / folder).mkdir(exist_ok=True)
    (root / "vault" / "a.md").write_text(f"See [[{link}]], - and more.\n")
    (root / "vault" / "b.md").write_text("- part of [[a]]\n")
    (root / "vault" / "c.md").write_text("Alone.\n")
    (root / "adr" / "0001-tin.md").write_text(RECORD.format(n=1, title="Tin", status=status))
    (root / "adr" / "0002-slate.md").write_text(RECORD.format(n=2, title="Slate", status="Accepted"))
    line = '{"display": "dig", "timestamp": 1767225600000, "project": "/home/ann/farm", "sessionId": "s"}\n'
    (root / "history.jsonl").write_text(line)


def seen(forge: Forge, root: Path) -> list[object]:
    reports = [forge.import_path(root / name, project="farm") for name in ("vault", "adr", "history.jsonl")]
    memories = forge.memories(project="farm", limit=100)
    names = {memory.logical_id: memory.name or memory.content for memory in memories}
    links = {
        (names[link.source_id], link.relation, names[link.target_id])
        for memory in memories
        for link in forge.links(memory.logical_id)
        if link.source_id in names and link.target_id in names
    }
    said = [
        (report.found, report.written, report.superseded, report.invalidated, report.faults)
        for report in reports
    ]
    return [said, sorted((str(memory.kind), memory.content) for memory in memories), sorted(links)]


def both_times(forge: Forge, root: Path) -> list[list[object]]:
    fill(root, "Accepted", "b")
    first = [seen(forge, root), seen(forge, root)]
    fill(root, "Superseded by [2](0002-slate.md)", "c")
    return [*first, seen(forge, root), seen(forge, root)]


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "one" / "home", tmp_path / "two" / "home"]
    for root in made:
        root.mkdir(parents=True)
    return made


def test_both_engines_take_folders_alike(postgres_url: str, tmp_path: Path, roots: list[Path]) -> None:
    with engramforge.open(tmp_path / "memory.db") as forge:
        on_sqlite = both_times(forge, roots[0])
    with engramforge.open(postgres_url) as forge:
        on_postgres = both_times(forge, roots[1])
    assert on_sqlite == on_postgres
    first, again, changed, still = on_sqlite
    assert [numbers[:2] for numbers in first[0]] == [(3, 3), (2, 2), (1, 1)]  # type: ignore[index]
    assert [numbers[1] for numbers in again[0]] == [0, 0, 0] and first[1:] == again[1:]  # type: ignore[attr-defined]
    assert first[2] == [("a", "RELATES_TO", "b"), ("b", "PART_OF", "a")]
    assert changed[0][1][2] == 1 and changed[1:] == still[1:]  # type: ignore[index]
    assert ("a", "RELATES_TO", "c") in changed[2] and ("a", "RELATES_TO", "b") not in changed[2]  # type: ignore[operator]
