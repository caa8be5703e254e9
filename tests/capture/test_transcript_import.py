"""Claude Code transcripts: every record is accounted for once, nothing injected comes in, an import resumes."""

import json
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import EXPORTS, Workbench, needs_exports
from tests.children import Child

import engramforge
from engramforge.capture.formats.claude_code import folder_of
from engramforge.capture.reading.sessions import CHAIN_LENGTH
from engramforge.capture.reading.transcript_text import describe_tool, shortened
from engramforge.capture.writers.prompts_seen import project_names
from engramforge.model.memory import Kind, Memory
from engramforge.model.storing.record import ImportReport

SESSION = "11111111-2222-4333-8444-555555555555"
FOLDERS = ("claude_code", "agentsview/claude", "polylogue/fixtures/claude-code")


def record(kind: str, content: Any, number: int, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "sessionId": SESSION,
        "timestamp": f"2026-02-01T10:{number % 60:02d}:00Z",
        "cwd": "/home/ann/code/garden",
        "message": {"role": kind, "content": content},
        **more,
    }


def write(path: Path, *lines: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    )
    return path


def run(bench: Workbench, path: Path, project: str | None = None) -> ImportReport:
    return bench.importing.import_path(bench.scope, path, project)


def account(report: ImportReport, name: str = f"{SESSION}.jsonl") -> dict[str, Any]:
    found: dict[str, Any] = report.details["files"][name]
    assert found["found"] == sum(found[part] for part in ("remembered", "duplicate", "nothing", "faulty"))
    return found


def test_every_kind_of_record(bench: Workbench, tmp_path: Path) -> None:
    asked = {
        "type": "tool_use",
        "id": "t1",
        "name": "Bash",
        "input": {"command": "make seeds", "description": "Sow"},
    }
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        {"type": "summary", "summary": "We planned the beds", "leafUuid": "x"},
        {"type": "file-history-snapshot", "snapshot": {}},
        record("user", "Where do the tomatoes go?", 1, gitBranch="main"),
        record(
            "assistant",
            [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "South side."}, asked],
            2,
        ),
        record("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "3 rows sown"}], 3),
        record("user", [{"type": "tool_result", "tool_use_id": "t9", "content": "no", "is_error": True}], 4),
        record("user", [{"type": "tool_result", "tool_use_id": "t1", "content": ""}], 5),
        record("user", "The story so far: beds and rows.", 6, isCompactSummary=True),
        record("user", "<command-name>/water</command-name><command-args>twice</command-args>", 7),
        record("user", "<local-command-stdout>watered \u001b[1mtwice\u001b[0m</local-command-stdout>", 8),
        record("user", "<bash-input>ls beds</bash-input>", 9),
        record("assistant", [{"type": "thinking", "thinking": "only this"}], 10),
        {"type": "system", "subtype": "compact_boundary", "sessionId": SESSION},
        {"type": "queue-operation", "content": "x"},
        {"type": "progress"},
        {"type": "a-new-kind"},
        record(
            "user",
            [
                {"type": "text", "text": "see"},
                {"type": "image", "source": {"media_type": "image/png", "data": "QUJD"}},
            ],
            11,
        ),
    )
    report = run(bench, path)
    assert (report.format, report.project, report.faults) == ("claude_code", "garden", ())
    told = account(report)
    assert told["records"] == {
        "summary": 1,
        "file-history-snapshot": 1,
        "user": 9,
        "assistant": 2,
        "system:compact_boundary": 1,
        "queue-operation": 1,
        "progress": 1,
        "a-new-kind": 1,
    }
    assert (told["found"], told["remembered"], told["nothing"]) == (11, 9, 2)
    memories = sorted(bench.every(), key=lambda memory: memory.sequence or 0)
    assert [(memory.kind, memory.speaker, memory.content) for memory in memories] == [
        (Kind.SESSION_SUMMARY, None, "We planned the beds"),
        (Kind.PROMPT, "user", "Where do the tomatoes go?"),
        (Kind.RESPONSE, "assistant", "South side."),
        (Kind.TOOL_USE, "assistant", "Bash: Sow; make seeds"),
        (Kind.TOOL_USE, None, "Outcome of Bash: Sow; make seeds\n3 rows sown"),
        (Kind.TOOL_USE, None, "Failure of a tool\nno"),
        (Kind.SESSION_SUMMARY, None, "The story so far: beds and rows."),
        (Kind.PROMPT, "user", "/water twice"),
        (Kind.TOOL_USE, None, "Outcome of a local command: watered twice"),
        (Kind.PROMPT, "user", "! ls beds"),
        (Kind.PROMPT, "user", "see"),
    ]
    assert [memory.sequence for memory in memories] == list(range(11))
    assert {memory.session_id for memory in memories} == {SESSION}
    assert memories[1].valid_at == memories[1].created_at == datetime(2026, 2, 1, 10, 1, tzinfo=UTC)
    assert memories[3].metadata == {"tool": "Bash", "git_branch": "main"}
    assert (
        memories[-1].attachments[0].media_type == "image/png" and memories[-1].attachments[0].size_bytes == 3
    )


def test_nothing_injected_comes_in(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        {
            "type": "attachment",
            "attachment": {"type": "hook_additional_context", "content": ["INJECTED"]},
            "sessionId": "s",
        },
        {
            "type": "attachment",
            "attachment": {"type": "hook_success", "stdout": "INJECTED"},
            "sessionId": "s",
        },
        record("user", "Real words. <engramforge-context>INJECTED</engramforge-context>", 1),
        record("user", "<engramforge-context>INJECTED</engramforge-context>", 2),
        record("user", "<system-reminder>INJECTED</system-reminder>", 3),
        record("user", "More words.<system-reminder>INJECTED", 4),
        record("user", "INJECTED", 5, isMeta=True),
        record(
            "user",
            [{"type": "text", "text": "<ide_opened_file>INJECTED</ide_opened_file>"}, "Last words."],
            6,
        ),
        record("user", "Caveat: The messages below were generated by the user while INJECTED", 7),
        record(
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "t",
                    "content": [
                        {"type": "text", "text": "out <engramforge-context>INJECTED</engramforge-context>"}
                    ],
                }
            ],
            8,
        ),
    )
    report = run(bench, path)
    assert sorted(memory.content for memory in bench.every()) == [
        "Last words.",
        "More words.",
        "Outcome of a tool\nout",
        "Real words.",
    ]
    assert account(report)["skipped"] == {"injected": 6}
    assert account(report)["nothing"] == 4


def test_broken_records_are_faults_with_their_line(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        record("user", "first", 1),
        b"{broken",
        b'"text"',
        b"\xff\xfe",
        {"type": "user", "uuid": "x", "sessionId": SESSION, "message": "error"},
        record("user", "nul \0 here", 2),
        record("user", "x" * 1_000_001, 3),
        b'{"type": "user", "message": {"content": ' + b"[" * 50_000 + b"]" * 50_000 + b"}}",
        record(
            "assistant",
            [{"type": "text", "text": "ok"}, {"type": "tool_use", "id": "\ud800", "name": "N", "input": 5}],
            4,
        ),
        record("user", {"odd": "content"}, 5),
        record("user", ["bare text", 5, None, {"type": "text", "text": 7}], 6),
        {"type": ["odd"], "sessionId": SESSION},
        record("user", "last", 7, timestamp="not a time", sessionId=5, gitBranch=1, uuid=None, agentId=3),
    )
    report = run(bench, path)
    assert [fault.line for fault in report.faults] == [2, 3, 4, 5, 6, 7, 8]
    assert {"first", "last", "bare text", "ok"} <= {memory.content for memory in bench.every()}
    assert account(report)["faulty"] == 3


def test_the_first_of_two_with_one_identity_counts(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path / f"{SESSION}.jsonl", record("user", "first", 1), record("user", "second", 1))
    assert account(run(bench, path))["duplicate"] == 1
    assert [memory.content for memory in bench.every()] == ["first"]
    resumed = write(
        tmp_path / "resumed.jsonl", record("user", "first", 1, sessionId="s2"), record("user", "third", 3)
    )
    assert account(run(bench, resumed), "resumed.jsonl")["duplicate"] == 1


def test_ids_that_are_no_uuids_belong_to_their_session(bench: Workbench, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / f"{name}.jsonl", record("user", f"in {name}", 1, uuid="msg-1", sessionId=name))
    assert run(bench, tmp_path).written == 2


def test_records_without_ids_keep_their_places(bench: Workbench, tmp_path: Path) -> None:
    line = {
        "type": "user",
        "timestamp": "2026-02-01T10:00:00Z",
        "message": {"content": "ok"},
        "isSidechain": False,
    }
    path = write(tmp_path / "s.jsonl", line, line)
    assert run(bench, path).written == 2
    write(path, line, line, line)
    again = run(bench, path)
    assert (again.written, again.duplicates) == (1, 2)
    assert [memory.sequence for memory in bench.every()] == [0, 1, 2]


def test_sub_agents_follow_their_session(bench: Workbench, tmp_path: Path) -> None:
    home = tmp_path / "-home-ann-code-garden"
    write(home / f"{SESSION}.jsonl", record("user", "main one", 1), record("assistant", "main two", 2))
    write(
        home / SESSION / "subagents" / "agent-a1.jsonl",
        record("user", "sub one", 3, isSidechain=True, agentId="a1", cwd="/tmp/elsewhere"),
        record("assistant", "sub two", 4, isSidechain=True, agentId="a1", cwd="/tmp/elsewhere"),
    )
    report = run(bench, tmp_path)
    assert report.project == "garden" and report.found == 4
    by_content = {memory.content: memory for memory in bench.every()}
    assert {memory.session_id for memory in by_content.values()} == {SESSION}
    assert by_content["main two"].sequence == 1
    assert by_content["sub one"].sequence >= CHAIN_LENGTH
    assert by_content["sub two"].sequence == by_content["sub one"].sequence + 1
    assert by_content["sub one"].metadata["agent_id"] == "a1"


def test_times_come_from_the_records(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        record("user", "without", 1, timestamp=None),
        record("user", "with", 2),
        record("user", "after", 3, timestamp="2026-02-01T10:00:00"),
        record("user", "ahead", 4, timestamp="2031-01-01T00:00:00Z"),
    )
    run(bench, path)
    at = {memory.content: memory.valid_at for memory in bench.every()}
    assert at["without"] == at["with"] == at["after"] == datetime(2026, 2, 1, 10, 2, tzinfo=UTC)
    assert at["with"] < at["ahead"] <= bench.now


def test_projects_are_told_apart_and_stay(bench: Workbench, tmp_path: Path) -> None:
    write(tmp_path / "-a" / "a.jsonl", record("user", "a", 1, cwd="/home/ann/app"))
    write(tmp_path / "-b" / "b.jsonl", record("user", "b", 2, cwd="/work/app/.claude/worktrees/fix"))
    first = run(bench, tmp_path)
    assert first.details["projects"] == ["app", "work/app"]
    write(tmp_path / "-c" / "c.jsonl", record("user", "c", 3, cwd="/aaa/app"))
    assert run(bench, tmp_path).details["projects"] == ["aaa/app", "app", "work/app"]
    write(
        tmp_path / "-x-slug" / "d.jsonl",
        {"type": "user", "sessionId": "d", "message": {"content": "no folder"}},
    )
    assert "x-slug" in run(bench, tmp_path).details["projects"]
    assert run(bench, tmp_path / "-a", "chosen").project == "chosen"


@pytest.mark.parametrize(
    ("folder", "name"),
    [("/", "root"), ("C:/Users/ann/app", "app"), ("/a/\x01b", "-b"), ("/a/" + "x" * 300, "x" * 200)],
)
def test_any_folder_has_a_usable_name(folder: str, name: str) -> None:
    assert project_names({}, [folder]) == {folder: name}


def test_naming_does_not_depend_on_order() -> None:
    folders = ["/b/app", "/a/app", "/c/d/app", "/a"]
    assert project_names({}, folders) == project_names({}, reversed(folders))
    assert project_names({"/b/app": "app"}, folders)["/a/app"] == "a/app"


def test_the_folder_is_found_far_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        b'{"type": "x", "pad": "' + b"y" * (1 << 20) + b'"}\n' + b'{"cwd": "C:\\\\code\\\\app"}\n'
    )
    assert folder_of(path) == "C:/code/app"


def test_tools_are_described_by_what_says_most() -> None:
    assert describe_tool("Edit", {"file_path": "/a.py", "old_string": "x"}) == "Edit: /a.py"
    assert describe_tool("Odd", {"n": 3, "deep": {}}) == "Odd: n: 3"
    assert describe_tool(None, None) == "tool"
    assert describe_tool("TodoWrite", {"todos": [{"content": "dig", "status": "done"}, "sow", 5]}) == (
        "TodoWrite: dig (done); sow"
    )
    assert len(shortened("x" * 5_000, 100)) <= 100 and shortened("short") == "short"


def test_a_growing_transcript_gives_its_new_records(bench: Workbench, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *(record("user", f"turn {n}", n) for n in range(1, 4)))
    run(bench, path)
    write(path, *(record("user", f"turn {n}", n) for n in range(1, 6)))
    report = run(bench, path)
    assert (report.found, report.written, report.duplicates) == (5, 2, 3)
    assert [memory.sequence for memory in bench.every()] == list(range(5))


def test_excluded_projects_and_private_turns_are_skipped(bench: Workbench, tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl", record("user", "<private>mine</private>", 1), record("user", "open", 2)
    )
    assert account(run(bench, path), "s.jsonl")["skipped"] == {"nothing left to store": 1}
    bench.exclude("garden")
    other = write(tmp_path / "t.jsonl", record("user", "more", 3))
    assert account(run(bench, other), "t.jsonl")["skipped"] == {"excluded project": 1}


PRINTED = {
    "pass show shop/db": "Rose!Fuenf9",
    "openssl rand -hex 16": "4be1c92f8a7d6053e1f2a3b4c5d6e7f8",
    "pwgen 16 1": "ieTh3aip9ahNgoo7",
    "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d": "Rose77Qx",
    "gcloud secrets versions access latest --secret=db": "Rose-zu-4411",
    "cat /run/secrets/db_password": "Rosebud9!xy",
    "cd /srv && bw get password shop": "rose-bud-tiger",
    "head -c 12 /dev/urandom | base64": "q8Zt4WmP1xKdV7bR",
    "ssh box 'cat /run/secrets/pw'": "Rose88Qx",
    "terraform output -raw db_password": "Rose99Qx",
    "for i in 1; do\n  pwgen 14\ndone": "ieTh3aip9ahNgo",
    'python3 -c "import secrets; print(secrets.token_hex(8))"': "4be1c92f8a7d6053",
}
"""Commands, and the secret that each prints."""


@pytest.mark.parametrize("described", ["", "Get what the shop needs"])
def test_a_secret_that_a_command_printed_is_not_stored(
    bench: Workbench, tmp_path: Path, described: str
) -> None:
    lines = []
    for number, (command, secret) in enumerate(PRINTED.items()):
        asked = {"description": described, "command": command}
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": asked}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"{secret}\n"}
        lines += [record("assistant", [use], 2 * number), record("user", [result], 2 * number + 1)]
    run(bench, write(tmp_path / "s.jsonl", *lines))
    held = "\n".join(memory.content for memory in bench.every())
    assert held.count("[REDACTED:secret-keyword]") == len(PRINTED)
    assert all(command in held for command in PRINTED)
    assert [secret for secret in PRINTED.values() if secret in held] == []


def expected_messages(entry: dict[str, Any]) -> int:
    if "types" in entry:
        return sum(entry["types"].get(kind, 0) for kind in ("user", "assistant"))
    return int(entry["messages"])


@needs_exports
@pytest.mark.parametrize("folder", FOLDERS)
def test_found_is_what_the_manifest_expects(bench: Workbench, folder: str) -> None:
    manifest = {entry["file"]: entry for entry in json.loads((EXPORTS / "manifest.json").read_text())}
    report = run(bench, EXPORTS / folder)
    assert set(report.details["files"]) == {
        name[len(folder) + 1 :] for name in manifest if name.startswith(f"{folder}/")
    }
    for name in report.details["files"]:
        told, entry = account(report, name), manifest[f"{folder}/{name}"]
        assert told["found"] == expected_messages(entry)
        if "types" in entry:
            known = dict(entry["types"])
            assert told["records"] == known
    assert report.details["messages_found"] == report.found
    before = bench.every()
    again = run(bench, EXPORTS / folder)
    assert (again.found, again.written, bench.every()) == (report.found, 0, before)


@needs_exports
def test_a_second_reading_of_the_same_transcripts_adds_nothing(bench: Workbench, tmp_path: Path) -> None:
    for folder in FOLDERS:
        for name in sorted((EXPORTS / folder).iterdir()):
            write(tmp_path / folder / name.name, name.read_bytes().rstrip(b"\n"))
    first = run(bench, tmp_path)
    for file in tmp_path.rglob("*.json*"):
        file.write_bytes(file.read_bytes() + b"\n")
    again = run(bench, tmp_path)
    assert first.written > 100 and again.written == 0
    assert again.duplicates == first.written + first.duplicates


@needs_exports
def test_the_whole_folder_of_exports_goes_in_without_a_crash(bench: Workbench) -> None:
    report = run(bench, EXPORTS)
    assert report.details["messages_found"] == 196
    found = report.details["files_by_format"]
    assert found == {"chatgpt": 2, "claude_ai": 13, "claude_code": 11, "codex": 5, "gemini": 4, "markdown": 1}
    of_transcripts = [file for file in report.details["files"].values() if file["format"] == "claude_code"]
    assert sum(item["found"] for item in of_transcripts) == 100


def shown(memories: list[Memory]) -> list[tuple[Any, ...]]:
    return sorted(
        (m.content, m.session_id, m.sequence, m.project, m.kind, m.speaker, m.valid_at, m.created_at)
        for m in memories
    )


IMPORT = """
import sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    forge.import_path(sys.argv[2], progress=lambda now: print(now.bytes_done, flush=True))
"""


@pytest.fixture
def long_folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "transcripts"
    for file in range(4):
        lines = (
            record(
                "user" if n % 2 else "assistant",
                f"turn {n} of file {file} about bed {n % 7}",
                file * 10_000 + n,
            )
            for n in range(600)
        )
        write(folder / f"s{file}.jsonl", *({**line, "sessionId": f"s{file}"} for line in lines))
    yield folder


@pytest.mark.on_disk
def test_a_killed_import_resumes_to_the_same_result(tmp_path: Path, long_folder: Path) -> None:
    with engramforge.open(tmp_path / "calm") as calm:
        calm.import_path(long_folder)
    size = sum(file.stat().st_size for file in long_folder.iterdir())
    kills = 0
    for share in (0.2, 0.4, 0.7):
        running = Child(IMPORT, tmp_path / "struck", long_folder)
        next((line for line in running.stdout if int(line) >= share * size), None)
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            kills += 1
        running.communicate()
    with engramforge.open(tmp_path / "struck") as struck, engramforge.open(tmp_path / "calm") as calm:
        struck.import_path(long_folder)
        assert shown(struck.memories(limit=1_000)) == shown(calm.memories(limit=1_000))
        everything = [
            shown(forge.memories(session_id=f"s{file}", limit=1_000))
            for forge in (struck, calm)
            for file in range(4)
        ]
        assert everything[:4] == everything[4:] and sum(map(len, everything)) == 4_800
        assert struck.check() == []
    assert kills >= 1
