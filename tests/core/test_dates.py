"""Dates named in a text: every form against days counted by hand, nonsense, adversarial lengths."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.text.dates import (
    OPEN_FUTURE,
    OPEN_PAST,
    POINT,
    RANGE,
    RELATIVE,
    YEARLESS,
    Found,
    Interval,
    has_date_cue,
    intervals_in,
)

ANCHOR = date(2023, 5, 20).toordinal()
"""A Saturday."""


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def between(start: str, end: str, kind: int) -> Interval:
    return Interval(day(start), day(end), kind)


@pytest.mark.parametrize(
    "text, start, end, kind",
    [
        ("2023-05-08", "2023-05-08", "2023-05-08", POINT),
        ("8 May 2023", "2023-05-08", "2023-05-08", POINT),
        ("8th of May, 2023", "2023-05-08", "2023-05-08", POINT),
        ("May 8, 2023", "2023-05-08", "2023-05-08", POINT),
        ("Sept. 3rd 1999", "1999-09-03", "1999-09-03", POINT),
        ("february 2024", "2024-02-01", "2024-02-29", POINT),
        ("May of 1998", "1998-05-01", "1998-05-31", POINT),
        ("1811", "1811-01-01", "1811-12-31", POINT),
        ("the 1920s", "1920-01-01", "1929-12-31", POINT),
        ("the 1920's", "1920-01-01", "1929-12-31", POINT),
        ("summer of 2020", "2020-06-01", "2020-08-31", POINT),
        ("winter 2020", "2020-12-01", "2021-03-02", POINT),
        ("2014-15", "2014-01-01", "2015-12-31", RANGE),
        ("2014/15", "2014-01-01", "2015-12-31", RANGE),
        ("2014-02", "2014-01-01", "2014-12-31", POINT),
    ],
)
def test_explicit_dates(text: str, start: str, end: str, kind: int) -> None:
    expected = [between(start, end, kind)]
    assert intervals_in(text) == expected
    assert intervals_in(f"It was in {text}, they say.", ANCHOR) == expected


@pytest.mark.parametrize(
    "text, start, end",
    [
        ("yesterday", "2023-05-19", "2023-05-19"),
        ("last night", "2023-05-19", "2023-05-19"),
        ("today", "2023-05-20", "2023-05-20"),
        ("this morning", "2023-05-20", "2023-05-20"),
        ("tomorrow", "2023-05-21", "2023-05-21"),
        ("the day before yesterday", "2023-05-18", "2023-05-18"),
        ("last week", "2023-05-13", "2023-05-19"),
        ("this week", "2023-05-15", "2023-05-21"),
        ("next week", "2023-05-22", "2023-05-28"),
        ("last weekend", "2023-05-12", "2023-05-14"),
        ("next weekend", "2023-05-27", "2023-05-28"),
        ("last month", "2023-04-01", "2023-04-30"),
        ("next month", "2023-06-01", "2023-06-30"),
        ("last year", "2022-01-01", "2022-12-31"),
        ("last summer", "2022-06-01", "2022-08-31"),
        ("last Friday", "2023-05-19", "2023-05-19"),
        ("last Saturday", "2023-05-13", "2023-05-13"),
        ("next Friday", "2023-05-26", "2023-05-26"),
        ("this past Monday", "2023-05-15", "2023-05-15"),
        ("last March", "2023-03-01", "2023-03-31"),
        ("last June", "2022-06-01", "2022-06-30"),
        ("next March", "2024-03-01", "2024-03-31"),
        ("next June", "2023-06-01", "2023-06-30"),
        ("three days ago", "2023-05-17", "2023-05-17"),
        ("2 weeks ago", "2023-05-03", "2023-05-09"),
        ("two weeks earlier", "2023-05-03", "2023-05-09"),
        ("two weeks back", "2023-05-03", "2023-05-09"),
        ("a month ago", "2023-04-05", "2023-05-05"),
        ("a couple of days ago", "2023-05-18", "2023-05-18"),
        ("two Fridays ago", "2023-05-12", "2023-05-12"),
        ("the last four months", "2023-01-20", "2023-05-20"),
        ("15 May", "2023-05-15", "2023-05-15"),
        ("Aug 15th", "2022-08-15", "2022-08-15"),
        ("in December", "2022-12-01", "2022-12-31"),
    ],
)
def test_dates_relative_to_the_day_of_the_text(text: str, start: str, end: str) -> None:
    assert intervals_in(text, ANCHOR) == [between(start, end, RELATIVE)]


def test_may_asks_for_leave_where_a_sentence_begins_with_it() -> None:
    for text in ("May we moor here?", "Is it deep? May I ask who dredged it?", "May anyone fish?"):
        assert intervals_in(text, ANCHOR) == [], text
    for text in ("In May we moored here", "who fished in early May?", "May was dry"):
        assert intervals_in(text, ANCHOR) == [between("2023-05-01", "2023-05-31", RELATIVE)], text


def test_relative_dates_need_an_anchor() -> None:
    for text in ("yesterday", "last week", "two weeks ago", "the last 3 months", "15 May"):
        assert intervals_in(text) == []


@pytest.mark.parametrize(
    "text, start, end",
    [
        ("from 1811 to 1827", day("1811-01-01"), day("1827-12-31")),
        ("1981 - 1992", day("1981-01-01"), day("1992-12-31")),
        ("1981\u20131992", day("1981-01-01"), day("1992-12-31")),
        ("between May 2020 and July 2021", day("2020-05-01"), day("2021-07-31")),
        ("from 2023-01-05 until 2023-02-01", day("2023-01-05"), day("2023-02-01")),
        ("since 1990", day("1990-01-01"), OPEN_FUTURE),
        ("1990 to the present", day("1990-01-01"), OPEN_FUTURE),
        ("after 8 May 2023", day("2023-05-08"), OPEN_FUTURE),
        ("until 1827", OPEN_PAST, day("1827-12-31")),
        ("by March 2020", OPEN_PAST, day("2020-03-31")),
        ("before March 2020", OPEN_PAST, day("2020-03-01")),
    ],
)
def test_ranges_come_first(text: str, start: int, end: int) -> None:
    found = intervals_in(text)
    assert found[0] == Interval(start, end, RANGE)
    assert [each.kind for each in found[1:]] == [POINT] * (len(found) - 1)
    assert len(found) >= 2


def test_and_joins_only_after_between() -> None:
    assert [each.kind for each in intervals_in("1990 and 1995")] == [POINT, POINT]
    assert [each.kind for each in intervals_in("from 1995 to 1990")] == [POINT, POINT]


def test_a_querys_date_without_a_year_stands_for_every_known_year() -> None:
    assert intervals_in("15 May", ANCHOR, (2022, 2023)) == [
        between("2022-05-15", "2022-05-15", YEARLESS),
        between("2023-05-15", "2023-05-15", YEARLESS),
    ]
    assert intervals_in("29 February", ANCHOR, (2022,)) == []


def test_ranges_of_dates_without_a_year_are_made_within_each_year() -> None:
    found = intervals_in("between August 11 and August 15", ANCHOR, (2021, 2022))
    assert found[:2] == [
        between("2021-08-11", "2021-08-15", RANGE),
        between("2022-08-11", "2022-08-15", RANGE),
    ]
    over_new_year = intervals_in("from November to February", ANCHOR, (2021, 2022))
    assert over_new_year[0] == between("2021-11-01", "2022-02-28", RANGE)
    with_one_year = intervals_in("between August 11 and August 15 2023", ANCHOR, (2023,))
    assert with_one_year[0] == between("2023-08-11", "2023-08-15", RANGE)


def test_an_open_range_begins_at_the_last_occurrence() -> None:
    found = intervals_in("since March", ANCHOR, (2021, 2022, 2023))
    assert [each for each in found if each.kind == RANGE] == [Interval(day("2023-03-01"), OPEN_FUTURE, RANGE)]
    later = intervals_in("since October", ANCHOR, (2021, 2022, 2023))
    assert [each for each in later if each.kind == RANGE] == [Interval(day("2022-10-01"), OPEN_FUTURE, RANGE)]


def test_what_is_known_takes_the_place_of_what_is_read() -> None:
    known = Found(6, 16, between("2023-05-12", "2023-05-12", POINT))
    assert intervals_in("since 12.05.2023", None, (), [known]) == [
        Interval(day("2023-05-12"), OPEN_FUTURE, RANGE),
        between("2023-05-12", "2023-05-12", POINT),
    ]


@pytest.mark.parametrize(
    "text",
    ["", "no date here", "2023-13-45", "31 February 2023", "45 May", "1850 km", "1500 people", "123456", "0900",
     "3000", "12:1999x", "may be", "the march of time", "sun"],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert [each for each in intervals_in(text, ANCHOR) if each.kind == POINT] == []


def test_the_cue_lets_every_form_through() -> None:
    for text in (
        "yesterday",
        "8 May",
        "In may 1811",
        "two years back",
        "a week earlier",
        "last Friday",
        "tonight",
    ):
        assert has_date_cue(text)
    assert not has_date_cue("Nothing here names any time.")


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(
            ["31 ", "May ", "1811", "2023", "-", "0000", "99", "last ", "next ", "Friday", "week", "from ", "to ",
             "between ", "and ", "since ", "999 ", "years ", "ago", "9999", "\n", "the ", "s ", "spring ", "Feb "]
        ),
        max_size=25,
    ).map("".join),
    st.none() | st.integers(1, date.max.toordinal()),
    st.lists(st.integers(1, 9999), max_size=3).map(tuple),
)  # fmt: skip
def test_never_raises_and_intervals_are_in_order(
    text: str, anchor: int | None, years: tuple[int, ...]
) -> None:
    for start, end, kind in intervals_in(text, anchor, years):
        assert start <= end
        assert kind in (POINT, RANGE, RELATIVE, YEARLESS)


@given(st.dates(date(1000, 1, 1), date(2099, 12, 31)))
def test_every_calendar_day_is_read_in_each_form(when: date) -> None:
    expected = [Interval(when.toordinal(), when.toordinal(), POINT)]
    month, year = when.strftime("%B"), when.year
    assert intervals_in(when.isoformat()) == expected
    assert intervals_in(f"{when.day} {month} {year}") == expected
    assert intervals_in(f"{month} {when.day}, {year}") == expected
    assert intervals_in(f"{month[:3]} {when.day} {year}") == expected


@pytest.mark.parametrize(
    "piece",
    ["May" + " " * 250_000, "Jan." + "\n" * 250_000, "May" + " " * 125_000 + "," + " " * 125_000, "1" * 250_000,
     "1 " * 125_000, "May " * 62_500, "1990-" * 50_000, "since 1990 " * 22_500, "1990" + " " * 250_000 + "to 1995",
     "a couple of " * 20_000, "last " * 50_000, "3 May 2020 to " * 17_500],
    ids=lambda piece: repr(piece[:12]),
)  # fmt: skip
def test_a_quarter_of_a_megabyte_takes_seconds_at_most(piece: str) -> None:
    start = time.thread_time()
    intervals_in(piece, ANCHOR, (2022, 2023))
    # Measured: 0.1 to 1.2 s. Quadratic time would be a quarter of an hour and more.
    assert time.thread_time() - start < 10
