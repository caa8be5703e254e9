"""The oracle answers out of what is remembered alone: cited, contradictions and gaps told, silent where nothing is."""

from __future__ import annotations

import re

import pytest

from engramforge.errors import InvalidValue
from engramforge.forge import Forge

pytestmark = pytest.mark.each_engine

NOON = "The ferry to the far island leaves at noon."
OTHERS = [
    "The gulls were loud on the quay this morning.",
    "Lunch is at one in the canteen behind the mill.",
    "A choir sang in the old church on Sunday.",
    "The trainee painted the fence of the garden green.",
]


@pytest.fixture
def told(em: Forge) -> Forge:
    em.remember_many({"content": each, "project": "town"} for each in OTHERS)
    em.remember(NOON, project="harbour", valid_at="2026-01-05")
    return em


def test_every_statement_cites_what_it_rests_on(told: Forge) -> None:
    answer = told.consult("When does the ferry to the far island leave?")
    assert answer.answered and NOON in answer.answer
    assert answer.gaps == () and answer.degraded == "" and answer.sources == ("primary",)
    ids = {each.id for each in answer.citations}
    lines = [line for line in answer.answer.splitlines() if line.startswith("- ")]
    assert lines and all(set(re.findall(r"\[([^\]]+)\] \(", line)) <= ids for line in lines)
    assert {each.memory.content for each in answer.resonant_set} == {NOON}
    assert told.get(answer.citations[0].version_id).content == NOON


def test_where_nothing_is_known_it_says_so(told: Forge) -> None:
    answer = told.consult("What is the wifi password of the lighthouse?")
    assert not answer.answered and answer.citations == () and answer.sources == ()
    assert answer.answer.startswith("Nothing that is remembered answers this.")
    assert answer.gaps == ("wifi", "password", "lighthouse"), "what nothing near says"


def test_what_contradicts_is_told_with_dates_and_tiers(told: Forge) -> None:
    told.remember(
        "The ferry to the far island leaves at two.",
        project="harbour",
        valid_at="2026-03-01",
        epistemic_tier=0.9,
    )
    answer = told.consult("When does the ferry to the far island leave?")
    (against,) = answer.contradictions
    assert (against.one.at.month, against.other.at.month) == (3, 1), "the newer first"
    assert "Contradictions:" in answer.answer and "2026-03-01, tier 0.9" in answer.answer


def test_what_is_missing_is_said(told: Forge) -> None:
    answer = told.consult("When does the ferry to the far island leave on Wednesdays?")
    assert answer.gaps == ("wednesdays",)
    assert "Nothing cited says: wednesdays." in answer.answer


def test_deep_looks_into_the_registries_and_for_what_is_missing(told: Forge) -> None:
    told.decisions.create(
        "Sell tickets for the ferry at the kiosk", project="harbour", rationale="no card reader on board"
    )
    answer = told.consult("Where are tickets for the ferry sold, and why?", "deep")
    assert any(each.id.startswith("dec_") for each in answer.citations)
    with pytest.raises(InvalidValue, match="depth"):
        told.consult("anything", "bottomless")


def test_a_project_alone_is_asked(told: Forge) -> None:
    assert not told.consult("When does the ferry to the far island leave?", project="town").answered


def test_deep_follows_links_to_what_is_less_near(told: Forge) -> None:
    (asked,) = [each for each in told.memories(limit=20) if each.content == NOON]
    reason = told.remember("Noon is when the tide lets a ferry over the bar.", project="harbour")
    question = "When does the ferry to the far island leave?"
    assert reason.logical_id not in {each.id for each in told.consult(question, "deep").citations}
    fields = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "say why", "mindstate": "plain"}
    told.link(reason.logical_id, asked.logical_id, "CAUSES", **fields)
    assert reason.logical_id in {each.id for each in told.consult(question, "deep").citations}
    assert reason.logical_id not in {each.id for each in told.consult(question).citations}


def test_a_link_that_says_so_is_a_contradiction(em: Forge) -> None:
    pair = [
        em.remember(content, project="harbour", valid_at=at).logical_id
        for content, at in (
            ("The keeper of the far island's lighthouse is Morwenna Tregenza.", "2026-01-05"),
            ("Jory Pascoe looks after the lighthouse on the far island as its keeper.", "2026-02-05"),
        )
    ]
    fields = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "tell", "mindstate": "plain"}
    question = "Who is the keeper of the lighthouse on the far island?"
    assert em.consult(question).contradictions == ()
    em.link(pair[0], pair[1], "CONTRADICTS", **fields)
    (against,) = em.consult(question).contradictions
    assert (against.one.id, against.other.id, against.signal) == (pair[1], pair[0], "link")


def test_what_a_text_imitates_is_no_citation(em: Forge) -> None:
    posing = (
        "The ferry leaves at noon [dec_0123456789ab] (2026-01-01, log) ![x](http://host/y)\n- It never leaves"
    )
    em.remember(posing, project="harbour")
    answer = em.consult("When does the ferry leave?")
    (line,) = [each for each in answer.answer.splitlines() if each.startswith("- ")]
    cited = re.findall(r"(?<!\\)\[([^\]]+)\] ?\(", line)
    assert cited == [each.id for each in answer.citations]


def test_excerpts_of_the_resonant_set_are_what_is_said(em: Forge) -> None:
    em.remember(
        "The ferry to the far island leaves at noon. " + "The weather was fair. " * 500, project="harbour"
    )
    (hit,) = em.consult("When does the ferry to the far island leave?").resonant_set
    assert "noon" in hit.excerpt and len(hit.excerpt) <= 300


def test_other_numbers_contradict_the_newer_first(em: Forge) -> None:
    old = "We had a storm. My best score in the quay game is 124 points so far, I believe."
    new = "The rain is over. By the way, my best score in the quay game is now 132 points, which pleases me."
    for content, at in ((old, "2026-01-05"), (new, "2026-02-05")):
        em.remember(content, project="harbour", valid_at=at)
    (against,) = em.consult("What is my best score in the quay game?").contradictions
    assert (against.one.at.month, against.other.at.month, against.signal) == (2, 1, "other_number")
    assert em.consult("How many points did I score in the quay game in total?").contradictions == ()


def test_many_numbers_are_of_several_things(em: Forge) -> None:
    for number in range(5):
        em.remember(f"The ferry to island {number} leaves at {number + 20} past one.", project="harbour")
    assert em.consult("How often does the ferry to the island leave?").contradictions == ()


def test_talk_about_many_things_is_no_contradiction(em: Forge) -> None:
    em.remember(
        "I finished the last of the sea novels. The sails were never reefed in it.", project="harbour"
    )
    em.remember("I read the first of the sea novels. The sails were reefed in it.", project="harbour")
    assert em.consult("Which of the sea novels did I read?").contradictions == ()


def test_the_second_round_keeps_to_the_question(told: Forge) -> None:
    told.remember("A kite costs eleven pounds at the fair.", project="town")
    answer = told.consult("What does the ferry to the far island cost when it leaves at noon?", "deep")
    assert "kite" not in answer.answer and NOON in answer.answer


def test_what_was_dismissed_is_no_contradiction(em: Forge) -> None:
    em.decisions.create("Use Kafka as the event bus", project="atlas")
    em.decisions.create("RabbitMQ as the event bus", project="orion")
    question = "What is the event bus?"
    (found,) = em.conflicts.detect().found
    assert len(em.consult(question).contradictions) == 1
    em.conflicts.dismiss(found.id, "two systems that never meet")
    for depth in ("shallow", "deep"):
        answer = em.consult(question, depth=depth)
        assert len(answer.resonant_set) == 2 and answer.contradictions == ()
    em.undo()
    assert len(em.consult(question).contradictions) == 1


def test_a_dismissal_of_entries_counts_for_the_messages_they_were_read_from(em: Forge) -> None:
    em.remember("We decided: all times are stored in UTC.", project="atlas", kind="note")
    em.remember("We decided: all times are stored in local time.", project="orion", kind="note")
    em.roles.assign("atlas", "navigator")
    em.roles.assign("orion", "critic")
    question = "How are times stored?"

    def told() -> tuple[int, int]:
        apart = em.orchestrate(question).divergence
        against = [each for each in apart if each.type == "conflicting_direction"]
        return len(em.consult(question).contradictions), len(against)

    (found,) = em.conflicts.detect().found
    assert told() == (1, 1)
    em.conflicts.dismiss(found.id, "one of them is a clock on a wall")
    assert told() == (0, 0)
