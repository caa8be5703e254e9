"""Whether something may be done: what asks for it, what forbids it, and where one text does and another does not."""

from __future__ import annotations

from typing import Final

from engramforge.core.conflicts.signals import Signal
from engramforge.core.oracle.resonance import asked_stems, gaps
from engramforge.core.text.late_pattern import late
from engramforge.core.text.summarising import sentences_of

_SENTENCE: Final = 400
_LEAST: Final = 2
"""Words of a question that make a matter."""
_FORBIDS: Final = late(
    r"(?i)\b(?:(?:must|may|shall|should|can)(?: not|n't)|cannot|never(?! (?:did|was|were|had|ha[sv]e?)\b)|no one|nobody"
    r"|forbid\w*|prohibit\w*|not allowed|not permitted|banned|under no circumstances)\b"
)
_ASKS_LEAVE: Final = late(
    r"(?i)^\W{0,8}(?:may|can|could|should|shall|must|(?:are|is|am) (?:\w+ ){1,3}(?:allowed|permitted)"
    r"|is it (?:ok|okay|fine|legal)|do we have to)\b"
)


def forbids(text: str) -> bool:
    """Whether a text says what may not be.

    >>> forbids("Logs must never leave the ship."), forbids("Logs must be kept.")
    (True, False)
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
