"""An import of a vault or of a repository that is killed comes to the same end when it is run again."""

import signal
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_git_import import git
from tests.children import Child

import engramforge
from engramforge.forge import Forge

pytestmark = pytest.mark.on_disk

IMPORT = """
import sys, time, engramforge
def tell(now):
    print(now.bytes_done, now.written, flush=True)
    time.sleep(0.002)
with engramforge.open(sys.argv[1]) as forge:
    forge.import_path(sys.argv[2], format=sys.argv[3], project="farm", progress=tell)
"""
"""Prints what is done of how much after each record that is told."""
NOTES = 300
COMMITS = 1_100


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A vault of notes that link each other, and a repository."""
    home = tmp_path_factory.mktemp("sources")
    vault, repository = home / "vault", home / "repository"
    (vault / ".obsidian").mkdir(parents=True)
    for number in range(NOTES):
        text = f"# Note {number}\n\nAbout field {number}, see [[note {(number * 7 + 1) % NOTES}]].\n"
        (vault / f"note {number}.md").write_text(text)
    repository.mkdir()
    git(repository, "init", "-q")
    lines = []
    for number in range(1, COMMITS + 1):
        message = f"Plough field {number}"
        when = f"{1_700_000_000 + number} +0000"
        lines += ["commit refs/heads/main", f"committer Ann <ann@farm.example> {when}"]
        lines += [
            f"data {len(message)}",
            message,
            f"M 100644 inline field {number % 9}.txt",
            "data 1",
            "x",
            "",
        ]
    git(repository, "fast-import", "--quiet", stdin="\n".join(lines))
    return {"obsidian": vault, "git": repository}


def shown(forge: Forge) -> tuple[list[Any], list[Any]]:
    """What an import decides, and the links by what they link."""
    memories: list[Any] = []
    while page := forge.memories(limit=1_000, offset=len(memories)):
        memories += page
    names = {memory.logical_id: memory.content for memory in memories}
    parts = forge._stages
    ids = sorted(names)
    links = {
        link.id: (names[link.source_id], link.relation, names[link.target_id])
        for begin in range(0, len(ids), 500)
        for link in parts.door.asking(forge._scope).links(ids[begin : begin + 500])
    }
    return sorted(
        (
            memory.content,
            memory.name or "",
            memory.valid_at,
            memory.version,
            str(memory.chunk),
            str(memory.metadata),
        )
        for memory in memories
    ), sorted(links.values())


@pytest.mark.parametrize(("format_", "kills"), [("obsidian", (0.3, 1.0)), ("git", (0.4,))])
def test_a_killed_import_comes_to_the_same_end(
    tmp_path: Path, sources: dict[str, Path], format_: str, kills: tuple[float, ...]
) -> None:
    path = sources[format_]
    with engramforge.open(tmp_path / "calm") as calm:
        report = calm.import_path(path, format=format_, project="farm")
        assert report.written == (NOTES if format_ == "obsidian" else COMMITS) and not report.faults
        expected = shown(calm)
    assert len(expected[1]) >= (NOTES - 2 if format_ == "obsidian" else 0)
    held = [0]
    total = sum(item.size for item in _survey(path, format_))
    for part in kills:
        running = Child(IMPORT, tmp_path / "struck", path, format_)
        next(line for line in running.stdout if int(line.split()[0]) >= part * total * 0.98)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        assert running.returncode == -signal.SIGKILL
        with engramforge.open(tmp_path / "struck") as struck:
            assert struck.check() == []
            held.append(struck.stats().memories)
    # What was kept stays, and at least one of them was struck in the middle.
    assert held == sorted(held) and any(0 < number < len(expected[0]) for number in held)
    with engramforge.open(tmp_path / "struck") as struck:
        report = struck.import_path(path, format=format_, project="farm")
        assert report.written == len(expected[0]) - held[-1] and not report.faults
        assert shown(struck) == expected and struck.check() == []
        assert struck.import_path(path, format=format_, project="farm").written == 0
        assert shown(struck) == expected


def _survey(path: Path, format_: str) -> tuple[Any, ...]:
    from engramforge.capture.imports.survey import survey

    return survey(path, format_).sources
