"""Folders as nobody plans them: what is sound goes in, the rest is told with its place, nothing hangs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.robustness.conftest import every

import engramforge
from engramforge.errors import InvalidSource, InvalidValue, NotFound


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    (folder / "loop").mkdir(parents=True)
    (folder / "loop" / "up").symlink_to("..")
    (folder / "self.md").symlink_to("self.md")
    (folder / "passwords.md").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.md")
    (folder / "binary.md").write_bytes(bytes(range(256)) * 20)
    (folder / "empty.md").write_bytes(b"")
    (folder / "blank.md").write_text(" \n\n")
    (folder / "latin.md").write_bytes("# Café".encode("latin-1"))
    (folder / "wide.md").write_text("# Wide\n\nSixteen bits a letter.", encoding="utf-16")
    (folder / "new\nline.md").write_text("# Line\n\nA name of two lines.")
    (folder / "日本.md").write_text("# 日本\n\n日本語の文章です。")
    (folder / "folder.md").mkdir()
    (folder / "folder.md" / "inside.md").write_text("Inside a folder that ends in md.")
    (folder / "records.jsonl").write_text("[" * 100_000 + '\n{"content": "After the depth."}\n')
    return folder


def test_what_is_sound_goes_in(tmp_path: Path, odd: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(odd, project="odd")
        said = {memory.content for memory in every(forge, project="odd")}
        assert len(said) == report.written == 4
        assert "After the depth." in said and "Inside a folder that ends in md." in said
        places = {(Path(fault.path).name, fault.line) for fault in report.faults if not fault.is_note}
        noted = {Path(fault.path).name for fault in report.faults if fault.is_note}
        assert noted == {"empty.md", "blank.md"}
        assert places == {("binary.md", 1), ("latin.md", 1), ("wide.md", 1), ("records.jsonl", 1)}
        assert forge.import_path(odd, project="odd").written == 0


def test_a_name_that_is_no_text_is_told(tmp_path: Path, odd: Path) -> None:
    with open(os.fsencode(odd) + b"/bad\xff.md", "w") as file:  # noqa: PTH123 - a name as bytes
        file.write("Nobody can say my name.")
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(odd, project="odd")
        assert report.written == 4
        (fault,) = [fault for fault in report.faults if "bad" in fault.path]
        assert fault.path.endswith("bad\\udcff.md") and "not UTF-8" in fault.reason
        folder = tmp_path / os.fsdecode(b"sack\xff")
        odd.rename(folder)
        with pytest.raises(InvalidSource, match="not UTF-8"):
            forge.import_path(folder)


@pytest.mark.parametrize("path", ["", 5, None, "no\0where"])
def test_a_path_that_is_none(tmp_path: Path, path: object) -> None:
    with engramforge.open(tmp_path / "home") as forge, pytest.raises(InvalidValue, match="path"):
        forge.import_path(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/dev/null/x", "/no/such"])
def test_a_path_that_is_not_there(tmp_path: Path, path: str) -> None:
    with engramforge.open(tmp_path / "home") as forge, pytest.raises(NotFound):
        forge.import_path(path)


@pytest.mark.parametrize(
    "name", ["a b", "q?uery=1", "h#ash", "per%20cent", "日本", "new\nline", "quo'te\"", "-dash", "x;y"]
)
def test_any_name_of_a_home(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    with engramforge.open(home) as forge:
        forge.remember("In the right place.")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (home / "memory.db").exists()
    with engramforge.open(home) as forge:
        assert [memory.content for memory in forge.memories()] == ["In the right place."]


def test_agents_import_the_same_folder_each_for_itself(tmp_path: Path, odd: Path) -> None:
    for agent in ("ada", "ben"):
        with engramforge.open(tmp_path / "home", agent=agent) as forge:
            assert forge.import_path(odd, project="odd").written == 4
            assert len(every(forge)) == 4
