"""The shapes of a report on metadata and of a sweep. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engramforge.model.validation_report import KeptReport, SweepReport, ValidationReport


@dataclass(frozen=True, slots=True)
class ValidationView:
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
class DegradedView:
    """One record that is not as it should be, and its repair; `command` does or begins it."""

    subject: str
    kind: str
    name: str
    broken: bool
    fault: str
    repair: str
    command: str | None


@dataclass(frozen=True, slots=True)
class KeptView:
    """What is kept of a sweep over time; `whose` is an agent, or * for all agents'."""

    at: str
    whose: str
    memories: ValidationView
    links: ValidationView
    broken: int


@dataclass(frozen=True, slots=True)
class SweepView:
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


def view_validation(report: ValidationReport) -> ValidationView:
    """A report as a shape."""
    return ValidationView(
        total=report.total,
        fully_valid=report.fully_valid,
        with_warnings=report.with_warnings,
        with_errors=report.with_errors,
        average_completeness=report.average_completeness,
        incomplete_ids=list(report.incomplete_ids),
        grade=str(report.grade),
    )


def view_sweep(report: SweepReport, before: list[KeptReport]) -> SweepView:
    """A sweep as a shape, with the reports kept before it."""
    return SweepView(
        at=report.at.isoformat(),
        sound=report.sound,
        records=report.records,
        memories=view_validation(report.memories),
        links=view_validation(report.links),
        broken=report.broken,
        counts=dict(report.counts),
        degraded=[
            DegradedView(
                subject=one.subject,
                kind=one.kind,
                name=one.name,
                broken=one.broken,
                fault=one.fault,
                repair=one.repair,
                command=one.command,
            )
            for one in report.degraded
        ],
        before=[
            KeptView(
                one.at.isoformat(),
                one.whose,
                view_validation(one.memories),
                view_validation(one.links),
                one.broken,
            )
            for one in before
        ],
        seconds=report.seconds,
    )
