"""A question about a matter that the project has decided brings the decision; others bring nothing."""

from __future__ import annotations

import pytest
from tests.answer.test_injections import asked

from engramforge.forge import Forge

DECISIONS = (
    "UI texts are German",
    "readings go to DuckDB, one file per month",
    "we poll the kilns every 15 minutes",
    "login is by magic link, no passwords",
    "prices are integers in Rappen",
    "logs are kept for 30 days",
    "alerts go to Telegram",
    "product photos are webp, at most 1200 pixels wide",
    "the backend is FastAPI on Python 3.12",
    "only the owner may give refunds",
)


@pytest.fixture
def decided(em: Forge) -> Forge:
    """A project with decisions and talk of other things."""
    for each in DECISIONS:
        em.decisions.create(each, project="atlas", conversation="before")
    talk = ("The gulls were loud this morning.", "The trainee painted the fence green.", "Lunch is at noon.")
    em.remember_many({"content": each, "project": "atlas"} for each in talk)
    return em


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("which language are the buttons in", "UI texts are German"),
        ("where do the readings get stored", "readings go to DuckDB"),
        ("how often do we poll the sensors", "every 15 minutes"),
        ("what's the polling interval again?", "every 15 minutes"),
        ("do we need a password reset form?", "magic link"),
        ("are the prices floats or ints?", "integers in Rappen"),
        ("when do old logs get deleted?", "30 days"),
        ("what image format do the pictures have", "webp"),
        ("what python version do we run?", "Python 3.12"),
        ("can the staff refund an order?", "only the owner"),
    ],
)
def test_a_question_brings_what_was_decided(decided: Forge, prompt: str, told: str) -> None:
    found = asked(decided, prompt)
    assert found is not None and told in found.text
    assert len([each for each in found.memories if "decision" in each.text]) <= 2
    assert asked(decided, prompt) is None, "it is in the context already"


@pytest.mark.parametrize(
    "prompt",
    [
        "how do I center a div",
        "which glaze suits a stoneware teapot?",
        "is it worth learning rust?",
        "what does the walrus operator do",
        "how do I undo my last commit",
        "can we make the header smaller",
        "poll the sensors twice and write the readings into a file",
    ],
)
def test_what_was_not_decided_or_is_not_asked_brings_no_decision(decided: Forge, prompt: str) -> None:
    found = asked(decided, prompt)
    assert found is None or not any(each in found.text for each in DECISIONS)


def test_only_what_holds_and_is_the_project_s_own_is_told(decided: Forge) -> None:
    prompt = "which language are the buttons in"
    (old,) = [each for each in decided.decisions.browse(limit=50) if "German" in each.decision]
    decided.decisions.supersede(old.id, "UI texts are French")
    found = asked(decided, prompt)
    assert found is not None and "French" in found.text and "German" not in found.text
    elsewhere = {"hook_event_name": "UserPromptSubmit", "session_id": "other", "project": "beacon"}
    assert decided.injections.for_event({**elsewhere, "prompt": prompt}) is None


def test_where_many_decisions_are_as_near_none_is_told(em: Forge) -> None:
    for number in range(6):
        em.decisions.create(f"Valve {number} opens at {number} bar", project="atlas", conversation="before")
    found = asked(em, "how loud are our valves?")
    assert found is None


def test_what_an_assistant_said_is_no_decision_to_tell(em: Forge) -> None:
    said = "I decided to keep the readings in DuckDB, one file per month."
    em.remember(said, project="atlas", kind="response", session_id="before", speaker="assistant")
    assert len(em.decisions.browse(project="atlas")) == 1
    found = asked(em, "where do the measurements get stored?")
    assert found is None or "dec_" not in found.text
