"""The running account of an import: totals, files, faults, progress; and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.registered import Registered
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.format import NOTHING_FOUND, Assign, Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress, ImportSurvey
from engramforge.model.storing.record import Fault, ImportReport
from engramforge.store.door import Door
from engramforge.writing.pictures import is_unseen
from engramforge.writing.recognising import Outcome

FAULTS_KEPT: Final = 1_000
"""The most faults that a report lists; `details["faults"]` counts them all."""

READ_SHARE: Final = 8
"""A long text file is read twice, and each counts as this part of what is done for it; comparing it as a quarter."""
_PORTION_TOLD: Final = 100_000
_UNSEEN: Final = (
    "Images, here and in other records, are not looked at, since Pillow is not installed."
    " Run pip install 'engramforge[images]'."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The options of an import besides its path.

    `assign`: assigns projects to conversations without one. `since`: leave out what became true before this time, and
    text files last written before it. `wishes`: a text that changes with these options: if it differs, unchanged
    sources are read again. `begun`: called with what was found, before anything is read. `fields`: as in `Context`.
    `takes_switched_off`: also what was said while capture was switched off.
    """

    assign: Assign = lambda _: None
    since: datetime | None = None
    wishes: str = ""
    begun: Callable[[ImportSurvey], None] | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    takes_switched_off: bool = False


@dataclass(slots=True)
class ImportRun:
    """What an import has done so far; `redact` takes the secrets out of what is said of its records."""

    scope: Scope
    project: str | None
    found: Survey
    progress: Callable[[ImportProgress], None] | None
    redact: Callable[[str], str]
    faults: list[Fault] = field(default_factory=list)
    totals: Counter[str] = field(default_factory=Counter)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    projects: set[str] = field(default_factory=set)
    registered: Registered = field(default_factory=Registered)
    bytes_done: int = 0
    takes_switched_off: bool = False
    _bytes_told: int = 0
    _unseen_told: bool = False

    def tell(self, read: int = 0) -> None:
        """Report progress; `read` bytes of the current file are done."""
        if self.progress is not None:
            total = sum(source.size for source in self.found.sources)
            # A file that waits for its batch is done after the next one has been read.
            self._bytes_told = max(self._bytes_told, min(self.bytes_done + read, total))
            totals = self.totals
            counts = len(self.files), len(self.found.sources), totals["records"], totals["written"]
            self.progress(ImportProgress(*counts, self._bytes_told, total, self.found.format))

    def telling(self, context: Context) -> Context:
        """The context of a text file, of which each long portion is told when it was looked through and cleaned."""
        done = 0

        def told(text: str) -> None:
            nonlocal done
            done += len(text)
            if len(text) > _PORTION_TOLD:
                self.tell(done // READ_SHARE)

        def clean(text: str, known: Mapping[str, str] = NOTHING_FOUND) -> str:
            told(text)
            return context.clean(text, known)

        def find(text: str) -> Mapping[str, str]:
            told(text)
            return context.find(text)

        return replace(context, clean=clean, find=find)

    def note_fault(self, count: FileCount, fault: Fault) -> None:
        """Record a fault; a report lists only the first of very many."""
        count.faults += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(replace(fault, reason=self.redact(fault.reason)))

    def note_remarks(self, count: FileCount, item: Item) -> None:
        """Record what is wrong beside a record; that images cannot be looked at only once."""
        for said in item.remarks:
            self.note_fault(count, Fault(item.path, item.line, said, is_note=True))
        if not self._unseen_told and (item.unseen or any(map(is_unseen, item.drafts))):
            self._unseen_told = True
            self.note_fault(count, Fault(item.path, item.line, _UNSEEN, is_note=True))

    @property
    def is_alone(self) -> bool:
        """Whether the import has one source only."""
        return len(self.found.sources) == 1

    def file_done(self, source: ImportSource, count: FileCount, is_unchanged: bool = False) -> None:
        """Record a file's account; a file already imported contributes its earlier account, with nothing written."""
        place = Path(source.place)
        inside = place != self.found.root and place.is_relative_to(self.found.root)
        relative = place.relative_to(self.found.root) if inside else Path(place.name)
        self.files[str(relative)] = count.as_dict() | (
            {"memories": 0, "unchanged": True} if is_unchanged else {}
        )
        self.bytes_done += source.size
        self.totals["found"] += count.found
        self.totals["faults"] += count.faults
        self.totals["duplicates"] += count.duplicate_memories + (count.memories if is_unchanged else 0)
        self.totals["skipped"] += sum(count.skipped.values())
        self.totals["forgotten"] += count.skipped[Outcome.FORGOTTEN]

    def report(self, took: timedelta, door: Door) -> ImportReport:
        """The account of the whole import; `door`: to look up what of it still waits for review."""
        totals = self.totals
        each = next(iter(self.projects)) if len(self.projects) == 1 else self.project
        seen = list(self.found.faults)
        messages = [counts for counts in self.files.values() if FORMATS[counts["format"]].is_conversation]
        return ImportReport(
            format=self.found.format,
            source=str(self.found.root),
            project=each,
            files=len(self.found.sources),
            found=totals["found"],
            written=totals["written"],
            duplicates=totals["duplicates"],
            superseded=totals["superseded"],
            invalidated=totals["invalidated"],
            skipped=totals["skipped"],
            forgotten=totals["forgotten"],
            redacted=totals["redacted"],
            faults=tuple((seen + self.faults)[:FAULTS_KEPT]),
            seconds=took.total_seconds(),
            details={
                "files": self.files,
                "files_by_format": self.found.files_by_format,
                "folders": sum(source.is_folder for source in self.found.sources),
                "registered": self.registered.as_dict(door, self.scope),
                "messages_found": sum(counts["found"] for counts in messages),
                "projects": sorted(self.projects),
                "faults": totals["faults"] + len(seen),
                "unrecognised": list(self.found.unrecognised),
                **({"hints": list(self.found.hints)} if self.found.hints else {}),
            },
        )
