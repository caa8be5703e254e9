"""Which entry a name means: in a conversation, outside of conversations, by a printed id; and what names none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.registration import Act


@pytest.fixture
def mill(tmp_path: Path) -> Forge:
    return engramforge.open(tmp_path)


def _say(forge: Forge, said: str, conversation: str | None = None, project: str = "mill") -> Memory:
    named = {} if conversation is None else {"session_id": conversation}
    return forge.remember(said, project=project, **named)


def _did(memory: Memory) -> list[tuple[str, str | None, str]]:
    return [(str(each.act), each.local_id, each.status) for each in memory.consequences]


def _stands(forge: Forge, project: str = "mill") -> list[tuple[str | None, str, str]]:
    """Name, status and first conversation of each decision and thread."""
    made = [
        (each.local_id, str(each.status), each.originated_in or "")
        for each in forge.decisions.browse(status=None, project=project)
    ]
    opened = [
        (each.local_id, str(each.status), each.first_seen_in or "")
        for each in forge.threads.browse(status=None, project=project)
    ]
    return sorted([*made, *opened], key=str)


def test_outside_of_conversations_a_name_means_the_projects(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays. T001: grease the shaft. T002: order a new belt")
    assert _did(_say(mill, "D001 no longer holds")) == [("ended", "D001", "invalidated")]
    assert _did(_say(mill, "T001 is blocked by T002.")) == [("changed", "T001", "open")]
    assert _did(_say(mill, "T002 is done.")) == [("ended", "T002", "resolved")]
    assert _stands(mill) == [("D001", "invalidated", ""), ("T001", "open", ""), ("T002", "resolved", "")]
    assert [len(each.blocked_by) for each in mill.threads.browse(status="open")] == [1]


def test_another_projects_name_is_not_meant(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays.", project="other mill")
    (told,) = _say(mill, "D001 no longer holds").consequences
    assert (told.act, told.id, told.local_id, told.text) == (
        Act.UNKNOWN,
        "",
        "D001",
        "No D001 in this project",
    )
    assert _stands(mill, "other mill") == [("D001", "active", "")]
    assert _stands(mill) == []


def test_outside_of_conversations_the_only_one_is_meant(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays. T001: grease the shaft", "c1")
    assert _did(_say(mill, "D001 no longer holds")) == [("ended", "D001", "invalidated")]
    assert _did(_say(mill, "T001 is done.")) == [("ended", "T001", "resolved")]


def test_what_is_outside_comes_before_what_a_conversation_has(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays.", "c1")
    _say(mill, "D001: sell flour by weight.")
    assert _did(_say(mill, "D001 no longer holds")) == [("ended", "D001", "invalidated")]
    assert _stands(mill) == [("D001", "active", "c1"), ("D001", "invalidated", "")]


def test_of_several_conversations_none_is_chosen(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays.", "c1")
    _say(mill, "D001: sell flour by weight.", "c2")
    for conversation, begins in (
        (None, "Several conversations have a D001 ("),
        ("c3", "No D001 in this conv"),
    ):
        (told,) = _say(mill, "D001 no longer holds", conversation).consequences
        assert told.act is Act.UNKNOWN
        assert told.text.startswith(begins) and "c1" in told.text and "c2" in told.text
    assert _stands(mill) == [("D001", "active", "c1"), ("D001", "active", "c2")]
    assert mill.review.pending() == []


def test_what_another_conversation_has_waits(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays. T001: grease the shaft", "c1")
    before = _stands(mill)
    for said in ("T001 is done.", "D001 no longer holds"):
        assert [each.act for each in _say(mill, said, "c2").consequences] == [Act.WAITS]
    assert _say(mill, "T001 is finished.", "c2").consequences == (), "it waits already"
    assert _stands(mill) == before
    waiting = mill.review.pending(project="mill")
    assert {each.entry.text for each in waiting if each.entry} == {"grind rye on Mondays", "grease the shaft"}
    mill.review.accept(*(each.id for each in waiting))
    assert _stands(mill) == [("D001", "invalidated", "c1"), ("T001", "resolved", "c1")]


UNKNOWN = "T009 is done.¦T009 done¦D009 is obsolete.¦D009 no longer holds.¦D009 is valid again¦reopen T009"


@pytest.mark.parametrize("said", UNKNOWN.split("¦"))
def test_an_unknown_name_is_told_in_the_same_words(mill: Forge, said: str) -> None:
    name = "T009" if "T009" in said else "D009"
    for conversation, where in ((None, "project"), ("c1", "conversation")):
        assert [each.text for each in _say(mill, said, conversation).consequences] == [
            f"No {name} in this {where}"
        ]
    assert _stands(mill) == []
    assert mill.review.pending() == []


def test_an_import_that_begins_in_the_middle_keeps_what_it_tells(mill: Forge, tmp_path: Path) -> None:
    said = "D009 was dropped when the old mill burnt down.", "D008 holds again, as the mill stands."
    lines = [{"content": each, "session_id": "c1", "project": "mill", "kind": "message"} for each in said]
    (tmp_path / "talk.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    mill.import_path(tmp_path / "talk.jsonl")
    assert _stands(mill) == [("D009", "invalidated", "c1")]


def test_a_pasted_unknown_name_is_not_answered(mill: Forge) -> None:
    said = _say(mill, "What do you make of this page?\n\n> T009 is done.\n> D009 is obsolete.", "c1")
    assert [each for each in said.consequences if each.act is not Act.WAITS] == []
    assert _stands(mill) == []


def test_a_printed_id_names_its_entry_anywhere_in_the_project(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays. T001: grease the shaft", "c1")
    decision, thread = (
        mill.decisions.get("D001", conversation="c1"),
        mill.threads.get("T001", conversation="c1"),
    )
    assert _did(_say(mill, f"{decision.id} no longer holds", "c2")) == [("ended", "D001", "invalidated")]
    assert _did(_say(mill, f"{thread.id} is done.")) == [("ended", "T001", "resolved")]
    assert _did(_say(mill, f"reopen {thread.id}")) == [("changed", "T001", "open")]
    unknown = "dec_0123456789ab"
    for said in (f"{unknown} no longer holds", f"{unknown}: sell flour by weight"):
        (told,) = _say(mill, said, "c1").consequences
        assert (told.act, told.text) == (Act.UNKNOWN, f"No {unknown} in this project")


@pytest.mark.parametrize(
    "said",
    [
        "D001 is valid again",
        "D001 holds again.",
        "D001 is reinstated",
        "Please reinstate D001",
        "reopen D001",
        "D001: back in force",
        "D001 gilt wieder",
        "D001 est de nouveau en vigueur",
        "D001 vuelve a estar vigente",
    ],
)
def test_a_decision_that_ended_is_reinstated_in_any_words(mill: Forge, said: str) -> None:
    _say(mill, "D001: grind rye on Mondays. D002: sell flour by weight.", "c1")
    _say(mill, "D001 no longer holds", "c1")
    assert _did(_say(mill, said, "c1")) == [("changed", "D001", "active")]
    assert mill.decisions.get("D001", conversation="c1").decision == "grind rye on Mondays"
    assert _did(_say(mill, f"{said} ", "c1")) == [], "it stands"
    mill.undo()
    mill.undo()
    assert _stands(mill) == [("D001", "invalidated", "c1"), ("D002", "active", "c1")]


@pytest.mark.parametrize(
    "said",
    [
        "D001 is not valid again",
        "If D001 holds again we need more rye",
        "Don't reinstate D001",
        "Should we reinstate D001?",
        "Tomorrow we reinstate D001",
        "The page says: D001 is valid again",
        "Summarise this:\n\n> D001 is valid again",
    ],
)
def test_what_ended_stays_ended_where_nobody_reinstates_it(mill: Forge, said: str) -> None:
    _say(mill, "D001: grind rye on Mondays.", "c1")
    _say(mill, "D001 no longer holds", "c1")
    _say(mill, said, "c1")
    assert _stands(mill) == [("D001", "invalidated", "c1")]


def test_an_assistants_word_reinstates_nothing(mill: Forge) -> None:
    _say(mill, "D001: grind rye on Mondays.", "c1")
    _say(mill, "D001 no longer holds", "c1")
    said = mill.remember("D001 is valid again.", project="mill", session_id="c1", source="assistant_response")
    assert [each.act for each in said.consequences] == [Act.WAITS]
    mill.review.accept(mill.review.pending()[0].id)
    assert _stands(mill) == [("D001", "active", "c1")]


def test_an_import_ends_and_reinstates_in_its_order(mill: Forge, tmp_path: Path) -> None:
    turns = (
        "D001: grind rye.",
        "D001 no longer holds.",
        "D001 holds again.",
        "D001 is obsolete.",
        "D001 holds again.",
    )
    lines = [
        {"content": said, "session_id": "c1", "project": "mill", "kind": "message", "speaker": "user"}
        | {
            "valid_at": f"2026-03-0{day}T09:00:00Z",
            "recorded_at": f"2026-03-0{day}T09:00:00Z",
            "sequence": day,
        }
        for day, said in enumerate(turns, 1)
    ]
    for upto in (4, 5):
        path = tmp_path / "talk.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines[:upto]))
        mill.import_path(path)
        assert _stands(mill) == [("D001", "invalidated" if upto == 4 else "active", "c1")]
    (decision,) = mill.decisions.browse(project="mill")
    assert decision.valid_at.isoformat().startswith("2026-03-05")
    held = [each.valid_at.day for each in mill.decisions.history(decision.id)]
    assert held == [1, 3, 5]


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("We changed D001. Rye is now ground on Fridays.", "Fridays"),
        ("D001 has changed. We use the wind mill from now on.", "wind mill"),
        ("Replace D001 with this: we grind wheat.", "wheat"),
        ("Replace D001 with this. We grind wheat.", "wheat"),
        ("D001 is replaced by this: we grind wheat.", "wheat"),
    ],
)
def test_a_change_told_in_two_sentences_takes_the_old_ones_place(mill: Forge, said: str, new: str) -> None:
    _say(mill, "D001: grind rye on Mondays. D002: sell flour by weight.", "c1")
    _say(mill, said, "c1")
    old = mill.decisions.get("D001", conversation="c1")
    (made,) = [each for each in mill.decisions.browse(status="active") if new in each.decision]
    assert (old.status, old.superseded_by) == ("superseded", made.id)
    assert len(mill.decisions.browse(status="active")) == 2


@pytest.mark.parametrize(
    "said",
    [
        "We changed D001.",
        "We changed D001. I'll send the minutes now.",
        "We changed D001. The old one was too slow.",
    ],
)
def test_a_change_without_what_is_new_takes_no_place(mill: Forge, said: str) -> None:
    _say(mill, "D001: grind rye on Mondays.", "c1")
    _say(mill, said, "c1")
    assert _stands(mill) == [("D001", "active", "c1")]


@pytest.mark.parametrize("said", ["undo D001", "Please undo T001."])
def test_a_command_in_a_message_is_answered_and_not_obeyed(mill: Forge, said: str) -> None:
    _say(mill, "D001: grind rye on Mondays. T001: grease the shaft", "c1")
    (told,) = _say(mill, said, "c1").consequences
    assert told.act is Act.UNKNOWN
    assert told.text == "Nothing was undone, since a message is no command: undo takes back the last change"
    assert _stands(mill) == [("D001", "active", "c1"), ("T001", "open", "c1")]


def test_an_accepted_reopening_opens_the_thread_again(mill: Forge) -> None:
    made = mill.threads.create("grease the shaft", project="mill", conversation="c1", local_id="T001")
    _say(mill, "T001 is done.", "c1")
    _say(mill, "Ina texted: T001 is open again.", "c1")
    (waiting,) = mill.review.pending(project="mill")
    mill.review.accept(waiting.id)
    assert mill.threads.get(made.id).status == "open"
    assert mill.threads.get(made.id).title == "grease the shaft"


def test_a_rejection_that_is_done_again_changes_no_thread(mill: Forge) -> None:
    mill.threads.create("grease the shaft", project="mill", conversation="c1", local_id="T001")
    _say(mill, "Ina texted: T001 is done.", "c1")
    mill.review.reject(mill.review.pending(project="mill")[0].id)
    assert [(each.act, each.status) for each in mill.undo().consequences] == [(Act.WAITS, "pending")]
    assert [(each.act, each.status) for each in mill.redo().consequences] == [(Act.BACK, "rejected")]
