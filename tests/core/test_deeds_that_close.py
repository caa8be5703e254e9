"""Threads that end by what was done: who did it, what came from whom, what was replaced, what a change fixes."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.closings import closings_in
from engramforge.core.registries.closed_threads import Over, meant_thread

LICENCE = "renew the boat licence"
KEY = "ask the harbour office for the mooring key"
CRANE = "who books the crane for the mast?"
PUMP = "check the bilge pump, it starts too late"
LIGHT = "the cabin goes dark when the engine starts, have to look at the relay sometime"
DEPOSITS = "what do we do with deposits when a trip is called off, need to ask Ingo"
CHART = "the chart export drops the last buoy"
HULL = "scrape the hull"
SAILS = "ask Ingo for the sail numbers"
FENDERS = "order new fenders"
HATCH = "the cabin hatch drips"
OPEN = (LICENCE, KEY, CRANE, PUMP, LIGHT, DEPOSITS, CHART, HULL, SAILS, FENDERS, HATCH)


def _closed(said: str) -> set[str]:
    places = {meant_thread(each.text, OPEN, Over(each.rule)) for each in closings_in(said)}
    return {OPEN[place] for place in places if place is not None}


@pytest.mark.parametrize(
    ("title", "said"),
    [
        (LICENCE, "boat licence renewed until 2029"),
        (LICENCE, "the boat licence is renewed for another year"),
        (LICENCE, "petra renewed the boat licence"),
        (HULL, "hull scraped today"),
        (KEY, "got the mooring key from the harbour office this morning"),
        (KEY, "the mooring key arrived"),
        (SAILS, "the sail numbers from ingo are here"),
        (CRANE, "petra booked the crane"),
        (FENDERS, "ingo has ordered the fenders"),
        (PUMP, "bilge pump is swapped, kicks in at once now"),
        (LIGHT, "cabin relay is replaced, stays bright"),
        (HATCH, "ingo replaced the cabin hatch"),
        (DEPOSITS, "ingo says deposits: paid back in full within a week. so thats decided"),
        (CHART, "this fixes the chart export"),
        (CHART, "fixes the chart export"),
        (CHART, "the last commit fixes the chart export"),
    ],
)
def test_a_deed_that_is_told_closes_its_thread(title: str, said: str) -> None:
    assert _closed(said) == {title}


@pytest.mark.parametrize(
    "said",
    [
        "boat licence will be renewed",
        "will renew the boat licence tomorrow",
        "boat licence still not renewed",
        "is the boat licence renewed?",
        "fishing licence renewed until 2029",
        "boat licence renewed, hopefully tomorrow",
        "the boat licence needs to be renewed until may",
        "boat licence fee renewed",
        "got the mooring form from the harbour office",
        "got the mooring key from tim",
        "did we get the mooring key from the harbour office?",
        "got no mooring key from the harbour office",
        "petra booked the crane driver",
        "petra wants to book the crane",
        "petra almost booked the crane",
        "petra booked the hook for the crane",
        "petra ordered the wrong fenders",
        "petra ordered half the fenders",
        "the fenders ordered the crane",
        "bilge pump is swapped, still starts too late",
        "bilge pump is swapped. still starts too late",
        "bilge pump is swapped but that didn't help",
        "the bilge pump hose is replaced",
        "the bilge pump is replaced next week",
        "ingo says he will look at the deposits",
        "ingo says deposits: no idea yet. so thats decided",
        "ingo says deposits: paid back in full within a week",
        "this fixes the chart colours",
        "this should fix the chart export",
        "does this fix the chart export?",
        "this only half fixes the chart export",
        "this fixes the chart export for small charts",
    ],
)
def test_plans_doubts_and_other_objects_close_nothing(said: str) -> None:
    assert not _closed(said)


def test_a_deed_that_two_threads_may_mean_closes_neither() -> None:
    titles = ("the fore hatch drips", "the aft hatch drips")
    assert meant_thread("the hatch", titles, Over.REPLACED) is None
