"""Which words say what something is about, and are neither numbers nor there for grammar alone."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.words import STOP_WORDS

_SHORTEST: Final = 3
_NUMBERS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half
quarter first second third twice
"""
NUMBER_WORDS: Final = frozenset(_NUMBERS.split())
"""What counts how long something takes, and says nothing of what it is about."""
_FUNCTION: Final = """
according across almost along already although always among another anybody anyone anything around aside away became
become becomes behind beside besides beyond despite either enough even everybody everyone everything every except
hence however indeed inside instead less like maybe meanwhile mine moreover mostly near neither never nevertheless
nobody none nothing now often otherwise outside past perhaps rather seldom several since somebody someone something
sometimes somewhere soon still therefore throughout today together tomorrow toward towards unless unlike usually
whatever whenever wherever whichever whoever without yesterday
"""
_FUNCTION_WORDS: Final = STOP_WORDS | frozenset(_FUNCTION.split())


def is_of_matter(word: str) -> bool:
    """Whether a word, as `words_of` gives it, says what something is about.

    >>> [word for word in ("harbour", "every", "1.26", "two", "mp3") if is_of_matter(word)]
    ['harbour', 'mp3']
    """
    if len(word) < _SHORTEST or word in _FUNCTION_WORDS or word in NUMBER_WORDS:
        return False
    return any(letter.isalpha() for letter in word)
