"""What a person doubts, only reports, jokes about or quotes decides nothing; what they quote of the live turn does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.capture.test_taken_answers import live

from engramforge.forge import Forge

ASKED = "How long does a tide pass stay valid?"
OFFER = "I'd set the tide pass to 30 minutes. Shall I go ahead?"
TOLD = "The harbour office opens at seven."
EITHER = "Two ways come to mind. Paper or PDF?"


def decided(em: Forge, folder: Path, *turns: str) -> list[str]:
    em.hooks.take(live(folder, *turns))
    return [each.decision for each in em.decisions.browse(project=folder.name, status="active")]


@pytest.mark.parametrize(
    "answer",
    [
        "yes but 60, not sure",
        "yes but 60, really not sure though",
        "yes but 60 perhaps",
        "60 minutes, not sure",
        "yes but only weekdays, unsure",
        "yes, he says",
        "yes but 60, she said",
        "he says yes",
        "yes, my boss says",
        "yes, apparently",
    ],
)
def test_doubt_and_the_word_of_another_decide_nothing(em: Forge, folder: Path, answer: str) -> None:
    assert decided(em, folder, ASKED, OFFER, answer) == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [("yes but 60", "60 minutes"), ("yes", "30 minutes"), ("yes, he likes it short", "30 minutes")],
)
def test_an_answer_of_ones_own_still_decides(em: Forge, folder: Path, answer: str, told: str) -> None:
    (decision,) = decided(em, folder, ASKED, OFFER, answer)
    assert told in decision


@pytest.mark.parametrize(
    "said",
    [
        "We decided to use Kafka NOT.",
        "We decided to use Kafka. NOT!",
        "We decided on Kafka - NOT",
        "We use Kafka. Not!",
        "Decision: we use Kafka NOT.",
        "We use Kafka NOT.",
    ],
)
def test_a_loud_not_at_the_end_takes_the_statement_back(em: Forge, folder: Path, said: str) -> None:
    assert decided(em, folder, said) == []


@pytest.mark.parametrize(
    "said", ["We decided to use Kafka, not Rabbit.", "WE DECIDED TO USE KAFKA AND RABBIT NOT."]
)
def test_another_not_takes_nothing_back(em: Forge, folder: Path, said: str) -> None:
    assert len(decided(em, folder, said)) == 1


@pytest.mark.parametrize(
    ("turn", "answer", "wanted"),
    [
        (TOLD, "> Paper or PDF?\npdf", []),
        (OFFER, "> Paper or PDF?\npdf", []),
        (TOLD, "> should we drop the cache?\nnope", []),
        (TOLD, "> I'd use Redis for it. Shall I?\n\nyes, do that", []),
        (EITHER, "> Paper or PDF?\npdf", ["PDF rather than Paper"]),
        (OFFER, "> Shall I go ahead?\n\nyes", ["set the tide pass to 30 minutes"]),
    ],
)
def test_a_quoted_question_counts_where_the_live_turn_asked_it(
    em: Forge, folder: Path, turn: str, answer: str, wanted: list[str]
) -> None:
    assert [each.replace(f" ({ASKED})", "") for each in decided(em, folder, ASKED, turn, answer)] == wanted
