"""A turn that names nothing changes what was stated, asked or answered right before it, and nothing else."""

from __future__ import annotations

import pytest

from engramforge.core.pointing.anchored import given_in, is_anchored
from engramforge.model.registries.detection import Said

SPRINKLER = "the sprinkler runs for 20 minutes"


@pytest.mark.parametrize(
    ("turn", "value"),
    [
        ("make it 12", "12"),
        ("thats a swamp. 12 then", "12"),
        ("hm 45 then", "45"),
        ("no wait, 60 then", "60"),
        ("the default suits us after all, so 88", "88"),
        ("the gardener wants 6", "6"),
        ("accounting says 10, change it", "10"),
        ("the gardener says 10", "10"),
        ("make it 12, says the head gardener", "12"),
        ("use 12 instead, as per the vet", "12"),
        ("nope, larch. oak is too dear", "larch"),
        ("actually gouache, far less mess", "gouache"),
        ("hm on second thought copper, the roofers want it", "copper"),
        ("every hour instead", "every hour instead"),
        ("nah, leave it", None),
        ("ok thanks", None),
        ("the meter says 12 then it drops", None),
        ("acme says they prune in may", None),
        ("so 3 of them failed", None),
        ("release 3 then", None),
        ("actually, show me the diff", None),
        ("only 2 then?", None),
        ("run it daily for the demo only", None),
        ("oak drawers weekly, pine ones never", None),
    ],
)
def test_what_a_turn_gives_that_names_nothing(turn: str, value: str | None) -> None:
    given = given_in(turn)
    assert (given and given.pointed.value) == value


def _is_anchored(turn: str, said: str, *talk: str, answer: str = "") -> bool:
    """Whether a turn changes the first of these turns; those that begin with "A: " are the assistant's."""
    before = [
        Said(each.removeprefix("A: "), str(at), not each.startswith("A: ")) for at, each in enumerate(talk)
    ]
    return is_anchored(turn, said, {"0"} if talk[0] == said else {"elsewhere"}, before[::-1], answer)


@pytest.mark.parametrize(
    ("turn", "said", "talk", "answer"),
    [
        # What was stated right before, also where the work went on in between.
        ("make it 12", SPRINKLER, (SPRINKLER, "A: ok"), ""),
        ("the gardener wants 12", SPRINKLER, (SPRINKLER, "A: ok"), "WATERING = 12."),
        ("so 12", SPRINKLER, (SPRINKLER, "A: ok", "show me the tree", "A: src tests"), "Set to 12."),
        (
            "hm make it 40",
            "basket limit is 25 kg",
            ("basket limit is 25 kg", "run it", "A: Ran."),
            "MAX_BASKET is 40.",
        ),
        ("nope, larch", "drawers are of oak", ("drawers are of oak", "A: ok"), "Larch then."),
        ("weekly from may on", "mow every two weeks", ("mow every two weeks", "A: ok"), "ok"),
        ("the vet says 12", SPRINKLER, (SPRINKLER, "A: ok"), "WATERING = 12."),
        # What was asked right before, or what the answer to that says again.
        ("12 then", SPRINKLER, ("how long does the sprinkler run?", "A: 20 minutes."), "12 minutes now."),
        (
            "make it 12",
            SPRINKLER,
            ("what is the length of a watering?", "A: 20 minutes."),
            "It waters for 12 minutes.",
        ),
    ],
)
def test_it_changes_what_the_talk_right_before_it_is_of(
    turn: str, said: str, talk: tuple[str, ...], answer: str
) -> None:
    assert _is_anchored(turn, said, *talk, answer=answer)


@pytest.mark.parametrize(
    ("turn", "said", "talk", "answer"),
    [
        # Something else with a value was spoken of in between, or is by the answer.
        ("make it 14", SPRINKLER, (SPRINKLER, "make the pond 12 m", "A: Done."), "14 m now."),
        ("make it 14", SPRINKLER, (SPRINKLER, "run the tests", "A: 3 failed."), "14 run now."),
        ("make it 14", SPRINKLER, (SPRINKLER, "A: ok"), "The fence is 14 m."),
        # What was asked for is of another kind.
        ("make it 14", SPRINKLER, ("how many beds has the sprinkler?", "A: 4."), "14 then."),
        ("make it 7", "rinse the pump at 3 am", ("how many pumps are there?", "A: 5."), "Keeping 7 now."),
        ("actually, teal", "lets use larch", ("lets use larch", "A: ok"), "Painted the button teal."),
        ("make it 14", "we prune 3 trees", ("when do we prune?", "A: At 10 am."), "14 then."),
        (
            "nope, teal",
            "benches are of oak, says the plan",
            ("benches are of oak", "A: ok", "ok"),
            "Teal it is.",
        ),
        # What it may mean otherwise is not taken up.
        (
            "nope, still dripping",
            "drawers are of oak",
            ("drawers are of oak", "A: ok"),
            "Let me look at the tap.",
        ),
        ("actually looks fine", "drawers are of oak", ("drawers are of oak", "A: ok"), "Great."),
        ("the meter says 10", SPRINKLER, (SPRINKLER, "A: ok"), "Then the valve does not close."),
        # A value of another kind, the same one, and what was said too long before.
        ("make it 12 kg", SPRINKLER, (SPRINKLER, "A: ok"), ""),
        ("make it 20", SPRINKLER, (SPRINKLER, "A: ok"), ""),
        ("make it 12", SPRINKLER, (SPRINKLER, "prune", "A: ok", "rake", "A: ok"), ""),
        ("make it 12", SPRINKLER, ("how long does a lesson last?", "A: An hour."), "12 now."),
    ],
)
def test_it_changes_nothing_else(turn: str, said: str, talk: tuple[str, ...], answer: str) -> None:
    assert not _is_anchored(turn, said, *talk, answer=answer)
