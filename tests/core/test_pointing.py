"""What a turn gives that names nothing, and which decision it changes, by the talk around it."""

from __future__ import annotations

import pytest

from engramforge.core.pointing.meant import Choice, meant
from engramforge.core.pointing.pointed import changed_by, pointed_in
from engramforge.model.registries.detection import Said, Talk

DECIDED = (
    Choice("the hull is painted teal", "hull"),
    Choice("the kiln cools for 30 minutes", "kiln"),
    Choice("a margin of 8 mm on all sheets", "margin"),
    Choice("posters: we go with vellum", "posters"),
    Choice("tags get a label of 60 x 40 mm", "tags"),
)


@pytest.mark.parametrize(
    ("turn", "value"),
    [
        ("make it 14", "14"),
        ("hm, change that to 14 mm please", "14 mm"),
        ("14 is nicer, use that", "14"),
        ("let's do 14 instead", "14"),
        ("can you set them to 14?", "14"),
        ("looks good. bump it to 14", "14"),
        ("set it to 14, says the printer", "14"),
        ("make that purple", "purple"),
        ("switch it to kraft", "kraft"),
        ("hm no wait, kraft", "kraft"),
        ("should we set it to 14?", None),
        ("set it to 14 for the demo only", None),
        ("maybe make it 14", None),
        ("make the gutter 14", None),
        ("14 of them fail, change it", None),
        ("no wait, run the tests", None),
        ("switch it to the other branch", None),
    ],
)
def test_what_a_turn_gives_that_names_nothing(turn: str, value: str | None) -> None:
    given = pointed_in(turn)
    assert (given and given.value) == value


def _meant(turn: str, *before: str, answer: str | None = None) -> tuple[list[str], bool]:
    """What a turn changes; `before`: newest first, an assistant's begins with "A: ", one of a decision is its id."""
    given = pointed_in(turn)
    assert given is not None
    own = {each.message_id: each.text for each in DECIDED}
    said = tuple(
        Said(own.get(each, each.removeprefix("A: ")), each, not each.startswith("A: ")) for each in before
    )
    head = (Said(given.before, "", True),) if given.before else ()
    places, is_clear = meant(given, Talk((*head, *said), answer), DECIDED)
    return [DECIDED[at].message_id for at in places], is_clear


@pytest.mark.parametrize(
    ("turn", "before", "answer", "changed"),
    [
        ("make it 14", ("A: ok, 8 mm.", "margin"), None, "margin"),
        ("14 is nicer, use that", ("A: ok", "margin"), None, "margin"),
        ("make it 14", ("A: 8 mm", "which margin do we have?"), None, "margin"),
        ("make it 14", (), "Set the margin to 14 mm.", "margin"),
        (
            "make it 45",
            ("A: green", "how is the build?", "A: ok", "margin"),
            "The kiln cools for 45 now.",
            "kiln",
        ),
        ("make that purple", ("A: teal it is", "hull"), None, "hull"),
        ("make it 14", ("A: all pass", "thx. run the tests", "A: ok", "margin"), "14 now.", "margin"),
        ("make it 14", ("A: The outer margin is 8 mm.", "it looks odd"), None, "margin"),
        ("switch it to kraft", ("A: ok", "posters"), None, "posters"),
        ("make them 80 x 50", ("A: ok", "the labels are too small"), "Labels are 80 x 50 mm now.", "tags"),
        ("hm no wait, kraft", ("A: ok", "the sheets curl"), "Switched the posters to kraft.", "posters"),
    ],
)
def test_it_is_clear_what_is_changed(
    turn: str, before: tuple[str, ...], answer: str | None, changed: str
) -> None:
    assert _meant(turn, *before, answer=answer) == ([changed], True)


@pytest.mark.parametrize(
    ("turn", "before", "answer"),
    [
        ("...and the gutter? make it 14", ("A: ok", "margin"), None),
        ("make it 14", ("A: it is 4 mm", "what about the gutter?", "A: ok", "margin"), "14 mm now."),
        ("make it 14", ("A: it is 4 mm", "the gutter looks odd", "A: ok", "margin"), "Done."),
        ("make it 14", (), "Set the gutter to 14 mm."),
        ("make it 14 kg", ("A: ok", "margin"), "14 kg now."),
        ("make that purple", ("A: ok", "and the sail?", "A: ok", "hull"), "Purple now."),
        ("no wait, mysql", ("A: ok", "kiln"), None),
        ("lower it to 20", ("A: The kiln door is at 25.", "it smells"), "20 now."),
    ],
)
def test_what_is_of_something_else_changes_nothing(
    turn: str, before: tuple[str, ...], answer: str | None
) -> None:
    assert _meant(turn, *before, answer=answer) == ([], False)


@pytest.mark.parametrize(
    ("turn", "before", "answer", "perhaps"),
    [
        ("make it 14", ("A: ok", "add a footer", "A: ok", "margin"), "14 now.", ["margin"]),
        ("make it 14", (), "14 mm now.", ["margin"]),
        ("make it 14", (), "Done.", ["kiln", "margin"]),
        ("no wait, kraft", (), None, ["posters"]),
        ("make it 900", ("A: ok", "margin"), None, ["margin"]),
    ],
)
def test_it_waits_where_that_is_not_clear(
    turn: str, before: tuple[str, ...], answer: str | None, perhaps: list[str]
) -> None:
    assert _meant(turn, *before, answer=answer) == (perhaps, False)


@pytest.mark.parametrize(
    ("decision", "turn", "changed"),
    [
        ("a margin of 8 mm on all sheets", "make it 14", "a margin of 14 mm on all sheets"),
        ("the hull is painted teal", "make that purple", "the hull is painted purple"),
        ("posters: we go with vellum", "switch it to kraft", "posters: we go with kraft"),
        ("backups run on Mondays", "change that to Tuesdays", "backups run on Tuesdays"),
        ("margins of 8 mm and 4 mm", "make it 900", ""),
        ("tags get a label of 60 x 40 mm", "make them 80x50", "tags get a label of 80x50 mm"),
    ],
)
def test_a_decision_in_its_words_with_what_a_turn_gives(decision: str, turn: str, changed: str) -> None:
    given = pointed_in(turn)
    assert given is not None
    assert changed_by(decision, given) == changed
