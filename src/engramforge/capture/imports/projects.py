"""The project of a source's memories, as far as it is known before reading."""

from __future__ import annotations

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.format import Naming
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import visible
from engramforge.capture.writers.working_folders import name_folders
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.scope import Scope
from engramforge.store.door import Door


class SourceProjects:
    """The projects of one import's sources.

    `asked`: the caller's project for everything, if any.
    """

    def __init__(self, door: Door, scope: Scope, found: Survey, asked: str | None) -> None:
        self._found = found
        self._asked = asked
        self._by_place = {} if asked is not None else _session_projects(door, scope, found)

    def of(self, source: ImportSource) -> str | None:
        """The project of a source; None if its records say it, or nothing does."""
        naming = FORMATS[source.format].naming
        if self._asked is not None or naming is Naming.RECORDS:
            return self._asked
        return (
            self._by_place[source.place] if naming is Naming.WORKING_FOLDER else folder_project(self._found)
        )


def folder_project(found: Survey) -> str:
    """The name of the imported folder, or of the folder that the file is in."""
    folder = found.root if found.is_folder else found.root.parent
    return visible(folder.name, "-").strip()[:NAME_CHARACTERS] or DEFAULT_PROJECT


def _session_projects(door: Door, scope: Scope, found: Survey) -> dict[str, str]:
    """The project of each session's file; names given to working folders are kept, so that they stay."""
    folders: dict[str, str | None] = {}
    without: dict[str, str] = {}
    for source in found.sources:
        format_ = FORMATS[source.format]
        if format_.naming is Naming.WORKING_FOLDER:
            folders[source.place] = format_.working_folder(source) if format_.working_folder else None
            project = format_.project_without(source) if format_.project_without else DEFAULT_PROJECT
            without[source.place] = project
    if not folders:
        return {}
    named = name_folders(door, scope, {folder for folder in folders.values() if folder is not None})
    return {place: without[place] if folder is None else named[folder] for place, folder in folders.items()}
