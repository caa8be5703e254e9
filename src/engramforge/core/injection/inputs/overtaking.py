"""Whether what a person says later overtakes what was said before, so that the older is no answer by itself.

"Bump retries to 5" states nothing that a question could be compared with, and is still why "max 3 retries" is stale.
Both are told then, with their dates, so a word of the older statement beside a turn in the later one is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engramforge.core.detection.endings.reversals import reversals_in
from engramforge.core.detection.endings.turned import turned_from
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.gate import asks, verb_of
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.named_stems import stems_of_name
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, word_set, words_of

_LONGEST: Final = 240
_LONGEST_EARLIER: Final = 300
"""Characters of a turn that changes something, and of what it changes; longer ones mostly tell of other matters."""
_OF_ALL: Final = 3
"""The word that both have is a third of the older statement's, at least."""
_TURNS: Final = late(
    r"(?i)\b(?:instead|from (?:now|today|here) on|no longer|any ?more|any longer|after all|(?:go|going|went|gone|switch"
    r"|moved?|moving) back to|(?:up|down)graded?|(?:switch(?:ed|ing)?|moved?|migrated?) (?:[\w-]{1,30} ){0,3}to"
    r"|(?:rip|throw|kick|tear|take)(?:p?ing)? (?:[\w-]{1,30} ){1,3}out|(?:it|that|this) is (?:all )?[\w.-]{1,30} now"
    r"|(?:is|are) [\w.-]{1,30} (?:[\w.-]{1,30} )?now|(?:we|i) (?:now )?(?:[\w.-]{1,30} ){2,5}now"
    r"|now(?= #?\w{1,30}\W{0,5}\Z))\b|\bnow(?=\s{0,3}[,;.:]?\s{0,3}\Z)"
)
"""Says that something is otherwise than it was."""
_SINCE: Final = late(
    r"(?i)\b(?:up|down)graded [^.;!?]{2,60}|\b(?:switched|moved|migrated|changed) [^.;!?]{2,60} (?:today|yesterday)\b"
)
"""Tells since when something is otherwise: "upgraded to node 22 today"."""
_OF_NOW: Final = late(
    r"(?i)\b(?:right now|just now|at the moment|broken|broke|fail\w*|crash\w*|hangs?|works?|working|fixed|done|finished"
    r"|ready|error\w*|tests?)\b"
)
"""Tells of the moment, or how work goes, and not how something is."""
_NUMBER: Final = r"\d{1,9}(?:[.,]\d{1,4})?"
_UNIT: Final = r"[a-z%\u20ac$]{1,12}"
_AMOUNT: Final = late(rf"(?i)(?<![\w.#:/-])(?P<number>{_NUMBER})(?:\s?(?P<unit>{_UNIT}))?(?![\w/:-])")
_NO_UNIT: Final = word_set("""
an and are as at better but enough fine for from in instead is it its kills not now of on or per plenty pls please so
that the then this to too users was we were with
""")
_JUDGES: Final = late(
    r"(?i)\b(?:too \w+|enough|plenty|make (?:it|that|them)|rather|better|kills?|drains?|overkill|instead|should be"
    r"|(?:go|up|down|back|raise it|lower it|bump it|change it|set it) to|will do)\b"
)
"""Finds an amount wrong, or another one right."""
_SETS: Final = stem_set("""
adjust bump change cap cut decrease double drop every extend half increase keep let limit lower make max maximum min
minimum only put raise reduce set shorten should stay switch take turn update
""")
_SHORT: Final = 4
"""Letters of a short form of a unit: "min", "secs"."""
_MOST_NAMES: Final = 16
_FEWEST_PARTS: Final = 2
_PARTS: Final = late(r"[,;]\s+|\sand\s")
_BY_A_FIGURE: Final = late(
    rf"(?i)(?<![\w.#:/-])(?P<old>{_NUMBER})(?:\s?{_UNIT})?\s(?:is|are|was|were|looks?|looked"
    r"|feels?|felt|seems?|sounds?|gets?|makes?|leaves?|eats?|takes?|costs?|wastes?|do(?:es)?(?:n['\u2019]?t| not))"
    r"\s[^,;.:?!\d]{2,60}[,;.\u2014\u2013]\s*(?:(?:so|rather|better|make it|try|say|then)\s)?"
    rf"(?P<new>{_NUMBER})(?:\s?(?P<unit>(?!(?:too|also|and|or|are|is)\b){_UNIT}))?"
    r"(?:\s(?:then|please|pls|instead|now|rather|it is))?\W*\Z"
)
"""Says what is wrong with a figure, and another one alone at its end: "gallery 12 looks empty, 24"."""
_TOO_THEN: Final = late(
    rf"(?i)\btoo \w+\b[^,;.:?!]{{0,60}}[,;.\u2014\u2013]\s*(?P<new>{_NUMBER})"
    rf"(?:\s?(?P<unit>{_UNIT}))?\s(?:it is|then|instead|please|pls|rather|from now on)\W*\Z"
)
"""Says what is wrong with a thing, and another figure of it: "gain is too low, 140 it is"."""
_CLAUSE: Final = late(r"[,;!?()\u2014\u2013]\s|:\s|\.(?:\s|\Z)|\s-\s")


def overtakes(later: str, earlier: str) -> bool:
    """Whether what a person says later changes what was said before, or says how it is since.

    >>> overtakes("bump retries to 5", "max 3 retries on the webhook"), overtakes("bump the heap to 5", "max 3 retries")
    (True, False)
    >>> overtakes("15 is too short, make it 20 min", "a hold is 15 min"), overtakes("15 of 20 fail", "a hold is 15 min")
    (True, False)
    >>> said = "loki was too expensive, we write plain files now", "the loki test fails now", "is it loki now?"
    >>> [overtakes(each, "logs go to loki") for each in said]
    [True, False, False]
    """
    read = with_apostrophes(later)
    is_short = 0 < len(read) <= _LONGEST and len(earlier) <= _LONGEST_EARLIER
    if not is_short or asks(read) or not is_asserted(read):
        return False
    if means_for_now(_SINCE.sub(" ", read)):
        return False
    shared = distinctive(read) & distinctive(earlier)
    if _sets_another_amount(read, earlier, shared):
        return True
    is_of_it = len(shared) * _OF_ALL >= len(distinctive(earlier)) > 0
    if is_of_it and _TURNS.search(read) and not _OF_NOW.search(read):
        return True
    return any(
        _is_left(turn.text, earlier) or turned_from(turn, [Standing(earlier)])[1]
        for turn in reversals_in(read, ())
    )


def left_standing(later: Sequence[str], earlier: str) -> str:
    """The parts of a statement of several values that no later turn changes; "" where it is of one, or no turn says by
    itself which part it changes.

    >>> left_standing(["gain is too low, 140 it is"], "shutter 5 s, gain 100, binning 2x2")
    'shutter 5 s, binning 2x2'
    >>> left_standing(["140 it is"], "shutter 5 s, gain 100"), left_standing(["gain 140"], "gain 100")
    ('', '')
    """
    if len(earlier) > _LONGEST_EARLIER:
        return ""
    headed, head, said = earlier.rpartition(": ")
    parts = [part for part in _PARTS.split(said) if part.strip()]
    if len(parts) < _FEWEST_PARTS or not all(any(map(str.isdecimal, part)) for part in parts):
        return ""
    left = [
        part
        for part in parts
        if not any(distinctive(turn) & distinctive(part) and overtakes(turn, part) for turn in later)
    ]
    return f"{headed}{head}{', '.join(left)}" if 0 < len(left) < len(parts) else ""


def _is_left(left: str, earlier: str) -> bool:
    """Whether what somebody turns from is named by what was said before."""
    name = stems_of_name(left)
    return bool(name) and name <= stems_of_name(earlier)


def _sets_another_amount(later: str, earlier: str, shared: frozenset[str]) -> bool:
    """Whether words give what was said before another amount: they name the old one, or what it is of and nothing
    else."""
    before = list(_amounts_in(earlier))
    if (by := _BY_A_FIGURE.search(later)) is not None:
        return _is_by_a_figure(by, later, earlier)
    if shared and (then := _TOO_THEN.search(later)) is not None:
        unit = _unit_of(then["unit"])
        return any(its[0] != then["new"] and _may_be_of(unit, its[1]) for its in before)
    for clause, number, unit in _amounts_by_clause(later) if before else ():
        others = [its for its in before if its[0] != number and _may_be_of(unit, its[1])]
        verb = verb_of(clause)
        if not others or (verb and stem_of(verb) not in _SETS | shared):
            continue
        said = distinctive(_AMOUNT.sub(" ", clause)) - _SETS
        if said and said <= shared:
            return True
        is_judged = _JUDGES.search(later) is not None
        if is_judged and any(_is_named(its, later) for its in others):
            return True
    return False


def _is_by_a_figure(by: re.Match[str], later: str, earlier: str) -> bool:
    """Whether a figure that is found wrong is of what was said before, and the one behind it of the same."""
    both = stems_of(later) & stems_of(earlier)
    unit, old = _unit_of(by["unit"]), by["old"].replace(",", ".")
    is_of_none = all(each.replace(".", "").isdigit() for each in both)
    if by["old"] == by["new"] or _OF_NOW.search(later) or is_of_none:
        return False
    return any(its[0] == old and _may_be_of(unit, its[1]) for its in _amounts_in(earlier))


def _is_named(amount: tuple[str, str], later: str) -> bool:
    return any(number == amount[0] and _may_be_of(unit, amount[1]) for number, unit in _amounts_in(later))


def _amounts_by_clause(text: str) -> Iterator[tuple[str, str, str]]:
    for clause in _CLAUSE.split(text):
        for number, unit in _amounts_in(clause):
            yield clause, number, unit


def _amounts_in(text: str) -> Iterator[tuple[str, str]]:
    """The numbers of a text with the unit behind each, "" where none is."""
    for hit in _AMOUNT.finditer(text):
        yield hit["number"].replace(",", "."), _unit_of(hit["unit"])


def _unit_of(word: str | None) -> str:
    """The unit that a word behind a number is; "" for none."""
    unit = (word or "").lower()
    is_none = unit in _NO_UNIT or (len(unit) > 1 and is_stop_word(unit))
    return "" if is_none else unit


def _may_be_of(one: str, other: str) -> bool:
    """Whether two units may be the same, one of them short: "s" and "seconds"."""
    if not one or not other:
        return True
    short, long = sorted((one, other), key=len)
    return stem_of(one) == stem_of(other) or (long.startswith(short) and len(short) <= _SHORT)


def looked_for(said: str) -> list[str]:
    """The words of a statement by which a later one may name it: what it is of, and its amounts in short.

    >>> looked_for("the kiln cools for 20 minutes")
    ['20', '20minutes', '20m', '20min', 'kiln', 'cools']
    """
    if len(said) > _LONGEST_EARLIER:
        return []
    words = [word for word in words_of(with_apostrophes(said.casefold())) if distinctive(word)]
    amounts = [
        f"{number}{short}" for number, unit in _amounts_in(said) for short in ("", unit, unit[:1], unit[:3])
    ]
    return list(dict.fromkeys((*amounts, *words)))[:_MOST_NAMES]
