"""What comes of a question that several projects look at: each one's answer, where they agree, where they pull apart.

Nothing of it is stored (spec chapter 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engramforge.model.lenses.role import Role
from engramforge.model.search.hit import Hit


class ConvergenceType(StrEnum):
    """Why items of several lenses count as one matter."""

    ENTANGLEMENT_CLUSTER = "entanglement_cluster"
    SEMANTIC_OVERLAP = "semantic_overlap"


class DivergenceType(StrEnum):
    """How two lenses pull apart."""

    CONFLICTING_DIRECTION = "conflicting_direction"
    GAP = "gap"
    TIER_MISMATCH = "tier_mismatch"


@dataclass(frozen=True, slots=True, kw_only=True)
class LensResult:
    """What one lens found. `lens`: its name in the result, the role, `role:project` where a role occurs twice.

    `results`: as a recall in its project orders them. `top_attention`: the greatest mass, 0 without results.
    """

    lens: str
    project: str
    role: Role
    gravity_type: str
    weight: float
    results: tuple[Hit, ...]
    top_attention: float

    @property
    def result_count(self) -> int:
        """How many results it has."""
        return len(self.results)


@dataclass(frozen=True, slots=True)
class LensItem:
    """An item of a lens. `mass`: amplified where it converges, so that it may be above 1."""

    lens: str
    hit: Hit
    mass: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Convergence:
    """A matter on which lenses agree. `combined_mass`: 1.3 times the mean of its members' own masses."""

    type: ConvergenceType
    lenses: tuple[str, ...]
    items: tuple[LensItem, ...]
    cluster_id: int | None
    combined_mass: float
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """A matter on which two lenses pull apart: flagged, never suppressed. `tension`: how strongly, 0..1.

    `item_a`, `item_b`: what each says; None where it has nothing.
    """

    type: DivergenceType
    lens_a: str
    lens_b: str
    item_a: Hit | None
    item_b: Hit | None
    tension: float
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSummary:
    """The whole in numbers. `dominant_lens`: of the greatest mass, None without results. `coherence`: 0..1."""

    total_candidates: int
    convergence_points: int
    divergence_points: int
    dominant_lens: str | None
    coherence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Orchestration:
    """The answer of several lenses. `per_lens`: by the lens's name. `context_text`: for a model, within the budget, but
    for the notes of divergence. `budget_used`: characters of what counts."""

    query: str
    lens_name: str | None
    lenses_used: tuple[str, ...]
    per_lens: Mapping[str, LensResult]
    convergence: tuple[Convergence, ...]
    divergence: tuple[Divergence, ...]
    field_summary: FieldSummary
    context_text: str
    budget: int
    budget_used: int
