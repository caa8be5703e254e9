"""Which relation a question asks for, by the words that it shares with a relation's name.

It decides what is followed and told first, never how relevant that is: how a relation is named says nothing of how
strong a link is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from engramforge.core.text.words import STOP_WORDS, stem_of, words_of

Asked = Callable[[str], int]
"""Relation -> how many words the question shares with it."""
Said = Callable[[str], float]
"""Relation -> the share of its words that the question says, 0..1."""


def asked_relations(question: str) -> Asked:
    """How much of each relation a question says.

    >>> asked = asked_relations("With whom did the Dutch form military alliances, and what do they depend on?")
    >>> [asked(each) for each in ("MILITARY_ALLIANCE_WITH", "MILITARY_ACTION", "DEPENDS_ON", "TREATY_WITH", "ON")]
    [2, 1, 1, 0, 0]
    >>> asked("MILITARYALLIANCE")
    1
    """
    said = _said_in(question)

    def shared(relation: str) -> int:
        return len(said & _stems_of(relation))

    return shared


def said_of_relations(question: str) -> Said:
    """Which share of each relation a question says; small words are no part of either.

    >>> said = said_of_relations("With whom did the Dutch form military alliances?")
    >>> [said(each) for each in ("MILITARY_ALLIANCE_WITH", "MILITARY_ACTION", "TRADES_WITH", "WITH")]
    [1.0, 0.5, 0.0, 0.0]
    """
    said = _said_in(question)

    def share(relation: str) -> float:
        own = _stems_of(relation)
        return len(said & own) / len(own) if own else 0.0

    return share


def _said_in(question: str) -> set[str]:
    words = words_of(question)
    return _stems([*words, *(one + other for one, other in itertools.pairwise(words))])


def _stems_of(relation: str) -> set[str]:
    return _stems(words_of(relation.replace("_", " ")))


def _stems(words: Iterable[str]) -> set[str]:
    return {stem_of(word) for word in words if word not in STOP_WORDS}


def nothing_asked(_: str) -> int:
    """Where no question says what it asks for."""
    return 0


def nothing_said(_: str) -> float:
    """Where no question says anything of a relation."""
    return 0.0
