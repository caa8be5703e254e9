"""What an import would read: formats, numbers, sizes, projects and the time covered.

Only the beginning and the end of each file are read, so numbers of records and times are estimates. Nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Naming
from engramforge.capture.reading.sources import LINES, SAMPLE_BYTES, ImportSource
from engramforge.capture.reading.values import visible
from engramforge.capture.writers.prompts_seen import name_folders
from engramforge.errors import EngramforgeError, InvalidTime
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import FoundFormat, ImportSurvey
from engramforge.model.time import from_micros, parse_time
from engramforge.store.door import Door

_TAIL_BYTES: Final = 64 * 1024
_LOOKED_INTO: Final = 2_000
"""How many sources of a format are opened; the others are assumed to be similar."""
_PROJECTS: Final = 100
_TIME: Final = re.compile(
    rb'"(?:timestamp|created_at|createdAt|valid_at|date|time)"\s*:\s*"(\d{4}-\d\d-\d\d(?:[T ][^"\\]{1,30})?)"'
)
_SECONDS: Final = re.compile(rb'"(?:create_time|timestamp|created_at)"\s*:\s*(1[0-9]{9})(?:\.\d+)?[,}\s]')
_FIRST_YEAR: Final = datetime(1990, 1, 1, tzinfo=UTC)


def describe(found: Survey, project: str | None, now: datetime) -> ImportSurvey:
    """The findings of a survey in numbers.

    `project`: the caller's, for everything. `now`: later times are ignored.
    """
    by_format: dict[str, list[ImportSource]] = {}
    for source in found.sources:
        by_format.setdefault(source.format, []).append(source)
    formats = tuple(_described(found, name, by_format[name], project, now) for name in sorted(by_format))
    return ImportSurvey(str(found.root), formats, len(found.unrecognised), found.faults)


def _described(
    found: Survey, name: str, sources: list[ImportSource], project: str | None, now: datetime
) -> FoundFormat:
    records, is_counted = 0, True
    looked_into = sources[:_LOOKED_INTO]
    first: datetime | None = None
    last: datetime | None = None
    projects: dict[str, None] = {} if project is None else {project: None}
    for source in looked_into:
        head, tail = _ends(source)
        lines = _records_of(source, head)
        is_counted = is_counted and lines is not None
        records += lines or 0
        for moment in _times(head, now):
            first = moment if first is None else min(first, moment)
            last = moment if last is None else max(last, moment)
        for moment in _times(tail, now):
            last = moment if last is None else max(last, moment)
        if project is None and len(projects) < _PROJECTS:
            projects.update(dict.fromkeys(filter(None, (_project_of(found, source),))))
    return FoundFormat(
        format=name,
        title=FORMATS[name].title,
        sources=len(sources),
        size_bytes=sum(source.size for source in sources),
        records=records * len(sources) // len(looked_into) if is_counted else None,
        first_at=first,
        last_at=last,
        projects=tuple(sorted(projects)),
        folders=sum(source.is_folder for source in sources),
    )


def _ends(source: ImportSource) -> tuple[bytes, bytes]:
    """The beginning and the end of a source; of what is packed the beginning alone; nothing of a folder."""
    if source.is_folder:
        return b"", b""
    try:
        with source.open() as stream:
            head = stream.read(SAMPLE_BYTES)
            if source.is_packed or source.size <= SAMPLE_BYTES:
                return head, b""
            stream.seek(max(source.size - _TAIL_BYTES, 0))
            return head, stream.read(_TAIL_BYTES)
    except (OSError, EngramforgeError):
        return b"", b""


def _records_of(source: ImportSource, head: bytes) -> int | None:
    """About how many lines a file of lines has; None for any other."""
    if PurePosixPath(source.name).suffix.lower() not in LINES or not head:
        return None
    lines = head.count(b"\n") + (not head.endswith(b"\n"))
    return lines if len(head) >= source.size else lines * source.size // len(head)


def _times(text: bytes, now: datetime) -> Iterator[datetime]:
    """The times that a piece of JSON names."""
    for match in _TIME.finditer(text):
        try:
            moment = parse_time(match[1].decode("ascii", "replace").replace(" ", "T"))
        except InvalidTime:
            continue
        if _FIRST_YEAR < moment <= now:
            yield moment
    for match in _SECONDS.finditer(text):
        moment = from_micros(int(match[1]) * 1_000_000)
        if moment <= now:
            yield moment


def _project_of(found: Survey, source: ImportSource) -> str | None:
    """The project of a source, as far as it is known without reading it."""
    format_ = FORMATS[source.format]
    if format_.naming is Naming.FOLDER:
        return folder_project(found)
    if format_.naming is not Naming.WORKING_FOLDER:
        return None
    folder = format_.working_folder(source)
    if folder is not None:
        return PurePosixPath(folder.replace("\\", "/")).name or None
    return format_.project_without(source) if format_.project_without is not None else None


def source_projects(door: Door, scope: Scope, found: Survey, asked: str | None) -> dict[str, str | None]:
    """Place of a source -> its project; None if its records say it, or nothing does.

    `asked`: the caller's project for everything, if any. Names given to working folders are kept, so that they stay.
    """
    projects: dict[str, str | None] = {source.place: asked for source in found.sources}
    if asked is not None:
        return projects
    folders: dict[str, str] = {}
    for source in found.sources:
        format_ = FORMATS[source.format]
        if format_.naming is Naming.FOLDER:
            projects[source.place] = folder_project(found)
        elif format_.naming is Naming.WORKING_FOLDER:
            folder, otherwise = format_.working_folder(source), format_.project_without
            if folder is not None:
                folders[source.place] = folder
            else:
                projects[source.place] = otherwise(source) if otherwise else DEFAULT_PROJECT
    named = name_folders(door, scope, set(folders.values())) if folders else {}
    return projects | {place: named[folder] for place, folder in folders.items()}


def folder_project(found: Survey) -> str:
    """The name of the imported folder, or of the folder that the file is in."""
    return named_after(found.root if found.is_folder else found.root.parent)


def named_after(folder: Path) -> str:
    """The project that a folder gives its name."""
    return cut(visible(folder.name, "-").strip(), NAME_CHARACTERS) or DEFAULT_PROJECT
