"""Which relation a question asks for, by the words that it shares with a relation's name.

It only decides between what is equally strong: how a relation is named says nothing of how strong a link is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from engramforge.core.text.words import STOP_WORDS, stem_of, words_of

Asked = Callable[[str], int]
"""Relation -> how many words the question shares with it."""


def asked_relations(question: str) -> Asked:
    """How much of each relation a question says.

    >>> asked = asked_relations("With whom did the Dutch form military alliances, and what do they depend on?")
    >>> [asked(each) for each in ("MILITARY_ALLIANCE_WITH", "MILITARY_ACTION", "DEPENDS_ON", "TREATY_WITH", "ON")]
    [2, 1, 1, 0, 0]
    >>> asked("MILITARYALLIANCE")
    1
    """
    words = words_of(question)
    joined = [one + other for one, other in itertools.pairwise(words)]
    said = _stems([*words, *joined])

    def shared(relation: str) -> int:
        return len(said & _stems(words_of(relation.replace("_", " "))))

    return shared


def _stems(words: Iterable[str]) -> set[str]:
    return {stem_of(word) for word in words if word not in STOP_WORDS}


def nothing_asked(_: str) -> int:
    """Where no question says what it asks for."""
    return 0
