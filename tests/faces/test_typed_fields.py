"""A caller's type checker finds a mistyped field, in a program that is right but for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engramforge.core.checks.draft_from_mapping import DRAFT_FIELDS
from engramforge.forge.draft_fields import ChangedFields, DraftFields, DraftMapping
from engramforge.writing.version_change import CHANGEABLE

RIGHT = """
import engramforge

with engramforge.open() as forge:
    made = forge.remember("We ship.", project="billing", kind="decision", tags=["ship"], valid_at="2026-05-04")
    forge.revise(made.id, "We do ship.", confidence=0.9)
    forge.supersede(made.id, "We stopped.", goal="rest")
    forge.remember_many([{"content": "We rest.", "project": "billing"}, engramforge.Draft(content="We sleep.")])
    drafts: list[engramforge.DraftMapping] = [{"content": "We wake.", "energy": 0.2, "images": ["dawn.png"]}]
    forge.remember_many(drafts)
"""


def test_the_typed_fields_are_those_that_are_taken() -> None:
    assert DraftFields.__annotations__.keys() | {"content", "project"} == set(DRAFT_FIELDS)
    assert DraftMapping.__annotations__.keys() == {*DRAFT_FIELDS, "images", "captions"}
    assert ChangedFields.__annotations__.keys() == set(CHANGEABLE)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("project=", "projct="),
        ("confidence=", "confidense="),
        ('goal="rest"', "goal=5"),
        ('"project":', '"projct":'),
        ('"energy": 0.2', '"energy": "much"'),
    ],
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
        named = re.split("[=:]", wrong)[0].strip('"')
        assert named in told.stdout or "DraftMapping" in told.stdout
