"""What engramforge answered is never captured again: pasted by a person, or as what a tool gave back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Cli

FACT = "We decided to keep the ledger in PostgreSQL."


def _contents(cli: Cli) -> list[str]:
    return [memory["content"] for memory in cli("list", "--json").json["memories"]]


@pytest.mark.parametrize("flags", [(), ("--explain",)])
def test_a_printed_recall_is_left_out_of_what_pastes_it(cli: Cli, flags: tuple[str, ...]) -> None:
    cli("remember", FACT, "--speaker", "Ada")
    cli("remember", "The ledger is kept in two parts:\n\n- books\n- audit", "--speaker", "Bob")
    printed = cli("recall", "where is the ledger kept?", *flags).out
    assert printed.count("; id ") == 2

    pasted = f"Is this still so?\n$ engramforge recall ledger\n{printed}\nPlease check it."
    kept = cli("remember", pasted, "--kind", "prompt", "--speaker", "user", "--json").json["memory"]
    assert "Is this still so?" in kept["content"]
    assert "Please check it." in kept["content"]
    assert "ledger in PostgreSQL" not in kept["content"]
    assert "audit" not in kept["content"]
    assert len(cli("decisions", "--json").json["decisions"]) <= 1


def test_what_only_looks_like_a_hit_stays(cli: Cli) -> None:
    text = "1.  Buy milk\n   two litres\n2.  Call Ada\n   found by chance; id card at the desk"
    assert cli("remember", text, "--json").json["memory"]["content"] == text


@pytest.mark.parametrize(
    ("tool", "request_"),
    [
        ("Bash", {"command": "engramforge recall ledger"}),
        ("Bash", {"command": "cd /srv && uv run engramforge context ledger | head", "description": "Look"}),
        ("mcp__engramforge__forge_recall", {"query": "ledger"}),
        ("forge_context", {"query": "ledger"}),
    ],
)
def test_answers_in_transcripts_are_not_captured(
    cli: Cli, tmp_path: Path, tool: str, request_: dict[str, str]
) -> None:
    call = {"type": "tool_use", "id": "t1", "name": tool, "input": request_}
    outcome = {"type": "tool_result", "tool_use_id": "t1", "content": f"1. {FACT}"}
    _transcript(tmp_path / "s.jsonl", call, outcome)
    cli("import", str(tmp_path / "s.jsonl"))
    contents = _contents(cli)
    assert any("not captured again" in content for content in contents)
    assert not any(FACT in content for content in contents)


def test_other_tools_that_speak_of_it_are_captured(cli: Cli, tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "grep -rn engramforge docs"}}
    outcome = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": "docs/a.md: the ledger is in PostgreSQL",
    }
    _transcript(tmp_path / "s.jsonl", call, outcome)
    cli("import", str(tmp_path / "s.jsonl"))
    assert any("the ledger is in PostgreSQL" in content for content in _contents(cli))


def _transcript(path: Path, call: dict[str, object], outcome: dict[str, object]) -> None:
    records = [
        {
            "type": role,
            "uuid": f"00000000-0000-4000-8000-00000000000{number}",
            "sessionId": "s",
            "timestamp": f"2026-05-01T09:0{number}:00Z",
            "cwd": "/home/ann/app",
            "message": {"role": role, "content": [block]},
        }
        for number, (role, block) in enumerate((("assistant", call), ("user", outcome)), 1)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
