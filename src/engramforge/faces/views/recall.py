"""The shapes of a recall and its hits. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engramforge.faces.views.memory import MemoryView, view_memory
from engramforge.faces.views.validation import ValidationView, view_validation

if TYPE_CHECKING:
    from engramforge.model.search.hit import Hit, Recall


@dataclass(frozen=True, slots=True)
class MatchView:
    """How one space compared the query with a memory: raw, and calibrated to 0..1; null while there is nothing to
    calibrate by."""

    space: str
    raw: float
    calibrated: float | None
    calibration: str | None
    high: bool


@dataclass(frozen=True, slots=True)
class HitView:
    """One recalled memory: its mass (0..1), the five parts of it, the signals behind its similarity, the
    spaces that matched, and the ways that found it; whether it is superseded by a later version; `badges` say how
    near in time it is to the moment of asking."""

    rank: int
    memory: MemoryView
    mass: float
    parts: dict[str, float]
    signals: dict[str, float]
    matches: list[MatchView]
    found_by: list[str]
    relevant: bool
    relevance_score: float
    excerpt: str
    superseded: bool
    badges: list[str]


@dataclass(frozen=True, slots=True)
class RecallView:
    """The answer to one recall: hits best first. Budgets are in characters."""

    query: str
    hits: list[HitView]
    searched: int
    budget: int | None
    budget_used: int
    left_out: int
    as_of: str
    mode: str
    timings_ms: dict[str, float]
    validation: ValidationView


def view_hit(rank: int, hit: Hit) -> HitView:
    """A hit as a shape; `rank` counts from 1."""
    return HitView(
        rank=rank,
        memory=view_memory(hit.memory),
        mass=hit.mass,
        parts=hit.parts.as_dict(),
        signals=dict(hit.signals),
        matches=[
            MatchView(str(match.space), match.raw, match.calibrated, match.calibration, match.high)
            for match in hit.matches
        ],
        found_by=list(hit.found_by),
        relevant=hit.relevant,
        relevance_score=hit.relevance_score,
        excerpt=hit.excerpt,
        superseded=hit.memory.is_superseded,
        badges=list(hit.badges),
    )


def view_recall(answer: Recall) -> RecallView:
    """A recall as a shape."""
    return RecallView(
        query=answer.query,
        hits=[view_hit(rank, hit) for rank, hit in enumerate(answer.hits, start=1)],
        searched=answer.searched,
        budget=answer.budget,
        budget_used=answer.budget_used,
        left_out=answer.left_out,
        as_of=answer.as_of.isoformat(),
        mode=str(answer.mode),
        timings_ms=dict(answer.timings_ms),
        validation=view_validation(answer.validation),
    )
