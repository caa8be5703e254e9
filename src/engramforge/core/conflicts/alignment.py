"""Which words of two statements speak of the same thing.

    closeness = clip((cosine of the words' vectors - 0.15) / 0.45, 0, 1)

1 for the same stem, 0.85 at least for a like spelling (trigrams, Jaccard above 0.5), 0 between a number and another
word. Without vectors spelling alone counts. Opposites by their affixes (able and unable) are close, and opposed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.statements import Statement

Floats = NDArray[np.float64]
_LEAST_COSINE: Final = 0.15
_COSINES: Final = 0.45
_SPELT_ALIKE: Final = 0.85
_LEAST_TRIGRAMS: Final = 0.5
_LONG_WORD: Final = 5
_SHORT: Final = 3
"""Letters of a word that is too short to be negated by a prefix."""
_KEPT: Final = 8_192
_NEGATING: Final = ("un", "in", "im", "ir", "il", "dis", "non")


class Likeness(Protocol):
    """How like words are in meaning: cosines, shape (n, m), of n words with m others."""

    def __call__(self, words: Sequence[str], others: Sequence[str]) -> NDArray[np.floating[Any]]: ...


@dataclass(frozen=True, slots=True)
class Alignment:
    """How close the words of one statement (rows) are to those of another (columns).

    `closeness`: shape (n, m), 0..1. `opposed`: shape (n, m), whether a pair is opposite by its affixes.
    """

    closeness: Floats
    opposed: NDArray[np.bool_]

    def turned(self) -> Alignment:
        """The same seen from the other statement."""
        return Alignment(self.closeness.T, self.opposed.T)


@lru_cache(maxsize=_KEPT)
def opposites_by_affix(word: str) -> tuple[str, ...]:
    """Every word that is opposite by its affixes: with a negating prefix or without it, -less for -ful and back.

    >>> "untested" in opposites_by_affix("tested"), "stateless" in opposites_by_affix("stateful")
    (True, True)
    """
    found = [f"{prefix}{word}" for prefix in _NEGATING] if len(word) > _SHORT else []
    found += [word[len(x) :] for x in _NEGATING if word.startswith(x) and len(word) - len(x) > _SHORT]
    if word.endswith("less"):
        found.append(f"{word[:-4]}ful")
    elif word.endswith("ful"):
        found.append(f"{word[:-3]}less")
    return tuple(found)


def align(one: Statement, other: Statement, like: Likeness | None = None) -> Alignment:
    """Compare each word with each, of which few have anything in common: they are looked up."""
    rows, columns = one.words, other.words
    closeness = np.zeros((len(rows), len(columns)))
    opposed = np.zeros(closeness.shape, np.bool_)
    if like is not None and closeness.size:
        cosines = like([each.word for each in rows], [each.word for each in columns])
        closeness = np.clip((cosines.astype(np.float64) - _LEAST_COSINE) / _COSINES, 0, 1)
        numbers = [np.array([each.word[0].isdigit() for each in side]) for side in (rows, columns)]
        closeness[numbers[0][:, None] | numbers[1][None, :]] = 0.0
    words, stems, beginnings = (defaultdict[str, list[int]](list) for _ in range(3))
    for column, theirs in enumerate(columns):
        words[theirs.word].append(column)
        stems[theirs.stem].append(column)
        if len(theirs.word) >= _LONG_WORD:
            beginnings[theirs.word[0]].append(column)
    for row, mine in enumerate(rows):
        for column in beginnings.get(mine.word[0], ()):
            if _are_spelt_alike(mine.word, columns[column].word):
                closeness[row, column] = max(closeness[row, column], _SPELT_ALIKE)
        for opposite in opposites_by_affix(mine.word):
            for column in words.get(opposite, ()):
                closeness[row, column], opposed[row, column] = 1.0, True
        for column in stems.get(mine.stem, ()):
            closeness[row, column], opposed[row, column] = 1.0, False
    return Alignment(closeness, opposed)


def _are_spelt_alike(one: str, other: str) -> bool:
    """Of two words of one beginning; a number is like itself alone."""
    if min(len(one), len(other)) < _LONG_WORD or one[0].isdigit():
        return False
    mine, theirs = _trigrams(one), _trigrams(other)
    common = len(mine & theirs)
    return common > _LEAST_TRIGRAMS * (len(mine) + len(theirs) - common)


@lru_cache(maxsize=_KEPT)
def _trigrams(word: str) -> frozenset[str]:
    return frozenset(word[at : at + 3] for at in range(len(word) - 2))


def shared(alignment: Alignment) -> Floats:
    """How well each word of the shorter statement is met by the other, 0..1."""
    closeness = alignment.closeness
    if not closeness.size:
        return np.zeros(1)
    best: Floats = closeness.max(1) if closeness.shape[0] <= closeness.shape[1] else closeness.max(0)
    return best
