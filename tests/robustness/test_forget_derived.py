"""What was made from a forgotten memory goes with it, however and for whomever it was made."""

from __future__ import annotations

import json
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.robustness.conftest import every, traces

import engramforge
from engramforge.answer.archives.stored_texts import ArchiveKeeping
from engramforge.capture.writers.own_exports.merging import Merge
from engramforge.errors import NotFound
from engramforge.forge import Forge
from engramforge.registries.detected.detected_entries import Detected
from engramforge.store.door import Transaction
from engramforge.writing import preparing
from engramforge.writing.version_change import VersionChange

# What is bound to what is found by the rules of the package, of which the engine knows nothing; what it has to erase is
# in the conformance suite, and each engine in the random lives of `forget_trial`.
on_sqlite = pytest.mark.parametrize("new_place", ["sqlite"], indirect=True)
SAID = "We decided to use the quixotic wombat because zephyrs are slow."


def saying(forge: Forge, word: str = "wombat") -> list[str]:
    """The kinds of all records that say a word."""
    return [
        str(memory.kind)
        for memory in every(forge, mode="full_history")
        if word in f"{memory.content} {memory.name} {memory.registration}"
    ]


def turn(forge: Forge, content: str, conversation: str = "talk", sequence: int = 1, **more: str) -> str:
    """A message of a conversation; its logical id."""
    given = {"kind": "message", "speaker": "user", "session_id": conversation, **more}
    return forge.remember(content, sequence=sequence, **given).logical_id


def test_what_an_undo_took_back_goes_too(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen = turn(forge, SAID)
        forge.archives.compress("talk")
        forge.undo(confirmed=True)
        forge.undo(confirmed=True)
        assert {"archive", "decision", "message"} <= set(saying(forge))
        proof = forge.forget(chosen)
        assert saying(forge) == []
        assert proof.verified and proof.derived >= 2 and proof.searched


@on_sqlite
def test_a_link_that_a_person_removed_binds_no_more(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen, kept = forge.remember("The first wombat."), forge.remember("Quite another narwhal.")
        felt = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "order", "mindstate": "calm"}
        link = forge.link(kept.id, chosen.id, "DERIVED_FROM", **felt)
        forge.unlink(link.link.id)
        forge.forget(chosen.id)
        assert [memory.content for memory in every(forge)] == ["Quite another narwhal."]


@on_sqlite
def test_the_table_of_other_projects_in_an_archive(place: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        other = bob.decisions.create(
            "Store sessions of the wombat service in Redis", project="borealis", level="collective"
        )
        ann.decisions.create(
            "Store sessions of the web service in Redis", conversation="talk", project="atlas"
        )
        archive = ann.archives.compress("talk", project="atlas")
        assert "wombat" in archive.text, "the archive shows the other project's decision"
        proof = bob.forget(other.memory_id)
        assert proof.derived == 1 and proof.verified
        assert saying(ann) == saying(bob) == []


def with_addition(text: str) -> str:
    """An archive into which a person wrote a decision."""
    added = "## Decisions\n\n### D007: Paint the narwhal\n"
    begin = "## Decisions\n" if "## Decisions\n" in text else "## Lineage\n"
    edited = text.replace(begin, added if begin in added else f"{added}\n{begin}", 1)
    assert edited != text
    return edited


@on_sqlite
@pytest.mark.parametrize(
    "how", ["pasted", "later in a conversation", "continued with additions", "passed on"]
)
def test_copies_of_an_archive(place: str, how: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        chosen = turn(ann, SAID)
        text = ann.archives.compress("talk").text
        reader = bob if how == "passed on" else ann
        if how == "continued with additions":
            ann.archives.continue_from(with_addition(text), "onward")
            assert "archive" in saying(ann, "narwhal")
        elif how == "passed on":
            bob.archives.continue_from(text, "onward")
        else:
            first = how == "pasted"
            if not first:
                turn(ann, "Good morning.", "onward")
            turn(ann, f"Go on from this, please.\n\n{text}", "onward", 2)
        assert len(saying(reader)) > 0
        proof = ann.forget(chosen)
        assert saying(ann) == saying(bob) == []
        assert proof.verified, proof.found
        # The copy that somebody still has brings nothing back either.
        for forge in (ann, bob):
            told = forge.archives.continue_from(text, f"once more {forge is ann}")
            assert not told.decisions
        assert saying(ann) == saying(bob) == []


@on_sqlite
def test_an_archive_that_was_taken_back_brings_nothing_back(place: str) -> None:
    """What is kept of it when a conversation goes on from it has no summary: the copy has one all the same."""
    with engramforge.open(place) as forge:
        chosen = turn(forge, "I think that the wombat looks good.")
        text = forge.archives.compress("talk", "lossy").text
        assert "wombat" in text
        forge.undo(confirmed=True)
        forge.archives.continue_from(with_addition(text), "onward")
        forge.forget(chosen)
        for number in (8, 9):
            copy = with_addition(text).replace("D007", f"D00{number}")
            forge.archives.continue_from(copy, f"once more {number}")
            assert not saying(forge), saying(forge)


@on_sqlite
@pytest.mark.parametrize("mode", ["lossless", "lossy"])
def test_an_archive_that_is_imported_brings_nothing_back(place: str, tmp_path: Path, mode: str) -> None:
    vault = tmp_path / "vault" / ".obsidian"
    vault.mkdir(parents=True)
    with engramforge.open(place) as forge:
        chosen = turn(forge, SAID)
        turn(forge, "The narwhal swims.", sequence=2)
        text = forge.archives.compress("talk", mode).text
        assert "wombat" in text and "narwhal" in text
        forge.forget(chosen)
        for path, end in ((tmp_path / "archive.md", "\r\n"), (vault.parent / "pasted.md", "\n")):
            path.write_text(f"# Kept\n\nSee the okapi.\n\n{text}".replace("\n", end), newline="")
            assert forge.import_path(path if "\r" in end else vault.parent).written
        assert saying(forge) == [] and "chunk" in saying(forge, "okapi")
        assert mode == "lossy" or "chunk" in saying(forge, "narwhal")


@on_sqlite
def test_an_archive_in_a_message_that_comes_later_brings_nothing_back(place: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    with engramforge.open(place) as forge:
        chosen, other = turn(forge, SAID), turn(forge, "The narwhal swims.", sequence=2)
        text = forge.archives.compress("talk").text
        forge.forget(chosen)
        said = {
            "kind": "message",
            "session_id": "later",
            "speaker": "user",
            "valid_at": "2026-01-05T10:00:00Z",
        }
        far = "One more thing. " * 15_000
        its = f"Go on from this.\n\nengramforge_archive: none\n\n{text}\n\n{far}\n\n{text}"
        lines.write_text(json.dumps({**said, "content": its}))
        assert forge.import_path(lines).written == 1
        assert saying(forge) == [] and "message" in saying(forge, "Go on from this")
        assert forge.import_path(lines.rename(tmp_path / "again.jsonl")).written == 0, (
            "it is recognised as it came"
        )
        assert forge.forget(other).verified
        assert saying(forge, "narwhal") == saying(forge, "Go on from this") == []
        assert forge.import_path(tmp_path / "again.jsonl").written == 0


@on_sqlite
@pytest.mark.parametrize("how", ["note", "message", "artifact", "many", "revise", "supersede"])
def test_an_archive_that_is_remembered_brings_nothing_back(place: str, how: str) -> None:
    with engramforge.open(place) as forge:
        chosen = turn(forge, SAID)
        turn(forge, "The narwhal swims.", sequence=2)
        text = f"Go on from this.\n\n{forge.archives.compress('talk').text}"
        kept = forge.remember("Quite another okapi.")
        forge.forget(chosen)
        if how == "many":
            (made,) = forge.remember_many([{"content": text}])
        elif how in ("revise", "supersede"):
            made = getattr(forge, how)(kept.id, text)
        else:
            made = forge.remember(text, kind=how, session_id="later" if how == "message" else None)
        assert saying(forge) == [] and "narwhal" in made.content
        assert turn(forge, SAID, "anew") and "message" in saying(forge), "a person may say it again"


@on_sqlite
def test_a_copy_is_bound_where_nothing_is_detected(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_DETECTION", "false")
    with engramforge.open(place) as forge:
        chosen = turn(forge, SAID)
        turn(forge, forge.archives.compress("talk").text, "onward")
        assert saying(forge) == ["message", "archive", "message"]
        assert forge.forget(chosen).verified
        assert saying(forge) == []


@on_sqlite
def test_who_still_says_it_is_named(place: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        chosen = ann.remember("The jubilant wombat of Plovdiv ate seven quixotic pies.")
        own = ann.remember("They said: The jubilant wombat of Plovdiv ate seven quixotic pies. So there.")
        bob.remember("Somebody wrote that the jubilant wombat of Plovdiv ate seven quixotic pies.")
        ann.remember("A wombat is a marsupial; pies are eaten in Plovdiv.")
        proof = ann.forget(chosen.id)
        assert not proof.verified and not proof.queued
        named = [(held.place, held.name) for held in proof.found]
        assert named == [("memory", own.logical_id), ("memory", "")], "another agent's has no id here"
        assert "jubilant" not in repr(proof)
        assert ann.forget(own.id).found[0].name == ""


@on_sqlite
def test_who_repeats_most_is_named_first_and_what_many_say_is_no_trace(place: str, tmp_path: Path) -> None:
    guide = tmp_path / "guide.md"
    trees = [f"tree{number}" for number in range(450)]
    guide.write_text(" ".join(trees))
    with engramforge.open(place) as forge:
        for number in range(8):
            forge.remember(f"    return (\nwho counts the {number} things\nlist recent")
        chosen = forge.remember("A kitten, said Zoë.\n    return (\nThe wombat eats 47 figs\nlist recent")
        few = forge.remember("He said:\nThe wombat eats 47 figs")
        assert [held.name for held in forge.forget(chosen.id).found] == [few.logical_id]
        told = forge.forget(forge.remember("list recent").id).found
        assert [held.why for held in told] == ["it repeats 2 words of it"] * 8, "the whole text counts"
        quoted = [" ".join(trees[number : number + 12]) for number in range(160, 320, 4)]
        forge.remember_many({"content": f"They wrote {text}."} for text in quoted)
        forge.import_path(guide)
        first, second, third = sorted(
            (memory.chunk.chunk_index, memory.logical_id) for memory in every(forge) if memory.chunk
        )
        told = forge.forget(second[1]).found
        assert {told[0].name, told[1].name} == {first[1], third[1]}, "the neighbours"
        assert {held.why for held in told[:2]} == {"it repeats 50 words of it"}
        assert len(told) == 21 and told[-1].name == ""
        assert told[-1].why.endswith("further memories repeat up to 12 words of it")


@on_sqlite
def test_a_renamed_file_stays_forgotten(place: str, tmp_path: Path) -> None:
    first = tmp_path / "notes.md"
    first.write_text("# Pets\n\nThe quixotic wombat bites.\n")
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"content": "A jubilant wombat sings.", "kind": "note", "origin": "a"}\n')
    record = tmp_path / "adr" / "0001-use-wombats.md"
    record.parent.mkdir()
    record.write_text("# 1. Use wombats\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use wombats.\n")
    with engramforge.open(place) as forge:
        for path in (first, lines, record.parent):
            assert forge.import_path(path, project="pets").written >= 1
        for memory in every(forge):
            forge.forget(memory.id)
        first = first.rename(tmp_path / "renamed.md")
        lines.write_text(lines.read_text().replace('"a"', '"b"'))
        record.rename(record.with_name("0002-wombats.md"))
        for path in (first, lines, record.parent):
            assert forge.import_path(path, project="pets").written == 0
        assert saying(forge) == []
        first.write_text("# Pets\n\nThe quixotic narwhal does not bite.\n")
        assert forge.import_path(first, project="pets").written == 1
        assert forge.remember("A jubilant wombat sings.", project="pets").content.startswith("A jubilant")


@on_sqlite
def test_a_copy_that_looks_the_same_stays_forgotten(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, lines, untimed = (tmp_path / name for name in ("notes.md", "lines.jsonl", "untimed.jsonl"))
    text = '# Pets\n\nThe quixotic wombat of Besan\u00e7on bites - "first" it\'s fine.\nTwice!\n'
    said = {"kind": "message", "session_id": "s", "speaker": "user", "valid_at": "2026-01-05T10:00:00Z"}

    def write(change: Callable[[str], str]) -> None:
        page.write_bytes(change(text).encode())
        lines.write_text(json.dumps({**said, "content": change("A jubilant wombat\nsings \u00e0 Paris.")}))
        plain = {
            "kind": "message",
            "session_id": change.__name__,
            "content": change("Once\nthe wombat went away."),
        }
        untimed.write_text(json.dumps(plain))

    with engramforge.open(place) as forge:

        def take(project: str = "pets") -> int:
            return sum(forge.import_path(path, project=project).written for path in (page, lines, untimed))

        # As versions did that left the key of the exact text, and of the text as it is seen.
        for project, form in (("pets", preparing.alike), ("oldest", str), ("older", preparing.seen)):
            write(str)
            assert take(project) == 3
            with monkeypatch.context() as patch:
                patch.setattr(preparing, "alike", form)
                for memory in every(forge, project=project):
                    forge.forget(memory.id)
        page, lines = page.rename(tmp_path / "again.md"), lines.rename(tmp_path / "again.jsonl")
        assert take("oldest") == take("older") == 0
        for change in (
            lambda text: text.replace("\n", "\r\n") + " ",
            lambda text: unicodedata.normalize(
                "NFD", text.replace(" ", " \u2060\u00a0").replace("wo", "w\u200bo")
            ),
            lambda text: text.replace(' "first" ', " \u00ab\u202ffir\ufb06\u202f\u00bb ").replace(
                "!", "\u202f!"
            ),
            lambda text: text.replace(" - ", "\u2014").replace("'", "\u2019").replace('"', "\u201d"),
            lambda text: text.replace(" - ", " -- ").replace('"', "''").replace("fi", "\ufb01"),
        ):
            write(change)
            assert take() == 0, saying(forge)
        write(lambda text: text.replace("wombat", "narwhal"))
        assert take() == 3


_BETWEEN = {
    "compress": (ArchiveKeeping, "plan"),
    "continue": (ArchiveKeeping, "plan"),
    "continue from elsewhere": (ArchiveKeeping, "plan"),
    "accept": (Detected, "plan"),
}
"""What is done -> the last step before its transaction."""


@pytest.mark.parametrize("what", _BETWEEN)
def test_a_forget_beside_a_copy(
    place: str, what: str, search: Callable[[list[str]], set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The source goes between the reading and the writing: nothing may be written that still says it, not even by a
    transaction that is then refused, whose words would stay in the files."""
    with engramforge.open(place) as forge, engramforge.open(place) as other:
        chosen = turn(forge, "I guess we'll go with the quixotic wombat.")
        turn(forge, "All is well.", sequence=2)
        text = forge.archives.compress("talk").text
        planner, verb = _BETWEEN[what]
        plan, gone = getattr(planner, verb), threading.Event()

        def late(*arguments: object, **more: object) -> object:
            planned = plan(*arguments, **more)
            if not gone.is_set():
                gone.set()
                assert not other.forget(chosen).queued
            return planned

        if what == "continue from elsewhere":
            forge.forget(every(forge, kinds=["lineage"])[0].id)
        (waiting,) = forge.review.pending()
        monkeypatch.setattr(planner, verb, late)
        if what == "compress":
            assert "wombat" not in forge.archives.compress("talk").text
        elif what == "accept":
            with pytest.raises(NotFound):
                forge.review.accept(waiting.id)
        else:
            forge.archives.continue_from(with_addition(text), "onward")
        assert gone.is_set()
        with pytest.raises(NotFound):
            forge.get(chosen)
        assert saying(forge) == []
        assert search(["wombat", "quixotic"]) == set()


def test_a_forget_during_a_compression(
    place: str, search: Callable[[list[str]], set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compression is about to write: the forget waits for it, and takes what it wrote."""
    with engramforge.open(place) as forge, engramforge.open(place) as other, ThreadPoolExecutor(1) as beside:
        chosen = turn(forge, "The quixotic wombat bites.")
        turn(forge, "All is well.", sequence=2)
        put, began, goes_on = VersionChange.put, threading.Event(), threading.Event()

        def late(change: VersionChange, writes: Transaction) -> None:
            began.set()
            goes_on.wait(30)
            put(change, writes)

        monkeypatch.setattr(VersionChange, "put", late)
        compressing = beside.submit(forge.archives.compress, "talk")
        assert began.wait(30)
        threading.Timer(0.5, goes_on.set).start()
        proof = other.forget(chosen)
        assert goes_on.is_set(), "the forget waited"
        assert "wombat" in compressing.result().text
        assert proof.derived == 1 and proof.verified
        assert saying(forge) == []
    assert search(["wombat", "quixotic"]) == set()


@pytest.mark.parametrize("step", ["look_at", "left"])
def test_a_forget_beside_the_import_of_an_export(
    place: str,
    step: str,
    tmp_path: Path,
    search: Callable[[list[str]], set[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The import has compared the export with the store when something of it is forgotten."""
    with engramforge.open(place) as forge, engramforge.open(place) as other:
        chosen = turn(forge, "The quixotic wombat bites.")
        turn(forge, "All is well.", sequence=2)
        forge.export(tmp_path / "export.jsonl")
        forge.remember("Something that the export lacks.")
        compare, gone = getattr(Merge, step), threading.Event()

        def late(*arguments: object) -> object:
            compared = compare(*arguments)
            if not gone.is_set():
                gone.set()
                assert not other.forget(chosen).queued
            return compared

        monkeypatch.setattr(Merge, step, late)
        forge.import_path(tmp_path / "export.jsonl")
        assert gone.is_set()
        assert saying(forge) == []
    assert search(["wombat", "quixotic"]) == set()


def test_the_reasons_of_its_changes_go_too(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen, kept = forge.remember("The first wombat."), forge.remember("Quite another narwhal.")
        felt = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "order", "mindstate": "calm"}
        for source, target in ((kept, chosen), (chosen, kept)):
            link = forge.link(source.id, target.id, "CAUSED", **felt).link
            forge.unlink(link.id, reason="Because Jibberquolt")
        for memory, reason in ((chosen, "Since Dandlequeep"), (kept, "It swam away")):
            forge.invalidate(memory.id, reason=reason)
        proof = forge.forget(chosen.id, reason="they asked")
        assert proof.verified and not proof.found
        said = [
            line.reason for line in forge.audit_log() if line.action in ("forget", "invalidate", "unlink")
        ]
        assert said == ["they asked", "It swam away", "", "", ""]
        if "://" not in place:
            assert traces(Path(place), ["Jibberquolt", "Dandlequeep"]) == set()


SECOND = "D001: we use the jubilant narwhal queue now."


@on_sqlite
@pytest.mark.parametrize("kind", ["decision", "thread"])
def test_what_a_forgotten_message_changed_stands_as_it_was(place: str, kind: str) -> None:
    """Others made the entry; only what the message wrote goes, and what was made from that."""
    first, second = {
        "decision": ("D001: we use the quixotic wombat queue.", SECOND),
        "thread": ("T001: find the quixotic wombat queue.", "T001 is resolved: the jubilant narwhal did it."),
    }[kind]
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        level = {"level": "collective"}
        begun = turn(ann, first, **level)
        before_archive = ann.archives.compress("talk").id
        (entry,) = every(ann, kinds=[kind])
        chosen = turn(ann, second, sequence=2, **level)
        changed = ann.history(entry.logical_id)
        assert len(changed) > 1 and "narwhal" in changed[-1].content
        later_archive = ann.archives.compress("talk").id
        proof = bob.forget(chosen)
        assert proof.verified and proof.derived == 1, proof
        assert saying(ann, "narwhal") == saying(bob, "narwhal") == []
        assert ann.archives.get(before_archive)
        with pytest.raises(NotFound):
            ann.archives.get(later_archive)
        for forge in (ann, bob):
            assert forge.history(entry.logical_id) == [entry]
            assert every(forge, kinds=[kind]) == [entry]
            assert entry in [hit.memory for hit in forge.recall("which wombat queue?", kinds=[kind]).hits]
            assert forge.check() == []
        standing = ann.decisions.browse(status="active") if kind == "decision" else ann.threads.active()
        assert [each.id for each in standing] == [entry.registration.entry_id]  # type: ignore[union-attr]
        turn(ann, second.replace("narwhal", "walrus"), sequence=3, **level)
        assert kind in saying(ann, "walrus"), "it can be changed again"
        bob.forget(begun)
        assert entry.logical_id not in {memory.logical_id for memory in every(ann, mode="full_history")}


@on_sqlite
def test_an_entry_that_was_changed_on_goes_as_a_whole(place: str) -> None:
    with engramforge.open(place) as forge:
        turn(forge, "D001: we use the quixotic wombat queue.")
        chosen = turn(forge, SECOND, sequence=2)
        (entry,) = forge.decisions.browse()
        forge.decisions.revise(entry.id, rationale="It is loud.")
        assert forge.forget(chosen).derived == 1
        assert forge.decisions.browse() == [] and saying(forge, "narwhal") == []
