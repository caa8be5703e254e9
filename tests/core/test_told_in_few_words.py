"""What is told in a few words of how it is to be, and what only sounds like it."""

from __future__ import annotations

import pytest

from engramforge.core.detection.rule_extractor import detect

_LEAST = 0.6
"""From here on a person's own words make an entry."""
TOLD = (
    "we use maria 11 in the office. no mongo on the tills, they just write to disk",
    "no javascript in the mails, only plain html",
    "no cookies on the landing page, we just count hits",
    "weights in grams everywhere, whole numbers. never floats",
    "dates as iso strings everywhere",
    "dont touch vendor/tide.pl, the harbour office still runs it every week",
    "do not change config/prod.yml, ops owns it",
    "dont delete anything under /srv/old",
    "berth ids: deck letter plus 3 digits, B-041",
    "slugs: lowercase, max 40 chars",
    "offline drafts in localstorage, upload once the skipper logs in",
    "uploads in s3, delete after 30 days",
    "cache on the tills: redis, 512 mb",
    "web server in front: caddy",
)
TOLD_OF = (
    "don't touch main.py yet",
    "don't edit the file now",
    "don't touch src/a.py, just explain what it does",
    "don't change anything in app.py until the tests pass",
    "it doesn't touch legacy/",
    "no errors in the logs, they just stop",
    "no luck on the server, it just hangs",
    "no tests in the repo",
    "bugs in the code everywhere",
    "i see prices in cents everywhere",
    "error codes: 4 digits missing",
    "phone numbers: one has 9 digits, strange",
    "bug in parser, crash when empty",
    "typo in readme, fix it when done",
    "db: connection refused",
    "broker: timeout after 5 s",
    "queue: 12 jobs",
    "auth: token expired, again",
    "ferry queue at the pier: very long",
    "storage in the hall: endless shelves",
)


@pytest.mark.parametrize("said", TOLD)
def test_it_is_decided(said: str) -> None:
    found = [each for each in detect(said) if each.is_new_decision and each.confidence >= _LEAST]
    assert found and found[-1].sentence in said


@pytest.mark.parametrize("said", TOLD_OF)
def test_nothing_is_decided(said: str) -> None:
    assert not any(each.is_new_decision for each in detect(said))
