"""What comes of a question that several projects look at: each one's answer, where they agree, where they pull apart.

Nothing of it is stored (spec chapter 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engramforge.model.lenses.role import Role, Sight
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
class Weighed:
    """Why a lens weighs otherwise than it was given: by what was said of its projects' memories.

    `before`, `after`: 0..1. `useful` of `judged` memories were of use. `why`: in words.
    """

    before: float
    after: float
    useful: int
    judged: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LensResult:
    """What one lens found. `lens`: its name in the result: the role, `role:project` where a role occurs twice, with its
    date or a number where that does.

    `results`: as a recall in its project orders them. `top_attention`: the greatest mass, 0 without results. `sight`:
    what it sees. `weighed`: why it weighs what it does, where weights follow outcomes; None where they do not. `rules`:
    of a lens that guards, results that do not answer and that may bear on the question.
    """

    lens: str
    project: str
    role: Role
    gravity_type: str
    weight: float
    results: tuple[Hit, ...]
    top_attention: float
    sight: Sight = field(default_factory=Sight)
    weighed: Weighed | None = None
    rules: tuple[Hit, ...] = ()

    @property
    def result_count(self) -> int:
        """How many results it has."""
        return len(self.results)

    @property
    def answering(self) -> tuple[Hit, ...]:
        """The results that answer the question; the others are the nearest that there are."""
        return tuple(each for each in self.results if each.relevant)


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

    `lens_a`, `lens_b`: the same lens twice where it says two things itself. `item_a`, `item_b`: what each says, the
    newer first where they contradict each other; None where it has nothing. `changed`: it took the other's place, or
    goes before it as the later word of one lens. `on_matter`: whether it concerns what is asked, or is a gap of
    a lens that has something near.
    """

    type: DivergenceType
    lens_a: str
    lens_b: str
    item_a: Hit | None
    item_b: Hit | None
    tension: float
    description: str
    changed: bool = False
    on_matter: bool = True

    @property
    def lenses(self) -> tuple[str, ...]:
        """Both lenses, one that is torn itself once."""
        return tuple(dict.fromkeys((self.lens_a, self.lens_b)))


class MarkType(StrEnum):
    """Why the guardian marks an item."""

    REJECTED = "rejected"
    CONSTRAINT = "constraint_clash"
    TIER = "tier_violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardianMark:
    """An item of a lens that another lens stands against. It is shown all the same: who asks decides.

    Parameters
    ----------
    lens, item : whose suggestion, and which. by_lens, by : who stands against it, and with what.
    what : what was rejected, in the words of `by`; of a clash the words of both.
    why : the reason, in words.
    severity : how sure `by` is of it: its epistemic tier, 0..1.
    """

    type: MarkType
    lens: str
    item: Hit
    by_lens: str
    by: Hit
    what: str
    why: str
    severity: float


class Stance(StrEnum):
    """How a direction stands in the field."""

    AGREED = "agreed"
    OPEN = "open"
    CONTESTED = "contested"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Against:
    """Who stands against a direction. `id`: of the item that says so. `tension`: how strongly, 0..1."""

    lens: str
    id: str
    why: str
    tension: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One way to go, as the lenses see it. `lenses`: those for it, the first has it. `id`: of its item. `mass`: as
    amplified by agreement."""

    id: str
    says: str
    kind: str
    lenses: tuple[str, ...]
    mass: float
    epistemic_tier: float
    stance: Stance
    against: tuple[Against, ...] = ()


class Act(StrEnum):
    """What to do next."""

    SETTLE = "settle"
    DECIDE = "decide"
    AVOID = "avoid"
    FOLLOW = "follow"
    VALIDATE = "validate"
    EXPLORE = "explore"
    FILL = "fill"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of what follows from a field. `ids`: of the items that it is about. `because`: in words."""

    act: Act
    lenses: tuple[str, ...]
    ids: tuple[str, ...]
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The field for a program that routes or plans: the ways to go, who is against which, and what to do first.

    `directions`: the strongest first. `steps`: in their order. `coherence`: 0..1. `needs_a_person`: whether
    something is to be settled or decided first, which no program should do.
    """

    coherence: float
    dominant_lens: str | None
    directions: tuple[Direction, ...]
    steps: tuple[Step, ...]
    needs_a_person: bool


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
    for the notes of divergence and the guardian's. `budget_used`: characters of what counts. `notes`: what the caller
    should know of how it was asked, such as that a role's project is gone."""

    query: str
    lens_name: str | None
    lenses_used: tuple[str, ...]
    per_lens: Mapping[str, LensResult]
    convergence: tuple[Convergence, ...]
    divergence: tuple[Divergence, ...]
    guardian: tuple[GuardianMark, ...]
    field_summary: FieldSummary
    field: Field
    context_text: str
    budget: int
    budget_used: int
    notes: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether any lens has something that answers the question."""
        return any(each.answering for each in self.per_lens.values())
