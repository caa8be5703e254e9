"""Many changes at once, a watcher that is killed, and how soon a saved file is found."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from tests.capture.test_git_import import git
from tests.capture.watched import fresh, said, watching
from tests.children import Child

import engramforge
from engramforge.capture.watching.pending import Pace
from engramforge.forge import Forge
from engramforge.model.storing.watching import Watch

FILES = 1_000
WATCH = """
import sys, threading, engramforge
def tell(now):
    print(now.files_done, now.written, flush=True)
with engramforge.open(sys.argv[1]) as forge:
    forge.watching.add(sys.argv[2], project="farm")
    forge.watching.watch(threading.Event(), lambda news: print(news.about, flush=True), progress=tell)
"""


def text(number: int, state: str) -> str:
    """A note of a branch."""
    return f"# Field {number}\n\nField {number} is {state}, says the ledger of {number % 7}.\n"


def repository(folder: Path, files: int = FILES) -> None:
    """Two branches: on the second 100 files are gone, 100 lie elsewhere, and all others say something else."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name in ("old", "plain"):
        (folder / name).mkdir()
    for number in range(files):
        (folder / ("old" if number < 100 else "plain") / f"{number}.md").write_text(text(number, "fallow"))
    _commit(folder)
    git(folder, "checkout", "-q", "-b", "summer")
    (folder / "old").rename(folder / "new")
    for number in range(100, files):
        file = folder / "plain" / f"{number}.md"
        if number < 200:
            file.unlink()
        else:
            file.write_text(text(number, "green"))
    _commit(folder)
    git(folder, "checkout", "-q", "main")


def _commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "state")


@pytest.mark.timed
def test_a_checkout_of_a_thousand_files_is_a_few_transactions(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "farm"
    repository(folder)
    forge.watching.add(folder)
    forge.watching.scan()
    before = {memory.logical_id for memory in forge.memories(limit=1_000)}
    transactions = 0
    write = forge._stages.door.write

    def counted(*given: object, **named: object) -> object:
        nonlocal transactions
        transactions += 1
        return write(*given, **named)  # type: ignore[arg-type]

    with watching(forge, Pace()) as watcher:
        object.__setattr__(forge._stages.door, "write", counted)
        cpu = time.process_time()
        git(folder, "checkout", "-q", "summer")
        watcher.until(lambda: len(watcher.files) >= FILES, 60)  # asks the store nothing meanwhile
        watcher.until(lambda: len(said(forge)) == FILES - 100, 60)
        cpu = time.process_time() - cpu
    assert said(forge) == fresh(tmp_path / "other", folder, "farm")
    assert transactions < 30
    assert cpu < 30
    moved = [memory for memory in forge.memories(limit=1_000) if "/new/" in str(memory.chunk)]
    assert len(moved) == 100
    assert {memory.logical_id for memory in moved} <= before


@pytest.mark.timed
def test_a_saved_file_is_found_within_a_second(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "farm"
    folder.mkdir()
    forge.watching.add(folder)
    took = []
    with watching(forge, Pace()) as watcher:
        for number in range(15):
            word = f"wagtail{number}"
            (folder / f"{number % 3}.md").write_text(f"The {word} nests in the barn.")
            took.append(watcher.until(lambda word=word: word in str(forge.recall(word, limit=1).hits)))
            time.sleep(0.2)
    assert sorted(took)[-2] < 1.0


@pytest.mark.on_disk
def test_a_watcher_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "farm"
    repository(folder, 400)
    store = tmp_path / "store"
    with engramforge.open(store) as forge:
        forge.import_path(folder, project="farm", format="markdown")
    git(folder, "checkout", "-q", "summer")
    with engramforge.open(tmp_path / "other") as other:
        other.import_path(folder, project="farm", format="markdown")
        expected = said(other)
    held = []
    for lines in (180, 280):
        running = Child(WATCH, store, folder)
        assert all(next(running.stdout) for _ in range(lines))
        running.send_signal(signal.SIGKILL)
        running.communicate()
        assert running.returncode == -signal.SIGKILL
        with engramforge.open(store) as forge:
            assert forge.check() == []
            held.append(said(forge))
    # At least one was struck in the middle.
    assert any(state != expected for state in held) and held[0] != held[1]
    with engramforge.open(store) as forge:
        with watching(forge) as watcher:
            watcher.until(lambda: watcher.told(Watch.SCANNED))
        assert said(forge) == expected
