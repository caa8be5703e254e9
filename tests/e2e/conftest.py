"""What the tests with Claude Code share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.claude_code import ClaudeCode, install


@pytest.fixture(scope="session")
def programs() -> Path:
    """Where claude is."""
    return install()


@pytest.fixture
def machine(programs: Path, tmp_path: Path) -> ClaudeCode:
    """A person's machine with nothing on it but Claude Code."""
    return ClaudeCode(programs, tmp_path)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parents[2]
