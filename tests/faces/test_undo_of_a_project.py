"""`undo` in a project's folder takes back that project's last change, and says what it was, where and when."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

import engramforge

from .conftest import Cli


def _type(home: Path, folder: Path, *prompts: str) -> None:
    """Prompts as hooks tell them."""
    with engramforge.open(home) as forge:
        event = {"hook_event_name": "UserPromptSubmit", "session_id": str(uuid4()), "cwd": str(folder)}
        forge.hooks.take([{**event, "transcript_path": "", "prompt": each} for each in prompts])


def test_the_last_change_of_the_project_is_taken_back(
    home: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skylark, bakery = tmp_path / "skylark", tmp_path / "bakery"
    skylark.mkdir()
    bakery.mkdir()
    _type(home, skylark, "we decided to recoat the mirror in may")
    _type(home, bakery, "we decided to bake with spelt")

    monkeypatch.chdir(skylark)
    said = cli("undo").out
    assert f"Undone: what was captured in skylark, {datetime.now(UTC):%Y-%m-%d}" in said
    assert "decision (dec_" in said and "recoat the mirror" in said
    assert "spelt" not in said and "import" not in said

    # Nothing is left of this project; the other stands, and is reached by its name and from elsewhere.
    assert "in skylark to undo" in cli("undo").err
    assert "spelt" in cli("decisions").out
    assert "recoat" in cli("redo").out
    assert "spelt" in cli("undo", "--project", "bakery").out
    monkeypatch.chdir(tmp_path)
    assert "in skylark" in cli("undo").out
    assert cli("decisions", "--json").json["decisions"] == []


def test_a_change_before_those_of_others_is_reached(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        one = forge.remember("The winch is red.", project="harbour")
        forge.remember("The oven is cold.", project="bakery")
        forge.revise(one.logical_id, "The winch is blue.")
        forge.remember("The oven is hot.", project="bakery")
    assert "Undone: revise in harbour" in cli("undo", "--project", "harbour").out
    assert "The winch is red." in cli("list", "--project", "harbour").out
    assert "Undone: remember in bakery" in cli("undo", "--all-projects").out
