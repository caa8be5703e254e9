"""Folders of decision records: real ones against their index, and what becomes of decisions when records change."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from tests.capture.conftest import SHARED, Workbench, needs_exports, run

from engramforge.capture.imports.survey import survey
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.decision_records import write_records
from engramforge.core.decision_records.decision_record import RecordStatus, read_record
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.storing.record import Extent
from engramforge.registries.decisions.decision_view import around, decision_of

RECORDS = SHARED / "data" / "adr"
MEANING = {
    "accepted": RecordStatus.ACCEPTED,
    "approved": RecordStatus.ACCEPTED,
    "partly": RecordStatus.ACCEPTED,
    "pending": RecordStatus.PROPOSED,
    "proposed": RecordStatus.PROPOSED,
    "incomplete": RecordStatus.PROPOSED,
    "rejected": RecordStatus.REJECTED,
    "superseded": RecordStatus.SUPERSEDED,
    "none": RecordStatus.UNSTATED,
}


def entries(bench: Workbench) -> dict[str, Decision]:
    """The decisions of the registry by local id, ended ones too."""
    found: list[Memory] = bench.door.asking(bench.scope).entries(EntryQuery(kind=Kind.DECISION, ended=True))
    near = around(bench.door, bench.scope, found)
    shown = [decision_of(item, near=near) for item in found]
    assert len(shown) == len({decision.local_id for decision in shown})
    return {str(decision.local_id): decision for decision in shown}


def relations(bench: Workbench) -> set[tuple[str, str, str]]:
    names = {entry.memory_id: name for name, entry in entries(bench).items()}
    links = bench.door.asking(bench.scope).links(sorted(names))
    return {
        (names[link.source_id], link.relation, names[link.target_id])
        for link in links
        if link.source_id != link.target_id
    }


@needs_exports
@pytest.mark.parametrize("name", ["govuk-aws", "moj-cloud-platform"])
def test_real_records_are_read_as_their_index_says(name: str) -> None:
    index = [json.loads(line) for line in (RECORDS / f"{name}.index.jsonl").read_text().splitlines()]
    wrong: Counter[str] = Counter()
    for said in index:
        record = read_record((RECORDS / name / said["file"]).read_text(), said["file"])
        if said["file"] == "README.md":
            assert record is None
            continue
        assert record is not None, said["file"]
        words = "".join(letter if letter.isalpha() else " " for letter in str(said["status"])).lower().split()
        wrong["title"] += record.heading != said["title"]
        wrong["status"] += record.status is not MEANING[words[0]]
        wrong["number"] += record.number != int(said["file"].split("-")[0])
        wrong["date"] += record.date is None
        if "-" in str(said["date"]):
            wrong["date"] += record.date is None or record.date.date().isoformat() != said["date"]
    assert sum(wrong.values()) == 0, wrong
    assert len(index) == {"govuk-aws": 38, "moj-cloud-platform": 50}[name]


@needs_exports
def test_real_folders_become_decisions_once(bench: Workbench) -> None:
    first = run(bench, RECORDS / "govuk-aws")
    assert (first.format, first.project, first.found, first.written) == ("adr", "govuk-aws", 38, 38)
    assert (first.superseded, first.invalidated, len(first.faults)) == (1, 0, 0)
    shown = entries(bench)
    assert Counter(item.status for item in shown.values()) == {"active": 37, "superseded": 1}
    old = shown["ADR-0004"]
    assert old.superseded_by == shown["ADR-0015"].id and old.invalid_at == shown["ADR-0015"].valid_at
    assert relations(bench) == {
        ("ADR-0015", "SUPERSEDES", "ADR-0004"),
        ("ADR-0017", "AMENDS", "ADR-0010"),
        ("ADR-0033", "PARTLY_SUPERSEDES", "ADR-0003"),
    }
    tiers = [shown[name].epistemic_tier for name in ("ADR-0002", "ADR-0003", "ADR-0006")]
    assert tiers == [0.8, 0.6, 0.3]
    records = len(bench.every())
    again = run(bench, RECORDS / "govuk-aws")
    assert (again.found, again.written, len(bench.every())) == (38, 0, records)


@needs_exports
def test_the_folder_of_another_team(bench: Workbench) -> None:
    report = run(bench, RECORDS / "moj-cloud-platform")
    assert (report.found, report.written, report.superseded, report.invalidated) == (45, 45, 1, 1)
    assert report.details["files"]["moj-cloud-platform"]["skipped"] == {
        "no decision record": 1,
        "only points elsewhere": 4,
    }
    shown = entries(bench)
    assert shown["ADR-0021"].superseded_by == shown["ADR-0036"].id
    assert {name for name, item in shown.items() if item.status == "invalidated"} == {"ADR-0018"}
    assert "rejected" in shown["ADR-0037"].tags


def record(title: str, status: str, decision: str, date: str = "2024-01-02") -> str:
    head = f"# {title}\n\nDate: {date}\n\n## Status\n\n{status}\n\n"
    return f"{head}## Context\n\nIt rains.\n\n## Decision\n\n{decision}\n"


def place(root: Path, **texts: str) -> Path:
    folder = root / "farm" / "docs" / "adr"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / f"{name[1:].replace('_', '-')}.md"
        path.write_text(text)
        os.utime(path, (1_750_000_000, 1_750_000_000))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return place(
        tmp_path,
        _0001_roof=record("1. Tin roof", "Accepted", "We cover the barn with tin."),
        _0002_pond=record("2. Pond", "Proposed", "We dig a pond."),
        _0003_bees=record("3. Bees", "Accepted\n\nClarifies [2. Pond](0002-pond.md)", "We keep bees."),
        _README="# Decisions\n\nA list.\n",
        _template="# 0. Title\n\n## Status\n\nProposed\n\n## Context\n\n## Decision\n",
    )


def test_a_folder_and_its_project(bench: Workbench, folder: Path) -> None:
    assert survey(folder.parent.parent, None).format == survey(folder, None).format == "adr"
    report = run(bench, folder)
    assert (report.format, report.project, report.found, report.written) == ("adr", "farm", 3, 3)
    assert report.details["files"]["adr"]["skipped"] == {"no decision record": 2}
    roof = entries(bench)["ADR-0001"]
    assert roof.decision == "Tin roof: We cover the barn with tin." and roof.rationale == "It rains."
    assert (roof.tags, roof.valid_at.date().isoformat()) == (("adr",), "2024-01-02")
    memory = bench.door.asking(bench.scope).fetch([roof.memory_id])[roof.memory_id]
    assert memory.metadata["adr"]["status"] == "Accepted" and memory.name == "Tin roof"


def test_a_changed_status_changes_the_decision(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    run(bench, folder)
    before = entries(bench)
    place(
        tmp_path,
        _0001_roof=record(
            "1. Tin roof", "Superseded by [4. Slate](0004-slate.md)", "We cover the barn with tin."
        ),
        _0002_pond=record("2. Pond", "Accepted", "We dig a pond, and line it."),
        _0004_slate=record("4. Slate roof", "Accepted", "We use slate.", "2025-02-03"),
    )
    report = run(bench, folder)
    after = entries(bench)
    assert (report.written, report.superseded) == (1, 1) and len(after) == 4
    roof, pond = after["ADR-0001"], after["ADR-0002"]
    assert (roof.id, roof.status, roof.version) == (before["ADR-0001"].id, "superseded", 1)
    assert roof.superseded_by == after["ADR-0004"].id and roof.invalid_at == after["ADR-0004"].valid_at
    assert (pond.version, pond.epistemic_tier, pond.decision) == (2, 0.8, "Pond: We dig a pond, and line it.")
    assert ("ADR-0003", "CLARIFIES", "ADR-0002") in relations(bench)
    assert after["ADR-0003"].version == 1
    same = len(bench.every())
    assert run(bench, folder).written == 0 and len(bench.every()) == same


def test_a_decision_that_holds_again(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    run(bench, folder)
    place(tmp_path, _0003_bees=record("3. Bees", "Deprecated", "We keep bees."))
    run(bench, folder)
    bees = entries(bench)["ADR-0003"]
    assert bees.status == "invalidated" and ("ADR-0003", "CLARIFIES", "ADR-0002") not in relations(bench)
    place(tmp_path, _0003_bees=record("3. Bees", "Accepted", "We keep bees again."))
    run(bench, folder)
    again = entries(bench)["ADR-0003"]
    assert (again.status, again.version, again.decision) == ("active", 2, "Bees: We keep bees again.")


def test_a_decision_that_ended_otherwise(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    run(bench, folder)
    slate = record("4. Slate roof", "Accepted", "We use slate.", "2025-02-03")
    place(
        tmp_path,
        _0001_roof=record("1. Tin roof", "Deprecated", "We cover the barn with tin."),
        _0004_slate=slate,
    )
    run(bench, folder)
    ended = entries(bench)["ADR-0001"]
    assert (ended.status, ended.superseded_by) == ("invalidated", None)
    for status, shown, by in (
        ("Superseded by [4](0004-slate.md)", "superseded", "ADR-0004"),
        ("Superseded by [3](0003-bees.md)", "superseded", "ADR-0003"),
        ("Rejected", "invalidated", None),
    ):
        place(tmp_path, _0001_roof=record("1. Tin roof", status, "We cover the barn with tin."))
        report = run(bench, folder)
        after = entries(bench)
        roof = after["ADR-0001"]
        assert report.written == 0 and roof.status == shown and roof.id == ended.id
        assert roof.superseded_by == (after[by].id if by else None)
        assert (roof.version, roof.invalid_at) == (1, ended.invalid_at)
        supersessions = {relation for relation in relations(bench) if relation[1] == "SUPERSEDES"}
        assert supersessions == ({(by, "SUPERSEDES", "ADR-0001")} if by else set())
        same = len(bench.every())
        assert run(bench, folder).invalidated == 0 and len(bench.every()) == same
    assert bench.door.check() == []


def test_what_the_registry_did_stays(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    """A record that did not change says nothing new, whatever happened to its decision."""
    run(bench, folder)
    gone = entries(bench)["ADR-0003"].memory_id
    bench.door.write(bench.scope, lambda writes: writes.forget(Extent([gone]), bench.clock()))
    place(
        tmp_path, _0005_fence=record("5. Fence", "Supersedes [2. Pond](0002-pond.md)\n\nProposed", "A fence.")
    )
    (folder / "0001-roof.md").unlink()
    report = run(bench, folder)
    assert (report.written, report.superseded) == (1, 0)
    assert set(entries(bench)) == {"ADR-0001", "ADR-0002", "ADR-0005"}
    assert ("ADR-0005", "RELATES_TO", "ADR-0002") in relations(bench)
    assert report.details["files"]["adr"]["skipped"]["forgotten before"] == 1


def test_a_circle_and_a_broken_file(bench: Workbench, tmp_path: Path) -> None:
    folder = place(
        tmp_path,
        _0001_a=record("1. A", "Superseded by [2](0002-b.md)", "A."),
        _0002_b=record("2. B", "Superseded by [1](0001-a.md)", "B."),
        _0003_c=record("3. C", "Superseded by [9](0009-none.md)", "C."),
        _0006_e=record("6. E", "Superseded by [6](0006-e.md)", "E."),
    )
    (folder / "0004-d.md").write_bytes(b"# 4. D\n\xff\n")
    (folder / "0005-link.md").symlink_to(folder / "0001-a.md")
    report = run(bench, folder)
    assert (report.found, report.written, len(report.faults)) == (5, 4, 4)
    told = {Path(fault.path).name[:4]: fault for fault in report.faults}
    assert all(told[name].is_note and "itself" in told[name].reason for name in ("0001", "0002", "0006"))
    shown = entries(bench)
    assert {name: item.status for name, item in shown.items()} == {
        "ADR-0001": "active",
        "ADR-0002": "active",
        "ADR-0003": "superseded",
        "ADR-0006": "active",
    }
    assert shown["ADR-0003"].superseded_by is None


def test_what_is_no_folder_of_records(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "2024-01-05.md").write_text("# Friday\n\nStatus: tired\n")
    (notes / "01-intro.md").write_text("# Intro\n\nText.\n")
    (notes / "02-more.md").write_text("# More\n\nText.\n")
    assert survey(notes, None).format == "markdown"


def test_an_import_that_was_broken_off_goes_on(bench: Workbench, folder: Path, tmp_path: Path) -> None:
    place(tmp_path, _0003_bees=record("3. Bees", "Superseded by [1](0001-roof.md)", "We keep bees."))
    stat = folder.stat()
    source = ImportSource(folder, "adr", 1, stat.st_mtime_ns, stat.st_ctime_ns, is_folder=True)
    context = Context(project="farm", asked_project=None, now=bench.clock(), mtime=bench.clock(), root=folder)
    reading = write_records(bench.importing.stages, bench.scope, source, context, FileCount("adr"))
    assert [next(reading).record for _ in range(5)] == ["file", "file", "record", "record", "record"]
    reading.close()  # type: ignore[attr-defined]
    assert {entry.status for entry in entries(bench).values()} == {"active"}
    report = run(bench, folder)
    assert (report.written, report.superseded) == (0, 1)
    bees = entries(bench)["ADR-0003"]
    assert bees.superseded_by == entries(bench)["ADR-0001"].id and bees.version == 1
    same = len(bench.every())
    os.utime(folder / "0001-roof.md", (1_760_000_000, 1_760_000_000))
    assert run(bench, folder).superseded == 0 and len(bench.every()) == same


def test_nothing_of_a_record_is_lost(bench: Workbench, tmp_path: Path) -> None:
    reasons = "\n\n".join(
        f"Reason {number}: the quay sank by {number} cm {'a year ' * 40}." for number in range(20)
    )
    text = (
        "# 7. Rebuild the quay\n\nDate: 2024-01-02\n\nAgreed by the harbour board.\n\n## Status\n\nAccepted\n\n"
        f"## Context\n\n{reasons}\n\n## Options\n\nWe looked at steel piles.\n\n"
        f"## Decision\n\nWe rebuild it for the below reasons.\n\n{reasons.replace('Reason', 'Point')}\n\n"
        "## Costs\n\nSome 40,000 crowns.\n\n## Consequences\n\nThe ferry moves."
    )
    run(bench, place(tmp_path, **{"0007-quay": text}))
    (found,) = entries(bench).values()
    held = f"{found.decision}\n{found.rationale}"
    wanted = ["Agreed by the harbour board", "steel piles", "40,000 crowns", "The ferry moves"]
    wanted += [f"{kind} {number}: the quay" for kind in ("Reason", "Point") for number in range(20)]
    assert [each for each in wanted if each not in held] == []
    assert len(found.decision) < 700
