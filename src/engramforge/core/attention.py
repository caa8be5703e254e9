"""Attention: the mass of a memory for a query, and the order that mass may change (spec chapter 5).

Mass = 0.45 similarity + 0.20 epistemic tier + 0.15 freshness + 0.10 conflict salience + 0.10 category boost,
each in [0, 1]. Ordering by mass alone would let a fresh memory overtake a better answer, so the other parts
act only within a band of near-equal similarity. No search, no storage, no clock: now is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import InvalidValue
from engramforge.model.memory import Kind

Floats = NDArray[np.float64]

DAY_MICROS: Final = 86_400_000_000

CATEGORY_BOOSTS: Final[Mapping[Kind, float]] = MappingProxyType(
    {
        Kind.DECISION: 1.0,
        Kind.LEARNING: 0.9,
        Kind.THREAD: 0.8,
        Kind.PATTERN: 0.8,
        Kind.FLAG: 0.7,
        Kind.SESSION_SUMMARY: 0.6,
        Kind.PRIMING: 0.6,
        Kind.NOTE: 0.6,
        Kind.ARTIFACT: 0.5,
        Kind.ENTITY: 0.5,
        Kind.ACTION: 0.5,
        Kind.CHUNK: 0.5,
        Kind.MESSAGE: 0.5,
        Kind.PROMPT: 0.5,
        Kind.RESPONSE: 0.4,
        Kind.TOOL_USE: 0.2,
    }
)
"""What a memory of each kind is worth before it is read: what was settled or learnt most, what a tool printed
least."""


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """The weights of the five parts (summing to 1) and what the parts are made of.

    Parameters
    ----------
    half_life_days : after how many days freshness has halved.
    boosts : category boost by kind, in 0..1; kinds left out have 0.5.
    band : how near two similarities must lie for the other parts to decide between them, in 0..1.
    """

    similarity: float = 0.45
    epistemic_tier: float = 0.20
    freshness: float = 0.15
    conflict_salience: float = 0.10
    category_boost: float = 0.10
    half_life_days: float = 45.0
    boosts: Mapping[Kind, float] = field(default_factory=lambda: CATEGORY_BOOSTS)
    band: float = 0.01

    def __post_init__(self) -> None:
        weights = self.weights
        if min(weights) < 0 or abs(sum(weights) - 1) > 1e-6:
            raise InvalidValue(
                f"The attention weights are {weights}, summing to {sum(weights):g}",
                "Give five weights of at least 0 that sum to 1",
            )
        if self.half_life_days <= 0 or not 0 <= self.band <= 1:
            raise InvalidValue(
                f"A half-life of {self.half_life_days:g} days and a band of {self.band:g} make no order",
                "Give a half-life above 0 and a band from 0 to 1",
            )
        if any(not 0 <= boost <= 1 for boost in self.boosts.values()):
            raise InvalidValue("A category boost lies outside 0..1", "Give boosts from 0 to 1")

    @property
    def weights(self) -> tuple[float, float, float, float, float]:
        """The five weights in the order of the formula."""
        return (
            self.similarity,
            self.epistemic_tier,
            self.freshness,
            self.conflict_salience,
            self.category_boost,
        )


DEFAULT_SETTINGS: Final = AttentionSettings()


def mass(
    similarity: NDArray[Any],
    epistemic_tier: NDArray[Any],
    freshness: NDArray[Any],
    conflict_salience: NDArray[Any],
    category_boost: NDArray[Any],
    settings: AttentionSettings = DEFAULT_SETTINGS,
) -> Floats:
    """The mass of n memories, float64, shape (n,), in [0, 1]; each part in [0, 1], clipped where it is
    not."""
    parts = (similarity, epistemic_tier, freshness, conflict_salience, category_boost)
    total: Floats = sum(
        (weight * np.clip(part, 0, 1) for weight, part in zip(settings.weights, parts, strict=True)),
        start=np.zeros(len(similarity)),
    )
    return np.minimum(total, 1.0)


def freshness(
    valid_at: NDArray[np.int64], now: int, half_life_days: float = DEFAULT_SETTINGS.half_life_days
) -> Floats:
    """2^(-days / half-life) by valid time, in [0, 1]; what lies in the future is fully fresh.

    Parameters
    ----------
    valid_at : int64, shape (n,): microseconds since 1970.
    now : microseconds since 1970.
    """
    days = np.maximum(now - valid_at, 0) / DAY_MICROS
    fresh: Floats = np.exp2(-days / half_life_days)
    return fresh


def category_boosts(kinds: Sequence[Kind], settings: AttentionSettings = DEFAULT_SETTINGS) -> Floats:
    """The boost of each memory's kind, float64, shape (n,)."""
    return np.array([settings.boosts.get(kind, 0.5) for kind in kinds], np.float64)


def order_by_mass_within_band(
    similarity: NDArray[Any],
    masses: NDArray[Any],
    band: float,
    valid_at: NDArray[np.int64],
    ids: NDArray[Any],
) -> NDArray[np.int64]:
    """The order of n memories, best first, int64, shape (n,).

    Memories fall into bands by similarity: a band begins at the best one left and holds all within `band`
    below it. Within a band the larger mass goes first, then the newer valid time, then the smaller id. So no
    memory overtakes one that is more similar by more than `band`; a band of 0 orders by similarity alone, a
    band of 1 by mass alone.

    Parameters
    ----------
    similarity, masses : in [0, 1].
    ids : anything that sorts: positions or texts; makes the order total.
    """
    ranked = np.argsort(-np.asarray(similarity, np.float64), kind="stable")
    steps = np.asarray(similarity, np.float64)[ranked]
    band_of = np.zeros(len(ranked), np.int64)
    begin = number = 0
    while begin < len(ranked):
        # The bands descend, so the end of each is found by bisection in the negated, ascending similarities.
        end = int(np.searchsorted(-steps, -(steps[begin] - band), side="right"))
        end = max(end, begin + 1)
        band_of[ranked[begin:end]] = number
        begin, number = end, number + 1
    return np.lexsort((np.asarray(ids), -np.asarray(valid_at), -np.asarray(masses, np.float64), band_of))
