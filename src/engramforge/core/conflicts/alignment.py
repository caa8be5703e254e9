"""Which words of two statements speak of the same thing.

    closeness = clip((cosine of the words' vectors - 0.15) / 0.45, 0, 1)

1 for the same stem, 0.85 at least for a like spelling (trigrams, Jaccard above 0.5), 0 between a number and another
word. Without vectors spelling alone counts. Opposites by their affixes (able and unable) are close, and opposed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from typing import Any, Final, NamedTuple, Protocol

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
_SIDES: Final = 256
_ALIGNED: Final = 64
"""How many words, statements and pairs of these are kept as they were read: those of one question."""
_NEGATING: Final = ("un", "in", "im", "ir", "il", "dis", "non")


class Likeness(Hashable, Protocol):
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
    """The words that are opposite to one by an affix that it has: without its negating prefix, -less for -ful and back.

    >>> opposites_by_affix("untested"), opposites_by_affix("tested"), opposites_by_affix("stateful")
    (('tested',), (), ('stateless',))
    """
    found: list[str] = []
    if word.startswith(_NEGATING):
        found = [word[len(x) :] for x in _NEGATING if word.startswith(x) and len(word) - len(x) > _SHORT]
    if word.endswith("less"):
        found.append(f"{word[:-4]}ful")
    elif word.endswith("ful"):
        found.append(f"{word[:-3]}less")
    return tuple(found)


class _Side(NamedTuple):
    """The words of a statement, with the places of each by what may join it to a word of another statement.

    `opposites`: by the words that are opposite by an affix. `spelt`: of words that are long enough, with their
    trigrams, by the letter with which they begin. `numbers`: which of them are numbers.
    """

    words: list[str]
    numbers: list[int]
    by_word: Mapping[str, list[int]]
    by_stem: Mapping[str, list[int]]
    opposites: Mapping[str, list[int]]
    spelt: Mapping[str, list[tuple[int, frozenset[str]]]]


@lru_cache(maxsize=_SIDES)
def _side(statement: Statement) -> _Side:
    words, stems, opposites = (defaultdict[str, list[int]](list) for _ in range(3))
    spelt = defaultdict[str, list[tuple[int, frozenset[str]]]](list)
    for place, (word, stem, _, _) in enumerate(statement.words):
        words[word].append(place)
        stems[stem].append(place)
        for opposite in opposites_by_affix(word):
            opposites[opposite].append(place)
        # A number is like itself alone.
        if len(word) >= _LONG_WORD and not word[0].isdigit():
            spelt[word[0]].append((place, _trigrams(word)))
    every = [each.word for each in statement.words]
    numbers = [place for place, word in enumerate(every) if word[0].isdigit()]
    return _Side(every, numbers, words, stems, opposites, spelt)


@lru_cache(maxsize=_ALIGNED)
def align(one: Statement, other: Statement, like: Likeness | None = None) -> Alignment:
    """Compare each word with each, of which few have anything in common: they are looked up.

    What is compared last is kept, since several rules ask for the same two statements, one after the other.
    """
    rows, columns = _side(one), _side(other)
    closeness = np.zeros((len(rows.words), len(columns.words)))
    opposed = np.zeros(closeness.shape, np.bool_)
    if like is not None and closeness.size:
        closeness += like(rows.words, columns.words)
        closeness -= _LEAST_COSINE
        closeness /= _COSINES
        np.minimum(np.maximum(closeness, 0, out=closeness), 1, out=closeness)
        closeness[rows.numbers] = closeness[:, columns.numbers] = 0.0
    for row, column in _spelt_alike(rows, columns):
        closeness[row, column] = max(closeness[row, column], _SPELT_ALIKE)
    # One of the two has the affix.
    for row, column in chain(
        _meeting(rows.opposites, columns.by_word), _meeting(rows.by_word, columns.opposites)
    ):
        closeness[row, column], opposed[row, column] = 1.0, True
    for row, column in _meeting(rows.by_stem, columns.by_stem):
        closeness[row, column], opposed[row, column] = 1.0, False
    closeness.flags.writeable = opposed.flags.writeable = False
    return Alignment(closeness, opposed)


def _meeting(rows: Mapping[str, list[int]], columns: Mapping[str, list[int]]) -> Iterator[tuple[int, int]]:
    """The places of both that stand under one key, once for each such key."""
    for key in rows.keys() & columns.keys():
        yield from product(rows[key], columns[key])


def _spelt_alike(one: _Side, other: _Side) -> Iterator[tuple[int, int]]:
    """Words of one beginning that share more than half of all their trigrams."""
    for letter in one.spelt.keys() & other.spelt.keys():
        for (row, mine), (column, theirs) in product(one.spelt[letter], other.spelt[letter]):
            if mine.isdisjoint(theirs):
                continue
            common = len(mine & theirs)
            if common > _LEAST_TRIGRAMS * (len(mine) + len(theirs) - common):
                yield row, column


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
