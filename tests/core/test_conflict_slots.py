"""What is told of one thing in different slots, of different people or days, and what only seems to deny."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from engramforge.core.conflicts.asked_matter import answers_against
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.either_or import take_different_ones
from engramforge.core.oracle.otherwise.other_numbers import other_numbers

OTHER_SLOTS = [
    ("The forum runs on Discourse.", "The forum is hosted at Netcup."),
    ("The map service runs on Redis.", "The map service is written in Kotlin."),
    ("The till runs on Alpine.", "The till is located in Ostend."),
    ("The archive is stored in MySQL.", "The archive is hosted in Ghent."),
    ("The tide map runs on Kubernetes.", "The tide map runs on Postgres."),
    ("The tide map is maintained by Ruth.", "The tide map is deployed on Heroku."),
    ("The crane is hosted at Netcup.", "The crane is hosted in Bremen."),
    ("The atlas is printed with Canon.", "The atlas is printed on Fabriano."),
    ("The gate is connected with Zigbee.", "The gate runs on Zephyr."),
    ("Parcels are packed in Ghent.", "Parcels are packed by Ines."),
    ("The tide log is kept in Oslo.", "The tide log is written in Danish."),
    ("The forum runs on Redis.", "The forum runs on Hetzner."),
]
ONE_SLOT = [
    ("Sessions are kept in PostgreSQL.", "Keep user sessions in Redis."),
    ("Parcels are stored in Dropbox.", "Parcels are saved in Nextcloud."),
    ("The tide map is hosted on Netlify.", "The tide map is deployed on Vercel."),
    ("The crane is located in Bremen.", "The crane is located in Ghent."),
    ("The map service is written in Kotlin.", "The map service is written in Rust."),
    ("The forum runs on Discourse.", "The forum runs on Flarum."),
    ("The waltz originated in Bavaria.", "The waltz is a dance originating from Jutland."),
]
OF_OTHERS = [
    ("Ruth speaks Danish.", "Jonte does not speak Danish."),
    ("Rowers get a free towel.", "Coxes get no free towel."),
    ("Stewards wear a yellow vest.", "Cooks do not wear a yellow vest."),
    ("Crashes of the app are collected in Bugsnag.", "Rollbar was rejected for collecting crashes."),
]
DENIED = [
    ("Ruth speaks Danish.", "Ruth does not speak Danish."),
    ("Food is not allowed in the hall.", "Guests may eat in the hall."),
    ("Cheques are refused at the till.", "We take cheques at the till."),
    ("Guests are forbidden to upload files", "Guests may upload files"),
    ("Cheques are not refused at the till.", "Cheques are refused at the till."),
    ("The proposal was rejected.", "The proposal was accepted."),
]


OTHERWISE = [
    (Signal.NUMBER, "Courses last two hours.", "Each course is three hours long."),
    (Signal.NUMBER, "The chapel has 90 seats.", "The chapel seats 60 people."),
    (
        Signal.NUMBER,
        "A season ticket costs 40 euros.",
        "The season ticket will be sold for 55 euros this year.",
    ),
    (Signal.OPPOSITE, "Lunch is free for rowers.", "Rowers have to pay for their lunch."),
    (Signal.OPPOSITE, "Rowers get a free lunch on every regatta.", "Rowers pay for their own lunch."),
    (Signal.OPPOSITE, "Returns are possible up to 14 days after the sale.", "We give no returns."),
    (Signal.NEGATION, "No bread or wine in the library.", "Readers may take wine into the library."),
]
NOT_OTHERWISE = [
    ("Courses last two hours.", "Each course is two hours long."),
    ("Courses last two hours.", "The course on knots is three hours long."),
    ("The chapel has 90 seats.", "The hall seats 60 people."),
    ("The chapel has 90 seats.", "The chapel has 60 windows."),
    ("The chapel seats 60 people.", "60 people work in the chapel."),
    ("The chapel has 90 seats.", "Last year the chapel seated 60 people."),
    ("A season ticket costs 40 euros.", "A day ticket is sold for 9 euros."),
    ("A season ticket costs 40 euros.", "The season ticket for students is sold for 20 euros."),
    ("A season ticket costs 40 euros.", "The season ticket will be sold for 45 euros from May on."),
    ("A season ticket costs 40 euros.", "We sold 55 season tickets this year."),
    ("Lunch is free for rowers.", "Rowers have to pay for their dinner."),
    ("Lunch is free for rowers.", "Guests have to pay for their lunch."),
    ("Returns are possible up to 14 days after the sale.", "We give no loans."),
    ("No bread or wine in the library.", "Readers may take wine into the garden."),
    ("No bread or wine in the library.", "Wine is sold in the cellar under the library."),
    ("No bread or wine in the library.", "The library lends books on wine."),
]


def _like(words: Sequence[str], others: Sequence[str]) -> NDArray[np.float64]:
    """Guests are like visitors, and every other word like itself alone."""
    alike = {"guests", "visitors"}
    return np.array([[1.0 if a == b else 0.4 * ({a, b} == alike) for b in others] for a in words])


def test_other_slots_of_one_thing_are_no_choice() -> None:
    for is_one_matter in (False, True):
        assert not [pair for pair in OTHER_SLOTS if disagreement(*pair, is_one_matter=is_one_matter)]


def test_one_slot_filled_differently_is_a_choice() -> None:
    found = [disagreement(*pair, is_one_matter=True) for pair in ONE_SLOT]
    assert [None if each is None else each.signal for each in found] == [Signal.CHOICE] * len(ONE_SLOT)


def test_what_is_denied_of_others_denies_nothing() -> None:
    assert not [pair for pair in OF_OTHERS if disagreement(*pair, is_one_matter=True)]
    assert [pair for pair in DENIED if not disagreement(*pair, is_one_matter=True)] == []
    told = "Guests may bring dogs into the hall.", "Visitors must not bring dogs into the hall."
    assert disagreement(*told, like=_like, is_one_matter=True)
    asked = "Do people speak Danish?"
    assert answers_against(asked, *OF_OTHERS[0]) is None
    assert answers_against(asked, *DENIED[0]) is not None


@pytest.mark.parametrize(
    ("query", "text", "other", "is_said"),
    [
        ("How many guards are in the yard?", "At least six guards stand in the yard.",
         "Eight guards stand in the yard.", False),
        ("How many guards are in the yard?", "Six guards stand in the yard.",
         "On Friday eight guards stand in the yard.", False),
        ("How many guards are in the yard?", "At most six guards stand in the yard.",
         "Eight guards stand in the yard.", True),
        ("How many guards are in the yard?", "Six guards stand in the yard.", "Eight guards stand in the yard.", True),
        ("How many guards are in the yard on Friday?", "Six guards stand in the yard.",
         "On Friday eight guards stand in the yard.", True),
    ],
)  # fmt: skip
def test_a_bound_or_a_day_beside_a_number_is_no_other_number(
    query: str, text: str, other: str, is_said: bool
) -> None:
    assert (other_numbers(query, text, other) is not None) is is_said


def test_what_is_asked_of_each_of_two_chooses_none() -> None:
    sides = "A tug costs 9 euros.", "A barge costs 4 euros."
    assert take_different_ones("What does it cost, a tug or a barge?", *sides) is None
    assert take_different_ones("Which do we hire, a tug or a barge?", *sides) is not None


def test_plain_pairs_in_other_words_are_found_and_their_neighbours_not() -> None:
    found = [disagreement(one, other) for _, one, other in OTHERWISE]
    assert [each and each.signal for each in found] == [signal for signal, *_ in OTHERWISE]
    assert not [pair for pair in NOT_OTHERWISE if disagreement(*pair)]
