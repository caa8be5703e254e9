"""Rules and rejections that answer whether something may be, though they name it by other words or as alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engramforge.core.oracle.resonance import asked_words
from engramforge.core.ranking.question import words_of_names
from engramforge.core.text.words import is_stop_word, root_of, words_of

_MAY: Final = re.compile(
    r"(?i)^\W*(?:may|can|could|should|must|shall|are we allowed to|am i allowed to|is it (?:ok|okay|allowed|fine) to"
    r"|is anybody allowed to|do we have to)\b"
    r"|^\W*(?:is|are) (?:[\w'-]+ ){1,6}?(?:allowed|permitted|forbidden|banned|prohibited)\b"
)
_WHETHER: Final = re.compile(
    r"(?i)^\W*(?:may|can|could|should|must|shall|do|does|did|is|are|was|were|will|would|have|has)\b"
)
_RULE: Final = re.compile(
    r"(?i)\b(?:never|must|may not|may only|cannot|only|nobody|no one|nothing|forbidden|prohibited|banned|not allowed"
    r"|allowed|permitted|may|not permitted|shall not|should not|do not|don't)\b"
)
_GENERIC: Final = frozenset(
    map(root_of, ("support", "allow", "permit", "possible", "use", "planned", "plan", "option", "okay", "fine", "have",
     "consider", "considered", "work", "works", "take",
     "allowed", "permitted", "forbidden", "banned", "prohibited"))
)  # fmt: skip
_SUBJECT: Final = 2
"""Words of a question that a rule shares which is about its subject."""


def is_rule_on(query: str, text: str) -> bool:
    """Whether a text is a rule on the subject of a question for what may be done.

    >>> is_rule_on("May crew logs be kept in Peru?", "Crew logs must never leave the ship.")
    True
    >>> is_rule_on("May crew logs be kept in Peru?", "Crew lists must be signed.")
    False
    >>> is_rule_on("Where are crew logs kept?", "Crew logs must never leave the ship.")
    False
    """
    if not _MAY.search(query) or not _RULE.search(text):
        return False
    subject = list(dict.fromkeys(map(root_of, asked_words(query))))[:_SUBJECT]
    return len(subject) == _SUBJECT and set(subject) <= set(map(root_of, words_of(text)))


def names_asked(query: str, text: str) -> bool:
    """Whether a question asks of nothing but one name whether it may be, and a text says that name.

    >>> names_asked("May we use Hobnail?", "Boots: Hobnail only."), names_asked("May we sing?", "We sing at noon.")
    (True, False)
    """
    asked = [word for word in asked_words(query) if root_of(word) not in _GENERIC]
    if not asked or not _MAY.search(query) or not set(asked) <= words_of_names(query):
        return False
    return set(map(root_of, asked)) <= set(map(root_of, words_of(text)))


def rejects_asked(query: str, rejected: Sequence[str]) -> bool:
    """Whether an alternative that was rejected is all that a question for whether something is so asks about.

    >>> rejects_asked("Are paper maps supported?", ["paper maps"]), rejects_asked("Are paper maps wet?", ["paper maps"])
    (True, False)
    >>> rejects_asked("Do we use Slate?", ["Slate"]), rejects_asked("Do we use Slate?", ["Slate Blue"])
    (True, False)
    """
    asked = set(map(root_of, asked_words(query))) - _GENERIC
    if not asked or not _WHETHER.search(query):
        return False
    return any(
        asked <= {root_of(word) for word in words_of(each)} and not _has_longer_name(asked, each)
        for each in rejected
        if not all(map(is_stop_word, words_of(each)))
    )


def _has_longer_name(asked: set[str], alternative: str) -> bool:
    """Whether what was rejected has a name of which the one that is asked about is a part: Slate Blue is not Slate."""
    capital = [word[:1].isupper() and root_of(word.lower()) for word in alternative.split()]
    return any(one and other and (one in asked) is not (other in asked) for one, other in pairwise(capital))
