"""The mass of a memory for a query, and the order it gives.

    mass = 0.45 similarity + 0.20 epistemic_tier + 0.15 freshness + 0.10 conflict_salience + 0.10 category_boost

Where memories are fresh, ordering by mass loses .07 of recall@10 against ordering by the fused similarity, and where
they are not it wins .02 at most (docs/measurements/ranking.md): so the other parts decide only among hits of
near-equal similarity. Arrays in, arrays out; `now` is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.model.memory import Kind
from engramforge.model.search.candidates import Candidates
from engramforge.model.search.hit import AttentionParts
from engramforge.model.time import MICROS_PER_DAY, to_micros

Floats = NDArray[np.float32]

CATEGORY_BOOST: Final[Mapping[Kind, float]] = {
    Kind.DECISION: 1.0, Kind.LEARNING: 0.9, Kind.PATTERN: 0.8, Kind.THREAD: 0.8, Kind.SESSION_SUMMARY: 0.7,
    Kind.PRIMING: 0.7, Kind.NOTE: 0.6, Kind.ARTIFACT: 0.6, Kind.CHUNK: 0.5, Kind.MESSAGE: 0.5, Kind.PROMPT: 0.5,
    Kind.RESPONSE: 0.5, Kind.ACTION: 0.4, Kind.ENTITY: 0.3, Kind.FLAG: 0.3, Kind.LINEAGE: 0.3, Kind.ARCHIVE: 0.2,
    Kind.TOOL_USE: 0.2,
}  # fmt: skip
"""How much a kind is worth by itself, 0..1: conclusions above what was said, and that above what was done."""


@dataclass(frozen=True, slots=True)
class AttentionOptions:
    """Weights of the mass (each 0..1, together 1) and their parameters.

    `half_life_days`: after how many days freshness halves. `band`: the relative difference up to which similarities
    count as equal, 0..1. `category_boosts`: value of each kind, 0..1.
    """

    similarity: float = 0.45
    epistemic_tier: float = 0.20
    freshness: float = 0.15
    conflict_salience: float = 0.10
    category_boost: float = 0.10
    half_life_days: float = 45.0
    band: float = 0.02
    category_boosts: Mapping[Kind, float] = field(default_factory=lambda: CATEGORY_BOOST)


def freshness(valid_at: NDArray[np.int64], now: int, half_life_days: float) -> Floats:
    """2^(-days / half-life) by valid time, in (0, 1]; a valid time in the future counts as fresh.

    `valid_at`, `now`: microseconds since 1970.
    """
    days = np.maximum((now - valid_at) / MICROS_PER_DAY, 0.0)
    return np.exp2(-days / half_life_days).astype(np.float32)


def mass(
    similarity: Floats,
    epistemic_tier: Floats,
    fresh: Floats,
    conflict_salience: Floats,
    category_boost: Floats,
    options: AttentionOptions,
) -> Floats:
    """The weighted sum of the five parts, each array in 0..1; the mass is in 0..1 too."""
    total = (
        options.similarity * similarity
        + options.epistemic_tier * epistemic_tier
        + options.freshness * fresh
        + options.conflict_salience * conflict_salience
        + options.category_boost * category_boost
    )
    clipped: Floats = np.clip(total, 0.0, 1.0).astype(np.float32)
    return clipped


def order_by_mass_within_band(
    similarity: Floats, masses: Floats, valid_at: NDArray[np.int64], position: NDArray[np.int64], band: float
) -> NDArray[np.int64]:
    """Rows best first: by similarity, and by mass among those of near-equal similarity.

    A group begins at the best row not yet in one and takes in every row whose odds are at least (1 - band)^2 of its
    own: near even odds that is (1 - band) of its similarity, and of two that are nearly sure it still tells the surer
    one. Equal masses go to the newer valid time, then to the later position, so that the order is always the same.
    """
    chances = similarity.astype(np.float64)
    odds = chances / np.maximum(1 - chances, 1e-12)
    falling = np.lexsort((-position, -valid_at, -similarity))
    group = np.zeros(len(falling), np.int64)
    floor, number = np.inf, 0
    for place, value in enumerate(odds[falling].tolist()):
        # Odds fall, so the first row below its group's floor begins the next group.
        if value < floor:
            floor, number = value * (1 - band) ** 2, number + 1
        group[place] = number
    within = np.lexsort((-position[falling], -valid_at[falling], -masses[falling], group))
    return falling[within]


@dataclass(frozen=True, slots=True)
class Attention:
    """Masses of n candidates with their parts, and the rows best first."""

    mass: Floats
    order: NDArray[np.int64]
    similarity: Floats
    epistemic_tier: Floats
    freshness: Floats
    conflict_salience: Floats
    category_boost: Floats

    def parts_of(self, row: int) -> AttentionParts:
        """The five parts of one row."""
        return AttentionParts(
            *(float(getattr(self, name)[row]) for name in AttentionParts.__dataclass_fields__)
        )


def attend(
    candidates: Candidates,
    similarity: Floats,
    now: datetime,
    options: AttentionOptions,
    tensions: Mapping[int, float] = MappingProxyType({}),
    worth: Mapping[int, float] = MappingProxyType({}),
) -> Attention:
    """Mass and order of candidates whose similarity is known.

    `tensions`: position -> the strength of its strongest open conflict, 0..1; its salience is 0 without one.
    `worth`: position -> its value in place of its kind's, 0..1.
    """
    fresh = freshness(candidates.valid_at, to_micros(now), options.half_life_days)
    salience = np.zeros(len(candidates), np.float32)
    if tensions:
        salience[:] = [tensions.get(position, 0.0) for position in candidates.position.tolist()]
    boosts = np.array([options.category_boosts.get(kind, 0.5) for kind in Kind], np.float32)[candidates.kind]
    if worth:
        own = [worth.get(position, -1.0) for position in candidates.position.tolist()]
        boosts = np.where(np.array(own) < 0, boosts, own).astype(np.float32)
    masses = mass(similarity, candidates.epistemic_tier, fresh, salience, boosts, options)
    order = order_by_mass_within_band(
        similarity, masses, candidates.valid_at, candidates.position, options.band
    )
    return Attention(masses, order, similarity, candidates.epistemic_tier, fresh, salience, boosts)
