"""Matters closed under their name: "the label thing: ..., so thats done", "small kiln: no", "varnish question: ..."."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.closings import closings_in
from engramforge.core.registries.closed_threads import Over, meant_thread

OPEN = (
    "labels for the jam jars",
    "what happens when the bell tower loses power at night?",
    "which varnish do we take for the oars?",
    "do we rent out the small kiln?",
    "call the roofer",
    "find out why the left scale drifts",
    "should members pay by card?",
)


def _closed(said: str, held: str = "") -> set[str]:
    found = closings_in(said, held)
    places = {meant_thread(each.text, OPEN, Over(each.rule)) for each in found} - {None}
    return {OPEN[place] for place in places if place is not None}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("the label thing: printed on the old laser, glued by hand. so that's settled", 0),
        ("labels for the jam jars: white ones from the printer, thats sorted", 0),
        ("bell tower power: a battery from the shed, four hours. that closes it", 1),
        ("varnish question: yacht varnish, two coats", 2),
        ("small kiln: no, insurance forbids it", 3),
        ("paying by card: yes", 6),
        ("left scale: a dead cell, swapped. done", 5),
    ],
)
def test_a_matter_is_closed_under_its_name(said: str, place: int) -> None:
    assert _closed(said) == {OPEN[place]}


def test_an_answer_that_looks_like_a_text_handed_on_closes_it_too() -> None:
    assert _closed("the label thing:", " white ones from the printer. so thats closed") == {OPEN[0]}


@pytest.mark.parametrize(
    "said",
    [
        "the label thing: still open",
        "labels for the jam jars: half of them printed, rest tomorrow, then thats done",
        "varnish question: no idea yet",
        "varnish question: Ann says yacht varnish",
        "varnish question: yacht varnish or oil?",
        "small kiln: it is booked on friday",
        "small kiln rental price: no, too cheap",
        "if the label thing: printed. thats done",
        "call the roofer: he is out until may",
        "bell tower power: we should buy a battery, then that's done",
        "varnish: comes in two sizes",
    ],
)
def test_other_words_behind_a_name_close_nothing(said: str) -> None:
    assert not _closed(said)


def test_a_text_handed_on_closes_nothing() -> None:
    assert not _closed("the roofer says:", " labels for the jam jars are white. so thats done")
