"""What takes the place of a decision that somebody complains of ends it."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say, threads

from engramforge.forge import Forge


@pytest.mark.parametrize(
    ("first", "turns", "new"),
    [
        (
            "we use webpack",
            ("webpack annoys me", "A: Plain ES modules would do.", "yeah do that"),
            "ES modules",
        ),
        ("we use mocha", ("mocha is slow as hell", "A: uvu would be faster.", "go"), "uvu"),
        (
            "receipts go out by mail thru postbox",
            ("postbox is too pricey. pigeon after all", "A: OK."),
            "pigeon",
        ),
    ],
)
def test_it_ends_what_was_decided(
    em: Forge, project: str, first: str, turns: tuple[str, ...], new: str
) -> None:
    say(em, project, first, session="one")
    say(em, project, *turns, session="two")
    found = decisions(em, project)
    assert found.pop(first) == "superseded"
    assert list(found.values()) == ["active"] and new in next(iter(found))


def test_banter_decides_nothing_and_a_question_opens_nothing(em: Forge, project: str) -> None:
    say(em, project, "lol the kettle on deck three has a sticker that says RUBY", "A: Ha. Ruby it is.")
    say(em, project, "the intern calls the van Gertrude", "A: Gertrude it is.")
    say(em, project, "remind me who locks the boathouse", "A: Ines does.")
    assert decisions(em, project) == {} and threads(em, project) == {}
    say(em, project, "name the van Gertrude", "A: Gertrude it is.")
    assert len(decisions(em, project)) == 1


def test_what_was_needed_is_in(em: Forge, project: str) -> None:
    say(em, project, "todo: hall 3 needs a new pump under the stage, ines has to drive there", session="one")
    say(em, project, "pump is in at hall 3, ines did it this morning", session="two")
    assert list(threads(em, project).values()) == ["resolved"]
