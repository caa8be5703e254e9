"""Whether activity has shifted: what was said last, two prompts together, is no more like what was said before.

    prompt, the one before it and the answers between -> each in each space: the largest similarity to what is recent
        -> shortfall below the low threshold, in the mean -> and names that are new -> evidence
        -> beyond what is usual in the session, added up over prompts -> one alert

A cumulative sum (CUSUM; Page 1954): a single odd prompt raises no alert, two that belong together do, and then it is
silent until activity is like something recent again. Only semantic spaces are compared; that people and things are
talked of that were not before counts beside them.

What is recent ends before the first of the two prompts: else that, which is of the new matter too, is recent to the
second. The largest of n similarities is large by chance as n grows, so it counts by how often the nearest of n
unrelated memories is as near (`nearest_similarity`): without that no prompt was ever unlike a busy session. Source:
spec chapter 8, "Divergence"; measured in docs/measurements/shifts.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Category, Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEWEST_WORDS: Final = 4
"""Prompts of fewer content words together say too little of what they are about: those before are judged with them."""
_LEAST: Final = 1e-300
"""The least probability that has a logarithm, nearly."""
COMPARED: Final = tuple(row.space for row in REGISTRY if row.category is Category.SEMANTIC)


@dataclass(frozen=True, slots=True)
class ShiftOptions:
    """When an alert is raised.

    Parameters
    ----------
    usual, of_mean : what is taken off the evidence before adding up: so much, and so many times the mean evidence of
        the line's own prompts, of late. In talk that wanders hardly a prompt is near to another.
    rate, counted : the share of the newest prompt in that mean, 0..1, and how much of its evidence counts there at
        most: a shift is nothing usual.
    alarm : the sum from which an alert is raised, above 0.
    names, enough_names : what new names add to the evidence at most, and how many of them it takes.
    """

    usual: float = 0.2
    of_mean: float = 2.0
    rate: float = 0.1
    counted: float = 0.4
    alarm: float = 0.32
    names: float = 0.5
    enough_names: int = 3


@dataclass(frozen=True, slots=True)
class Watch:
    """What was seen so far of one line of activity. `total`: the sum of the evidence beyond what is usual, not
    negative. `is_silent`: an alert was raised, and nothing since was like what is recent. `mean`: evidence of prompts,
    of late; before the first what is usual anywhere."""

    total: float = 0.0
    is_silent: bool = False
    mean: float = 0.3


@dataclass(frozen=True, slots=True)
class Unlikeness:
    """How unlike what is recent things said together are. `spaces`: those in which they are, by their share of the
    evidence, each with the mean of the largest similarities there; of names the share of those that were known."""

    evidence: float
    spaces: tuple[tuple[Space, float], ...] = ()


def nearest_similarity(log_tails: NDArray[np.float64], space: Space, low: float | None = None) -> float:
    """The largest of n calibrated similarities, 0..1, as what the nearest of n unrelated memories is.

    `log_tails`: ln p of each: how often an unrelated one is at least as similar. `low`: in place of the registry's.

    One unrelated memory in ten is at the low threshold by itself, but of twelve one nearly always is:

    >>> import numpy as np
    >>> tenth = np.log([0.1])
    >>> float(nearest_similarity(tenth, Space.SEMANTIC)), float(nearest_similarity(tenth.repeat(12), Space.SEMANTIC))
    (0.3, 0.0)
    """
    import numpy as np

    from engramforge.core.similarity.calibration import similarity_of

    row = ROW_BY_SPACE[space]
    assert row.high is not None
    least = min(float(log_tails.min()), -1e-12)
    nearest = max(-math.expm1(len(log_tails) * math.log1p(-math.exp(least))), _LEAST)
    log_tail = math.log(nearest)
    return round(float(similarity_of(np.array([log_tail]), low or row.low, row.high)[0]), 9)


def unlikeness(
    said: Sequence[Mapping[Space, float]],
    names: Set[str] = frozenset(),
    known: Set[str] = frozenset(),
    *,
    options: ShiftOptions | None = None,
    lows: Mapping[Space, float] | None = None,
) -> Unlikeness | None:
    """How unlike what is recent things said together are: of each the shortfall below the low threshold over the
    threshold, in the mean of the semantic spaces that have a signal, by their weights; the mean of that; and more for
    names that are new. None where all abstain.

    `said`: of each the largest calibrated similarity, 0..1, to what is recent in each space that does not abstain.
    `names`, `known`: of them together, and of what is recent. `lows`: in place of the registry's.

    Half of E1's .3 is missing, nothing of E6's .2 (.5 x 1.0 / 1.7); a third of .5 for one new name:

    >>> said = [{Space.SEMANTIC: 0.15, Space.SPARSE_LEXICAL: 0.4}]
    >>> alike, named = unlikeness(said), unlikeness(said, {"kiln", "glaze"}, {"kiln"})
    >>> [(round(each.evidence, 3), each.spaces[-1][1]) for each in (alike, named)]
    [(0.294, 0.15), (0.461, 0.5)]
    """
    options, lows = options or ShiftOptions(), lows or {}
    evidence = [each for each in (_evidence(nearest, lows) for nearest in said) if each is not None]
    if not evidence:
        return None
    shares = []
    for space in COMPARED:
        values = [nearest[space] for nearest in said if space in nearest]
        missing = (
            sum(_shortfall(space, value, lows) for value in values) * ROW_BY_SPACE[space].relevance_weight
        )
        if missing:
            shares.append((missing, space, sum(values) / len(values)))
    spaces = [(space, value) for _, space, value in sorted(shares, key=lambda each: -each[0])]
    new = len(names - known)
    if new:
        spaces.append((Space.ENTITY, 1 - new / len(names)))
    added = options.names * min(new, options.enough_names) / options.enough_names
    return Unlikeness(sum(evidence) / len(evidence) + added, tuple(spaces))


def seen(watch: Watch, evidence: float | None, *, options: ShiftOptions | None = None) -> tuple[Watch, bool]:
    """What is known after another prompt, and whether it raises an alert. `evidence`: None where it says too little,
    or all abstains: nothing is learned of it.

    >>> watch, alerts = Watch(), []
    >>> for evidence in (0.1, 0.1, 1.0, 1.0, 0.1, 0.1, 1.2):
    ...     watch, alert = seen(watch, evidence)
    ...     alerts.append(alert)
    >>> alerts
    [False, False, False, True, False, False, True]
    """
    if evidence is None:
        return watch, False
    options = options or ShiftOptions()
    beyond = evidence - options.usual - options.of_mean * watch.mean
    if watch.is_silent:
        return (replace(watch, is_silent=False) if beyond < 0 else watch), False
    total = max(watch.total + beyond, 0.0)
    mean = watch.mean + options.rate * (min(evidence, options.counted) - watch.mean)
    is_alarm = total >= options.alarm
    return Watch(0.0 if is_alarm else total, is_alarm, mean), is_alarm


def _evidence(nearest: Mapping[Space, float], lows: Mapping[Space, float]) -> float | None:
    weighed = [
        (ROW_BY_SPACE[space].relevance_weight, _shortfall(space, nearest[space], lows))
        for space in COMPARED
        if space in nearest
    ]
    total = sum(weight for weight, _ in weighed)
    return sum(weight * missing for weight, missing in weighed) / total if total else None


def _shortfall(space: Space, similarity: float, lows: Mapping[Space, float]) -> float:
    low = lows.get(space, ROW_BY_SPACE[space].low) or 0.0
    return max(low - similarity, 0.0) / low if low else 0.0
