"""`dream`, `undo --dream` and the line of `stats`, as people and programs read them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import engramforge
from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run

Told = Callable[..., str]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Runs a command on a store in which two notes say the same; what it prints, error or not."""
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    with engramforge.open(tmp_path / "home") as forge:
        words = ("Keep the tide tables.", "Keep the  tide tables", "Mend the lamp.")
        forge.remember_many(
            [
                {"content": each, "project": "pier", "session_id": f"s{place}", "energy": 0.5}
                for place, each in enumerate(words)
            ]
        )

    def call(*line: str) -> str:
        run(line, COMMANDS)
        printed = capsys.readouterr()
        return printed.out + printed.err

    return call


def test_a_dream_is_tried_dreamt_told_and_undone(told: Told) -> None:
    tried = told("dream", "--dry-run", "--project", "pier")
    assert "none: a dry run" in tried and "Nothing was written." in tried
    assert "There was no dream yet." in told("dream", "--last")
    done = told("dream")
    assert "pier" in done and "(1 memory) is still found by its id" in done
    (report,) = json.loads(told("dream", "--last", "--json"))["dreams"]
    assert report["ended_at"] and not report["is_undone"]
    assert [each["name"] for each in report["steps"]] == ["recluster", "merge"]
    assert "1 merged" in told("stats")
    assert json.loads(told("stats", "--json"))["last_dream"]["id"] == report["id"]
    assert "Leave one out" in told("dream", "--dry-run", "--last")
    assert "Leave one out" in told("undo", "--dream", "last", "--message", "x")
    assert "is no dream that stands" in told("undo", "--dream", "beef")
    undone = told("undo", "--dream", report["id"])
    assert undone.startswith("Undone: dream in pier") and "tide tables" in undone
    assert ", undone" in told("dream", "--last") and "undone" in told("stats")
    assert "is no dream that stands" in told("undo", "--dream", "last")
    assert "There is no project" in told("dream", "--project", "quay")
