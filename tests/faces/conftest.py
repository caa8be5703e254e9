"""What the tests of the faces share: a home folder, and the command line within this process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as ONE JSON object; the command must have succeeded."""
        assert self.code == 0, self.err
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value

    @property
    def error(self) -> dict[str, str]:
        """Standard error as the error object; standard output must be empty."""
        assert self.code != 0
        assert self.out == ""
        value = json.loads(self.err)
        assert set(value) == {"error", "fault", "mend"}
        assert value["fault"]
        assert value["mend"]
        return value


Cli = Callable[..., Answer]


class Terminal(io.StringIO):
    """A stream that says that people look at it, or type into it."""

    def isatty(self) -> bool:
        """They do."""
        return True


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, with a space in its name, that ENGRAMFORGE_HOME names."""
    folder = tmp_path / "my home"
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return folder


@pytest.fixture
def user(home: Path, tmp_path: Path) -> Path:
    """The home folder of a person who has Claude Code."""
    folder = tmp_path / "user"
    (folder / ".claude").mkdir(parents=True)
    return folder


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process, as the console entry point does."""

    def call(*arguments: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = run(arguments, COMMANDS)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return call


@pytest.fixture
def on_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process with all three streams on a terminal; `typed` is what people type."""

    def call(*arguments: str, typed: str = "") -> Answer:
        streams = Terminal(typed), Terminal(), Terminal()
        with monkeypatch.context() as patch:
            patch.setenv("TERM", "xterm-256color")
            patch.delenv("NO_COLOR", raising=False)
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                patch.setattr(sys, name, stream)
            code = run(arguments, COMMANDS)
        return Answer(code, streams[1].getvalue(), streams[2].getvalue())

    return call
