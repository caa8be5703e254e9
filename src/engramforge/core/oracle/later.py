"""That a later decision goes another way than an earlier one without saying that it supersedes it: it names what the
earlier one chose, and tells of a change."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engramforge.core.ranking.question import words_of_names
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import stem_of, words_of

_CHANGING: Final = frozenset(
    map(stem_of, ("switch", "replace", "move", "migrate", "supersede", "decommission", "retire", "drop", "abandon",
     "transition", "change", "instead", "away", "remove", "stop", "longer"))
)  # fmt: skip
_SMALL: Final = re.compile(r"(?<![\w-])[a-z][\w-]*")
_INITIALS: Final = re.compile(r"\b[A-Z][A-Z\d]{1,9}s?\b")
_HEAD: Final = 300
"""Characters of the sentences in which a decision says what it is about."""


def head_of(text: str) -> str:
    """What a decision says first: its title, or two sentences."""
    return " ".join(sentences_of(text)[:2])[:_HEAD]


def goes_on_from(later: str, earlier: str, common: Collection[str], text: str = "") -> bool:
    """Whether a later decision changes what an earlier one chose.

    What is chosen is a name, which neither of them writes in small letters; initials are the names of many things.
    `later`, `earlier`: what they decide. `text`: all that the later one says. `common`: words that tell nothing: of the
    question, and those that many say.

    >>> goes_on_from("We switch to Tugs for towing. They beat Barges on every count.", "Use Barges", ())
    True
    >>> goes_on_from("Paint the Barges blue.", "Use Barges", ()), goes_on_from("We switch to Tugs.", "Use Barges", ())
    (False, False)
    """
    head = head_of(later)
    if _CHANGING.isdisjoint(map(stem_of, words_of(head))):
        return False
    said = text or later
    plain = {word for small in _SMALL.findall(f"{earlier}\n{said}") for word in words_of(small)}
    initials = {word for name in _INITIALS.findall(earlier) for word in words_of(name)}
    chosen = words_of_names(head_of(earlier)) - plain - initials - {*common}
    return not chosen.isdisjoint(words_of_names(said))
