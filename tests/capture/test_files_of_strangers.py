"""Files as strangers give them: fields of other names, packed files, plain texts, lines of any length."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from engramforge.capture.reading.zips import RATIO, RATIO_FROM_BYTES
from engramforge.errors import InvalidSource, InvalidValue
from engramforge.forge import Forge

FIELDS = {
    "content": "body", "id": "key", "time": "at", "speaker": "who", "session": "chat", "metadata": "more",
}  # fmt: skip
LONG = 50 * 1024 * 1024


def _lines(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def _strange(path: Path) -> Path:
    return _lines(
        path,
        {"body": "The seal leaks.", "key": 11, "at": "2024-03-02 10:00:00", "who": "Ana", "chat": 5, "source": "web"},
        {"body": "Order one.", "key": 12, "at": 1709373720, "who": "Ben", "chat": 5, "more": {"likes": 2}},
        {"key": 13, "who": "Ben"},
        {"body": "When?", "key": 14, "at": "soon"},
    )  # fmt: skip


def test_fields_of_other_names_are_mapped(forge: Forge, tmp_path: Path) -> None:
    path = _strange(tmp_path / "chat.jsonl")
    report = forge.import_path(path, project="plant", fields=FIELDS)
    assert (report.found, report.written, [fault.line for fault in report.faults]) == (4, 2, [3, 4])
    assert "no content" in report.faults[0].reason
    assert "'soon' cannot be read" in report.faults[1].reason
    second, first = forge.memories(project="plant")
    assert (first.content, first.speaker, first.session_id, first.sequence) == (
        "The seal leaks.",
        "Ana",
        "5",
        0,
    )
    assert (first.valid_at.isoformat(), first.metadata) == ("2024-03-02T10:00:00+00:00", {"source": "web"})
    assert (second.valid_at.isoformat(), second.metadata) == ("2024-03-02T10:02:00+00:00", {"likes": 2})
    assert first.kind == second.kind == "message"
    # By its own ids nothing comes twice, and the map is known for the next time, also to a forget.
    with path.open("a", encoding="utf-8") as file:
        file.write('\n{"body": "Tomorrow.", "key": 15}')
    assert forge.import_path(path, project="plant").written == 1
    assert forge.forget(file=path).memories == 3


def test_a_mapped_field_that_is_not_there_is_named_with_those_that_are(forge: Forge, tmp_path: Path) -> None:
    path = _strange(tmp_path / "chat.jsonl")
    with pytest.raises(InvalidValue) as caught:
        forge.import_path(path, fields={"content": "bodi"})
    assert "field 'bodi'" in caught.value.fault
    assert caught.value.mend.startswith(
        "Did you mean 'body'? There are 'body', 'key', 'at', 'who', 'chat', 'source'"
    )
    with pytest.raises(InvalidValue, match=r"no field 'contnt'. Did you mean content\?"):
        forge.survey(path, fields={"contnt": "body"})
    with pytest.raises(InvalidValue, match="Map those of JSONL alone"):
        forge.import_path(path, format="mem0", fields={"content": "body"})
    assert forge.memories() == []
    # A map that was refused is not kept.
    with pytest.raises(InvalidSource):
        forge.import_path(path)


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".json", ".md", ".txt"])
def test_what_is_packed_is_read_as_what_is_in_it(forge: Forge, tmp_path: Path, suffix: str) -> None:
    texts = {".md": "# Herons\n\nThey nest in April.", ".txt": "The otter sleeps by day."}
    said = texts.get(suffix, '{"content": "The owl hunts."}\n{"content": "It is quiet."}')
    folder = tmp_path / "notes"
    folder.mkdir()
    packed = folder / f"one{suffix}.gz"
    packed.write_bytes(
        gzip.compress((f"[{said.replace(chr(10), ',')}]" if suffix == ".json" else said).encode())
    )
    for path in (folder, packed):
        found = forge.survey(path).formats[0]
        assert (found.sources, found.format) == (1, "markdown" if suffix in texts else "jsonl")
    report = forge.import_path(folder)
    assert (report.written, report.faults) == (1 if suffix in texts else 2, ())
    assert forge.import_path(packed).written == 0


def test_transcripts_and_exports_are_read_packed_too(forge: Forge, tmp_path: Path) -> None:
    record = {
        "type": "user", "uuid": "u1", "sessionId": "s1", "cwd": "/srv/mill", "timestamp": "2026-01-02T03:04:05Z",
        "message": {"role": "user", "content": "Oil the wheel."},
    }  # fmt: skip
    chat = [{"memories": [], "results": [{"id": "m1", "memory": "Likes rye.", "user_id": "a"}]}]
    (tmp_path / "s1.jsonl.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
    (tmp_path / "mem.json.gz").write_bytes(gzip.compress(json.dumps(chat[0]).encode()))
    assert forge.import_path(tmp_path / "s1.jsonl.gz").format == "claude_code"
    assert forge.import_path(tmp_path / "mem.json.gz").format == "mem0"
    assert {memory.content for memory in forge.memories()} == {"Oil the wheel.", "Likes rye."}


@pytest.mark.parametrize("name", ["bomb.jsonl.gz", "bomb.md.gz", "bomb.txt.gz"])
def test_a_bomb_is_refused_before_memory_is_filled(forge: Forge, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.md").write_text("The bell rings at noon.", encoding="utf-8")
    with gzip.open(folder / name, "wb") as bomb:
        for _ in range(300):
            bomb.write(b" " * (1 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(InvalidSource, match="a bomb"):
            forge.import_path(folder / name)
        report = forge.import_path(folder)
        assert tracemalloc.get_traced_memory()[1] < 4 * RATIO_FROM_BYTES
    finally:
        tracemalloc.stop()
    assert report.written == 1
    assert [fault.path.endswith(name) and "a bomb" in fault.reason for fault in report.faults] == [True]


def test_a_packed_file_up_to_the_limit_is_read(forge: Forge, tmp_path: Path) -> None:
    lines = b'{"content": "The bell rings at noon."}\n'
    small, large = tmp_path / "small.jsonl.gz", tmp_path / "large.jsonl.gz"
    # Packed tighter than any text, but small; and one byte past what is small.
    small.write_bytes(gzip.compress(lines + b" " * (RATIO_FROM_BYTES - len(lines))))
    large.write_bytes(gzip.compress(lines + b" " * (RATIO_FROM_BYTES - len(lines) + 1)))
    assert large.stat().st_size * RATIO < RATIO_FROM_BYTES
    assert forge.import_path(small).written == 1
    with pytest.raises(InvalidSource, match="a bomb"):
        forge.import_path(large)


def test_a_damaged_one_is_told_and_the_rest_goes_in(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md.gz").write_bytes(gzip.compress(b"The bell rings at noon. " * 99)[:40])
    (folder / "b.md.gz").write_bytes(b"no gzip at all")
    (folder / "c.txt").write_text("The clock strikes one.", encoding="utf-8")
    report = forge.import_path(folder)
    assert (report.written, len(report.faults)) == (1, 2)
    assert all("damaged or truncated" in fault.reason for fault in report.faults)


@pytest.mark.parametrize("first", [0, 1])
def test_a_line_of_fifty_megabytes_loses_no_other(forge: Forge, tmp_path: Path, first: int) -> None:
    path = tmp_path / "turns.jsonl"
    good = '{"content": "The bell rings at noon."}\n'
    with path.open("w", encoding="utf-8") as file:
        file.write(good * first)
        file.write(f'{{"content": "{"x" * LONG}"}}\n')
        file.write(good.replace("noon", "one"))
    for place in (path, tmp_path):
        report = forge.import_path(place, project="bells" if place == path else "all")
        assert (report.found, report.written) == (2 + first, 1 + first)
        (fault,) = report.faults
        assert (fault.line, "longer than" in fault.reason) == (first + 1, True)
