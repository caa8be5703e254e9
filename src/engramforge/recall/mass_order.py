"""From similarity to mass and order, for a batch of candidates. Formulas are core/ranking/mass's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.mass import AttentionOptions, freshness, mass, order_by_mass_within_band
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.candidates import Candidates
from engramforge.model.search.hit import AttentionParts
from engramforge.model.time import to_micros

Floats = NDArray[np.float32]


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


def attend(candidates: Candidates, similarity: Floats, now: datetime, options: AttentionOptions) -> Attention:
    """Mass and order of candidates whose similarity is known.

    No conflict is registered before conflicts are detected, so their salience is 0 for every memory.
    """
    fresh = freshness(candidates.valid_at, to_micros(now), options.half_life_days)
    salience = np.zeros(len(candidates), np.float32)
    boosts = np.array([options.category_boosts.get(kind, 0.5) for kind in Kind], np.float32)[candidates.kind]
    masses = mass(similarity, candidates.epistemic_tier, fresh, salience, boosts, options)
    order = order_by_mass_within_band(
        similarity, masses, candidates.valid_at, candidates.position, options.band
    )
    return Attention(masses, order, similarity, candidates.epistemic_tier, fresh, salience, boosts)


def newest_of_versions(
    order: NDArray[np.int64], position: NDArray[np.int64], memories: Mapping[int, Memory]
) -> NDArray[np.int64]:
    """The rows whose record is the newest of its version among these, in the same order.

    A superseded version and its closing record are one belief, so they are one hit.

    `order`: rows, best first. `position`: the store's key of each row's record; a record written later has a greater
    one. `memories`: position -> memory; rows forgotten since are left out.
    """
    newest: dict[tuple[str, int], int] = {}
    for place, memory in memories.items():
        version = (memory.logical_id, memory.version)
        newest[version] = max(place, newest.get(version, place))
    kept = np.array(sorted(newest.values()), np.int64)
    return order[np.isin(position[order], kept)]
