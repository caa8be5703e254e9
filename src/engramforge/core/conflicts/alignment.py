"""Which words of two statements speak of the same thing.

    closeness = clip((cosine of the words' vectors - 0.15) / 0.45, 0, 1)

1 for the same stem, 0.85 at least for a like spelling (trigrams, Jaccard above 0.5), 0 between a number and another
word. Without vectors spelling alone counts. Opposites by their affixes (able and unable) are close, and opposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.statements import Statement, Word

Floats = NDArray[np.float64]
_LEAST_COSINE: Final = 0.15
_COSINES: Final = 0.45
_SPELT_ALIKE: Final = 0.85
_LEAST_TRIGRAMS: Final = 0.5
_LONG_WORD: Final = 5
_KEPT: Final = 1 << 14
_Places = dict[str, list[int]]
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


def are_opposite_by_affix(one: str, other: str) -> bool:
    """Whether a word is another with a negating prefix, or -less where that has -ful.

    >>> are_opposite_by_affix("tested", "untested"), are_opposite_by_affix("stateful", "stateless")
    (True, True)
    """
    for longer, shorter in ((one, other), (other, one)):
        if len(shorter) > 3 and longer.endswith(shorter) and longer[: -len(shorter)] in _NEGATING:
            return True
        if longer.endswith("less") and shorter.endswith("ful") and longer[:-4] == shorter[:-3]:
            return True
    return False


def align(one: Statement, other: Statement, like: Likeness | None = None) -> Alignment:
    """Compare each word with each; only what may be spelt alike is spelt out, so that long statements cost little."""
    rows, columns = one.words, other.words
    closeness = np.zeros((len(rows), len(columns)))
    opposed = np.zeros(closeness.shape, np.bool_)
    if not closeness.size:
        return Alignment(closeness, opposed)
    if like is not None:
        cosines = like([each.word for each in rows], [each.word for each in columns])
        closeness = np.clip((cosines.astype(np.float64) - _LEAST_COSINE) / _COSINES, 0, 1)
        closeness[[each.word[0].isdigit() for each in rows]] = 0
        closeness[:, [each.word[0].isdigit() for each in columns]] = 0
    stems, opposites, initials = _places(columns)
    for row, mine in enumerate(rows):
        for column in initials.get(mine.word[0], ()) if len(mine.word) >= _LONG_WORD else ():
            if _are_spelt_alike(mine.word, columns[column].word):
                closeness[row, column] = max(closeness[row, column], _SPELT_ALIKE)
        for word in _stripped(mine.word):
            for column in opposites.get(word, ()):
                if are_opposite_by_affix(mine.word, columns[column].word):
                    closeness[row, column], opposed[row, column] = 1.0, True
        for column in stems.get(mine.stem, ()):
            closeness[row, column], opposed[row, column] = 1.0, False
    return Alignment(closeness, opposed)


def _places(words: Sequence[Word]) -> tuple[_Places, _Places, _Places]:
    """Where words stand by their stems, by what is left of them without an affix, and longer ones by their initials."""
    stems: _Places = {}
    stripped: _Places = {}
    initials: _Places = {}
    for place, word in enumerate(words):
        stems.setdefault(word.stem, []).append(place)
        for each in _stripped(word.word):
            stripped.setdefault(each, []).append(place)
        if len(word.word) >= _LONG_WORD and not word.word[0].isdigit():
            initials.setdefault(word.word[0], []).append(place)
    return stems, stripped, initials


@lru_cache(maxsize=_KEPT)
def _stripped(word: str) -> tuple[str, ...]:
    """A word, and what is left of it without a negating prefix, or without -less and -ful."""
    found = {word[len(prefix) :] for prefix in _NEGATING if word.startswith(prefix)}
    return tuple(found | {word, word.removesuffix("less"), word.removesuffix("ful")})


def _are_spelt_alike(one: str, other: str) -> bool:
    mine, theirs = _trigrams(one), _trigrams(other)
    return len(mine & theirs) > _LEAST_TRIGRAMS * len(mine | theirs)


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
