"""The same text in several files of a project is one memory with several places, from import to forget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faces.conftest import Cli

import engramforge
from engramforge.errors import NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Memory

TOKENS = "# Tokens\n\nAccess tokens expire after fifteen minutes because leaked ones must not live long.\n"
CACHE = "# Cache\n\nThe cache is warmed at six in the morning, before the first train leaves.\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def forge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forge]:
    """An empty store of each engine."""
    url = tmp_path / "home" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(url) as opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with the same text in two of its three files."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in (("a", TOKENS), ("b", TOKENS), ("c", CACHE)):
        (folder / f"{name}.md").write_text(text)
    return folder


def places(memory: Memory) -> list[str]:
    assert memory.chunk is not None
    return [Path(each.file_path).stem for each in (memory.chunk, *memory.also_in)]


def saying(forge: Forge, text: str = "Access tokens") -> list[Memory]:
    return [each for each in forge.memories(project="notes") if text in each.content]


def test_one_memory_for_all_files_of_an_import(forge: Forge, notes: Path) -> None:
    report = forge.import_path(notes)
    assert (report.written, report.found, report.faults) == (2, 3, ())
    (memory,) = saying(forge)
    assert places(memory) == ["a", "b"]
    assert memory.where == "a.md, Tokens; also in b.md"
    again = forge.import_path(notes)
    assert (again.written, again.superseded, again.invalidated) == (0, 0, 0)
    assert [each.id for each in saying(forge)] == [memory.id]


def test_a_later_file_is_a_further_place_and_an_undo_takes_it_back(forge: Forge, notes: Path) -> None:
    forge.import_path(notes)
    (before,) = saying(forge)
    (notes / "d.md").write_text(TOKENS)
    report = forge.import_path(notes)
    assert (report.written, report.superseded, report.invalidated) == (0, 0, 0)
    (memory,) = saying(forge)
    assert (memory.logical_id, places(memory)) == (before.logical_id, ["a", "b", "d"])
    assert [hit.memory.id for hit in forge.recall("how long do tokens live", project="notes").hits][:1] == [
        memory.id
    ]
    assert forge.timeline(memory.logical_id).dissonances == (), "nobody changed a belief"
    forge.undo()
    (memory,) = saying(forge)
    assert (memory.logical_id, places(memory)) == (before.logical_id, ["a", "b"])


def test_it_lives_while_one_file_says_it(forge: Forge, notes: Path) -> None:
    forge.import_path(notes)
    (first,) = saying(forge)
    (notes / "a.md").write_text(TOKENS.replace("fifteen", "twenty"))
    report = forge.import_path(notes)
    assert (report.written, report.superseded, report.invalidated) == (1, 0, 0)
    old, new = sorted(saying(forge), key=lambda each: each.logical_id)
    assert (old.logical_id, places(old), places(new)) == (first.logical_id, ["b"], ["a"])
    forge.undo()
    (memory,) = saying(forge)
    assert places(memory) == ["a", "b"]
    (notes / "a.md").unlink()
    report = forge.import_path(notes)
    assert (report.written, report.invalidated) == (0, 0)
    (memory,) = saying(forge)
    assert (memory.logical_id, places(memory)) == (first.logical_id, ["b"])
    (notes / "b.md").unlink()
    assert forge.import_path(notes).invalidated == 1
    assert saying(forge) == []


def test_files_that_change_alike_stay_one(forge: Forge, notes: Path) -> None:
    forge.import_path(notes)
    (first,) = saying(forge)
    for name in "ab":
        (notes / f"{name}.md").write_text(TOKENS.replace("fifteen", "twenty"))
    report = forge.import_path(notes)
    assert (report.superseded, report.invalidated) == (1, 0)
    (memory,) = saying(forge)
    assert (memory.logical_id, places(memory)) == (first.logical_id, ["a", "b"])
    assert "twenty" in memory.content


def test_a_text_that_moves_keeps_its_memory(forge: Forge, notes: Path) -> None:
    forge.import_path(notes)
    (first,) = saying(forge, "cache")
    (notes / "c.md").rename(notes / "e.md")
    report = forge.import_path(notes)
    assert (report.written, report.invalidated) == (0, 0)
    (memory,) = saying(forge, "cache")
    assert (memory.logical_id, places(memory)) == (first.logical_id, ["e"])


def test_a_text_said_twice_in_a_file_stays_while_it_is_said_once(forge: Forge, notes: Path) -> None:
    # Chunks of 200 words, 50 of which are the next one's: with a period of 150 words all are the same.
    words = [f"boiler{number % 150}" for number in range(650)]
    (notes / "c.md").write_text(" ".join(words))
    forge.import_path(notes)
    (memory,) = saying(forge, "boiler")
    assert places(memory) == ["c"] * 4
    (notes / "c.md").write_text(" ".join(words[:350]))
    forge.import_path(notes)
    (fewer,) = saying(forge, "boiler")
    assert (fewer.logical_id, places(fewer)) == (memory.logical_id, ["c"] * 2)
    (notes / "c.md").unlink()
    assert forge.import_path(notes).invalidated == 1


def test_a_forget_by_id_reaches_all_files(forge: Forge, notes: Path) -> None:
    forge.import_path(notes)
    (memory,) = saying(forge)
    assert forge.forget(memory.id, confirmed=True).verified
    for name in "abd":
        (notes / f"{name}.md").write_text(TOKENS + "\n")
    forge.import_path(notes)
    assert saying(forge) == [], "no file brings it back"


def test_a_forget_of_files_leaves_what_another_says(forge: Forge, notes: Path) -> None:
    below = notes / "below"
    below.mkdir()
    (notes / "b.md").rename(below / "b.md")
    (below / "keys.md").write_text("# Keys\n\nKeys are changed every spring by the harbour master.\n")
    forge.import_path(notes)
    assert places(saying(forge)[0]) == ["a", "b"]
    forge.forget(file=str(below), confirmed=True)
    assert len(saying(forge)) == 1 and not saying(forge, "Keys are changed")
    with pytest.raises(NotFound, match="other files say too"):
        forge.forget(file=str(below), confirmed=True)
    forge.forget(file=str(notes), confirmed=True)
    assert saying(forge) == []


def test_what_a_forget_left_standing_moves_with_its_file(forge: Forge, notes: Path) -> None:
    (notes / "b.md").unlink()
    forge.import_path(notes)
    (notes / "a.md").write_text("# Barrels\n\nCider barrels lie in the chapel cellar behind the organ.\n")
    forge.import_path(notes)
    (notes / "d.md").write_text(TOKENS)
    forge.import_path(notes)
    (barrels,) = saying(forge, "Cider barrels")
    # Its first version said what another memory says now.
    forge.forget(barrels.id, confirmed=True)
    (notes / "d.md").rename(notes / "e.md")
    forge.import_path(notes)
    assert [places(each) for each in saying(forge)] == [["e"]]


def test_an_export_keeps_the_places(forge: Forge, notes: Path, tmp_path: Path) -> None:
    forge.import_path(notes)
    forge.export(tmp_path / "all.jsonl")
    with engramforge.open(tmp_path / "second") as other:
        other.import_path(tmp_path / "all.jsonl")
        (memory,) = saying(other)
        assert places(memory) == ["a", "b"]
        (notes / "a.md").unlink()
        other.import_path(notes)
        (memory,) = saying(other)
        assert places(memory) == ["b"]


def test_agents_have_their_own(tmp_path: Path, notes: Path) -> None:
    for agent in ("ann", "bob"):
        with engramforge.open(tmp_path / "home", agent=agent) as forge:
            forge.import_path(notes)
    with engramforge.open(tmp_path / "home", agent="bob") as forge:
        (memory,) = saying(forge)
        assert (memory.agent, places(memory)) == ("bob", ["a", "b"])


def test_show_names_every_file(cli: Cli, notes: Path) -> None:
    cli("import", str(notes))
    (memory,) = [each for each in cli("list", "--json").json["memories"] if "Tokens" in each["content"]]
    assert [each["file_path"] for each in memory["also_in"]] == [str(notes / "b.md")]
    shown = cli("show", memory["id"]).out
    assert f"{notes / 'a.md'} 1/1" in shown and f"also in  {notes / 'b.md'} 1/1" in shown
