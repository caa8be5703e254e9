"""What the facade keeps from end to end: feelings that were given, names of any length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    """An empty store."""
    with engramforge.open(tmp_path / "home") as opened:
        yield opened


def test_machines_have_no_feelings_and_given_ones_stay(forge: Forge) -> None:
    plain = (
        "The slurry is pumped at 40 bar.",
        "We removed the dead code.",
        "Its letters go to a dead letter queue.",
    )
    assert [forge.remember(text).emotion_vector for text in plain] == [{}, {}, {}]
    assert "excitement" in forge.remember("I am so pumped!").emotion_vector
    given = forge.remember("The hull is red.", emotion_vector={"pride": 0.9})
    assert forge.supersede(given.id, "The hull is blue.").emotion_vector == {"pride": 0.9}
    assert forge.revise(given.id, "The hull is green.").emotion_vector == {"pride": 0.9}
    read = forge.remember("I am so happy with the hull.")
    assert "joy" not in forge.supersede(read.id, "I am angry at the hull.").emotion_vector


@pytest.mark.parametrize("number", ["7", "0031", "1234567", "-20260101"])
def test_names_of_any_length_are_one_name_everywhere(forge: Forge, number: str) -> None:
    told = (f"D{number}: We decided to use slate.", f"T{number}: OPEN: find a mason.")
    for place, text in enumerate(told):
        forge.remember(text, kind="prompt", project="roof", session_id="first", sequence=place)
    archive = forge.archives.compress("first").text
    assert f"### D{number}:" in archive and f"### T{number}:" in archive
    forge.archives.continue_from(archive, "second")
    said = f"T{number} is resolved: Ann came. D{number} is superseded by thatch."
    forge.remember(said, kind="prompt", project="roof", session_id="second", sequence=0)
    (thread,) = forge.threads.search(f"T{number}", status="resolved")
    assert thread.resolution and "Ann came" in thread.resolution
    (decision,) = forge.decisions.search(f"D{number}", status="superseded")
    assert decision.local_id == f"D{number}"
