"""What a person gives up ends what was decided of it, with what takes its place, if anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engramforge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engramforge.forge import Forge

ENDED = (
    (
        "masking tape for the edges",
        "masking tape rips the paint, no more of that. edges get done by hand with a liner",
        "edges get done by hand with a liner",
    ),
    (
        "tesseract for the receipts",
        "tesseract eats the umlauts, no more of that. receipts get typed in by hand",
        "receipts get typed in by hand",
    ),
    (
        "bone glue for the joints",
        "bone glue stains the maple, enough of that. we go with hide glue for the joints",
        "hide glue",
    ),
    ("readers can review books", "we drop the reviews", "we drop the reviews"),
    ("members can tag their photos", "we drop the tags, nobody uses them", "we drop the tags"),
    (
        "a loyalty stamp for every tenth coffee",
        "we're dropping the stamps for good",
        "we're dropping the stamps",
    ),
    ("guests can rent towels", "we scrap towels because they never come back", ""),
    ("raffle tickets at the door", "we're getting rid of the raffle", ""),
)
"""What was decided, what is said, and what holds then; "" for nothing."""
STANDING = (
    ("masking tape for the edges", "masking tape rips the paint, no more of that brand"),
    (
        "masking tape for the edges",
        "the cat rips the paper, no more of that. edges get done by hand with a liner",
    ),
    ("masking tape for the edges", "he says masking tape rips the paint, no more of that"),
    ("masking tape for the edges", "masking tape rips the paint. more of that later"),
    ("readers can review books", "should we drop the reviews?"),
    ("readers can review books", "we drop the reviews for now"),
    ("readers can review books", "we don't drop the reviews"),
    ("readers can review books", "we drop the old reviews table"),
    ("readers can review books", "if nobody writes any we drop the reviews"),
    ("members can tag their photos", "we drop the tags from the export"),
    ("raffle tickets at the door", "he said we drop the raffle"),
)
"""What was decided, and what only sounds as if it ended it."""


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("home")) as forge:
        yield forge


def after(em: Forge, project: str, decided: str, said: str) -> dict[str, str]:
    """The decisions with their statuses after both were said."""
    for at, words in enumerate((f"Decision: {decided}", said)):
        session = f"{project} {at}"
        em.remember(words, kind="prompt", project=project, session_id=session, speaker="user")
    found = em.decisions.browse(project=project, status=None)
    return {each.decision: str(each.status) for each in found}


@pytest.mark.parametrize(("decided", "said", "then"), ENDED)
def test_what_is_given_up_ends(
    em: Forge, request: pytest.FixtureRequest, decided: str, said: str, then: str
) -> None:
    found = after(em, request.node.name, decided, said)
    assert found.pop(decided) == ("superseded" if then else "invalidated")
    assert [then in each for each in found] == ([True] if then else [])


@pytest.mark.parametrize(("decided", "said"), STANDING)
def test_what_gives_nothing_up_ends_nothing(
    em: Forge, request: pytest.FixtureRequest, decided: str, said: str
) -> None:
    assert after(em, request.node.name, decided, said)[decided] == "active"
