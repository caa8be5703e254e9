"""Decision records taken apart: Nygard, adr-tools, MADR and free forms; what their words of status and days mean."""

from datetime import UTC, datetime

import pytest

from engramforge.core.decision_records.decision_record import RecordStatus, read_record, status_of
from engramforge.core.decision_records.record_references import Reference, number_of_file
from engramforge.core.text.dates import day_of

NYGARD = """# 7. Feed the hens at dawn

Date: 2021-03-04

## Status

Accepted

Supercedes [3. Feed at noon](0003-feed-at-noon.md)

Amended by [9. Feed less](0009-feed-less.md), and clarified by [ADR-0010](https://farm.example/adr/0010-hours.md#why)

## Context

Hens wake early.

```
## Status
Rejected
```

## Decision

We feed at dawn.

### How

With corn.

## Consequences

Somebody gets up.
"""
MADR = """---
status: "superseded by [ADR-0012](0012-two-barns.md)"
date: 2022-05-06
tags: [barn, roof]
deciders: Ann
---
# One Barn for All

## Context and Problem Statement

Where do the animals sleep?

## Considered Options

* One barn
* Two barns
* No barn at all

## Decision Outcome

Chosen option: "One barn", because it is cheap to heat.

### Consequences

* Good, because warm
"""
INLINE = """# ADR 12 - Two barns

* Status: accepted
* Date: 6 May 2023
* Supersedes: ADR-0004, ADR-0011
* Tags: barn, winter

## Context

This ADR in part supersedes [ADR 5](0005-hay.md). See [ADR 6](0006-x.md).

## Decision

Two barns.
"""


def test_a_record_of_nygard() -> None:
    record = read_record(NYGARD, "0007-feed-the-hens.md")
    assert record is not None
    assert (record.number, record.title, record.heading) == (
        7,
        "Feed the hens at dawn",
        "7. Feed the hens at dawn",
    )
    assert (record.status, record.date) == (RecordStatus.ACCEPTED, datetime(2021, 3, 4, tzinfo=UTC))
    assert record.decision == "We feed at dawn.\n\n### How\n\nWith corn."
    assert record.context.startswith("Hens wake early.") and record.consequences == "Somebody gets up."
    assert record.references == (
        Reference("SUPERSEDES", False, "0003-feed-at-noon.md", 3),
        Reference("AMENDS", True, "0009-feed-less.md", 9),
        Reference("CLARIFIES", True, "0010-hours.md", 10),
    )


def test_a_record_of_madr() -> None:
    record = read_record(MADR, "0002-one-barn.md")
    assert record is not None
    assert (record.number, record.title, record.status) == (2, "One Barn for All", RecordStatus.SUPERSEDED)
    assert record.references == (Reference("SUPERSEDES", True, "0012-two-barns.md", 12),)
    assert record.tags == ("barn", "roof") and record.date == datetime(2022, 5, 6, tzinfo=UTC)
    assert (record.chosen, record.reason) == ("One barn", "it is cheap to heat.")
    assert record.options == ("One barn", "Two barns", "No barn at all")


def test_a_record_with_its_fields_at_the_head() -> None:
    record = read_record(INLINE, "adr-012-two-barns.md")
    assert record is not None
    assert (record.number, record.title, record.status) == (12, "Two barns", RecordStatus.ACCEPTED)
    assert record.date == datetime(2023, 5, 6, tzinfo=UTC) and record.tags == ("barn", "winter")
    assert set(record.references) == {
        Reference("SUPERSEDES", False, number=4),
        Reference("SUPERSEDES", False, number=11),
        Reference("PARTLY_SUPERSEDES", False, "0005-hay.md", 5),
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Notes\n\nWe talked.\n",
        "# Readme\n\n## Context\n\nNone.\n",
        "## Status\n\nAccepted\n",
        "plain text",
    ],
)
def test_what_is_no_record(text: str) -> None:
    assert read_record(text, "notes.md") is None


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("Accepted", "accepted"),
        ("✅ Approved", "accepted"),
        ("✅", "accepted"),
        ("**Proposed**", "proposed"),
        ("\U0001f914 Incomplete", "proposed"),
        ("Pending", "proposed"),
        ("❌ Rejected (see [019](019-x.md))", "rejected"),
        ("Deprecated since we moved", "deprecated"),
        ("⌛️ Superseded by [036](036-x.md)", "superseded"),
        ("Partly superseded", "accepted"),
        ("Accepted\n\nSuperceded by [5. X](0005-x.md)", "superseded"),
        ("Accepted\n\nThe team rejected other ways, which were deprecated", "accepted"),
        ("Proposed\n\nAccepted", "accepted"),
        ("{accepted}", "accepted"),
        ("Who knows", "unstated"),
        ("", "unstated"),
    ],
)
def test_what_a_status_means(said: str, means: str) -> None:
    assert status_of(said) == means


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2021-02-03", (2021, 2, 3)),
        ("2021/02/03", (2021, 2, 3)),
        ("on 05/02/2018.", (2018, 2, 5)),
        ("10/04/18", (2018, 4, 10)),
        ("12/25/2019", (2019, 12, 25)),
        ("3rd of no month", None),
        ("3rd March 2020", (2020, 3, 3)),
        ("March 3, 2020", (2020, 3, 3)),
        ("Sept 2020", (2020, 9, 1)),
        ("99/99/2020", None),
    ],
)
def test_days_as_people_write_them(said: str, day: tuple[int, int, int] | None) -> None:
    assert day_of(said) == (None if day is None else datetime(*day, tzinfo=UTC))


def test_the_number_of_a_file() -> None:
    names = ("0021-x.md", "adr-7.md", "ADR_0003_x.md", "2024-01-05-x.md", "20240105-x.md", "notes-3.md")
    assert [number_of_file(name) for name in names] == [21, 7, 3, None, None, None]
