"""One statement negates what the other says.

    strength = 1 / (1 + exp(-(b0 + b . features)))

What counts is whether the words in the scope of a negation are met in the other statement, and are not negated there; a
negation alone is no contradiction. Two negations that meet cancel each other, as does an opposite by its affix.

Features, each 0..1: *taken*, how well the negated words are met by words that hold; *agreed*, by words that are negated
too; *odd*, whether the two differ in the parity of their negations; *least*, the least met word of the shorter
statement; *unknown*, whether the negated one speaks of somebody unknown; *both*, whether both negate; *same person*,
whether both begin with the same pronoun. The weights were fitted by logistic regression on pairs of sentences
(docs/measurements/conflicts.md, bench/contradiction.py).
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

import numpy as np

from engramforge.core.conflicts.alignment import Alignment, shared
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import Statement

LEAST_SHARED: Final = 0.3
"""How well the words of the shorter statement are met on the mean, at least, where two speak of the same."""
BIAS: Final = -1.83
WEIGHTS: Final = (2.14, -0.8, 0.86, 1.22, -0.32, -0.97, 0.68)
"""Of taken, agreed, odd x taken, odd x least, unknown, both, same person."""


class _Negated(NamedTuple):
    """What the other statement makes of the words that one negates."""

    taken: float
    agreed: float
    is_unknown: bool


def features(one: Statement, other: Statement, alignment: Alignment) -> tuple[float, ...] | None:
    """The features in the order of the weights; None where nothing is negated."""
    sides = [
        each
        for each in (_negated(one, other, alignment), _negated(other, one, alignment.turned()))
        if each is not None
    ]
    if not sides:
        return None
    side = max(sides, key=lambda each: each.taken)
    turned = int(alignment.opposed.sum())
    odd = float((one.negations + other.negations + turned) % 2)
    least = float(shared(alignment).min())
    both = float(one.is_negated and other.is_negated)
    same = float(one.person is not None and one.person == other.person)
    return side.taken, side.agreed, odd * side.taken, odd * least, float(side.is_unknown), both, same


def _negated(one: Statement, other: Statement, alignment: Alignment) -> _Negated | None:
    """What `other` makes of the negated words of `one`, and of those of which it has the opposite."""
    if not alignment.closeness.size:
        return None
    negated = np.array([word.negated for word in one.words])
    theirs = np.array([word.negated for word in other.words])
    counted = negated | alignment.opposed.any(1)
    if not counted.any():
        return None
    nearest = alignment.closeness.argmax(1)
    rows = np.arange(len(negated))
    met = alignment.closeness[rows, nearest]
    differs = (negated != theirs[nearest]) ^ alignment.opposed[rows, nearest]
    taken, agreed = met * differs, met * ~differs
    return _Negated(float(taken[counted].mean()), float(agreed[counted].mean()), one.is_indefinite)


def negation(one: Statement, other: Statement, alignment: Alignment) -> Disagreement | None:
    """How surely one negates the other; None where neither negates anything of the other.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Invoices are kept for ten years"), read_statement("Invoices are not kept for ten years")
    >>> round(negation(*told, align(*told)).strength, 1)
    0.9
    """
    values = features(one, other, alignment)
    if values is None or values[0] == 0 or shared(alignment).mean() < LEAST_SHARED:
        return None
    logit = BIAS + sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))
    return Disagreement(Signal.NEGATION, "one negates what the other says", 1 / (1 + exp(-logit)))
