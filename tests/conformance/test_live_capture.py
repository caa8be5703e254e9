"""Live capture on every engine: once, whichever of hooks and transcript comes first, and never what was forgotten."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engramforge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engramforge.forge import Forge

SESSION = "11111111-2222-4333-8444-555555555555"


@pytest.fixture(params=["sqlite", "postgres"])
def forge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forge]:
    place = str(tmp_path / "home") if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(place) as opened:
        yield opened


def _events(number: int) -> list[dict[str, Any]]:
    common = {"session_id": SESSION, "cwd": "/home/ann/garden", "prompt_id": f"p{number}"}
    call = {"tool_name": "Bash", "tool_input": {"command": f"ls {number}"}, "tool_use_id": f"toolu_{number}"}
    told = [
        {"hook_event_name": "UserPromptSubmit", "prompt": "We decided to plant beans."},
        {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "north"}, **call},
        {"hook_event_name": "Stop", "last_assistant_message": "ok"},
    ]
    return [
        {
            "id": f"{number}{place}",
            "received_at": f"2026-03-01T12:{number:02d}:0{place}Z",
            "event": {**common, **each},
        }
        for place, each in enumerate(told)
    ]


def _lines(number: int, session: str = SESSION) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": f"ls {number}"}}
    came = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "north"}
    said = [
        ("user", "We decided to plant beans."),
        ("assistant", [{"type": "text", "text": f"I look for the {number}th time."}, call]),
        ("user", [came]),
        ("assistant", "ok"),
    ]
    return [
        {
            "type": role,
            "uuid": f"00000000-0000-4000-8000-{number:06d}{place:06d}",
            "sessionId": session,
            "timestamp": f"2026-03-01T12:{number:02d}:0{place}Z",
            "cwd": "/home/ann/garden",
            "message": {"role": role, "content": content},
        }
        for place, (role, content) in enumerate(said)
    ]


def _transcript(folder: Path, lines: list[dict[str, Any]]) -> Path:
    place = folder / "talk.jsonl"
    place.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return place


def _contents(forge: Forge) -> list[str]:
    found = [each for each in forge.memories(limit=100) if each.registration is None]
    return [each.content for each in sorted(found, key=lambda each: (each.sequence or 0, each.id))]


@pytest.mark.parametrize("first", ["hooks", "transcript"])
def test_hooks_and_transcript_are_one(forge: Forge, tmp_path: Path, first: str) -> None:
    lines = [line for number in range(3) for line in _lines(number)]
    place = _transcript(tmp_path, lines)
    if first == "transcript":
        forge.import_path(place)
    for number in range(3):
        assert forge.hooks.take(_events(number)).faults == ()
        assert forge.hooks.take(_events(number)).captured == 0
    assert forge.import_path(place).written == (3 if first == "hooks" else 0)
    of_turn = ["We decided to plant beans.", "I look", "Bash: ls", "Outcome", "ok"]
    assert [
        text[: len(begun)] for text, begun in zip(_contents(forge), of_turn * 3, strict=True)
    ] == of_turn * 3
    fork = [line for number in range(3) for line in _lines(number, "99999999-2222-4333-8444-555555555555")]
    assert forge.import_path(_transcript(tmp_path, fork)).written == 0


def test_what_was_forgotten_stays_so(forge: Forge, tmp_path: Path) -> None:
    forge.hooks.take(_events(0))
    gone = [each for each in forge.memories(limit=100) if each.content in ("ok", "Bash: ls 0")]
    assert len(gone) == 2
    forge.forget([each.id for each in gone])
    forge.hooks.take(_events(0))
    forge.import_path(_transcript(tmp_path, _lines(0)))
    forge.import_path(_transcript(tmp_path, _lines(0, "99999999-2222-4333-8444-555555555555")))
    assert {"ok", "Bash: ls 0"}.isdisjoint(_contents(forge))


def test_switches_are_kept(forge: Forge) -> None:
    forge.hooks.switch("capture", False, project="garden")
    assert forge.hooks.take(_events(0)).left_out == 3
    forge.hooks.switch("capture", True, project="garden")
    assert forge.hooks.take(_events(0)).captured == 4
    assert forge.hooks.switches() == ()
