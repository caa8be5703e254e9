"""Days as people write them at the head of a text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_MONTHS: Final = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())  # noqa: SIM905 - shorter
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
        return _day(int(match[3]), _month(match[2]), int(match[1]))
    if match := _MONTH_DAY.search(text):
        return _day(int(match[3]), _month(match[1]), int(match[2] or 1))
    return None


def _day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def _month(name: str) -> int:
    return _MONTHS.index(short) + 1 if (short := name[:3].lower()) in _MONTHS else 0
