"""That two texts give a question for the day of the week different days."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.text.words import root_of, words_of

_ASKS: Final = re.compile(r"(?i)\b(?:when|(?:what|which) (?:week)?days?|how often)\b")
_DAYS: Final = re.compile(r"(?i)\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_DAILY: Final = re.compile(r"(?i)\b(?:daily|(?:every|each) (?:day|night|evening|morning)|nightly)\b")
_LEAST: Final = 2
_SHARE: Final = 0.6
"""How many words of the question both have: at least, and of the question's."""


def other_days(query: str, text: str, other: str) -> bool:
    """Whether two statements on what is asked name different days of the week, or one names days and the other says
    daily.

    >>> ask = "When do we wash the sails?"
    >>> other_days(ask, "We wash the sails on Mondays.", "The sails are washed on Fridays.")
    True
    >>> other_days(ask, "We wash the sails on Mondays.", "We wash the dishes on Fridays.")
    False
    """
    asked = asked_stems(query)
    if not asked or not _ASKS.search(query):
        return False
    sides = (text, other)
    said = [asked & set(map(root_of, words_of(each))) for each in sides]
    days = [days_in(each) for each in sides]
    always = [_DAILY.search(each) is not None for each in sides]
    if len(said[0] & said[1]) < max(_LEAST, _SHARE * len(asked)):
        return False
    if all(days):
        return days[0].isdisjoint(days[1])
    return bool(days[0] and always[1]) or bool(days[1] and always[0])


def days_in(text: str) -> frozenset[str]:
    """The days of the week that a text names, without their ending.

    >>> sorted(days_in("We sail on Mondays and on Friday."))
    ['fri', 'mon']
    """
    return frozenset(found.lower() for found in _DAYS.findall(text))
