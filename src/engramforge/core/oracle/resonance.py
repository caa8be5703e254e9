"""Which of what was found an answer rests on, and whether there is one at all.

Odds tell better than similarities where two are nearly sure: what has a tenth of the best one's odds still counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.text.words import content_words, is_stop_word, stem_of, words_of

SHARE_OF_ODDS: Final = 0.1
"""The part of the best one's odds from which another is relevant (docs/measurements/oracle.md)."""
MOST: Final = 12
LEAST: Final = 0.65
"""The least similarity of the best one: below it nothing is known, however it ranks."""
_SURE: Final = 0.999


def resonant(similarities: Sequence[float]) -> int:
    """How many of these, best first, an answer rests on.

    >>> resonant([0.9, 0.8, 0.5, 0.1]), resonant([0.99, 0.7]), resonant([])
    (3, 1, 0)
    """
    if not similarities:
        return 0
    least = SHARE_OF_ODDS * _odds(similarities[0])
    return next((at for at, each in enumerate(similarities) if _odds(each) < least), len(similarities[:MOST]))


def _odds(similarity: float) -> float:
    sure = min(similarity, _SURE)
    return sure / (1 - sure)


def gaps(query: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The words of a question that none of the texts says, in its order, each once.

    >>> gaps("When does the harbour ferry sail?", ["The ferry sails at noon."])
    ('harbour',)
    """
    said = {stem_of(word) for text in texts for word in words_of(text)}
    asked = [word for word in content_words(words_of(query)) if not is_stop_word(word)]
    return tuple(dict.fromkeys(word for word in asked if stem_of(word) not in said))
