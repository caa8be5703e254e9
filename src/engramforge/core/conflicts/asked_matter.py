"""Whether two statements speak of what a question asks, and whether they answer it differently."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.conflicts.alignment import Likeness, align
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.scopes.exceptions import by_exception
from engramforge.core.conflicts.scopes.subjects import are_of_others
from engramforge.core.conflicts.scopes.when_and_where import are_apart
from engramforge.core.conflicts.signals import Signal
from engramforge.core.conflicts.statements import read_statement
from engramforge.core.oracle.resonance import asked_stems, gaps
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import root_of

_LEAST: Final = 2
"""Words of a question that make a matter; that two statements share one word makes none."""
_SHARE: Final = 0.5
"""How many of the words of a question a statement says that speaks of its matter, at least."""
_ALIKE: Final = 0.6
"""How close the words of two statements on one matter are (harmonic mean of both ways)."""
YES_OR_NO: Final = re.compile(
    r"(?i)\W{0,8}(?:may|can|could|do|does|did|is|are|was|were|should|must|shall|will|would|have|has|am)\b"
)


def shared_with(query: str, text: str) -> int:
    """How many of the words of a question the first sentence of a text says; but for those that only frame it.

    >>> shared_with("Which kind of ferry sails at noon?", "The ferry is late.")
    1
    """
    return len(asked_stems(query) & asked_stems(next(iter(sentences_of(text)), text)))


def most_asked(query: str, texts: Sequence[str]) -> list[int]:
    """The places of the texts that say most of a question, of them the best first; where none says any of it, of the
    first one alone.

    >>> most_asked("When does the ferry sail?", ["Lunch is late.", "The ferry is late.", "The ferry sails at noon."])
    [2]
    """
    shares = [shared_with(query, each) for each in texts]
    most = max(shares, default=0)
    places = [at for at, share in enumerate(shares) if 2 * share > most]
    return sorted(places, key=lambda at: -shares[at]) if most else list(range(len(texts)))[:1]


def is_one_matter(query: str, one: str, other: str, like: Likeness | None = None) -> bool:
    """Whether another statement speaks of what one says to a question: it says much of the question, and much of it.

    >>> said = "Berth permits are valid for a day."
    >>> is_one_matter("How long are berth permits valid?", said, "Berth permits are valid until noon.")
    True
    >>> is_one_matter("How long are berth permits valid?", said, "Berth fees are paid at noon.")
    False
    """
    if shared_with(query, other) < max(_LEAST, _SHARE * len(asked_stems(query))):
        return False
    statements = read_statement(one), read_statement(other)
    if not all(each.words for each in statements):
        return False
    closeness = align(*statements, like).closeness
    met = float(closeness.max(1).mean()), float(closeness.max(0).mean())
    return 2 * met[0] * met[1] > _ALIKE * sum(met)


def answers_against(
    query: str,
    one: str,
    other: str,
    rejected: tuple[Sequence[str], Sequence[str]] = ((), ()),
    like: Likeness | None = None,
) -> tuple[str, str] | None:
    """By which signal two statements answer a question differently, and why; None where they do not.

    Where both say all that is asked they speak of one matter, whatever else they say.

    >>> answers_against("Do we sail on Sundays?", "No sailing on Sundays.", "We sail every Sunday at noon.")
    ('negation', 'one forbids what the other says is done: sailing, sundays')
    >>> answers_against("Do ferries sail on Sundays?", "No sailing on Sundays.", "We dine every Sunday.") is None
    True
    """
    told = disagreement(one, other, *rejected, like)
    sides = read_statement(one), read_statement(other)
    if told is None and (
        are_apart(one, other) or by_exception(one, other)[0] or are_of_others(*sides, align(*sides, like))
    ):
        return None
    if told is None and _is_asked_of(query, one) and _is_asked_of(query, other):
        told = disagreement(one, other, *rejected, like, is_one_matter=True)
        if told is None and YES_OR_NO.match(query) and _says_no(query, one) != _says_no(query, other):
            return str(Signal.NEGATION), "one says no where the other says yes"
    return None if told is None else (str(told.signal), told.why)


def _is_asked_of(query: str, text: str) -> bool:
    return len(asked_stems(query)) >= _LEAST and not gaps(query, [text])


def _says_no(query: str, text: str) -> bool:
    """Whether a statement negates any of what is asked."""
    asked = asked_stems(query)
    return any(word.negated for word in read_statement(text).words if root_of(word.word) in asked)
