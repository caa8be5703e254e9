"""Injection on the command line and over MCP: a host's events in, its answers out, and nothing that fails a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from tests.faces.conftest import Cli
from tests.faces.test_mcp import _inside

CAUSE = "The harbour client times out when the crane moves, because lock_crane is held for the whole call."
ASKED = "Why does the harbour client time out when the crane moves?"


def event(name: str | None, **fields: Any) -> bytes:
    said = {"session_id": "now", "cwd": "/projects/atlas", **fields}
    return json.dumps(said if name is None else {"hook_event_name": name, **said}).encode()


@pytest.fixture
def filled(cli: Cli) -> Cli:
    cli("remember", CAUSE, "--project", "atlas", "--session", "before", "--kind", "response")
    cli("remember", "Never edit schema.sql by hand: alembic writes it.", "--project", "atlas")
    cli("remember", "The gulls were loud on the quay this morning.", "--project", "atlas")
    return cli


def test_events_are_answered_as_the_host_expects(filled: Cli) -> None:
    answer = filled("inject-context", stdin=event("UserPromptSubmit", prompt=ASKED)).json
    said = answer.pop("hookSpecificOutput")
    assert not answer
    assert said["hookEventName"] == "UserPromptSubmit"
    assert CAUSE in said["additionalContext"]
    edit = {"tool_name": "Edit", "tool_input": {"file_path": "/projects/atlas/schema.sql"}}
    brief = filled("inject-brief", stdin=event(None, **edit)).json["hookSpecificOutput"]
    assert brief["hookEventName"] == "PreToolUse"
    assert "Never edit schema.sql" in brief["additionalContext"]
    again = filled("inject-context", stdin=event(None, prompt=ASKED))
    assert (again.code, again.out, again.err) == (0, "", "")


@pytest.mark.parametrize(
    ("given", "is_shown"),
    [
        ("npx prisma migrate reset --force", True),
        ("cd shop && pnpm prisma migrate reset", True),
        ("npm run db -- prisma migrate reset", True),
        ("sudo -u postgres env FORCE=1 ./node_modules/.bin/prisma@5 migrate reset", True),
        ("npm install left-pad && pnpm build", False),
        ("npm run build -- --prisma", False),
    ],
)
def test_a_wrapper_does_not_hide_the_program_that_it_starts(cli: Cli, given: str, is_shown: bool) -> None:
    cli("remember", "Never run prisma migrate reset.", "--project", "atlas")
    said = cli("inject-brief", stdin=event(None, tool_name="Bash", tool_input={"command": given})).out
    assert ("Never run prisma migrate reset." in said) == is_shown


def test_whatever_comes_the_session_goes_on(cli: Cli) -> None:
    large = b'{"x": "' + b"y" * 2_000_001 + b'"}'
    for stdin in (b"", b"garbage", b"[1]", b"\xff\xfe", b"{" * 100_000, large):
        answer = cli("inject-context", stdin=stdin)
        assert (answer.code, answer.out) == (0, "")
        assert answer.err.startswith("engramforge: ")


def test_a_store_that_cannot_be_opened_fails_no_session(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("no folder")
    answer = cli("inject-context", "--home", str(file), stdin=event("SessionStart", source="startup"))
    assert (answer.code, answer.out) == (0, "")
    assert answer.err


def test_an_injection_names_the_prompt_that_caused_it(filled: Cli) -> None:
    asked = event("UserPromptSubmit", prompt=ASKED)
    filled("capture-memory", stdin=asked)
    made = filled("inject-context", "--json", stdin=asked).json["injection"]
    assert f"asked         {ASKED}" in filled("injected", made["id"]).out
    assert filled("injected", made["id"], "--json").json["asked"] == ASKED
    (prompt,) = filled("list", "--kind", "prompt", "--json").json["memories"]
    filled("forget", prompt["id"], "--yes")
    assert ASKED not in filled("injected", made["id"]).out


def test_what_was_injected_is_listed_shown_and_judged(filled: Cli) -> None:
    assert filled("injected").out.strip() == "Nothing was injected yet."
    made = filled("inject-context", "--json", stdin=event("UserPromptSubmit", prompt=ASKED)).json["injection"]
    (listed,) = filled("injected", "--project", "atlas", "--json").json["injections"]
    assert listed["id"] == made["id"]
    assert listed["tokens"] > 0
    assert listed["text"] == ""
    shown = filled("injected", made["id"], "--json").json["injection"]
    assert {each["text"] for each in shown["memories"]} >= {CAUSE}
    assert all(each["reason"] == "answers" for each in shown["memories"])
    assert made["id"][:13] in filled("injected").out
    said = filled("injected", made["id"]).out
    assert "lock_crane" in said
    answer = filled("feedback", made["id"], "--useful", "--note", "it was the lock", "--json").json
    noted = answer["injection"]
    assert (noted["note"], {each["useful"] for each in noted["memories"]}) == ("it was the lock", {True})
    memory = shown["memories"][0]["memory_id"]
    assert (
        f"of no use: memory {memory[:13]}, in injection"
        in filled("feedback", memory[:13], "--not-useful").out
    )
    filled("forget", memory, "--yes")
    gone = filled("injected", made["id"], "--json").json["injection"]
    assert {each["memory_id"]: each["text"] for each in gone["memories"]}[memory] is None
    assert filled("injected", "0198aaaa", "--json").error["error"] == "NotFound"
    assert filled("feedback", made["id"], "--json").code == 2


def test_a_model_says_what_helped(filled: Cli, home: Path) -> None:
    made = filled("inject-context", "--json", stdin=event("UserPromptSubmit", prompt=ASKED)).json["injection"]

    async def work(client: Client) -> dict[str, Any]:
        asked = {"id": made["memories"][0]["memory_id"], "useful": True, "note": "the lock it was"}
        result = await client.call_tool("forge_feedback", asked)
        assert not result.is_error
        return dict(result.structured_content or {})

    assert _inside(home, work) == {"injection": made["id"]}
    (noted,) = filled("injected", "--json").json["injections"]
    assert noted["memories"][0]["useful"] is True
    assert noted["note"] == "the lock it was"
