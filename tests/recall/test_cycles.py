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


def test_tension_tells_how_the_matter_came_about_where_it_was_felt_otherwise(tmp_path: Path) -> None:
    tension: dict[str, Any] = {"energy": 0.6, "unresolved_tension": 0.7, "records": False}
    with engramforge.open(tmp_path / "store") as forge:
        loom = forge.remember(
            "The loom weaves 3 metres of linen a day.", recorded_at="2025-02-01", near=False
        )
        forge.revise(loom.id, "The loom weaves 5 metres of linen a day.", recorded_at="2025-03-01")

        def told(
            *, emotions: dict[str, float], source: str = "how much linen the loom weaves"
        ) -> tuple[int, str]:
            stream = forge.streams.cycle(tension_source=source, emotions=emotions, **tension).stream
            return len(
                {each.memory.id for each in stream.items if "loom" in each.memory.content}
            ), stream.note

        # Nothing passes.
        count, note = told(emotions={"frustration": 0.8})
        assert count > 1 and "felt with frustration (required_emotions): it is told all the same" in note
        # What passes has little to do with it.
        forge.remember("We cannot weave linen in the dark.", emotion_vector={"frustration": 0.9}, near=False)
        count, note = told(emotions={"frustration": 0.8})
        assert count > 1 and "answers it, but none is felt with frustration" in note
        # What passes answers.
        assert told(emotions={}) == (count, "")
        forge.remember(
            "The loom weaves 4 metres of linen at night.", emotion_vector={"calm": 0.9}, near=False
        )
        assert told(emotions={"calm": 0.7}) == (1, "")
        # Nothing is known of it, whatever is felt.
        assert told(emotions={"frustration": 0.8}, source="quarks")[0] == 0
        # A question is asked as it stands, and is told what it leaves out.
        asked = forge.streams.by_intention(
            "how much linen does the loom weave?", required_emotions=["frustration"]
        )
        assert not asked.answered and "2 memories answer it, but none is felt with frustration" in asked.note
        assert "ask for less, or leave it out" in asked.note
