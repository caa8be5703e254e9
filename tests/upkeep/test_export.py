"""An export is everything, in one order, as of one moment; and a file is whole or not there."""

from __future__ import annotations

import io
import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.children import ENVIRONMENT
from tests.runtime.forked import FORKED
from tests.upkeep.conftest import LINES, Command, Rich, exported

import engramforge
from engramforge.errors import InvalidValue, StoreUnavailable


def lines_of(raw: bytes) -> list[dict[str, object]]:
    """The lines of an export; each is one JSON object."""
    assert raw.endswith(b"\n")
    return [json.loads(line) for line in raw[:-1].split(b"\n")]


def test_everything_is_in_it_once(rich: Rich) -> None:
    header, *lines = lines_of(exported(rich.home))
    counts = header.pop("counts")
    assert (header.pop("section"), header.pop("format"), header.pop("tenant")) == ("header", 1, "default")
    assert list(header) == ["store_id"]
    by_section: dict[str, list[dict[str, object]]] = {}
    for line in lines:
        by_section.setdefault(str(line.pop("section")), []).append(line)
    assert {name: len(rows) for name, rows in by_section.items()} == counts
    memories = by_section["memories"]
    assert len({memory["id"] for memory in memories}) == len(memories) > LINES
    assert {memory["agent"] for memory in memories} == {"default", "bo"}
    assert [origin for origin in by_section["origins"] if "logical_id" not in origin]
    assert {"name": "empty"}.items() <= next(
        project for project in by_section["projects"] if project["name"] == "empty"
    ).items()
    assert {link.get("invalidation_reason") for link in by_section["links"]} > {None}
    (decision,) = [memory for memory in memories if memory.get("name") == "bucket"]
    assert decision["metadata"] == {"b": [1, None, {"c": 1.5}], "a": True}
    assert decision["tags"] == ["z", "a"]
    assert rich.forgotten not in [memory["content"] for memory in memories]
    for row in (row for rows in by_section.values() for row in rows):
        assert not {"seq", "position", "change", "vector", "tokens"} & set(row)


def test_the_order_is_that_of_recording(rich: Rich) -> None:
    lines = lines_of(exported(rich.home))
    for section in ("memories", "links"):
        found = [(line["created_at"], line["id"]) for line in lines if line["section"] == section]
        assert found == sorted(found)
    order = [line["section"] for line in lines]
    assert list(dict.fromkeys(order)) == [
        "header",
        "projects",
        "memories",
        "origins",
        "links",
        "audit",
        "injections",
        "marks",
    ]
    assert exported(rich.home) == exported(rich.home)


def test_it_is_of_one_moment(rich: Rich, place: str) -> None:
    engramforge.migrate(rich.home, place)
    before = exported(place)

    class Writing(io.BytesIO):
        """A stream during which somebody writes and forgets."""

        def write(self, line: object, /) -> int:
            if self.tell() == 0:
                with engramforge.open(place) as other:
                    other.remember("In between.")
                    other.revise(other.memories(project="turns", limit=1)[0].id, "Revised in between.")
            return super().write(line)  # type: ignore[arg-type]

    with engramforge.open(place) as forge:
        stream = Writing()
        forge.export(stream)
    assert stream.getvalue() == before
    assert exported(place) != before


def test_a_file_is_its_owner_s_alone_and_replaces_the_last(brief: Rich, tmp_path: Path) -> None:
    file = tmp_path / "out" / "memory.jsonl"
    file.parent.mkdir()
    file.write_text("the last export")
    with engramforge.open(brief.home) as forge:
        report = forge.export(file)
    assert file.read_bytes() == exported(brief.home)
    assert report.size_bytes == file.stat().st_size
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_through_a_link_the_file_is_written(brief: Rich, tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("the last export")
    link.symlink_to(real)
    with engramforge.open(brief.home) as forge:
        forge.export(link)
    assert link.is_symlink()
    assert real.read_bytes() == exported(brief.home)


def test_a_full_disk_leaves_the_last_export(rich: Rich, tmp_path: Path) -> None:
    file = tmp_path / "out" / "memory.jsonl"
    file.parent.mkdir()
    file.write_text("the last export")

    def limit() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    ran = subprocess.run(
        [sys.executable, "-m", "engramforge.entry.console", "export", str(file), "--json"],
        env={**ENVIRONMENT, "ENGRAMFORGE_HOME": str(rich.home)},
        capture_output=True,
        timeout=60,
        preexec_fn=limit,
    )
    assert ran.returncode == 5
    assert json.loads(ran.stderr)["error"] in ("StoreFull", "StoreUnavailable")
    assert file.read_text() == "the last export"
    assert list(file.parent.iterdir()) == [file]


def run_cli(rich: Rich, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    return FORKED.run(arguments, b"", {**ENVIRONMENT, "ENGRAMFORGE_HOME": str(rich.home)})


def test_a_device_without_room_is_told(rich: Rich) -> None:
    ran = run_cli(rich, "export", "/dev/full")
    assert ran.returncode == 5
    assert b"no space left" in ran.stderr
    with Path("/dev/full").open("wb") as full:
        environment = {**ENVIRONMENT, "ENGRAMFORGE_HOME": str(rich.home)}
        command = [sys.executable, "-m", "engramforge.entry.console", "export"]
        into = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert into.returncode == 5
    assert b"no space left" in into.stderr


def test_a_folder_that_is_not_there_is_told(brief: Rich, tmp_path: Path) -> None:
    with engramforge.open(brief.home) as forge, pytest.raises(StoreUnavailable, match="cannot be written"):
        forge.export(tmp_path / "nowhere" / "memory.jsonl")
    assert not (tmp_path / "nowhere").exists()


def test_standard_output_and_a_pipe(rich: Rich) -> None:
    whole = exported(rich.home)
    assert run_cli(rich, "export").stdout == whole
    assert run_cli(rich, "export", "-").stdout == whole
    closing = (
        'exec 3>&1; { "$0" -m engramforge.entry.console export; echo "code $?" >&3; } | head -c 100 > "$1"'
    )
    out = rich.home.parent / "head"
    environment = {**ENVIRONMENT, "ENGRAMFORGE_HOME": str(rich.home)}
    command = ["bash", "-c", closing, sys.executable, str(out)]
    ran = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert (ran.stdout, ran.stderr) == (b"code 0\n", b"")
    assert out.read_bytes() == whole[:100]


def test_a_stream_that_takes_no_bytes_is_told(brief: Rich) -> None:
    closed = io.BytesIO()
    closed.close()
    for stream in (io.StringIO(), closed):
        with (
            engramforge.open(brief.home) as forge,
            pytest.raises(InvalidValue, match="stream cannot be written"),
        ):
            forge.export(stream)  # type: ignore[arg-type]  # that is the fault


def test_a_named_pipe_is_written_to_as_it_is(rich: Rich, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (tmp_path / "read").open("wb") as read, subprocess.Popen(["cat", str(pipe)], stdout=read) as reader:
        with engramforge.open(rich.home) as forge:
            forge.export(pipe)
        assert reader.wait(60) == 0
    assert (tmp_path / "read").read_bytes() == exported(rich.home)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_command_s_report(rich: Rich, tmp_path: Path, command: Command) -> None:
    home = {"ENGRAMFORGE_HOME": str(rich.home)}
    ran = command("export", tmp_path / "out.jsonl", "--json", **home)
    report = json.loads(ran.stdout)
    assert report["path"] == str(tmp_path / "out.jsonl")
    assert report["counts"]["memories"] > LINES
    assert "Exported to" in command("export", tmp_path / "out.jsonl", **home).stdout
    refused = command("export", "--json", **home)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "standard output" in json.loads(refused.stderr)["fault"]
