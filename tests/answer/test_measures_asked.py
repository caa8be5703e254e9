"""A value is told whatever its question calls it: how long something is held, how many there are, what one pays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.answer.test_injections import asked
from tests.answer.test_plainly_settled import talk

from engramforge.core.injection.gate import states
from engramforge.core.injection.inputs.worth import fitness
from engramforge.forge import Forge

SAID = (
    ("loans last 9 days then the skiff is free again", "OK."),
    ("berths have a letter + number, the jetties are P to T. 64 berths total", "OK."),
    ("fares: 4 adults, 2 students, dogs ride free", "OK."),
    ("we pay by bank transfer, not by cheque", "OK."),
    ("the stove burns at 220 degrees, kindling goes in first", "OK."),
    ("paint the gate", "Painted."),
)


@pytest.fixture(scope="module")
def harbour(lasting: Callable[[], Forge]) -> Forge:
    forge = lasting()
    talk(forge, SAID, "before")
    return forge


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("how long is a skiff lent?", "9 days"),
        ("loan time of a skiff?", "9 days"),
        ("how many berths do we have", "64 berths"),
        ("how many berths has the harbour", "64 berths"),
        ("what do students pay", "2 students"),
        ("what does a student ticket cost", "2 students"),
    ],
)
def test_a_value_is_told_by_other_words(harbour: Forge, prompt: str, told: str) -> None:
    found = asked(harbour, prompt, prompt)
    assert found is not None and told in found.text


@pytest.mark.parametrize(
    "prompt",
    [
        "what does a stove cost?",
        "how long is the mast?",
        "how many members do we have?",
        "what does the anchor weigh?",
        "what do sheep cost",
    ],
)
def test_no_value_of_something_else_is_told(harbour: Forge, prompt: str) -> None:
    assert asked(harbour, prompt, prompt) is None


@pytest.mark.parametrize(
    ("question", "statement", "fits"),
    [
        ("what do guests pay?", "the fee for guests is 6", 1),
        ("how much does a berth cost", "berths: 90 eur a month", 1),
        ("what's the guest fee?", "guests pay 6", 1),
        ("what do guests pay with?", "the fee for guests is 6", 0),
        ("what do guests pay?", "6 guests came by boat", -1),
        ("what does a berth cost?", "the fee goes to the warden", -1),
    ],
)
def test_a_price_is_what_a_price_is_asked_of(question: str, statement: str, fits: int) -> None:
    assert fitness(question, statement) * 10 == fits


@pytest.mark.parametrize(
    ("said", "does"),
    [
        ("a hold is 8 minutes, then the seat is free again", True),
        ("the gate stays shut until the tide is out again", True),
        ("the pump fails, then it runs again", False),
        ("the gate is stuck again", False),
    ],
)
def test_what_returns_each_time_is_stated_and_what_happens_again_is_not(said: str, does: bool) -> None:
    assert states(said) is does
