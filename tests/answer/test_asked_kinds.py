"""The oracle finds the thing of a kind, says what may be, and is silent about another thing of the kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engramforge.core.kinds.asked_kind import asked_kind, names_one
from engramforge.forge import Forge
from engramforge.model.oracle import OracleAnswer

LEDGER = "The moorings ledger keeps its rows in MariaDB."
STORE = "The depot archive is ClickHouse. Teradata was rejected for its licence."
FEES = "Berth fees go through Klarna."
CARDS = "Berth cards are blank, the fee provider's desk prints them."
CRASHES = "Crashes of the tide app are reported to Rollbar."
GATES = "The lock gates are steered by a program written in Kotlin."
TERNS = "Charts are drawn with Superset; Tableau is out because of its price."
LIMIT = "The wave limit of the tide API: 300 requests a minute."
OWNER = "Runa owns the signal tower."
HOURLY = "The tide tables are printed hourly."
NIGHTLY = "The tide tables are printed nightly, hourly took too much paper."
FERRY = "Ferry tickets cost 12 euros."


@pytest.fixture(scope="module")
def harbour(lasting: Callable[[], Forge]) -> Forge:
    em = lasting()
    texts = (LEDGER, STORE, FEES, CARDS, CRASHES, GATES, TERNS, LIMIT, OWNER, HOURLY, NIGHTLY, FERRY)
    for day, text in enumerate(texts, 1):
        em.decisions.create(text, project="harbour", valid_at=f"2026-01-{day:02}")
    em.remember("The crane was painted red before the choir sang.", project="harbour")
    return em


def said(answer: OracleAnswer) -> list[str]:
    return [each.memory.content for each in answer.resonant_set]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which database holds the moorings ledger?", LEDGER),
        ("Which data warehouse do we use?", STORE),
        ("Which payment provider do we use?", FEES),
        ("Which error tracker do we use?", CRASHES),
        ("Which error tracker does the tide app use?", CRASHES),
        ("Which language are the lock gates written in?", GATES),
        ("In which language are the lock gates written?", GATES),
        ("Which dashboard tool do we use?", TERNS),
    ],
)
def test_the_thing_of_a_kind_is_found(harbour: Forge, question: str, text: str) -> None:
    answer = harbour.consult(question)
    assert said(answer) == [text]
    assert answer.gaps == ()


@pytest.mark.parametrize(
    "question",
    [
        "Which cache do we use?",
        "Which database holds the berth cards?",
        "Which payment provider takes the ferry vouchers?",
        "May we use Kibana?",
        "Is Terraform allowed?",
    ],
)
def test_a_kind_of_which_nothing_is_said_is_met_with_silence(harbour: Forge, question: str) -> None:
    assert said(harbour.consult(question)) == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("May we use Tableau?", TERNS),
        ("Is Tableau allowed?", TERNS),
        ("Can we use Teradata?", STORE),
        ("May we use Rollbar?", CRASHES),
    ],
)
def test_whether_something_may_be_is_settled_by_what_names_it(
    harbour: Forge, question: str, text: str
) -> None:
    assert said(harbour.consult(question))[0] == text


def test_what_is_said_of_another_of_the_kind_answers_nothing(harbour: Forge) -> None:
    answer = harbour.consult("What is the wave limit of the chart API?")
    assert said(answer) == [] and answer.gaps == ("chart api",)
    assert said(harbour.consult("Who owns the water tower?")) == []
    assert said(harbour.consult("What is the wave limit of the tide API?")) == [LIMIT]
    assert said(harbour.consult("Who owns the signal tower?")) == [OWNER]


def test_what_something_costs_is_told_by_an_amount(harbour: Forge) -> None:
    assert said(harbour.consult("What do the tide tables cost per month?")) == []
    assert said(harbour.consult("What do the ferry tickets cost?")) == [FERRY]


def test_of_what_contradicts_each_other_the_newer_comes_first(harbour: Forge) -> None:
    answer = harbour.consult("How often are the tide tables printed?")
    assert said(answer) == [NIGHTLY, HOURLY] and len(answer.contradictions) == 1


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Berth fees used to go through Klarna.", False),
        ("Berth fees went through Klarna until May.", False),
        ("If berth fees go through Klarna, we leave.", False),
        ("Should berth fees go through Klarna?", False),
        ("Perhaps berth fees go through Klarna.", False),
        ("Berth fees go through anything but Klarna.", False),
        ("Berth fees go through Klarna until further notice.", True),
        ("We used to send bills, berth fees now go through Klarna.", True),
    ],
)
def test_what_was_or_may_be_names_nothing(text: str, is_named: bool) -> None:
    asked = asked_kind("Which payment provider do we use?")
    assert asked is not None and bool(names_one(asked, text)) is is_named
