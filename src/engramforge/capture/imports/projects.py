"""The project of a source's memories, as far as it is known before reading."""

from __future__ import annotations

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Naming
from engramforge.capture.reading.values import visible
from engramforge.capture.writers.working_folders import name_folders
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.scope import Scope
from engramforge.store.door import Door


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
    folder = found.root if found.is_folder else found.root.parent
    return cut(visible(folder.name, "-").strip(), NAME_CHARACTERS) or DEFAULT_PROJECT
