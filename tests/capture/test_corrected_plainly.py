"""A person corrects in a few words what they decided: "no wait, typer not rich"; other such words correct nothing."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.core.detection.endings.plain_turns import bare_turn
from engramforge.core.detection.passages import Passage
from engramforge.forge import Forge


@pytest.mark.parametrize(
    ("said", "left", "taken"),
    [
        ("actually larch not oak", "oak", "larch"),
        ("oh no wait, propane, not butane", "butane", "propane"),
        ("sorry, i meant brass not copper", "copper", "brass"),
        ("scratch that, let's use rye and not wheat", "wheat", "rye"),
        ("changed my mind: linen not cotton, it breathes", "cotton", "linen"),
        ("hm sorry, i meant larch", "", "larch"),
        ("scratch that, propane", "", "propane"),
        ("changed my mind, gravel for the yard", "", "gravel for the yard"),
    ],
)
def test_a_correction_names_what_it_takes(said: str, left: str, taken: str) -> None:
    turn = bare_turn(Passage(said, said))
    assert turn is not None and (turn.left, turn.taken) == (left, taken)


@pytest.mark.parametrize(
    "said",
    [
        "larch not oak",
        "actually it's not oak",
        "no wait, that is not right",
        "sorry, i meant to ask about the oak",
        "scratch that",
        "changed my mind about the oak",
        "actually works not really",
    ],
)
def test_other_words_name_nothing(said: str) -> None:
    assert bare_turn(Passage(said, said)) is None


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        ("we use oak for the hatch", "no wait, larch not oak"),
        ("we go with butane for the stove", "propane handles that as well, so drop butane"),
        ("we go with jsdom for the previews", "the browser does that already, kill jsdom"),
        ("we use bark for the paths", "changed my mind, gravel for the paths"),
        ("decided: monthly tastings in the cellar", "tastings quarterly, monthly was silly"),
        ("decided: daily readings of the wells", "daily was overkill, readings weekly"),
    ],
)
def test_what_was_decided_ends(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = decisions(em, project)
    say(em, project, "sweep the floor", said)
    now = decisions(em, project)
    assert now.pop(old) == "superseded" and list(now.values()) == ["active"]


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        ("we use oak for the hatch", "actually larch not pine"),
        ("we go with butane for the stove", "propane can do that too, should we drop butane?"),
        ("we go with node for the previews", "the worker does that already, kill the node process"),
        ("we use bark for the paths", "changed my mind, gravel for the yard"),
        ("decided: monthly tastings in the cellar", "newsletters quarterly, monthly was silly"),
        ("decided: daily readings of the wells", "readings weekly, the pump was silly"),
        ("we use oak for the hatch", "hm sorry, i meant the left one"),
        ("we use oak for the hatch", "scratch that, run the tests"),
    ],
)
def test_what_was_decided_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = decisions(em, project)
    say(em, project, said)
    assert decisions(em, project)[old] == "active"


@pytest.mark.parametrize("said", ["hm sorry, i meant larch", "scratch that, larch", "changed my mind, larch"])
def test_a_name_alone_takes_the_place_of_the_one_chosen_just_before(
    em: Forge, project: str, said: str
) -> None:
    say(em, project, "lets use oak for the hatch", "A: Done.", said)
    assert decisions(em, project) == {
        "lets use oak for the hatch": "superseded",
        "lets use larch for the hatch": "active",
    }


@pytest.mark.parametrize(
    "turns",
    [
        ("lets use oak for the hatch", "sand the rail", "scratch that, mast"),
        ("we decided to keep the rope and the cleats", "sorry, i meant chain"),
        ("lets use oak for the hatch", "sorry, i meant larch?"),
        ("lets use oak for the hatch", "sorry, i meant the left one"),
        ("lets use oak for the hatch", "scratch that, run the tests"),
    ],
)
def test_a_name_alone_decides_nothing_where_more_may_be_meant(
    em: Forge, project: str, turns: tuple[str, ...]
) -> None:
    say(em, project, turns[0])
    before = decisions(em, project)
    say(em, project, *turns[1:])
    assert before and decisions(em, project) == before
