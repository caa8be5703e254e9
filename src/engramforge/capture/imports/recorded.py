"""Which memories were imported from a file that is still there: its records are recognised as a second import would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.options import fields_of
from engramforge.capture.imports.survey import survey
from engramforge.capture.reading.format import NOTHING_FOUND, Context
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.zips import holding_zips
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError
from engramforge.model.memory import DEFAULT_PROJECT, Draft
from engramforge.model.scope import Scope
from engramforge.model.stopping import check_wanted

_AT_ONCE = 500


@holding_zips()
def recorded(
    stages: ImportStages, scope: Scope, path: Path, globs: Sequence[str], reads: Callable[[str], bool]
) -> list[str]:
    """The logical ids of memories in scope whose origin is a record of the file, or of a file in the folder.

    `reads`: whether records of a format are plain memories. What cannot be read is passed over.

    Raises NotFound, InvalidSource: nothing there can be imported.
    """
    fields = fields_of(stages.door, scope, path, None)
    found = survey(path, None, globs, fields)
    redact = stages.preparation.redactor.redact

    def clean(text: str, known: Mapping[str, str] = NOTHING_FOUND) -> str:
        return redact(text, known).text

    # A key is of a project: rules of an earlier import may have chosen any.
    projects = list(scope.projects or stages.door.asking(scope).project_names())
    known: dict[str, None] = {}
    for source in found.sources:
        if not reads(source.format):
            continue
        context = Context(
            project=DEFAULT_PROJECT,
            asked_project=None,
            now=stages.clock(),
            mtime=source.mtime,
            root=found.root,
            sources=found.sources,
            fields=fields,
            clean=clean,
            find=stages.preparation.redactor.find,
        )
        drafts: list[Draft] = []
        for draft in _drafts(source, context):
            drafts.append(draft)
            if len(drafts) == _AT_ONCE:
                known |= _known(stages, scope, drafts, projects)
                drafts.clear()
        known |= _known(stages, scope, drafts, projects)
    return list(known)


def _drafts(source: ImportSource, context: Context) -> Iterable[Draft]:
    try:
        for item in FORMATS[source.format].read(source, context):
            yield from item.drafts
    except CallerError:
        return


def _known(
    stages: ImportStages, scope: Scope, drafts: Sequence[Draft], projects: Sequence[str]
) -> dict[str, None]:
    """The memories of drafts, in whatever of the projects they are."""
    check_wanted()
    found: dict[str, None] = {}
    keys: dict[str, list[bytes]] = {}
    for draft in drafts:
        try:
            ready = stages.preparation.prepare(scope, check_draft(draft, stages.clock()), stages.clock())
        except CallerError:
            continue
        if ready is None:
            continue
        for project in projects:
            key = stages.preparation.origin_key(scope, replace(ready.draft, project=project))
            if key is not None:
                keys.setdefault(project, []).append(key)
    for project, its in keys.items():
        origins = stages.known_origins(scope, project, its)
        found.update((logical_id, None) for logical_id in origins.values() if logical_id is not None)
    return found
