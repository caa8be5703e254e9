"""Options of a list that tell more than a name, and the question that stands in the line of the last of them."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered
from engramforge.core.detection.said_parts import why_said


@pytest.mark.parametrize(
    ("turn", "answer", "text"),
    [
        (
            "Which should we take?\n1. a shared sheet with a lock\n2. paper slips",
            "1",
            "a shared sheet with a lock rather than paper slips (Which should we take?)",
        ),
        (
            "Two ways:\n- a kiln driven with a PID loop, exact\n- a timer such as Siemens Logo, cheap\n"
            "Which do you prefer?",
            "the second",
            "a timer such as Siemens Logo rather than a kiln driven with a PID loop",
        ),
        (
            "Three options: 1) a lamp with a sensor, 2) a switch at the door, 3) neither, as it is bright.",
            "2",
            "a switch at the door rather than a lamp with a sensor or neither",
        ),
        (
            "1. Whoosh with stemming, 2. grep over the notes. Which do you prefer?",
            "1",
            "Whoosh with stemming rather than grep over the notes",
        ),
        (
            "1. oak with oil, 2. pine with lacquer. It dries fast. Which one do you want?",
            "2",
            "pine with lacquer rather than oak with oil",
        ),
        (
            "Options:\nA) labels printed as stickers\nB) tags written with chalk\nWhich do you prefer?",
            "chalk",
            "tags written with chalk rather than labels printed as stickers",
        ),
        (
            "Options:\n1. Redis, as it expires keys\n2. a table, since we have one",
            "1",
            "Redis rather than a table",
        ),
    ],
)
def test_an_option_is_told_whole(turn: str, answer: str, text: str) -> None:
    found = answered(turn, answer)
    assert found is not None and found.text == text


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        ("1. oiled the hinge with care, 2. painted the door with two coats. Anything else?", "2"),
        ("1. The valve leaks with pressure, 2. the gauge sticks. Which one should I check?", "2"),
        ("Findings: 1. a pump with rust, 2. a belt with cracks.", "1"),
        ("1. today with Ben, 2. tomorrow with Ada. Which do you prefer?", "2 or 1?"),
        ("Two problems: 1. a hose with a hole, 2. a cap without thread. Shall I look?", "1"),
        ("Options: 1. a hive with two floors, 2. a hive with three. Which do you prefer?", "hive"),
    ],
)
def test_what_is_no_choice_of_a_way_stays_none(turn: str, answer: str) -> None:
    assert answered(turn, answer, "why is it so?") is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("the forms stay on paper because of the inspectors", "the inspectors"),
        ("we keep the bees in the yard because of theft", "theft"),
        ("we keep the bees in the yard because of that", ""),
        ("the forms stay on paper because nobody has a tablet", "nobody has a tablet"),
    ],
)
def test_a_reason_is_told_without_its_preposition(said: str, why: str) -> None:
    assert why_said(said)[1] == why
