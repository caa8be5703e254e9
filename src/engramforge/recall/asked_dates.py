"""Dates that a query names: by our own rules, and by a general date parser for spans that merely look like dates.

Memories are read by core/text/dates alone, which takes microseconds. A query is a single short text, so what remains in
it (numeric dates, "3 weeks from now", "the 3rd of next month", months and days in other languages) may go to
dateparser, which is loaded only for such spans.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final

from engramforge.core.text.dates import POINT, RELATIVE, YEARLESS, Found, Interval, intervals_in
from engramforge.model.time import TimeRange

MOST_SPANS: Final = 3
"""How many spans of one query are handed to the general parser."""
READ_CHARACTERS: Final = 2_000
"""Of a longer query only the beginning is searched for such spans."""
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ja", "zh")
ENGLISH: Final = ("en",)

_MONTHS: Final = """
januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre
novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio
febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro março maio junho julho setembro
outubro novembro dezembro januari februari maart mei augustus stycznia lutego marca kwietnia maja czerwca lipca
sierpnia września października listopada grudnia января февраля марта апреля мая июня июля августа сентября октября
ноября декабря
"""
_WEEKDAYS: Final = """
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag lundi mardi mercredi jeudi vendredi samedi
dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica
segunda-feira terça-feira quarta-feira quinta-feira sexta-feira maandag dinsdag woensdag donderdag vrijdag zaterdag
zondag poniedziałek wtorek środę czwartek piątek sobotę niedzielę понедельник вторник среду четверг пятницу субботу
воскресенье
"""
_DAYS: Final = """
gestern vorgestern heute übermorgen avant-hier aujourd'hui après-demain ayer anteayer ontem anteontem ieri gisteren
eergisteren vandaag wczoraj przedwczoraj вчера позавчера сегодня
"""
_PERIODS: Final = (
    r"(?:[Ll]etzten?|[Ll]etztes|[Vv]orige[ns]?|[Nn]ächste[ns]?) (?:Woche|Monat|Jahr)"
    r"|la semaine (?:dernière|prochaine)|le mois (?:dernier|prochain)|l'année dernière|l'an dernier"
    r"|la (?:próxima semana|semana pasada)|el (?:mes|año) pasado|semana passada|(?:mês|ano) passado"
    r"|settimana scorsa|mese scorso|anno scorso|vorige (?:week|maand)|vorig jaar|volgende (?:week|maand)"
    r"|w zeszłym (?:tygodniu|miesiącu|roku)|на прошлой неделе|в прошлом (?:месяце|году)"
    r"|昨日|昨天|前天|一昨日|先週|先月|去年|昨年"
)
_COUNTED: Final = (
    r"[Vv]or (?:\d{1,3}|einem|einer|zwei|drei|vier|fünf|sechs) (?:Tag|Woche|Monat|Jahr)(?:en|n|e)?"
    r"|[Ii]l y a (?:\d{1,3}|une?|deux|trois|quatre|cinq|six) (?:jour|semaine|mois|an)s?"
    r"|[Hh]ace \d{1,3} (?:día|semana|mes|año)(?:es|s)?|[Hh]á \d{1,3} (?:dia|semana|mes|ano)(?:es|s)?"
    r"|\d{1,3} (?:giorn[io]|settiman[ae]|mes[ei]|ann[io]) fa|\d{1,3} (?:dagen|weken|maanden|jaar) geleden"
    r"|\d{1,3} (?:dni|tygodnie|tygodni|miesiące|miesięcy|lata|lat) temu"
    r"|\d{1,3} (?:дня|дней|недели|недель|месяца|месяцев|года|лет) назад"
)
_UNITS: Final = r"(?:day|week|fortnight|month|year)s?"
_COUNTS: Final = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_OF_MONTH: Final = r"\d{1,2}(?:st|nd|rd|th) (?:day )?(?:of )?(?:last|this|next) month"


def _one_of(words: str) -> str:
    return "|".join(sorted(set(words.split()), key=lambda word: (-len(word), word)))


_MONTH_OF: Final = rf"(?i:{_one_of(_MONTHS)})(?!\w)"
_GERMAN: Final = r"\d{1,2}\. ?(?:April|August|September|November)(?!\w)"
_YEAR_AFTER: Final = r"(?: (?:de |del |do )?(?:1\d|20)\d\d(?!\d))"
# In the order of trial: a date with a day comes before the month alone.
_SPAN: Final = re.compile(
    r"(?P<numeric>(?<![\w./:-])(?:\d{1,2}(?P<sign>[./-])\d{1,2}(?P=sign)(?:1\d|20)\d\d|\d{1,2}/\d{1,2}/\d\d"
    r"|(?:1\d|20)\d\d(?P<sign_y>[./])\d{1,2}(?P=sign_y)\d{1,2})(?![\w/:-]|\.\d))"
    r"|(?P<month_year>(?<![\w./:-])(?:0?[1-9]|1[0-2])/(?:1\d|20)\d\d(?![\w/:-]|\.\d))"
    r"|(?P<han>(?:1\d|20)\d\d ?年(?: ?\d{1,2} ?月(?: ?\d{1,2} ?日)?)?)"
    r"|(?P<han_yearless>(?<!\d)\d{1,2} ?月 ?\d{1,2} ?日)"
    rf"|(?<![\w.])(?P<dated>(?:\d{{1,2}}(?:\.|er|º|°)? ?(?:de )?)?(?:{_MONTH_OF}){_YEAR_AFTER})"
    rf"|(?<![\w.])(?P<german>{_GERMAN}{_YEAR_AFTER})"
    rf"|(?<![\w.])(?P<yearless>{_GERMAN}|\d{{1,2}}(?:\.|er|º|°)? ?(?:de )?{_MONTH_OF})"
    rf"|(?<!\w)(?:[Ii]m|[Ee]n|[Ee]m|[Ww]|[Вв]) (?P<month>{_MONTH_OF})(?!{_YEAR_AFTER})"
    rf"|(?i:(?<!\w)(?P<hence>{_COUNTS} {_UNITS} (?:from (?:now|today)|hence))(?!\w))"
    rf"|(?i:(?<!\w)(?P<shown>(?:the )?{_OF_MONTH}|(?:the )?day after tomorrow)(?!\w))"
    r"|(?<!\w)(?:[Oo]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]efore|[Aa]fter|[Bb]y) "
    r"(?P<english_day>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?!\w)"
    rf"|(?<!\w)(?:(?P<coming>[Nn]ächste[nr]?|[Kk]ommende[nr]?|próximo|volgende) )?(?P<weekday>{_one_of(_WEEKDAYS)})"
    r"(?: (?P<coming_after>prochain|prossimo|que viene))?(?!\w)"
    rf"|(?<!\w)(?P<relative>{_COUNTED}|{_PERIODS}|(?i:{_one_of(_DAYS)}))(?![^\W\u3000-\u9fff])"
)
_NUMBERED: Final = re.compile(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?", re.ASCII)
_ISO_BEGUN: Final = re.compile(r"\d{4}-?\d", re.ASCII)
_YEARLESS: Final = {"yearless": "{} 2000", "month": "{} 2000", "han_yearless": "2000年{}"}
_HENCE: Final = re.compile(r"from today|hence", re.I)
_FORMS: Final = tuple(
    name for name in _SPAN.groupindex if name not in ("sign", "sign_y", "coming", "coming_after")
)


def asked_intervals(text: str, now: datetime, years: tuple[int, ...]) -> list[Interval]:
    """All intervals that a query names, as core/text/dates.intervals_in gives them.

    `text`: the query; texts of memories are not to be read this way. `now`: what relative dates count from. `years`:
    those that a date without a year may lie in.

    A numeric date that can be read in two ways ("12/05/2023") stands for both days. Never raises: what cannot be read
    is not a date.
    """
    known = [
        Found(*match.span(_name_of(match)), interval)
        for match in islice(_SPAN.finditer(text, 0, READ_CHARACTERS), MOST_SPANS)
        for interval in dict.fromkeys(_intervals(match, now, years))
    ]
    return intervals_in(text, now.toordinal(), years, known)


def asked_period(text: str, now: datetime) -> TimeRange | None:
    """The days that a text stands for: a day, month or year by its numbers, or as a query says it ("last june").

    None if it names none or several, or is a time of day.
    """
    said = text.strip()
    with suppress(ValueError, OverflowError):
        if match := _NUMBERED.fullmatch(said):
            year, month, day = (int(part) if part else 0 for part in match.groups())
            period = "day" if day else "month" if month else "year"
            found = [_around(date(year, month or 1, day or 1), period, POINT)]
        else:
            found = [] if _ISO_BEGUN.match(said) else list(dict.fromkeys(asked_intervals(said, now, ())))
        if len(found) == 1:
            first, after = (date.fromordinal(day) for day in (found[0].start, found[0].end + 1))
            return TimeRange(*(datetime.combine(each, time(), UTC) for each in (first, after)))
    return None


def _name_of(match: re.Match[str]) -> str:
    """Which form of a date a span has."""
    return next(name for name in _FORMS if match[name])


def _intervals(match: re.Match[str], now: datetime, years: tuple[int, ...]) -> Iterator[Interval]:
    """What a span stands for; nothing if it cannot be read."""
    name = _name_of(match)
    named = match[name]
    if name == "english_day":
        yield from intervals_in(f"last {named}", now.toordinal())
    elif name == "numeric":
        # With points the day comes first; a slash or a dash leaves it open, so both orders are read.
        months = ("DMY",) if match["sign"] == "." else ("MDY", "DMY")
        for order in ("YMD",) if match["sign_y"] else months:
            yield from _parsed(named, now, POINT, ENGLISH, DATE_ORDER=order)
    elif name == "weekday":
        is_coming = match["coming"] or match["coming_after"]
        yield from _parsed(named, now, RELATIVE, PREFER_DATES_FROM="future" if is_coming else "past")
    elif name in _YEARLESS and years:
        # A leap year has every day; the day is then looked up in each of the years.
        for found in _parsed(_YEARLESS[name].format(named), now, YEARLESS):
            yield from _in_years(found, years)
    elif name == "hence":
        yield from _parsed(_HENCE.sub("from now", named), now, RELATIVE, ENGLISH)
    else:
        is_full = name in ("month_year", "han", "dated", "german")
        yield from _parsed(named, now, POINT if is_full else RELATIVE, PREFER_DATES_FROM="past")


def _in_years(found: Interval, years: tuple[int, ...]) -> Iterator[Interval]:
    """The same day or month in each of the years that have it."""
    day = date.fromordinal(found.start)
    for year in years:
        try:
            yield _around(day.replace(year=year), "day" if found.start == found.end else "month", YEARLESS)
        except ValueError:
            continue


def _parsed(
    text: str, now: datetime, kind: int, languages: tuple[str, ...] = LANGUAGES, **options: Any
) -> Iterator[Interval]:
    """The day, week, month or year that dateparser reads in a text."""
    from dateparser.date import DateDataParser

    # Only the day counts, and a time zone would move it.
    today = datetime(now.year, now.month, now.day)  # noqa: DTZ001 - the library takes none
    settings = {"RELATIVE_BASE": today, "RETURN_AS_TIMEZONE_AWARE": False, **options}
    try:
        found = DateDataParser(languages=list(languages), settings=settings).get_date_data(text)
        if found.date_obj is not None:
            yield _around(found.date_obj.date(), found.period, kind)
    except (ValueError, OverflowError):
        return


def _around(day: date, period: str, kind: int) -> Interval:
    """The period that holds a day; weeks are calendar weeks from Monday."""
    first = last = day
    if period == "week":
        first = day - timedelta(days=day.weekday())
        last = first + timedelta(days=6)
    elif period == "month":
        first, last = day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    elif period == "year":
        first, last = date(day.year, 1, 1), date(day.year, 12, 31)
    return Interval(first.toordinal(), last.toordinal(), kind)
