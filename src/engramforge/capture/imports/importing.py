"""An import from beginning to end: survey, stream in batches, resume, report.

**Resuming.** Each source is read in order and written in batches; a batch and the mark "this source is in, at this size
and time" are one transaction. What is broken off is begun again with its source: records that are in already are
recognised by their origin, and sequence numbers depend on the source alone, so the result is that of an undisturbed
import. A source whose size, time and content are those of its mark is not read again. Links between memories are
written when both of their ends are in; the mark comes after them.

**What the report counts.** `found`: records that the import is for. In a transcript or chat export these are its
messages (see the formats), in JSONL the objects, in Markdown the chunks, of images the files. Each is accounted for
exactly once in `details["files"][path]`:

    found == remembered + duplicate + nothing + faulty

`remembered`: at least one memory of it was written (or changed, or still stands untouched). `duplicate`: all of its
memories were there. `nothing`: it carries nothing to remember, or only what was forgotten, is private or excluded;
`skipped` says why, for records of all types. `faulty`: it is broken; the fault has its line. Beside them `records`
counts the lines by type and `memories` what was written. On a second import of an unchanged file its numbers are
those of its mark, with nothing written and `unchanged` true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.describing import describe
from engramforge.capture.imports.projects import SourceProjects, folder_project
from engramforge.capture.imports.run import ImportOptions, ImportProgress, ImportRun
from engramforge.capture.imports.survey import MARKDOWN_GLOBS, survey
from engramforge.capture.imports.text_files import TextFiles
from engramforge.capture.reading.format import Context, Way
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import Source
from engramforge.capture.reading.zips import holding_zips
from engramforge.capture.writers.batch import Batch, FileCount, Marks
from engramforge.capture.writers.chunks import MarkdownSync
from engramforge.capture.writers.links import LinkBook
from engramforge.capture.writers.marks import ImportMarks, mark_key
from engramforge.capture.writers.stages import ImportParts
from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidSource
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Fault, ImportReport
from engramforge.model.time import from_micros
from engramforge.store.door import Door
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision

BATCH_DRAFTS: Final = 500
_TOLD_BYTES: Final = 4 * 1024 * 1024
"""Progress is told at the latest after so many bytes of a source."""


class Importing:
    """Imports files and folders.

    Parameters
    ----------
    door, intake, revision, clock : as in `Intake`.
    markdown_globs : which files of a folder count as Markdown.
    excluded_projects : projects of which nothing is imported.
    """

    def __init__(
        self,
        door: Door,
        intake: Intake,
        revision: Revision,
        clock: Callable[[], datetime],
        *,
        markdown_globs: Sequence[str] = MARKDOWN_GLOBS,
        excluded_projects: Sequence[str] = (),
    ) -> None:
        self.door = door
        self.intake = intake
        self.revision = revision
        self.clock = clock
        self._sync = MarkdownSync(door, intake, revision)
        self._globs = tuple(markdown_globs)
        self._excluded = frozenset(excluded_projects)

    @property
    def excluded(self) -> frozenset[str]:
        """The projects of which nothing is imported."""
        return self._excluded

    @holding_zips()
    def import_path(
        self,
        scope: Scope,
        path: Path,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - the word a user expects
        progress: Callable[[ImportProgress], None] | None = None,
        options: ImportOptions | None = None,
    ) -> ImportReport:
        """Import a file or folder; see the module for resuming and counting.

        Parameters
        ----------
        project : whose memories these become; None takes it from the records: for transcripts from their working
            folder, for Markdown from the folder's name, for JSONL from each object.
        format : one of table.FORMATS, or None to recognise it.
        progress : called before the first record, after each batch and after each file.

        Raises
        ------
        NotFound, InvalidSource, InvalidValue : nothing was changed.
        """
        project = None if project is None else check_name(project, "project")
        wished = options or ImportOptions()
        began = self.clock()
        run = ImportRun(scope, project, survey(path, format, self._globs), progress)
        if wished.begun is not None:
            wished.begun(describe(run.found, project, began))
        run.tell()
        marks = ImportMarks(self.door, self.clock, scope, wished.wishes)
        naming = SourceProjects(self.door, scope, run.found, project)
        known = self._known_files(run)
        texts = TextFiles(run, self._sync, marks)
        for source in run.found.sources:
            target = naming.of(source)
            found = FORMATS[source.format]
            if found.way is Way.CHUNKS and (target in self._excluded or _is_older(source, wished.since)):
                continue
            if (kept := marks.unchanged(source, target)) is not None:
                run.projects.update(kept[1])
                run.file_done(source, kept[0], is_unchanged=True)
            else:
                context = self._context(run, source, target, wished)
                if found.way is Way.CHUNKS:
                    texts.take(source, context, known)
                elif found.way is Way.OWN:
                    self._import_own(run, source, context, marks)
                else:
                    self._import_records(run, source, context, marks)
            run.tell()
        texts.write()
        self._end_deleted(run, known)
        return run.report(self.clock() - began)

    def _context(self, run: ImportRun, source: Source, target: str | None, wished: ImportOptions) -> Context:
        rules = {} if wished.assign is None else {"assign": wished.assign}
        return Context(
            project=target,
            asked_project=run.project,
            now=self.clock(),
            mtime=from_micros(source.mtime_ns // 1_000).astimezone(UTC),
            root=run.found.root,
            sources=run.found.sources,
            since=wished.since,
            **rules,
        )

    def _import_records(self, run: ImportRun, source: Source, context: Context, marks: ImportMarks) -> None:
        count = FileCount(source.format)
        batch = Batch(self.intake, run.scope, context.now, self._excluded, context.since)
        links = self._links(run, context)
        told = 0
        format_ = FORMATS[source.format]
        left_of = format_.unbrought(self, run.scope, source, context) if format_.unbrought else None
        try:
            for read in format_.read(source, context):
                item = read if left_of is None else left_of(read)
                if item.drafts and len(batch.drafts) + len(item.drafts) > BATCH_DRAFTS:
                    self._write(run, batch, count)
                    links.settle()
                    told = item.end
                    run.tell(told)
                if item.end - told >= _TOLD_BYTES:
                    told = item.end
                    run.tell(told)
                links.add(item)
                self._note(run, count, item, batch.add(item, count))
        except InvalidSource as error:
            # What came before it is whole; a source that gives nothing at all is refused.
            if run.is_alone and not count.records:
                raise
            run.note_fault(count, Fault(source.place, None, str(error)))
        if links.is_empty:
            # The last batch and the mark that the file is in are one transaction.
            self._write(run, batch, count, marks.mark(source, context.project, count))
        else:
            self._write(run, batch, count)
            self._finish_links(run, source, context, links, count, marks)
        run.file_done(source, count)

    def _import_own(self, run: ImportRun, source: Source, context: Context, marks: ImportMarks) -> None:
        """A format that writes by itself and books what became of each record."""
        write = FORMATS[source.format].write
        assert write is not None
        count = FileCount(source.format)
        for item in write(self, run.scope, source, context, count):
            self._note(run, count, item, Fault(item.path, item.line, item.fault) if item.fault else None)
            run.tell(item.end)
        run.totals["written"] += count.memories
        for name in ("superseded", "invalidated", "redacted"):
            run.totals[name] += count.changes.get(name, 0)
        run.projects |= count.projects
        self._save(run.scope, marks.mark(source, context.project, count)())
        run.file_done(source, count)

    def _note(self, run: ImportRun, count: FileCount, item: Item, fault: Fault | None) -> None:
        if fault:
            run.note_fault(count, fault)
        for said in item.remarks:
            run.note_fault(count, Fault(item.path, item.line, said))
        run.totals["records"] += 1

    def _links(self, run: ImportRun, context: Context) -> LinkBook:
        return LinkBook(self.door, self.intake, run.scope, context.now, context.project, self._excluded)

    def _finish_links(
        self,
        run: ImportRun,
        source: Source,
        context: Context,
        links: LinkBook,
        count: FileCount,
        marks: ImportMarks,
    ) -> None:
        """Write the last links of a source, then the mark that it is in."""
        links.finish()
        count.changes.update(links.outcome.as_dict())
        for fault in links.outcome.faults:
            run.note_fault(count, fault)
        self._save(run.scope, marks.mark(source, context.project, count)())

    def _save(self, scope: Scope, marks: Mapping[str, Mapping[str, object] | None]) -> None:
        for name, value in marks.items():
            self.door.write(scope, lambda writes, at=name, kept=value: writes.save_mark(at, kept))  # type: ignore[misc]

    def _write(self, run: ImportRun, batch: Batch, count: FileCount, marks: Marks = dict) -> None:
        intaken = batch.write(count, marks)
        run.totals["written"] += intaken.written
        run.totals["redacted"] += intaken.redacted
        run.projects |= count.projects

    def _end_deleted(self, run: ImportRun, known: Mapping[str, list[Memory]]) -> None:
        """Invalidate the chunks of files that are no more."""
        read = {str(source.path) for source in run.found.sources}
        for path, chunks in sorted(known.items()):
            if path not in read and not Path(path).exists():
                project = chunks[0].project
                key = mark_key(run.scope, path, project)
                read_as = _format_of(self.door.mark(run.scope, key))
                ended = self._sync.end(run.scope, chunks, self.clock(), {key: None})
                run.totals["invalidated"] += ended
                run.files[path] = {"format": read_as, "deleted": True, "invalidated": ended}

    def _known_files(self, run: ImportRun) -> dict[str, list[Memory]]:
        """The chunks in the store of the files under the root, when any may be chunks of it."""
        if not run.found.is_folder and all(
            FORMATS[source.format].way is not Way.CHUNKS for source in run.found.sources
        ):
            return {}
        prefix = f"{str(run.found.root).rstrip('/')}/" if run.found.is_folder else str(run.found.root)
        return self.door.known_files(run.scope, run.project or folder_project(run.found), prefix)


def _is_older(source: Source, since: datetime | None) -> bool:
    """Whether a source was last written before the time asked."""
    return since is not None and from_micros(source.mtime_ns // 1_000) < since


def _format_of(mark: Mapping[str, Any] | None) -> str:
    """The format that a file's chunks were read by; that of files of text where no mark says."""
    if mark is not None:
        return str(mark["count"]["format"])
    return next(name for name, format_ in FORMATS.items() if format_.way is Way.CHUNKS)


def import_path(
    parts: ImportParts,
    scope: Scope,
    path: Path,
    project: str | None = None,
    format: str | None = None,  # noqa: A002 - the word a user expects
    progress: Callable[[ImportProgress], None] | None = None,
    options: ImportOptions | None = None,
) -> ImportReport:
    """Import a file or folder with the wired stages; see `Importing.import_path`."""
    importing = Importing(
        parts.door,
        parts.intake,
        parts.revision,
        parts.clock,
        markdown_globs=parts.markdown_globs or MARKDOWN_GLOBS,
        excluded_projects=parts.excluded_projects,
    )
    return importing.import_path(scope, path, project, format, progress, options)
