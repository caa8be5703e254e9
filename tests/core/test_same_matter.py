"""What is chosen for a matter by its name: with a change of mind it ends what was chosen for it, else both are told."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.reversals import chosen_beside, reversals_in
from engramforge.core.detection.endings.turned import turned_from
from engramforge.core.registries.changed.same_matter import chosen_for, of_the_same_matter
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.reversed_decisions import with_refusals

STANDING = [
    Standing("we take wheat for the rolls"),
    Standing("tin for the roof"),
    Standing("receipts go to the shelf"),
]
ANEW = (
    ("changed my mind about the rolls, spelt it is", 0),
    ("second thoughts on the roof: slate", 1),
    ("the roof: second thoughts, slate", 1),
    ("i changed my mind on the roof, we take slate", 1),
    ("about the rolls, reconsidered: spelt then", 0),
)
NOT_ANEW = (
    "changed my mind about the rolls",
    "changed my mind about the oven, gas it is",
    "changed my mind about the roof, can we talk?",
    "they changed my mind about cats",
    "second thoughts on the roof, it leaks",
)
BESIDE = (
    ("spelt for the rolls", 0),
    ("slate for the roof then, tin rusts", 1),
    ("plain boxes for the receipts", 2),
    ("lets go with slate for the roof", 1),
    ("decided: spelt for the rolls", 0),
)
NOT_BESIDE = (
    "thanks for the rolls",
    "spelt for the rolls too",
    "should we take slate for the roof?",
    "no room for the receipts",
    "salt for the soup",
    "spelt for the rolls just for today",
    "a bug for the roof page",
)


@pytest.mark.parametrize(("said", "place"), ANEW)
def test_a_change_of_mind_ends_what_was_chosen(said: str, place: int) -> None:
    (turn,) = reversals_in(said, ())
    assert turned_from(turn, STANDING) == ([place], True)


@pytest.mark.parametrize("said", NOT_ANEW)
def test_a_change_of_mind_that_takes_nothing_ends_nothing(said: str) -> None:
    assert not any(turned_from(turn, STANDING)[1] for turn in reversals_in(said, ()))


@pytest.mark.parametrize(("said", "place"), BESIDE)
def test_another_choice_for_the_same_matter_is_not_clear(said: str, place: int) -> None:
    assert of_the_same_matter(said, STANDING) == place
    (hint,) = chosen_beside(said)
    assert turned_from(hint, STANDING) == ([place], False)


@pytest.mark.parametrize("said", NOT_BESIDE)
def test_what_is_no_other_choice_for_it(said: str) -> None:
    assert of_the_same_matter(said, STANDING) is None


@pytest.mark.parametrize(
    ("taken", "decision", "left", "told"),
    [
        ("slate not tin", "we take tin no thatch, one layer", "tin", "slate not tin, no thatch"),
        ("gas instead of wood", "wood for the oven, never coal", "wood", "gas instead of wood, never coal"),
        ("spelt then", "we take wheat, without any sugar", "wheat", "spelt then, without any sugar"),
        ("thatch rather than tin", "we take tin no thatch", "tin", "thatch rather than tin"),
        ("slate not tin", "we take tin, it needs no paint", "tin", "slate not tin"),
        ("slate not tin", "we take tin, single roof anyway", "tin", "slate not tin"),
    ],
)
def test_what_a_decision_refuses_beside_holds_on(taken: str, decision: str, left: str, told: str) -> None:
    assert with_refusals(taken, decision, left) == told


def test_what_is_said_to_be_there_is_no_choice() -> None:
    assert [
        chosen_for(said) for said in ("time for the roof", "30 s for the dough", "good for the rolls")
    ] == [None] * 3
