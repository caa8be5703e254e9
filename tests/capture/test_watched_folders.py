"""Folders that are watched: real files, the system's own events, a real store."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.capture.watched import every, fresh, said, watching

import engramforge
from engramforge.capture.imports.survey import MARKDOWN_GLOBS
from engramforge.capture.watching.looking import Looking
from engramforge.capture.watching.pending import Pace
from engramforge.errors import Conflict, InvalidSource, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.storing.watching import Became, Watch

LONG = "\n\n".join(f"Field {number} was ploughed in week {number}. " * 12 for number in range(12))


@pytest.fixture
def notes(tmp_path: Path, forge: Forge) -> Path:
    """A watched folder with two notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("The harvester runs on diesel.")
    (folder / "b.md").write_text("The barn has a red door.")
    forge.watching.add(folder, project="farm")
    return folder


def texts(forge: Forge) -> list[str]:
    """What holds now."""
    return sorted(memory.content for memory in every(forge))


def test_a_saved_file_is_found_and_a_changed_one_changes_only_what_changed(forge: Forge, notes: Path) -> None:
    (notes / "long.md").write_text(LONG)
    with watching(forge) as watcher:
        before = {memory.logical_id: memory.id for memory in every(forge)}
        (notes / "long.md").write_text(LONG.replace("Field 11 was", "Field 11 was never"))
        watcher.until(lambda: any("never" in text for text in texts(forge)))
        after = {memory.logical_id: memory.id for memory in every(forge)}
    assert 1 <= len(after.items() - before.items()) <= 3
    assert len(after.items() & before.items()) >= len(after) - 3
    (told,) = [file for file in watcher.files if file.became is Became.CHANGED]
    assert (told.path, told.ended) == ("long.md", 0)


def test_a_deleted_file_ends_and_its_words_stay_in_the_past(forge: Forge, notes: Path) -> None:
    (gone,) = [memory for memory in _scanned(forge) if "barn" in memory.content]
    with watching(forge) as watcher:
        (notes / "b.md").unlink()
        watcher.until(lambda: texts(forge) == ["The harvester runs on diesel."])
    ended = forge.get(gone.logical_id)
    assert ended.invalid_at is not None
    versions = forge.history(gone.logical_id)
    assert any("barn" in version.content for version in versions)


def _scanned(forge: Forge) -> list[engramforge.Memory]:
    forge.watching.scan()
    return every(forge)


@pytest.mark.parametrize(
    "way", ["temporary and rename", "rename away first", "delete and create", "in place"]
)
def test_editors_save_in_their_ways_and_the_memory_stays_one(forge: Forge, notes: Path, way: str) -> None:
    file, text = notes / "b.md", "The barn has a blue door."
    (before,) = [memory for memory in _scanned(forge) if "barn" in memory.content]
    with watching(forge) as watcher:
        if way == "temporary and rename":  # VS Code's atomic save, Obsidian's sync
            (notes / ".b.md.tmp").write_text(text)
            (notes / ".b.md.tmp").rename(file)
        elif way == "rename away first":  # vim with a backup
            (notes / "4913").write_text("")
            (notes / "4913").unlink()
            file.rename(notes / "b.md~")
            file.write_text(text)
            (notes / "b.md~").unlink()
        elif way == "delete and create":
            file.unlink()
            watcher.until(lambda: not file.exists())
            file.write_text(text)
        else:
            with file.open("w") as stream:
                for word in text.split(" "):
                    stream.write(f"{word} ")
                    stream.flush()
        watcher.until(lambda: any("blue" in memory for memory in texts(forge)))
    assert len(texts(forge)) == 2
    (after,) = [memory for memory in every(forge) if "blue" in memory.content]
    assert [version.content for version in forge.history(after.logical_id)][-1].strip() == text
    assert before.logical_id in _predecessors(forge, after.logical_id)


def _predecessors(forge: Forge, logical_id: str) -> set[str]:
    """The memory itself, and what it replaces."""
    links = forge.links(logical_id)
    return {logical_id} | {link.target_id for link in links} | {link.source_id for link in links}


def test_a_moved_file_and_a_moved_folder_keep_their_memories(forge: Forge, notes: Path) -> None:
    (notes / "in").mkdir()
    for number in range(30):
        (notes / "in" / f"{number}.md").write_text(f"Field {number} lies fallow.")
    before = {memory.logical_id: memory.content for memory in _scanned(forge)}
    with watching(forge) as watcher:
        (notes / "a.md").rename(notes / "renamed.md")
        (notes / "in").rename(notes / "out")
        watcher.until(lambda: all("/in/" not in path and "/a.md" not in path for path, _, _ in said(forge)))
        assert {memory.logical_id: memory.content for memory in every(forge)} == before
    moved = {(file.before, file.path) for file in watcher.files if file.became is Became.MOVED}
    assert moved == {("a.md", "renamed.md"), *((f"in/{n}.md", f"out/{n}.md") for n in range(30))}
    assert {file.became for file in watcher.files} == {Became.MOVED}


def test_a_renaming_of_capitals_alone_is_a_move(forge: Forge, notes: Path) -> None:
    before = {memory.logical_id for memory in _scanned(forge)}
    with watching(forge) as watcher:
        (notes / "a.md").rename(notes / "A.md")
        watcher.until(lambda: any(path.endswith("/A.md") for path, _, _ in said(forge)))
        watcher.until(lambda: not any(path.endswith("/a.md") for path, _, _ in said(forge)))
    assert {memory.logical_id for memory in every(forge)} == before


def test_what_happened_while_nobody_watched_is_brought_in_at_the_start(
    forge: Forge, notes: Path, tmp_path: Path
) -> None:
    with watching(forge):
        pass
    (notes / "a.md").unlink()
    (notes / "b.md").rename(notes / "c.md")
    (notes / "d.md").write_text("Geese guard the yard.")
    with watching(forge):
        assert said(forge) == fresh(tmp_path / "other", notes, "farm")


def test_nothing_of_hidden_foreign_and_linked_places_comes_in(
    forge: Forge, notes: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("outside")
    with watching(forge) as watcher:
        for place in (".git", ".obsidian", "node_modules/left-pad", ".venv", "env"):
            (notes / place).mkdir(parents=True)
            (notes / place / "pyvenv.cfg").touch()
            (notes / place / "x.md").write_text("of a tool")
        (notes / "ring").symlink_to(notes)
        (notes / "link").symlink_to(outside)
        (notes / "link.md").symlink_to(outside / "x.md")
        (notes / "code.py").write_text("print()")
        (notes / "end.md").write_text("The end.")
        watcher.until(lambda: "The end." in texts(forge))
    assert len(texts(forge)) == 3
    forge.watching.scan()
    assert len(texts(forge)) == 3


def test_what_cannot_be_read_is_told_and_changes_nothing(forge: Forge, notes: Path) -> None:
    with watching(forge) as watcher:
        (notes / "a.md").write_bytes(b"\xff\xfe\xfa not a text" * 9)
        with (notes / "large.md").open("wb") as large:
            large.truncate(60_000_000)
        watcher.until(lambda: len({f.path for f in watcher.files if f.became is Became.FAULTY}) == 2)
    assert texts(forge) == ["The barn has a red door.", "The harvester runs on diesel."]


def test_files_that_may_not_be_looked_for_are_not_gone() -> None:
    """Root may look everywhere, so it becomes nobody for the look."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        root = Path(place).resolve()
        (root / "in").mkdir()
        (root / "in" / "x.md").write_text("Deep in the woods.")
        (root / "y.md").write_text("At the edge.")
        (root / "in").chmod(0)
        own = os.geteuid()
        if own == 0:
            os.seteuid(65534)
        try:
            look = Looking(root, (), MARKDOWN_GLOBS, {})
            assert [source.path.name for source in look.files_at([str(root)])] == ["y.md"]
            assert not look.is_gone(str(root / "in" / "x.md"))
            assert look.is_gone(str(root / "z.md"))
            assert [(fault.path, fault.reason) for fault in look.faults] == [
                (str(root / "in"), "The folder cannot be read (Permission denied)")
            ]
            # A root that went is no folder without files.
            assert not Looking(root / "other", (), MARKDOWN_GLOBS, {}).is_gone(str(root / "other" / "x.md"))
        finally:
            os.seteuid(own)
            (root / "in").chmod(0o755)


def test_a_missing_folder_ends_nothing_until_it_stays_gone(forge: Forge, notes: Path, tmp_path: Path) -> None:
    with watching(forge, Pace(away=60, look=0.1)) as watcher:
        notes.rename(tmp_path / "elsewhere")
        watcher.until(lambda: watcher.told(Watch.AWAY))
        assert len(texts(forge)) == 2
        (tmp_path / "elsewhere" / "a.md").unlink()
        (tmp_path / "elsewhere").rename(notes)
        watcher.until(lambda: watcher.told(Watch.BACK))
        watcher.until(lambda: texts(forge) == ["The barn has a red door."])
        (notes / "c.md").write_text("Followed again.")
        watcher.until(lambda: "Followed again." in texts(forge))
    with watching(forge) as watcher:  # half a second is long
        notes.rename(tmp_path / "elsewhere")
        watcher.until(lambda: watcher.told(Watch.GONE))
        assert texts(forge) == []


def test_an_unmounted_folder_ends_nothing(forge: Forge, notes: Path) -> None:
    """Its place is there, on another file system, and empty; or its parent is on another one."""
    with watching(forge):
        pass
    remembered = forge._stages.watching(forge._scope).remembered
    (folder,) = remembered.folders()
    there = Path(folder.path)
    elsewhere = there.rename(there.parent / "elsewhere")
    remembered._save({folder.path: replace(folder, device=folder.device + 1)})
    with watching(forge, Pace(away=0.1, look=0.1)) as watcher:
        watcher.until(lambda: watcher.told(Watch.AWAY))
        there.mkdir()
        watcher._stop.wait(0.6)
        assert len(texts(forge)) == 2
        there.rmdir()
        elsewhere.rename(there)
        watcher.until(lambda: watcher.told(Watch.BACK))
        watcher.until(lambda: watcher.told(Watch.SCANNED))
    assert not watcher.told(Watch.GONE)
    assert len(texts(forge)) == 2


def test_a_folder_inside_another_has_its_own_project(forge: Forge, notes: Path) -> None:
    (notes / "work").mkdir()
    (notes / "work" / "w.md").write_text("The mill is for sale.")
    with watching(forge) as watcher:
        assert {memory.project for memory in every(forge)} == {"farm"}
        forge.watching.add(notes / "work", project="mill")
        watcher.until(lambda: [m.project for m in every(forge) if "mill" in m.content] == ["mill"])
        (notes / "work" / "v.md").write_text("The mill is sold.")
        watcher.until(lambda: any("sold" in memory.content for memory in every(forge)))
        assert {memory.project for memory in every(forge) if "mill" in memory.content} == {"mill"}
        forge.watching.remove(notes / "work")
        (notes / "new.md").write_text("Back to one.")
        watcher.until(lambda: "Back to one." in texts(forge))


def test_a_store_that_is_locked_is_written_later(tmp_path: Path) -> None:
    os.environ["ENGRAMFORGE_BUSY_TIMEOUT_MS"] = "50"
    try:
        with engramforge.open(tmp_path / "store") as forge:
            folder = tmp_path / "notes"
            folder.mkdir()
            forge.watching.add(folder)
            with watching(forge) as watcher:
                (file,) = (tmp_path / "store").rglob("*.db")
                other = sqlite3.connect(file, isolation_level=None)
                other.execute("begin immediate")
                (folder / "a.md").write_text("Written under a lock.")
                watcher.until(lambda: watcher.told(Watch.WAITING))
                assert texts(forge) == []
                other.execute("rollback")
                other.close()
                watcher.until(lambda: texts(forge) == ["Written under a lock."])
            assert len(watcher.told(Watch.WAITING)) == 1
    finally:
        del os.environ["ENGRAMFORGE_BUSY_TIMEOUT_MS"]


def test_links_of_a_vault_follow_its_notes(forge: Forge, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "one.md").write_text("The first note.")
    (vault / "two.md").write_text("The second note.")
    forge.watching.add(vault)
    with watching(forge) as watcher:
        (vault / "one.md").write_text("The first note leads to [[two]]. #field")
        watcher.until(lambda: any("[[two]]" in text for text in texts(forge)))

        def linked() -> bool:
            (one,) = [memory for memory in every(forge) if "leads" in memory.content]
            (two,) = [memory for memory in every(forge) if "second" in memory.content]
            assert one.tags == ("field",)
            return any(
                {link.source_id, link.target_id} == {one.logical_id, two.logical_id}
                for link in forge.links(one.logical_id)
            )

        watcher.until(linked)


def test_decision_records_in_a_watched_folder_are_decisions(forge: Forge, notes: Path) -> None:
    record = "# {0}. Sow {1}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe sow {1} in spring.\n"
    with watching(forge) as watcher:
        (notes / "adr").mkdir()
        for number, crop in enumerate(("barley", "rye"), start=1):
            (notes / "adr" / f"000{number}-{crop}.md").write_text(record.format(number, crop))
        watcher.until(lambda: len(forge.decisions.browse(project="farm")) == 2)
    assert len(texts(forge)) == 4


def test_folders_are_remembered_listed_and_removed(forge: Forge, notes: Path, tmp_path: Path) -> None:
    (folder,) = forge.watching.folders()
    assert (folder.path, folder.project) == (str(notes), "farm")
    assert forge.watching.add(notes).project == "farm"
    assert forge.watching.add(notes, project="barn").project == "barn"
    forge.watching.scan(notes)
    assert {memory.project for memory in every(forge)} == {"barn"}
    assert forge.watching.remove(notes).path == str(notes)
    assert forge.watching.folders() == ()
    assert len(every(forge)) == 2
    with pytest.raises(NotFound, match="is no watched folder"):
        forge.watching.remove(notes)
    with pytest.raises(NotFound, match="no folder"):
        forge.watching.add(tmp_path / "nowhere")
    with pytest.raises(InvalidSource, match="is no folder"):
        forge.watching.add(notes / "a.md")
    with pytest.raises(InvalidValue, match="threading"):
        forge.watching.watch(3, print)


def test_an_excluded_project_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_EXCLUDED_PROJECTS", "diary")
    (tmp_path / "diary").mkdir()
    with (
        engramforge.open(tmp_path / "store") as forge,
        pytest.raises(InvalidValue, match="is excluded"),
    ):
        forge.watching.add(tmp_path / "diary")


def test_one_process_watches_at_a_time(forge: Forge, notes: Path) -> None:
    with watching(forge), pytest.raises(Conflict, match="Another process watches"):
        forge.watching.scan()


def test_where_the_system_sends_no_events_folders_are_compared(
    forge: Forge, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the system's limit of watches is reached."""
    import watchfiles

    def refuses(*_: object, **__: object) -> Iterator[set[tuple[int, str]]]:
        raise OSError(28, "OS file watch limit reached")
        yield set()

    monkeypatch.setattr(watchfiles, "watch", refuses)
    with watching(forge, Pace(poll=0.3)) as watcher:
        assert watcher.told(Watch.POLLING)
        (notes / "c.md").write_text("Found without events.")
        watcher.until(lambda: "Found without events." in texts(forge))


def test_the_library_of_events_is_loaded_only_where_it_is_used(forge: Forge) -> None:
    modules = "engramforge, engramforge.forge.sync, engramforge.capture.watching.watching"
    code = f"import {modules}, sys; sys.exit('watchfiles' in sys.modules)"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
