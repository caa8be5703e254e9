"""That two texts give a question different numbers: what was said, and said otherwise later.

Measured in docs/measurements/oracle.md.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.oracle.otherwise.other_days import days_in
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, stem_of, words_of

_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_WORDS: Final = "two three four five six seven eight nine ten eleven twelve"
_WORDS: Final = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), 2)}
_ASKS: Final = re.compile(
    r"(?i)\b(?:how (?:many|much|often|long|old|far)|number|score|record|ratio|time|price|size)\b"
)
_SUMS: Final = re.compile(
    r"(?i)\b(?:total|altogether|together|all|both|each|every|per|between|difference|more|less)\b"
)
_BOUND: Final = re.compile(
    r"(?i)\b(?:(?P<least>at least|no fewer than|no less than|a minimum of|more than)|at most|up to|no more than"
    rf"|a maximum of|fewer than|less than) (?P<number>\d+(?:[.,]\d+)*|{_NUMBER_WORDS.replace(' ', '|')})\b"
)
_MEASURES: Final = frozenset(map(stem_of, ("long", "often", "old", "far")))
"""Words that only ask which number it is."""
_LEAST: Final = 2
_SHARE: Final = 0.6
"""How many words of the question both sentences have: at least, and of the question's."""


def other_numbers(
    query: str, text: str, other: str, *, is_one_matter: bool = False
) -> tuple[str, str] | None:
    """The sentences of two texts that give a question different numbers; None where they do not, or it asks for a sum.

    `is_one_matter`: both are known to speak of the same, so that a few of the question's words are enough.

    >>> other_numbers("How many geese live here?", "By now six geese live here.", "I saw it. Only 4 geese live here.")
    ('By now six geese live here.', 'Only 4 geese live here.')
    >>> other_numbers("How many geese live here?", "Six geese live here.", "We have 6 geese living here.") is None
    True
    """
    asked = _stems(query) - _MEASURES
    if not _ASKS.search(query) or _SUMS.search(query) or not asked:
        return None
    one, two = (_nearest(asked, each) for each in (text, other))
    shared = asked & _stems(one) & _stems(two)
    numbers, others = _numbers(one), _numbers(two)
    if is_one_matter:
        numbers, others = numbers or _one_in(one), others or _one_in(two)
    least = _LEAST if is_one_matter else max(_LEAST, _SHARE * len(asked))
    if not numbers or not others or numbers & others or len(shared) < least:
        return None
    if _is_of_a_day(query, one, two) or _agree_as_bounds(one, two):
        return None
    return one, two


def _is_of_a_day(query: str, one: str, two: str) -> bool:
    """Whether one alone speaks of a day of the week, for which nobody asked: an exception."""
    return bool(days_in(one)) is not bool(days_in(two)) and not days_in(query)


def _agree_as_bounds(one: str, two: str) -> bool:
    """Whether one says how many there are at least or at most, and the other a number within that."""
    for said, other in ((one, two), (two, one)):
        bound, numbers = _BOUND.search(said), _values(other)
        if bound is None or not numbers or _BOUND.search(other):
            continue
        limit = _value(bound["number"])
        is_least = bound["least"] is not None
        if limit is not None and all((each >= limit) if is_least else (each <= limit) for each in numbers):
            return True
    return False


def _values(text: str) -> list[float]:
    return [each for each in map(_value, _numbers(text)) if each is not None]


def _value(number: str) -> float | None:
    plain = _WORDS.get(number.lower(), number).replace(",", "")
    return float(plain) if plain.replace(".", "", 1).isdecimal() else None


def _one_in(text: str) -> frozenset[str]:
    return frozenset({"1"} if "one" in words_of(text) else ())


def _nearest(asked: frozenset[str], text: str) -> str:
    """The sentence with most words of a question; of such, one with a number."""
    key = {each: (len(_stems(each) & asked), bool(_numbers(each))) for each in sentences_of(text) or [text]}
    return max(key, key=key.__getitem__)


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        stem_of(word)
        for word in words_of(text)
        if not is_stop_word(word) and word not in _WORDS and not word[0].isdigit()
    )


def _numbers(text: str) -> frozenset[str]:
    words = (_WORDS[word] for word in words_of(text) if word in _WORDS)
    return frozenset((*_DIGITS.findall(text), *words))
