"""Our own export brought back: an equal store, on either engine; beside what is there, only what is new."""

from __future__ import annotations

import io
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from tests.children import Child
from tests.upkeep.conftest import LINES, Rich, exported, made_once, new_place, place, rich

import engramforge
from engramforge.errors import InvalidSource, InvalidValue
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import ENTRY_PREFIXES
from engramforge.model.storing.record import ImportReport
from engramforge.model.storing.section import Section

__all__ = ["made_once", "new_place", "place", "rich"]
Lines = list[dict[str, Any]]
FELT: dict[str, Any] = {
    "energy": 0.7,
    "confidence": 0.6,
    "emotion_vector": {"joy": 0.4},
    "goal": "ship",
    "mindstate": "calm",
}
MADE_UP = "01890000-0000-7000-8000-000000000001"


@pytest.fixture
def rich_file(rich: Rich, tmp_path: Path) -> Path:
    """The export of a store with everything in it."""
    found = tmp_path / "rich.jsonl"
    found.write_bytes(exported(rich.home))
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of a store with some of everything in it, made once."""
    folder = tmp_path_factory.mktemp("small")
    turns = folder / "turns.jsonl"
    write_lines(turns, [{"content": f"Turn {n}.", "id": f"t{n}", "project": "turns"} for n in range(20)])
    with engramforge.open(folder / "home") as forge:
        forge.import_path(turns)
        notes = forge.remember_many([{"content": f"Note {n}.", "project": "notes"} for n in range(20)])
        forge.revise(notes[0].logical_id, "Note 0, corrected.")
        forge.supersede(notes[1].logical_id, "Note 1 of now.")
        forge.invalidate(notes[2].logical_id, reason="over")
        forge.link(notes[4].logical_id, notes[5].logical_id, "ENABLES", **FELT)
        forge.unlink(forge.link(notes[5].logical_id, notes[6].logical_id, "CAUSES", **FELT).link.id)
        forge.remember("We pack with twine.", kind="decision", session_id="talk-1", project="notes")
        forge.remember("Who buys the twine?", kind="thread", session_id="talk-1", project="notes")
        forge.forget(notes[7].logical_id)
        forge.create_project("empty")
    with engramforge.open(folder / "home", agent="bo") as forge:
        forge.remember("Only Bo knows.", project="notes")
        forge.export(folder / "memory.jsonl")
    return folder / "memory.jsonl"


@pytest.fixture
def file(small: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copy(small, tmp_path / "memory.jsonl"))


def brought_back(place: str | Path, file: Path) -> ImportReport:
    """Import a file into a store."""
    with engramforge.open(place) as forge:
        return forge.import_path(file)


def lines_of(file: Path) -> Lines:
    """The lines of an export."""
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def write_lines(file: Path, lines: Lines) -> None:
    """Write lines as an export does."""
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    file.write_text(text, encoding="utf-8")


def test_an_empty_store_becomes_the_same_store(rich: Rich, place: str, rich_file: Path) -> None:
    report = brought_back(place, rich_file)
    assert report.format == "engramforge"
    assert report.faults == ()
    assert report.written == report.found > LINES
    # Byte for byte: ids, versions, closed records, links, origins, log, marks, and what one write did.
    assert exported(place) == rich_file.read_bytes()
    with engramforge.open(place) as forge, engramforge.open(rich.home) as before:
        assert forge.identity.store_id == before.identity.store_id
        assert forge.check() == []
        assert forge.sweep(keep=False).broken == 0
        question = "which bucket did we choose"
        assert [hit.memory.id for hit in forge.recall(question).hits] == [
            hit.memory.id for hit in before.recall(question).hits
        ]


def test_a_second_time_adds_nothing(place: str, file: Path) -> None:
    brought_back(place, file)
    again = brought_back(place, file)
    assert (again.written, again.faults) == (0, ())
    assert again.duplicates == again.found
    assert exported(place) == file.read_bytes()


def test_the_store_goes_on_where_the_other_was(rich: Rich, place: str, rich_file: Path) -> None:
    with engramforge.open(place) as forge:
        forge.import_path(rich_file)
        # In the same process: what was imported before is known, what was forgotten stays forgotten.
        assert forge.import_path(rich.lines).written == 0
        assert forge.import_path(rich.vault, project="vault").written == 0
        assert rich.forgotten not in {
            memory.content for memory in forge.memories(session_id="s17", limit=100)
        }
        note = next(
            memory
            for memory in forge.memories(project="notes", limit=50)
            if memory.content.startswith("Note 9")
        )
        assert forge.remember(note.content, project="notes").logical_id == note.logical_id
    with engramforge.open(place, agent="default") as forge:
        taken = forge.audit_log(1)[0]
        assert taken.action == "revise"
        assert forge.undo().action == "revise"
        assert forge.check() == []


def test_what_one_write_did_is_undone_together(tmp_path: Path, place: str) -> None:
    with engramforge.open(tmp_path / "one") as forge:
        forge.remember_many([{"content": f"Pebble {number}."} for number in range(5)])
        forge.export(tmp_path / "few.jsonl")
    brought_back(place, tmp_path / "few.jsonl")
    with engramforge.open(place) as forge:
        assert len(forge.undo().taken_back) == 5
        assert forge.memories() == []


def test_beside_what_is_there_by_ids(place: str, file: Path) -> None:
    with engramforge.open(place) as forge:
        mine = forge.remember("Mine alone.", project="mine")
        identity = forge.identity.store_id
        report = forge.import_path(file)
        assert report.faults == ()
        assert report.written == report.found
        again = forge.import_path(file)
        assert (again.written, again.faults) == (0, ())
        assert forge.identity.store_id == identity
        assert forge.get(mine.id) == mine
        assert forge.check() == []
        assert forge.sweep(keep=False).broken == 0
        # Notes are known by what they say, under this store's own key.
        note = next(
            memory
            for memory in forge.memories(project="notes", limit=50)
            if memory.content.startswith("Note 9")
        )
        assert forge.remember(note.content, project="notes").logical_id == note.logical_id
    there = [line for line in lines_of(file) if line["section"] in ("memories", "links")]
    written = [json.loads(line) for line in exported(place).splitlines()]
    kept = {line["id"]: line for line in written if line["section"] in ("memories", "links")}
    for line in there:
        assert {**kept[line["id"]], "write": 0} == {**line, "write": 0}


def test_what_came_beside_what_is_there_is_undone(tmp_path: Path, place: str) -> None:
    """A version that had ended before it came stays ended, and holds nothing up."""
    with engramforge.open(tmp_path / "one") as forge:
        forge.revise(forge.remember("The gauge reads 205 cm.").id, "The gauge reads 207 cm.")
        forge.invalidate(forge.remember("The lock is shut.").id)
        forge.export(tmp_path / "few.jsonl")
    with engramforge.open(place) as forge:
        mine = forge.remember("Mine alone.")
        forge.import_path(tmp_path / "few.jsonl")
        came = forge.memories()
        forge.undo()
        assert forge.memories() == [mine]
        forge.redo()
        assert [each.content for each in forge.memories()] == [each.content for each in came]
        forge.undo()
        forge.undo()
        assert forge.memories() == []
        assert forge.check() == []


def test_what_the_store_has_otherwise_is_left_and_told(place: str, file: Path) -> None:
    brought_back(place, file)
    with engramforge.open(place) as forge:
        notes = {memory.content: memory for memory in forge.memories(project="notes", limit=50)}
        changed, gone = notes["Note 9."], notes["Note 10."]
        forge.revise(changed.id, "Note 9 of today.")
        forge.forget(gone.logical_id)
        report = forge.import_path(file)
        assert report.written == 0
        told = [fault.reason for fault in report.faults]
        assert [changed.logical_id in said for said in told] == [True], told
        assert forge.get(changed.logical_id).content == "Note 9 of today."
        assert gone.logical_id not in {memory.logical_id for memory in forge.memories(limit=1_000)}
        counts = report.details["files"]["memory.jsonl"]
        assert counts["skipped"]["forgotten before"] == 1
        assert forge.check() == []


@pytest.mark.on_disk
def test_what_is_broken_off_goes_on(place: str, rich_file: Path) -> None:
    code = "import sys, engramforge\nengramforge.open(sys.argv[1]).import_path(sys.argv[2])\n"
    with engramforge.open(place) as forge:
        child = Child(code, place, rich_file)
        deadline, versions = time.monotonic() + 40, 0
        while time.monotonic() < deadline and not versions:
            assert child.poll() is None, child.stderr.read()
            versions = forge.stats().versions
            time.sleep(0.01)
        child.kill()
    child.wait()
    assert 0 < versions < LINES
    report = brought_back(place, rich_file)
    assert report.faults == ()
    assert 0 < report.written < report.found
    assert exported(place) == rich_file.read_bytes()


def test_an_export_broken_off_makes_way_for_another(place: str, file: Path, tmp_path: Path) -> None:
    lines = lines_of(file)
    with engramforge.open(tmp_path / "other") as forge:
        forge.remember("Of another store.")
        forge.export(tmp_path / "other.jsonl")
    with engramforge.open(place) as forge:
        door, scope = forge._stages.door, forge._scope
        door.write(scope, lambda writes: writes.adopt(str(lines[0]["store_id"])))
        door.write(scope, lambda writes: writes.save_mark("restore", {"digest": "of a lost file", "line": 1}))
        assert forge.import_path(tmp_path / "other.jsonl").written == 1
        assert door.asking(scope).mark("restore") is None
        assert [hit.memory.content for hit in forge.recall("another store").hits] == ["Of another store."]


def test_damaged_lines_are_told_by_number_and_the_rest_goes_in(place: str, file: Path) -> None:
    lines = lines_of(file)
    memories = [index for index, line in enumerate(lines) if line["section"] == "memories"]
    wrong = {
        memories[3]: {"energy": 7},
        memories[5]: {"valid_at": "yesterday"},
        memories[7]: {"colour": "red"},
        memories[9]: {"id": "17"},
        memories[11]: {"kind": "novel"},
    }
    for index, change in wrong.items():
        lines[index] = {**lines[index], **change}
    raw = [json.dumps(line, ensure_ascii=False).encode() for line in lines]
    raw[memories[13]] = raw[memories[13]][:40]
    file.write_bytes(b"\n".join(raw[:-1]) + b"\n" + raw[-1][:20])
    report = brought_back(place, file)
    told = {fault.line for fault in report.faults}
    assert {index + 1 for index in (*wrong, memories[13])} | {len(lines)} <= told
    assert any("cut off" in fault.reason for fault in report.faults)
    (counted,) = [fault for fault in report.faults if "memories" in fault.reason and "header" in fault.reason]
    assert (
        f"{len(memories):,} lines" in counted.reason and f"{len(memories) - 1:,} are there" in counted.reason
    )
    assert report.written == len(memories) - 6
    with engramforge.open(place) as forge:
        assert forge.check() == []


USE = {"validation_count": 0, "hops": 0}
PROPOSAL = {
    "kind": "thread",
    "sentence": "s",
    "rule": "r",
    "confidence": 1,
    "is_update": True,
    "status": "pwned",
}
PROPOSED = {"status": "pending", "details": {"proposal": PROPOSAL}}
IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    ("projects", {"name": "\ud800"}, "The field 'name' holds half a surrogate pair"),
    ("marks", {"value": {"a": "\ud800"}}, "The field 'value' holds half"),
    ("memories", {"content": "\ud800 x"}, "The field 'content' holds half"),
    ("memories", {"metadata": {"a": [{"\udc00": 1}]}}, "The field 'metadata' holds half"),
    ("memories", {"colour \ud800": 1}, "The field 'colour \\ud800' holds half"),
    ("memories", {"registration": {"entry_id": "dec_1", "hops": 10**30}}, "registration.hops is 1000"),
    (
        "memories",
        {"registration": {"entry_id": "dec_1", "validation_count": -1}},
        "registration.validation_count is -1",
    ),
    *(
        ("memories", {"kind": kind, "registration": registration}, said)
        for kind, registration, said in (
            ("decision", {"status": "pwned"}, "registration.status is 'pwned', which is none"),
            ("decision", {}, "registration.status is '', which is none"),
            ("thread", {"status": "active"}, "registration.status is 'active', which is none"),
            ("lineage", {"status": "open"}, "kind lineage has the status 'open'"),
            ("thread", {"details": {"priority": "pwned"}}, "details.priority is 'pwned', which is none"),
            ("thread", {"details": {"opened_at": "x"}}, "registration.details.opened_at"),
            ("thread", {"details": {"blocked_by": 7}}, "details.blocked_by is 7 and not a list"),
            ("lineage", {"details": {"compression_mode": "x"}}, "details.compression_mode is 'x'"),
            ("lineage", {"details": {"turn_range": [1]}}, "details.turn_range has not two"),
            ("flag", {"status": "pending", "details": {"proposal": {"kind": "x"}}}, "details.proposal"),
            ("flag", PROPOSED, "proposal.status is 'pwned'"),
        )
    ),
    ("memories", {"access_count": -1}, "The field access_count is -1"),
    ("memories", {"version": 2**63 - 1}, "The field version is 9223372036854775807"),
    ("memories", {"access_count": 1_000_000_001}, "The field access_count is 1000000001"),
    ("memories", {"sequence": -(10**30)}, "The field sequence is -1000"),
    ("memories", {"energy": 10**400}, "and not a finite number"),
    ("audit", {"reason": "\ud800"}, "The field 'reason' holds half"),
    ("audit", {"effect": {"of": "\ud800"}}, "The field 'effect' holds half"),
    ("audit", {"effect": {"made": ["zz"]}}, "The field effect.made is 'zz', which is no id"),
    ("audit", {"effect": {"closed": [""]}}, "The field effect.closed is '', which is no id"),
    ("audit", {"effect": {"linked": [{"id": "zz", "source_id": MADE_UP}]}}, "effect.linked is 'zz'"),
    ("audit", {"effect": {"unlinked": [{"id": MADE_UP, "source_id": ""}]}}, "effect.unlinked is ''"),
    ("audit", {"effect": {"stands_for": {MADE_UP: "zz"}}}, "effect.stands_for is 'zz'"),
    ("audit", {"effect": {"uses": [{"memory_id": "zz", "before": USE, "after": USE}]}}, "uses is 'zz'"),
    (
        "audit",
        {"effect": {"uses": [{"memory_id": MADE_UP, "before": USE, "after": {**USE, "hops": 10**30}}]}},
        "The field effect.uses[0].after.hops is 1000",
    ),
    (
        "audit",
        {"effect": {"uses": [{"memory_id": MADE_UP, "before": {**USE, "hops": -1}, "after": USE}]}},
        "The field effect.uses[0].before.hops is -1",
    ),
]


def test_lines_that_no_store_can_hold_are_told(place: str, file: Path) -> None:
    lines = lines_of(file)
    # The last of each section, since others need the first projects.
    free = {name: [n for n, line in enumerate(lines, 1) if line["section"] == name] for name in Section}
    told = {}
    for section, change, said in IMPOSSIBLE:
        number = free[section].pop()
        line = lines[number - 1]
        line.update(change)
        if "kind" in change:
            prefix = ENTRY_PREFIXES[Kind(change["kind"])]
            line["registration"] = {**change["registration"], "entry_id": prefix + line["logical_id"][-12:]}
        told[number] = said
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    faults = {fault.line: fault.reason for fault in brought_back(place, file).faults}
    for number, said in told.items():
        # Nothing is told that could not be printed.
        assert said.encode() in faults[number].encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "format 2; known is format 1"),
        ({"format": "1"}, "known is format 1"),
        ({"counts": None}, "lacks counts or store_id"),
        ({"store_id": "x"}, "lacks counts or store_id"),
    ],
)
def test_a_header_that_cannot_be_trusted_is_refused(
    file: Path, change: dict[str, object], said: str, tmp_path: Path
) -> None:
    header, *rest = lines_of(file)
    write_lines(file, [{**header, **change}, *rest[:3]])
    with engramforge.open(tmp_path / "new") as forge, pytest.raises(InvalidSource, match=said):
        forge.import_path(file)


def test_a_project_of_the_caller_is_refused(file: Path, tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "new") as forge, pytest.raises(InvalidValue, match="its own projects"):
        forge.import_path(file, project="elsewhere")


def test_an_older_export_without_writes_comes_back(place: str, file: Path) -> None:
    lines = lines_of(file)
    for line in lines:
        line.pop("write", None)
    write_lines(file, lines)
    assert brought_back(place, file).faults == ()
    stream = io.BytesIO()
    with engramforge.open(place) as forge:
        forge.export(stream)
    back = [json.loads(line) for line in stream.getvalue().splitlines()]
    for line in back:
        line.pop("write", None)
    assert back == lines
