"""Writes the texts of an import, several in a transaction, and keeps the account of each.

A file waits until its batch is full; its mark is written with its chunks, so an interrupted import continues with the
remaining files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engramforge.capture.imports.run import ImportRun
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.chunks import ChunkSync, FileBatch, Synced, TextFile
from engramforge.capture.writers.marks import ImportMarks
from engramforge.model.storing.record import Fault, StoredChunk


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
        count.projects.add(context.own_project)
        marks = self._marks.mark(source, context.project, count)
        file = TextFile(source, item, stored, context.mtime, count, marks)
        self._book(self._batch.add(file, context.now))

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
