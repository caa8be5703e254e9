"""The shapes of an import's survey and report, and of sync. What must not enter: printing, one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engramforge.faces.views.memory import moment

if TYPE_CHECKING:
    from engramforge.model.storing.import_survey import ImportSurvey
    from engramforge.model.storing.record import ImportReport
    from engramforge.model.storing.sync import SyncReport, SyncSource


@dataclass(frozen=True, slots=True)
class FaultView:
    """A record that an import skipped because it is broken."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """What an import did."""

    format: str
    source: str
    project: str | None
    files: int
    found: int
    written: int
    duplicates: int
    superseded: int
    invalidated: int
    skipped: int
    redacted: int
    faults: list[FaultView]
    seconds: float
    details: dict[str, Any]


def view_import(report: ImportReport) -> ImportView:
    """An import's report as a shape."""
    return ImportView(
        format=report.format,
        source=report.source,
        project=report.project,
        files=report.files,
        found=report.found,
        written=report.written,
        duplicates=report.duplicates,
        superseded=report.superseded,
        invalidated=report.invalidated,
        skipped=report.skipped,
        redacted=report.redacted,
        faults=[FaultView(fault.path, fault.line, fault.reason) for fault in report.faults],
        seconds=report.seconds,
        details=dict(report.details),
    )


@dataclass(frozen=True, slots=True)
class FoundFormatView:
    """The sources of one format that a path holds."""

    format: str
    title: str
    sources: int
    size_bytes: int
    records: int | None
    first_at: str | None
    last_at: str | None
    projects: list[str]


@dataclass(frozen=True, slots=True)
class SurveyView:
    """What an import would read."""

    path: str
    size_bytes: int
    formats: list[FoundFormatView]
    unrecognised: int
    faults: list[FaultView]


@dataclass(frozen=True, slots=True)
class SyncSourceView:
    """A source of sync."""

    path: str
    project: str | None
    format: str | None
    added_at: str
    last_at: str | None
    error: str


@dataclass(frozen=True, slots=True)
class SyncedView:
    """What became of one source in a run: a report, or what was wrong."""

    source: SyncSourceView
    report: ImportView | None
    error: str


@dataclass(frozen=True, slots=True)
class SyncView:
    """A run over all sources."""

    happened: bool
    sources: list[SyncedView]
    seconds: float


def view_survey(survey: ImportSurvey) -> SurveyView:
    """A survey as a shape."""
    return SurveyView(
        path=survey.path,
        size_bytes=survey.size_bytes,
        formats=[
            FoundFormatView(
                format=found.format,
                title=found.title,
                sources=found.sources,
                size_bytes=found.size_bytes,
                records=found.records,
                first_at=moment(found.first_at),
                last_at=moment(found.last_at),
                projects=list(found.projects),
            )
            for found in survey.formats
        ],
        unrecognised=survey.unrecognised,
        faults=[FaultView(fault.path, fault.line, fault.reason) for fault in survey.faults],
    )


def view_sync_source(source: SyncSource) -> SyncSourceView:
    """A source of sync as a shape."""
    return SyncSourceView(
        path=source.path,
        project=source.project,
        format=source.format,
        added_at=source.added_at.isoformat(),
        last_at=moment(source.last_at),
        error=source.error,
    )


def view_sync(report: SyncReport) -> SyncView:
    """A run of sync as a shape."""
    return SyncView(
        happened=report.happened,
        sources=[
            SyncedView(
                source=view_sync_source(one.source),
                report=None if one.report is None else view_import(one.report),
                error=one.error,
            )
            for one in report.sources
        ],
        seconds=report.seconds,
    )
