"""What a cycle looks for: its matter alone, whatever phrase it is told in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.model.streams.ways import Tier

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


def test_what_another_learned_of_a_correction_goes_and_comes_with_it(tmp_path: Path) -> None:
    with (
        engramforge.open(tmp_path / "store", agent="ann") as ann,
        engramforge.open(tmp_path / "store", agent="bob") as bob,
    ):
        tank = ann.remember("The rain tank of the barn holds four tons.", level="collective")
        other = ann.remember("The hay loft of the barn holds nine bales.", level="collective", near=False)
        ann.revise(other.id, "The hay loft of the barn holds ninety bales.")
        ann.revise(tank.id, "The rain tank of the barn holds six tons.")
        learned = bob.streams.cycle(
            energy=0.5, unresolved_tension=0.7, tension_source="the rain tank of the barn"
        ).learnings
        assert learned

        def standing() -> set[str]:
            return {each.content for each in ann.memories() if each.kind == "learning"}

        before, kept = standing(), {each.content for each in learned if "hay loft" in each.content}
        undone = ann.undo()
        assert {each.content for each in undone.taken_back} > before - kept
        assert standing() == kept
        ann.redo()
        assert standing() == before
        # What says the same still is no correction that was taken back.
        ann.revise(tank.id, tags=["rain"])
        ann.undo()
        assert standing() == before
        assert ann.check() == []


def test_each_context_is_asked_by_itself_and_shares_the_focus(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "store") as forge:
        for text in (
            "bolts of the bracket rust",
            "paint of the bracket peels",
            "shape of the bracket is odd",
        ):
            for number in range(3):
                forge.remember(f"The {text} on side {number}.", energy=0.9, near=False)
        forge.remember("Ludo tunes the harpsichord in June.", energy=0.6)
        forge.remember("A ferret lives under the stairs.", energy=0.6)
        asked: dict[str, Any] = {"energy": 0.4, "context_hunger": 0.8, "records": False}
        contexts = ["the bracket", "tuning the harpsichord", "the ferret"]
        stream = forge.streams.cycle(**asked, active_contexts=contexts).stream
        focus = [each.memory.content for each in stream.tiers[Tier.FOCUS]]
        assert ["bracket" in focus[0], "harpsichord" in focus[1], "ferret" in focus[2]] == [True] * 3
        assert len({each.id for each in stream.memories}) == len(stream.memories) == 11
        assert len({each.way for each in stream.ways}) == len(stream.ways) == 6
        # Beyond the first eight the contexts share a question.
        many = [f"matter {number}" for number in range(8)] + ["the ferret", "the harpsichord"]
        found = forge.streams.cycle(**asked, active_contexts=many).stream.memories
        assert {"ferret", "harpsichord"} <= {
            word for each in found for word in each.content.strip(".").split()
        }
