"""Relevance: a flag and an explanation, never the ranking.

It reads calibrated similarities, so it needs no query and no memory. How similarities are made and calibrated
is decided elsewhere; here is only what counts as relevant, and by how much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.calibration import Calibrated
from engramforge.model.spaces import ROW_BY_SPACE, Space

MOST_FALSE_HITS: Final = 1.0
"""In a large scope, how many false hits may be expected beside a relevant one."""
_ROUNDING: Final = 1e-9


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


def relevance_score(similarities: Mapping[Space, float], highs: Mapping[Space, float] | None = None) -> float:
    """sum(category weight x relevance weight x max(0, c - high)) of one memory, not negative.

    Parameters
    ----------
    similarities : calibrated, of the spaces that compared; abstaining ones are left out.
    highs : thresholds in place of the registry's.
    """
    score = 0.0
    for space, similarity in similarities.items():
        high = high_of(space, highs)
        if high is not None:
            row = ROW_BY_SPACE[space]
            score += row.category_weight * row.relevance_weight * max(0.0, similarity - high)
    return score


def is_relevant(similarities: Mapping[Space, float], highs: Mapping[Space, float] | None = None) -> bool:
    """Whether one memory is above the high threshold in any semantic or supporting space."""
    limits = ((similarity, high_of(space, highs)) for space, similarity in similarities.items())
    return any(high is not None and similarity > high for similarity, high in limits)


def high_of(space: Space, highs: Mapping[Space, float] | None = None) -> float | None:
    """The threshold above which a space counts as similar; None where it takes no part in relevance."""
    row = ROW_BY_SPACE[space]
    return (highs or {}).get(space, row.high) if row.takes_part_in_relevance else None


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
    count = max((len(each.present) for each in results.values()), default=0)
    relevant, score, smallest = np.zeros(count, np.bool_), np.zeros(count), np.zeros(count)
    high_by_family: dict[str, NDArray[np.bool_]] = {}
    active = 0
    for space, each in results.items():
        row, high = ROW_BY_SPACE[space], high_of(space, highs)
        if high is None:
            continue
        active += 1
        excess = np.where(each.present, each.calibrated.similarity - high, 0.0)
        relevant |= excess > 0
        score += row.category_weight * row.relevance_weight * np.maximum(excess, 0)
        smallest = np.minimum(smallest, np.where(each.present, each.calibrated.log_tail, 0.0))
        high_by_family[row.family] = high_by_family.get(row.family, np.zeros(count, np.bool_)) | (excess > 0)
    families = np.sum(list(high_by_family.values()), axis=0) if high_by_family else np.zeros(count)
    comparisons = max(scope_size, 1) * max(active, 1)
    few_false = np.log(comparisons) + smallest <= np.log(MOST_FALSE_HITS) + _ROUNDING
    return Relevance(relevant, score, relevant & (few_false | (families >= 2)))
