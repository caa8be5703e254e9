"""The measures of the benchmarks as plain functions of ranks and scores. No I/O."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

K = TypeVar("K")


def recall_at(ranked: Sequence[K], relevant: Collection[K], depth: int) -> float:
    """Share of the relevant keys among the first `depth`, in 0..1."""
    return len(set(ranked[:depth]) & set(relevant)) / len(set(relevant))


def hit_at(ranked: Sequence[K], relevant: Collection[K], depth: int) -> float:
    """1 when any relevant key is among the first `depth`, else 0."""
    return float(any(key in relevant for key in ranked[:depth]))


def mean(values: Iterable[float]) -> float | None:
    """The arithmetic mean, or None of nothing."""
    kept = list(values)
    return math.fsum(kept) / len(kept) if kept else None


def percentile(values: Sequence[float], share: float) -> float:
    """The `share` quantile (0..1) by the nearest rank: a value that was really measured."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def auc(above: Sequence[float], below: Sequence[float]) -> float | None:
    """Probability that a score of `above` exceeds one of `below`, ties counted half (Mann-Whitney)."""
    if not above or not below:
        return None
    won = sum((high > low) + 0.5 * (high == low) for high in above for low in below)
    return won / (len(above) * len(below))


def distinct(keys: Iterable[K], group: Callable[[K], str]) -> list[str]:
    """The groups of ranked keys in the order of their first appearance."""
    return list(dict.fromkeys(group(key) for key in keys))
