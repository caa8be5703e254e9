"""Whether two statements make the same claim, of which one says that it does not hold.

Neighbours in meaning are seldom about one matter, however much their words are alike. So where nobody says that two
statements speak of the same, a negation counts by what it denies: every word of its clause must be found in the other
statement, negated on one side alone, and nearly all of what the other says must be in the first. "Tests run in CI"
does not deny "load tests run in CI", nor does "use the managed database instead of our own" deny that it is hosted.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.alignment import Alignment
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, DENYING, STATING, Statement

IS_FOUND: Final = 0.85
"""From this closeness two words are the same: by stem, by spelling, or by a meaning that is next to the same."""
_MOST_BESIDE: Final = 3
"""Of so many words of the other statement one may be beside the claim."""


def is_denied(one: Statement, other: Statement, alignment: Alignment) -> bool:
    """Whether one of two statements denies the claim of the other.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Deploys on Fridays are fine"), read_statement("No deploys on Fridays")
    >>> is_denied(*told, align(*told))
    True
    """
    if not (one.is_negated or other.is_negated or alignment.opposed.any()):
        return False
    return _denies(one, other, alignment) or _denies(other, one, alignment.turned())


def _denies(one: Statement, other: Statement, alignment: Alignment) -> bool:
    closeness = alignment.closeness
    if not closeness.size or not (one.is_negated or alignment.opposed.any()):
        return False
    found = np.asarray(closeness >= IS_FOUND)
    nearest = np.where(np.any(found, axis=1), closeness.argmax(1), -1)
    turned = np.array(
        [
            at >= 0 and (word.negated != other.words[at].negated) != bool(alignment.opposed[place, at])
            for place, (word, at) in enumerate(zip(one.words, nearest.tolist(), strict=True))
        ]
    )
    beside = [
        each.stem for each, is_met in zip(other.words, np.any(found, axis=0).tolist(), strict=True)
        if not is_met and each.stem not in CHOOSING and each.stem not in DENYING
    ]  # fmt: skip
    if len(beside) > max(1, len(other.words) // _MOST_BESIDE) or len(beside) >= len(other.words) - 1 > 0:
        return False
    clauses = {word.clause for word in one.words}
    denying = np.array([word.negated for word in one.words]) | alignment.opposed.any(1)
    return any(_is_claim(one, clause, nearest, turned & denying) for clause in clauses)


def _is_claim(one: Statement, clause: int, nearest: NDArray[np.int64], turned: NDArray[np.bool_]) -> bool:
    """Whether the other statement says all of a clause, and something of it the other way round.

    `nearest`: the word of the other that each word is; -1 for none. `turned`: whether it denies that one.
    """
    rows = [place for place, word in enumerate(one.words) if word.clause == clause]
    said = [place for place in rows if one.words[place].stem not in CHOOSING | DENYING]
    return bool(said) and any(turned[rows]) and all(nearest[place] >= 0 for place in said)


def restricts(one: Statement, other: Statement, alignment: Alignment) -> bool:
    """Whether one of two statements speaks of a part of what the other speaks of: "staging cluster" beside "cluster".

    A word that the other has not, directly before one that it has, narrows what is meant; one behind it adds to it.
    """
    found = np.asarray(alignment.closeness >= IS_FOUND)
    return _narrows(one, np.any(found, axis=1)) or _narrows(other, np.any(found, axis=0))


def _narrows(statement: Statement, is_met: NDArray[np.bool_]) -> bool:
    met = {word.word for word, is_found in zip(statement.words, is_met.tolist(), strict=True) if is_found}
    new = {
        word.word for word, is_found in zip(statement.words, is_met.tolist(), strict=True)
        if not is_found and word.word.isalpha() and word.word not in COUNTS and word.stem not in CHOOSING | STATING
    } - met  # fmt: skip
    return any(
        first in new and second in met and second.isalpha()
        for words in statement.clauses
        for first, second in pairwise(words)
    )


def is_all_found(one: Statement, other: Statement, alignment: Alignment, but: Collection[str]) -> bool:
    """Whether all that the shorter statement says, `but` some words, is in the other."""
    found = np.asarray(alignment.closeness >= IS_FOUND)
    shorter, is_met = (
        (one, np.any(found, axis=1)) if len(one.words) <= len(other.words) else (other, np.any(found, axis=0))
    )
    rest = [
        is_found
        for word, is_found in zip(shorter.words, is_met.tolist(), strict=True)
        if word.word not in but and word.stem not in CHOOSING
    ]
    return bool(rest) and all(rest)
