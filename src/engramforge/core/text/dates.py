"""Dates named in a text, as intervals of days.

This runs on every memory that is written, in microseconds: a thousandth of what a general date parser takes.

Explicit dates ("8 May 2023", "Aug 15th", "1811", "the 1920s", "2014-15"), ranges made of two of them ("from 1811 to
1827", "1981 - 1992", "since 1990") and dates relative to an anchor day ("yesterday", "two weeks ago", "last Friday").
A day is its proleptic ordinal (``date.toordinal``); an interval is closed.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

OPEN_PAST = date(1, 1, 1).toordinal()
OPEN_FUTURE = date(2200, 1, 1).toordinal()

POINT, RANGE, RELATIVE, YEARLESS = 0, 1, 2, 3


class Interval(NamedTuple):
    """Days ``start`` to ``end`` (both within), and how the text named them."""

    start: int
    end: int
    kind: int


class Found(NamedTuple):
    """An interval, and the characters ``begin`` to ``finish`` (not within) that named it."""

    begin: int
    finish: int
    interval: Interval


WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
"""English, whatever language the process is set to, unlike those of `calendar`."""
_MONTHS = {name: number for number, name in enumerate(MONTHS, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {name: number for number, name in enumerate(WEEK)}
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
_NUMBERS |= {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SHIFTS = {"yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2}
_UNIT_DAYS = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14, "month": 30, "year": 365}

_DATE_WORD = re.compile(r"\d{1,2}(?:st|nd|rd|th)|1\d{3}|20\d\d|yesterday|today")

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
# White space is bounded: a pattern that may match a run of it in two places takes quadratic time on a long one.
_S, _W = r"\s{0,4}", r"\s{1,4}"
# At the beginning of a sentence "May we ..." asks for leave.
_ASKED_LEAVE = r"May (?:I|we|you|he|she|it|they|one|any(?:body|one)|some(?:body|one))\b"
# Only what begins a word with one of the signs that a date begins with is looked at.
_PATTERN = re.compile(
    rf"\b(?=[\dJjFfMAaSsOoNnDdWwYyTtLlPpEe])(?:(?P<iso>\b{_Y}-\d\d-\d\d)(?!\d)"
    rf"|\b(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?{_S}(?:of{_W})?(?P<dmy_m>{_M})(?:{_S},?{_S}(?P<dmy_y>{_Y})\b)?"
    rf"|\b(?P<mdy_m>{_M}){_S}(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:{_S},?{_S}(?P<mdy_y>{_Y})\b)?"
    rf"|\b(?:(?<=[\w,;:] )|(?!{_ASKED_LEAVE}))(?P<my_m>{_M})(?:{_S},?{_S}(?:of{_W})?(?P<my_y>{_Y})\b)?"
    rf"|\b(?P<season>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter){_W}(?:of{_W}|in{_W})?(?P<season_y>{_Y})\b"
    rf"|\b(?P<decade>{_Y[:-1]})(?<=0))'?s\b|\b(?P<short_a>{_Y})\s?[-\u2013/]\s?(?P<short_b>\d\d)\b(?![\d-])"
    rf"|\b(?P<year>{_Y})(?:s\b|\b)(?![:%\u00b0]|\s?(?:km|m|kg|miles|people|men|votes)\b)"
    r"|\b(?P<near>[Yy]esterday|[Tt]oday|[Tt]onight|[Tt]omorrow|[Ll]ast night|[Tt]his morning"
    r"|[Tt]he day before yesterday)\b"
    rf"|\b(?P<rel>[Ll]ast|[Tt]his past|[Tt]he past|[Pp]ast|[Tt]his|[Nn]ext){_W}(?P<rel_u>week|weekend|month|year|spring"
    rf"|summer|autumn|fall|winter|{_D}|{_M})(?!\w)|\b(?:[Ll]ast|[Pp]ast|[Pp]revious){_W}"
    rf"(?P<span_n>\d{{1,3}}|few|couple of|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    rf"{_W}(?P<span_u>day|week|weekend|month|year)s\b"
    rf"|\b(?P<ago_n>{_N}){_W}(?P<ago_u>day|night|week|weekend|fortnight|month|year|{_D})s?{_W}(?:ago|back|earlier)\b)"
)
_CUES = (
    *("day", "his ", "ext ", "ast ", "ago", "revious ", " back", " earlier", "onight", "orrow", "Ago"),
    *("jan", "feb", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_DIGIT = re.compile(r"\d")
_JOIN = re.compile(
    rf"{_S}(?:,{_S})?(?:to|until|till|through|-|\u2013|\u2014|up to|and){_W}(?:the{_W})?|{_S}[-\u2013\u2014]{_S}"
)
_BEFORE = re.compile(
    r"(?i)(?:\b(from|since|after|until|till|before|by|between|starting|to))\s+(?:the\s+|early\s+|late\s+)?$"
)
_PRESENT = re.compile(rf"(?i){_S}(?:to|until|[-\u2013\u2014]){_S}(?:the{_W})?(?:present|now|today|date)\b")


def has_date_cue(text: str) -> bool:
    """A cheap test whether ``intervals_in`` could find anything."""
    return any(map(text.__contains__, _CUES)) or _DIGIT.search(text) is not None


def intervals_in(
    text: str, anchor: int | None = None, years: tuple[int, ...] = (), known: Sequence[Found] = ()
) -> list[Interval]:
    """All intervals that ``text`` names.

    ``anchor`` is the day the text was said: relative dates need it. A date without a year stands for every year in
    ``years`` (a query's: the years that the scope knows); without ``years`` it is its last occurrence before the
    anchor. Dates that make up a range are returned too, after the range. ``known`` are intervals that the caller has
    already found in the text; they replace what would be read there.
    """
    if not known and not has_date_cue(text):
        return []
    founds = list(known)
    for match in _PATTERN.finditer(text):
        begin, finish = match.span()
        if all(finish <= other.begin or other.finish <= begin for other in known):
            with suppress(ValueError, OverflowError):
                founds += [Found(begin, finish, interval) for interval in _read(match, anchor, years)]
    founds.sort()
    intervals = list(_ranges(text, founds, anchor))
    intervals.extend(found.interval for found in founds)
    return list(dict.fromkeys(intervals))


def _ranges(text: str, founds: list[Found], anchor: int | None) -> Iterator[Interval]:
    """Ranges from two dates joined by a word or a dash, and open ranges (since, until, to the present)."""
    spans = [list(group) for _, group in groupby(founds, key=itemgetter(0))]
    closing = -1
    for place, span in enumerate(spans):
        begin, finish = span[0].begin, span[0].finish
        lead = _BEFORE.search(text, max(0, begin - 18), begin)
        word = lead.group(1).lower() if lead else ""
        followers = spans[place + 1] if place + 1 < len(spans) else []
        join = _JOIN.fullmatch(text, finish, followers[0].begin) if followers else None
        if join and ("and" not in join.group() or word == "between"):
            # From each date that a span stands for to the first of the next span that does not end before it.
            closed = [
                Interval(start, ends[0], RANGE)
                for start in (found.interval.start for found in span)
                if (ends := [other.interval.end for other in followers if other.interval.end >= start])
            ]
            yield from closed
            if closed:
                closing = place + 1
                continue
        if place == closing:
            # "from May until July": the end of that range is not also one without a beginning.
            continue
        for start, end, _ in _last_of_yearless(span, anchor):
            if word == "since" or _PRESENT.match(text, finish):
                yield Interval(start, max(start, OPEN_FUTURE), RANGE)
            elif word == "after":
                yield Interval(end, max(end, OPEN_FUTURE), RANGE)
            elif word in ("until", "till", "before", "by"):
                yield Interval(OPEN_PAST, start if word == "before" else end, RANGE)


def _last_of_yearless(span: list[Found], anchor: int | None) -> list[Interval]:
    """Keeps only the last occurrence of a date without a year: in a range open to one side, the others include all."""
    intervals = [found.interval for found in span]
    if anchor is None or intervals[0].kind != YEARLESS:
        return intervals
    return [interval for interval in intervals if interval.start <= anchor][-1:]


def _read(match: re.Match[str], anchor: int | None, years: tuple[int, ...]) -> list[Interval]:
    named = match.groupdict()
    if named["iso"]:
        day = date.fromisoformat(named["iso"]).toordinal()
        return [Interval(day, day, POINT)]
    for order in ("dmy", "mdy", "my"):
        if month := named[f"{order}_m"]:
            return _calendar(named[f"{order}_y"], month, named.get(f"{order}_d"), anchor, years)
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
        day = anchor + _SHIFTS.get(named["near"].lower(), 0)
        return [Interval(day, day, RELATIVE)]
    if named["rel"]:
        return _relative(named["rel"].lower(), named["rel_u"].lower().rstrip("."), anchor)
    if count := named["span_n"]:
        number = int(count) if count.isdecimal() else _NUMBERS[count.split()[0]]
        return [Interval(anchor - number * _UNIT_DAYS[named["span_u"]], anchor, RELATIVE)]
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
        return [_season(unit, today.year + sign, RELATIVE)]
    if unit in _DAYS:
        gap = (today.weekday() - _DAYS[unit]) % 7
        day = anchor - (gap or 7) if sign < 0 else anchor - gap + 7 if sign else anchor - gap
        return [Interval(day, day, RELATIVE)]
    number = _MONTHS[unit]
    year = today.year + (sign if (sign > 0) == (number <= today.month) and sign else 0)
    return [_month(year, number, RELATIVE)]


def _ago(count: str, unit: str, anchor: int) -> Interval:
    """ "two weeks ago": the day counted back, with a slack of half a unit (and more where the count is vague)."""
    word = count.removeprefix("a ").removesuffix(" of") if count not in ("a", "an") else count
    number = int(word) if word.isdecimal() else _NUMBERS[word]
    if unit in _DAYS:
        gap = (date.fromordinal(anchor).weekday() - _DAYS[unit]) % 7 or 7
        day = anchor - gap - 7 * (number - 1)
        return Interval(day, day, RELATIVE)
    length = _UNIT_DAYS[unit]
    slack = length // 2 if word in ("couple", "few", "several") or length > 1 else 0
    middle = anchor - number * length
    return Interval(middle - slack, middle + slack, RELATIVE)


_ISO = re.compile(r"\b(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?\b")
_DAY_FIRST = re.compile(r"\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b")
_DAY_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?[ -]+([A-Za-z]{3,9})\.?,?[ -]+(\d{4})\b")
_MONTH_DAY = re.compile(r"\b([A-Za-z]{3,9})\.?[ -]+(?:(\d{1,2})(?:st|nd|rd|th)?,?[ -]+)?(\d{4})\b")


def day_of(text: str) -> datetime | None:
    """The first day that a text names, at midnight UTC; of 05/02/2018 the day comes first, unless it cannot."""
    if match := _ISO.search(text):
        return _day(int(match[1]), int(match[2]), int(match[3] or 1))
    if match := _DAY_FIRST.search(text):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        year += 2_000 if year < 100 else 0
        return _day(year, second, first) or _day(year, first, second)
    if match := _DAY_MONTH.search(text):
        return _day(int(match[3]), _MONTHS.get(match[2][:3].lower(), 0), int(match[1]))
    if match := _MONTH_DAY.search(text):
        return _day(int(match[3]), _MONTHS.get(match[1][:3].lower(), 0), int(match[2] or 1))
    return None


def _day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def names_date(word: str) -> bool:
    """Whether a lower-cased word is the name of a month or a weekday, a day's number, a year, yesterday or today.

    >>> [names_date(word) for word in ("june", "2023", "3rd", "race")]
    [True, True, True, False]
    """
    return word in _MONTHS or word in _DAYS or _DATE_WORD.fullmatch(word) is not None
