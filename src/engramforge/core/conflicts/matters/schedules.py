"""Two statements set one deed on other days, or count it by another measure: "we sail on Tuesdays", "by the hour".

The deed is all that a statement says beside its days, whether as a verb or as its noun ("sailings happen on"), and
must be the same in both. Open and closed are a state, of which one excludes the other on the same days alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import COUNTS, KEPT
from engramforge.core.text.dates import WEEK
from engramforge.core.text.words import is_stop_word, root_of, roots_of

STRENGTH: Final = 0.65
_EACH: Final = frozenset({"every", "each"})
_DAILY: Final = frozenset({"daily", "nightly"})
_LONGEST: Final = 160
_OPEN: Final = frozenset({"open", "opens", "opened"})
_CLOSED: Final = frozenset({"closed", "closes", "shut"})
_HAPPEN: Final = frozenset(
    map(root_of, ("happen", "place", "take", "taken", "occur", "run", "make", "made", "done", "do", "perform", "carry",
     "carried", "day", "night", "daily", "nightly", "always", "every", "each", "week", "weekday", "weekend", "clock",
     *WEEK))
)  # fmt: skip
"""Roots that say that something is done, or how often, and not what."""
_LOOSE: Final = re.compile(
    r"(?i)\b(?:may|can|could|might|should|except|apart|other|but|unless|if|when|also|too|as well|usually|sometimes"
    r"|mostly|often|optional|or|most|some|accept\w{0,3}|offer\w{0,3}|available|possible|allowed|until|from|since|till"
    r"|between|not|no|never|before|after|last|next|first|second|third|instead)\b"
)
"""What leaves room for other days, or bounds them."""
_MEASURE: Final = re.compile(
    r"(?i)\bby the (minute|hour|half hour|day|night|week|month|year|metre|meter|kilometre|kilometer|mile|kilo|litre"
    r"|piece|seat|head|room|basket|crate|page|word|user|request|second)[.!]?\Z"
)
_BILLING: Final = frozenset(
    map(root_of, ("bill", "charge", "pay", "paid", "price", "rent", "sell", "hire", "lease"))
)


class Timed(NamedTuple):
    """Days of a deed. `days`: names of them; `is_only`: it says that these are all. `state`: "open", "closed" or ""."""

    deed: frozenset[str]
    days: frozenset[str]
    is_daily: bool
    is_only: bool
    state: str


@lru_cache(maxsize=KEPT)
def timed(text: str) -> Timed | None:
    """On which days of the week a text sets what it speaks of, again and again; None where it names none of them.

    >>> sorted(timed("Sailings happen on Thursdays.").days), timed("The mill is open every day.").state
    (['thursday'], 'open')
    """
    if len(text) > _LONGEST or _LOOSE.search(text) is not None:
        return None
    words = read_matter(text).words
    days: set[str] = set()
    is_daily = bool(_DAILY & set(words))
    for place, word in enumerate(words):
        day, before = word.removesuffix("s"), words[max(place - 1, 0) : place]
        is_each = bool(_EACH & set(before))
        if day in WEEK and (word != day or is_each):
            days.add(day)
        elif day in {"weekday", "workday"}:
            days |= {*WEEK[:5]}
        elif day == "weekend":
            days |= {*WEEK[5:]}
        is_daily = is_daily or (is_each and word in {"day", "night"})
    if is_daily is bool(days):
        return None
    state = "open" if _OPEN & set(words) else "closed" if _CLOSED & set(words) else ""
    deed = frozenset(
        root_of(word)
        for word in words
        if not (is_stop_word(word) or word[0].isdigit() or word in COUNTS or word in _OPEN | _CLOSED)
    )
    deed -= _HAPPEN
    return Timed(deed, frozenset(days), is_daily, "only" in words, state) if deed else None


class Measured(NamedTuple):
    """By which measure something is billed."""

    deed: frozenset[str]
    by: str


@lru_cache(maxsize=KEPT)
def measured(text: str) -> Measured | None:
    """By which measure a text says that something is billed; None where it does not.

    >>> measured("We rent by the week.").by
    'week'
    """
    found = _MEASURE.search(text) if len(text) <= _LONGEST else None
    if found is None or _LOOSE.search(text) is not None:
        return None
    deed = roots_of(text[: found.start()])
    return Measured(deed, found[1].lower()) if deed & _BILLING else None


def other_time(text: str, other: str) -> Disagreement | None:
    """Other days, or another measure, of one deed.

    >>> other_time("We sail on Tuesdays.", "Sailings happen on Thursdays.").why
    'tuesdays against thursdays'
    >>> other_time("The mill is open every day.", "The mill is closed on Mondays.").why
    'open every day against closed on mondays'
    """
    by, by_other = measured(text), measured(other)
    if by is not None and by_other is not None:
        if by.deed != by_other.deed or by.by == by_other.by:
            return None
        return Disagreement(Signal.CHOICE, f"by the {by.by} against by the {by_other.by}", STRENGTH)
    mine, theirs = timed(text), timed(other)
    if mine is None or theirs is None or mine.deed != theirs.deed or not _exclude(mine, theirs):
        return None
    return Disagreement(Signal.NUMBER, f"{_told(mine)} against {_told(theirs)}", STRENGTH)


def are_open_beside(text: str, other: str) -> bool:
    """Whether both say that one thing is open, or closed, on some days: it may be so on all of them.

    >>> are_open_beside("The mill is open on Mondays.", "The mill is open on Fridays.")
    True
    """
    mine, theirs = timed(text), timed(other)
    if mine is None or theirs is None or mine.is_only or theirs.is_only:
        return False
    return bool(mine.state) and mine.state == theirs.state


def _exclude(one: Timed, other: Timed) -> bool:
    if one.state != other.state:
        return bool(one.state and other.state) and (
            one.is_daily or other.is_daily or bool(one.days & other.days)
        )
    if one.state:  # a house that is open on Mondays may be so on Tuesdays
        return False
    if one.is_daily or other.is_daily:
        return one.is_daily is not other.is_daily and (one.is_only or other.is_only)
    return not one.days & other.days


def _told(each: Timed) -> str:
    days = "every day" if each.is_daily else ", ".join(f"{day}s" for day in WEEK if day in each.days)
    return f"{each.state} {'' if each.is_daily else 'on '}{days}" if each.state else days
