"""A value that a person sets as a plain fact, and what only tells what somebody sees, measures or waits for."""

from __future__ import annotations

import pytest

from engramforge.core.injection.outright import sets_plainly


@pytest.mark.parametrize(
    "said",
    [
        "berths are 12 m long",
        "lessons last 45 minutes, trials 20",
        "parcels are capped at 25 kg",
        "the ovens start at 3 am",
        "keys need 8 characters",
        "drafts are deleted after 14 days",
        "the sync with the harbour runs every 15 minutes",
        "deposit is 50 euro",
        "line length is 120",
        "the scale listens on 8085",
        "bulletin goes out 17:00",
    ],
)
def test_it_sets_a_value(said: str) -> None:
    assert sets_plainly(said)


@pytest.mark.parametrize(
    "said",
    [
        "there were 12 leaks in the hull",
        "the test took 12 minutes",
        "the ferry is 20 min late",
        "the build is at 80 %",
        "the suite needs 4 minutes",
        "it runs for 20 seconds",
        "the meeting is at 3 pm",
        "train leaves in 10 minutes",
        "the tank is 80 % full",
        "the customer needs 3 licenses",
        "the oven should be 180 degrees",
        "are berths 12 m long?",
        "the export is 3 days away",
        "version 3 is 20 mb",
        "paint the berths",
    ],
)
def test_it_sets_none(said: str) -> None:
    assert not sets_plainly(said)
