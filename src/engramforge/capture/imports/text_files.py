"""The files of text of an import on their way into the store, several in a transaction, and the account of each.

A file that was read waits until its batch is full; its mark is kept with its chunks, so an import that is broken off
goes on with the files that are not in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.run import ImportRun
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.sources import Source
from engramforge.capture.writers.batch import FileCount
from engramforge.capture.writers.chunks import FileBatch, MarkdownSync, Marks, Synced, TextFile
from engramforge.capture.writers.marks import ImportMarks
from engramforge.model.memory import DEFAULT_PROJECT, Memory
from engramforge.model.storing.record import Fault

_Account = tuple[Source, FileCount]


class TextFiles:
    """Takes the sources of `Way.CHUNKS`: each is a file that gives one item."""

    def __init__(self, run: ImportRun, sync: MarkdownSync, marks: ImportMarks) -> None:
        self._run = run
        self._sync = sync
        self._marks = marks
        self._batch: FileBatch[_Account] | None = None

    def take(self, source: Source, context: Context, known: Mapping[str, Sequence[Memory]]) -> None:
        """Read a file, and write those that wait when they are enough."""
        count = FileCount(source.format)
        (item,) = FORMATS[source.format].read(source, context)
        count.records["file"] += 1
        self._run.totals["records"] += 1
        for said in ([item.fault] if item.fault else []) + list(item.remarks):
            self._run.note_fault(count, Fault(item.path, item.line, said))
        if item.fault:
            count.found = count.faulty = 1
            self._run.file_done(source, count)
            return
        count.projects.add(context.project or DEFAULT_PROJECT)
        mark = _marking(count, self._marks.mark(source, context.project, count))
        file = TextFile(item, known.get(item.path, ()), item.mtime or context.mtime, mark)
        if self._batch is not None and self._batch.is_full(file):
            self.write()
        if self._batch is None:
            self._batch = FileBatch(self._sync, self._run.scope, context.now)
        self._batch.add(file, (source, count))

    def write(self) -> None:
        """Write those that wait."""
        batch, self._batch = self._batch, None
        for _, (source, count), synced in batch.write() if batch is not None else ():
            for fault in synced.faults:
                self._run.note_fault(count, fault)
            self._run.totals.update(
                written=synced.inserted,
                superseded=synced.superseded,
                invalidated=synced.invalidated,
                redacted=synced.redacted,
            )
            self._run.projects |= count.projects
            self._run.file_done(source, count)
            self._run.tell()


def _marking(count: FileCount, mark: Any) -> Marks:
    """The mark to keep with a file's chunks, after its account was taken; again where the transaction is repeated."""

    def marks(outcome: Synced) -> Mapping[str, Mapping[str, object] | None]:
        _counted(count, outcome)
        given: Mapping[str, Mapping[str, object] | None] = mark()
        return given

    return marks


def _counted(count: FileCount, outcome: Synced) -> None:
    """The numbers of a file of text after its chunks were written."""
    count.remembered = outcome.inserted + outcome.superseded + outcome.unchanged
    count.faulty = len(outcome.faults)
    count.nothing = outcome.skipped
    count.found = count.remembered + count.nothing + count.faulty
    count.memories = outcome.inserted + outcome.superseded
    count.duplicate_memories = outcome.unchanged
    # Counted anew where the transaction is repeated.
    count.skipped.clear()
    if outcome.skipped:
        count.skipped["nothing left to store, or forgotten"] = outcome.skipped
    count.changes = {"superseded": outcome.superseded, "invalidated": outcome.invalidated}
