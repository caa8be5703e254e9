"""Relevance: a flag and an explanation, never the ranking (spec chapter 2).

It reads calibrated similarities, so it needs no query and no memory. How similarities are made and calibrated
is decided elsewhere; here is only what counts as relevant, and by how much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.calibration import Calibrated
from engramforge.model.spaces import ROW_BY_SPACE, Space

MOST_FALSE_HITS: Final = 1.0
"""In a large scope, how many false hits may be expected beside a relevant one."""


@dataclass(frozen=True, slots=True)
class SpaceResult:
    """One space's word on n memories.

    Parameters
    ----------
    calibrated : similarities and tail probabilities, shape (n,).
    present : bool, shape (n,): false where the space abstains.
    """

    calibrated: Calibrated
    present: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Relevance:
    """What is relevant among n memories.

    Parameters
    ----------
    relevant : bool, shape (n,): above the high threshold in any semantic or supporting space.
    score : float64, shape (n,), not negative: sum of category weight x relevance weight x excess over high.
    corrected : bool, shape (n,): relevant even in view of how many memories were looked through.
    """

    relevant: NDArray[np.bool_]
    score: NDArray[np.float64]
    corrected: NDArray[np.bool_]


def assess(
    results: Mapping[Space, SpaceResult],
    scope_size: int = 0,
    highs: Mapping[Space, float] | None = None,
) -> Relevance:
    """Relevance of n memories from what the spaces say; temporal spaces are passed over.

    Parameters
    ----------
    results : every space that compared, each over the same n memories.
    scope_size : how many memories were looked through, for the correction: the expected number of false hits
        (scope size x active spaces x smallest p) must be at most 1, or two spaces of different families be
        high.
    highs : thresholds in place of the registry's.
    """
    taking_part = {
        space: each for space, each in results.items() if ROW_BY_SPACE[space].takes_part_in_relevance
    }
    count = max((len(each.present) for each in results.values()), default=0)
    relevant, score = np.zeros(count, np.bool_), np.zeros(count)
    smallest = np.zeros(count)
    high_by_family: dict[str, NDArray[np.bool_]] = {}
    for space, each in taking_part.items():
        row = ROW_BY_SPACE[space]
        high = (highs or {}).get(space, row.high)
        if high is None:
            continue
        excess = np.where(each.present, each.calibrated.similarity - high, 0.0)
        above = excess > 0
        relevant |= above
        score += row.category_weight * row.relevance_weight * np.maximum(excess, 0)
        smallest = np.minimum(smallest, np.where(each.present, each.calibrated.log_tail, 0.0))
        high_by_family[row.family] = high_by_family.get(row.family, np.zeros(count, np.bool_)) | above
    families = np.sum(list(high_by_family.values()), axis=0) if high_by_family else np.zeros(count)
    comparisons = max(scope_size, 1) * max(len(taking_part), 1)
    few_false = np.log(comparisons) + smallest <= np.log(MOST_FALSE_HITS)
    return Relevance(relevant, score, relevant & (few_false | (families >= 2)))
