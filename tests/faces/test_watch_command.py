"""`engramforge watch` in a process of its own, as a person runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engramforge.faces.cli.program import run

MAIN = "import sys; from engramforge.entry.console import main; sys.exit(main())"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a note, and a home."""
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "store"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("The harvester runs on diesel.")
    return folder


@pytest.fixture
def watcher(notes: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that watches it."""
    command = [sys.executable, "-c", MAIN, "watch", str(notes)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_it_prints_a_line_for_each_change_until_it_is_interrupted(
    notes: Path, watcher: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert watcher.stdout is not None
    assert watcher.stdout.readline().startswith(f"{notes}: 1 added (")
    assert watcher.stdout.readline() == "  added a.md: passages 1 new\n"
    (notes / "a.md").write_text("The harvester runs on rape oil.")
    assert watcher.stdout.readline() == "  changed a.md: passages 1 changed\n"
    (notes / "a.md").rename(notes / "b.md")
    assert watcher.stdout.readline() == "  moved a.md to b.md\n"
    # Another one hands its folder over.
    other = notes.parent / "other"
    other.mkdir()
    (other / "o.md").write_text("The mill is for sale.")
    assert run(["watch", str(other)]) == 0
    assert "Another process watches" in capsys.readouterr().err
    assert run(["watch", str(other), "--foreground"]) == 4
    assert watcher.stdout.readline().startswith(f"{other}: 1 added (")
    assert watcher.stdout.readline() == "  added o.md: passages 1 new\n"
    (notes / "b.md").unlink()
    assert watcher.stdout.readline() == "  deleted b.md: passages 1 ended\n"
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(20) == 0
    assert watcher.stderr is not None
    assert watcher.stderr.read().endswith("Stopped.\n")


def test_once_list_and_remove(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "--list"]) == 0
    assert capsys.readouterr().out == "No folder is watched. Watch one with: engramforge watch FOLDER\n"
    assert run(["watch", str(notes), "--once", "--project", "farm", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["about"], [file["path"] for file in told["files"]]) == ("scanned", ["a.md"])
    for number in range(30):
        (notes / f"{number}.md").write_text(f"Field {number} lies fallow.")
    assert run(["watch", "--once"]) == 0
    assert capsys.readouterr().out.startswith(f"{notes}: 30 added (")
    assert run(["watch", "--once"]) == 0
    assert capsys.readouterr().out.startswith(f"{notes}: nothing changed (")
    assert run(["watch", "--list", "--json"]) == 0
    (folder,) = json.loads(capsys.readouterr().out)["folders"]
    assert (folder["path"], folder["project"]) == (str(notes), "farm")
    assert run(["watch", "--remove", str(notes)]) == 0
    assert capsys.readouterr().out == f"{notes} is watched no longer.\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--once"], 2, "No folder is watched"),
        (["nowhere"], 3, "There is no folder 'nowhere'"),
        (["--remove", "nowhere"], 3, "'nowhere' is no watched folder"),
        (["--list", "--remove", "x"], 2, "several were given"),
        (["--list", "--project", "x"], 2, "Give FOLDER too"),
        (["x", "--once", "--foreground"], 2, "--once and --foreground were both given"),
    ],
)
def test_what_cannot_be_done_is_said(
    notes: Path, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["watch", *words]) == code
    assert said in capsys.readouterr().err


def test_a_folder_that_is_missing_is_told(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", str(notes), "--once"]) == 0
    notes.rename(notes.parent / "elsewhere")
    assert run(["watch", "--once"]) == 3
    assert "is not there. Bring it back, or remove it." in capsys.readouterr().err
    assert run(["list", "--json"]) == 0
