"""The shapes of a report on metadata and of a sweep."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.validation_report import Degraded, KeptReport, SweepReport, ValidationReport


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


@dataclass(frozen=True, slots=True)
class DegradedView(Shape[Degraded]):
    """One record that is not as it should be, and its repair; `command` does or begins it."""

    subject: str
    kind: str
    name: str
    broken: bool
    fault: str
    repair: str
    command: str | None


@dataclass(frozen=True, slots=True)
class KeptView(Shape[KeptReport]):
    """What is kept of a sweep over time; `whose` is an agent, or * for all agents'."""

    at: str
    whose: str
    memories: ValidationView
    links: ValidationView
    broken: int


@dataclass(frozen=True, slots=True)
class SweepView(Shape[SweepReport]):
    """What a sweep found: reports, counts by name, and the first of the degraded records, broken ones first."""

    at: str
    sound: bool
    records: int
    memories: ValidationView
    links: ValidationView
    broken: int
    counts: dict[str, int]
    degraded: list[DegradedView]
    before: list[KeptView]
    seconds: float
