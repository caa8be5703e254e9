"""What people set for a project in plain words: tools by name, limits and numbers, where a thing stays; what only tells
how things are, and what points at the sentence before it.
"""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.forge import Forge

SET = (
    ("let's use bulma", "bulma"),
    ("Let's use Mocha.", "Mocha"),
    ("ok, let's use Leaflet for the charts", "Leaflet"),
    ("let's use Puma then, it's small", "Puma"),
    (
        "Scans stay in our own cellar under /srv/scans, not on Dropbox. We have no money for rent.",
        "Scans stay",
    ),
    ("receipts are kept in the ledger, not in the mailbox", "receipts"),
    ("invoices are sent by post, not by mail", "invoices"),
    ("the keys live in the vault, not in the repo", "keys"),
    ("plan with 30 crates", "30 crates"),
    (
        "20 knots is too strict for Emden, the harbour master allows 25. everywhere else stays at 20",
        "allows 25. everywhere else stays at 20",
    ),
    ("the hall keeps its lamps till ten. the rest stays dark after nine", "lamps till ten. the rest stays"),
)
WAITING = (
    "rentals are 5 days max, plus one more on request",
    "rentals are limited to 5 days",
    "a crate holds at most 30 bottles",
    "receipt goes out 2 days before the tour starts",
    "tokens must expire after 20 minutes",
    "uploads are capped at 5 mb",
)
NOT_SET = (
    "let's use it",
    "let's use the debugger",
    "let's use another one for now",
    "let's use zoom tonight",
    "let's use tomorrow to fix it",
    "the boat has 12 cabins",
    "the parser took 9 minutes at most yesterday",
    "why are rentals limited to 5 days?",
    "the error is in the lexer, not in the parser",
    "the bug lives in the lexer, not in the parser",
    "i had 3 coffees max today",
    "it takes at least 5 minutes",
    "everyone else stays at home",
)
LEANING = (
    "Every crate gets a tag: a letter for the deck and three digits. That is painted on most of them already,"
    " so it's not"
    " negotiable.",
    "Each lamp has a number: the row and two digits. They are printed on the plans already, so that's final.",
)
FRAGMENTS = (
    "Hi! New repo. We're a small rowing club and want to lend our boats.",
    "New project. Here is what it is about.",
    "hi, new repo for the lightship museum. no popups please",
    "We're starting over with the harbour planner for the county.",
    "we start a new app today",
    "I'm starting from scratch with the planner for the lifts",
)


def decided(em: Forge, project: str, said: str) -> list[str]:
    say(em, project, said)
    return list(decisions(em, project))


@pytest.mark.parametrize(("said", "words"), SET)
def test_it_is_decided(em: Forge, project: str, said: str, words: str) -> None:
    (decision,) = decided(em, project, said)
    assert words in decision


@pytest.mark.parametrize("said", WAITING)
def test_a_limit_waits(em: Forge, project: str, said: str) -> None:
    assert len(decided(em, project, said)) + len(em.review.pending(project=project)) == 1


@pytest.mark.parametrize("said", NOT_SET)
def test_nothing_is_decided(em: Forge, project: str, said: str) -> None:
    assert decided(em, project, said) == []


@pytest.mark.parametrize("said", LEANING)
def test_what_tells_that_it_is_done_already_is_no_decision_of_its_own(
    em: Forge, project: str, said: str
) -> None:
    (decision,) = decided(em, project, said)
    assert said.startswith(decision)


@pytest.mark.parametrize("said", FRAGMENTS)
def test_what_only_begins_is_no_decision(em: Forge, project: str, said: str) -> None:
    assert decided(em, project, said) == []


def test_what_starts_over_turns_nothing_down(em: Forge, project: str) -> None:
    say(em, project, "We decided to start over with the small hull.")
    (decision,) = em.decisions.browse(project=project)
    assert decision.alternatives_rejected == ()
