"""What a prompt is like and what does not answer it: the same prompt of before, and work that was announced."""

from __future__ import annotations

import pytest
from tests.answer.test_injections import asked

from engramforge.forge import Forge

OTHERS = ("The clay came in on Monday.", "Two shelves of the shed broke.", "Anna paints the fence green.")


@pytest.fixture
def talked(em: Forge) -> Forge:
    for number, each in enumerate(OTHERS):
        em.remember(each, project="atlas", kind="prompt", session_id="long ago", sequence=number)
    return em


def turn(em: Forge, text: str, kind: str = "prompt", number: int = 1) -> None:
    em.remember(text, project="atlas", kind=kind, session_id="before", sequence=number)


@pytest.mark.parametrize(
    "prompt",
    [
        "the old shard importer, what was the plan with it",
        "turn 4 bar into psi please",
        "write a limerick about gravel",
    ],
)
def test_a_prompt_that_was_typed_before_answers_nothing(prompt: str, talked: Forge) -> None:
    turn(talked, prompt.removesuffix(" please"))
    found = asked(talked, prompt)
    assert found is None or prompt.removesuffix(" please") not in found.text


def test_what_states_the_same_answers(talked: Forge) -> None:
    turn(talked, "we fire the big kiln on fridays")
    found = asked(talked, "do we fire the big kiln on fridays?")
    assert found is not None and "we fire the big kiln on fridays" in found.text


def test_announced_work_answers_nothing(talked: Forge) -> None:
    turn(talked, "I'll add that to the firing script as a guard.", "response")
    assert asked(talked, "when do we run the firing script?") is None
    turn(talked, "The firing script runs at six.", "response", 2)
    assert asked(talked, "when do we run the firing script?") is not None


def test_who_asks_what_must_not_be_done_is_told_the_rule_and_no_tool(talked: Forge) -> None:
    turn(talked, "never touch glaze/recipes by hand, those come from the scale")
    turn(talked, "Edit: /p/glaze/recipes/celadon.json x = 2", "tool_use", 2)
    for prompt in ("wasn't there something with recipes we must not edit?", "may i change the recipes?"):
        found = asked(talked, prompt, session=prompt[:6])
        assert found is not None and "never touch glaze/recipes" in found.text and "Edit:" not in found.text
    found = asked(talked, "may i change the shelves?", session="other")
    assert found is None or "glaze" not in found.text


def test_what_a_tool_was_asked_and_did_not_do_answers_nothing(talked: Forge) -> None:
    asked_of_it = "Edit: /p/glaze/firing.yml cron: 0 12 * * 3"
    turn(talked, asked_of_it, "tool_use")
    assert asked(talked, "what is the cron of firing.yml?") is None
    turn(talked, f"Outcome of {asked_of_it}\nfilePath: /p/glaze/firing.yml", "tool_use", 2)
    assert asked(talked, "what is the cron of firing.yml?", session="other") is not None
