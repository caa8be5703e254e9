"""What a person says later overtakes what was said before, whether or not it states anything by itself."""

from __future__ import annotations

import pytest

from engramforge.core.injection.inputs.overtaking import looked_for, overtakes


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("the gate closes after 8 seconds", "8s is too quick for wheelchairs, 14 will do"),
        ("soak the beans for 12 hours", "12 hours is overkill, make it 6"),
        ("rate limit is 100 requests per minute", "set the rate limit to 40"),
        ("backups are kept 14 days", "backups should be kept 30 days, the auditor asked"),
        ("stir the vat every 20 min, skim it every 90 min", "change: skim it every 45 min, it gets cloudy"),
        ("we send sms through twilio", "twilio keeps blocking us, messagebird does it from now on"),
        ("newsletter goes out on fridays", "fridays nobody reads it, mondays instead"),
        ("wkhtmltopdf renders the reports", "wkhtmltopdf is dead upstream, we render with weasyprint now"),
        ("we build on debian 11", "upgraded the builders to debian 12 today"),
        ("nice, leaflet then", "leaflet is a pain on phones. rip it out, static tiles are enough"),
    ],
)
def test_a_turn_overtakes(earlier: str, later: str) -> None:
    assert overtakes(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("the gate closes after 8 seconds", "8 people waited at the gate for 20 minutes"),
        ("soak the beans for 12 hours", "maybe we soak the beans 6 hours some day"),
        ("rate limit is 100 requests per minute", "the limit of the upload is 40 mb"),
        ("backups are kept 14 days", "show the backups of the last 3 days in the list"),
        ("backups are kept 14 days", "should the backups be kept 30 days?"),
        ("we send sms through twilio", "the twilio test fails now"),
        ("newsletter goes out on fridays", "can you put a picture into the newsletter now"),
        ("max 3 retries on the webhook", "write 5 tests for the webhook"),
        ("wkhtmltopdf renders the reports", "the reports need page numbers"),
        ("stir the vat every 20 min", "for today stir the vat every 40 min"),
    ],
)
def test_other_words_overtake_nothing(earlier: str, later: str) -> None:
    assert not overtakes(later, earlier)


def test_a_later_turn_is_looked_for_by_words_and_amounts() -> None:
    assert {"kiln", "90", "90s"} <= set(looked_for("the kiln beeps for 90 seconds"))
