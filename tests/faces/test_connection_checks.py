"""The doctor tells why Claude Code's hooks are not called, and where capture is off."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from tests.faces.conftest import Cli

Doctor = dict[str, dict[str, str]]


@pytest.fixture
def settings(user: Path, cli: Cli) -> Path:
    """The settings of a person who is connected, and has a store."""
    cli("remember", "The ferry leaves at noon.")
    assert cli("connect", "claude-code", "--yes", "--json").json
    return user / ".claude" / "settings.json"


def examined(cli: Cli) -> Doctor:
    return {check["name"]: check for check in json.loads(cli("doctor", "--json").out)["checks"]}


def changed(place: Path, change: Any) -> None:
    value = json.loads(place.read_text())
    change(value)
    place.write_text(json.dumps(value))


def test_what_is_connected_is_fine_and_where_nothing_is_nothing_is_said(cli: Cli, user: Path) -> None:
    cli("remember", "The ferry leaves at noon.")
    assert not {"connection", "hooks", "capture"} & set(examined(cli))
    cli("connect", "claude-code", "--yes")
    assert examined(cli)["connection"]["state"] == "ok"


def _elsewhere(value: Any) -> None:
    hook = value["hooks"]["Stop"][0]["hooks"][0]
    hook["args"][-1] = "/nowhere"


def _without(*events: str) -> Any:
    return lambda value: [value["hooks"].pop(event) for event in events]


def _left_to_others(value: Any) -> None:
    value["hooks"]["Stop"][0]["hooks"] = [{"type": "command", "command": "true"}, "odd"]


def _moved(value: Any) -> None:
    value["hooks"]["Stop"][0]["hooks"][0]["command"] = "/nowhere/python"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda value: value.pop("hooks"), "none of engramforge's hooks"),
        (lambda value: value.update(disableAllHooks=True), "switches all hooks off"),
        (_elsewhere, "tell another home, /nowhere"),
        (_moved, "run /nowhere/python, which is not there"),
        (_without("UserPromptSubmit"), "no hook of engramforge's for UserPromptSubmit"),
        (_without("Stop", "PreToolUse"), "no hook of engramforge's for PreToolUse, Stop"),
        (_left_to_others, "no hook of engramforge's for Stop"),
        (_without("SessionStart", "SessionEnd", "PreCompact"), "for SessionStart, PreCompact, SessionEnd"),
    ],
)
def test_hooks_that_cannot_be_called_are_a_fault(change: Any, said: str, cli: Cli, settings: Path) -> None:
    changed(settings, change)
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and said in found["found"] and found["mend"]


def test_a_damaged_file_is_named(cli: Cli, settings: Path) -> None:
    settings.write_text("{")
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and str(settings) in found["found"]
    assert "written" not in found["found"] + found["mend"], "a doctor writes nothing anyway"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda value: value["serve"].__setitem__(0, "/nowhere/python"),
            "/nowhere/python, which cannot be run",
        ),
        (lambda value: value["serve"].__setitem__(0, "/etc"), "/etc, which cannot be run"),
        (lambda value: value.update(serve=[]), "does not say how a daemon is started"),
        (lambda value: value.pop("serve"), "does not say how a daemon is started"),
    ],
)
def test_a_daemon_that_cannot_be_started_is_a_fault(
    change: Any, said: str, cli: Cli, home: Path, settings: Path
) -> None:
    place = next(each for each in home.parent.rglob("connect.json"))
    changed(place, change)
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and said in found["found"] and "connect claude-code" in found["mend"]
    place.write_text("[")
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and "written" not in found["found"]
    place.unlink()
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and "is not there, so hooks tell nothing" in found["found"]


def test_a_session_that_told_nothing_is_named(cli: Cli, user: Path, settings: Path) -> None:
    folder = user / ".claude" / "projects" / "-srv-atlas"
    folder.mkdir(parents=True)
    transcript = folder / "5e55.jsonl"
    transcript.write_text("{}")
    assert "hooks" not in examined(cli), "it may be under way"
    written = time.time() - 900
    os.utime(transcript, (written, written))
    assert "hooks" not in examined(cli), "it was before the connection"
    for place in user.parent.rglob("claude-code.json"):
        os.utime(place, (written - 60, written - 60))
    found = examined(cli)["hooks"]
    assert found["state"] == "note" and "5e55" in found["found"] and str(transcript) in found["mend"]
    cli("session", "off", "--capture", "--project", "diary")
    assert "hooks" not in examined(cli), "it may be of the project that is off"
    cli("session", "on", "--capture", "--project", "diary")
    cli("remember", "It was told.", "--session", "5e55")
    assert "hooks" not in examined(cli)


def test_what_is_switched_off_is_said(cli: Cli, settings: Path) -> None:
    cli("session", "off", "--capture", "--project", "dear diary")
    found = examined(cli)["capture"]
    assert found["state"] == "note" and "dear diary" in found["found"]
    assert found["mend"].startswith("engramforge session on --capture --project 'dear diary'")
