"""The score of memories for a question in one space, and the best of a way: pure array arithmetic, for both engines.

    score = sum over rows of weight x cosine(row of the question, row of the memory); bits: 1 - Hamming distance / bits

A memory that lacks the row, or abstains in it, gets 0 for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import simsimd
from numpy.typing import NDArray

from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.spaces import Space
from engramforge.store.reading.embeddings import dtype_of
from engramforge.store.scoring.strength import Floats, Rows, quantise

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values


def norms_of(values: Values) -> Floats:
    """Length of every row, float32, shape (n,) of values (n, size); ones for bits, which have none."""
    if values.dtype == np.uint8:
        return np.ones(len(values), np.float32)
    as_float = values.astype(np.float32)
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", as_float, as_float))
    return lengths


def row_scores(query: NDArray[np.float32] | NDArray[np.uint8], values: Values, norms: Floats) -> Floats:
    """One row of a question with the same row of n memories: cosine, or for bits 1 - Hamming distance / bits.

    `query`: shape (size,). `values`, `norms`: shape (n, size), contiguous, and (n,).
    """
    if not len(values):
        return np.zeros(0, np.float32)
    if values.dtype == np.uint8:
        asked = np.ascontiguousarray(query, np.uint8)[None, :]
        distances = np.asarray(simsimd.cdist(asked, values, "hamming", dtype="bin8"), np.float32)[0]
        alike: Floats = (1 - distances / (8 * values.shape[1])).astype(np.float32)
        return alike
    whole = quantise(np.asarray(query, np.float32))
    products = np.asarray(simsimd.cdist(whole[None, :], values, "dot"), np.float32)[0]
    length = float(np.linalg.norm(whole.astype(np.float32)))
    cosines: Floats = (products / np.maximum(norms * length, 1e-9)).astype(np.float32)
    return cosines


def part_scores(query: QueryPart, batch: PartBatch) -> Floats:
    """The score of every memory of a batch; 0 where it has no part. All rows of a present memory count."""
    scores = np.zeros(len(batch.present), np.float32)
    for row in counted_rows(query, batch.values.shape[1]):
        values = cast("Values", np.ascontiguousarray(batch.values[:, row]))
        scores += query.weights[row] * row_scores(query.values[row], values, norms_of(values))
    return np.where(batch.present, scores, 0).astype(np.float32)


def counted_rows(query: QueryPart, rows: int) -> list[int]:
    """The rows of a question that count: it says something in them, and the stored parts have them."""
    is_bits = dtype_of(query.space) is np.uint8
    said = query.weights != 0
    if not is_bits:
        said &= query.values.any(axis=1)
    return [row for row in np.flatnonzero(said).tolist() if row < rows]


def best_of_way(score: Floats, strength: Floats, position: Rows, per_way: int) -> Rows:
    """The best `per_way` rows by a score above 0, best first, of those that take part (finite strength).

    Ties go to the stronger, then to the earlier position, so that every process chooses the same.
    """
    fitting = np.flatnonzero((score > 0) & np.isfinite(strength))
    if len(fitting) > per_way:
        worst = np.partition(score[fitting], len(fitting) - per_way)[len(fitting) - per_way]
        fitting = fitting[score[fitting] >= worst]
    order = np.lexsort((position[fitting], -strength[fitting], -score[fitting]))
    return fitting[order[:per_way]]


def in_turns(ways: Sequence[Rows]) -> Rows:
    """The best of several ways as one list: the best of each, then the second of each; a row may come again."""
    if not ways:
        return np.empty(0, np.int64)
    rank = np.concatenate([np.arange(len(way)) for way in ways])
    return np.concatenate(ways)[np.argsort(rank, kind="stable")].astype(np.int64)


def part_batch(
    space: Space, stored: Sequence[tuple[int, bytes] | None], query: QueryPart | None = None
) -> PartBatch:
    """Stored parts, as rows and bytes, as one batch; None where there is none.

    As many rows as the largest part of the batch has; where all are absent, those of the question.
    """
    dtype = dtype_of(space)
    sizes = {len(raw) // rows for rows, raw in (item for item in stored if item is not None) if rows}
    own = (0, 0) if query is None else query.values.shape
    size = max(sizes, default=own[1])
    most = max((rows for rows, _ in (item for item in stored if item is not None)), default=own[0])
    values = np.zeros((len(stored), most, size), dtype)
    present = np.zeros(len(stored), np.bool_)
    for place, each in enumerate(stored):
        if each is not None and each[0] and len(each[1]) == each[0] * size:
            values[place, : each[0]] = np.frombuffer(each[1], dtype).reshape(each[0], size)
            present[place] = True
    return PartBatch(values, present)


def joined_batches(batches: Sequence[PartBatch]) -> PartBatch:
    """Several batches end to end, with as many rows and as wide as the largest that has anything in it."""
    filled = [batch for batch in batches if batch.present.any()] or list(batches)
    most = max(batch.values.shape[1] for batch in filled)
    size = max(batch.values.shape[2] for batch in filled)
    whole = np.zeros((sum(len(b.present) for b in batches), most, size), batches[0].values.dtype)
    begin = 0
    for batch in batches:
        end = begin + len(batch.present)
        if batch.present.any():
            whole[begin:end, : batch.values.shape[1]] = batch.values
        begin = end
    return PartBatch(whole, np.concatenate([batch.present for batch in batches]))
