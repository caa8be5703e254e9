"""The shapes of an import's survey and report, and of sync."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engramforge.faces.views.shape import Shape
from engramforge.model.storing.import_survey import FoundFormat, ImportSurvey
from engramforge.model.storing.record import Fault, ImportReport
from engramforge.model.storing.sync import Synced, SyncReport, SyncSource


@dataclass(frozen=True, slots=True)
class FaultView(Shape[Fault]):
    """A record that an import skipped because it is broken."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ImportView(Shape[ImportReport]):
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


@dataclass(frozen=True, slots=True)
class FoundFormatView(Shape[FoundFormat]):
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
class SurveyView(Shape[ImportSurvey]):
    """What an import would read."""

    path: str
    size_bytes: int
    formats: list[FoundFormatView]
    unrecognised: int
    faults: list[FaultView]


@dataclass(frozen=True, slots=True)
class SyncSourceView(Shape[SyncSource]):
    """A source of sync."""

    path: str
    project: str | None
    format: str | None
    added_at: str
    last_at: str | None
    error: str


@dataclass(frozen=True, slots=True)
class SyncedView(Shape[Synced]):
    """What became of one source in a run: a report, or what was wrong."""

    source: SyncSourceView
    report: ImportView | None
    error: str


@dataclass(frozen=True, slots=True)
class SyncView(Shape[SyncReport]):
    """A run over all sources."""

    happened: bool
    sources: list[SyncedView]
    seconds: float
