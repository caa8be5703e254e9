"""Whether activity has shifted: less and less of it is like what was done before.

    prompt -> in each space the largest similarity to what is recent -> shortfall below the low threshold
        -> evidence -> added up over prompts -> one alert

A cumulative sum (CUSUM; Page 1954) of the evidence less what is usual: a single odd prompt raises no alert, several do,
and then it is silent until activity is like something recent again. Only semantic spaces take part. Source: spec
chapter 8, "Divergence".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Category, Space

FEWEST_WORDS: Final = 4
"""A prompt of fewer content words says too little of what it is about."""
COMPARED: Final = tuple(row.space for row in REGISTRY if row.category is Category.SEMANTIC)


@dataclass(frozen=True, slots=True)
class ShiftOptions:
    """When an alert is raised.

    Parameters
    ----------
    usual : the evidence of a prompt that goes on with what was done, 0..1: taken off before adding up.
    alarm : the sum from which an alert is raised, above 0.
    recovered : evidence below which activity is like something recent again.
    """

    usual: float = 0.25
    alarm: float = 0.6
    recovered: float = 0.25


@dataclass(frozen=True, slots=True)
class Watch:
    """What was seen so far of one line of activity. `total`: the sum of the evidence, not negative. `is_silent`: an
    alert was raised, and nothing since was like what is recent."""

    total: float = 0.0
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """An alert. `spaces`: those in which the prompt is unlike what is recent, by their share of the evidence, each with
    the largest similarity there."""

    evidence: float
    spaces: tuple[tuple[Space, float], ...]


def evidence_of(nearest: Mapping[Space, float]) -> float:
    """How unlike what is recent a prompt is, 0..1: the shortfall below the low threshold over the threshold, in the
    mean of the semantic spaces that have a signal, by their weights.

    `nearest`: the largest calibrated similarity, 0..1, to what is recent in each space that does not abstain.

    Half of E1's .3 is missing, nothing of E6's .2 (.5 x 1.0 / 1.7):

    >>> round(evidence_of({Space.SEMANTIC: 0.15, Space.SPARSE_LEXICAL: 0.4}), 3)
    0.294
    """
    weighed = [
        (ROW_BY_SPACE[space].relevance_weight, _shortfall(space, value))
        for space, value in _semantic(nearest)
    ]
    total = sum(weight for weight, _ in weighed)
    return sum(weight * missing for weight, missing in weighed) / total if total else 0.0


def seen(
    watch: Watch, nearest: Mapping[Space, float], words: int, options: ShiftOptions | None = None
) -> tuple[Watch, Shift | None]:
    """What is known after another prompt, and the alert that it raises.

    `words`: how many content words the prompt has; below four, or where every space abstains, nothing is learned of it.

    >>> far, near = {Space.SEMANTIC: 0.0}, {Space.SEMANTIC: 0.9}
    >>> watch, alerts = Watch(), []
    >>> for nearest in (near, far, far, far, near, far):
    ...     watch, alert = seen(watch, nearest, words=6)
    ...     alerts.append(alert is not None)
    >>> alerts
    [False, True, False, False, False, True]
    """
    options = options or ShiftOptions()
    compared = _semantic(nearest)
    if words < FEWEST_WORDS or not compared:
        return watch, None
    evidence = evidence_of(nearest)
    if evidence < options.recovered:
        watch = replace(watch, is_silent=False)
    if watch.is_silent:
        return watch, None
    total = max(watch.total + evidence - options.usual, 0.0)
    if total < options.alarm:
        return replace(watch, total=total), None
    unlike = sorted(
        (
            (_shortfall(space, value) * ROW_BY_SPACE[space].relevance_weight, space, value)
            for space, value in compared
        ),
        key=lambda each: -each[0],
    )
    shift = Shift(evidence, tuple((space, value) for missing, space, value in unlike if missing > 0))
    return Watch(0.0, is_silent=True), shift


def _semantic(nearest: Mapping[Space, float]) -> Sequence[tuple[Space, float]]:
    return [(space, nearest[space]) for space in COMPARED if space in nearest]


def _shortfall(space: Space, similarity: float) -> float:
    low = ROW_BY_SPACE[space].low or 0.0
    return max(low - similarity, 0.0) / low if low else 0.0
