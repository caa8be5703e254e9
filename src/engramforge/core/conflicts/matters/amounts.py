"""Two statements want another amount of the same: how long something lasts, how often, how many of it.

An amount is an interval: "at least two" reaches up from two, "one is enough" and "one" are one. Two amounts exclude
each other where their intervals do not meet. How long and how often are different questions, as are counts of
different things.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.matter import CONTRASTS, Matter, is_content, is_same_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import COUNTS, KEPT
from engramforge.core.text.dates import WEEK
from engramforge.core.text.words import is_stop_word, root_of

STRENGTH: Final = 0.7
_SECONDS: Final = {
    root_of(unit): seconds
    for unit, seconds in {
    "millisecond": 0.001, "ms": 0.001, "second": 1.0, "sec": 1.0, "minute": 60.0, "min": 60.0, "hour": 3_600.0,
    "day": 86_400.0, "night": 86_400.0, "week": 604_800.0, "fortnight": 1_209_600.0, "month": 2_592_000.0,
    "quarter": 7_776_000.0, "year": 31_536_000.0,
    }.items()
}  # fmt: skip
_OFTEN: Final = {
    "hourly": 3_600.0, "daily": 86_400.0, "nightly": 86_400.0, "weekly": 604_800.0, "fortnightly": 1_209_600.0,
    "monthly": 2_592_000.0, "quarterly": 7_776_000.0, "yearly": 31_536_000.0, "annually": 31_536_000.0,
}  # fmt: skip
_SIZES: Final = {
    root_of(unit): size
    for unit, size in {
    "kb": 1e3, "kilobyte": 1e3, "mb": 1e6, "megabyte": 1e6, "gb": 1e9, "gigabyte": 1e9, "tb": 1e12, "terabyte": 1e12,
    "kib": 1024.0, "mib": 1024.0**2, "gib": 1024.0**3,
    }.items()
}  # fmt: skip
_LIFE: Final = frozenset(
    map(root_of, ("expire", "expires", "valid", "live", "last", "lifetime", "ttl", "keep", "kept", "retain",
     "retention", "store", "stored", "delete", "deleted", "purge", "purged", "remove", "removed", "discard",
     "available", "period", "old", "after", "within", "invalidated", "end", "validity", "stay", "good",
     "drop", "dropped", "erased",
     "erase", "held", "hold", "usable", "log", "out", "preserve", "preserved", "archived", "cleared", "lapse", "run"))
)  # fmt: skip
_LIFE_CUES: Final = _LIFE - frozenset(map(root_of, ("log", "out", "within", "run", "old", "archived")))
_WAIT: Final = frozenset(
    map(root_of, ("timeout", "timeouts", "time", "wait", "waits", "answer", "respond", "abort", "give", "up", "out",
     "after", "request", "call"))
)  # fmt: skip
_UP: Final = (("at", "least"), ("no", "fewer"), ("no", "less"), ("not", "less"), ("a", "minimum"))
_DOWN: Final = (
    ("at", "most"),
    ("up", "to"),
    ("no", "more"),
    ("not", "more"),
    ("a", "maximum"),
    ("no", "longer"),
)
_OVER: Final = (("more", "than"), ("longer", "than"), ("over",))
_UNDER: Final = (("less", "than"), ("fewer", "than"), ("under",), ("below",), ("within",))
_PLAIN: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_PER: Final = frozenset({"a", "an", "per", "each", "every"})
_SINGLE: Final = frozenset({"a", "an", "one", "each", "every"})
_MAY: Final = frozenset({"may", "can", "must", "should", "could", "is", "shall", "will"})
_AFTER: Final = frozenset({"after", "for", "within"})
"""Before "a week", which is one."""
_TIMES: Final = {"once": 1.0, "twice": 2.0}
_PARTS_OF_DAY: Final = frozenset({"morning", "noon", "afternoon", "evening"})
_WEEK: Final = 604_800.0
_MOST: Final = 1e300
_NEARLY: Final = 0.05
_PHRASE: Final = 3
_EMPTY: Final = frozenset(
    map(root_of, ("need", "needs", "require", "requires", "enough", "sufficient", "merge", "get", "least", "most",
     "fewer", "longer", "minimum", "maximum", "limit", "limited", "suffice", "time", "times", "long"))
)  # fmt: skip


_LAST: Final = frozenset({root_of("last")})
_LONG: Final = root_of("long")
_ROOM: Final = {root_of("seat"): root_of("seat"), root_of("sleep"): root_of("bed")}
"""Verbs that say for how many there is room -> what there is of it: "seats 90 people" is 90 seats."""
_MONEY: Final = frozenset(
    map(root_of, ("euro", "eur", "dollar", "usd", "pound", "gbp", "franc", "cent", "crown"))
)
_PRICING: Final = frozenset(
    map(root_of, ("cost", "price", "priced", "sell", "sold", "charge", "charged", "year"))
)
"""Words that say that something has a price."""
_FIT: Final = frozenset(map(root_of, ("fit", "fits", "go", "hold", "load", "put")))
_MERGING: Final = frozenset({root_of("merge")})
_PEOPLE: Final = frozenset(map(root_of, ("person", "persons", "people", "reviewer", "approver")))


class Amount(NamedTuple):
    """How much of what. `family`: how long, how often, or the stem of what is counted. `narrowed`: words before it."""

    low: float
    high: float
    family: str
    narrowed: frozenset[str]
    places: frozenset[int]
    said: str


@lru_cache(maxsize=KEPT)
def amounts(matter: Matter) -> tuple[Amount, ...]:
    """The amounts that a statement gives.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> [(each.low, each.family) for each in amounts(read_matter("Access tokens expire after 15 minutes"))]
    [(900.0, 'lifetime')]
    """
    return tuple(_amounts(matter))


def _amounts(matter: Matter) -> Iterator[Amount]:
    words = matter.words
    for place, word in enumerate(words):
        if word in _OFTEN:
            yield Amount(_OFTEN[word], _OFTEN[word], "often", frozenset(), frozenset({place}), word)
        elif (often := _often(words, place)) is not None:
            yield often
        elif word in _PER and words[max(place - 1, 0)] in _AFTER and words[place + 1 : place + 2]:
            if root_of(words[place + 1]) in _SECONDS and (made := _measured(matter, place, 1.0)) is not None:
                yield made
        elif (number := _number(word)) is not None and not _is_of_name(matter, place):
            made = _measured(matter, place, number)
            if made is not None:
                yield made


def _often(words: tuple[str, ...], place: int) -> Amount | None:
    """How often, where it is said in several words: "every night", "each Sunday", "twice a year"."""
    word, behind = words[place], words[place + 1 : place + 4]
    if word in {"every", "each"} and behind:
        seconds, length, times = _span(behind[0]), 2, 1.0
    elif word in _TIMES and behind[:1] and behind[0] in _PER and len(behind) > 1:
        seconds, length, times = _SECONDS.get(root_of(behind[1])), 3, _TIMES[word]
    elif behind[:1] == ("times",) and len(behind) > 2 and behind[1] in _PER and (number := _number(word)):
        seconds, length, times = _SECONDS.get(root_of(behind[2])), 4, number
    else:
        return None
    if seconds is None:
        return None
    places, said = frozenset(range(place, place + length)), " ".join(words[place : place + length])
    return Amount(seconds / times, seconds / times, "often", frozenset(), places, said)


def _span(word: str) -> float | None:
    """How long it is until a day, or a part of one, comes again; of a unit of time how long it is."""
    if word in _PARTS_OF_DAY:
        return _SECONDS[root_of("day")]
    return _WEEK if word in WEEK else _SECONDS.get(root_of(word))


def _number(word: str) -> float | None:
    plain = COUNTS.get(word, word)
    # Most words are no numbers, which their first letter tells.
    is_plain = plain[:1].isdigit() and len(plain) <= 9 and _PLAIN.fullmatch(plain) is not None
    return float(plain) if is_plain else None


def _is_of_name(matter: Matter, place: int) -> bool:
    """Whether a number belongs to a name before it: Python 3.11."""
    return (
        place > 0
        and matter.words[place][0].isdigit()
        and matter.words[place - 1] in matter.named - {matter.words[0]}
    )


def _measured(matter: Matter, place: int, number: float) -> Amount | None:
    words, stems = matter.words, matter.stems
    phrase: list[str] = []
    for word in words[place + 1 : place + 1 + _PHRASE]:
        if is_stop_word(word) or _number(word) is not None or not word.isalpha():
            break
        phrase.append(word)
    if not phrase:
        return None
    unit = root_of(phrase[0])
    before = words[max(place - 3, 0) : place]
    if unit in _SECONDS or unit in _SIZES:
        phrase = phrase[:1]
        length = number * (_SECONDS.get(unit) or _SIZES[unit])
        is_often = before[-1:] == ("every",) or before[-1:] == ("each",)
        others = set(stems)
        life = "lifetime" if others & _LIFE_CUES else "wait" if others & _WAIT else "length"
        family = "size" if unit in _SIZES else "often" if is_often else life
        if family == "often":
            before = ()
    else:
        if words[place + 1 + len(phrase) : place + 2 + len(phrase)] == ("per",):
            phrase.append("per")
        length = number
        phrase = _counted_in(phrase)
        if not phrase:
            return None
        family = "person" if root_of(phrase[-1]) in _PEOPLE else root_of(phrase[-1])
    low, high = _bounds(before, length)
    first = place
    if family == "person" and len(phrase) == 1 and place and stems[place - 1] in _ROOM:
        family, first = _ROOM[stems[place - 1]], place - 1
    places = frozenset(range(first, place + 1 + len(phrase)))
    narrowed = frozenset(map(root_of, phrase[:-1]))
    return Amount(low, high, family, narrowed, places, f"{' '.join((words[place], *phrase))}")


def _counted_in(phrase: list[str]) -> list[str]:
    """What is counted: the words up to a plural or a verb behind it."""
    found: list[str] = []
    for word in phrase:
        if root_of(word) in _FIT or (
            not is_content(word, root_of(word)) and word not in {"times", "time", "per"}
        ):
            break
        found.append(word)
    return [each for each in found if each != "per"]


def _bounds(before: tuple[str, ...], length: float) -> tuple[float, float]:
    pairs = [before[-2:], before[-3:-1]]
    if any(each in pairs for each in _UP):
        return length, _MOST
    if any(each in pairs for each in _DOWN):
        return 0.0, length
    if before[-2:] in _OVER or before[-1:] in _OVER:
        return math.nextafter(length, _MOST), _MOST
    if before[-2:] in _UNDER or before[-1:] in _UNDER:
        return 0.0, length
    return length, length


def other_amount(one: Matter, other: Matter) -> Disagreement | None:
    """Another amount of the same for the same.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> told = read_matter("Access tokens expire after 15 minutes"), read_matter("Access tokens are valid for 24 hours")
    >>> other_amount(*told).why
    '15 minutes against 24 hours for access, tokens'
    """
    mine, theirs = amounts(one), amounts(other)
    if one.negated or other.negated or not mine or not theirs:
        return None
    for amount in mine:
        for against in theirs:
            is_one_kind = amount.family == against.family or _are_lengths(one, amount, other, against)
            if not is_one_kind or not _exclude(amount, against):
                continue
            if _is_said(one, amount, other, theirs) or _is_said(other, against, one, mine):
                continue
            if amount.narrowed and against.narrowed and amount.narrowed != against.narrowed:
                continue
            of, of_other = _about(one, mine, amount), _about(other, theirs, against)
            if amount.family != against.family and (
                _says_before(one, amount, of - of_other) or _says_before(other, against, of_other - of)
            ):
                continue
            if not of and not of_other:  # "to merge", which is what reviewers are for
                of = of_other = frozenset(_MERGING & set(one.stems) & set(other.stems))
            is_same = is_same_matter(of, of_other, one.is_universal, other.is_universal)
            if (is_same and not _narrows(of, of_other, one, other)) or _is_limit_of_one(
                one, other, amount, against
            ):
                common = (of & of_other) | (_whose(one) & _whose(other))
                shared = [
                    x for x, stem in dict(zip(one.words, one.stems, strict=True)).items() if stem in common
                ]
                told = f"{amount.said} against {against.said} for {', '.join(shared)}"
                return Disagreement(Signal.NUMBER, told, STRENGTH)
    return None


def _are_lengths(one: Matter, amount: Amount, other: Matter, against: Amount) -> bool:
    """Whether one says how long something lasts, and the other how long it is."""
    for matter, lasting, its, length in ((one, amount, other, against), (other, against, one, amount)):
        if (lasting.family, length.family) == ("lifetime", "length"):
            cues = _LIFE_CUES & set(matter.stems)
            return cues == _LAST and _LONG in its.stems
    return False


def _says_before(matter: Matter, amount: Amount, stems: frozenset[str]) -> bool:
    """Whether any of these stands before an amount, as what tells which thing it is of."""
    return not stems.isdisjoint(matter.stems[: min(amount.places)])


def _is_said(one: Matter, amount: Amount, other: Matter, others: tuple[Amount, ...]) -> bool:
    """Whether another statement gives the same amount of the same, too, and the other one for something else."""
    number = next(
        one.words[at] for at in sorted(amount.places) if at == max(amount.places) or _number(one.words[at])
    )
    return any(amount[:3] == each[:3] for each in others) or (number[0].isdigit() and number in other.words)


def _exclude(one: Amount, other: Amount) -> bool:
    if _is_limit(one) and _is_limit(other) and (one.low == 0) is (other.low == 0):
        ends = (one.high, other.high) if one.low == 0 else (one.low, other.low)
        return abs(ends[0] - ends[1]) > _NEARLY * max(ends)  # two limits of one thing
    if one.family == "often" or one.low == one.high or other.low == other.high:
        gap = max(one.low, other.low) - min(one.high, other.high)
        return gap > _NEARLY * max(one.low, other.low)
    return max(one.low, other.low) > min(one.high, other.high)


def _is_limit(amount: Amount) -> bool:
    """Whether it is the most or the least that there may be."""
    return amount.low != amount.high and (amount.low == 0 or amount.high == _MOST)


def _is_limit_of_one(one: Matter, other: Matter, amount: Amount, against: Amount) -> bool:
    """Whether both limit what one of a kind does in a stretch of time, in whatever words: "a hawk flies at most four
    sorties a day", "one hawk can be booked for up to six sorties a day"."""
    rates = _rate(one, amount), _rate(other, against)
    if not (_is_limit(amount) and _is_limit(against)):
        return False
    if rates == (None, None) and _are_in_one(one, other, amount):
        return True
    if rates[0] is None or rates[0] != rates[1]:
        return False
    return bool(_whose(one) & _whose(other))


def _are_in_one(one: Matter, other: Matter, amount: Amount) -> bool:
    """Whether both say how many go into one of a kind, and nothing else: "into one order", "an order may hold"."""
    inside = _singles(one) & _singles(other)
    rest = [
        matter.about(frozenset(at for each in amounts(matter) for at in each.places), _EMPTY | _FIT | inside)
        - {amount.family}
        for matter in (one, other)
    ]
    return bool(inside - {amount.family}) and not any(rest)


def _singles(matter: Matter) -> frozenset[str]:
    """Roots of what stands behind "a", "one", "each" or "per"."""
    return frozenset(
        root_of(noun)
        for word, noun in pairwise(matter.words)
        if word in _SINGLE | _PER and not is_stop_word(noun) and noun.isalpha()
    )


def _rate(matter: Matter, amount: Amount) -> str | None:
    """The root of the stretch of time behind an amount: "a day", "per shift"."""
    behind = matter.words[max(amount.places) + 1 : max(amount.places) + 3]
    return root_of(behind[1]) if len(behind) > 1 and behind[0] in _PER else None


def _whose(matter: Matter) -> frozenset[str]:
    """The single thing of which something is said, where one word names it: "a hawk flies", "each nurse may"."""
    found = set()
    for place, word in enumerate(matter.words[:-2]):
        noun, verb = matter.words[place + 1 : place + 3]
        if word in _SINGLE and not is_stop_word(noun) and (verb in _MAY or verb.endswith(("s", "ed"))):
            found.add(root_of(noun))
    return frozenset(found)


def _about(matter: Matter, every: tuple[Amount, ...], amount: Amount) -> frozenset[str]:
    generic = _EMPTY | (
        _LIFE
        if amount.family == "lifetime"
        else _WAIT
        if amount.family == "wait"
        else _PRICING
        if amount.family in _MONEY
        else frozenset()
    )
    without = frozenset(at for each in every for at in each.places)
    return matter.about(without, generic)


def _narrows(of: frozenset[str], of_other: frozenset[str], one: Matter, other: Matter) -> bool:
    """Whether one speaks of a part, by a word before a shared one or a purpose, and the other not of all."""
    for more, matter, covering in ((of - of_other, one, other), (of_other - of, other, one)):
        if not more or covering.is_universal:
            continue
        for place, stem in enumerate(matter.stems):
            if stem not in more:
                continue
            is_purpose = "for" in matter.words[max(place - 2, 0) : place]
            if is_purpose or stem in CONTRASTS or set(matter.stems[place + 1 : place + 2]) & of & of_other:
                return True
    return False
