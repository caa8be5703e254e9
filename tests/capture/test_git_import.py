"""Git histories: each commit once, with author, times and files; nothing that a repository asks for is run."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.capture.conftest import SHARED, Workbench, needs_exports

from engramforge.capture.imports.survey import survey
from engramforge.errors import InvalidSource
from engramforge.model.memory import Kind, Memory
from engramforge.model.storing.record import ImportReport

TIMES = {"GIT_AUTHOR_DATE": "2024-05-01T10:00:00+02:00", "GIT_COMMITTER_DATE": "2024-05-02T10:00:00+02:00"}


def git(folder: Path, *words: str, stdin: str | None = None) -> str:
    settings = [
        "-c",
        "user.name=Ann Ash",
        "-c",
        "user.email=ann@farm.example",
        "-c",
        "init.defaultBranch=main",
    ]
    environment = {**os.environ, **TIMES, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *settings, "-C", str(folder), *words],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout.strip()


def commit(folder: Path, name: str, message: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(message)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "farm"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "barn/roof tiles.txt", "Mend the roof\n\nIt leaked since the storm.")
    commit(folder, "README.md", "# Farm \u2705")
    git(folder, "checkout", "-q", "-b", "hens", "HEAD~1")
    commit(folder, "hens.md", "Keep hens")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "hens", "-m", "Bring the hens home")
    git(folder, "checkout", "-q", "-b", "idea")
    commit(folder, "pond.md", "Dig a pond")
    git(folder, "checkout", "-q", "main")
    return folder


def run(bench: Workbench, path: Path, form: str | None = None) -> ImportReport:
    return bench.importing.import_path(bench.scope, path, format=form)


def by_subject(bench: Workbench) -> dict[str, Memory]:
    return {memory.content.splitlines()[0]: memory for memory in bench.every()}


def test_each_commit_is_one_memory(bench: Workbench, repository: Path) -> None:
    report = run(bench, repository / ".git")
    assert (report.format, report.project, report.found, report.written) == ("git", "farm", 5, 5)
    shown = by_subject(bench)
    assert set(shown) == {"Mend the roof", "# Farm \u2705", "Keep hens", "Bring the hens home", "Dig a pond"}
    roof = shown["Mend the roof"]
    assert roof.content == "Mend the roof\n\nIt leaked since the storm.\n\nFiles: barn/roof tiles.txt"
    assert (roof.kind, roof.speaker, roof.tags) == (Kind.ACTION, "Ann Ash", ("commit",))
    assert (roof.valid_at.isoformat(), roof.created_at.day) == ("2024-05-01T08:00:00+00:00", 2)
    assert roof.metadata["commit"] == git(repository, "rev-list", "--max-parents=0", "HEAD")
    assert roof.metadata["files"] == ["barn/roof tiles.txt"] and roof.metadata["files_changed"] == 1
    merge = shown["Bring the hens home"]
    assert merge.tags == ("commit", "merge") and len(merge.metadata["parents"]) == 2
    assert not any("farm.example" in f"{memory.content}{memory.metadata}" for memory in shown.values())
    assert run(bench, repository / ".git").written == 0
    commit(repository, "fence.md", "Mend the fence")
    assert run(bench, repository / ".git").written == 1


def test_a_clone_adds_nothing_and_a_folder_is_asked_for(
    bench: Workbench, repository: Path, tmp_path: Path
) -> None:
    run(bench, repository / ".git")
    bare = tmp_path / "copies" / "farm.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    assert survey(bare, None).format == "git"
    report = bench.importing.import_path(bench.scope, bare, project="farm")
    assert (report.found, report.written, report.duplicates) == (5, 0, 5)
    plain = survey(repository, None)
    assert plain.format == "markdown" and "git history" in plain.hints[0]
    assert run(bench, repository).details["hints"] == list(plain.hints)
    asked = run(bench, repository, "git")
    assert (asked.format, asked.project, asked.found, asked.written) == ("git", "farm", 5, 0)


def test_nothing_that_a_repository_asks_for_is_run(
    bench: Workbench, repository: Path, tmp_path: Path
) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path / 'sprung'}\ncat\n")
    trap.chmod(0o755)
    for name in ("core.pager", "pager.log", "core.fsmonitor", "gpg.program", "diff.external", "core.editor"):
        git(repository, "config", name, str(trap))
    for name, value in (
        ("log.showSignature", "true"),
        ("core.hooksPath", str(tmp_path)),
        ("alias.log", f"!{trap}"),
        ("alias.rev-list", f"!{trap}"),
        ("core.sshCommand", str(trap)),
        ("diff.x.textconv", str(trap)),
        ("format.pretty", "oneline"),
        ("log.follow", "true"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", f"ext::{trap}"),
        ("remote.origin.promisor", "true"),
    ):
        git(repository, "config", name, value)
    (repository / ".git" / "info" / "attributes").write_text("* diff=x\n")
    assert run(bench, repository / ".git").written == 5
    assert not (tmp_path / "sprung").exists()


def test_a_damaged_and_an_empty_repository(bench: Workbench, repository: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    assert run(bench, empty / ".git").found == 0
    head = git(repository, "rev-parse", "HEAD")
    (repository / ".git" / "objects" / head[:2] / head[2:]).unlink()
    with pytest.raises(InvalidSource, match="git cannot read"):
        run(bench, repository / ".git")
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.md").write_text("A")
    with pytest.raises(InvalidSource, match="git cannot read"):
        run(bench, plain, "git")
    assert bench.every() == []


def test_a_long_history_comes_in_batches(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    git(folder, "init", "-q")
    lines = []
    for number in range(1_000):
        message = f"Step {number}\n\nThe {number}th walk around the pond, past bed {number % 7}."
        file, content = f"beds/{number % 7}.txt", str(number)
        lines.append(f"commit refs/heads/main\ncommitter Ann <a@b.example> {1_700_000_000 + number} +0100\n")
        lines.append(f"data {len(message)}\n{message}\n")
        lines.append(f"M 100644 inline {file}\ndata {len(content)}\n{content}\n")
    git(folder, "fast-import", "--quiet", stdin="".join(lines))
    report = run(bench, folder / ".git")
    assert (report.found, report.written) == (1_000, 1_000)
    oldest = bench.every()[0]
    assert oldest.content.startswith("Step 0\n") and oldest.metadata["files"] == ["beds/0.txt"]


@needs_exports
def test_the_subjects_of_a_real_history(bench: Workbench, tmp_path: Path) -> None:
    """A history written anew from the list of a real one comes in as that list says it."""
    listed = (SHARED / "data" / "devlog_bookminder" / "commits.jsonl").read_text().splitlines()
    said = [json.loads(line) for line in listed]
    folder = tmp_path / "real"
    folder.mkdir()
    git(folder, "init", "-q")
    lines = []
    for message in said:
        subject = message["subject"].encode()
        lines.append(f"commit refs/heads/main\ncommitter Pat <p@b.example> {message['date']}\n")
        lines.append(f"data {len(subject)}\n{message['subject']}\n")
    git(folder, "fast-import", "--quiet", "--date-format=rfc2822", stdin="".join(map(_rfc_dates, lines)))
    report = run(bench, folder / ".git")
    assert report.found == len(said) == 350
    assert sorted(memory.content for memory in bench.every()) == sorted(
        " ".join(message["subject"].split()) for message in said
    )


def _rfc_dates(line: str) -> str:
    from datetime import datetime
    from email.utils import format_datetime

    if not line.startswith("commit "):
        return line
    head, _, stamp = line.rstrip("\n").rpartition("> ")
    return f"{head}> {format_datetime(datetime.fromisoformat(stamp))}\n"
