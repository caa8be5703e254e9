"""Why an intention found nothing: the sentence names the one thing that is at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.forge import Forge

DAY = "2026-01-01T00:00:00Z"
THEN = "Nothing that is remembered was known and held at that time; what is remembered holds from the day"


@pytest.fixture
def forge(tmp_path: Path) -> Any:
    with engramforge.open(tmp_path / "store") as opened:
        opened.remember(
            "The pump holds 40 litres.", project="p", valid_at=DAY, recorded_at=DAY, emotion_vector={}
        )
        opened.create_project("bare")
        yield opened


@pytest.mark.parametrize(
    ("words", "asked", "note"),
    [
        ("the of", {}, "The question has stop words alone"),
        ("quantum gluons", {}, "Nothing that is remembered bears on it: ask in other words"),
        (
            "pump",
            {"min_energy": 0.9},
            "1 memory bears on it, but none has an energy of 0.9 or more (min_energy):",
        ),
        (
            "pump",
            {"min_energy": 0.4, "min_confidence": 0.9},
            "1 memory bears on it, but none has a confidence",
        ),
        ("pump", {"required_emotions": ["joy"]}, "1 memory bears on it, but none is felt with joy"),
        ("pump", {"query_levels": ["N3"]}, "1 memory bears on it, but none is of N3 (query_levels)"),
        ("pump", {"only_fully_valid": True}, "1 memory bears on it, but none has all REQUIRED metadata"),
        ("gluons", {"min_energy": 0.9}, "Nothing that is remembered bears on it: ask in other words"),
        ("pump", {"as_of_valid": "2025-01-01"}, THEN),
        (
            "pump",
            {"as_of_valid": "2026-02-01", "min_energy": 0.9},
            "1 memory bears on it, but none has an energy",
        ),
        (
            "gluons",
            {"as_of_valid": "2026-02-01"},
            "Nothing that was known and held at that time bears on it;",
        ),
        (
            "pump",
            {"temporal_mode": "evolution", "time_range_end": "2025-01-01"},
            "Nothing was on record in that time: widen it",
        ),
        ("pump", {"project": "bare"}, "Nothing is remembered in bare yet: remember something there"),
        ("pump", {}, ""),
    ],
)
def test_an_empty_intention_says_why(forge: Forge, words: str, asked: dict[str, Any], note: str) -> None:
    stream = forge.streams.by_intention(words, **{"project": "p", **asked})
    assert (len(stream) == 0) is bool(note)
    assert stream.note.startswith(note)
    assert bool(stream.note) is bool(note)


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "new") as new:
        assert new.streams.by_intention("pump").note.startswith("Nothing is remembered here yet")


def test_what_nobody_else_may_see_is_not_told(forge: Forge) -> None:
    assert forge.streams.by_intention("pump", agent="another", project="p").note.startswith(
        "Nothing is remembered in p yet"
    )
    both = forge.streams.by_intention("pump", agent="another", min_energy=0.9)
    assert "bears on it" not in both.note


def test_a_model_is_told_why(forge: Forge, tmp_path: Path) -> None:
    forge.close()

    async def told() -> str:
        async with client_of(str(tmp_path / "store")) as client:
            answer = await client.call_tool("forge_stream", {"query_text": "pump", "min_energy": 0.9})
            return str(answer.content[0].text)

    assert "but none has an energy of 0.9 or more" in anyio.run(told)
