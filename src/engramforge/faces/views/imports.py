"""The shape of an import's report. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engramforge.model.record import ImportReport


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
