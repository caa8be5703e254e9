"""What a cycle looks for: its matter alone, whatever phrase it is told in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engramforge

TOLD = (
    "Mount the bracket at the pier.",
    "The first bracket was too short.",
    "The parking permit costs 40 kroner.",
    "Soup on Fridays.",
    "The printer is called Olsen.",
)


@pytest.mark.parametrize(
    ("state", "phrase"),
    [
        (
            {"context_hunger": 0.8, "active_contexts": ["the bracket"]},
            "Recent developments in the bracket",
        ),
        (
            {"unresolved_tension": 0.8, "tension_source": "the bracket"},
            "Past experiences similar to the bracket",
        ),
    ],
)
def test_a_cycle_finds_what_its_matter_alone_finds(
    tmp_path: Path, state: dict[str, Any], phrase: str
) -> None:
    with engramforge.open(tmp_path / "store") as forge:
        for text in TOLD:
            forge.remember(text, energy=0.8, near=False)
        stream = forge.streams.cycle(energy=0.4, records=False, **state).stream
        alone = forge.streams.by_intention("the bracket")
    assert stream.query == phrase
    assert stream.answered and alone.answered
    found = {each.memory.content: each.relevance for each in stream.items}
    assert found == pytest.approx({each.memory.content: each.relevance for each in alone.items})
    assert set(found) == set(TOLD[:2])
