"""Surprise (delta S): how much a memory differs from everything around it, per space, in [0, 1].

    E1       chi-square CDF of the Mahalanobis distance from a Gaussian mixture (core/similarity/mixture)
    E2-E4, E10   mean distance to the k nearest, standardised
    E5       the same by an asymmetric distance: 1.2 with the direction of causing, 0.8 against it
    E6       mean inverse document frequency of the active terms, standardised
    E7       half mixture, half nearest neighbours
    E8, E11  ||h + r - t|| of the memory's relations, standardised
    E9       smallest Hamming distance / bits
    E12      the largest of the tokens' distances to their k nearest tokens
    E13      1 - the largest Jaccard similarity

Standardised: sigmoid((x - mean) / sd), mean and sd being those of the memories around, each measured as the memory is.
k = 5. Too few memories, or no spread among them, give 0.5. Distances that do not exist are infinite.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.similarity.comparison import places_in
from engramforge.core.similarity.mixture import chi_square_cdf, fit_mixture

Floats = NDArray[np.float64]

NEIGHBOURS: Final = 5
"""k."""
UNKNOWN: Final = 0.5
"""The surprise when it cannot be measured: too few memories, or no spread among them."""
WITH_DIRECTION: Final = 1.2
AGAINST_DIRECTION: Final = 0.8
"""What a causal similarity is multiplied by, with and against the direction of causing."""
_ROUNDING: Final = 1e-6
"""A spread below this, relative to the mean where that is above 1, is rounding (cosines are single precision)."""


def standardised(value: float, reference: NDArray[Any]) -> float:
    """sigmoid((value - mean) / sd) of the finite reference values; 0.5 for fewer than k of them or no spread."""
    known = np.sort(np.asarray(reference, np.float64))
    known = known[np.isfinite(known)]
    if not math.isfinite(value) or len(known) < NEIGHBOURS:
        return UNKNOWN
    mean, spread = float(known.mean()), float(known.std())
    if spread <= _ROUNDING * max(1.0, abs(mean)):
        return UNKNOWN
    return sigmoid((value - mean) / spread)


def sigmoid(x: float) -> float:
    """1 / (1 + e^-x), in [0, 1], without overflow."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def nearest_distances(distances: NDArray[Any]) -> Floats:
    """Mean of the k smallest distances of each row of shape (m, n), float64 (m,); infinite where fewer exist."""
    rows = np.asarray(distances, np.float64)
    if rows.shape[1] < NEIGHBOURS:
        return np.full(len(rows), np.inf)
    nearest = np.sort(np.partition(rows, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS], axis=1)
    means: Floats = nearest.mean(axis=1)
    return means


def neighbour_surprise(distances: NDArray[Any], around: NDArray[Any]) -> float:
    """kNN distance, standardised.

    `distances`: shape (n,): of the memory to n others. `around`: shape (a, n): of some of the others to all of them,
    infinite to themselves.
    """
    return standardised(float(nearest_distances(np.asarray(distances)[None])[0]), nearest_distances(around))


def directed_distances(onward: NDArray[Any], backward: NDArray[Any]) -> Floats:
    """1 - the asymmetric causal similarity, in [0, 1], shape of both.

    `onward`: similarity of the memory's effect with the other's cause: the other may follow from it. `backward`: of the
    memory's cause with the other's effect: it may follow from the other.
    """
    with_it = np.asarray(onward, np.float64) * WITH_DIRECTION
    against = np.asarray(backward, np.float64) * AGAINST_DIRECTION
    similarity: Floats = np.clip(np.fmax(with_it, against), 0, 1)
    return 1 - similarity


def mixture_surprise(vector: NDArray[Any], others: NDArray[Any]) -> float:
    """Chi-square CDF of the squared Mahalanobis distance of a vector, shape (d,), from n others, shape (n, d)."""
    fitted = fit_mixture(others)
    return UNKNOWN if fitted is None else chi_square_cdf(fitted.squared_distance(vector), fitted.degrees)


def half_and_half(mixture: float, neighbours: float) -> float:
    """E7: the mean of both."""
    return (mixture + neighbours) / 2


def rarity_surprise(terms: NDArray[np.uint32], others: NDArray[np.uint32], ends: NDArray[np.int64]) -> float:
    """Mean inverse document frequency of the active terms, ln((n + 1) / (found + 1)) among n others, standardised.

    Each of the others is measured among the remaining ones and the memory itself.

    `terms`: uint32, distinct. `others`, `ends`: the n others' distinct terms, concatenated.
    """
    count = len(ends)
    if not len(terms) or count <= NEIGHBOURS:
        return UNKNOWN
    known = distinct(others)
    occurrences = known.counts
    places = places_in(known.values, terms)
    found = np.where(places >= 0, np.append(occurrences, 0)[places], 0)
    own = float(np.sort(np.log((count + 1) / (found + 1))).mean())
    # Each of the others sees n - 1 others, and one occurrence less of its own terms.
    rarity = np.log(count / occurrences)[known.places]
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
    filled = ends > starts
    means = np.add.reduceat(rarity, starts[filled]) / (ends - starts)[filled] if filled.any() else rarity
    return standardised(own, means)


def translation_surprise(lengths: NDArray[Any], around: NDArray[Any]) -> float:
    """Mean of ||h + r - t|| over the memory's relations, standardised by that of n others.

    `lengths`: shape (m,): of its own relations; none is unknown. `around`: shape (n,): each of the others' mean.
    """
    if not len(lengths):
        return UNKNOWN
    return standardised(float(np.sort(np.asarray(lengths, np.float64)).mean()), around)


def translation_lengths(heads: NDArray[Any], relations: NDArray[Any], tails: NDArray[Any]) -> Floats:
    """||h + r - t||, the L1 norm (as in core/arrays/translation), of each row of shape (m, d); float64 (m,)."""
    difference = (
        np.asarray(heads, np.float64) + np.asarray(relations, np.float64) - np.asarray(tails, np.float64)
    )
    lengths: Floats = np.abs(difference).sum(axis=1)
    return lengths


def structure_surprise(bits: NDArray[np.uint8], others: NDArray[np.uint8]) -> float:
    """Smallest Hamming distance / bits, of packed bits, shape (b,), from n others, shape (n, b)."""
    if len(others) < NEIGHBOURS or not len(bits):
        return UNKNOWN
    differing = np.bitwise_count(np.bitwise_xor(others, bits)).sum(axis=1, dtype=np.int64)
    return float(differing.min()) / (8 * len(bits))


def token_surprise(distances: NDArray[Any], counts: NDArray[Any]) -> float:
    """The largest of the tokens' mean distances to their k nearest tokens.

    `distances`: in [0, 1], shape (t, m): of the memory's tokens to m distinct tokens of the others. `counts`: shape
    (m,), at least 1: how many of the others hold each; it is a neighbour as many times.
    """
    if not distances.size or int(np.sum(counts)) < NEIGHBOURS:
        return UNKNOWN
    rows = np.asarray(distances, np.float64)
    width = min(NEIGHBOURS, rows.shape[1])
    nearest = np.argpartition(rows, width - 1, axis=1)[:, :width]
    values = np.take_along_axis(rows, nearest, axis=1)
    order = np.argsort(values, axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    times = np.take_along_axis(np.asarray(counts)[nearest], order, axis=1)
    reached = np.minimum(np.cumsum(times, axis=1), NEIGHBOURS)
    used = np.diff(reached, axis=1, prepend=0)
    return float(np.clip(((used * values).sum(axis=1) / NEIGHBOURS).max(), 0, 1))


def overlap_surprise(similarities: NDArray[Any]) -> float:
    """1 - the largest Jaccard similarity with n others, shape (n,)."""
    if len(similarities) < NEIGHBOURS:
        return UNKNOWN
    return float(np.clip(1 - np.max(similarities), 0, 1))
