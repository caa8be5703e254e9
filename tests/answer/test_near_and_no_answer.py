"""What is merely the nearest to a question does not answer it: the words of its matter count beside the meaning."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.answer.test_injections import asked

from engramforge.core.injection.gate import asks, begins_work
from engramforge.core.injection.inputs.worth import Compared
from engramforge.forge import Forge

DECIDED = (
    (
        "keep the tariffs as one YAML file per season",
        "I'd keep the tariffs as one YAML file per season, under git.",
    ),
    ("Scan the ticket code rather than Type the name or Show the mail", ""),
    ("lift reports are kept 30 days", ""),
    ("if the relay at the summit fails the gate keeps the last state for a minute", ""),
    ("grooming only on Tuesdays, the slope is closed then", ""),
    ("at most 4 lines per board, 60 characters each", ""),
)
SAID = (
    "boards are #102030 on grey, black dazzles in the snow",
    "never publish to the summit board, guests read that one",
    "no moving pictures in the first version",
)


@pytest.fixture(scope="module")
def slope(lasting: Callable[[], Forge]) -> Forge:
    """A project of decisions and statements."""
    forge = lasting()
    for decision, why in DECIDED:
        forge.decisions.create(decision, rationale=why, project="atlas", conversation="before")
    for number, text in enumerate(SAID):
        forge.remember(text, project="atlas", kind="prompt", session_id="before", sequence=number)
    return forge


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("how are the tariffs stored?", "one YAML file per season"),
        ("for how many days do lift reports stay?", "30 days"),
        ("what colour are the boards?", "#102030"),
        ("how long is a line of a board at most?", "60 characters"),
    ],
)
def test_what_shares_the_question_s_own_words_is_told_first(slope: Forge, prompt: str, told: str) -> None:
    found = asked(slope, prompt, prompt)
    assert found is not None
    first = next(line for line in found.text.splitlines() if line.startswith("- "))
    assert told in first


@pytest.mark.parametrize(
    "prompt",
    [
        "what does git stash do",
        "how do i type an umlaut on a mac",
        "is there a code to unlock the phone of my aunt",
        "how do i keep an ssh session open",
        "what is a relay race in school sports",
        "how do i number lines in emacs",
        "how many boards did the chess club win",
        "whats the oldest reporting office that takes mail?",
        "is there a mail reader for linux",
        "how long are tuesday night radio plays",
    ],
)
def test_one_everyday_word_or_mere_nearness_tells_nothing(slope: Forge, prompt: str) -> None:
    found = asked(slope, prompt, prompt)
    assert found is None, found.text


def test_who_asks_for_all_rules_is_told_no_decision_beside_them(slope: Forge) -> None:
    found = asked(slope, "what must i never do here?", "all")
    assert found is not None and "summit board" in found.text and "per board" not in found.text


def test_an_order_not_to_do_something_is_no_question() -> None:
    orders = ("dont send anything to the summit", "don't ever wake the cat", "dont touch the lift")
    questions = ("don't we send it to the summit?", "dont they send it", "dont the lifts stop at noon")
    assert not any(map(asks, orders)) and all(map(asks, questions))
    assert not begins_work("whats the oldest lift that runs") and begins_work("oil the lift")


def test_the_kind_of_value_speaks_for_what_is_of_the_matter_alone() -> None:
    assert Compared("how many boats?", [0.4], [0.1], [0.1]).best() == []
    assert Compared("how many boats?", [0.3], [0.4], [0.1]).best() == [0]
