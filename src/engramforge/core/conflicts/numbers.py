"""Two statements give another number, date or month for the same thing.

A number stands in a slot: its kind (year, month, day of the week, plain number) and the words beside it in its clause.
Two numbers exclude each other if they are of one kind, the statements share words beside them, and neither number is in
the other statement. Counts of different things, and a range beside a day in it, are no conflict.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from engramforge.core.conflicts.alignment import Alignment, shared
from engramforge.core.conflicts.claims import IS_FOUND, restricts
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, KEPT, STATING, Statement
from engramforge.core.text.dates import MONTHS, WEEK
from engramforge.core.text.words import is_stop_word, root_of

STRENGTH: Final = 0.75
VERSION_STRENGTH: Final = 0.5
_VERSION: Final = re.compile(r"v?(\d{1,4}(?:\.\d{1,6}){0,3})")
_MONTHS: Final = frozenset(MONTHS) - {"may"}
"""Without May, which is one where it is written like a name."""
_BOUNDS: Final = frozenset({"than", "least", "most", "over", "under", "about", "nearly", "almost", "up"})
"""A number behind these words bounds others."""
_WHEN: Final = frozenset(
    {"every", "each", "after", "at", "below", "above", "under", "over", "within", "from", "until", "before", "per",
     "than", "least", "most", "by"}
)  # fmt: skip
"""Before an interval or a threshold, which is one of what is done."""
_ARTICLES: Final = frozenset({"the", "a", "our", "this"})
_CODE: Final = re.compile(r"\d[a-z]+\d|[0-9a-f]{12}")
"""In a word that begins with a digit and is no amount: letters between digits, as in a digest."""
_DIGEST: Final = re.compile(r"(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{7,64}")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_SECONDS: Final = {
    root_of(unit): seconds
    for unit, seconds in (
        ("second", 1), ("minute", 60), ("hour", 3_600), ("day", 86_400), ("week", 604_800), ("month", 2_592_000),
        ("year", 31_536_000),
    )
}  # fmt: skip
"""Units of time -> how long they are: 90 days and seven years are of one kind."""
_BESIDE: Final = 3
_LEAST_BESIDE: Final = 0.8
_LEAST_MET: Final = 0.5
_IS_MET: Final = 0.5
_PLAIN: Final = re.compile(r"\d{1,9}(?:\.\d{1,3})?")
_NEARLY: Final = 0.05
_SHORTEST_DIGEST: Final = 7
_YEARS: Final = range(1000, 2100)


class Slot(NamedTuple):
    """A number with what it counts.

    `kind`: year, month, day of a month, weekday or number. `unit`: the stem behind it, "" for none. `beside`: stems of
    the words beside it. `is_when`: it tells at what, after what or how often something is done.
    """

    value: str
    kind: str
    unit: str
    beside: frozenset[str]
    is_when: bool = False


@lru_cache(maxsize=KEPT)
def slots(statement: Statement, is_one_matter: bool = False) -> tuple[Slot, ...]:
    """The numbers of a statement that are not negated, in order; where it is not known to be one matter, neither what
    stands in brackets nor a year that says which one is meant.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> [(each.value, each.kind, each.unit) for each in slots(read_statement("Logs are kept for 30 days"))]
    [('30', 'number', 'day')]
    """
    negated = {(word.clause, word.word) for word in statement.words if word.negated}
    last = len(statement.clauses) - (0 if is_one_matter else statement.asides)
    found = []
    for clause, words in enumerate(statement.clauses[:last]):
        for place, word in enumerate(words):
            kind = "month" if word == "may" and word in statement.names else _kind_of(word)
            if kind is None or (place and _is_named_by(statement, words, place)):
                continue
            if kind == "year" and not is_one_matter and _is_attribute(words, place):
                continue
            if (clause, word) in negated or _BOUNDS & set(words[max(place - 2, 0) : place]):
                continue
            if kind == "number" and any(_kind_of(x) == "month" for x in words[max(place - 1, 0) : place + 2]):
                kind = "day"
            before = [x for x in words[:place] if _kind_of(x) is None and not is_stop_word(x)][-_BESIDE:]
            behind = [x for x in words[place + 1 :] if _kind_of(x) is None and not is_stop_word(x)][:_BESIDE]
            following = words[place + 1] if place + 1 < len(words) else ""
            unit = root_of(following) if following and not is_stop_word(following) else ""
            value = COUNTS.get(word, _ORDINAL.sub("", word))
            # "After" begins a clause of its own.
            is_begin = place == 0 and clause > 0
            is_when = kind == "number" and (is_begin or bool(_WHEN & set(words[max(place - 1, 0) : place])))
            found.append(Slot(value, kind, unit, frozenset(map(root_of, (*before, *behind))), is_when))
    return tuple(found)


def _is_named_by(statement: Statement, words: tuple[str, ...], place: int) -> bool:
    """Whether a number is part of what something is called: RFC 42, or Python 2.1 in "the Python 2.1 release"."""
    before, word = words[place - 1], words[place]
    follows = place + 1 < len(words) and not is_stop_word(words[place + 1])
    return (before, word.lstrip("0")) in statement.designations or (
        follows and before in statement.names and word[0].isdigit() and _kind_of(word) == "number"
    )


def _is_attribute(words: tuple[str, ...], place: int) -> bool:
    """Whether a year says which one is meant: "the 2020 election", not "in 2020 elections"."""
    follows = place + 1 < len(words) and not is_stop_word(words[place + 1])
    return follows and (place == 0 or words[place - 1] in _ARTICLES)


def is_digest(word: str) -> bool:
    """Whether a word is a digest, of a commit or an image: hexadecimal digits, letters among them."""
    return len(word) >= _SHORTEST_DIGEST and _DIGEST.fullmatch(word) is not None


def is_day(word: str) -> bool:
    """Whether a word is a day of the week, "Mondays" too."""
    return word.removesuffix("s") in WEEK


def _kind_of(word: str) -> str | None:
    if word in _MONTHS:
        return "month"
    if word in WEEK:
        return "weekday"
    if word in COUNTS:
        return "number"
    if not word[0].isdecimal() or _CODE.search(word) is not None:
        return None
    return "year" if word.isdecimal() and int(word[:5]) in _YEARS and len(word) == 4 else "number"


def other_number(
    one: Statement, other: Statement, alignment: Alignment, is_one_matter: bool = False
) -> Disagreement | None:
    """Another value in the same slot. `is_one_matter`: both are known to speak of the same, and none of a part of it.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Logs are kept for 30 days"), read_statement("Logs are kept for 90 days")
    >>> other_number(*told, align(*told)).why
    '30 days against 90 days for logs, kept'
    """
    mine, theirs = slots(one, is_one_matter), slots(other, is_one_matter)
    is_turned = (one.negations + other.negations) % 2 == 1
    if is_turned or not mine or not theirs or not _is_same_matter(one, other, alignment):
        return None
    if not is_one_matter and restricts(one, other, alignment):
        return None
    are_other_deeds = not is_one_matter and _are_other_deeds(one, other, alignment)
    here, there = {each.value for each in mine}, {each.value for each in theirs}
    for slot in mine:
        for against in theirs:
            if are_other_deeds and (slot.is_when or against.is_when):
                continue
            if slot.value not in there and against.value not in here and _is_same_slot(slot, against):
                return Disagreement(Signal.NUMBER, _told(one, other, slot, against), STRENGTH)
    return None


def _told(one: Statement, other: Statement, slot: Slot, against: Slot) -> str:
    """Both values with what they count, and of what."""
    written = {word.stem: word.word for word in (*other.words, *one.words)}
    values = [f"{each.value} {written.get(each.unit, '')}".rstrip() for each in (slot, against)]
    units = {slot.unit, against.unit}
    beside = slot.beside & against.beside
    of = dict.fromkeys(x.word for x in one.words if x.stem in beside and x.stem not in units)
    return f"{values[0]} against {values[1]}" + (f" for {', '.join(of)}" if of else "")


def other_version(one: Statement, other: Statement) -> Disagreement | None:
    """The same but for a version that one of the two adds.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> other_version(read_statement("Format of the export file"), read_statement("Format of the export file v2")).why
    'another version: 2'
    """
    (mine, here), (theirs, there) = _versioned(one), _versioned(other)
    if one.negations or other.negations or bool(here) is bool(there) or mine != theirs or len(mine) < 2:
        return None
    added = _VERSION.fullmatch((here or there)[-1])
    assert added is not None
    return Disagreement(Signal.NUMBER, f"another version: {added[1]}", VERSION_STRENGTH)


@lru_cache(maxsize=KEPT)
def _versioned(statement: Statement) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stems of a statement without its versions, and its versions."""
    stems = tuple(each.stem for each in statement.words if not _VERSION.fullmatch(each.word))
    return stems, tuple(each.word for each in statement.words if _VERSION.fullmatch(each.word))


def _is_same_slot(one: Slot, other: Slot) -> bool:
    """Whether two numbers are of one kind and of the same: dates share a word, counts most words and the unit."""
    beside = one.beside & other.beside
    if one.kind != other.kind or not beside:
        return False
    if one.kind != "number":
        return True
    if one.unit != other.unit and (
        one.unit not in _SECONDS or other.unit not in _SECONDS or _is_as_long(one, other)
    ):
        return False
    mine, theirs = (each.beside - _SECONDS.keys() - CHOOSING - STATING for each in (one, other))
    if one.unit == other.unit:
        mine, theirs = one.beside, other.beside
    return bool(mine & theirs) and len(mine & theirs) >= _LEAST_BESIDE * min(len(mine), len(theirs))


def _are_other_deeds(one: Statement, other: Statement, alignment: Alignment) -> bool:
    """Whether each says something beside its numbers that the other does not: "washed every", "inspected after"."""
    met = np.asarray(alignment.closeness >= IS_FOUND)
    units = {each.unit for side in (one, other) for each in slots(side)}
    return all(
        any(
            not is_met and _kind_of(word.word) is None and word.stem not in units | CHOOSING | STATING
            for word, is_met in zip(side.words, np.any(met, axis=axis).tolist(), strict=True)
        )
        for side, axis in ((one, 1), (other, 0))
    )


def _is_as_long(one: Slot, other: Slot) -> bool:
    """Whether two stretches of time in different units are the same: 7 days, one week."""
    lengths = [
        float(each.value) * _SECONDS[each.unit] for each in (one, other) if _PLAIN.fullmatch(each.value)
    ]
    return len(lengths) < 2 or abs(lengths[0] - lengths[1]) <= _NEARLY * max(lengths)


def _is_same_matter(one: Statement, other: Statement, alignment: Alignment) -> bool:
    """Whether most of what the shorter statement says beside its numbers is met by the other."""
    met = shared(alignment)
    shorter = one if len(one.words) <= len(other.words) else other
    rest = [
        bool(value >= _IS_MET)
        for word, value in zip(shorter.words, met, strict=False)
        if _kind_of(word.word) is None
    ]
    return bool(rest) and sum(rest) >= _LEAST_MET * len(rest)
