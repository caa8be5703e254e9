"""Which spaces count for a person: those whose clusters hold together what was used of what was shown.

    what was shown together -> pairs of which both were used, and pairs of which one was
        -> in each space how often they share a cluster -> the logarithm of the odds of the one over the other
        -> over the mean of the spaces, drawn to 1 where little is known

A person who takes up what names the same things gets more of E11, one who takes up what means the same more of E1.
Source: spec chapter 8, "Activation by size" (personalisation).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.topics.agreement import Labels

FEWEST: Final = 30
"""From so many pairs of either kind on a space is judged."""
PRIOR: Final = 60
"""How many pairs a weight of 1 is worth."""
BOUNDS: Final = (0.25, 4.0)


def space_weights(shown: Sequence[tuple[Labels, NDArray[np.bool_]]]) -> list[float] | None:
    """The weight of each space, 1 for what is usual; None where too little was used.

    `shown`: of what was shown together, the clusters of the m memories, int32, shape (m, spaces), -1 for none, and
    which were used.

    Of forty times three, the two that were used share the first space's cluster, one of them and the third the
    second's:

    >>> three = np.array([[4, 7], [4, 8], [5, 8]], np.int32), np.array([True, True, False])
    >>> [round(each, 2) for each in space_weights([three] * 40)]
    [1.4, 0.6]
    >>> space_weights([three] * 10) is None
    True
    """
    spaces = shown[0][0].shape[1] if shown else 0
    # Both used, one used; of each the pairs that have a cluster, and those that share it.
    counts = np.zeros((2, 2, spaces))
    for labels, used in shown:
        for row in np.flatnonzero(used).tolist():
            both = (labels >= 0) & (labels[row] >= 0)
            same = both & (labels == labels[row])
            later = np.arange(len(used)) > row
            for kind, which in enumerate((used & later, ~used)):
                counts[kind, 0] += both[which].sum(axis=0)
                counts[kind, 1] += same[which].sum(axis=0)
    known = counts[:, 0].min(axis=0) >= FEWEST
    if not known.any():
        return None
    both_used, one_used = (counts[:, 1] + 1) / (counts[:, 0] + 2)
    odds = np.log(both_used / (1 - both_used)) - np.log(one_used / (1 - one_used))
    odds = np.maximum(odds, 0.0)
    mean = float(odds[known].mean())
    if mean == 0:
        return [1.0] * spaces
    sure = counts[:, 0].min(axis=0) / (counts[:, 0].min(axis=0) + PRIOR)
    raw = np.where(known, 1 + sure * (odds / mean - 1), 1.0)
    return [min(max(each, BOUNDS[0]), BOUNDS[1]) for each in raw.tolist()]
