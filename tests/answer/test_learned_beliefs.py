"""What is learned of a belief that was put right says nothing that was wrong, and never stands before what is so."""

from __future__ import annotations

from typing import Any

import pytest

from engramforge.forge import Forge

QUESTION = "how long does label printing take?"


def _cycle(forge: Forge) -> list[str]:
    done = forge.streams.cycle(energy=0.6, unresolved_tension=0.7, tension_source=QUESTION)
    return [each.content for each in done.learnings]


def test_only_what_is_so_is_cited_of_a_belief_that_was_corrected(forge: Forge) -> None:
    belief = forge.remember("Label printing takes 5 days.")
    forge.revise(belief.id, content="Label printing takes 14 days.")
    forge.revise(belief.logical_id, content="Label printing takes 9 days.")
    opening = forge.remember("The taproom opens at 16 o'clock.")
    forge.revise(opening.id, content="The taproom opens at 17 o'clock.")
    learned = _cycle(forge)
    assert [each.split(" on ")[0] for each in learned] == [
        *['What was believed of "Label printing takes \u2026 days." was wrong and was put right'] * 2,
        'Corrected 2 times: how long something takes.\n- "Label printing takes \u2026 days."',
    ]
    assert [each.memory.content for each in forge.recall(QUESTION).hits][:1] == [
        "Label printing takes 9 days."
    ]
    said = forge.consult(QUESTION)
    assert "9 days" in said.answer and "14 days" not in said.answer and not said.contradictions
    assert [each.id for each in said.citations] == [belief.logical_id]


def test_what_is_as_near_as_the_nearest_is_learned_of_a_need_in_few_words(forge: Forge) -> None:
    for boat in range(3):
        belief = forge.remember(f"Boat {boat} takes {10 + boat} minutes to the island.")
        forge.revise(belief.id, content=f"Boat {boat} takes {20 + boat} minutes to the island.")
    opening = forge.remember("The taproom opens at 16 o'clock.")
    forge.revise(opening.id, content="The taproom opens at 17 o'clock.")
    done = forge.streams.cycle(energy=0.5, unresolved_tension=0.9, tension_source="the island boats")
    assert len(done.stream.dissonances) >= 3
    assert len([each for each in done.learnings if "island" in each.content]) >= 3
    assert not any("taproom" in each.content for each in done.learnings)


def test_a_replacement_that_shares_no_words_is_told_without_them(forge: Forge) -> None:
    belief = forge.remember("Label printing takes how long? Five days.")
    forge.revise(belief.id, content="Nobody can say what a label costs in time; printing is by hand.")
    assert all("Five days" not in each and "a matter" in each for each in _cycle(forge)[:1])


@pytest.mark.parametrize("given", [5, "x", [5, {"a": 1}], None])
def test_metadata_that_somebody_gave_a_learning_harms_nothing(forge: Forge, given: Any) -> None:
    forge.remember("Label printing takes 9 days.", kind="learning", metadata={"learned_of": given})
    assert len(forge.recall(QUESTION).hits) == 1


def test_one_undo_takes_back_all_that_a_cycle_learned(forge: Forge) -> None:
    for boat in range(3):
        belief = forge.remember(f"Boat {boat} takes {10 + boat} minutes to the island.")
        forge.revise(belief.id, content=f"Boat {boat} takes {20 + boat} minutes to the island.")
    done = forge.streams.cycle(energy=0.5, unresolved_tension=0.9, tension_source="the island boats")
    undone = forge.undo()
    assert undone.action == "learn"
    assert len(done.learnings) >= 3
    assert {each.id for each in undone.taken_back} == {each.id for each in done.learnings}
