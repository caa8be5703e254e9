"""Codex and Gemini sessions: every message once, however often the program wrote it; what was put in stays out."""

import base64
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import EXPORTS, Workbench, needs_exports, run, write

from engramforge.capture.formats.codex import is_codex_record
from engramforge.capture.formats.gemini import is_gemini_record
from engramforge.model.memory import Kind, Memory
from engramforge.model.storing.record import ImportReport

PIXEL = base64.b64encode(b"not a picture").decode()


def account(report: ImportReport) -> dict[str, Any]:
    (found,) = report.details["files"].values()
    assert found["found"] == sum(found[part] for part in ("remembered", "duplicate", "nothing", "faulty"))
    return dict(found)


def turns(bench: Workbench) -> list[tuple[str, str]]:
    return [(memory.kind, memory.content) for memory in in_order(bench)]


def in_order(bench: Workbench) -> list[Memory]:
    return sorted(bench.every(), key=lambda memory: memory.sequence or 0)


def codex(kind: str, number: int, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-02-01T10:00:{number:02d}Z", "type": kind, "payload": payload}


def spoken(role: str, text: str, number: int, *more: Any) -> dict[str, Any]:
    name = "input_text" if role == "user" else "output_text"
    return codex(
        "response_item", number, type="message", role=role, content=[{"type": name, "text": text}, *more]
    )


HEAD = codex("session_meta", 0, id="s-1", cwd="/home/ann/code/garden", cli_version="0.99.0", instructions="x")
SESSION = [
    HEAD,
    spoken("developer", "Be brief.", 1),
    spoken("user", "# AGENTS.md instructions for /home/ann\n\n<INSTRUCTIONS>\nrules\n</INSTRUCTIONS>", 1),
    spoken("user", "<environment_context>\n<cwd>/home</cwd>\n</environment_context>", 1),
    codex("turn_context", 1, cwd="/home/ann/code/garden", model="gpt-x"),
    spoken(
        "user", "Plant the beans", 2, {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    ),
    codex("event_msg", 2, type="user_message", message="Plant the\nbeans", images=[]),
    codex("event_msg", 3, type="agent_reasoning", text="hm"),
    codex("response_item", 3, type="reasoning", summary=[], encrypted_content="zzz"),
    codex("event_msg", 4, type="agent_message", message="I will plant them."),
    spoken("assistant", "I will plant them.", 4),
    codex(
        "response_item",
        5,
        type="function_call",
        name="shell",
        call_id="c1",
        arguments='{"command":["bash","-lc","dig"]}',
    ),
    codex(
        "response_item",
        6,
        type="function_call_output",
        call_id="c1",
        output='{"output":"a hole","metadata":{"exit_code":1}}',
    ),
    codex(
        "response_item", 7, type="custom_tool_call", name="apply_patch", call_id="c2", input="*** Begin Patch"
    ),
    codex(
        "response_item",
        7,
        type="custom_tool_call_output",
        call_id="c2",
        output="Exit code: 0\nWall time: 1 seconds\nOutput:\nDone!",
    ),
    codex(
        "response_item",
        8,
        type="web_search_call",
        status="completed",
        action={"type": "search", "query": "beans"},
    ),
    codex("event_msg", 9, type="token_count", info={}),
    codex("event_msg", 9, type="agent_message", message="Said in an event alone."),
    codex("compacted", 10, message="We planted beans.", replacement_history=[]),
    codex("world_state", 11, anything=[1]),
    spoken(
        "user",
        "# Context from my IDE setup:\n\n## Open tabs\n- a.py\n\n## My request for Codex:\nWater them\n",
        12,
    ),
    "{broken",
]


def test_a_session_of_codex(bench: Workbench, tmp_path: Path) -> None:
    file = write(tmp_path / "2026" / "rollout-x.jsonl", *SESSION)
    report = run(bench, file)
    found = account(report)
    assert (report.format, report.project, found["found"], len(report.faults)) == ("codex", "garden", 13, 1)
    assert report.faults[0].line == len(SESSION)
    assert turns(bench) == [
        ("prompt", "Plant the beans"),
        ("response", "I will plant them."),
        ("tool_use", "shell: dig"),
        ("tool_use", "Failure of shell: dig\na hole"),
        ("tool_use", "apply_patch: input: *** Begin Patch"),
        ("tool_use", "Outcome of apply_patch: input: *** Begin Patch\nDone!"),
        ("tool_use", "web_search: beans"),
        ("response", "Said in an event alone."),
        ("session_summary", "We planted beans."),
        ("prompt", "Water them"),
    ]
    assert found["skipped"]["said already"] == 2 and found["skipped"]["thinking"] == 1
    assert found["skipped"]["injected"] == 3 and found["records"]["world_state"] == 1
    memories = in_order(bench)
    assert {memory.session_id for memory in memories} == {"s-1"}
    assert [memory.sequence for memory in memories] == list(range(10))
    assert memories[0].attachments[0].media_type == "image/png" and memories[1].metadata["model"] == "gpt-x"
    assert memories[3].metadata["is_error"] is True and memories[0].valid_at.second == 2
    file.write_text(file.read_text() + json.dumps(spoken("user", "Plant the beans", 20)) + "\n")
    again = run(bench, file)
    assert (again.written, len(bench.every())) == (1, 11)


def test_older_forms_of_codex(bench: Workbench, tmp_path: Path) -> None:
    bare = write(
        tmp_path / "rollout-old.jsonl",
        {"id": "old-1", "timestamp": "2025-06-01T10:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
        {
            "type": "local_shell_call",
            "call_id": "a",
            "status": "completed",
            "action": {"type": "exec", "command": ["ls", "-l"]},
        },
    )
    whole = tmp_path / "rollout-older.json"
    items = [{"role": "user", "type": "message", "content": [{"type": "input_text", "text": "Good day"}]}]
    whole.write_text(
        json.dumps({"session": {"id": "old-0", "timestamp": "2025-05-01T10:00:00Z"}, "items": items})
    )
    assert run(bench, bare).format == run(bench, whole).format == "codex"
    assert {(memory.session_id, memory.content) for memory in bench.every()} == {
        ("old-1", "Hello"),
        ("old-1", "shell: ls -l"),
        ("old-0", "Good day"),
    }
    assert not is_codex_record({"type": "message", "content": "hello"}) and not is_codex_record(
        {"type": "user"}
    )


def message(kind: str, number: int, content: Any, **more: Any) -> dict[str, Any]:
    at = f"2026-03-01T10:00:{number:02d}Z"
    return {"id": f"m{number}", "timestamp": at, "type": kind, "content": content, **more}


CALL = {
    "id": "read-1",
    "name": "read_file",
    "args": {"file_path": "beds.md"},
    "status": "success",
    "result": [
        {"functionResponse": {"id": "read-1", "name": "read_file", "response": {"output": "three beds"}}}
    ],
}
CONTEXT = (
    "<session_context>\nI'm currently working in the directory: /home/ann/code/garden\n</session_context>"
)
LINES = [
    {
        "sessionId": "g-1",
        "projectHash": sha256(b"/home/ann/code/garden").hexdigest(),
        "startTime": "2026-03-01T10:00:00Z",
        "kind": "main",
    },
    message("user", 1, [{"text": CONTEXT}]),
    message(
        "user",
        2,
        [{"text": "Read @beds.md\n--- Content from referenced files ---\nthree beds"}],
        displayContent=[{"text": "Read @beds.md"}],
    ),
    {"$set": {"lastUpdated": "2026-03-01T10:00:02Z"}},
    message("gemini", 3, "Reading.", thoughts=[{"subject": "s", "description": "d"}], model="gemini-x"),
    message("gemini", 3, "Reading.", thoughts=[], model="gemini-x", toolCalls=[CALL]),
    message("info", 4, "Saved."),
    message("user", 5, "No, stop"),
    {"$rewindTo": "m5"},
    message("user", 6, [{"text": "Sow"}, {"inlineData": {"mimeType": "image/png", "data": PIXEL}}]),
    {
        "$set": {
            "messages": [message("user", 6, "Sow"), message("gemini", 7, [{"text": "Sown."}])],
            "summary": "Beds were sown.",
        }
    },
    {"type": "message_update", "id": "m7", "tokens": {"input": 1}},
]


def test_a_session_of_gemini_that_grows(bench: Workbench, tmp_path: Path) -> None:
    file = write(tmp_path / "session-1.jsonl", *LINES)
    report = run(bench, file)
    found = account(report)
    assert (report.format, report.project, found["found"]) == ("gemini", "garden", 6)
    assert turns(bench) == [
        ("prompt", "Read @beds.md"),
        ("response", "Reading."),
        ("tool_use", "read_file: beds.md"),
        ("tool_use", "Outcome of read_file: beds.md\nthree beds"),
        ("prompt", "No, stop"),
        ("prompt", "Sow"),
        ("response", "Sown."),
        ("session_summary", "Beds were sown."),
    ]
    assert found["skipped"]["written again later"] == 2 and found["skipped"]["injected"] == 1
    memories = in_order(bench)
    assert memories[4].metadata.get("rewound") is True and "rewound" not in memories[5].metadata
    assert memories[1].metadata["model"] == "gemini-x"
    write(file, *LINES, message("user", 8, "More"))
    assert run(bench, file).written == 1


def test_where_a_session_of_gemini_ran(bench: Workbench, tmp_path: Path) -> None:
    document = {
        "sessionId": "g-2",
        "projectHash": "ab" * 32,
        "startTime": "2026-03-01T10:00:00Z",
        "messages": [message("user", 1, "Hi")],
    }
    chats = tmp_path / "tmp" / "orchard-2" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-a.json").write_text(json.dumps(document))
    assert run(bench, chats / "session-a.json").project == "orchard-2"
    (chats.parent / ".project_root").write_text("/home/ann/code/orchard\n")
    (chats / "session-b.json").write_text(json.dumps(document | {"sessionId": "g-3"}))
    assert run(bench, chats / "session-b.json").project == "orchard"
    (tmp_path / "loose.json").write_text(json.dumps(document | {"sessionId": "g-4"}))
    assert run(bench, tmp_path / "loose.json").project == "gemini-abababab"
    assert not is_gemini_record({"sessionId": "x", "type": "user"})


@pytest.mark.parametrize(
    "broken", ['{"sessionId": "g", "startTime": "2026", "messages": [1, {"type": "user"}]}', "odd"]
)
def test_broken_sessions_of_gemini(bench: Workbench, tmp_path: Path, broken: str) -> None:
    if broken == "odd":
        broken = json.dumps({"sessionId": "g", "projectHash": 5, "startTime": None, "messages": {"a": 1}})
    (tmp_path / "a.json").write_text(broken)
    report = run(bench, tmp_path / "a.json")
    assert report.format == "gemini" and report.written == 0 and len(report.faults) <= 1


@needs_exports
def test_the_sessions_of_the_exports(bench: Workbench) -> None:
    for folder, found, written in (("codex", 11, 11), ("gemini", 8, 9)):
        report = run(bench, EXPORTS / "agentsview" / folder)
        assert (report.format, report.found, report.written, report.faults) == (folder, found, written, ())
        assert run(bench, EXPORTS / "agentsview" / folder).written == 0
    assert {memory.project for memory in bench.every()} == {"tmp", "app", "my-api", "gemini-abc123de"}
    assert sum(memory.kind is Kind.PROMPT for memory in bench.every()) == 9
