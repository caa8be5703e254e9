"""The words by which topics are named: what is read of their memories, and how a stem is spelled for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from engramforge.core.text.words import is_stop_word, root_of, words_of
from engramforge.core.topics.naming import name_of, weights_of

READ_CHARACTERS: Final = 400
"""How far into a memory is read for its words: what it is about stands at its beginning."""
NAMED_BY: Final = 200
"""How many memories of a topic are read for its name."""
WORDED_BY: Final = 2_000
"""How many memories of its project, an even choice, say which words are common."""
_LONGEST: Final = 40
"""A longer word is no name."""


class Wording:
    """Counts of words in the texts of a project, from which each topic gets a name.

    `everything`: texts of the project, all or an even choice.
    """

    def __init__(self, everything: Iterable[str]) -> None:
        read = [_terms(text) for text in everything]
        self._total = len(read)
        self._everywhere = Counter(term for terms in read for term in {term for term, _ in terms})

    def name(self, texts: Sequence[str]) -> str:
        """The name of a topic with these texts, of what they share where nothing sets them apart; "" without words.

        >>> others = ["The bus is late", "Lunch is at noon", "Call the bank"] * 4
        >>> mine = ["Fire the kiln today", "The kiln was fired", "Who fires the kiln?"]
        >>> Wording(others + mine).name(mine)
        'fire kiln today'
        """
        inside, pairs = Counter[str](), Counter[tuple[str, str]]()
        spelled: dict[str, Counter[str]] = {}
        for text in texts:
            terms = _terms(text)
            inside.update({term for term, _ in terms})
            pairs.update({(one, other) for (one, _), (other, _) in pairwise(terms)})
            for term, word in terms:
                spelled.setdefault(term, Counter())[word] += 1
        everywhere = {term: max(self._everywhere[term], inside[term]) for term in inside}
        total = max(self._total, len(texts) + 1)
        weights = weights_of(inside, everywhere, len(texts), total)
        weights = weights or {term: count / len(texts) for term, count in inside.items()}
        return name_of(weights, lambda term: _spelling(spelled[term]), pairs)


def _terms(text: str) -> list[tuple[str, str]]:
    """The words of a text that carry a subject, each as its root and as it is written."""
    return [
        (root_of(word), word)
        for word in words_of(text[:READ_CHARACTERS])
        if not is_stop_word(word) and len(word) <= _LONGEST and not word.isdigit()
    ]


def _spelling(words: Counter[str]) -> str:
    """The commonest spelling, of equally common ones the shortest."""
    return min(words, key=lambda word: (-words[word], len(word), word))
