"""Where, when and for whom statements hold, and what is said of it in other words: what is a conflict, and what not."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

from engramforge.core.conflicts import scopes, wording
from engramforge.core.conflicts.asked_matter import answers_against
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Signal

APART = [
    # A digest is no amount, and nobody chose it.
    ("The map was drawn at commit 5c1707ab91f2.", "The map was drawn at commit 80e15d9977aa."),
    ("Release 12 is the digest 1f9a88b04c.", "Release 12 is the digest 7730bcd1e5."),
    # Another place.
    ("At Aarhus the pilots start after nine.", "At Esbjerg the pilots start before seven."),
    ("The pilots start at nine at Aarhus.", "At Esbjerg the pilots start at seven."),
    ("For Iceland we keep receipts seven years.", "For Peru we keep receipts five years."),
    ("On Tuesdays the quay opens at six.", "On Saturdays the quay opens at ten."),
    # Periods that do not meet.
    ("Until the end of May we rent the barge by the day.", "From June on we rent the barge by the week."),
    ("Before 2020 the logs were written on paper.", "Since 2020 the logs are written in the app."),
    ("In July we rent the barge by the hour as a trial.", "We rent the barge by the week."),
    ("Seats in the first row cost 40 euros.", "Seats in the second row cost 30 euros."),
    # Exceptions.
    ("All ships except the tugs need a pilot.", "The tugs need no pilot."),
    ("No bikes are let in apart from folding bikes.", "Folding bikes are let in."),
    ("Nobody other than members votes.", "Members vote."),
    ("Every crane except the blue one is oiled.", "The blue crane is not oiled."),
    # Times are no places.
    ("Nets are dried on Mondays.", "Nets are dried on the pier every Thursday."),
    # Other things, other holders, other verbs.
    ("Wiebke owns the tide table.", "Jonte owns the tide chart."),
    ("Wiebke owns the tide table.", "Jonte and Wiebke own the tide table."),
    ("The mate decides which rope is cut.", "The cook decides which bread is cut."),
    ("The viewer runs on Android 10 and later.", "Phones older than iOS 14 are refused."),
    ("The viewer runs on Android 10 and later.", "Phones older than Android 9 are refused."),
    ("A pilot takes at most three vessels a shift.", "A tug takes at most nine vessels a shift."),
    ("The lock is greased every night.", "The lock is painted every year."),
    ("The folder says that crew photos are burned after a week.", "Crew lists are burned after a year."),
]
AGAINST = [
    (Signal.OPPOSITE, "Buoys are lit automatically by the dusk sensor.", "Buoys are lit manually by the keeper."),
    (Signal.NUMBER, "A pilot takes at most three vessels a shift.", "One pilot can take up to five vessels a shift."),
    (Signal.NUMBER, "The hull takes at least two coats.", "The hull takes at least four coats."),
    (Signal.NUMBER, "The viewer runs on Android 10 and later.", "Anything older than Android 13 is turned away."),
    (Signal.NUMBER, "The charts are backed up every night.", "Backups of the charts are taken weekly."),
    (Signal.NUMBER, "The pump is greased every Sunday.", "The pump is greased once a day."),
    (Signal.CHOICE, "Wiebke owns the tide table.", "Jonte is in charge of the tide table."),
    (Signal.CHOICE, "The mate decides when a rope is cut.", "The cook decides when a rope is cut."),
    (Signal.NEGATION, "Flares must never be thrown overboard.", "We threw flares overboard in the drill."),
    (Signal.NEGATION, "Crew lists cannot be printed.", "Crew lists are printed for the customs."),
    (Signal.NEGATION, "All ships need a pilot.", "The ships of the navy need no pilot."),
    (Signal.NEGATION, "All ships except the tugs need a pilot.", "The tugs require a pilot."),
    (Signal.CHOICE, "The skipper signs the manifest on paper.", "The manifest is signed by the skipper in the app."),
    (Signal.CHOICE, "Catches are weighed in ounces.", "All catches are weighed in grams."),
    (Signal.NUMBER, "Crew photos are kept for two years.", "The folder says that crew photos are erased after a week."),
    (Signal.CHOICE, "We rent the barge by the week.", "From June on we rent the barge by the day."),
]  # fmt: skip


@pytest.mark.parametrize("package", [scopes, wording])
def test_the_worked_examples_hold(package: ModuleType) -> None:
    names = [each.name for each in pkgutil.iter_modules(package.__path__)]
    failed = [doctest.testmod(importlib.import_module(f"{package.__name__}.{name}")).failed for name in names]
    assert failed and not any(failed)


@pytest.mark.parametrize("pair", APART)
def test_scopes_that_do_not_meet_are_no_conflict(pair: tuple[str, str]) -> None:
    one, other = pair
    assert disagreement(one, other) is None
    assert disagreement(other, one) is None


@pytest.mark.parametrize(("signal", "one", "other"), AGAINST)
def test_what_excludes_each_other_in_other_words(signal: Signal, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        found = disagreement(*pair)
        assert found is not None and found.signal is signal, (pair, found)


def test_what_one_project_rejected_is_chosen_beside_what_it_alone_took() -> None:
    against = disagreement(
        "Rafts are allowed in the autumn race.", "Kayaks only for the autumn race.", (), ["rafts"]
    )
    assert against is not None and against.signal is Signal.REJECTED
    assert (
        disagreement(
            "Rafts are allowed in the spring race.", "Kayaks only for the autumn race.", (), ["rafts"]
        )
        is None
    )


def test_an_exception_is_no_other_answer() -> None:
    query = "Do the tugs need a pilot?"
    assert (
        answers_against(query, "All ships except the tugs need a pilot.", "The tugs need no pilot.") is None
    )
    assert answers_against(query, "The tugs need a pilot.", "The tugs need no pilot.") is not None
