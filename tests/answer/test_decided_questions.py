"""A question about a matter that the project has decided brings the decision; others bring nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from tests.answer.test_injections import asked

from engramforge.core.injection.gate import states
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


def with_decisions(forge: Forge) -> Forge:
    """A project with decisions and talk of other things."""
    for each in DECISIONS:
        forge.decisions.create(each, project="atlas", conversation="before")
    talk = ("The gulls were loud this morning.", "The trainee painted the fence green.", "Lunch is at noon.")
    forge.remember_many({"content": each, "project": "atlas"} for each in talk)
    return forge


@pytest.fixture(scope="module")
def decided(lasting: Callable[[], Forge]) -> Forge:
    return with_decisions(lasting())


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
    found = asked(decided, prompt, prompt)
    assert found is not None and told in found.text
    assert len([each for each in found.memories if "decision" in each.text]) <= 2
    assert asked(decided, prompt, prompt) is None, "it is in the context already"


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
    found = asked(decided, prompt, prompt)
    assert found is None or not any(each in found.text for each in DECISIONS)


def test_only_what_holds_and_is_the_project_s_own_is_told(em: Forge) -> None:
    decided = with_decisions(em)
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


STATEMENTS = (
    "glaze samples are thrown away after 6 weeks",
    "only the kiln master may delete a firing",
    "photos of visitors never go on the public page",
    "the shop sends reminders two days before a course",
    "the courier gets a spreadsheet each quarter",
    "fix the recordings page",
    "the backup fails again",
)


@pytest.fixture(scope="module")
def stated(lasting: Callable[[], Forge]) -> Forge:
    """A project of which a person has said how things are, in a conversation; and an answer of two words."""
    said = [{"content": each, "kind": "prompt", "speaker": "user"} for each in STATEMENTS]
    said.append({"content": "How large should the labels on the crates be?", "kind": "response"})
    said.append({"content": "5 by 3 cm", "kind": "prompt", "speaker": "user"})
    begun = datetime.now(UTC) - timedelta(hours=1)
    common = {"project": "atlas", "session_id": "before"}
    forge = lasting()
    forge.remember_many(
        {**each, **common, "valid_at": begun + timedelta(minutes=place)} for place, each in enumerate(said)
    )
    return forge


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("how long do we keep the samples of glazes?", "6 weeks"),
        ("who can remove a firing from the list?", "kiln master"),
        ("may I put a picture of a guest on the website?", "visitors"),
        ("how early do people get notified about a course?", "two days"),
        ("how big are the stickers on the crates?", "5 by 3 cm"),
    ],
)
def test_a_question_brings_what_a_person_stated(stated: Forge, prompt: str, told: str) -> None:
    found = asked(stated, prompt, prompt)
    assert found is not None and told in found.text
    assert len(found.memories) <= 2


@pytest.mark.parametrize(
    "prompt",
    [
        "how do I reverse a list in python?",
        "who wrote the linux kernel?",
        "which shortcut opens the command palette?",
    ],
)
def test_a_question_about_something_else_brings_no_statement(stated: Forge, prompt: str) -> None:
    found = asked(stated, prompt, prompt)
    assert found is None or not any(each in found.text for each in STATEMENTS)


def test_a_statement_that_was_overtaken_is_told_no_more(em: Forge) -> None:
    said = "we decided that orders close at 4 pm the day before"
    em.remember(said, project="atlas", kind="prompt", session_id="before", speaker="user")
    question = "until when can people place an order?"
    (old,) = em.decisions.browse(project="atlas")
    em.decisions.supersede(old.id, "orders close at noon")
    found = asked(em, question)
    assert found is None or "4 pm" not in found.text


@pytest.mark.parametrize(
    ("said", "is_stated"),
    [
        ("prices are kept in cents", True),
        ("the shop closes at noon", True),
        ("8cm it is", True),
        ("fix the recordings page", False),
        ("please add a test for the kiln", False),
        ("the backup fails again", False),
        ("are prices kept in cents?", False),
        ("maybe prices are kept in cents", False),
    ],
)
def test_orders_questions_and_what_is_of_the_moment_state_nothing(said: str, is_stated: bool) -> None:
    assert states(said) == is_stated
