"""The shapes of a recall and its hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.shape import Shape
from engramforge.model.search.hit import Hit, Recall, SpaceMatch
from engramforge.model.validation_report import ValidationReport


@dataclass(frozen=True, slots=True)
class MatchView(Shape[SpaceMatch]):
    """How one space compared the query with a memory: raw, and calibrated to 0..1; null while there is nothing to
    calibrate by."""

    space: str
    raw: float
    calibrated: float | None
    calibration: str | None
    high: bool


@dataclass(frozen=True, slots=True)
class HitView(Shape[Hit]):
    """One recalled memory: its mass (0..1), the five parts of it, the signals behind its similarity, the
    spaces that matched, and the ways that found it; whether it is superseded by a later version; `gist` is the nearest
    passage of its excerpt; `badges` say how near in time it is to the moment of asking; `joined` name the memories that
    are one with it; `but_now` says how a decision or open matter that it tells of ended, and what holds now;
    `resonates` names what a scan found alike in other projects, where several are searched."""

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
    gist: str
    superseded: bool
    badges: list[str]
    joined: list[str]
    but_now: str
    resonates: list[str]

    @classmethod
    def _derived(cls, value: Hit) -> dict[str, object]:
        joined = [each.named_with for each in value.joined]
        return {"superseded": value.memory.is_superseded, "joined": joined}


@dataclass(frozen=True, slots=True)
class ValidationView(Shape[ValidationReport]):
    """How complete the metadata of several memories or links is: counts, the mean of present fields / 13 (1 where
    there is nothing), ids of those with errors, and the grade: excellent, good, acceptable or poor."""

    total: int
    fully_valid: int
    with_warnings: int
    with_errors: int
    average_completeness: float
    incomplete_ids: list[str]
    grade: str


NEAREST: Final = 2
"""The most hits that are shown where none answers."""


@dataclass(frozen=True, slots=True)
class RecallView(Shape[Recall]):
    """The answer to one recall: hits best first. Budgets are in characters.

    `answered`: whether any hit is relevant; where none is, at most two of the nearest are shown.
    """

    query: str
    answered: bool
    hits: list[HitView]
    searched: int
    budget: int | None
    budget_used: int
    left_out: int
    as_of: str
    mode: str
    timings_ms: dict[str, float]
    validation: ValidationView
    note: str

    @classmethod
    def _derived(cls, value: Recall) -> dict[str, object]:
        shown = value.hits if value.answered else value.hits[:NEAREST]
        return {
            "hits": [HitView.of(hit, rank=rank) for rank, hit in enumerate(shown, start=1)],
            "left_out": value.left_out + len(value.hits) - len(shown),
        }
