"""An import from beginning to end: survey, stream in batches, resume, report.

**Resuming.** Each file is read in order and written in batches; a batch and the mark "this file is in, at this size
and time" are one transaction. What is broken off is begun again with its file: records that are in already are
recognised by their origin, and sequence numbers depend on the file alone, so the result is that of an undisturbed
import. A file whose size, time and content are those of its mark is not read again.

**What the report counts.** `found`: records that the import is for. In a transcript these are its `user` and
`assistant` records (see importers/claude_code), in JSONL the objects, in Markdown the chunks, of images the files. Each
is accounted for exactly once in `details["files"][path]`:

    found == remembered + duplicate + nothing + faulty

`remembered`: at least one memory of it was written (or changed, or still stands untouched). `duplicate`: all of its
memories were there. `nothing`: it carries nothing to remember, or only what was forgotten, is private or excluded;
`skipped` says why, for records of all types. `faulty`: it is broken; the fault has its line. Beside them `records`
counts the lines by type and `memories` what was written. On a second import of an unchanged file its numbers are
those of its mark, with nothing written and `unchanged` true.

What must not enter: any one format's reading, the checking and encoding of drafts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final, Protocol

from engramforge.capture.import_batch import Batch, FileCount, Marks
from engramforge.capture.import_run import ImportProgress, ImportRun
from engramforge.capture.importers.claude_code import folder_of, project_names, read_transcript
from engramforge.capture.importers.detect import (
    CLAUDE_CODE,
    IMAGE,
    MARKDOWN,
    MARKDOWN_GLOBS,
    Source,
    Survey,
    survey,
)
from engramforge.capture.importers.images import read_image_file
from engramforge.capture.importers.jsonl import read_jsonl
from engramforge.capture.importers.markdown import read_markdown
from engramforge.capture.importers.records import Item
from engramforge.capture.markdown_sync import MarkdownSync, Synced
from engramforge.core.validation import check_name
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Memory
from engramforge.model.record import Fault, ImportReport
from engramforge.model.scope import Scope
from engramforge.model.time import from_micros
from engramforge.store.door import Door
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision

BATCH_DRAFTS: Final = 500
_READING: Final = "1"
"""Version of the importers' reading: a file read by another one is read again."""
_FOLDERS_MARK: Final = "import:folders"
_SETTLED_NS: Final = 2_000_000_000
"""A file written this shortly before it was read may have changed again under the same time: compare its hash."""


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
        self._door = door
        self._intake = intake
        self._sync = MarkdownSync(door, intake, revision)
        self._clock = clock
        self._globs = tuple(markdown_globs)
        self._excluded = frozenset(excluded_projects)

    def import_path(
        self,
        scope: Scope,
        path: Path,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - the word a user expects
        progress: Callable[[ImportProgress], None] | None = None,
    ) -> ImportReport:
        """Import a file or folder; see the module for resuming and counting.

        Parameters
        ----------
        project : whose memories these become; None takes it from the records: for transcripts from their working
            folder, for Markdown from the folder's name, for JSONL from each object.
        format : one of `detect.FORMATS`, or None to recognise it.
        progress : called before the first record, after each batch and after each file.

        Raises
        ------
        NotFound, InvalidSource, InvalidValue : nothing was changed.
        """
        project = None if project is None else check_name(project, "project")
        began = self._clock()
        run = ImportRun(scope, project, survey(path, format, self._globs), progress)
        run.tell()
        names = self._transcript_projects(run)
        known = self._known_files(run)
        for source in run.found.sources:
            if source.format == MARKDOWN:
                self._import_markdown(run, source, known)
            else:
                self._import_records(run, source, names.get(source.path))
            run.tell()
        self._end_deleted(run, known)
        return run.report(self._clock() - began)

    def _import_records(self, run: ImportRun, source: Source, transcript_project: str | None) -> None:
        target = transcript_project or run.project
        if source.format == IMAGE:
            target = target or _folder_project(run.found)
        if self._is_unchanged(run, source, target):
            return
        now = self._clock()
        count = FileCount(source.format)
        batch = Batch(self._intake, run.scope, now, self._excluded)
        for item in self._items(source, target, now):
            if item.drafts and len(batch.drafts) + len(item.drafts) > BATCH_DRAFTS:
                self._write(run, batch, count, dict)
                run.tell(item.end)
            if fault := batch.add(item, count):
                run.note_fault(count, fault)
            run.totals["records"] += 1
        # The last batch and the mark that the file is in are one transaction.
        self._write(run, batch, count, self._marks(run.scope, source, target, count))
        run.file_done(source, count)

    def _items(self, source: Source, project: str | None, now: datetime) -> Iterator[Item]:
        if source.format == IMAGE:
            return iter([read_image_file(source.path, project or DEFAULT_PROJECT, _mtime(source), now)])
        if source.format == CLAUDE_CODE:
            return read_transcript(source.path, project or DEFAULT_PROJECT, now, _mtime(source))
        return read_jsonl(source.path, project)

    def _write(self, run: ImportRun, batch: Batch, count: FileCount, marks: Marks) -> None:
        intaken = batch.write(count, marks)
        run.totals["written"] += intaken.written
        run.totals["redacted"] += intaken.redacted
        run.projects |= count.projects

    def _import_markdown(self, run: ImportRun, source: Source, known: Mapping[str, list[Memory]]) -> None:
        project = run.project or _folder_project(run.found)
        if project in self._excluded or self._is_unchanged(run, source, project):
            return
        count = FileCount(MARKDOWN)
        now = self._clock()
        root = run.found.root if run.found.is_folder else run.found.root.parent
        item = read_markdown(source.path, project, _mtime(source), now, root)
        run.totals["records"] += 1
        count.records["file"] += 1
        if item.fault:
            count.found += 1
            count.faulty += 1
            run.note_fault(count, Fault(item.path, item.line, item.fault))
        else:
            synced = self._sync.write(
                run.scope,
                item,
                known.get(str(source.path), ()),
                _mtime(source),
                now,
                lambda outcome: self._marks(run.scope, source, project, _counted(count, outcome))(),
            )
            count.projects.add(project)
            for fault in (*synced.faults, *(Fault(item.path, None, said) for said in item.remarks)):
                run.note_fault(count, fault)
            run.totals.update(
                written=synced.inserted,
                superseded=synced.superseded,
                invalidated=synced.invalidated,
                redacted=synced.redacted,
            )
            run.projects.add(project)
        run.file_done(source, count)

    def _end_deleted(self, run: ImportRun, known: Mapping[str, list[Memory]]) -> None:
        """Invalidate the chunks of files that are no more."""
        read = {str(source.path) for source in run.found.sources}
        for path, chunks in sorted(known.items()):
            if path not in read and not Path(path).exists():
                project = chunks[0].project
                mark = {_mark_key(run.scope, path, project): None}
                ended = self._sync.end(run.scope, chunks, self._clock(), mark)
                run.totals["invalidated"] += ended
                run.files[path] = {"format": MARKDOWN, "deleted": True, "invalidated": ended}

    def _known_files(self, run: ImportRun) -> dict[str, list[Memory]]:
        """The chunks in the store of the files under the root, when any may be Markdown."""
        if not run.found.is_folder and all(source.format != MARKDOWN for source in run.found.sources):
            return {}
        prefix = f"{str(run.found.root).rstrip('/')}/" if run.found.is_folder else str(run.found.root)
        return self._door.known_files(run.scope, run.project or _folder_project(run.found), prefix)

    def _transcript_projects(self, run: ImportRun) -> dict[Path, str]:
        """The project of each transcript; names given to working folders are kept, so that they stay."""
        paths = [source.path for source in run.found.sources if source.format == CLAUDE_CODE]
        if run.project is not None or not paths:
            return {}
        folders = {path: folder_of(path) for path in paths}
        kept = {
            str(key): str(value) for key, value in (self._door.mark(run.scope, _FOLDERS_MARK) or {}).items()
        }
        named = project_names(kept, {folder for folder in folders.values() if folder is not None})
        if named != kept:
            self._door.write(run.scope, lambda writes: writes.save_mark(_FOLDERS_MARK, named))
        return {
            path: _slug_project(path) if folder is None else named[folder] for path, folder in folders.items()
        }

    def _is_unchanged(self, run: ImportRun, source: Source, project: str | None) -> bool:
        """Whether a file is in already as it is now; then its numbers are those of its mark."""
        kept = self._door.mark(run.scope, _mark_key(run.scope, str(source.path), project))
        if kept is None or kept.get("reading") != _READING or kept.get("size") != source.size:
            return False
        is_settled = (
            kept.get("changed_ns") == source.ctime_ns
            and kept.get("read_ns", 0) - source.ctime_ns > _SETTLED_NS
        )
        if not is_settled and kept.get("hash") != _hash_of(source.path):
            return False
        count = FileCount.kept(kept["count"])
        run.projects.update(kept.get("projects", ()))
        run.file_done(source, count, is_unchanged=True)
        return True

    def _marks(self, scope: Scope, source: Source, project: str | None, count: FileCount) -> Marks:
        """The mark that a file is in; its account is taken when the mark is asked for."""
        digest = _hash_of(source.path)
        read_ns = int(self._clock().timestamp() * 1_000_000_000)
        return lambda: {
            _mark_key(scope, str(source.path), project): {
                "reading": _READING,
                "size": source.size,
                "changed_ns": source.ctime_ns,
                "read_ns": read_ns,
                "hash": digest,
                "count": count.as_dict(),
                "projects": sorted(count.projects),
            }
        }


def _counted(count: FileCount, outcome: Synced) -> FileCount:
    """The numbers of a Markdown file after its chunks were written."""
    count.found = (
        outcome.inserted + outcome.superseded + outcome.unchanged + outcome.skipped + len(outcome.faults)
    )
    count.remembered = outcome.inserted + outcome.superseded + outcome.unchanged
    count.memories = outcome.inserted + outcome.superseded
    count.duplicate_memories = outcome.unchanged
    count.nothing = outcome.skipped
    count.faulty = len(outcome.faults)
    # Counted anew where the transaction is repeated.
    count.skipped.clear()
    if outcome.skipped:
        count.skipped["nothing left to store, or forgotten"] = outcome.skipped
    count.changes = {"superseded": outcome.superseded, "invalidated": outcome.invalidated}
    return count


def _mark_key(scope: Scope, path: str, project: str | None) -> str:
    """The name of a file's mark for an agent, whose memories are its own.

    A hash, since the mark outlives what is forgotten and a path may say what that was.
    """
    record = f"{scope.agent}\0{project or ''}\0{path}".encode("utf-8", "surrogateescape")
    return f"import:file:{blake2b(record, digest_size=16).hexdigest()}"


def _hash_of(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _mtime(source: Source) -> datetime:
    return from_micros(source.mtime_ns // 1_000).astimezone(UTC)


def _folder_project(found: Survey) -> str:
    """The name of the imported folder, or of the folder that the file is in."""
    folder = found.root if found.is_folder else found.root.parent
    shown = "".join(letter if letter.isprintable() else "-" for letter in folder.name)
    return shown.strip()[:NAME_CHARACTERS] or DEFAULT_PROJECT


def _slug_project(path: Path) -> str:
    """The project of a transcript that names no working folder: its slug's words, if it lies under one."""
    for folder in path.parents:
        if folder.name.startswith("-"):
            return folder.name.strip("-")[:NAME_CHARACTERS] or DEFAULT_PROJECT
    return DEFAULT_PROJECT


class ImportParts(Protocol):
    """The wired stages that an import needs."""

    @property
    def door(self) -> Door:
        """The store."""
        ...

    @property
    def intake(self) -> Intake:
        """Writes new memories."""
        ...

    @property
    def revision(self) -> Revision:
        """Writes new versions."""
        ...

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time of a write, timezone-aware."""
        ...

    @property
    def excluded_projects(self) -> Sequence[str]:
        """Projects of which nothing is imported."""
        ...

    @property
    def markdown_globs(self) -> Sequence[str]:
        """Which files of a folder count as Markdown; empty for the usual ones."""
        ...


def import_path(
    parts: ImportParts,
    scope: Scope,
    path: Path,
    project: str | None = None,
    format: str | None = None,  # noqa: A002 - the word a user expects
    progress: Callable[[ImportProgress], None] | None = None,
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
    return importing.import_path(scope, path, project, format, progress)
