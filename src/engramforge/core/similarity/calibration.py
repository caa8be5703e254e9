"""Calibrated similarity: one scale for all spaces, so that the thresholds of the registry mean something.

A raw similarity is turned into the probability p that an unrelated pair of the same kind is at least as similar, and p
into c in [0, 1]. "Of the same kind" means: the same space and encoder, the same direction (query to memory, or memory
to memory), and a memory of similar length. Which pairs count as unrelated is decided elsewhere.

How a background is fitted
--------------------------
- The top 0.5 % of a sample are dropped: among them are pairs that are related after all. They still count as
  pairs, so that p stays the probability over all of them.
- p is empirical down to 1 %, and falls exponentially beyond. The scale of the exponential is the maximum
  likelihood estimate from what lies between the 1 % point and the dropped values, these counted as censored
  there. Where nothing lies between, the largest of n values gets p = 1/n.
- p of the live background and of the shipped one are mixed with weights n/(n + 2000) and 2000/(n + 2000).
- An encoder without a shipped background has the live one alone; a length bucket with too few pairs then takes the
  background of all lengths together.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import InvalidValue
from engramforge.model.spaces import SpaceRow

DROPPED: Final = 0.005
"""Share of a sample's largest values that is dropped."""
TAIL: Final = 0.01
"""Tail probability beyond which the exponential takes over."""
_LOG_TAIL: Final = float(np.log(TAIL))
SHIPPED_PAIRS: Final = 2_000
"""How many live pairs weigh as much as the shipped background."""
FEWEST_PAIRS: Final = 200
"""A smaller sample has no meaningful 1 % point; its bucket keeps the shipped background."""
START: Final = 0.5
LOW_AT: Final = 0.10
HIGH_AT: Final = 1e-3
"""Tail probabilities at which c is 0, `low` and `high`."""
LENGTHS: Final = (8, 24, 80)
"""Upper bounds, in words, of the first three of four length buckets."""
BUCKETS: Final = len(LENGTHS) + 1
LADDER: Final = (
    1.0, 0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.17,
    0.14, 0.12, 0.1, 0.085, 0.07, 0.06, 0.05, 0.042, 0.035, 0.03, 0.025, 0.02, 0.017, 0.014, 0.012, TAIL,
)  # fmt: skip
"""Tail probabilities at which a background keeps its quantile."""
VERSION: Final = 1

Floats = NDArray[np.float64]


class Direction(StrEnum):
    """What is compared with what; the backgrounds of the two differ widely."""

    QUERY_TO_MEMORY = "query_to_memory"
    MEMORY_TO_MEMORY = "memory_to_memory"


@dataclass(frozen=True)
class Background:
    """The similarities of unrelated pairs, in one length bucket.

    `quantiles`: raw similarity at each tail probability of `LADDER`, never falling. `scale`: of the exponential beyond
    the last, above 0. `pairs`: how many pairs it was fitted on.
    """

    quantiles: tuple[float, ...]
    scale: float
    pairs: int

    def log_tail(self, raw: NDArray[Any]) -> Floats:
        """ln p of raw similarities, in (-inf, 0]: never rising as the similarity rises."""
        values = np.asarray(raw, np.float64)
        inner = np.interp(values, *self._knots)
        beyond = _LOG_TAIL - (values - self.quantiles[-1]) / self.scale
        return np.where(values > self.quantiles[-1], beyond, inner)

    @cached_property
    def _knots(self) -> tuple[Floats, Floats]:
        """The similarities between which ln p is a line, and ln p at each."""
        knots = np.asarray(self.quantiles)
        # Many pairs may share a value (0 for Jaccard): p at that value counts all of them, just above it none.
        first = np.concatenate(([True], np.diff(knots) > 0))
        last = np.concatenate((np.diff(knots) > 0, [True]))
        places = np.where(first, knots, np.nextafter(knots, np.inf))
        return places[first | last], np.log(LADDER)[first | last]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Calibrated similarities.

    `similarity`: c in [0, 1), shape of the raw values; strictly above `high` where p < 1e-3. `log_tail`: ln p: how
    often an unrelated pair is at least as similar.
    """

    similarity: Floats
    log_tail: Floats


NOTHING_SHIPPED: Final[tuple[Background | None, ...]] = (None,) * BUCKETS
"""The shipped backgrounds of an encoder that has none."""


@dataclass(frozen=True)
class Calibration:
    """One space, one encoder, one direction.

    Parameters
    ----------
    encoder : id of the encoder whose similarities it reads.
    low, high : the space's thresholds; low is None where the space has none.
    shipped : a background per length bucket; None throughout where nothing is shipped for the encoder.
    live : the store's own per bucket, or None where it has too few pairs; at least one bucket has one of the two.
    """

    encoder: str
    direction: Direction
    low: float | None
    high: float
    shipped: tuple[Background | None, ...]
    live: tuple[Background | None, ...] = (None,) * BUCKETS

    @cached_property
    def id(self) -> str:
        """Versioned: equal exactly when two calibrations give the same numbers."""
        content = repr((self.encoder, self.low, self.high, self.shipped, self.live)).encode()
        return f"calibration-{VERSION}/{self.direction}/{self.pairs}@{zlib.crc32(content):08x}"

    @property
    def pairs(self) -> int:
        """How many live pairs it was fitted on."""
        return sum(each.pairs for each in self.live if each is not None)

    def apply(self, raw: NDArray[Any], lengths: NDArray[Any]) -> Calibrated:
        """Calibrated similarities of raw ones.

        `raw`: shape (n,). `lengths`: shape (n,), in words: the memory's for a query, the shorter of two memories.
        """
        log_tail = self.log_tail(raw, lengths)
        return Calibrated(similarity_of(log_tail, self.low, self.high), log_tail)

    def log_tail(self, raw: NDArray[Any], lengths: NDArray[Any]) -> Floats:
        """ln p alone, for who needs no more."""
        values = np.asarray(raw, np.float64)
        buckets = bucket_of(lengths)
        log_tail = np.zeros(len(values))
        for bucket in sorted(set(buckets.tolist())):
            inside = buckets == bucket
            log_tail[inside] = self._log_tail(values[inside], bucket)
        return log_tail

    def _log_tail(self, values: Floats, bucket: int) -> Floats:
        """ln of the mixture of both backgrounds' tail probabilities."""
        known, live = self.shipped[bucket], self.live[bucket]
        if known is None:
            return np.zeros(len(values)) if live is None else live.log_tail(values)
        shipped = known.log_tail(values)
        if live is None:
            return shipped
        share = live.pairs / (live.pairs + SHIPPED_PAIRS)
        mixed: Floats = np.logaddexp(np.log(share) + live.log_tail(values), np.log1p(-share) + shipped)
        return np.minimum(mixed, 0)


def bucket_of(lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Length bucket of each number of words: up to 8, 24, 80, and more."""
    return np.searchsorted(np.asarray(LENGTHS), np.asarray(lengths), side="left").astype(np.int64)


@lru_cache(maxsize=64)
def _knots_of(low: float | None, high: float) -> tuple[Floats, Floats]:
    """Between which ln p the scale is a line, and the similarity at each; there are as many as spaces."""
    middle = [] if low is None else [(np.log(LOW_AT), low)]
    knots = [(np.log(HIGH_AT), high), *middle, (np.log(START), 0.0)]
    return np.array([x for x, _ in knots]), np.array([y for _, y in knots])


def similarity_of(log_tail: Floats, low: float | None, high: float) -> Floats:
    """c of ln p: linear in ln p through (0.5, 0), (0.10, low), (1e-3, high), then towards 1.

    Beyond high, c = 1 - (1 - high) / (1 + k (ln 1e-3 - ln p)), where k continues the slope at high: strictly
    increasing, and still so where an exponential would have rounded to 1.
    """
    places, values = _knots_of(low, high)
    inner = np.interp(log_tail, places, values)
    slope = (values[0] - values[1]) / (places[1] - places[0])
    distance = np.maximum(places[0] - log_tail, 0)
    beyond = 1 - (1 - high) / (1 + slope / (1 - high) * distance)
    similarity: Floats = np.where(log_tail < places[0], beyond, inner)
    return similarity


def fit_background(sample: NDArray[Any]) -> Background:
    """The background of a sample of similarities of unrelated pairs (see the module).

    Raises InvalidValue: fewer than 200 values, or one that is not a finite number.
    """
    values = np.sort(np.asarray(sample, np.float64))
    if len(values) < FEWEST_PAIRS or not np.isfinite(values).all():
        raise InvalidValue(
            f"A background needs at least {FEWEST_PAIRS} finite similarities, not {len(values)}",
            "Sample more pairs, or keep the shipped background",
        )
    kept = values[: len(values) - int(len(values) * DROPPED)]
    quantiles = np.quantile(values, 1 - np.asarray(LADDER))
    quantiles = np.minimum(quantiles, kept[-1])
    threshold = quantiles[-1]
    excess = kept[kept > threshold] - threshold
    censored = (len(values) - len(kept)) * (kept[-1] - threshold)
    spread = max(float(np.ptp(kept)), 1e-6)
    if len(excess):
        scale = (excess.sum() + censored) / len(excess)
    else:
        # Nearly all share a value, such as 0 for names in common: then the largest of n has p = 1/n.
        scale = (values[-1] - threshold) / np.log(TAIL * len(values))
    return Background(tuple(quantiles.tolist()), max(float(scale), spread / 100), len(values))


def fit(
    samples: Sequence[NDArray[Any]],
    shipped: Sequence[Background | None],
    row: SpaceRow,
    encoder: str,
    direction: Direction,
) -> Calibration:
    """A calibration from live samples, one per length bucket (small or empty ones keep the shipped background)."""
    if row.high is None:
        raise InvalidValue(
            f"The space {row.space} has no threshold to calibrate to", "Temporal spaces stay raw"
        )
    live = tuple(fit_background(each) if len(each) >= FEWEST_PAIRS else None for each in samples)
    return Calibration(encoder, direction, row.low, row.high, tuple(shipped), live or (None,) * BUCKETS)


def fit_alone(
    samples: Sequence[NDArray[Any]], row: SpaceRow, encoder: str, direction: Direction
) -> Calibration | None:
    """A calibration of an encoder that nothing is shipped for; None where all samples together are too few.

    A length bucket with too few pairs takes the background of all of them together.
    """
    together = np.concatenate([np.zeros(0), *samples])
    if len(together) < FEWEST_PAIRS:
        return None
    fitted = fit(samples, NOTHING_SHIPPED, row, encoder, direction)
    pooled = fit_background(together)
    lent = tuple(
        replace(pooled, pairs=len(sample)) if each is None else each
        for each, sample in zip(fitted.live, samples, strict=True)
    )
    return replace(fitted, live=lent)


def is_due(fitted_at: int, now: int) -> bool:
    """Whether to refit: the corpus has doubled since the last fit. Both are numbers of memories."""
    return now >= 2 * max(fitted_at, 1)


def backgrounds_as_list(backgrounds: Sequence[Background | None]) -> list[dict[str, Any] | None]:
    """Backgrounds by length bucket as JSON-able values; the inverse of `backgrounds_from_list`."""
    return [None if each is None else asdict(each) for each in backgrounds]


def backgrounds_from_list(found: Sequence[Mapping[str, Any] | None]) -> tuple[Background | None, ...]:
    """Backgrounds by length bucket. Raises ValueError where they are not one per bucket."""
    if len(found) != BUCKETS:
        raise ValueError(f"{len(found)} length buckets, not {BUCKETS}")
    return tuple(None if each is None else background_from_mapping(each) for each in found)


def background_from_mapping(mapping: Mapping[str, Any]) -> Background:
    """One background of JSON values. Raises ValueError where the numbers make no background."""
    quantiles = tuple(float(each) for each in mapping["quantiles"])
    scale = float(mapping["scale"])
    finite = bool(np.isfinite((*quantiles, scale)).all())
    if len(quantiles) != len(LADDER) or not finite or scale <= 0 or sorted(quantiles) != list(quantiles):
        raise ValueError("not a background")
    return Background(quantiles, scale, int(mapping["pairs"]))
