"""A conversation, an imported file or a project is forgotten as one, with one proof, through each face."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.children import Child
from tests.robustness.conftest import every
from tests.runtime.forked import FORKED

import engramforge
from engramforge.errors import EngramforgeError, InvalidValue, NotConfirmed, NotFound
from engramforge.forge import Forge

Search = Callable[[Iterable[str]], set[str]]


def turn(forge: Forge, text: str, conversation: str, **fields: object) -> str:
    said = {"kind": "message", "speaker": "user", "session_id": conversation, "project": "atlas", **fields}
    return forge.remember(text, **said).logical_id  # type: ignore[arg-type]


def contents(forge: Forge) -> str:
    return "\n".join(repr(memory) for memory in every(forge, mode="full_history"))


@pytest.fixture
def forge(place: str) -> Iterable[Forge]:
    with engramforge.open(place) as opened:
        turn(opened, "We talk about the marmot.", "other", sequence=1)
        yield opened


def test_a_conversation_goes_with_all_that_was_made_in_it(
    forge: Forge, search: Search, tmp_path: Path
) -> None:
    for number in range(30):
        turn(forge, f"The wombat number {number} is quixotic.", "zephyrtalk", sequence=number)
    turn(forge, "D001: we use the jubilant wombat queue.", "zephyrtalk", sequence=30)
    own = forge.decisions.create("Use narwhals", conversation="zephyrtalk", project="borealis")
    archive = forge.archives.compress("zephyrtalk").text
    turn(forge, f"Go on:\n\n{archive}", "other", sequence=2)
    with pytest.raises(NotConfirmed, match=r"removes 3[0-9] memories, and [1-9][0-9]* made from them"):
        forge.forget(conversation="zephyrtalk")
    assert len(forge.memories(session_id="zephyrtalk", limit=100)) >= 31, "nothing was removed"
    words = ["wombat", "quixotic", "zephyrtalk", "narwhals", "jubilant"]
    assert search(words) == set(words)
    proof = forge.forget(conversation="zephyrtalk", confirmed=True, reason="asked")
    assert proof.verified and proof.memories >= 32 and proof.derived >= 1, proof
    assert proof.versions >= proof.memories
    assert not any(word in contents(forge) for word in words)
    assert "marmot" in contents(forge)
    assert search(words) == set()
    with pytest.raises(NotFound):
        forge.decisions.get(own.id)
    with pytest.raises(NotFound, match="zephyrtalk"):
        forge.forget(conversation="zephyrtalk")
    assert forge.check() == []
    forge.archives.continue_from(archive, "third")
    assert "wombat" not in contents(forge)


def test_of_a_conversation_in_several_projects_one_has_to_be_named(forge: Forge) -> None:
    for project in ("atlas", "borealis"):
        turn(forge, f"The {project} wombat.", "talk", project=project)
    with pytest.raises(InvalidValue, match="atlas, borealis"):
        forge.forget(conversation="talk")
    proof = forge.forget(conversation="talk", project="borealis")
    assert proof.memories == 1 and proof.verified
    assert "atlas wombat" in contents(forge) and "borealis wombat" not in contents(forge)
    assert forge.forget(conversation="talk", project=["atlas", "borealis"]).memories == 1


def test_a_file_goes_with_its_chunks_and_records(forge: Forge, search: Search, tmp_path: Path) -> None:
    folder = tmp_path / "pets"
    folder.mkdir()
    page, lines = folder / "page.md", tmp_path / "lines.jsonl"
    page.write_text("# Pets\n\nThe quixotic wombat bites.\n\n# More\n\n" + "It sings jubilantly. " * 400)
    kept = tmp_path / "cats" / "page.md"
    kept.parent.mkdir()
    kept.write_text("# Cats\n\nThe marmot is kind.\n")
    said = {"kind": "message", "speaker": "user", "session_id": "s", "project": "borealis"}
    lines.write_text(
        "\n".join(json.dumps({**said, "content": f"Narwhal {n}.", "sequence": n}) for n in range(40))
    )
    assert forge.import_path(folder, project="atlas").written > 1
    for path in (kept, lines):
        forge.import_path(path, project=None if path == lines else "atlas")
    page.unlink()
    turn(forge, "A narwhal of another origin.", "s", project="borealis", sequence=99)
    assert forge.forget(file=page).verified
    assert search(["wombat", "jubilantly"]) == set()
    with pytest.raises(NotConfirmed, match="removes 40 memories"):
        forge.forget(file=lines)
    assert forge.forget(file=lines, confirmed=True).memories == 40
    assert contents(forge).lower().count("narwhal") == 1 and "marmot is kind" in contents(forge)
    assert forge.import_path(lines).written == 0
    with pytest.raises(NotFound, match="nothing of the file"):
        forge.forget(file=lines)
    with pytest.raises(NotFound):
        forge.forget(file=tmp_path / "no-such-file")
    assert forge.forget(file=kept.parent).memories == 1, "of a folder"


def test_a_project_goes_with_its_name(forge: Forge, place: str, search: Search, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Pets\n\nThe quixotic wombat bites.\n")
    forge.import_path(page, project="zephyrproject")
    turn(forge, "D001: we use the jubilant wombat queue.", "talk", project="zephyrproject")
    forge.threads.create("Find narwhals", conversation="talk", project="zephyrproject")
    forge.archives.compress("talk", project="zephyrproject")
    forge.export(exported := tmp_path / "export.jsonl")
    words = ["zephyrproject", "wombat", "narwhals"]
    assert search(words) == set(words)
    watched = tmp_path / "watched"
    watched.mkdir()
    forge.sync.add(watched, project="zephyrproject")
    proof = forge.forget(project="zephyrproject", confirmed=True)
    assert proof.memories >= 5
    assert [each.place for each in proof.found] == ["mark"] and "zephyrproject" in proof.found[0].why
    assert search(words) == {"zephyrproject"}
    forge.sync.remove(watched)
    turn(forge, "Nothing of it.", "else", project="zephyrproject")
    assert forge.forget(project="zephyrproject").verified
    assert search(words) == set()
    assert [each.name for each in forge.projects()] == ["atlas"] and forge.stats().projects == 1
    with pytest.raises(NotFound, match="zephyrproject"):
        forge.forget(project="zephyrproject")
    # Nothing brings it back: neither its file, nor an older export, also where the store was moved since.
    assert forge.import_path(page.rename(tmp_path / "other.md"), project="zephyrproject").written == 0
    forge.import_path(exported)
    assert "wombat" not in contents(forge)
    assert forge.check() == []
    forge.export(moved := tmp_path / "moved.jsonl")
    assert [each.name for each in forge.projects()] == ["atlas"]
    with engramforge.open(tmp_path / "moved") as other:
        other.import_path(moved)
        assert other.import_path(tmp_path / "other.md", project="zephyrproject").written == 0
        other.export(again := tmp_path / "again.jsonl")
    assert again.read_bytes() == moved.read_bytes()


def test_an_import_tells_what_was_forgotten(forge: Forge, tmp_path: Path) -> None:
    page, lines = tmp_path / "page.md", tmp_path / "lines.jsonl"
    page.write_text("# Pets\n\nThe quixotic wombat bites.\n")
    lines.write_text('{"content": "A narwhal."}\n{"content": "A gryphon."}\n')
    for path in (page, lines):
        forge.import_path(path, project="borealis")
    (gryphon,) = [each for each in forge.memories() if "gryphon" in each.content]
    forge.forget(file=page)
    forge.forget(gryphon.id)
    for _ in range(2):
        told = [forge.import_path(path, project="borealis") for path in (page, lines)]
        assert [(each.written, each.forgotten, each.duplicates) for each in told] == [(0, 1, 0), (0, 1, 1)]
    assert forge.import_path(lines, project="borealis").details["files"]["lines.jsonl"]["unchanged"]


def test_no_account_brings_the_name_of_a_forgotten_project_back(
    forge: Forge, search: Search, tmp_path: Path
) -> None:
    page, lines = tmp_path / "page.md", tmp_path / "lines.jsonl"
    page.write_text("# Pets\n\nThe quixotic wombat bites.\n")
    lines.write_text('{"content": "A narwhal."}\n')
    for path in (page, lines):
        forge.import_path(path, project="zephyrproject")
    assert forge.forget(project="zephyrproject", confirmed=True).verified
    for path in (page, lines):
        assert forge.import_path(path, project="zephyrproject").forgotten == 1
    assert search(["zephyrproject"]) == set()


def test_an_import_brings_no_name_of_a_forgotten_project_back(
    place: str, search: Search, tmp_path: Path
) -> None:
    with engramforge.open(place) as forge:
        forge.remember("The marmot stays.", project="atlas")
        forge.remember("The quixotic wombat.", project="zyxproject")
        forge.create_project("zyxempty")
        forge.export(exported := tmp_path / "export.jsonl")
        assert forge.forget(project="zyxproject", confirmed=True).verified
        assert forge.forget(project="zyxempty", confirmed=True).verified
        report = forge.import_path(exported)
        assert report.written == 0
        assert [each.name for each in forge.projects()] == ["atlas"]
        assert search(["zyxproject", "zyxempty"]) == set()
    other = engramforge.open(tmp_path / "other")
    with other:
        other.remember("The badger.", project="own")
        assert other.import_path(exported).written == 2
        assert {each.name for each in other.projects()} == {"own", "atlas", "zyxproject"}
        assert other.check() == []


@pytest.mark.parametrize(
    "path",
    ["~nobody-of-this-name/x", "loop", "loop/inner", "x" * 5_000, "a\0b", "", "/proc/1"],
)
def test_a_path_that_cannot_be_followed_is_told(tmp_path: Path, path: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "page.md").write_text("# Pets\n\nThe wombat bites.\n")
    asked = str(tmp_path / path) if path.startswith("loop") else path
    with engramforge.open(tmp_path / "home") as forge:
        forge.remember("The marmot stays.")
        verbs: dict[str, Callable[[], object]] = {
            "forget": lambda: forge.forget(file=asked, confirmed=True),
            "export": lambda: forge.export(asked),
            "export_markdown": lambda: forge.export_markdown(asked),
            "assign": lambda: forge.import_path(tmp_path / "page.md", assign=f"@{asked}"),
            "sync.remove": lambda: forge.sync.remove(asked),
            "image": lambda: forge.remember("A picture.", images=[asked]),
        }
        if path == "/proc/1":  # A folder of which some may not be entered; what can be read may be imported.
            verbs = {"forget": verbs["forget"]}
        else:
            verbs |= {
                "import_path": lambda: forge.import_path(asked),
                "sync.add": lambda: forge.sync.add(asked),
            }
        for name, verb in verbs.items():
            with pytest.raises(EngramforgeError) as told:
                verb()
            assert told.value.fault and told.value.mend, name
        assert [memory.content for memory in every(forge)] == ["The marmot stays."]
    if "\0" not in path:
        words = ["--home", str(tmp_path / "home"), "forget", "--file", asked, "--yes"]
        done = FORKED.run(words, b"", os.environ)
        assert done.returncode in (2, 3) and b"Traceback" not in done.stderr, done.stderr


def test_a_project_with_memories_of_others_keeps_its_name(place: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        ann.remember("The quixotic wombat.", project="shared")
        bob.remember("A private marmot.", project="shared")
        ann.create_project("empty")
        assert ann.forget(project="empty").memories == 0
        proof = ann.forget(project="shared")
        assert [(each.place, each.name) for each in proof.found] == [("project", "shared")]
        assert "written meanwhile or by other agents" in proof.found[0].why
        assert not proof.verified and not proof.queued
        assert [memory.content for memory in every(bob)] == ["A private marmot."]
        assert bob.forget(project="shared").verified and bob.projects() == []


def test_several_ids_go_as_one(forge: Forge, search: Search) -> None:
    ids = [forge.remember(f"The quixotic wombat {number}.").id for number in range(25)]
    with pytest.raises(NotFound):
        forge.forget([*ids[:2], "no-such-id"])
    with pytest.raises(NotConfirmed, match="25 memories"):
        forge.forget(ids)
    assert forge.forget(ids[:20]).memories == 20, "as many as go unasked"
    assert forge.forget([*ids[20:], ids[20]]).memories == 5
    assert search(["wombat"]) == set()
    for wrong in (
        {},
        {"memory_id": ()},
        {"memory_id": "a", "conversation": "b"},
        {"conversation": "a", "file": "b"},
        {"memory_id": "a", "project": "atlas"},
        {"conversation": " "},
        {"project": []},
        {"conversation": "other", "unasked": -1},
    ):
        with pytest.raises(InvalidValue):
            forge.forget(**wrong)  # type: ignore[arg-type]
    assert "marmot" in contents(forge)


def test_a_forget_that_dies_is_repeated_or_finished(place: str, search: Search) -> None:
    """Killed at any moment of it, the conversation is there as a whole or gone; the next to open finishes."""
    program = (
        "import sys, engramforge\n"
        "forge = engramforge.open(sys.argv[1])\n"
        "print('ready', flush=True)\n"
        "forge.forget(conversation='talk', confirmed=True)\n"
    )
    said = {"kind": "message", "session_id": "talk"}
    left = 200
    with engramforge.open(place) as forge:
        forge.remember_many({**said, "content": f"The wombat {n}.", "sequence": n} for n in range(left))
    for wait_s in (0.02, 0.1, 0.2):
        dying = Child(program, place)
        assert dying.stdout is not None and dying.stdout.readline() == "ready\n"
        time.sleep(wait_s)
        dying.kill()
        dying.wait(30)
        with engramforge.open(place) as forge:
            found = len(forge.memories(session_id="talk", limit=1_000))
            assert found in (0, left)
            left = found
            assert forge.check() == []
    with engramforge.open(place) as forge:
        if left:
            assert forge.forget(conversation="talk", confirmed=True).memories == left
    assert search(["wombat"]) == set()


def test_what_was_linked_to_the_forgotten_and_stays_is_named(place: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        old = ann.decisions.create("Use the quixotic wombat", conversation="c1", project="atlas")
        new = ann.decisions.supersede(old.id, "Use the narwhal", conversation="c2")
        note = ann.remember("The narwhal swims.", project="other")
        theirs = bob.remember("The okapi eats.", project="atlas")
        felt = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "order", "mindstate": "calm"}
        ann.link(note.id, old.memory_id, "RELATES_TO", **felt)
        proof = ann.forget(conversation="c1", project="atlas", confirmed=True)
        assert proof.verified and set(proof.linked) == {new.id, note.logical_id}
        assert ann.decisions.get(new.id).decision == "Use the narwhal"
        assert theirs.logical_id not in repr(proof)
        assert ann.forget(note.id).linked == ()
