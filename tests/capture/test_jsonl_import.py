"""JSONL and JSON arrays: good lines go in, broken ones are faults with their line."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench

from engramforge.capture.imports.survey import survey
from engramforge.capture.reading import records
from engramforge.capture.reading.records import depth_of, parse_json
from engramforge.errors import InvalidSource, InvalidValue
from engramforge.model.memory import Kind, Source
from engramforge.model.storing.record import ImportReport


def write(path: Path, *lines: Any) -> Path:
    path.write_bytes(
        b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    )
    return path


def run(bench: Workbench, path: Path, project: str | None = None) -> ImportReport:
    return bench.importing.import_path(bench.scope, path, project)


def test_fields_aliases_and_unknown_names(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {
            "content": "one",
            "kind": "decision",
            "valid_at": "2026-01-01",
            "tags": ["t"],
            "project": "p",
            "id": 7,
        },
        {"text": "two", "speaker": "Ann", "session_id": "s", "sequence": 1, "kind": "message"},
        {"memory": "three", "weather": "rain", "metadata": {"k": 1}},
        {"content": "four", "text": "not this"},
    )
    report = run(bench, path)
    assert (report.format, report.found, report.written, report.faults) == ("jsonl", 4, 4, ())
    by_content = {memory.content: memory for memory in bench.every()}
    assert by_content["one"].kind is Kind.DECISION and by_content["one"].project == "p"
    assert by_content["two"].speaker == "Ann" and by_content["two"].source is Source.IMPORT
    assert by_content["three"].metadata == {"weather": "rain", "k": 1}
    assert set(by_content) == {"one", "two", "three", "four"}


def test_broken_lines_are_faults_and_the_rest_goes_in(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"content": "good"},
        b"{broken",
        b"42",
        b'{"content": "not utf-8 \xff"}',
        b"",
        {"content": "  "},
        {"content": "x", "energy": 1.5},
        {"content": "x", "enegry": 0.5},
        {"content": "x", "valid_at": "2026-01-01T00:00:00"},
        b'{"content": "x", "n": NaN}',
        b'{"content": "x", "n": ' + b"9" * 5_000 + b"}",
        b'{"content": "x", "d": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"content": "x", "d": ' + b"[" * 150 + b"]" * 150 + b"}",
        b'{"content": "x", "d": ' + b"[" * 30 + b"]" * 30 + b"}",
        b'{"content": "lone \\ud800"}',
        b'{"content": "nul \\u0000"}',
        {"content": "x", "metadata": "text"},
        {"text": 5},
        {"content": "also good"},
    )
    report = run(bench, path)
    assert sorted(memory.content for memory in bench.every()) == ["also good", "good"]
    assert [fault.line for fault in report.faults] == [2, 3, 4, *range(6, 19)]
    assert all(fault.path == str(path) and fault.reason for fault in report.faults)
    assert str(report.faults[0]).startswith(f"{path}:2: not JSON")
    account = report.details["files"]["a.jsonl"]
    assert account["found"] == account["remembered"] + account["faulty"] == report.found


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("valid_at", 5, "valid_at is a number. Give a time such as 2026-01-31T10:00:00Z."),
        ("tags", {"a": 1}, "tags is an object. Give a list of texts."),
        ("energy", "much", "energy is a text. Give a number from 0 to 1."),
        ("project", True, "project is true or false. Give a text."),
        ("metadata", [1], "metadata is a list. Give an object."),
        ("attachments", [5], "attachments holds what is no object. Give a list of objects."),
        ("kind", "lineage", "The kind lineage is a registry's own. Leave it out, or import an export of"),
    ],
)
def test_a_fault_speaks_of_the_file(
    bench: Workbench, tmp_path: Path, field: str, value: object, said: str
) -> None:
    (fault,) = run(bench, write(tmp_path / "a.jsonl", {"content": "x", field: value})).faults
    assert fault.line == 1 and fault.reason.startswith(said)


def test_a_line_of_another_agent_is_a_fault_and_the_rest_goes_in(bench: Workbench, tmp_path: Path) -> None:
    planted = {"content": "planted", "agent": "alice", "level": "personal"}
    report = run(bench, write(tmp_path / "a.jsonl", {"content": "one"}, planted, {"content": "two"}))
    assert sorted(memory.content for memory in bench.every()) == ["one", "two"]
    assert [(fault.line, "alice" in fault.reason) for fault in report.faults] == [(2, True)]


def test_huge_lines_are_skipped_without_being_held(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "LINE_BYTES", 1_000)
    path = write(tmp_path / "a.jsonl", {"content": "a"}, {"content": "b" * 5_000}, {"content": "c"})
    report = run(bench, path)
    assert [fault.line for fault in report.faults] == [2]
    assert sorted(memory.content for memory in bench.every()) == ["a", "c"]


def test_a_second_import_adds_nothing_and_equal_lines_stay_two(bench: Workbench, tmp_path: Path) -> None:
    said = {"content": "ok", "kind": "message"}
    path = write(tmp_path / "a.jsonl", said, said, {"content": "note"}, {"content": "note"})
    first = run(bench, path)
    assert (first.written, first.duplicates) == (3, 1)
    assert run(bench, path).written == 0
    write(path, said, said, {"content": "note"}, said)
    again = run(bench, path)
    assert (again.written, again.duplicates) == (1, 3)
    assert run(bench, write(tmp_path / "copy.jsonl", said, said)).written == 0


def test_a_json_array_is_read_too(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"content": "one"}, {"content": ""}, 5, {"text": "two"}], indent=2))
    report = run(bench, path, "mine")
    assert (report.written, [fault.line for fault in report.faults]) == (2, [2, 3])
    assert {memory.project for memory in bench.every()} == {"mine"}


def test_a_broken_array_gives_what_came_before(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"content": "one"}, {"content": ')
    report = bench.importing.import_path(bench.scope, path, format="jsonl")
    assert len(report.faults) == 1 and report.written == 1


def test_a_byte_order_mark_is_no_fault(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", b"\xef\xbb\xbf" + b'{"content": "one"}')
    assert run(bench, path).written == 1


def test_more_lines_than_a_batch_holds_go_in_with_progress(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", *({"content": f"note {n}"} for n in range(1_234)))
    seen = []
    report = bench.importing.import_path(bench.scope, path, progress=seen.append)
    assert report.written == 1_234 == len(bench.every())
    assert seen[0].format == "jsonl" and (seen[0].records, seen[0].bytes_total) == (0, path.stat().st_size)
    assert [step.written for step in seen] == sorted(step.written for step in seen)
    assert len(seen) == 4 and seen[-1].files_done == 1
    assert seen[-1].bytes_done == seen[-1].bytes_total and seen[-1].records == 1_234


def test_unknown_formats_and_files_are_refused(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"payload": 1}')
    (tmp_path / "b.csv").write_text("plain")
    (tmp_path / "c.jsonl").write_text('{"type": "response_item", "answer": {}}\n')
    for name in ("a.json", "b.csv", "c.jsonl", "."):
        with pytest.raises(InvalidSource, match="can be imported"):
            run(bench, tmp_path / name)
    with pytest.raises(InvalidValue, match="format"):
        survey(tmp_path, "zip")
    with pytest.raises(InvalidSource, match="is markdown"):
        survey(tmp_path, "markdown")
    assert bench.every() == []


def test_depth_is_counted_without_recursion() -> None:
    assert depth_of(5) == 0 and depth_of([]) == 1 and depth_of({"a": [1, {"b": 2}]}) == 3
    assert parse_json(b"[" * 100 + b"]" * 100)[1] == ""
    assert "deeper" in parse_json(b"[" * 101 + b"]" * 101)[1]
