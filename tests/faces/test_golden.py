"""What the faces say of themselves and answer is what lies in golden/, word by word: nothing changes by accident.

`ENGRAMFORGE_TEST_GOLDEN=write pytest tests/faces/test_golden.py` writes the files anew; look at the difference.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from .conftest import Cli
from .golden_record import Record, helps, tools
from .golden_scenario import run_through

_FOLDER: Final = Path(__file__).parent / "golden"
_WRITES: Final = os.environ.pop("ENGRAMFORGE_TEST_GOLDEN", "") == "write"


def _hold(name: str, text: str) -> None:
    file = _FOLDER / name
    if _WRITES:
        file.write_text(text, encoding="utf-8")
    golden = file.read_text(encoding="utf-8")
    for ours, theirs in zip(text.splitlines(), golden.splitlines(), strict=False):
        assert ours == theirs
    assert text == golden


def test_the_help_of_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    _hold("help.txt", helps())


def test_the_description_of_every_tool() -> None:
    _hold("tools.txt", tools())


def test_the_answers_of_every_command_and_tool(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record(cli, home, tmp_path)
    monkeypatch.setattr("engramforge.assembly.opening.now", record.now)
    run_through(record)
    _hold("answers.txt", record.text)
