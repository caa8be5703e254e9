"""Whether something may be done: what asks for it, what forbids it, and where one text does and another does not."""

from __future__ import annotations

from typing import Final

from engramforge.core.conflicts.numbers import is_day
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.rejections import REFUSES
from engramforge.core.oracle.resonance import asked_stems, gaps
from engramforge.core.text.late_pattern import late
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import root_of, words_of

_SENTENCE: Final = 400
_LEAST: Final = 2
"""Words of a question that make a matter."""
_FORBIDS: Final = late(
    rf"(?i){REFUSES}|\b(?:(?:must|may|shall|should|can)(?: not|n't)|cannot|never(?! (?:did|was|were|had|ha[sv]e?)\b)"
    r"|no one|nobody|forbid\w*|prohibit\w*|not allowed|not permitted|banned|under no circumstances)\b"
)
_ASKS_LEAVE: Final = late(
    r"(?i)^\W{0,8}(?:may|can|could|should|shall|must|(?:are|is|am) (?:\w+ ){1,3}(?:allowed|permitted)"
    r"|is it (?:ok|okay|fine|legal)|do we have to)\b"
)


def forbids(text: str) -> bool:
    """Whether a text says what may not be.

    >>> forbids("Logs must never leave the ship."), forbids("Logs must be kept.")
    (True, False)
    >>> forbids("We refuse logs on paper."), forbids("No logs on paper."), forbids("No logs on paper were found.")
    (True, True, False)
    """
    return _FORBIDS.search(text[:_SENTENCE]) is not None


def asks_leave(query: str) -> bool:
    """Whether a question asks if something may be done.

    >>> asks_leave("May logs leave the ship?"), asks_leave("Who keeps the logs?")
    (True, False)
    """
    return _ASKS_LEAVE.search(query[:_SENTENCE]) is not None


def forbids_one(query: str, text: str, other: str) -> tuple[str, str] | None:
    """By which signal one of two statements forbids what a question asks for, and the other not, and why; else None.

    >>> forbids_one("May guests swim at night?", "Guests swim at night.", "Swimming by guests at night is banned.")[1]
    'one forbids what the other does not'
    >>> forbids_one("May guests swim at night?", "Guests swim at night.", "Guests must not dive.") is None
    True
    """
    if not asks_leave(query) or len(asked_stems(query)) < _LEAST:
        return None
    said = [next((x for x in sentences_of(each) if not gaps(query, [x])), None) for each in (text, other)]
    if None in said or forbids(said[0] or "") is forbids(said[1] or ""):
        return None
    return str(Signal.NEGATION), "one forbids what the other does not"


def forbidden_matter(query: str, rule: str, *, is_near: bool) -> frozenset[str]:
    """The stems that a rule which forbids shares with a question for leave; empty where it is no such rule, or shares
    too little. `is_near`: it answers the question by its meaning, so that one word is enough.

    >>> sorted(forbidden_matter("May diving logs be sold?", "Diving logs must never be shown.", is_near=False))
    ['dive', 'log']
    >>> forbidden_matter("May diving logs be sold?", "Logs must be burnt.", is_near=True)
    frozenset()
    """
    if not asks_leave(query) or not forbids(rule):
        return frozenset()
    asked = asked_stems(query)
    shared = asked & {root_of(word) for word in words_of(rule[:_SENTENCE]) if not is_day(word)}
    return shared if len(shared) >= (1 if is_near else min(_LEAST, len(asked))) else frozenset()
