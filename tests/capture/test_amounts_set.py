"""An amount that is set anew ends the decision with another amount of the same, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engramforge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engramforge.forge import Forge

ENDED = (
    ("the covers are 300px high", "make the covers 450", "the covers are 450px high"),
    ("the covers are 300px high", "make em 450, nobody can read the spine", "the covers are 450px high"),
    ("vouchers are valid for 12 months", "limit the vouchers to 6 months", "6 months"),
    ("we store the scans for 90 days", "keep the scans for 30 days only", "30 days"),
    ("we hold 20 seats for walk-ins", "keep 12 seats instead of 20", "we hold 12 seats for walk-ins"),
    ("the trial takes 14 days", "make the trial 21 days", "21 days"),
    ("at most 5 devices per account", "raise the devices to 8, families need more", "8"),
    ("the siren sounds for 60 seconds", "cut the siren to 20", "the siren sounds for 20 seconds"),
    ("we keep invoices for 10 years", "we keep the invoices for 7 years only", "7 years"),
)
"""What was decided, what is said, and what holds then."""
STANDING = (
    ("the covers are 300px high", "make the banner 450"),
    ("the covers are 300px high", "make the covers 150 dpi"),
    ("the covers are 300px high", "make 3 covers for the spring list"),
    ("the covers are 300px high", "make em 4, i have only so much paper"),
    ("the covers are 300px high", "the lines wrap after 400 signs. make it 450"),
    ("the covers are 300px high", "should we make the covers 450?"),
    ("the covers are 300px high", "if she complains make the covers 450"),
    ("the covers are 300px high", "make the covers 450 just for this page"),
    ("vouchers are valid for 12 months", "limit the query to 6 months"),
    ("we store the scans for 90 days", "keep the scans of the deeds for 30 days only"),
    ("we store the scans for 90 days", "keep 30 days of logs instead of 90"),
    ("we hold 20 seats for walk-ins", "keep 12 seats instead of 15"),
    ("the trial takes 14 days", "we tested the trial for 21 days only"),
    ("the siren sounds for 60 seconds", "he said cut the siren to 20"),
)
"""What was decided, and what only sounds as if it ended it."""


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("home")) as forge:
        yield forge


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def say(em: Forge, project: str, *turns: str, session: str = "one") -> None:
    """Turns of one session; one that begins with "A: " is the assistant's."""
    for turn in turns:
        kind, speaker = ("response", "assistant") if turn.startswith("A: ") else ("prompt", "user")
        words = turn.removeprefix("A: ")
        em.remember(words, kind=kind, project=project, session_id=f"{project} {session}", speaker=speaker)


def decisions(em: Forge, project: str, status: str | None = None) -> dict[str, str]:
    return {each.decision: str(each.status) for each in em.decisions.browse(project=project, status=status)}


@pytest.mark.parametrize(("decided", "said", "then"), ENDED)
def test_another_amount_ends_it(em: Forge, project: str, decided: str, said: str, then: str) -> None:
    say(em, project, f"Decision: {decided}")
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    assert decisions(em, project)[old] == "superseded"
    (new,) = decisions(em, project, "active")
    assert then in new


@pytest.mark.parametrize(("decided", "said"), STANDING)
def test_another_amount_of_something_else_ends_nothing(
    em: Forge, project: str, decided: str, said: str
) -> None:
    say(em, project, f"Decision: {decided}")
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    assert decisions(em, project)[old] == "active"


def test_where_two_amounts_may_be_meant_none_ends(em: Forge, project: str) -> None:
    say(em, project, "Decision: the covers are 300px high", "Decision: the spines are 30px wide")
    say(em, project, "make em 150, nobody can read them", session="two")
    assert len(decisions(em, project, "active")) == 2
