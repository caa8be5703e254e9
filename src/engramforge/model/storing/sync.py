"""The sources of sync and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engramforge.model.storing.record import ImportReport


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncSource:
    """A path that is imported repeatedly.

    `path`: absolute, as it was added; it may be missing at times. `project`, `format`: as of an import; None as there.
    `last_at`: when it was last synchronised without an error; None before that. `error`: what was wrong the last time;
    empty if nothing was.
    """

    path: str
    project: str | None = None
    format: str | None = None
    added_at: datetime
    last_at: datetime | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Synced:
    """The outcome of a source in a run: a report, or why there is none."""

    source: SyncSource
    report: ImportReport | None = None
    error: str = ""
    exit_code: int = 0

    @property
    def happened(self) -> bool:
        """Whether anything was written, ended or broken that was not so before."""
        if self.report is None:
            return True
        report = self.report
        return bool(report.written or report.superseded or report.invalidated or report.faults)


@dataclass(frozen=True, slots=True)
class SyncReport:
    """One run over all sources."""

    sources: tuple[Synced, ...]
    seconds: float

    @property
    def happened(self) -> bool:
        """Whether there is anything to tell."""
        return any(source.happened for source in self.sources)

    @property
    def exit_code(self) -> int:
        """0, or that of the worst error among the sources."""
        return max((source.exit_code for source in self.sources), default=0)
