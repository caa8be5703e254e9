"""What kind of value a turn gives something, so that a later one of the same kind is seen to take its place.

A short change hardly repeats what it is of: "camelCase in the json" has another way of naming than "fields in
snake_case in the json api", and "set it to 12" only a figure where the turn before it has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Final

from engramforge.core.conflicts.matters.alternatives import chosen
from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, word_set, words_of

NUMBER: Final = r"\d{1,9}(?:[.,]\d{1,4})?"
UNIT: Final = r"[a-z%\u20ac$]{1,12}"
AMOUNT: Final = late(rf"(?i)(?<![\w.#:/-])(?P<number>-?{NUMBER})(?:\s?(?P<unit>{UNIT}))?(?![\w/:-])")
_NO_UNIT: Final = word_set("""
an and are as at better but enough fine for from in instead is it its kills not now of on or per plenty pls please so
that the then this to too users was we were with
""")
_SHORT: Final = 4
"""Letters of a short form of a unit: "min", "secs"."""
LINK: Final = late(r"(?i)\bhttps?://[^\s,;)\"'`]{1,200}")
_COLOUR_CODE: Final = late(r"(?i)(?<!\w)#[0-9a-f]{3,8}\b")
_COLOURS: Final = word_set("""
amber beige black blue brown crimson cyan gold gray green grey indigo magenta maroon navy olive orange pink purple red
salmon silver teal turquoise violet white yellow
""")
_TONGUES: Final = word_set("""
arabic basque bulgarian catalan chinese croatian czech danish dutch english estonian finnish french german greek hebrew
hindi hungarian icelandic irish italian japanese korean latvian lithuanian norwegian persian polish portuguese romanian
russian serbian slovak slovenian spanish swedish thai turkish ukrainian vietnamese welsh
""")
_DAYS: Final = word_set("""
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
""")
_CLASSES: Final = (("colour", _COLOURS), ("tongue", _TONGUES), ("day", _DAYS))
_VAGUE: Final = frozenset(
    (
        "place of a version",
        "way of starting",
        "way of updating",
        "medium",
        "working place",
        "operator",
        "order",
    )
)
"""Kinds of which the names are words of every matter."""
_OF_NAMING: Final = stem_set(
    "case snake camel kebab pascal snake_case camel_case kebab-case camelcase pascalcase"
)
_SETS_IT: Final = late(
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|and|actually|no|nah|nope|hm+|wait|please|pls|then|rather|better|just|or|lets|let's"
    r"|sorry|can you|could you|now)\b\W{0,3}){0,4})(?:make|set|change|turn|raise|lower|bump|cut|put|switch|drop|move"
    r"|increase|decrease|reduce)\s(?:it|that|this|them|those|these)\b(?: (?:up|down|back))?(?: (?:to|at|into|for))?"
    r"(?P<value>\shttps?://[^\s,;]{1,200}|\s[^,;:.!?\u2014\u2013]{1,40}(?:[.,]\d[^,;:!?]{0,20})?)"
)
"""Gives a thing that was named before another value: "set it to 12"."""
_DONE: Final = stem_set("""
accent change changed done lower lowered make made now ok okay raise raised set switch switched update updated value
""") - stem_set("accent")
_NO_NOUN: Final = word_set(
    "a an the to at be please pls instead then now rather it is about around px on from"
)
_WHOLE: Final = word_set("""
back base book card care cart case cast char cook cost date fire fish foot form hand head hear heat high home
host land life line link list load mail mark mean mind moon name need news note over pack page part pass past path
plan play post port rail rain read ring road rule sand ship show side sign site snow some star step stop sugg
team term test text time tool tree turn type unit user view wall wash watch water wind wood word work
""")
"""Words of their own, and beginnings, that are the short form of no longer word: "port" and "portfolio"."""
_SHORTEST: Final = 4
_LONGER: Final = 3
_HEADS_KEPT: Final = 128
"""Letters that a short form of a noun has, and how many more the long one has."""


def amounts_in(text: str) -> Iterator[tuple[str, str]]:
    """The numbers of a text with the unit behind each, "" where none is."""
    for hit in AMOUNT.finditer(text):
        yield hit["number"].replace(",", "."), unit_of(hit["unit"])


def unit_of(word: str | None) -> str:
    """The unit that a word behind a number is; "" for none."""
    unit = (word or "").lower()
    is_none = unit in _NO_UNIT or (len(unit) > 1 and is_stop_word(unit))
    return "" if is_none else unit


def may_be_of(one: str, other: str) -> bool:
    """Whether two units may be the same, one of them short: "s" and "seconds"."""
    if not one or not other:
        return True
    short, long = sorted((one, other), key=len)
    return stem_of(one) == stem_of(other) or (long.startswith(short) and len(short) <= _SHORT)


def values_of(text: str) -> dict[str, frozenset[str]]:
    """The values that a text gives, by their kinds, without amounts.

    >>> values_of("the hull is blue"), "naming" in values_of("camelCase in the json")
    ({'colour': frozenset({'blue'})}, True)
    """
    found: dict[str, set[str]] = {}
    for link in LINK.findall(text):
        found.setdefault("link", set()).add(link.rstrip("./"))
    bare = LINK.sub(" ", text)
    words = words_of(bare.casefold())
    for kind, names in _CLASSES:
        if its := names.intersection(words):
            found[kind] = {stem_of(each) for each in its}
    if "colour" not in found and (codes := _COLOUR_CODE.findall(bare)):
        found["colour"] = {each.casefold() for each in codes}
    for each in chosen(read_matter(bare.replace("_case", " case"))):
        if each.kind not in _VAGUE:
            found.setdefault(each.kind, set()).add(str(each.which))
    return {kind: frozenset(its) for kind, its in found.items()}


def is_of_the_noun(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of some stems is this one, or its long or its short form.

    >>> [is_of_the_noun(each, frozenset(("photograph", "tide"))) for each in ("photo", "tide", "tid", "tider")]
    [True, True, False, False]
    """
    if stem in stems:
        return True
    # Asked of every word of many turns: hardly any begins as one of a statement's does.
    return stem[:_SHORTEST] in heads_of(stems) and any(
        each.startswith(stem[:_SHORTEST]) and _is_form_of(stem, each) for each in stems
    )


@lru_cache(maxsize=_HEADS_KEPT)
def heads_of(stems: frozenset[str]) -> frozenset[str]:
    """How those of some stems begin that a longer or shorter form may stand for."""
    return frozenset(each[:_SHORTEST] for each in stems if len(each) >= _SHORTEST)


def _is_form_of(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return short not in _WHOLE and len(long) >= len(short) + _LONGER and long.startswith(short)


def gives_another(later: str, earlier: str) -> frozenset[str]:
    """The kinds of values of which a later text has another than an earlier one, and none of its own.

    >>> sorted(gives_another("actually english as default", "default language is danish"))
    ['tongue']
    """
    new, old = values_of(later), values_of(earlier)
    return frozenset(kind for kind, its in new.items() if kind in old and not its & old[kind])


def sets_it(turn: str) -> str:
    """The value that a turn gives to what was named before it; "" for none.

    >>> [sets_it(each) for each in ("hm make that green", "set it to 12", "set it up", "make that header green")]
    ['green', '12', '', '']
    """
    hit = _SETS_IT.match(turn)
    value = "" if hit is None else hit["value"].strip()
    amounts = list(amounts_in(value))
    if not (amounts or values_of(value)):
        return ""
    nouns = distinctive(LINK.sub(" ", AMOUNT.sub(" ", value))) - stems_of_values(value)
    return "" if nouns else value


def changes_it(turn: str, earlier: str, answer: str = "", *, is_next: bool) -> bool:
    """Whether a turn gives another value to what was said before, which it does not name.

    `answer`: what was answered to it; that may name the thing. `is_next`: whether nothing was said between both.

    >>> [changes_it("set it to 12", each, is_next=True) for each in ("the hull is 8 m", "the hull", "hull of 12 m")]
    [True, False, False]
    >>> changes_it("make it red", "the hull is blue", "Painted the hull red.", is_next=False)
    True
    >>> changes_it("set it to 12", "the hull is 8 m", "The mast is 12 m.", is_next=True)
    False
    """
    value = sets_it(turn)
    if not value or not (_is_another_amount(value, earlier) or gives_another(value, earlier)):
        return False
    nouns = distinctive(AMOUNT.sub(" ", answer)) - stems_of_values(answer) - _DONE
    if any(is_of_the_noun(each, distinctive(earlier)) for each in nouns):
        return True
    is_told = bool(nouns) and not set(words_of(value.casefold())).isdisjoint(words_of(answer.casefold()))
    return is_next and not is_told


def _is_another_amount(value: str, earlier: str) -> bool:
    old = list(amounts_in(earlier))
    return any(
        all(number != its[0] for its in old) and any(may_be_of(unit, its[1]) for its in old)
        for number, unit in amounts_in(value)
    )


def stems_of_values(text: str, kinds: Set[str] | None = None) -> frozenset[str]:
    """The stems of the words of a text that are values by themselves, of any of these kinds."""
    words = words_of(text.casefold().replace("_case", " case"))
    return _OF_NAMING | frozenset(
        stem_of(each)
        for each in words
        if each in _NO_NOUN or any(kinds is None or kind in kinds for kind in values_of(each))
    )
