"""The shapes of roles, lenses and what comes of asking through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engramforge.faces.views.shape import Shape, plain
from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.lenses.orchestration import (
    Against,
    Convergence,
    Direction,
    Divergence,
    Field,
    FieldSummary,
    GuardianMark,
    LensItem,
    LensResult,
    Orchestration,
    Step,
    Weighed,
)
from engramforge.model.lenses.role import Lens, LensProject, ProjectRole
from engramforge.model.search.hit import Hit

_EXCERPT: Final = 500
"""Characters of an item, which may stand in many notes of one answer."""


@dataclass(frozen=True, slots=True)
class RoleView(Shape[ProjectRole]):
    """The role of a project; `weight` 0..1."""

    project: str
    role: str
    gravity_type: str
    weight: float
    active: bool
    description: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class LensProjectView(Shape[LensProject]):
    """A lens as it may be given again: a project, or `name` and what it sees; `weight` null for that of its role."""

    project_name: str | None
    role: str
    weight: float | None
    name: str | None
    projects: list[str]
    tags: list[str]
    agent: str | None
    speaker: str | None
    source: str | None
    model: str | None
    as_of: str | None
    as_of_valid: str | None
    as_of_recorded: str | None

    @classmethod
    def _derived(cls, value: LensProject) -> Mapping[str, object]:
        sees = value.sees
        is_one = sees.projects == (value.project,)
        return {
            **plain(sees),
            "project_name": value.project if is_one else None,
            "name": None if is_one else value.project,
            "projects": [] if is_one else list(sees.projects),
        }


@dataclass(frozen=True, slots=True)
class LensView(Shape[Lens]):
    """A saved lens; `default_budget` in characters."""

    name: str
    projects: list[LensProjectView]
    description: str
    default_budget: int
    active: bool
    adaptive: bool
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class ScanView(Shape[EntanglementScan]):
    """A scan over projects; `clusters` of logical ids, the largest first."""

    at: str
    threshold: float
    memories: int
    projects: int
    resonances: int
    clusters: list[list[str]]


@dataclass(frozen=True, slots=True)
class SourceView(Shape[Hit]):
    """An item that a lens found: `id` of its entry or memory, the mass as it was scored (0..1), and the beginning of
    what it says."""

    id: str
    kind: str
    mass: float
    epistemic_tier: float
    relevant: bool
    excerpt: str
    but_now: str

    @classmethod
    def _derived(cls, value: Hit) -> Mapping[str, object]:
        memory, said = value.memory, value.excerpt
        return {
            "id": value.source_id,
            "kind": str(memory.kind),
            "epistemic_tier": memory.epistemic_tier,
            "excerpt": said if len(said) <= _EXCERPT else f"{said[: _EXCERPT - 1]}\u2026",
        }


@dataclass(frozen=True, slots=True)
class WeighedView(Shape[Weighed]):
    """Why a lens weighs otherwise than it was given; weights 0..1."""

    before: float
    after: float
    useful: int
    judged: int
    why: str


@dataclass(frozen=True, slots=True)
class LensResultView(Shape[LensResult]):
    """What one lens found, best first; `as_of` its point in time as it was given, empty without one of its own."""

    project: str
    role: str
    gravity_type: str
    weight: float
    results: list[SourceView]
    result_count: int
    top_attention: float
    projects: list[str]
    as_of: str
    weighed: WeighedView | None

    @property
    def told(self) -> str:
        """Its project, and its point in time where it has one."""
        if not self.as_of:
            return self.project
        is_axis = self.as_of.startswith(("held ", "known "))
        return f"{self.project}, what {self.as_of}" if is_axis else f"{self.project} as of {self.as_of}"

    @property
    def answering(self) -> list[SourceView]:
        """The results that answer the question."""
        return [each for each in self.results if each.relevant]

    @classmethod
    def _derived(cls, value: LensResult) -> Mapping[str, object]:
        return {"projects": list(value.sight.projects), "as_of": value.sight.when}


@dataclass(frozen=True, slots=True)
class LensItemView(Shape[LensItem]):
    """An item that converges; `mass` is amplified by 1.3."""

    lens: str
    mass: float
    item: SourceView

    @classmethod
    def _derived(cls, value: LensItem) -> Mapping[str, object]:
        return {"item": SourceView.of(value.hit)}


@dataclass(frozen=True, slots=True)
class ConvergenceView(Shape[Convergence]):
    """A matter on which lenses agree."""

    type: str
    lenses: list[str]
    items: list[LensItemView]
    cluster_id: int | None
    combined_mass: float
    summary: str


@dataclass(frozen=True, slots=True)
class DivergenceView(Shape[Divergence]):
    """A matter on which two lenses pull apart, or one lens within itself (the same twice); an item is null where that
    lens has nothing. Of two that contradict each other `item_a` is the newer; `changed`: it took the other's place."""

    type: str
    lens_a: str
    lens_b: str
    item_a: SourceView | None
    item_b: SourceView | None
    tension: float
    description: str
    changed: bool

    @property
    def lenses(self) -> list[str]:
        """Both lenses, one that is torn itself once."""
        return list(dict.fromkeys((self.lens_a, self.lens_b)))


@dataclass(frozen=True, slots=True)
class FieldView(Shape[FieldSummary]):
    """The field in numbers; `coherence` 0..1."""

    total_candidates: int
    convergence_points: int
    divergence_points: int
    dominant_lens: str | None
    coherence: float


@dataclass(frozen=True, slots=True)
class GuardianMarkView(Shape[GuardianMark]):
    """An item that another lens stands against; `severity` 0..1."""

    type: str
    lens: str
    item: SourceView
    by_lens: str
    by: SourceView
    what: str
    why: str
    severity: float


@dataclass(frozen=True, slots=True)
class AgainstView(Shape[Against]):
    """Who stands against a direction; `tension` 0..1."""

    lens: str
    id: str
    why: str
    tension: float


@dataclass(frozen=True, slots=True)
class DirectionView(Shape[Direction]):
    """One way to go; `stance` agreed, open, contested or rejected."""

    id: str
    says: str
    kind: str
    lenses: list[str]
    mass: float
    epistemic_tier: float
    stance: str
    against: list[AgainstView]


@dataclass(frozen=True, slots=True)
class StepView(Shape[Step]):
    """What to do: settle, decide, avoid, follow, validate, explore or fill."""

    act: str
    lenses: list[str]
    ids: list[str]
    because: str


@dataclass(frozen=True, slots=True)
class WholeFieldView(Shape[Field]):
    """The field for a router or planner: directions the strongest first, steps in their order."""

    coherence: float
    dominant_lens: str | None
    directions: list[DirectionView]
    steps: list[StepView]
    needs_a_person: bool


@dataclass(frozen=True, slots=True)
class OrchestrationView(Shape[Orchestration]):
    """The answer of several lenses; `per_lens` by the lens's name; `answered`: whether any of them has something;
    `notes`: roles that were passed over, and why."""

    query: str
    answered: bool
    lens_name: str | None
    lenses_used: list[str]
    per_lens: dict[str, LensResultView]
    convergence: list[ConvergenceView]
    divergence: list[DivergenceView]
    guardian: list[GuardianMarkView]
    field_summary: FieldView
    field: WholeFieldView
    context_text: str
    budget: int
    budget_used: int
    notes: list[str]

    @classmethod
    def _derived(cls, value: Orchestration) -> Mapping[str, object]:
        return {"per_lens": {name: LensResultView.of(each) for name, each in value.per_lens.items()}}
