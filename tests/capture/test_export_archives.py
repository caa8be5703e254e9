"""Exports as zips, as shards with a manifest, broken off, and as somebody bad would write them."""

import io
import json
import os
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench
from tests.capture.test_chatgpt_import import chat, node
from tests.capture.test_claude_ai_import import conversation, message

from engramforge.capture.reading import json_stream
from engramforge.errors import InvalidSource
from engramforge.model.storing.record import ImportReport


def run(bench: Workbench, path: Path, **options: Any) -> ImportReport:
    return bench.importing.import_path(bench.scope, path, **options)


def talk(number: int, text: str = "Ask") -> dict[str, Any]:
    return conversation(message("a", "human", f"{text} {number}"), uuid=f"c{number}")


def turn(number: int) -> dict[str, Any]:
    return chat({"r": node(None), "u": node("r", "user", f"Turn {number}")}, conversation_id=f"g{number}")


def zipped(path: Path, **members: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members.items():
            made.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def texts(bench: Workbench) -> set[str]:
    return {memory.content for memory in bench.every()}


def test_a_zip_is_read_without_unpacking(bench: Workbench, tmp_path: Path) -> None:
    project = {
        "uuid": "p",
        "name": "Sailing",
        "docs": [],
        "description": "About boats",
        "prompt_template": "",
    }
    path = zipped(
        tmp_path / "data-2026.zip",
        **{
            "conversations.json": [talk(1), talk(2)],
            "projects/p.json": project,
            "users.json": [{"uuid": "a1"}],
            "chat.html": b"<html>",
        },
    )
    before = sorted(tmp_path.rglob("*"))
    report = run(bench, path)
    assert (report.format, report.found, report.written, report.faults) == ("claude_ai", 2, 3, ())
    assert set(report.details["files"]) == {"conversations.json", "projects/p.json"}
    assert [Path(file).name for file in report.details["unrecognised"]] == ["chat.html", "users.json"]
    again = run(bench, path)
    assert (again.written, again.found) == (0, 2)
    assert all(counts["unchanged"] for counts in again.details["files"].values())
    # The same export unpacked, and the zip in a folder, bring nothing new.
    with zipfile.ZipFile(path) as opened:
        (tmp_path / "data" / "projects").mkdir(parents=True)
        for name in ("conversations.json", "projects/p.json"):
            (tmp_path / "data" / name).write_bytes(opened.read(name))
    assert run(bench, tmp_path).written == 0
    assert (
        sorted(each for each in tmp_path.rglob("*") if "data/" not in str(each) and each.name != "data")
        == before
    )


def test_shards_with_their_manifest(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "conversations-000.json").write_text(json.dumps([turn(0)]))
    (tmp_path / "conversations-001.json").write_text(json.dumps([turn(1)]))
    listed = ["conversations-000.json", "conversations-001.json", "conversations-002.json"]
    manifest = tmp_path / "export_manifest.json"
    manifest.write_text(json.dumps({"version": 1, "files": [{"name": name, "size": 5} for name in listed]}))
    for path in (manifest, tmp_path):
        report = run(bench, path)
        assert report.format == "chatgpt+export_manifest" and report.details["messages_found"] == 4
        (fault,) = report.faults
        assert "conversations-002.json" in str(fault)
    assert texts(bench) == {"Turn 0", "Turn 1"}
    whole = zipped(
        tmp_path / "all.zip",
        **{name: [turn(n)] for n, name in enumerate(listed)},
        **{"export_manifest.json": {"files": listed}},
    )
    report = run(bench, whole)
    assert (report.written, report.faults) == (1, ())


def test_a_manifest_that_links_zips(bench: Workbench, tmp_path: Path) -> None:
    zipped(tmp_path / "conversations-000.zip", **{"conversations.json": [talk(0)]})
    zipped(tmp_path / "conversations-001.zip", **{"conversations.json": [talk(1)]})
    links = [f"https://example.com/exports/conversations-{n:03}.zip?signature=x%2F" for n in range(2)]
    manifest = tmp_path / "manifest.json"
    manifest.write_text(
        json.dumps({"schema_version": "2", "parts": {"conversations": [{"url": link} for link in links]}})
    )
    (tmp_path / "other.md").write_text("Beside it, but not of it.")
    report = run(bench, manifest)
    assert (report.found, report.faults) == (2, ()) and texts(bench) == {"Ask 0", "Ask 1"}
    manifest.write_text(json.dumps({"version": 3, "parts": ["conversations-000.zip"]}))
    with pytest.raises(InvalidSource, match=r"version 3; known are the versions 1 and 2"):
        run(bench, manifest)
    (tmp_path / "conversations.json").write_text(json.dumps([talk(7)]))
    report = run(bench, tmp_path)
    assert "version 3" in str(report.faults[0]) and "Ask 7" not in texts(bench)
    newer = zipped(
        tmp_path / "n.zip",
        **{"manifest.json": {"version": 9, "f": "conversations.json"}, "conversations.json": [talk(8)]},
    )
    with pytest.raises(InvalidSource, match="version 9"):
        run(bench, newer)
    outside = tmp_path / "in" / "manifest.json"
    outside.parent.mkdir()
    outside.write_text(json.dumps({"parts": ["../conversations.json", "/etc/data.json"]}))
    assert "Ask 7" not in texts(bench) and run(bench, outside).found == 0


def _patched(path: Path, offset: int, content: bytes) -> None:
    """Change bytes of every entry of the central directory, at an offset within it."""
    raw = bytearray(path.read_bytes())
    place = raw.find(b"PK\x01\x02")
    while place >= 0:
        raw[place + offset : place + offset + len(content)] = content
        place = raw.find(b"PK\x01\x02", place + 4)
    path.write_bytes(bytes(raw))


def test_members_that_nobody_should_read(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "bad.zip"
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as made:
        made.writestr("conversations.json", json.dumps([talk(5)]))
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    names = ["../out.json", "/abs.json", "a/../../b.json", "..\\win.json", "C:\\x.json", "line\nbreak.json"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(name, json.dumps([talk(6)]))
        made.writestr(link, "/etc/passwd")
        made.writestr("nested.zip", inner.getvalue())
        made.writestr("bomb.json", b'[{"chat_messages": [], "pad": "' + b" " * 40_000_000 + b'"}]')
        made.writestr("good.json", json.dumps([talk(1)]))
    report = run(bench, path)
    assert texts(bench) == {"Ask 1"}
    told = {Path(fault.path.replace("\\", "/")).name: fault.reason for fault in report.faults}
    assert set(told) == {
        "out.json",
        "abs.json",
        "b.json",
        "win.json",
        "x.json",
        "line?break.json",
        "link.json",
        "nested.zip",
        "bomb.json",
    }
    assert (
        "bomb" in told["bomb.json"] and "zip in a zip" in told["nested.zip"] and "link" in told["link.json"]
    )
    assert not (tmp_path.parent / "out.json").exists() and sorted(p.name for p in tmp_path.iterdir()) == [
        "bad.zip",
        "home",
    ]


def test_zips_that_are_none_damaged_or_locked(bench: Workbench, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "a.zip", **{"conversations.json": [talk(n, "Long words " * 50) for n in range(200)]}
    )
    whole = path.read_bytes()
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidSource, match=r"cut\.zip is a damaged or truncated zip"):
        run(bench, cut)
    locked = tmp_path / "locked.zip"
    locked.write_bytes(whole)
    _patched(locked, 8, struct.pack("<H", 0x1))
    with pytest.raises(InvalidSource, match="encrypted"):
        run(bench, locked)
    # A bit that fell over inside the packed bytes: told with the member's name, and what came before it is in.
    spoilt = tmp_path / "spoilt.zip"
    raw = bytearray(whole)
    raw[len(raw) // 2] ^= 0xFF
    spoilt.write_bytes(bytes(raw))
    try:
        (fault, *_) = run(bench, spoilt).faults
        said = str(fault)
    except InvalidSource as error:
        said = str(error)
    assert "conversations.json" in said or "JSON" in said
    report = run(bench, tmp_path)
    assert len(report.faults) >= 3 and report.details["messages_found"] >= 200


def test_what_is_complete_goes_in_before_the_break(bench: Workbench, tmp_path: Path) -> None:
    whole = json.dumps(
        [
            talk(1),
            talk(2),
            conversation(*(message(str(n), "human", f"Word {n}") for n in range(9)), uuid="c3"),
        ]
    )
    path = tmp_path / "conversations.json"
    path.write_text(whole[: whole.index("Word 4")])
    report = run(bench, path)
    (fault,) = report.faults
    assert "after object 2" in fault.reason and "breaks off" in fault.reason
    assert texts(bench) == {"Ask 1", "Ask 2", *(f"Word {n}" for n in range(4))}
    # What was missing comes with the whole file, and nothing twice.
    path.write_text(whole)
    assert run(bench, path).written == 5
    text = json.dumps([turn(1), turn(2)])
    for broken in (text[: text.index("Turn 2")], text.replace('"Turn 2"', '"Turn 2" nonsense')):
        path.write_text(broken)
        report = run(bench, path)
        assert len(report.faults) == 1 and "after object 1" in report.faults[0].reason
        assert "Turn 1" in texts(bench) and "Turn 2" not in texts(bench)


def test_an_object_over_the_limit_is_passed_over(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "OBJECT_BYTES", 20_000)
    path = tmp_path / "c.json"
    path.write_text("\ufeff" + json.dumps([talk(1), talk(2, "x" * 30_000), talk(3)]), encoding="utf-8")
    report = run(bench, path)
    assert texts(bench) == {"Ask 1", "Ask 3"} and "object 2 is larger" in report.faults[0].reason
    monkeypatch.setattr(json_stream, "_TOKEN_BYTES", 200_000)
    path.write_text(json.dumps([talk(4), talk(5, "x" * 1_000_000), talk(6)]))
    report = run(bench, path)
    assert "Ask 4" in texts(bench) and "a text longer than" in report.faults[0].reason


def test_progress_of_one_large_file_is_told_in_bytes(bench: Workbench, tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": os.urandom(1_000_000).hex()}
    value = [conversation(message("a", "human", [thought]), uuid=f"c{n}") for n in range(8)]
    path = zipped(tmp_path / "a.zip", **{"conversations.json": value})
    seen: list[int] = []
    run(bench, path, progress=lambda step: seen.append(step.bytes_done))
    assert seen == sorted(seen) and len(seen) >= 4 and seen[-1] == len(json.dumps(value))


def test_a_zip_of_many_members_is_opened_once(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"conversations-{number:03}.json" for number in range(60)]
    path = zipped(tmp_path / "a.zip", **{name: [turn(number)] for number, name in enumerate(names)})
    opened: list[Any] = []
    begin = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *given: Any, **named: Any) -> None:
        opened.append(self)
        begin(self, *given, **named)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    assert run(bench, path).written == 60
    assert len(opened) <= 3 and all(store.fp is None for store in opened)
