"""What a question asks for at its core, by which letters and of which time, and whom words are about."""

from __future__ import annotations

import pytest

from engramforge.core.oracle.asked_core import attribute_of, is_unsaid
from engramforge.core.oracle.asked_time import asks_for_former, without_date
from engramforge.core.oracle.resonance import gaps
from engramforge.core.oracle.rules_asked import is_rule_on, rejects_asked
from engramforge.core.oracle.signs import may_be_meant, operators_in
from engramforge.core.oracle.whose_words import about_whom


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("What does the red kayak cost?", "cost"),
        ("How much does a kayak weigh?", "weigh"),
        ("What colour is the kayak?", "colour"),
        ("Who varnishes the kayak?", "varnishes"),
        ("What is the purpose of the kayak?", ""),
        ("Which kayak do we lend?", ""),
        ("Where is the kayak?", ""),
    ],
)
def test_the_attribute_that_is_asked_for(question: str, attribute: str) -> None:
    assert attribute_of(question) == attribute


def test_a_value_says_its_attribute() -> None:
    assert not is_unsaid("weigh", ["The kayak is 20 kg."]) and not is_unsaid("colour", ["A green kayak."])
    assert is_unsaid("weigh", ["The kayak leaks."])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long do we keep paddles?", "Paddles are kept for long."),
        ("What helped against mould on paddles?", "Mould on paddles goes away with soap."),
        ("Which paddle did we choose?", "Paddle: ash wood."),
        ("How often do backups of the log run?", "The log is backed up often; it runs."),
    ],
)
def test_other_forms_and_words_of_asking_are_no_gaps(question: str, text: str) -> None:
    assert gaps(question, [text]) == ()


def test_a_compound_is_not_its_verb() -> None:
    assert gaps("Is the opt-out wide?", ["They opt for a wide paddle."]) == ("opt",)
    assert not may_be_meant("Is the opt-out new?", "They opt for tea.")
    assert may_be_meant("Is the opt-out new?", "Members opted out in May.")


def test_an_operator_is_asked_for_by_its_letters() -> None:
    assert operators_in("What does <=> do in Ruby?") == ("<=>",)
    assert not may_be_meant("What does <=> do in Ruby?", "Ruby is a language.")


def test_times_that_a_question_names() -> None:
    assert without_date("Who rented the hall in 2024?") == ("Who rented the hall?", "2024")
    assert without_date("Who rented hall 2024?")[1] == ""
    assert asks_for_former("What did we use previously?") and not asks_for_former("Call before noon?")


@pytest.mark.parametrize(
    ("text", "speaks", "is_about"),
    [
        ("Wow, well done! The cup is great.", True, False),
        ("My cup came today.", True, True),
        ("Which cup is it?", True, False),
        ("I have your cup.", False, False),
        ("Mona has the cup.", False, True),
        ("Hi Mona! I got a cup.", False, False),
        ("Mona, is that your cup?", False, True),
    ],
)
def test_whom_words_are_about(text: str, speaks: bool, is_about: bool) -> None:
    told = about_whom("mona", "Which cup has Mona?", text, speaks=speaks, listens=not speaks)
    assert told is is_about


def test_rules_on_a_subject() -> None:
    assert is_rule_on("Can kayak keys be lent?", "Kayak keys must stay in the box.")
    assert not is_rule_on("Can kayak keys be lent?", "Kayak keys hang in the box.")
    assert rejects_asked("Do we support canoes?", ["canoes"]) and not rejects_asked(
        "Which canoes?", ["canoes"]
    )
