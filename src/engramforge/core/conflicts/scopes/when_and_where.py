"""Where and when a statement holds: at a place, until or from a date, as a trial, in the first or the second of a
kind, for what exists already or for what is new.

Two statements whose scopes do not meet are about two matters, whatever they say: "at Ghent we open at six" and "at
Bruges we open at nine", "until June" and "from July on". A place at the beginning is a scope; one at the end may be
what is chosen ("kept in Vault"), so it counts where something else differs, too, and never where the field knows it as
an alternative.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.alternatives import is_alternative
from engramforge.core.conflicts.matters.matter import PLACING
from engramforge.core.conflicts.statements import COUNTS, KEPT
from engramforge.core.text.dates import MONTHS
from engramforge.core.text.words import STOP_WORDS, is_stop_word, root_of, words_of

_NAME: Final = r"[^\W\d_a-z][\w'-]{1,30}(?: [^\W\d_a-z][\w'-]{1,30}){0,2}"
_LEADING: Final = re.compile(rf"(?:At|In|For|On)(?: the| our)? ({_NAME})")
_TRAILING: Final = re.compile(rf"\b(at|in|for)(?: the| our)? ({_NAME})(?: [a-z]{{1,12}})?[.!]?\Z")
MONTH: Final = rf"(?:{'|'.join(map(str.title, MONTHS))})"
_DATE: Final = rf"(?:({MONTH})(?: (\d{{4}}))?|(\d{{4}}))\b"
_OF: Final = r"(?: the)?(?: (end|start|beginning|middle) of)?(?: the)?"
_UNTIL: Final = re.compile(rf"\b(?:[Uu]ntil|[Tt]ill|[Bb]efore|[Uu]p to){_OF} {_DATE}")
_FROM: Final = re.compile(
    rf"\b(?:[Ff]rom|[Ss]ince|[Aa]fter|[Aa]s of|[Ss]tarting(?: in| from)?){_OF} {_DATE}(?: on(?:wards?)?\b)?"
)
_TO: Final = re.compile(rf" (?:to|until|till|through){_OF} {_DATE}")
_WITHIN: Final = re.compile(rf"\b(?:[Ii]n|[Dd]uring){_OF} {_DATE}")
_TRIAL: Final = re.compile(r"(?i)\bas an? (?:test|trial|pilot|experiment)\b|\bon trial\b")
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_OLD: Final = re.compile(
    r"\b(?:[Ee]xisting|[Oo]ld|[Ll]egacy|[Cc]urrent|[Pp]resent|[Ff]ormer|[Pp]revious|[Rr]emaining) (?=[a-z\d])"
)
_NEW: Final = re.compile(r"\b(?:[Nn]ew|[Nn]ewer|[Nn]ewly|[Uu]pcoming|[Ff]uture|[Aa]dditional) (?=[^\W_])")
_NEW_NAME: Final = re.compile(r"\bNew [A-Z][a-z]")
_EVER: Final = 1e9
_YEAR: Final = 12


class _Period(NamedTuple):
    """From when until when, in months; `is_dated`: of which year. `is_open`: it tells one end alone."""

    low: float
    high: float
    is_dated: bool
    is_open: bool


class _Scope(NamedTuple):
    """Where and when a text holds. `place`: words of a name, which stands at the beginning where `is_leading`, and
    behind `joint`; `rest`: roots of the words beside it. `periods`: `ordinals`: roots of what is counted so -> which.
    `age`: "old" for what exists already, "new" for what does not yet, "" for neither or both.
    """

    place: frozenset[str]
    is_leading: bool
    joint: str
    rest: frozenset[str]
    periods: tuple[_Period, ...]
    is_trial: bool
    ordinals: tuple[tuple[str, str], ...]
    age: str


@lru_cache(maxsize=KEPT)
def _scope(text: str) -> _Scope:
    words = words_of(text)
    place, is_leading, joint = "", False, ""
    if (leading := _LEADING.match(text)) is not None:
        place, is_leading = leading[1], True
    elif (trailing := _TRAILING.search(text)) is not None and not _is_time(trailing[2]):
        joint, place = trailing[1], trailing[2]
    names = frozenset() if is_alternative(place) else frozenset(words_of(place))
    return _Scope(
        place=names,
        is_leading=is_leading,
        joint=joint,
        rest=frozenset(map(root_of, words)) - PLACING - names - STOP_WORDS,
        periods=tuple(_periods(text)),
        is_trial=_TRIAL.search(text) is not None,
        ordinals=tuple(
            (root_of(noun), word)
            for word, noun in pairwise(words)
            if word in ORDINALS and not is_stop_word(noun)
        ),
        age=_age(text),
    )


def _age(text: str) -> str:
    """Whether a text speaks of what exists, or of what is new; "New York" is a name."""
    is_old, is_new = _OLD.search(text) is not None, _NEW.search(_NEW_NAME.sub("", text)) is not None
    return "" if is_old is is_new else "old" if is_old else "new"


def _is_time(name: str) -> bool:
    return any(word in MONTHS or word.rstrip("s").endswith("day") for word in words_of(name))


def _periods(text: str) -> list[_Period]:
    found = []
    for match in _FROM.finditer(text):
        low, is_dated = _date(match, is_end=False)
        to = _TO.match(text, match.end())
        high = _EVER if to is None else _date(to, is_end=True)[0]
        found.append(_Period(low, high, is_dated, to is None))
    for match in _UNTIL.finditer(text):
        high, is_dated = _date(match, is_end=match[1] == "end")
        # "Until March" leaves March out; so does "before March", whatever part of it.
        found.append(_Period(-_EVER, high if match[1] == "end" else high - 1, is_dated, True))
    for match in _WITHIN.finditer(text):
        (low, is_dated), (high, _) = _date(match, is_end=False), _date(match, is_end=True)
        found.append(_Period(low, high, is_dated, False))
    return found


def _date(match: re.Match[str], *, is_end: bool) -> tuple[float, bool]:
    """A date in months, and whether its year is known; of a year alone its first or its last month."""
    month, year, alone = match[2], match[3], match[4]
    if alone is not None:
        return int(alone) * _YEAR + (_YEAR - 1 if is_end else 0), True
    which = MONTHS.index(month.lower())
    return (which, False) if year is None else (int(year) * _YEAR + which, True)


def are_apart(text: str, other: str, is_one_matter: bool = False) -> bool:
    """Whether two statements hold in scopes that do not meet. `is_one_matter`: they are known to speak of one place and
    thing, so that periods alone count, and whether it is there already.

    >>> are_apart("At Ghent the mill opens at six.", "The mill opens at nine at Bruges.")
    True
    >>> are_apart("Until June the mill is closed.", "From June on the mill is open.")
    True
    >>> are_apart("Existing boats stay on coal.", "New boats run on gas.")
    True
    >>> are_apart("Keep the keys in Vault", "Keep the keys in Doppler")
    False
    """
    one, another = _scope(text), _scope(other)
    if _are_other_periods(one, another, is_one_matter) or {one.age, another.age} == {"old", "new"}:
        return True
    if is_one_matter:
        return False
    return (
        one.is_trial is not another.is_trial
        or _are_other_places(one, another)
        or _are_other_ones(one, another)
    )


def _are_other_periods(one: _Scope, other: _Scope, is_one_matter: bool) -> bool:
    """Whether no period of one meets one of the other. Two that both tell one day or year are what is said, not when
    it holds: "sailed in May", "sailed in June"."""
    if not one.periods or not other.periods:
        return False
    return all(
        mine.is_dated is theirs.is_dated
        and (mine.is_open and theirs.is_open if is_one_matter else mine.is_open or theirs.is_open)
        and max(mine.low, theirs.low) > min(mine.high, theirs.high)
        for mine in one.periods
        for theirs in other.periods
    )


def has_period(text: str) -> bool:
    """Whether a text tells from when or until when it holds."""
    return bool(_scope(text).periods)


def _are_other_places(one: _Scope, other: _Scope) -> bool:
    if not one.place or not other.place or one.place & other.place:
        return False
    if one.is_leading or other.is_leading:
        return True
    differing = one.rest ^ other.rest
    # Where it is kept may be what is chosen, how many are kept there is not.
    if "in" in (one.joint, other.joint):
        return bool(differing) and all(word in COUNTS or word[0].isdigit() for word in differing)
    return bool(differing)


def _are_other_ones(one: _Scope, other: _Scope) -> bool:
    """Whether they speak of the first and of the second of one kind."""
    mine, theirs = dict(one.ordinals), dict(other.ordinals)
    return any(mine[noun] != theirs[noun] for noun in mine.keys() & theirs.keys())


def in_force(text: str) -> str:
    """What a statement says holds from a date on, without the date.

    >>> in_force("From April on we sail at noon.")
    'we sail at noon.'
    """
    found = _FROM.search(text)
    if found is None or _TO.match(text, found.end()):
        return text
    return f"{text[: found.start()].rstrip(' ,')} {text[found.end() :].lstrip(' ,')}".strip()
