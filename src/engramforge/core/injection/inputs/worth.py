"""Which decisions and statements answer a question: by their meaning, the words of its matter, and the value asked for.

What is merely near answers little: of many questions about anything one statement is the nearest, at the cosine that an
answer in other words has, too. So the words count: those that tell of the question's matter, rare ones more, each by
the nearest word of the statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.injection.gate import asks_how_to
from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.injection.inputs.matters import COMMON
from engramforge.core.text.words import stem_of, stem_set

NEAR: Final = 0.28
"""The least cosine of a question with a decision about its matter, on the static encoder's scale
(docs/how-to/injection.md)."""
_BESIDE: Final = 0.8
"""The least share of the best that the next one is worth, if it is told too."""
_MOST: Final = 2
_CROWD: Final = 4
_ABOVE_CROWD: Final = 0.08
"""By how much the best is above the one at this place: where many are as near, none is meant."""
_OF_ALL: Final = 0.35
"""How much a word that every matter has counts of what a word of this one does."""
_WORDS_COUNT: Final = 0.5
"""How much the covered share of a question's words counts, beside the cosine of both."""
_FITS: Final = 0.1
"""What it is worth that a statement has the kind of value that is asked for, and costs that it has not."""
_OF_THE_MATTER: Final = 0.25
"""The least covered share with which the kind of value speaks for a statement."""
_LEAST: Final = 0.48
"""The least worth; `_OF_THE_WORLD` more where the question asks how a thing is done anywhere, and `_OWN` of it is
covered."""
_OF_THE_WORLD: Final = 0.15
_OWN: Final = 0.6
_OWN_VALUE: Final = 0.5
MOST_OF_IT: Final = 0.5
"""The least covered share of a question by what is found by its words alone."""
_ALONE_NEAR: Final = 0.32
_ALONE: Final = 0.17
_WORDLESS: Final = 0.12
"""The least cosine, and the least above the next, of what is near without a word of the question, and alone so: where
it has one, that explains why it is near."""
SURE: Final = 0.75
"""From which worth on nothing else has to be looked for."""
_ASKS_WHEN: Final = re.compile(
    r"(?i)\b(?:when|how (?:long|often|early|late|soon)|(?:what|which|at what) (?:day|time|date|hour))\b"
)
_ASKS_HOW_MUCH: Final = re.compile(
    r"(?i)\bhow (?:many|much|old|far|big|wide|large|tall|high|small|fine|fast|deep|heavy)\b"
    r"|\bwhat(?:['\u2019]?s| is| are)? (?:the )?(?:\w+ )?"
    r"(?:size|limit|maximum|minimum|dimensions?|width|height|bitrate)\b"
)
_ASKS_PRICE: Final = re.compile(
    r"(?i)\b(?:what|how much) (?:do|does|did|will|would|must|should|can) [^?.!]{1,60}?\b(?:cost|pay)\b"
    r"(?! (?:with|by|via|through|attention)\b)"
    r"|\bwhat(?:['\u2019]?s| is| are) (?:the )?(?:\w+ ){0,2}?(?:price|fare|fee|rent|charge|cost)s?\b"
    r"|\bhow (?:much|expensive) (?:is|are) "
)
_HAS_PRICE: Final = re.compile(
    r"(?i)(?=[^\d]{0,400}\d)(?=.{0,400}?(?:\b(?:prices?|priced|fares?|fees?|costs?|pays?|paid|rents?|rates?|charges?d?"
    r"|tariffs?|free|euros?|dollars?|pounds?|francs?|cents?|eur|usd|gbp|chf)\b|[$\u20ac\u00a3]))"
)
"""Tells a number, and that it is a price."""
_PRICE_WORDS: Final = stem_set(
    "cost costs pay pays price prices fare fares fee fees charge charges expensive"
)
"""What any price answers, by whatever name."""
_HAS_TIME: Final = re.compile(
    r"(?i)(?:\b|(?<=\d))(?:(?:sec|min|minute|hour|day|week|month|year|night|morning|evening|afternoon|quarter|release)s?"
    r"|daily|hourly|weekly|monthly|yearly|nightly|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[ap]m)\b"
    r"|\d:\d\d|(?<=\d)\s?(?:ms|s|h)\b"
)
_HAS_NUMBER: Final = re.compile(
    r"(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|no)\b"
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Statements compared with a question. `cosines`, `covers`, `fits`: of each of n, n >= 1: the cosine of both, the
    weighed share 0..1 of the question's words that it covers, and `fitness`."""

    question: str
    cosines: Sequence[float]
    covers: Sequence[float]
    fits: Sequence[float]

    def worth(self) -> list[float]:
        """What each is worth as an answer."""
        return [
            cosine + _WORDS_COUNT * cover + (fit if cover >= _OF_THE_MATTER else min(fit, 0.0))
            for cosine, cover, fit in zip(self.cosines, self.covers, self.fits, strict=True)
        ]

    def best(self, are_all: bool = False) -> list[int]:
        """Which of them answer, best first, at most two: those that are worth enough, where the best is well above the
        others. `are_all`: nothing else is as near as these; then also the one that is near, where no other is.

        >>> Compared("how wide is the door?", [0.3, 0.5, 0.1], [0.2, 0.4, 0.0], [0.1, 0.1, -0.1]).best()
        [1]
        >>> Compared("how hot is the oven?", [0.34, 0.3], [0.1, 0.1], [0.0, 0.0]).best(are_all=True)
        []
        >>> Compared("how hot is the oven?", [0.34, 0.1], [0.1, 0.1], [0.0, 0.0]).best(are_all=True)
        [0]
        """
        worth = self.worth()
        ranked = sorted(range(len(worth)), key=lambda place: -worth[place])
        first = ranked[0]
        if not self._answers(first, worth[first]):
            return [first] if are_all and self._is_alone(first) else []
        if len(ranked) >= _CROWD and worth[first] - worth[ranked[_CROWD - 1]] < _ABOVE_CROWD:
            return []
        least = _BESIDE * worth[first]
        return [each for each in ranked[:_MOST] if worth[each] >= least and self._answers(each, worth[each])]

    def _answers(self, place: int, worth: float) -> bool:
        if asks_how_to(self.question):
            # What it costs here, or how long it takes, is seldom so anywhere.
            own = _OWN_VALUE if self.fits[place] > 0 else _OWN
            return worth >= _LEAST + _OF_THE_WORLD and self.covers[place] >= own
        return worth >= _LEAST

    def _is_alone(self, place: int) -> bool:
        others = [each for other, each in enumerate(self.cosines) if other != place]
        near = self.cosines[place]
        if near < _ALONE_NEAR or self.covers[place] >= _WORDLESS or self.fits[place] < 0:
            return False
        if asks_how_to(self.question):
            return False
        return near - max(others, default=0.0) >= _ALONE


def matter_weights(words: Sequence[str], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The weights of a question's words, float32, shape (q,), summing to 1 as they come in, with less for those that
    every matter has.

    >>> [round(float(x), 2) for x in matter_weights(("kiln", "time"), np.array([0.5, 0.5], np.float32))]
    [0.74, 0.26]
    """
    stems = map(stem_of, words)
    counts = np.array([_OF_ALL if each in EVERYDAY or each in COMMON else 1.0 for each in stems], np.float32)
    weighed = weights * counts
    total = weighed.sum()
    found: NDArray[np.float32] = weighed / total if total > 0 else weighed
    return found


def fitness(question: str, statement: str) -> float:
    """What it adds to the likeness of a statement that it has a time or a number where that is asked for, or lacks it.

    >>> fitness("how long do tyres last?", "tyres last 3 years"), fitness("how big is the pump?", "the pump is red")
    (0.1, -0.1)
    >>> fitness("who may fill tyres?", "only the foreman fills tyres")
    0.0
    >>> fitness("what do members pay?", "fares: 4 members, 6 guests"), fitness("what do we pay?", "2 tyres a year")
    (0.1, -0.1)
    """
    for asked, has in (
        (_ASKS_PRICE, _HAS_PRICE),
        (_ASKS_WHEN, _HAS_TIME),
        (_ASKS_HOW_MUCH, _HAS_NUMBER),
    ):
        if asked.search(question):
            return _FITS if has.search(statement) else -_FITS
    return 0.0


def is_of_price(question: str, word: str) -> bool:
    """Whether a word of a question asks for a price, which any price answers, by whatever name: "cost" of "fares".

    >>> is_of_price("what does a ticket cost?", "cost"), is_of_price("which cost centre?", "cost")
    (True, False)
    """
    return stem_of(word) in _PRICE_WORDS and _ASKS_PRICE.search(question) is not None


def tells_price(statement: str) -> bool:
    """Whether a statement tells a number, and that it is a price.

    >>> tells_price("fares: 4 members, 6 guests"), tells_price("4 members, 6 guests"), tells_price("no fares")
    (True, False, False)
    """
    return _HAS_PRICE.match(statement) is not None
