"""What streams keep and tell goes to nobody else, and goes with what is forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.recall.intention import goal_likeness

FELT: dict[str, Any] = {"emotion_vector": {"frustration": 0.9}, "energy": 0.9}
SOUND = {"energy": 0.6, "confidence": 0.9, "emotion_vector": {}, "goal": "quiet", "mindstate": "calm"}


def cycle(forge: Forge) -> tuple[Any, ...]:
    asked = {"energy": 0.9, "unresolved_tension": 0.9, "emotions": {"frustration": 0.9}}
    return forge.streams.cycle(tension_source="the cellar of Ulrike", **asked).learnings


def test_what_is_learned_of_a_pattern_tells_nobody_of_others_beliefs(tmp_path: Path) -> None:
    with engramforge.open(tmp_path, agent="alice") as alice, engramforge.open(tmp_path, agent="bob") as bob:
        private = alice.remember("Ulrike owes the cellar firm 300 crowns.", project="rent", **FELT)
        shared = [
            alice.remember(
                f"The cellar of Ulrike has {number} {thing}.", level="collective", project="house", **FELT
            )
            for number, thing in ((12, "shelves"), (7, "lamps"))
        ]
        alice.revise(private.id, "Ulrike owes the cellar firm 900 crowns.")
        for each in shared:
            alice.revise(each.id, each.content.replace(" has ", " has 1"))
        learned = cycle(alice)
        of_all = [each for each in learned if str(each.level) == "collective"]
        assert any(each.content.startswith("Corrected 2 times") for each in of_all)
        assert not any("crowns" in each.content for each in of_all)
        assert not any("crowns" in hit.memory.content for hit in bob.recall("Ulrike crowns cellar").hits)


def test_learnings_go_with_what_they_are_of(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        belief = forge.remember("The cellar of Ulrike holds 12 boxes.", **FELT)
        forge.revise(belief.id, "The cellar of Ulrike holds 15 boxes.")
        assert len(cycle(forge)) == 1 and cycle(forge) == ()
        forge.forget(belief.logical_id)
        assert not any("boxes" in each.content for each in forge.memories())


def test_names_of_others_are_not_told(tmp_path: Path) -> None:
    with engramforge.open(tmp_path, agent="alice") as alice, engramforge.open(tmp_path, agent="bob") as bob:
        secret = alice.remember("Ulrike Winter wrote src/plans/takeover.py.")
        bob.remember("Nothing of this is known to the others.")
        for way in ("paths", "pagerank"):
            asked = "What of takeover.py and Ulrike?"
            assert bob.streams.by_intention(asked, graph_way=way).entities == ()
            assert alice.streams.by_intention(asked, graph_way=way).entities
        alice.forget(secret.logical_id)
        assert alice.streams.by_intention(asked, graph_way="pagerank").entities == ()


@pytest.mark.parametrize("apart", [False, True])
def test_names_that_come_after_a_forget_are_known(tmp_path: Path, apart: bool) -> None:
    """A key is given again once the newest names are gone, by this process or by another one."""
    with engramforge.open(tmp_path) as forge, engramforge.open(tmp_path) as other:
        made = [forge.remember(f"old_{number}.py opens the door.") for number in range(3)]
        assert forge.streams.by_intention("What does old_2.py do?").entities
        writer = other if apart else forge
        for each in made[1:]:
            writer.forget(each.logical_id)
        for number in range(2):
            writer.remember(f"fresh_{number}.py shuts the door.")
        for number in range(2):
            assert forge.streams.by_intention(f"What does fresh_{number}.py do?").entities
        assert forge.streams.by_intention("What does old_0.py do?").entities


def test_what_others_see_is_not_resolved_by_what_they_do_not_see(tmp_path: Path) -> None:
    with engramforge.open(tmp_path, agent="alice") as alice, engramforge.open(tmp_path, agent="bob") as bob:
        noise = alice.remember("The pump is loud.", level="collective", resolution_state="blocked")
        mine, ours = (
            bob.remember("A cloth around it helps."),
            bob.remember("It was moved.", level="collective"),
        )
        bob.link(noise.logical_id, mine.logical_id, "RESOLVED_BY", **SOUND)
        assert str(alice.get(noise.logical_id).resolution_state) == "blocked"
        bob.link(noise.logical_id, ours.logical_id, "RESOLVED_BY", **SOUND)
        assert str(alice.get(noise.logical_id).resolution_state) == "resolved"


def test_what_is_to_come_is_not_resolved_yet(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        later = forge.remember(
            "The new pump will be loud.", valid_at="2999-01-01", resolution_state="blocked"
        )
        cloth = forge.remember("A cloth around it helps.")
        forge.link(later.logical_id, cloth.logical_id, "RESOLVED_BY", **SOUND)
        assert [str(each.resolution_state) for each in forge.history(later.logical_id)] == ["blocked"]


def test_the_same_goal_stands_before_those_that_contain_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal_likeness, "_MOST_LIKE", 5)
    with engramforge.open(tmp_path) as forge:
        forge.remember_many(
            {"content": f"Note {number}.", "goal": f"aim {number} of zz", "resolution_state": "blocked"}
            for number in range(20)
        )
        forge.remember("The last note.", goal="zz", resolution_state="blocked")
        stream = forge.streams.by_state(current_energy=0.5, current_goal="zz")
        assert len(stream.memories) == 5 and stream.memories[0].content == "The last note."


def test_the_beginning_of_time_is_no_fault(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        stream = forge.streams.by_state(
            current_energy=0.5, query_mode="find_what_i_was_doing", generated_at="0001-01-05"
        )
        assert stream.items == ()
