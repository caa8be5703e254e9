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


MISTAKES = [
    ("project=", "projct="),
    ("confidence=", "confidense="),
    ('goal="rest"', "goal=5"),
    ('"project":', '"projct":'),
    ('"energy": 0.2', '"energy": "much"'),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a type checker says of a program for each mistake, `program_NUMBER.py`, and of the one without any."""
    folder = tmp_path_factory.mktemp("programs")
    programs = [RIGHT.replace(right, wrong) for right, wrong in MISTAKES]
    for number, program in enumerate([*programs, RIGHT]):
        (folder / f"program_{number}.py").write_text(program)
    names = sorted(each.name for each in folder.iterdir())
    cache = Path(__file__).resolve().parents[2] / ".mypy_cache" / "snippets"
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(cache), "--follow-imports=silent", *names],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_a_type_checker_finds_the_mistake(told: str, number: int) -> None:
    said = [
        line for line in told.splitlines() if line.startswith(f"program_{number}.py:") and ": error:" in line
    ]
    named = re.split("[=:]", MISTAKES[number][1])[0].strip('"')
    assert any(named in line or "DraftMapping" in line for line in said), told


def test_a_type_checker_finds_nothing_where_all_is_right(told: str) -> None:
    assert f"program_{len(MISTAKES)}.py" not in told and f"checked {len(MISTAKES) + 1} source files" in told
