"""Whether activity has shifted: less and less of it is like what was done before.

    prompt -> in each space the largest similarity to what is recent -> shortfall below the low threshold
        -> evidence -> added up over prompts -> one alert

A cumulative sum (CUSUM; Page 1954) of the evidence less what is usual: a single odd prompt raises no alert, several do,
and then it is silent until activity is like something recent again. Only semantic spaces take part.

What is recent ends where the doubt begins (`Watch.recent_until`): else the first prompt of a new matter is recent to
the second, which is like it, and no sum could grow. The largest of n similarities is large by chance as n grows, so it
counts by how often the nearest of n unrelated memories is as near (`nearest_similarity`): without that no prompt was
ever unlike a busy session. Source: spec chapter 8, "Divergence"; measured in docs/measurements/shifts.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Category, Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEWEST_WORDS: Final = 4
"""A prompt of fewer content words says too little of what it is about: it is judged with those that follow, once they
have as many together."""
COMPARED: Final = tuple(row.space for row in REGISTRY if row.category is Category.SEMANTIC)
_ON_ITS_WAY: Final = timedelta(seconds=1)
"""A prompt is recorded with the time at which its host sent it, which is before anybody looks at it."""


@dataclass(frozen=True, slots=True)
class ShiftOptions:
    """When an alert is raised.

    Parameters
    ----------
    usual, of_mean : what is taken off the evidence before adding up: so much, and so many times the mean evidence of
        the line's own prompts, of late. In talk that wanders hardly a prompt is near to another.
    rate : the share of the newest prompt in that mean, 0..1.
    alarm : the sum from which an alert is raised, above 0.
    recovered : evidence below which activity is like something recent again.
    """

    usual: float = 0.1
    of_mean: float = 1.5
    rate: float = 0.1
    alarm: float = 0.5
    recovered: float = 0.3


@dataclass(frozen=True, slots=True)
class Watch:
    """What was seen so far of one line of activity. `total`: the sum of the evidence, not negative. `is_silent`: an
    alert was raised, and nothing since was like what is recent. `goes_on`: some prompt went on with what was done.
    `doubtful_from`: when the first prompt came after the last that did; None where the last did, or none yet. `words`,
    `unlike`: of prompts that wait because they say too little, the content words, and the evidence times these.
    `mean`: evidence of prompts, of late; before the first what is usual anywhere."""

    total: float = 0.0
    is_silent: bool = False
    goes_on: bool = False
    doubtful_from: datetime | None = None
    words: int = 0
    unlike: float = 0.0
    mean: float = 0.2

    def recent_until(self, at: datetime) -> datetime:
        """Until when something was recent, for a prompt of `at`."""
        return (self.doubtful_from or at) - _ON_ITS_WAY


@dataclass(frozen=True, slots=True)
class Shift:
    """An alert. `spaces`: those in which the prompt is unlike what is recent, by their share of the evidence, each with
    the largest similarity there."""

    evidence: float
    spaces: tuple[tuple[Space, float], ...]


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
    log_tail = np.log([-math.expm1(len(log_tails) * math.log1p(-math.exp(least)))])
    return round(float(similarity_of(log_tail, low or row.low, row.high)[0]), 9)


def evidence_of(nearest: Mapping[Space, float], lows: Mapping[Space, float] | None = None) -> float:
    """How unlike what is recent a prompt is, 0..1: the shortfall below the low threshold over the threshold, in the
    mean of the semantic spaces that have a signal, by their weights.

    `nearest`: the largest calibrated similarity, 0..1, to what is recent in each space that does not abstain. `lows`:
    in place of the registry's.

    Half of E1's .3 is missing, nothing of E6's .2 (.5 x 1.0 / 1.7):

    >>> round(evidence_of({Space.SEMANTIC: 0.15, Space.SPARSE_LEXICAL: 0.4}), 3)
    0.294
    """
    weighed = [
        (ROW_BY_SPACE[space].relevance_weight, _shortfall(space, value, lows or {}))
        for space, value in _semantic(nearest)
    ]
    total = sum(weight for weight, _ in weighed)
    return sum(weight * missing for weight, missing in weighed) / total if total else 0.0


def seen(
    watch: Watch,
    nearest: Mapping[Space, float],
    words: int,
    at: datetime,
    *,
    options: ShiftOptions | None = None,
    lows: Mapping[Space, float] | None = None,
) -> tuple[Watch, Shift | None]:
    """What is known after another prompt, which came `at`, and the alert that it raises.

    `words`: how many content words the prompt has. Below four it waits for others, by itself it raises no alert; where
    every space abstains nothing is learned of it.

    >>> from datetime import UTC
    >>> far, near, at = {Space.SEMANTIC: 0.0}, {Space.SEMANTIC: 0.9}, datetime(2026, 5, 1, tzinfo=UTC)
    >>> watch, alerts = Watch(), []
    >>> for nearest in (near, far, far, far, near, far):
    ...     watch, alert = seen(watch, nearest, words=6, at=at)
    ...     alerts.append(alert is not None)
    >>> alerts
    [False, True, False, False, False, True]
    """
    options, lows = options or ShiftOptions(), lows or {}
    compared = _semantic(nearest)
    if compared:
        unlike = watch.unlike + words * evidence_of(nearest, lows)
        watch = replace(watch, words=watch.words + words, unlike=unlike)
    if not compared or watch.words < FEWEST_WORDS:
        may_turn = watch.goes_on and watch.doubtful_from is None
        return (replace(watch, doubtful_from=at) if may_turn else watch), None
    evidence = watch.unlike / watch.words
    watch = replace(watch, words=0, unlike=0.0)
    going_on = replace(watch, total=0.0, is_silent=False, goes_on=True, doubtful_from=None)
    if watch.is_silent:
        return (going_on if evidence < options.recovered else watch), None
    total = max(watch.total + evidence - options.usual - options.of_mean * watch.mean, 0.0)
    mean = watch.mean + options.rate * (evidence - watch.mean)
    if not total:
        return replace(going_on, mean=mean), None
    if total < options.alarm:
        return replace(watch, total=total, mean=mean, doubtful_from=watch.doubtful_from or at), None
    by_share = sorted(
        (
            (_shortfall(space, value, lows) * ROW_BY_SPACE[space].relevance_weight, space, value)
            for space, value in compared
        ),
        key=lambda each: -each[0],
    )
    shift = Shift(evidence, tuple((space, value) for missing, space, value in by_share if missing > 0))
    return Watch(is_silent=True, mean=mean), shift


def _semantic(nearest: Mapping[Space, float]) -> Sequence[tuple[Space, float]]:
    return [(space, nearest[space]) for space in COMPARED if space in nearest]


def _shortfall(space: Space, similarity: float, lows: Mapping[Space, float]) -> float:
    low = lows.get(space, ROW_BY_SPACE[space].low) or 0.0
    return max(low - similarity, 0.0) / low if low else 0.0
