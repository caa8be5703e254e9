"""What an import finds before it reads anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engramforge.model.storing.record import Fault


@dataclass(frozen=True, slots=True)
class FoundFormat:
    """The sources of one format.

    Parameters
    ----------
    title : what the format is called in a sentence.
    sources : how many files, members of zips, or folders that are one source.
    size_bytes : of them all; of what is in a zip unpacked.
    records : estimated number of records, from the first megabyte of each; None if unknown.
    first_at, last_at : the earliest and latest time that is named at the beginnings and ends of the files; a guess.
    folders : how many of the sources are folders that are read as a whole.
    projects : the projects they would become, as far as known beforehand; the first hundred.
    """

    format: str
    title: str
    sources: int
    size_bytes: int
    records: int | None = None
    first_at: datetime | None = None
    last_at: datetime | None = None
    projects: tuple[str, ...] = ()
    folders: int = 0


@dataclass(frozen=True, slots=True)
class ImportSurvey:
    """What a path holds.

    `path`: resolved. `formats`: by name. `unrecognised`: how many files are of no known format. `faults`: what cannot
    be read at all. `first`: where fields are mapped, the place of the first record and what it would become, by field,
    or its `fault`.
    """

    path: str
    formats: tuple[FoundFormat, ...]
    unrecognised: int = 0
    faults: tuple[Fault, ...] = ()
    first: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size_bytes(self) -> int:
        """Of everything that can be imported."""
        return sum(found.size_bytes for found in self.formats)


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """The progress of an import; `format` is what the survey found, known from the first report on."""

    files_done: int
    files_total: int
    records: int
    written: int
    bytes_done: int
    bytes_total: int
    format: str = ""
