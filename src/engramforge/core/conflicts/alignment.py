"""Which words of two statements speak of the same thing.

    closeness = clip((cosine of the words' vectors - 0.15) / 0.45, 0, 1)

1 for the same stem, 0.85 at least for a like spelling (trigrams, Jaccard above 0.5), 0 between a number and another
word. Without vectors spelling alone counts. Opposites by their affixes (able and unable) are close, and opposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    """Compare each word with each."""
    rows, columns = one.words, other.words
    closeness = np.zeros((len(rows), len(columns)))
    opposed = np.zeros(closeness.shape, np.bool_)
    if like is not None and closeness.size:
        cosines = like([each.word for each in rows], [each.word for each in columns])
        closeness = np.clip((cosines.astype(np.float64) - _LEAST_COSINE) / _COSINES, 0, 1)
    for row, mine in enumerate(rows):
        for column, theirs in enumerate(columns):
            if mine.stem == theirs.stem:
                closeness[row, column] = 1.0
            elif are_opposite_by_affix(mine.word, theirs.word):
                closeness[row, column], opposed[row, column] = 1.0, True
            elif mine.word[0].isdigit() or theirs.word[0].isdigit():
                closeness[row, column] = 0.0
            elif _are_spelt_alike(mine.word, theirs.word):
                closeness[row, column] = max(closeness[row, column], _SPELT_ALIKE)
    return Alignment(closeness, opposed)


def _are_spelt_alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _LONG_WORD or one[0] != other[0]:
        return False
    mine = {one[at : at + 3] for at in range(len(one) - 2)}
    theirs = {other[at : at + 3] for at in range(len(other) - 2)}
    return len(mine & theirs) > _LEAST_TRIGRAMS * len(mine | theirs)


def shared(alignment: Alignment) -> Floats:
    """How well each word of the shorter statement is met by the other, 0..1."""
    closeness = alignment.closeness
    if not closeness.size:
        return np.zeros(1)
    best: Floats = closeness.max(1) if closeness.shape[0] <= closeness.shape[1] else closeness.max(0)
    return best
