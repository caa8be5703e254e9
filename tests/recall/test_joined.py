"""Nothing is shown twice: copies, overlapping pieces of a file, an entry and the sentence that it was read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from engramforge.forge import Forge

LIGHT = "The lighthouse lamp was replaced by an electric one after the storm broke the old lens."


def test_copies_are_one_hit_that_names_the_others(forge: Forge) -> None:
    one = forge.remember(LIGHT, project="north")
    two = forge.remember(LIGHT, project="south")
    cut = forge.remember("As Ida said: " + LIGHT, project="south")
    other = forge.remember("The lamp room was painted white after the storm.", project="south")
    found = forge.recall("when was the lighthouse lamp replaced?")
    first = found.hits[0]
    assert {first.memory.id, *(each.id for each in first.joined)} == {one.id, two.id, cut.id}
    assert [hit.memory.id for hit in found.hits[1:]] == [other.id] and found.left_out == 0


def test_the_next_best_take_the_places_of_copies(forge: Forge) -> None:
    for project in ("a", "b", "c"):
        forge.remember(LIGHT, project=project)
    forge.remember("Buy a lamp for the hut.", project="a")
    found = forge.recall("what happened to the lighthouse lens in the storm? a lamp", limit=2)
    assert [len(hit.joined) for hit in found.hits] == [2, 0]


def test_notes_of_the_same_make_that_differ_in_a_number_are_two(forge: Forge) -> None:
    for hour in (7, 9):
        forge.remember(
            f"The night ferry to the far island leaves at {hour} on weekdays and calls at the old pier."
        )
    assert len(forge.recall("when does the night ferry leave?").hits) == 2


def test_a_decision_and_its_sentence_are_one_hit(forge: Forge) -> None:
    said = forge.remember(
        "We decided to grease the slew bearing with calcium soap.", kind="message", session_id="s1"
    )
    (found,) = forge.recall("what do we grease the slew bearing with?").hits
    (joined,) = found.joined
    assert found.memory.logical_id == said.logical_id and joined.kind == "decision"


def test_overlapping_pieces_of_a_file_are_one_hit(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    filler = " ".join(f"Entry {number} tells of rope, tar and tide number {number}." for number in range(14))
    (folder / "log.md").write_text(f"# Log\n\n{filler} {LIGHT} {filler}\n\n{filler}\n", encoding="utf-8")
    forge.import_path(folder, project="log")
    holding = [each for each in forge.memories(project="log") if LIGHT in each.content]
    assert len(holding) == 2
    found = forge.recall("when was the lighthouse lamp replaced after the storm?", budget=1_000)
    assert sum(LIGHT in hit.excerpt for hit in found.hits) == 1


def test_versions_of_a_memory_stay_apart(forge: Forge) -> None:
    first = forge.remember(LIGHT)
    forge.revise(first.id, LIGHT, tags=["lamp"])
    assert len(forge.recall("lighthouse lamp", mode="full_history").hits) == 2


@pytest.mark.parametrize("mode", ["full_history", "evolution"])
def test_what_was_learned_of_a_belief_leaves_its_versions_apart(forge: Forge, mode: str) -> None:
    belief = forge.remember("The cello case costs 300 euros.", level="collective")
    for price in (420, 450):
        forge.revise(belief.logical_id, f"The cello case costs {price} euros.")
    asked = "what was believed of the cello case and put right?"
    forge.streams.cycle(energy=0.6, unresolved_tension=0.7, tension_source="the cello case")
    found = [each.memory for each in forge.recall(asked, mode=mode).hits]
    assert sorted(each.version for each in found if each.logical_id == belief.logical_id) == [1, 2, 3]
    told = [each.memory for each in forge.streams.by_intention(asked, temporal_mode=mode).items]
    assert sorted(each.version for each in told if each.logical_id == belief.logical_id) == [1, 2, 3]


def test_what_was_learned_of_two_beliefs_makes_them_one_with_neither(forge: Forge) -> None:
    beliefs = [forge.remember(f"The {each} pier is closed at night.", near=False) for each in ("old", "new")]
    both = {"learned_of": [each.logical_id for each in beliefs]}
    asked = "which pier did somebody put right, and was it closed at night?"
    forge.remember(asked, kind="learning", metadata=both, near=False)
    hits = forge.recall(asked).hits
    assert {each.memory.id for each in hits} == {each.id for each in beliefs}
    assert sorted(len(each.joined) for each in hits) == [0, 1]
