"""Verbs that bring files in and write files: import, survey, export."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engramforge.core.checks.validation import check_name
from engramforge.errors import Stopped, WorldError
from engramforge.forge.scoped import ScopedVerbs
from engramforge.model.storing.record import ImportReport
from engramforge.recall.request import Moment, listed, moment

if TYPE_CHECKING:
    from engramforge.model.storing.import_survey import ImportProgress, ImportSurvey
    from engramforge.model.storing.section import ExportReport


class TransferVerbs(ScopedVerbs, relating=("import_path",)):
    """Files and folders of other tools, and of this one."""

    def import_path(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - the word a user expects
        since: Moment = None,
        assign: str | Sequence[str] | None = None,
        fields: Mapping[str, str] | None = None,
        switched_off: bool = False,
        progress: Callable[[ImportProgress], None] | None = None,
        begun: Callable[[ImportSurvey], None] | None = None,
    ) -> ImportReport:
        """Import a file or folder, recognised by what it holds: chats, transcripts, notes, other memories' exports.

        A second import adds nothing; an interrupted one continues where it stopped. Broken records are listed in the
        report's `faults` with file and line; the rest is imported.

        Parameters
        ----------
        project : the project of the memories; by default the source or rules decide.
        format : only this one; see `survey` for what is found.
        since : leave out what became true before this time, and text files last written before it.
        assign : rules for conversations without a project, each `PATTERN=PROJECT`, `title:PATTERN=PROJECT` or
            `text:PATTERN=PROJECT`, or `@FILE` with one a line. They are kept for later imports; an empty list removes
            them.
        fields : of a stranger's JSONL: `content`, `id`, `time`, `speaker`, `session`, `project`, `metadata`, or another
            field of `Draft` -> its name in the file. What they do not name goes into the metadata. They are kept for
            later imports of this path.
        switched_off : also what Claude Code keeps of what was said while capture was off.
        progress : called with the progress after each batch and each file.
        begun : called with what was found, before anything is read.

        Raises NotFound: there is no such path; InvalidSource: nothing there can be imported; InvalidValue: the format
        does not exist, a rule is invalid, or no record has a field that is mapped.
        """
        from engramforge.capture.imports.options import fields_of, keep_fields, options_of

        asked = Path(path)
        rules: Sequence[str] | None = None
        if assign is not None:
            rules = [assign] if isinstance(assign, str) else listed(assign, "assign")
        door, scope, since_at = self._stages.door, self._scope, moment(since, "since")
        names = fields_of(door, scope, asked, fields, format)
        options = options_of(door, scope, since_at, rules, begun, names)
        options = replace(options, takes_switched_off=switched_off)
        report = self._stages.importing.import_path(scope, asked, project, format, progress, options)
        if fields is not None:
            keep_fields(door, scope, asked, names)
        self._stages.calibrating.fit_when_due(self._scope, report.written)
        if report.written:
            with suppress(WorldError, Stopped):
                self._stages.relations.learn_when_due(self._scope)
        return report

    def survey(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - as of import_path
        fields: Mapping[str, str] | None = None,
    ) -> ImportSurvey:
        """What an import of a path would read: formats, numbers, sizes, projects and times; nothing is written.

        Raises as `import_path`.
        """
        from engramforge.capture.imports.describing import describe
        from engramforge.capture.imports.options import fields_of
        from engramforge.capture.imports.survey import MARKDOWN_GLOBS, survey

        asked = None if project is None else check_name(project, "project")
        names = fields_of(self._stages.door, self._scope, Path(path), fields, format)
        found = survey(Path(path), format, self._stages.markdown_globs or MARKDOWN_GLOBS, names)
        now = self._stages.clock()
        told = describe(found, asked, now)
        if not names:
            return told
        from engramforge.capture.imports.trying import first_record

        def redact(text: str) -> str:
            return self._stages.preparation.redactor.redact(text).text

        return replace(told, first=first_record(found, names, asked, now, redact))

    def export(self, to: str | os.PathLike[str] | IO[bytes]) -> ExportReport:
        """Write everything of the tenant as JSON lines: all agents' memories, history, links, origins, log, marks.

        Stores that hold the same give the same bytes, on either engine (docs/how-to/migrate.md has the format).

        `to`: a file, which is replaced as a whole when it is complete; or a binary stream.

        Raises StoreFull, StoreUnavailable: the file cannot be written; an earlier one stays.
        """
        from engramforge.upkeep.exporting import export

        target = Path(to) if isinstance(to, str | os.PathLike) else to
        return export(self._stages.door, self._scope.tenant, target)

    def export_markdown(self, to: str | os.PathLike[str], *, project: str | None = None) -> ExportReport:
        """Write pages that people read into a folder: decisions, threads, lineage, conversations and notes by project.

        The same content is written as JSON lines, from which `import_path` restores everything; edited texts of
        decisions come back as revisions (docs/how-to/export.md). Includes all agents' memories at a single moment.

        `to`: a new or empty folder, or an earlier export's, whose files are replaced one by one. `project`: only this
        one.

        Raises NotFound: there is no such project; InvalidValue: the folder holds other files; StoreFull,
        StoreUnavailable: the folder cannot be written.
        """
        from engramforge.upkeep.markdown_export import export_markdown

        if project is not None:
            self._within(project)
        return export_markdown(self._stages.door, self._scope.tenant, Path(to), project)
