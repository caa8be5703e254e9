"""Dates named in a text, as intervals of days.

Read for every memory that is written, at a few microseconds each: a general date parser takes a thousand times as long.

Explicit dates ("8 May 2023", "Aug 15th", "1811", "the 1920s", "2014-15"), ranges made of two of them ("from 1811 to
1827", "1981 - 1992", "since 1990") and dates relative to an anchor day ("yesterday", "two weeks ago", "last Friday").
A day is its proleptic ordinal (``date.toordinal``); an interval is closed.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

OPEN_PAST = date(1, 1, 1).toordinal()
OPEN_FUTURE = date(2200, 1, 1).toordinal()

POINT, RANGE, RELATIVE, YEARLESS = 0, 1, 2, 3


class Interval(NamedTuple):
    """Days ``start`` to ``end`` (both within), and how the text named them."""

    start: int
    end: int
    kind: int


class _Found(NamedTuple):
    begin: int
    finish: int
    interval: Interval


_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNIT_DAYS = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14, "month": 30, "year": 365}

_M = (
    r"(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|Mar(?:ch)?|[Aa]pr(?:il)?|May|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?"
    r"|[Ss]ept?(?:ember)?|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?)\b\.?"
)
_D = r"(?:[Mm]onday|[Tt]uesday|[Ww]ednesday|[Tt]hursday|[Ff]riday|[Ss]aturday|[Ss]unday)"
_Y = r"(?:1\d{3}|20\d{2})"
_N = (
    r"(?:\d{1,3}|[Aa]n?|[Aa] couple(?: of)?|[Aa] few|[Ss]everal|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix"
)
_N += r"|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve)"
_PATTERN = re.compile(
    rf"(?P<iso>\b{_Y}-\d\d-\d\d)(?!\d)"
    rf"|\b(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?(?P<dmy_m>{_M})(?:\s*,?\s*(?P<dmy_y>{_Y})\b)?"
    rf"|\b(?P<mdy_m>{_M})\s*(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:\s*,?\s*(?P<mdy_y>{_Y})\b)?"
    rf"|\b(?P<my_m>{_M})(?:\s*,?\s*(?:of\s+)?(?P<my_y>{_Y})\b)?"
    rf"|\b(?P<season>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)\s+(?:of\s+|in\s+)?(?P<season_y>{_Y})\b"
    rf"|\b(?P<decade>{_Y[:-1]})(?<=0))'?s\b"
    rf"|\b(?P<short_a>{_Y})\s?[-\u2013/]\s?(?P<short_b>\d\d)\b(?![\d-])"
    rf"|\b(?P<year>{_Y})(?:s\b|\b)(?![:%\u00b0]|\s?(?:km|m|kg|miles|people|men|votes)\b)"
    r"|\b(?P<near>[Yy]esterday|[Tt]oday|[Tt]onight|[Tt]omorrow|[Ll]ast night|[Tt]his morning"
    r"|[Tt]he day before yesterday)\b"
    rf"|\b(?P<rel>[Ll]ast|[Tt]his past|[Tt]he past|[Pp]ast|[Tt]his|[Nn]ext)\s+"
    rf"(?P<rel_u>week|weekend|month|year|spring|summer|autumn|fall|winter|{_D}|{_M})(?!\w)"
    rf"|\b(?:[Ll]ast|[Pp]ast|[Pp]revious)\s+"
    rf"(?P<span_n>\d{{1,3}}|few|couple of|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r"\s+(?P<span_u>day|week|weekend|month|year)s\b"
    rf"|\b(?P<ago_n>{_N})\s+(?P<ago_u>day|night|week|weekend|fortnight|month|year|{_D})s?\s+(?:ago|back|earlier)\b"
)
_CUE = re.compile(
    r"\d|[Aa]go\b|day\b|[Ll]ast |[Tt]his |[Nn]ext |[Pp]ast |[Pp]revious |onight|orrow|\b(?:[Jj]an|[Ff]eb|Mar|[Aa]pr"
    r"|May|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)"
)
_JOIN = re.compile(
    r"\s*(?:,\s*)?(?:to|until|till|through|-|\u2013|\u2014|up to|and)\s+(?:the\s+)?|\s*[-\u2013\u2014]\s*"
)
_BEFORE = re.compile(
    r"(?:\b(from|since|after|until|till|before|by|between|starting|to))\s+(?:the\s+|early\s+|late\s+)?$", re.I
)
_PRESENT = re.compile(r"\s*(?:to|until|[-\u2013\u2014])\s*(?:the\s+)?(?:present|now|today|date)\b", re.I)


def has_date_cue(text: str) -> bool:
    """A cheap test whether ``intervals_in`` could find anything."""
    return _CUE.search(text) is not None


def intervals_in(text: str, anchor: int | None = None, years: tuple[int, ...] = ()) -> list[Interval]:
    """All intervals that ``text`` names.

    ``anchor`` is the day the text was said: relative dates need it. A date without a year stands for every year in
    ``years`` (a query's: the years that the scope knows); without ``years`` it is its last occurrence before the
    anchor. Dates that make up a range are returned too, after the range.
    """
    if not has_date_cue(text):
        return []
    founds = list(_singles(text, anchor, years))
    intervals = list(_ranges(text, founds))
    intervals.extend(found.interval for found in founds)
    return list(dict.fromkeys(intervals))


def _singles(text: str, anchor: int | None, years: tuple[int, ...]) -> Iterator[_Found]:
    for match in _PATTERN.finditer(text):
        try:
            for interval in _read(match, anchor, years):
                yield _Found(match.start(), match.end(), interval)
        except (ValueError, OverflowError):
            continue


def _ranges(text: str, founds: list[_Found]) -> Iterator[Interval]:
    """Ranges from two dates joined by a word or a dash, and open ranges (since, until, to the present)."""
    for place, found in enumerate(founds):
        start, end = found.interval.start, found.interval.end
        lead = _BEFORE.search(text, max(0, found.begin - 18), found.begin)
        word = lead.group(1).lower() if lead else ""
        follower = founds[place + 1] if place + 1 < len(founds) else None
        if follower is not None and follower.interval.end >= start:
            join = _JOIN.fullmatch(text, found.finish, follower.begin)
            if join and ("and" not in join.group() or word == "between"):
                yield Interval(start, follower.interval.end, RANGE)
                continue
        if word == "since" or _PRESENT.match(text, found.finish):
            yield Interval(start, OPEN_FUTURE, RANGE)
        elif word == "after":
            yield Interval(end, OPEN_FUTURE, RANGE)
        elif word in ("until", "till", "before", "by"):
            yield Interval(OPEN_PAST, start if word == "before" else end, RANGE)


def _read(match: re.Match[str], anchor: int | None, years: tuple[int, ...]) -> list[Interval]:
    named = match.groupdict()
    if named["iso"]:
        day = date.fromisoformat(named["iso"]).toordinal()
        return [Interval(day, day, POINT)]
    if named["dmy_m"]:
        return _calendar(named["dmy_y"], named["dmy_m"], named["dmy_d"], anchor, years)
    if named["mdy_m"]:
        return _calendar(named["mdy_y"], named["mdy_m"], named["mdy_d"], anchor, years)
    if named["my_m"]:
        return _calendar(named["my_y"], named["my_m"], None, anchor, years)
    if named["season"]:
        return [_season(named["season"], int(named["season_y"]))]
    if named["decade"]:
        first = int(named["decade"])
        return [Interval(date(first, 1, 1).toordinal(), date(first + 9, 12, 31).toordinal(), POINT)]
    if named["short_a"]:
        first = int(named["short_a"])
        last = first - first % 100 + int(named["short_b"])
        if not first < last <= first + 40:
            return [_year(first)]
        return [Interval(_year(first).start, _year(last).end, RANGE)]
    if named["year"]:
        return [_year(int(named["year"]))]
    if anchor is None:
        return []
    if named["near"]:
        return [_near(named["near"].lower(), anchor)]
    if named["rel"]:
        return _relative(named["rel"].lower(), named["rel_u"].lower().rstrip("."), anchor)
    if named["span_n"]:
        return [_span(named["span_n"], named["span_u"], anchor)]
    return [_ago(named["ago_n"].lower(), named["ago_u"].lower(), anchor)]


def _year(year: int) -> Interval:
    return Interval(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal(), POINT)


def _month(year: int, month: int, kind: int = POINT) -> Interval:
    last = calendar.monthrange(year, month)[1]
    return Interval(date(year, month, 1).toordinal(), date(year, month, last).toordinal(), kind)


def _season(name: str, year: int, kind: int = POINT) -> Interval:
    first = date(year, _SEASONS[name.lower()], 1)
    return Interval(first.toordinal(), (first + timedelta(days=91)).toordinal(), kind)


def _calendar(
    year: str | None, month: str, day: str | None, anchor: int | None, years: tuple[int, ...]
) -> list[Interval]:
    number = _MONTHS[month.lower().rstrip(".")]
    if year:
        return [_dated(int(year), number, day, POINT)]
    if years or anchor is None:
        return [_dated(each, number, day, YEARLESS) for each in years]
    this_year = date.fromordinal(anchor).year
    found = _dated(this_year, number, day, RELATIVE)
    return [found if found.start <= anchor + 45 else _dated(this_year - 1, number, day, RELATIVE)]


def _dated(year: int, month: int, day: str | None, kind: int) -> Interval:
    if day is None:
        return _month(year, month, kind)
    ordinal = date(year, month, int(day)).toordinal()
    return Interval(ordinal, ordinal, kind)


def _near(word: str, anchor: int) -> Interval:
    shift = {"yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2}.get(word, 0)
    return Interval(anchor + shift, anchor + shift, RELATIVE)


def _relative(word: str, unit: str, anchor: int) -> list[Interval]:
    """ "last week", "this month", "next Friday", "this past weekend" seen from the anchor day."""
    today = date.fromordinal(anchor)
    sign = {"next": 1, "this": 0}.get(word, -1)
    monday = anchor - today.weekday()
    if unit == "week":
        if sign < 0:
            return [Interval(anchor - 7, anchor - 1, RELATIVE)]
        return [Interval(monday + 7 * sign, monday + 7 * sign + 6, RELATIVE)]
    if unit == "weekend":
        saturday = monday + 5 + 7 * sign
        return [Interval(saturday - (1 if sign < 0 else 0), saturday + 1, RELATIVE)]
    if unit == "month":
        index = today.year * 12 + today.month - 1 + sign
        return [_month(index // 12, index % 12 + 1, RELATIVE)]
    if unit == "year":
        return [_year(today.year + sign)._replace(kind=RELATIVE)]
    if unit in _SEASONS:
        return [
            _season(
                unit, today.year + sign if sign or today.month >= _SEASONS[unit] else today.year, RELATIVE
            )
        ]
    if unit in _DAYS:
        gap = (today.weekday() - _DAYS[unit]) % 7
        day = anchor - (gap or 7) if sign < 0 else anchor - gap + 7 if sign else anchor - gap
        return [Interval(day, day, RELATIVE)]
    number = _MONTHS[unit]
    year = today.year + (sign if (sign > 0) == (number <= today.month) and sign else 0)
    return [_month(year, number, RELATIVE)]


def _span(count: str, unit: str, anchor: int) -> Interval:
    """ "the last four months": the days up to the anchor."""
    number = int(count) if count.isdigit() else _NUMBERS[count.split()[0]]
    return Interval(anchor - number * _UNIT_DAYS[unit], anchor, RELATIVE)


def _ago(count: str, unit: str, anchor: int) -> Interval:
    """ "two weeks ago": the day counted back, with a slack of half a unit (and more where the count is vague)."""
    word = count.removeprefix("a ").removesuffix(" of") if count not in ("a", "an") else count
    number = int(word) if word.isdigit() else _NUMBERS[word]
    if unit in _DAYS:
        gap = (date.fromordinal(anchor).weekday() - _DAYS[unit]) % 7 or 7
        day = anchor - gap - 7 * (number - 1)
        return Interval(day, day, RELATIVE)
    length = _UNIT_DAYS[unit]
    slack = length // 2 if word in ("couple", "few", "several") or length > 1 else 0
    middle = anchor - number * length
    return Interval(middle - slack, middle + slack, RELATIVE)
