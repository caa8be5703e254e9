"""The commands for hooks: they capture what they are given, fail no session, and switch what is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engramforge

from .conftest import Cli

SESSION = "11111111-2222-4333-8444-555555555555"


def _event(name: str, **more: Any) -> bytes:
    event = {"hook_event_name": name, "session_id": SESSION, "cwd": "/home/ann/garden", **more}
    return json.dumps(event).encode()


def _contents(home: Path) -> list[str]:
    with engramforge.open(home) as forge:
        return sorted(each.content for each in forge.memories(limit=100))


def test_hook_commands_capture_and_say_nothing(cli: Cli, home: Path) -> None:
    tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    calls = [
        (("session", "start"), _event("SessionStart", source="startup")),
        (("capture-memory",), _event("UserPromptSubmit", prompt="Where are the beans?", prompt_id="1")),
        (("capture-memory",), _event("PostToolUse", tool_use_id="t", tool_response="a", **tool)),
        (("capture-response",), _event("Stop", last_assistant_message="In the north bed.", prompt_id="1")),
        (("session", "end"), _event("SessionEnd", reason="logout")),
    ]
    for _ in range(2):
        for command, event in calls:
            answer = cli(*command, stdin=event)
            assert (answer.code, answer.out, answer.err) == (0, "", "")
    found = _contents(home)
    assert len(found) == 5
    assert {"Where are the beans?", "In the north bed.", "Bash: ls", "Outcome of Bash: ls\na"} < set(found)
    assert not (home / "log").exists()


@pytest.mark.parametrize("command", ["session end", "capture-memory", "capture-response"])
def test_a_hook_command_exits_0_whatever_it_is_given(cli: Cli, home: Path, command: str) -> None:
    for raw in ("", "no JSON", "[1, 2]", '{"hook_event_name": 5}', "[" * 100_000):
        answer = cli(*command.split(), stdin=raw.encode())
        assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert (home / "log" / "hooks.log").stat().st_mode & 0o777 == 0o600
    assert len((home / "log" / "hooks.log").read_text().splitlines()) == 4


def test_a_home_that_cannot_be_used_fails_no_hook(cli: Cli, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "engramforge.toml").write_text("no_such_setting = 1\n")
    answer = cli("capture-memory", stdin=_event("Stop", last_assistant_message="x"))
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert "no_such_setting" in (home / "log" / "hooks.log").read_text()


def test_the_log_stays_small(cli: Cli, home: Path) -> None:
    log = home / "log" / "hooks.log"
    log.parent.mkdir(parents=True)
    log.write_text("an older fault\n" * 100_000)
    cli("capture-memory", stdin=b"no JSON")
    assert log.stat().st_size < 600_000
    assert "no JSON" in log.read_text().splitlines()[-1]


def test_switching_in_a_session_and_a_project(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"):
        monkeypatch.delenv(variable, raising=False)
    assert cli("session", "off", "--json").error["error"] == "InvalidValue"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert "Capture switched off in session" in cli("session", "off", "--capture").out
    cli("capture-response", stdin=_event("Stop", last_assistant_message="secret plan", prompt_id="1"))
    assert _contents(home) == []
    answer = cli("session", "off", "--project", "garden", "--json").json
    assert answer == {"switched": ["capture", "injection"], "on": False, "project": "garden", "session": None}
    off = cli("session", "--json").json["off"]
    assert {(each["what"], each["project"], each["session"]) for each in off} == {
        ("capture", None, SESSION),
        ("capture", "garden", None),
        ("injection", "garden", None),
    }
    cli("session", "on", "--session", SESSION)
    cli("capture-response", stdin=_event("Stop", last_assistant_message="open plan", prompt_id="2"))
    assert _contents(home) == ["open plan"]
    cli("session", "on", "--project", "garden")
    assert "on everywhere" in cli("session").out


def test_a_project_that_is_not_there_is_told(cli: Cli) -> None:
    cli("remember", "The beans are in.", "--project", "garden")
    assert "did you mean 'garden'?" in cli("session", "off", "--project", "gardne").err
    assert "'garden'?" not in cli("session", "off", "--project", "garden").err


def test_a_summary_does_not_end_a_sentence_at_a_saint(cli: Cli, home: Path) -> None:
    said = "We sing in St. Jakob with Dr. Vogel, e.g. on Sunday."
    cli("capture-memory", stdin=_event("UserPromptSubmit", prompt=f"{said} Bring scores."))
    cli("session", "end", stdin=_event("SessionEnd"))
    assert any(each.startswith("Session of one prompt") and said in each for each in _contents(home))


def _transcript(folder: Path, session: str, *said: str, cwd: str = "/home/ann/diary") -> None:
    place = folder / "-home-ann-diary" / f"{session}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {
            "type": "user",
            "uuid": f"{session}-{number}",
            "sessionId": session,
            "cwd": cwd,
            "timestamp": f"2026-03-01T10:0{number}:00.000Z",
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(said)
    ]
    place.write_text("".join(json.dumps(each) + "\n" for each in records))


def test_a_subfolder_of_a_repository_belongs_to_its_project(cli: Cli, home: Path, tmp_path: Path) -> None:
    shop, beside = tmp_path / "beanshop", tmp_path / "beanshop-hotfix"
    for folder in (shop / ".git", shop / "web" / "src", beside / "web", tmp_path / "loose" / "web"):
        folder.mkdir(parents=True)
    (beside / ".git").write_text(f"gitdir: {shop}/.git/worktrees/beanshop-hotfix\n")
    for number, folder in enumerate((shop / "web" / "src", beside / "web", shop, tmp_path / "loose" / "web")):
        said = {"prompt": f"Said {number}.", "session_id": f"s{number}", "cwd": str(folder)}
        cli("capture-memory", stdin=_event("UserPromptSubmit", **said))
    _transcript(tmp_path / "projects", "imported", "Said 4.", cwd=str(shop / "web"))
    cli("import", str(tmp_path / "projects"))
    with engramforge.open(home) as forge:
        found = {each.content: each.project for each in forge.memories(limit=100)}
    assert found == {
        **dict.fromkeys(("Said 0.", "Said 1.", "Said 2.", "Said 4."), "beanshop"),
        "Said 3.": "web",
    }


@pytest.mark.parametrize("more", [(), ("--project", "everything")])
def test_an_import_leaves_out_what_is_switched_off(
    cli: Cli, home: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    projects = tmp_path / ".claude" / "projects"
    _transcript(projects, SESSION, "The walrus has a secret.", "So has the seal.")
    _transcript(projects, "open", "The beans are in.")
    prompt = {"display": "Nobody sees this.", "timestamp": 1_772_000_000_000, "project": "/home/ann/diary"}
    history = projects.parent / "history.jsonl"
    history.write_text(json.dumps({**prompt, "sessionId": "other", "pastedContents": {}}) + "\n")
    cli("session", "off", "--capture", "--project", "diary")
    cli("session", "on", "--session", "open")
    cli("session", "off", "--session", SESSION)
    told = cli("import", str(projects.parent), *more).out
    assert "said while capture was switched off: 3 records (--switched-off" in told
    assert _contents(home) == ["The beans are in."]
    cli("session", "on", "--session", SESSION)
    assert "was switched off: 1 record" in cli("import", str(projects.parent), *more).out
    assert _contents(home) == ["So has the seal.", "The beans are in.", "The walrus has a secret."]
    assert "was switched off" not in cli("import", str(projects.parent), "--switched-off", *more).out
    assert "Nobody sees this." in _contents(home)
