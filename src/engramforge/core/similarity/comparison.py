"""How two embeddings of a space are compared: one against many, vectorised.

Formulas on arrays only. Which space uses which, who abstains and what a value means on the common scale belong to the
encoders and to calibration. Texts of a batch are laid out one after the other: text i of n ends at `ends[i]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import places_among

Floats = NDArray[np.float32]
Ends = NDArray[np.int64]


def cosine(query: NDArray[Any], matrix: NDArray[Any]) -> Floats:
    """Cosine of one vector with each row, in [-1, 1]; 0 where either has no length.

    `query`: float or int8, shape (d,). `matrix`: float or int8, shape (n, d); int8 rows are unit vectors at any scale.
    """
    vector = query.astype(np.float32)
    rows = matrix.astype(np.float32, copy=False)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.linalg.norm(vector)
    products = (rows @ vector).astype(np.float32)
    cosines: Floats = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    np.clip(cosines, -1, 1, out=cosines)
    return cosines


def jaccard(query: NDArray[np.uint32], terms: NDArray[np.uint32], ends: Ends) -> Floats:
    """|A and B| / |A or B| of one set with each of n sets, in [0, 1]; 0 where both are empty.

    `query`: uint32, shape (q,), distinct. `terms`, `ends`: n sets of distinct terms, concatenated.
    """
    found = places_in(query, terms) >= 0
    shared = segment_sums(found.astype(np.float32), ends)
    union = len(query) + np.diff(ends, prepend=0) - shared
    return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0).astype(np.float32)


def weighted_jaccard(
    query: NDArray[np.uint32], query_weights: Floats, terms: NDArray[np.uint32], weights: Floats, ends: Ends
) -> Floats:
    """sum(min) / sum(max) of the weights of one weighted set and each of n (Ruzicka 1958), in [0, 1].

    `query`, `query_weights`: shape (q,), distinct terms and their weights, not negative. `terms`, `weights`, `ends`: n
    weighted sets of distinct terms, concatenated; weights not negative.
    """
    places = places_in(query, terms)
    found = places >= 0
    asked = np.zeros(len(terms), np.float32)
    asked[found] = query_weights[places[found]]
    shared = segment_sums(np.minimum(asked, weights), ends)
    total = np.float32(query_weights.sum()) + segment_sums(weights, ends) - shared
    ratio = np.divide(shared, total, out=np.zeros_like(shared), where=total > 0)
    clipped: Floats = np.clip(ratio, 0, 1).astype(np.float32)
    return clipped


def maxsim(similarities: Floats, ends: Ends, weights: Floats) -> Floats:
    """Late interaction (Khattab, Zaharia 2020): each query word's best match in a text, averaged by weight.

    Lies within the range of the similarities; 0 for a text without words or weights that sum to 0.

    `similarities`: float32, shape (q, w): each query word with each word of all n texts. `ends`: int64, shape (n,).
    `weights`: float32, shape (q,), not negative.
    """
    total = float(weights.sum())
    if total <= 0:
        return np.zeros(len(ends), np.float32)
    shares = (weights / np.float32(total)).astype(np.float32)
    return shares @ segment_maxima(similarities, ends)


def places_in(wanted: NDArray[np.uint32], terms: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Where each term stands in `wanted` (distinct), int64, shape of terms; -1 where it does not."""
    order = np.argsort(wanted)
    return np.append(order, -1)[places_among(wanted[order], terms)]


def segment_sums(values: Floats, ends: Ends) -> Floats:
    """Sum of the values of each text, shape (n,); 0 for an empty one."""
    starts, filled = _segments(ends)
    sums = np.zeros(len(ends), np.float32)
    if filled.any():
        sums[filled] = np.add.reduceat(values, starts[filled])
    return sums


def segment_maxima(values: Floats, ends: Ends, axis: int = 1) -> Floats:
    """Largest value of each text in each row, shape (q, n); 0 for an empty one. `axis`: along which the texts lie; 0:
    the largest of each column, shape (n, q)."""
    starts, filled = _segments(ends)
    shape = (len(values), len(ends)) if axis else (len(ends), values.shape[1])
    maxima = np.zeros(shape, np.float32)
    if filled.any() and values.size:
        found = np.maximum.reduceat(values, starts[filled], axis=axis)
        maxima[(slice(None), filled) if axis else filled] = found
    return maxima


def _segments(ends: Ends) -> tuple[Ends, NDArray[np.bool_]]:
    starts = np.concatenate((np.zeros(min(len(ends), 1), np.int64), ends[:-1]))
    return starts, ends > starts
