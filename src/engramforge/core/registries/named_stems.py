"""The stems of words that name a matter, without those that only turn from one or choose one."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, word_set, words_of

_TURNING: Final = stem_set("""
actually after again agree all anymore back change decide forget go instead keep let lets make mind move need no not now
of ok plan pick please rather replace return revert scrap scratch second settle sorry switch take thought to use wait
want we choose chose drop ditch never idea plan thing stuff approach choice decision whole
""")
"""Words that turn from something, and of choosing, but name no matter."""
_BEFORE_NAMES: Final = word_set("per a an the our my your this that these those some any using")
_GOING_FOR: Final = late(
    r"(?i)\b(?:go|going|went|opt\w*|settl\w*) for\b|\bdecided on\b|\bfrom now on\b|\bin favou?r of\b|\binstead of\b"
    r"|\b(?:because|bc|cuz|cause|on account) of\b"
    r"|\bfor good\b|\b(?:starting|beginning|effective|as of)(?: in| on| from)? (?:next |this )?\w{3,12}"
    r"|\bfrom (?:next |this )?\w{3,12} on(?:wards?)?\b(?! \w+s?day\b)"
)
_PURPOSE: Final = late(
    r"(?i)\b(?P<how>for|in|on|at|along|under|during|of|inside|within|across) "
    r"(?P<what>(?>(?:(?!for |in |on |at |we |i |instead |after )[\w'.-]+\s?){1,5}))"
)
_SHORT_UNIT: Final = late(r"(?i)(?<=\d)\s?(min|sec|hr|wk|yr)s?\b(?!\.\w)")
_UNITS: Final = {"min": "minute", "sec": "second", "hr": "hour", "wk": "week", "yr": "year"}
_SHORT_NAMES: Final = {
    "frame second": "fps",
    "revolution minute": "rpm",
    "rotation minute": "rpm",
    "turn minute": "rpm",
    "beat minute": "bpm",
    "mile hour": "mph",
    "kilometer hour": "kmh",
    "kilometre hour": "kmh",
    "dot inch": "dpi",
    "pixel inch": "ppi",
    "part million": "ppm",
    "word minute": "wpm",
    "request second": "rps",
    "hertz": "hz",
    "kilohertz": "khz",
    "megahertz": "mhz",
    "gigahertz": "ghz",
    "kilobyte": "kb",
    "megabyte": "mb",
    "gigabyte": "gb",
    "terabyte": "tb",
    "meg": "mb",
    "gig": "gb",
    "pixel": "px",
    "decibel": "db",
    "kilometer": "km",
    "kilometre": "km",
    "kilogram": "kg",
    "kilo": "kg",
    "centimeter": "cm",
    "centimetre": "cm",
    "millimeter": "mm",
    "millimetre": "mm",
    "millisecond": "ms",
}
_RATE: Final = late(
    r"\b([a-z]{3,10}?)s?(?: (?:a|per|an|each|every) |/| / )(second|minute|hour|inch|million)\b"
)
_LONG_UNIT: Final = late(r"\b([a-z]{3,11}?)s?\b")
_MAY_BE_LONG: Final = late(
    r"\b(?:a|per|an|each|every) (?:sec|min|hou|inc|mil)|/|hertz|bytes?\b|met(?:er|re)s?\b|gram|kilos?\b"
    r"|pixel|decibel|milli|\b[mg][ei]gs?\b"
)
"""By which a long unit is known."""


def stems_in(text: str) -> frozenset[str]:
    """The stems that name what a text is about."""
    return frozenset(
        stem for word in _words(text) if not is_stop_word(word) and (stem := stem_of(word)) not in _TURNING
    )


def stems_of_name(name: str) -> frozenset[str]:
    """The stems of a name, all that it is made of: "top-down" is not whatever is on top."""
    words = frozenset(_words(name)) - _BEFORE_NAMES
    return frozenset(map(stem_of, words)) - _TURNING if stems_in(name) else frozenset()


def stems_in_order(text: str, kept: frozenset[str]) -> list[str]:
    """The stems that name what a text is about, in their order. `kept`: those that do so in any case."""
    said = [(word, stem_of(word)) for word in _words(_GOING_FOR.sub(" ", text))]
    return [stem for word, stem in said if stem in kept or not (is_stop_word(word) or stem in _TURNING)]


def purposes_in(text: str) -> list[tuple[str, frozenset[str]]]:
    """What a text says to be for, in, on or of something: the word and the stems."""
    plain = _GOING_FOR.sub(" ", text)
    return [(hit["how"].lower(), stems_in(hit["what"])) for hit in _PURPOSE.finditer(plain)]


def _words(text: str) -> list[str]:
    return words_of(_SHORT_UNIT.sub(_in_full, in_short(text.lower())))


def _in_full(hit: re.Match[str]) -> str:
    return f" {_UNITS[hit[1]]}"


def in_short(text: str) -> str:
    """A text in lower case with its units by their short names.

    >>> in_short("25 frames a second, 44 kilohertz, 2 megabytes")
    '25 fps, 44 khz, 2 mb'
    >>> in_short("a picture a day")
    'a picture a day'
    """
    if _MAY_BE_LONG.search(text) is None:
        return text
    return _LONG_UNIT.sub(_shortened, _RATE.sub(_shortened, text))


def _shortened(hit: re.Match[str]) -> str:
    return _SHORT_NAMES.get(" ".join(each for each in hit.groups() if each), hit[0])
