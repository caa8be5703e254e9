"""A yes to an assistant's proposal to switch ends what it switches from, where that is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.capture.talk import holding, say

if TYPE_CHECKING:
    from engramforge.forge import Forge

ENDED = (
    ("we use cups for the receipts", "Should I move the receipts to escpos?", "go for it", "escpos"),
    (
        "we keep the recipes in yaml files",
        "We could move the recipes to DuckDB with full text search. Shall I?",
        "do it",
        "DuckDB",
    ),
    ("we use nginx for the proxy", "I'd switch the proxy to caddy. Shall I?", "yes", "caddy"),
    ("the invoices are stored in dropbox", "Want me to migrate the invoices to minio?", "yes pls", "minio"),
    (
        "we use Jekyll as the site generator",
        "Jekyll takes a minute per build. Want me to switch to Zola and port the layouts?",
        "yes please",
        "Zola",
    ),
    ("we lint with flake8", "flake8 has no autofix. Should I switch to ruff?", "ok do it", "ruff"),
    (
        "we keep the logs for 60 days",
        "The logs fill the disk. 20 days then?",
        "yeah 20",
        "the logs for 20 days",
    ),
    ("we keep the logs for 60 days", "20 days then?", "yes", "we keep the logs for 20 days"),
    ("carts expire after 3 hours", "So make it 8 hours?", "yep", "carts expire after 8 hours"),
)
"""What was decided, what the assistant proposes, the answer, and what holds then."""
STANDING = (
    ("we use cups for the receipts", "Should I move the receipts to the sidebar?", "go for it"),
    ("we use cups for the receipts", "Should I move the receipts to Mondays?", "go for it"),
    ("we use cups for the receipts", "Should I move the invoices to escpos?", "go for it"),
    ("we use cups for the receipts", "Should I move the receipts to escpos?", "no, leave it"),
    ("we print the receipts in German", "Should I move the receipts to escpos?", "go for it"),
    ("we keep the recipes for 10 years", "We could move the recipes to DuckDB. Shall I?", "do it"),
    ("we use cron for the nightly build", "Want me to switch to Zola and port the layouts?", "yes please"),
    ("we keep the logs for 60 days", "20 seats then?", "yes"),
    ("we keep the logs for 60 days", "The trial is too short. 20 days then?", "yes"),
    ("we keep the logs for 60 days", "The disk is small. 20 days then?", "yes"),
    ("we keep the logs for 60 days", "20 days then?", "no"),
    ("we keep the logs for 60 days", "20 days ago?", "yes"),
)
"""What was decided, what the assistant proposes, and the answer."""


def talk(em: Forge, project: str, decided: str, proposed: str, answer: str) -> None:
    say(em, project, f"Decision: {decided}")
    say(em, project, f"A: {proposed}", answer, session="two")


@pytest.mark.parametrize(("decided", "proposed", "answer", "then"), ENDED)
def test_a_yes_ends_what_is_switched_from(
    em: Forge, project: str, decided: str, proposed: str, answer: str, then: str
) -> None:
    talk(em, project, decided, proposed, answer)
    (new,) = holding(em, project)
    assert new != decided and then in new


@pytest.mark.parametrize(("decided", "proposed", "answer"), STANDING)
def test_what_switches_nothing_ends_nothing(
    em: Forge, project: str, decided: str, proposed: str, answer: str
) -> None:
    talk(em, project, decided, proposed, answer)
    assert decided in holding(em, project)


def test_an_amount_that_nothing_was_decided_of_is_no_decision(em: Forge, project: str) -> None:
    talk(em, project, "we keep the logs for 60 days", "20 seats then?", "yes")
    assert holding(em, project) == ["we keep the logs for 60 days"]
