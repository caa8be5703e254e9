"""What is learned of a belief that was put right says nothing that was wrong, and never stands before what is so."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.streams.cycle import Cycle

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
    # Of one belief one thing is learned, however often it was corrected: what it said between is no matter of anybody.
    (said,) = learned
    assert said.startswith(
        'What was believed of "Label printing takes \u2026 days." was wrong and was put right on '
    )
    assert said.endswith(', the last of 2 corrections. What holds now: "Label printing takes 9 days."')
    assert not any(f"{days} days" in said for days in (5, 14))
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


def _cycle_of(forge: Forge, source: str) -> Cycle:
    return forge.streams.cycle(energy=0.5, unresolved_tension=0.9, tension_source=source)


def _corrected(forge: Forge, before: str, after: str, **fields: Any) -> Memory:
    return forge.revise(forge.remember(before, near=False, **fields).logical_id, after)


def _learned(forge: Forge, source: str) -> dict[tuple[str, str], str]:
    """What a cycle learned of kinds of beliefs, by project and level."""
    done = _cycle_of(forge, source)
    return {
        (each.project, str(each.level)): each.content.splitlines()[0]
        for each in done.learnings
        if each.content.startswith("Corrected ")
    }


def _quarrels(forge: Forge, **fields: Any) -> list[str]:
    """Private beliefs that share words with `_timetables`."""
    kept = "divorce ferry timetable"
    return [
        _corrected(forge, f"{kept} {word}", kept, **fields).logical_id
        for word in ("settlement", "lawyer", "hearing")
    ]


def _timetables(forge: Forge, **fields: Any) -> None:
    _corrected(forge, "ferry timetable hourly", "ferry timetable daily", **fields)
    _corrected(forge, "ferry timetable posted", "ferry timetable online", **fields)


@pytest.mark.parametrize("private_first", [True, False])
def test_a_kind_of_belief_is_told_in_its_owners_words_alone(tmp_path: Path, private_first: bool) -> None:
    with engramforge.open(tmp_path, agent="anna") as anna, engramforge.open(tmp_path, agent="bert") as bert:
        if private_first:
            _quarrels(anna, level="personal")
        _timetables(anna, level="collective")
        if not private_first:
            _quarrels(anna, level="personal")
        learned = _learned(anna, "ferry timetable")
        assert learned["default", "collective"] == "Corrected 2 times: about ferry, timetable."
        assert set(learned["default", "personal"].partition("about ")[2].strip(".").split(", ")) == {
            *("divorce", "ferry", "timetable")
        }
        assert not [each.content for each in bert.memories(limit=50) if "divorce" in each.content]


def test_no_word_outlives_what_was_forgotten_in_another_project(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        private = _quarrels(forge, project="home")
        _timetables(forge, project="harbour")
        assert set(_learned(forge, "ferry timetable")) == {("home", "personal"), ("harbour", "personal")}
        forge.forget(private, confirmed=True)
        assert [each.project for each in forge.memories(limit=50, kinds=["learning"])] == ["harbour"] * 3
    assert b"divorce" not in (tmp_path / "memory.db").read_bytes()


def test_a_kind_of_belief_is_not_named_by_words_that_were_wrong(forge: Forge) -> None:
    _corrected(forge, "The ferry leaves Brindlewick hourly.", "The ferry leaves Thornwick hourly.")
    _corrected(forge, "The ferry of Brindlewick is free.", "The ferry of Thornwick is free.")
    assert list(_learned(forge, "the ferry").values()) == ["Corrected 2 times: about ferry."]
    _corrected(forge, "Olga brews porter at Osterholm.", "Tim bakes rye in the cellar.")
    _corrected(forge, "Olga brews stout at Osterholm.", "Pia roasts coffee in the attic.")
    assert list(_learned(forge, "Olga brews at Osterholm").values()) == ["Corrected 2 times: about a matter."]


PUMP = "The pump leaks at valve seven daily."
PUMP_AGAIN = "The pump leaks at valve seven hourly."
PUMP_NOW = "The pump is dry and the pipe burst."


def _pump(forge: Forge) -> tuple[str, list[str]]:
    """A belief that was corrected once, and what was learned of it."""
    belief = _corrected(forge, PUMP, PUMP_AGAIN).logical_id
    done = _cycle_of(forge, "the pump leaks at valve")
    assert "The pump leaks at valve seven" in done.learnings[0].content
    return belief, [each.content for each in done.learnings]


def _standing(forge: Forge) -> list[str]:
    return [each.content for each in forge.memories(kinds=["learning"])]


@pytest.mark.parametrize("way", ["revise", "supersede"])
def test_what_was_learned_ends_when_its_memory_is_corrected_again(forge: Forge, way: str) -> None:
    belief, learned = _pump(forge)
    getattr(forge, way)(belief, PUMP_NOW)
    assert _standing(forge) == []
    undone = forge.undo()
    assert undone.action == way and _standing(forge) == learned
    forge.redo()
    assert _standing(forge) == [] and forge.check() == []
    done = _cycle_of(forge, "the pump leaks at valve")
    assert done.learnings
    assert not any("leak" in each or "valve" in each for each in _standing(forge))
    assert not _cycle_of(forge, "the pump").learnings
    forge.forget(belief, confirmed=True)
    assert _standing(forge) == [] and forge.check() == []


def test_what_was_learned_ends_with_its_memory(forge: Forge) -> None:
    belief, learned = _pump(forge)
    assert learned[0].endswith(f'What holds now: "{PUMP_AGAIN}"')
    forge.invalidate(belief)
    assert _standing(forge) == []
    forge.undo()
    assert _standing(forge) == learned
    forge.redo()
    # What is learned now says that nothing holds, and none of the words that did.
    told = [each.content for each in _cycle_of(forge, "the pump leaks at valve").learnings]
    assert not any("What holds now" in each for each in told)
    assert forge.check() == []


def test_what_was_learned_in_several_projects_is_undone_in_each_alone(forge: Forge) -> None:
    for project in ("harbour", "bakery"):
        _corrected(
            forge,
            f"The {project} ferry leaves hourly.",
            f"The {project} ferry leaves daily.",
            project=project,
        )
    learned = _cycle_of(forge, "the ferry leaves").learnings
    assert sorted(each.project for each in learned) == ["bakery", "harbour"]
    for project in ("harbour", "bakery"):
        undone = forge.undo(project=project)
        assert undone.action == "learn" and {each.project for each in undone.taken_back} == {project}
        left = {each.project for each in forge.memories(kinds=["learning"])}
        assert project not in left
    assert not left and forge.redo(project="harbour").action == "learn"
    assert {each.project for each in forge.memories(kinds=["learning"])} == {"harbour"}


def test_what_was_learned_of_a_decision_ends_with_its_words(forge: Forge) -> None:
    made = forge.decisions.create(PUMP)
    forge.decisions.revise(made.id, PUMP_AGAIN)
    assert _cycle_of(forge, "the pump leaks").learnings
    forge.decisions.revise(made.id, PUMP_NOW)
    assert _standing(forge) == []


def test_what_was_learned_stays_where_its_memory_says_the_same(forge: Forge) -> None:
    belief, learned = _pump(forge)
    forge.revise(belief, energy=0.9)
    forge.remember("The pump is green.", kind="learning", near=False)
    assert set(_standing(forge)) == {*learned, "The pump is green."}


def test_only_words_that_stand_now_are_said_of_several_corrections(forge: Forge) -> None:
    belief = _corrected(forge, PUMP, PUMP_AGAIN).logical_id
    forge.revise(belief, PUMP_NOW)
    _corrected(forge, "The pump leaks at valve nine.", "The pump is dry at last.")
    assert list(_learned(forge, "the pump leaks at valve").values()) == ["Corrected 3 times: about pump."]
    assert not any("leak" in each or "valve" in each for each in _standing(forge))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The ferry log. " + "go no " * 500, "The ferry log. " + "no go go " * 330),
        (
            "The ferry log.\n"
            + "".join(f"2026-11-{day % 28 + 1:02} INFO GET /kegs 200 ok in time\n" for day in range(400)),
            "The ferry log.\n"
            + "".join(f"2026-11-{day % 28 + 1:02} WARN PUT /kegs 200 ok in time x\n" for day in range(400)),
        ),
    ],
    ids=["the same words", "a log"],
)
def test_a_long_belief_is_learned_of_soon(forge: Forge, before: str, after: str) -> None:
    _corrected(forge, before, after)
    began = time.process_time()
    (learned,) = _cycle_of(forge, "the ferry log").learnings
    assert time.process_time() - began < 3
    assert '"The ferry log.' in learned.content


def test_learning_that_takes_too_long_is_stopped_and_told(forge: Forge) -> None:
    _corrected(forge, PUMP, PUMP_AGAIN)
    learnings = forge._stages.learnings
    object.__setattr__(learnings, "limit_s", 0.0)
    done = _cycle_of(forge, "the pump leaks")
    assert done.learnings == () and _standing(forge) == []
    assert [each.way for each in done.stream.ways if each.fault] == ["learnings"]
    object.__setattr__(learnings, "limit_s", 60.0)
    done = _cycle_of(forge, "the pump leaks")
    assert done.learnings and not [each.way for each in done.stream.ways if each.fault]


def test_the_matter_ends_with_a_phrase_and_what_was_learned_stands_behind_it(forge: Forge) -> None:
    changed = {
        # A word before the difference that only leads on to it is left out,
        "The kiln glows for 3 hours": ("The kiln glows for 7 hours at least", "The kiln glows \u2026 hours"),
        "The kiln stands in the yard": ("The kiln stands in the old barn", "The kiln stands"),
        "Glazes of the kiln dry on two racks": (
            "Glazes of the kiln dry on two shelves",
            "Glazes of the kiln dry",
        ),
        "Kiln wood comes from a saw mill": ("Kiln wood comes from another place", "Kiln wood comes"),
        "Kiln shifts are kept by three potters": (
            "Kiln shifts are kept by three pupils",
            "Kiln shifts are kept",
        ),
        # and nothing is of what both say to their end, or of a phrase that is whole.
        "Clay for the kiln is red and wet": (
            "Clay for the kiln is brown and wet",
            "Clay for the kiln \u2026 and wet",
        ),
        "The kiln door is blue": ("The kiln door was painted", "The kiln door"),
        "The old kiln chimney leans on it": (
            "The new kiln chimney leans on it",
            "\u2026 kiln chimney leans on it",
        ),
        "Kiln bricks cost 4 marks each": (
            "Kiln bricks cost 6 marks each",
            "Kiln bricks cost \u2026 marks each",
        ),
        "The kiln fund holds 90 marks": ("The kiln fund holds nothing", "The kiln fund holds"),
    }
    for before, (after, _) in changed.items():
        belief = forge.remember(before, near=False)
        forge.revise(belief.id, content=after)
    forge.remember("Bread is baked in the kiln of the neighbours.", near=False)
    tension: dict[str, Any] = {"unresolved_tension": 0.9, "tension_source": "the kiln"}
    learned = [each.content for each in forge.streams.cycle(energy=0.5, **tension).learnings]
    matters = {each.split('"')[1].removeprefix("The \u2026 ") for each in learned if each.startswith("What")}
    assert matters == {matter.removeprefix("\u2026 ") for _, matter in changed.values()}
    stream = forge.streams.by_intention("what is known of the kiln?")
    ordered = [each.memory for held in stream.tiers.values() for each in held]
    kinds = [each.kind == "learning" for each in ordered]
    assert any(kinds) and kinds == sorted(kinds)
