"""A caller's type checker finds a mistyped field, in a program that is right but for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engramforge.core.checks.draft_from_mapping import DRAFT_FIELDS
from engramforge.forge.draft_fields import ChangedFields, DraftFields
from engramforge.writing.version_change import CHANGEABLE

RIGHT = """
import engramforge

with engramforge.open() as forge:
    made = forge.remember("We ship.", project="billing", kind="decision", tags=["ship"], valid_at="2026-05-04")
    forge.revise(made.id, "We do ship.", confidence=0.9)
    forge.supersede(made.id, "We stopped.", goal="rest")
"""


def test_the_typed_fields_are_those_that_are_taken() -> None:
    assert DraftFields.__annotations__.keys() | {"content", "project"} == set(DRAFT_FIELDS)
    assert ChangedFields.__annotations__.keys() == set(CHANGEABLE)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("", ""), ("project=", "projct="), ("confidence=", "confidense="), ('goal="rest"', "goal=5")],
)
def test_a_type_checker_finds_the_mistake(tmp_path: Path, right: str, wrong: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(RIGHT.replace(right, wrong) if right else RIGHT)
    cache = Path(__file__).resolve().parents[2] / ".mypy_cache" / "snippets"
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(cache), "--follow-imports=silent", program.name],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == (1 if right else 0), told.stdout + told.stderr
    if right:
        assert wrong.rstrip("=5").split("=")[0] in told.stdout
