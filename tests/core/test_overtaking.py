"""What a person says later overtakes what was said before, whether or not it states anything by itself."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.reversals import reversals_in
from engramforge.core.detection.endings.turned import turned_from
from engramforge.core.injection.inputs.overtaking import looked_for, overtakes
from engramforge.core.registries.reversed_decisions import Standing


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


def _ends(said: str, decision: str) -> bool:
    return any(turned_from(turn, [Standing(decision)])[1] for turn in reversals_in(said, ()))


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (
            "we go with leaflet for the map",
            "actually scrap leaflet, the guests want mapbox, must work offline",
        ),
        ("a paper ledger for the stalls", "forget the ledger, the treasurers want a spreadsheet"),
        ("we decided to use tailwind", "bootstrap instead of tailwind plz"),
        ("the lamps stay on for 90 min", "the lamps should stay on for 40 min, the neighbours complain"),
        ("sauna is at 85 degrees", "sauna should be 75 degrees, guests faint"),
        ("lease is 24 months", "lease has to be 12 months, bc of the bank"),
        (
            "choir rehearsal is on mondays",
            "no more monday rehearsals, thursday from now on because of the hall",
        ),
        ("lets use celery for the mails", "celery is overkill, lets use plain threads instead"),
        ("we go with notion for the wiki", "notion is a pain, lets use markdown files instead"),
    ],
)
def test_a_decision_ends(decision: str, said: str) -> None:
    assert _ends(said, decision)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ("we go with leaflet for the map", "the guests want a bigger map"),
        (
            "a paper ledger for the stalls",
            "we would scrap the paper ledger, but the treasurers want to keep it",
        ),
        ("sauna heats to 85 degrees", "sauna should be 75 degrees but it is 60"),
        ("sauna cleaning takes 85 degrees of heat", "the sauna should be 75 degrees"),
        ("the lamps stay on for 90 min", "the lamps should stay on for 40 min if it rains"),
        ("lease is 24 months", "should the lease be 12 months?"),
        ("export batch is 500 rows", "the test batch should be 20 rows"),
        ("lets use postgres for the mails", "postgres is slow, lets use indexes"),
        ("choir rehearsal is on mondays", "no more monday blues for me"),
    ],
)
def test_a_decision_stands(decision: str, said: str) -> None:
    assert not _ends(said, decision)
