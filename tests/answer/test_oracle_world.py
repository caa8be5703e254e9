"""The oracle on a made-up world: who said it, what held before, what may be, and when it is better silent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.answer.oracle_world import ANSWERED, UNANSWERED, build

import engramforge
from engramforge.forge import Forge
from engramforge.model.oracle import OracleAnswer

RIGHT, SILENT = 25, 17
"""Of thirty and of twenty; 20 and 12 before these rules."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(str(tmp_path_factory.mktemp("world"))) as forge:
        build(forge)
        yield forge


def told(answer: OracleAnswer) -> str:
    """All that is cited."""
    return "\n".join(each.memory.content for each in answer.resonant_set)


def test_most_questions_are_answered_and_most_others_met_with_silence(world: Forge) -> None:
    right = [
        question
        for question, project, needles in ANSWERED
        if all(needle in told(world.consult(question, project=project)) for needle in needles)
    ]
    silent = [
        question for question, project in UNANSWERED if not world.consult(question, project=project).answered
    ]
    assert len(right) >= RIGHT and len(silent) >= SILENT, (right, silent)


def test_only_the_words_of_whom_the_question_names_are_cited(world: Forge) -> None:
    answer = world.consult("What tournament did Oskar win?")
    assert {each.speaker for each in answer.citations} == {"Oskar"} and "said by Oskar" in answer.answer
    assert not world.consult("What tournament did Petra win?").answered
    assert "raku" not in told(world.consult("What kind of pottery has Oskar started?"))


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        ("What was the dome controller written in before?", "in Ada", "in Zig"),
        ("How were exposures scheduled previously?", "cron", "Temporal"),
    ],
)
def test_what_was_before_comes_first(world: Forge, question: str, first: str, then: str) -> None:
    answer = world.consult(question)
    cited = [each.memory.content for each in answer.resonant_set]
    assert first in cited[0] and then in cited[1] and len(answer.successions) == 1


def test_a_date_in_a_question_is_the_time_of_which_it_asks(world: Forge) -> None:
    answer = world.consult("What was the dome controller written in in March 2026?")
    assert told(answer) == "The dome controller is written in Ada." and answer.gaps == ()
    later = world.consult("What was the dome controller written in in June 2026?")
    assert told(later) == "The dome controller is written in Zig."


def test_a_question_for_a_decision_is_one_for_its_matter(world: Forge) -> None:
    answer = world.consult("When was the decision about ZeroMQ made?")
    assert "ZeroMQ" in answer.resonant_set[0].memory.content and "Record observing" not in told(answer)


def test_a_tool_is_found_by_its_initials(world: Forge) -> None:
    answer = world.consult("what became of the dctl command line interface?")
    assert answer.resonant_set[0].memory.content.startswith("Retire the dctl") and answer.gaps == ()


def test_one_further_noun_is_a_gap_and_no_silence(world: Forge) -> None:
    answer = world.consult("how does the sky map get positions of the comets?")
    assert "event stream" in told(answer) and answer.gaps == ("comets",)


def test_whether_something_may_be_is_answered_by_the_rule(world: Forge) -> None:
    assert "must never leave" in told(world.consult("May raw frames be stored in America?"))
    assert "Handheld radios only" in told(world.consult("Are satellite phones supported?"))


@pytest.mark.parametrize(
    "question",
    [
        "What does the hardware key cost?",
        "What does the alignment laser weigh?",
        "Who repairs the gift shop?",
        "What does // do in Python?",
        "What changed about the tickets?",
    ],
)
def test_what_lacks_the_thing_asked_for_is_no_answer(world: Forge, question: str) -> None:
    assert not world.consult(question).answered


def test_what_changed_is_told_where_something_did(world: Forge) -> None:
    assert "every spring" in told(world.consult("What changed about the mirror being washed?"))
