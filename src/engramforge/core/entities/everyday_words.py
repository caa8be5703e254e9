"""Everyday words as names: what is called `queue` is meant by "queue" only where a question names nothing else, and
what is called `rfc` only where it names none by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engramforge.core.entities.known_names import Meant
from engramforge.core.entities.naming import name_key
from engramforge.core.names.given_names import GIVEN_NAMES
from engramforge.core.ranking.question import FRAME_WORDS

FEW: Final = 20
"""What so many memories say at most is no common word, however few there are."""
COMMON: Final = 0.05
"""The share of a scope's memories above which a word is common in it."""


def without_everyday_words(
    meant: Sequence[Meant], frequency_of: Callable[[str], int], total: int, is_real: Callable[[str], bool]
) -> list[Meant]:
    """The names that a question means. A word that questions are made of is never one; a word that many memories have
    is one only where the question names nothing else.

    `frequency_of`: how many of the scope's `total` memories have a word. `is_real`: whether it is one of the language.

    >>> meant = [Meant(name, name) for name in ("plan", "queue", "gantry")]
    >>> [each.name for each in without_everyday_words(meant, {"queue": 400, "gantry": 9}.__getitem__, 1000, bool)]
    ['gantry']
    >>> [each.name for each in without_everyday_words(meant[:2], {"queue": 400}.__getitem__, 1000, bool)]
    ['queue']
    >>> meant = [Meant(name, name) for name in ("rfc", "rfc 7540", "gantry")]
    >>> [each.name for each in without_everyday_words(meant, {"gantry": 9}.__getitem__, 1000, bool)]
    ['rfc 7540', 'gantry']
    """
    numbered = {
        " ".join(parts[:-1])
        for parts in (name_key(each.name).split() for each in meant)
        if len(parts) > 1 and any(map(str.isdigit, parts[-1]))
    }
    meant = [each for each in meant if name_key(each.name) not in numbered]
    words = {each: name_key(each.said) if each.said.islower() else each.said for each in meant}
    named = [each for each in meant if words[each] not in FRAME_WORDS]
    most = max(FEW, COMMON * total)

    def is_rare(word: str) -> bool:
        is_plain = word.isalpha() and word.islower() and word not in GIVEN_NAMES and is_real(word)
        return not is_plain or frequency_of(word) <= most

    return [each for each in named if is_rare(words[each])] or named
