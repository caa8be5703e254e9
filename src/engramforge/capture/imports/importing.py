"""An import from beginning to end: survey, stream in batches, resume, report.

**Resuming.** Each source is read in order and written in batches; a batch and the mark "this source is in, at this size
and time" are one transaction. An interrupted import begins its source again: records already imported are recognised by
their origin, and sequence numbers depend only on the source, so the result is that of an undisturbed import. A source
whose size, time and content match its mark is not read again. Links between memories are written when both of their
ends are in; the mark comes after them.

**What the report counts.** `found`: records that the import is for. In a transcript or chat export these are its
messages (see the formats), in JSONL the objects, in Markdown the chunks, of images the files. Each is accounted for
exactly once in `details["files"][path]`:

    found == remembered + duplicate + nothing + faulty

`remembered`: at least one memory of it was written or changed. `duplicate`: all of its memories were there.
`nothing`: it carries nothing to remember, or only what was forgotten, is private or excluded; `skipped` says why, for
records of all types. `faulty`: it is broken; the fault has its line. Beside them `records` counts the lines by type
and `memories` what was written. On a second import of an unchanged file its numbers are those of its mark, with
nothing written and `unchanged` true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.describing import describe, folder_project, source_projects
from engramforge.capture.imports.recorded import recorded
from engramforge.capture.imports.run import ImportOptions, ImportRun
from engramforge.capture.imports.survey import MARKDOWN_GLOBS, is_recognised, survey
from engramforge.capture.imports.switched import leave_out
from engramforge.capture.reading.format import NOTHING_FOUND, Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.zips import holding_zips
from engramforge.capture.writers.account import FileCount, KeptMarks, Marks, save_marks
from engramforge.capture.writers.batch import Batch
from engramforge.capture.writers.changed_records import revising, superseding
from engramforge.capture.writers.chunk_plan import Synced
from engramforge.capture.writers.chunks import ChunkSync, FileBatch, TextFile
from engramforge.capture.writers.decision_records import write_records
from engramforge.capture.writers.import_stages import ImportStages, MakeScreen, Writer
from engramforge.capture.writers.links import LinkBook
from engramforge.capture.writers.marks import ImportMarks, mark_key
from engramforge.capture.writers.own_exports.edited_pages import bring_back
from engramforge.capture.writers.own_exports.restoring import restore
from engramforge.capture.writers.prompts_seen import unseen
from engramforge.capture.writers.told_live import BesideTold
from engramforge.capture.writers.vault import write_vault
from engramforge.core.archive_format.clues import HEAD_KEY
from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidSource
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress
from engramforge.model.storing.live import SWITCHED_OFF
from engramforge.model.storing.record import Fault, ImportReport, StoredChunk
from engramforge.writing.changes import VersionChanges
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision

BATCH_DRAFTS: Final = 500
_TOLD_BYTES: Final = 4 * 1024 * 1024
"""Progress is reported at least once per this many bytes of a source."""
WRITERS: Final[Mapping[str, Writer]] = {
    "adr": write_records,
    "obsidian": write_vault,
    "engramforge": restore,
    "engramforge_pages": bring_back,
}
"""Format -> its writer, for records that are not plain memories or chunks."""
SCREENS: Final[Mapping[str, MakeScreen]] = {
    "prompt_history": unseen,
    "claude_ai": superseding,
    **dict.fromkeys(("mem0", "graphiti", "mcp_memory"), revising),
}
"""Format -> a filter of its items before they are written, for records that may have changed."""
TOLD_TOO: Final = "claude_code"
"""The format of what hooks tell, too."""


class Importing:
    """Imports files and folders.

    `changes`, `intake`, `revision`: as in `ImportStages`. `markdown_globs`: which files of a folder count as Markdown;
    empty for the usual ones. `excluded_projects`: projects of which nothing is imported.
    """

    def __init__(
        self,
        changes: VersionChanges,
        intake: Intake,
        revision: Revision,
        *,
        markdown_globs: Sequence[str] = (),
        excluded_projects: Sequence[str] = (),
    ) -> None:
        self.stages = ImportStages(changes, intake, revision, frozenset(excluded_projects))
        self.chunks = ChunkSync(self.stages)
        self.globs = tuple(markdown_globs) or MARKDOWN_GLOBS

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

        `project`: whose memories these become; None takes it from the records: for transcripts from their working
        folder, for Markdown from the folder's name, for JSONL from each object. `format`: one of table.FORMATS, or None
        to recognise it. `progress`: called before the first record, after each batch and after each file.

        Raises NotFound, InvalidSource, InvalidValue: nothing was changed.
        """
        project = None if project is None else check_name(project, "project")
        wished = options or ImportOptions()
        began = self.stages.clock()
        run = ImportRun(
            scope, project, survey(path, format, self.globs, wished.fields), progress, self.redacted
        )
        run.takes_switched_off = wished.takes_switched_off
        if wished.begun is not None:
            wished.begun(describe(run.found, project, began))
        run.tell()
        marks = ImportMarks(self.stages, scope, wished.wishes)
        projects = source_projects(self.stages.door, scope, run.found, project)
        known = self._known_files(run)
        texts = TextFiles(run, self.chunks, marks)
        for source in run.found.sources:
            target = projects[source.place]
            is_text = FORMATS[source.format].is_text
            is_older = wished.since is not None and source.mtime < wished.since
            if is_text and (target in self.stages.excluded or is_older):
                continue
            if (kept := marks.unchanged(source, target)) is not None:
                run.projects.update(kept[1])
                run.file_done(source, kept[0], is_unchanged=True)
            else:
                context = self.context(run, source, target, wished)
                if is_text:
                    (item,) = FORMATS[source.format].read(source, run.telling(context))
                    texts.take(source, item, context, known.get(item.path, ()))
                elif source.format in WRITERS:
                    self._import_own(run, source, context, marks)
                else:
                    self._import_records(run, source, context, marks)
            run.tell()
        texts.write()
        self._end_deleted(run, known)
        return run.report(self.stages.clock() - began, self.stages.door)

    def recorded(self, scope: Scope, path: Path) -> list[str]:
        """The logical ids of memories in scope that came from the records of a file, see `imports/recorded`."""

        def reads(name: str) -> bool:
            return not FORMATS[name].is_text and name not in WRITERS

        return recorded(self.stages, scope, path, self.globs, reads)

    def redacted(self, text: str) -> str:
        """A text of a report without secrets."""
        return self.stages.preparation.redactor.redact(text).text

    def context(
        self, run: ImportRun, source: ImportSource, project: str | None, wished: ImportOptions
    ) -> Context:
        """What a reader of a source knows."""
        return Context(
            project=project,
            asked_project=run.project,
            now=self.stages.clock(),
            mtime=source.mtime,
            root=run.found.root,
            assign=wished.assign,
            sources=run.found.sources,
            since=wished.since,
            fields=wished.fields,
            clean=partial(_cleaned, self.stages, run),
            find=self.stages.preparation.redactor.find,
        )

    def _import_records(
        self, run: ImportRun, source: ImportSource, context: Context, marks: ImportMarks
    ) -> None:
        count = FileCount(source.format)
        beside = BesideTold(self.stages, run.scope) if source.format == TOLD_TOO else None
        batch = Batch(self.stages, run.scope, context.now, context.since, beside)
        links = LinkBook(
            self.stages,
            run.scope,
            context.now,
            context.project,
            self.stages.excluded,
            tells_missing=context.since is None,
        )
        make_screen = SCREENS.get(source.format)
        screen = make_screen(self.stages, run.scope, source, context) if make_screen else None
        if not run.takes_switched_off:
            screen = leave_out(self.stages, run.scope, source, screen)
        told = 0
        try:
            for item in FORMATS[source.format].read(source, context):
                item = screen(item) if screen else item
                is_full = bool(item.drafts) and len(batch.drafts) + len(item.drafts) > BATCH_DRAFTS
                if is_full:
                    self._write(run, batch, count)
                    links.settle()
                if is_full or item.end - told >= _TOLD_BYTES:
                    told = item.end
                    run.tell(told)
                links.add(item)
                self._note(run, count, item, batch.add(item, count))
        except InvalidSource as error:
            # What came before it is complete; a source that yields nothing at all is refused.
            if run.is_alone and not count.records:
                raise
            run.note_fault(count, Fault(source.place, None, str(error)))
        if run.is_alone and not count.found and not is_recognised(source):
            format_ = FORMATS[source.format]
            raise InvalidSource(
                f"{source.place} holds nothing of {format_.title} ({format_.name})",
                "Leave the format out to have it recognised",
            )
        # What is switched off may be switched on again, so its file is read each time.
        mark = dict if count.skipped[SWITCHED_OFF] else marks.mark(source, context.project, count)
        if links.is_empty:
            # The last batch and the mark that the file is in are one transaction.
            self._write(run, batch, count, mark)
        else:
            self._write(run, batch, count)
            links.finish()
            count.changes.update(links.outcome.as_dict())
            for fault in links.outcome.faults:
                run.note_fault(count, fault)
            self._save(run.scope, mark())
        run.file_done(source, count)

    def _import_own(self, run: ImportRun, source: ImportSource, context: Context, marks: ImportMarks) -> None:
        """Import a format whose writer keeps its own account."""
        count = FileCount(source.format)
        for item in WRITERS[source.format](self.stages, run.scope, source, context, count):
            self._note(run, count, item, Fault(item.path, item.line, item.fault) if item.fault else None)
            run.tell(item.end)
        run.totals["written"] += count.memories
        for name in ("superseded", "invalidated", "redacted"):
            run.totals[name] += count.changes[name]
        run.projects |= count.projects
        run.registered.note(count.made)
        self._save(run.scope, marks.mark(source, context.project, count)())
        run.file_done(source, count)

    def _note(self, run: ImportRun, count: FileCount, item: Item, fault: Fault | None) -> None:
        if fault:
            run.note_fault(count, fault)
        run.note_remarks(count, item)
        run.totals["records"] += 1

    def _save(self, scope: Scope, marks: KeptMarks) -> None:
        if marks:
            self.stages.door.write(scope, lambda writes: save_marks(writes, marks))

    def _write(self, run: ImportRun, batch: Batch, count: FileCount, marks: Marks = dict) -> None:
        intaken = batch.write(count, marks)
        run.totals["written"] += intaken.written
        run.totals["redacted"] += intaken.redacted
        run.projects |= count.projects
        run.registered.note(intaken.consequences)

    def _end_deleted(self, run: ImportRun, known: Mapping[str, list[StoredChunk]]) -> None:
        read = {str(source.path) for source in run.found.sources}
        project = run.project or folder_project(run.found)
        for path, chunks in sorted(known.items()):
            if path not in read and not Path(path).exists():
                key = mark_key(run.scope, path, project)
                read_as = _format_of(self.stages.door.asking(run.scope).mark(key))
                ended = self.chunks.end(run.scope, chunks, self.stages.clock(), {key: None})
                run.totals["invalidated"] += ended
                run.files[path] = {"format": read_as, "deleted": True, "invalidated": ended}

    def _known_files(self, run: ImportRun) -> dict[str, list[StoredChunk]]:
        """The stored chunks of the files under the root, if there may be any."""
        found = run.found
        if not found.is_folder and not any(FORMATS[source.format].is_text for source in found.sources):
            return {}
        prefix = f"{str(found.root).rstrip('/')}/" if found.is_folder else str(found.root)
        return self.stages.door.asking(run.scope).known_files(run.project or folder_project(found), prefix)


def _format_of(mark: Mapping[str, Any] | None) -> str:
    """The format by which a file's chunks were read; the text format if there is no mark."""
    if mark is not None:
        return str(mark["count"]["format"])
    return next(name for name, format_ in FORMATS.items() if format_.is_text)


def _cleaned(
    stages: ImportStages, run: ImportRun, text: str, known: Mapping[str, str] = NOTHING_FOUND
) -> str:
    """A text without what an archive in it says of forgotten memories, and without secrets, which count as replaced."""
    if HEAD_KEY in text:
        from engramforge.registries.archived import still_known

        text = still_known(stages.door, run.scope, text)
    redaction = stages.preparation.redactor.redact(text, known)
    run.totals["redacted"] += sum(redaction.secrets.values())
    return redaction.text


class TextFiles:
    """Takes the sources of text formats, each a file that gives a single item."""

    def __init__(self, run: ImportRun, sync: ChunkSync, marks: ImportMarks) -> None:
        self._run = run
        self._marks = marks
        self._batch = FileBatch(sync, run.scope, run.tell)

    def take(self, source: ImportSource, item: Item, context: Context, stored: Sequence[StoredChunk]) -> None:
        """Take a file, and write the waiting ones if there are enough; `stored` are its chunks in the store."""
        count = FileCount(source.format)
        count.records["file"] += 1
        self._run.totals["records"] += 1
        self._run.note_remarks(count, item)
        if item.fault:
            self._run.note_fault(count, Fault(item.path, item.line, item.fault))
            count.found = count.faulty = 1
            self._run.file_done(source, count)
            return
        if item.skipped:
            count.skipped[item.skipped] += 1
            self._run.note_fault(count, Fault(item.path, None, f"{item.skipped}: skipped", is_note=True))
        count.projects.add(context.own_project)
        marks = self._marks.mark(source, context.project, count)
        file = TextFile(source, item, stored, context.mtime, count, marks)
        self._book(self._batch.add(file, context.now))

    def end(self, path: Path, read_as: str, stored: Sequence[StoredChunk], now: datetime, key: str) -> None:
        """Take a file that is no more: its chunks end, but for what other files of its batch or the store say, and so
        does its mark, of that key."""
        source = ImportSource(path, read_as, 0, 0, 0)
        item, count = Item(str(path), None, "file"), FileCount(read_as)
        self._book(self._batch.add(TextFile(source, item, stored, now, count, lambda: {key: None}), now))

    def write(self) -> None:
        """Write the waiting files."""
        self._book(self._batch.write())

    def _book(self, written: Iterable[tuple[TextFile, Synced]]) -> None:
        for file, synced in written:
            for fault in synced.faults:
                self._run.note_fault(file.count, fault)
            self._run.totals.update(
                written=synced.inserted,
                superseded=synced.superseded,
                invalidated=synced.invalidated,
                redacted=synced.redacted,
            )
            self._run.projects |= file.count.projects
            self._run.file_done(file.source, file.count)
            self._run.tell()
