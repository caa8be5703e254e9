"""A statement that shares one word with a question and is of another matter does not answer it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.answer.test_injections import asked

from engramforge.core.injection.inputs.beside import is_beside, is_of_another
from engramforge.forge import Forge

STATED = (
    "careful with recordings/, the choir of 1958 is nowhere else",
    "at most six looms at the same time, otherwise the belt slips",
    "dye test is done, buttons are big enough",
    "the rent of the shed is paid, thats off the list",
    "the wool app is for the weavers of the valley",
    "blankets dry for two days in the loft",
    "the shuttle is oiled with linseed oil",
    "orders are kept in orders.csv, one line per blanket",
    "ruth said they decided to weave damask at her company",
    "the thread of the border is crimson, #aa0033",
)


@pytest.fixture(scope="module")
def mill(lasting: Callable[[], Forge]) -> Forge:
    """A project of statements and small talk."""
    forge = lasting()
    for number, text in enumerate(STATED):
        forge.remember(text, project="atlas", kind="prompt", session_id="before", sequence=2 * number)
        forge.remember(
            "Noted.", project="atlas", kind="response", session_id="before", sequence=2 * number + 1
        )
    return forge


@pytest.mark.parametrize(
    ("prompt", "untold"),
    [
        ("where do we keep the record of broken spindles?", "recordings"),
        ("why does the steam valve leak all the time?", "same time"),
        ("should i import tailwind for the buttons?", "buttons"),
        ("whats the difference between a list and a tuple?", "off the list"),
        ("which languages does the app have?", "wool app"),
        ("do we weave damask?", "damask"),
        ("why is the sunset crimson", "crimson"),
    ],
)
def test_a_shared_everyday_word_brings_nothing(mill: Forge, prompt: str, untold: str) -> None:
    found = asked(mill, prompt, prompt)
    assert found is None or untold not in found.text


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("how many looms may run at once?", "at most six looms"),
        ("how long do the blankets dry?", "two days"),
        ("what is the shuttle oiled with?", "linseed"),
        ("where are the orders kept?", "orders.csv"),
        ("what did ruth say of damask?", "at her company"),
        ("why is the border crimson", "the border is crimson"),
    ],
)
def test_what_answers_is_told(mill: Forge, prompt: str, told: str) -> None:
    found = asked(mill, prompt, prompt)
    assert found is not None and told in found.text


@pytest.mark.parametrize(
    ("question", "statement", "cosine", "is_off"),
    [
        ("which loom belt?", "the belt hangs in the hall", 0.5, True),
        ("which loom belt?", "every loom has one", 0.5, False),
        ("which belt do we use?", "the belt is of leather", 0.3, False),
        ("where is the record of spindles?", "careful with recordings/", 0.41, True),
        ("where is the record of spindles?", "careful with recordings/", 0.45, False),
        ("where is the record of spindles?", "the spindles hang in the hall", 0.37, False),
        ("where is the record of spindles?", "the record of spindles is on the wall", 0.1, False),
        ("how warm is the vat?", "the copper kettle is warm", 0.2, False),
    ],
)
def test_one_word_alone_needs_meaning(question: str, statement: str, cosine: float, is_off: bool) -> None:
    assert is_beside(question, statement, cosine) is is_off


@pytest.mark.parametrize(
    ("question", "statement", "is_off"),
    [
        ("do we weave linen here?", "jo's startup went with linen", True),
        ("is our yarn wool?", "at my last job the yarn was wool", True),
        ("should we use shuttles?", "over at ackermann they use shuttles", True),
        ("do we have a steam press?", "a friend of mine runs a steam press and hates it", True),
        ("do we use indigo?", "ruth said we use indigo", False),
        ("who dyes for us?", "jo's team does the dyeing", False),
        ("what do they use at ruth's company?", "ruth said they use damask at her company", False),
        ("when do our guests pay?", "guests pay at their arrival", False),
        ("why are lemons yellow?", "warnings are yellow in the table", True),
        ("how come grass is green", "buttons are green from now on", True),
        ("why is the lake so deep", "the lake house has a red door", True),
        ("how come sheep have four stomachs?", "sheep are counted on mondays", True),
        ("so why do looms creak?", "the loom list is in the hall", True),
        ("why does indigo smell", "indigo is ordered from jo", True),
        ("why is the vat round", "the vat page opens at noon", True),
        ("why is the vat slow?", "the vat takes 20 minutes", False),
        ("why do looms stop at six?", "the looms stop at 18:00", False),
        ("why is the loom page broken", "the loom page is built by make", False),
        ("why is the vat red?", "the vat had to be seen from afar, so that nobody steps in", False),
        ("why is linen used for towels", "linen came from ruth", False),
        ("why are warnings yellow?", "warnings are yellow, red hurts", False),
        ("why did we drop linen", "linen is out, too stiff", False),
        ("why are we on linen", "linen for the towels", False),
    ],
)
def test_what_is_of_other_things_or_people_is_no_answer(question: str, statement: str, is_off: bool) -> None:
    assert is_of_another(question, statement) is is_off
