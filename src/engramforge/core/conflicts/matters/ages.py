"""For which ages a statement holds: a band of ages, and whether those in it may or may not.

"Nobody under 14" and "from 14 on" share no age and agree; "none under 12" and "all from 8 on" meet between 8 and 12.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.matter import WEAK
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, DENYING, KEPT, NEGATORS
from engramforge.core.text.words import is_stop_word, root_of, words_of

STRENGTH: Final = 0.7
_PEOPLE: Final = (
    r"(?:people|persons?|children|child|kids?|visitors?|guests?|customers?|members?|everybody|everyone|anybody|anyone"
    r"|nobody|those|users?|passengers?|minors?|adults?|riders?|drivers?|pupils|students?|teenagers?|youths?|players?"
    r"|swimmers?|boys|girls|no one|all)"
)
_AGE: Final = r"(\d{1,3})(?: years?(?: old| of age)?)?"
_OVER: Final = r"(?:over|older|up|above)"
_SHAPES: Final = tuple(
    (re.compile(rf"(?i)\b{_PEOPLE} {shape}"), is_low, beyond)
    for shape, is_low, beyond in (
        (rf"(?:who are |aged |that are )?(?:under|below|younger than) (?:the age of )?{_AGE}", False, 0),
        (rf"(?:aged )?up to {_AGE}", False, 1),
        (rf"(?:aged )?(?:from |of at least |at least )(?:the age of )?{_AGE}(?: on(?:wards?)?| and {_OVER})?", True, 0),
        (rf"(?:aged )?(?:over|above|older than) (?:the age of )?{_AGE}", True, 1),
        (rf"(?:aged |of )?{_AGE} (?:and|or) {_OVER}\b", True, 0),
    )
)  # fmt: skip
"""Whom an age bounds; whether from below, and whether the age itself is beyond the bound."""
_OLDEST: Final = 200
_ANY_UNIT: Final = re.compile(
    r"(?i)\A\s?(?:%|euros?|kilos?|kg|km|metres?|cm|percent|people|minutes?|hours?|days?)"
)
_BANNED: Final = frozenset(map(root_of, ("forbidden", "prohibited", "banned")))
_OF_PEOPLE: Final = _BANNED | frozenset(
    map(root_of, ("people", "person", "children", "child", "kid", "visitor", "guest", "customer", "member", "everybody",
     "everyone", "anybody", "anyone", "nobody", "user", "passenger", "minor", "adult", "rider", "driver", "pupil",
     "student", "teenager", "youth", "player", "swimmer", "boy", "girl", "year", "old", "age", "aged", "younger",
     "older", "least", "onwards", "allow", "permitted", "allowed", "get"))
)  # fmt: skip


class Band(NamedTuple):
    """Ages from `low` to below `high`, and whether they are denied what the text says."""

    low: int
    high: int
    is_denied: bool


class Aged(NamedTuple):
    """Bands of ages, and the roots of what is said of them."""

    bands: tuple[Band, ...]
    says: frozenset[str]


@lru_cache(maxsize=KEPT)
def aged(text: str) -> Aged | None:
    """The ages of which a text says something, and the roots of what; None where it names none, or several."""
    found = [
        (match.start(), is_low, int(match[1]) + beyond)
        for shape, is_low, beyond in _SHAPES
        for match in shape.finditer(text)
        if _ANY_UNIT.match(text, match.end()) is None
    ]
    if len(found) != 1:
        return None
    ((begin, is_low, age),) = found
    words = words_of(text)
    is_denied = any(word in NEGATORS or root_of(word) in DENYING | _BANNED for word in words)
    says = frozenset(
        root_of(word) for word in words if not (is_stop_word(word) or word[0].isdigit() or word in NEGATORS)
    )
    says -= _OF_PEOPLE | DENYING | CHOOSING | WEAK
    younger, older = (0, age), (age, _OLDEST)
    inside, outside = (older, younger) if is_low else (younger, older)
    bands = [Band(*inside, is_denied)]
    if text[:begin].lower().endswith("only ") and not is_denied:
        bands.append(Band(*outside, is_denied=True))
    return Aged(tuple(bands), says)


def by_age(text: str, other: str) -> tuple[bool, Disagreement | None]:
    """Whether the ages of which two statements speak decide how they stand to each other, and whether against.

    >>> by_age("We never admit people under 16.", "People from 16 years on are admitted.")
    (True, None)
    >>> by_age("Nobody under 12 gets a map.", "Children from 8 years on get a map.")[1].why
    'one allows what the other denies from 8 to 12 years'
    """
    mine, theirs = aged(text), aged(other)
    if mine is None or theirs is None or not (mine.says <= theirs.says or theirs.says <= mine.says):
        return False, None
    against = [(x, y) for x in mine.bands for y in theirs.bands if x.is_denied is not y.is_denied]
    if not against or not mine.says or not theirs.says:
        return False, None
    for one, another in against:
        low, high = max(one.low, another.low), min(one.high, another.high)
        if low < high:
            ages = f"from {low} to {high} years" if high < _OLDEST else f"from {low} years on"
            why = f"one allows what the other denies {ages}"
            return True, Disagreement(Signal.NEGATION, why, STRENGTH)
    return True, None
