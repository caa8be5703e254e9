"""Which other project a question names as where it asks: "in pier, how long are the berths?"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from engramforge.core.text.words import word_set

_LONGEST: Final = 200
_PLACES: Final = word_set("in at for of from on")
_DOES: Final = word_set("does did has")
_THEN: Final = word_set("do use have need store keep run call handle set send take go work")
"""Words before the name of a project, as a place or as who does something, and what that then does."""
_GOES_ON: Final = word_set(
    "how what which when where who why do does did is are was were can and we i the there now again yet"
)
"""Words behind such a place: anything else is what "for web pages" is of."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s\Z")


def asked_of_project(question: str, names: Iterable[str]) -> tuple[str, str] | None:
    """The one of some projects that a question names as where it asks, and the question without that; None for none.

    >>> projects = "pier", "dry-dock", "web"
    >>> asked_of_project("in pier, how long are the berths?", projects)
    ('pier', 'how long are the berths?')
    >>> asked_of_project("what does dry-dock do for fonts", projects)
    ('dry-dock', 'what does do for fonts')
    >>> said = "how far is the web page?", "which pier do we use?", "is there a rule for web pages?"
    >>> [asked_of_project(each, projects) for each in said]
    [None, None, None]
    """
    if len(question) > _LONGEST:
        return None
    words = question.split()
    plain = [_POSSESSIVE.sub("", word.strip(",.;:?!\"'`()").casefold()) for word in words]
    known = {name.casefold(): name for name in names}
    for at, (before, word) in enumerate(pairwise(plain), 1):
        if word not in known:
            continue
        behind = plain[at + 1] if at + 1 < len(plain) else ""
        is_apart = not behind or not words[at][-1].isalnum() or behind in _GOES_ON
        if before in _PLACES and is_apart:
            return known[word], " ".join((*words[: at - 1], *words[at + 1 :]))
        if before in _DOES and behind in _THEN:
            return known[word], " ".join((*words[:at], *words[at + 1 :]))
    return None
