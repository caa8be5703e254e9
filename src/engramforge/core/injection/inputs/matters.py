"""What a prompt and a memory share that is of no matter: numbers, units and verbs that every sentence has."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.oracle.units import UNITS
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import stem_of, word_set, words_of

_COMMON_WORDS: Final = """
adjust again already always another anyway ask become begin bring build built came clean come create delete do done
else explain find fix found gave get give given go goes gone happen have implement improve keep know known let like
look looks made make maybe mean means move moved moves moving need needed never now one please pls put really refactor
remove rename replace review said saw say see seem seen show soon still sure take taken tell tells thanks thing things
think thought thx today together told tomorrow took try turn update use want went write writing written wrote
yesterday two three four five six seven eight nine ten twelve
"""
COMMON: Final = frozenset(map(stem_of, (*_COMMON_WORDS.split(), *UNITS)))
"""Stems of units, of numbers, of verbs without a matter of their own, and of fillers."""
_OF_ALL: Final = 3
_BEGINNING: Final = 4
"""Words of a clause in which stands what it speaks of."""
_CLAUSE: Final = late(r"[,;:!?()\u2014\u2013]|\.\s|\s-\s|\s(?:and|but|because|since|so)\s")
_IS_FOR: Final = late(r"\s(?:for|of|about) (?=(?:(?:the|our|all|every|each|a|an) )?\w)")
_FILES: Final = late(
    r"(?<!\S)[\"'(`]?(?:[\w.~-]{0,60}/[^\s\"')`]{1,200}|[\w-]{1,60}\.[a-z]{1,5}(?=[\"')`,;:?!]{0,2}(?:\s|\Z)))"
)
"""Names of files and folders."""
_DOERS: Final = word_set(
    "we i you they he she people nobody everybody lets let's to will can could should must may might don't dont never"
    " do in at on behind near from with under over by is are was were has have had"
)
"""Words behind which stands what is done, or where."""
_CASES: Final = 2
"""From how many measures of a kind on a statement tells apart cases."""
_MEASURE: Final = late(r"(?i)(?<![\w.])\d{1,6}(?:[.,]\d{1,3})? ?(?P<unit>[a-z]{1,8}|%|\u20ac|\u00b0c?)(?!\w)")
_BARE_NUMBER: Final = late(r"(?<![\w.])\d{1,6}(?:\.\d{1,3})?(?=\W*(?:[,;.!?]|\Z))")
_UNITS: Final = tuple(
    (forms.split()[0], frozenset(forms.split()))
    for forms in (
        "h hr hrs hour hours", "min mins minute minutes m", "s sec secs second seconds", "d day days",
        "kg kgs kilo kilos", "km kms", "eur euro euros \u20ac", "% percent pct", "w week weeks", "y year years",
    )
)  # fmt: skip


def distinctive(text: str) -> frozenset[str]:
    """The stems of a text that tell of a matter: no numbers, no units, and nothing that every matter has.

    >>> sorted(distinctive("please set up the pump test, 3 bar for 2 days"))
    ['pump']
    """
    return frozenset(filter(_is_of_a_matter, _stems(text))) - EVERYDAY


def shares_little(query: str, said: str) -> bool:
    """Whether what a prompt and a memory have in common are numbers, units and common verbs alone.

    >>> shares_little("do we need a permit?", "the kiln smells, need to find out why")
    True
    >>> shares_little("how hot is the kiln?", "the kiln is at 900 degrees"), shares_little("which tint?", "blue glaze")
    (False, False)
    """
    shared = _stems(query) & _stems(said)
    return bool(shared) and not any(map(_is_of_a_matter, shared))


def is_of_a_case(question: str, statement: str) -> bool:
    """Whether a question of a case with a measure ("who cancels 20 h before") is of a statement's matter, which has
    measures of that kind: the rule that the case falls under.

    >>> rule = "rent is free below 3 days, 2 euro a day until 9 days"
    >>> is_of_a_case("what rent does one pay who stays 5 days?", rule), is_of_a_case("what is 5 days' rent?", "rent: 9")
    (True, False)
    >>> is_of_a_case("how warm is it in 5 days?", rule)
    False
    """
    asked = {_unit(hit["unit"]) for hit in _MEASURE.finditer(question)}
    units = [_unit(hit["unit"]) for hit in _MEASURE.finditer(statement)]
    shared = distinctive(question) & distinctive(statement)
    return any(units.count(each) >= _CASES for each in asked) and bool(shared)


def measures_of(text: str) -> frozenset[str]:
    """The units of a text's measures, each in one form; "" for a number without a unit.

    >>> sorted(measures_of("every 30 secs, 4 days, 7")), measures_of("none")
    (['', 'd', 's'], frozenset())
    """
    units = {_unit(hit["unit"]) for hit in _MEASURE.finditer(text)}
    return frozenset(units | ({""} if _BARE_NUMBER.search(text) else set()))


def _unit(unit: str) -> str:
    folded = unit.lower()
    return next((first for first, forms in _UNITS if folded in forms), stem_of(folded))


def _is_of_a_matter(stem: str) -> bool:
    return stem not in COMMON and not stem.replace(".", "").isdigit()


def _stems(text: str) -> frozenset[str]:
    return stems_of(with_apostrophes(text.casefold()))


def without_files(text: str) -> str:
    """A text without the names of files and folders in it, which say of a matter only what projects have alike.

    >>> without_files("write park.py and src/pier/gate.ts for the pier").split()
    ['write', 'and', 'for', 'the', 'pier']
    """
    return _FILES.sub(" ", text)


def is_of_it(statement: str, stem: str) -> bool:
    """Whether a statement is of what a word names: one of its clauses begins with it, or something is for it; not where
    it tells what somebody does, or where something is.

    >>> [is_of_it(each, "park") for each in ("park position is 12 deg", "we use ftp for the park log")]
    [True, True]
    >>> [is_of_it(each, "park") for each in ("we park the redesign", "the mount is in a car park", "they park there")]
    [False, False, False]
    """
    clauses = (_IS_FOR.sub(". ", part) for part in _CLAUSE.split(statement.casefold()))
    begun = (words_of(part)[:_BEGINNING] for each in clauses for part in each.split(". "))
    return any(
        stem_of(word) == stem and not _DOERS.intersection(words[:at])
        for words in begun
        for at, word in enumerate(words)
    )


def names_the_matter(query: str, shared: Set[str]) -> bool:
    """Whether stems that a statement shares with a prompt are a third of what the prompt is about, at least.

    >>> [names_the_matter(each, {"kiln"}) for each in ("write the kiln job", "paint a blue kiln on a green vase")]
    [True, False]
    """
    return len(shared) * _OF_ALL >= len(distinctive(query)) > 0
