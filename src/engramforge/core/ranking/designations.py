"""Designations: a short name with a number, which together name one thing (`RFC 7540`, `PEP8`, `adr-0032`).

Written apart or joined, with or without zeros before the number, they name the same thing, and no other number names
anything like it. Years after a word, amounts and times of day are none.

>>> designations("does RFC7540 or PEP 8 say so?", str.isdigit)
(('rfc', '7540'), ('pep', '8'))
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from engramforge.core.text.dates import names_date
from engramforge.core.text.words import is_stop_word

Designation = tuple[str, str]
"""A name in small letters and a number without zeros before it; of what is counted anew each year (CVE-2024-3094), the
year and the number."""

_WRITTEN: Final = re.compile(
    r"(?<![\w.$/-])(?P<name>[A-Za-z]{2,10})(?P<gap>[ -]?)(?:(?P<year>(?:19|20)\d\d)-)?(?P<number>\d{1,6})"
    r"(?![\w%]|[.,:/-]\d)"
)
_AMOUNTS: Final = frozenset(
    ["usd", "eur", "gbp", "chf", "jpy", "cad", "aud", "us", "am", "pm", "no", "nr", "fy"]
)
"""Short words in capitals before a number that is an amount, a time of day or a place in a row."""
_SHORT: Final = 4
"""So many letters has a name in small letters at most: people type `rfc 7540`."""
_DIGITS: Final = 3
"""So many digits has a number at least that is joined to a name in small letters: `mp3` is a word."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d\Z")
_WIDTH: Final = 5
"""How far numbers are filled with zeros."""


def designations(text: str, is_real: Callable[[str], bool]) -> tuple[Designation, ...]:
    """The designations in a question. `is_real`: whether a word in small letters is one of the language."""
    found: dict[Designation, None] = {}
    for written in _WRITTEN.finditer(text):
        name, number = written["name"].lower(), written["number"].lstrip("0") or "0"
        is_year = written["gap"] == " " and _YEAR.match(written["number"])
        if is_year or name in _AMOUNTS or is_stop_word(name) or names_date(name):
            continue
        if written["gap"]:
            is_one = written["name"].isupper() or (len(name) <= _SHORT and not is_real(name))
        else:
            is_one = written["name"].isupper() or len(written["number"]) >= _DIGITS
        if is_one:
            found[written["year"] or name, number] = None
    return tuple(found)


def spellings(designation: Designation) -> tuple[list[str], list[str]]:
    """The words that may be its number, and those that are both joined.

    >>> spellings(("rfc", "7540"))
    (['7540', '07540'], ['rfc7540', 'rfc07540'])
    """
    name, number = designation
    numbers = list(dict.fromkeys(number.zfill(width) for width in range(len(number), _WIDTH + 1))) or [number]
    return numbers, [name + each for each in numbers]
