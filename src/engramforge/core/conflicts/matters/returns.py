"""One says that something is gone, the other that it comes back, or stays: "removed from the app", "brought back".

What comes and goes is the same in all its words, and so is the place, where both name one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT, NEGATORS
from engramforge.core.text.words import roots_of, words_of

STRENGTH: Final = 0.65
_LEAVES: Final = (
    r"removed|dropped|retired|discontinued|withdrawn|scrapped|abolished|phased out|taken out|switched off"
)
_COMES: Final = (
    r"brought back|reintroduced|re-introduced|restored|reinstated|revived|put back|switched on again"
)
_TENSE: Final = r"(?:is|are|was|were|gets|has been|have been|will be)(?: now)?"
_LEAVING: Final = (
    re.compile(rf"(?i)\A(.{{3,80}}?) {_TENSE} (?:{_LEAVES})\b(.{{0,80}})"),
    re.compile(
        r"(?i)\Awe (?:now )?(?:remove|drop|retire|discontinue|withdraw|scrap|abolish) (.{3,60}?)((?: from .*)?)\Z"
    ),
)
_COMING: Final = (
    re.compile(
        rf"(?i)\A(.{{3,80}}?) (?:{_TENSE} (?:{_COMES})|comes? back|came back|returns?|stays?)\b(.{{0,80}})"
    ),
    re.compile(r"(?i)\Awe (?:now )?(?:bring|put) (.{3,60}?) back\b(.{0,80})"),
    re.compile(
        r"(?i)\Awe (?:now )?(?:bring back|reintroduce|restore|reinstate|keep) (.{3,60}?)((?: in| into| to) .*|)\Z"
    ),
)
_PLACE: Final = re.compile(r"(?i)\A[\s,]{0,3}(?:again )?(?:from|in|into|to|on|of) ([^,;:.]{2,60})")
_PART: Final = re.compile(r"(?i)\b(?:if|when|unless|only|until|after|before|for|except|some|one of)\b")


class Fate(NamedTuple):
    """What becomes of a thing: roots of its words and of the place, none where none is named."""

    is_gone: bool
    thing: frozenset[str]
    place: frozenset[str]
    said: str


@lru_cache(maxsize=KEPT)
def fate_of(text: str) -> Fate | None:
    """Whether a text says that something goes, or that it comes back; None where it says neither.

    >>> fate_of("The night ferry is dropped from the timetable.").is_gone, fate_of("The ferry comes back.").is_gone
    (True, False)
    """
    text = text.strip(" .!")
    if NEGATORS & set(words_of(text)) or _PART.search(text):
        return None
    for rules, is_gone in ((_LEAVING, True), (_COMING, False)):
        for rule in rules:
            if (found := rule.match(text)) is not None and (thing := roots_of(found[1])):
                place = _PLACE.match(found[2])
                where = frozenset() if place is None else roots_of(place[1])
                return Fate(is_gone, thing, where, found[1])
    return None


def gone_and_back(text: str, other: str) -> Disagreement | None:
    """One thing that is gone in one text, and there in the other.

    >>> gone_and_back("The night ferry is dropped.", "The night ferry comes back in May.").why
    'gone in one and there in the other: The night ferry'
    """
    mine, theirs = fate_of(text), fate_of(other)
    if mine is None or theirs is None or mine.is_gone is theirs.is_gone or mine.thing != theirs.thing:
        return None
    if mine.place and theirs.place and not (mine.place <= theirs.place or theirs.place <= mine.place):
        return None
    return Disagreement(Signal.OPPOSITE, f"gone in one and there in the other: {mine.said}", STRENGTH)
