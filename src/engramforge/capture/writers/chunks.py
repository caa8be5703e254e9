"""Writes the changes of a text: unchanged chunks stay, changed ones are superseded, new ones inserted, vanished ones
ended (chunk_plan.py).

A batch of files is a single transaction, since one for each takes many times longer; an undo takes back the whole
batch. A file of more chunks than a batch holds is written in parts, each a transaction, and prepared again for each, so
that no more than its text is held at once; where it is interrupted, the next import goes on. The time of change is the
file's if possible, else now.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount, KeptMarks, Marks, save_marks
from engramforge.capture.writers.chunk_changes import Changes, compare_chunks
from engramforge.capture.writers.chunk_plan import ChunkPlan, Found, Synced, Wish
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.errors import CallerError
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import records_line
from engramforge.model.storing.record import Fault, StoredChunk, content_digest
from engramforge.store.door import Transaction
from engramforge.writing.preparing import Prepared
from engramforge.writing.repeating import embedding_again

_BATCH_SIZE: Final = 500
"""The most files, drafts and stored chunks of a transaction."""
_MOST_PREPARED: Final = 4_000
"""Drafts of a file that are kept between comparing and writing, some 5 kB each; further ones are made twice."""
Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's chunks on their way into the store.

    `item`: with a draft for each chunk, all of the same project. `stored`: the file's current chunks, by index.
    `mtime`: the time of change, if it is after what it changes and not after now. `marks`: what to keep with its
    chunks, called once the account is complete; again if the transaction is repeated.
    """

    source: ImportSource
    item: Item
    stored: Sequence[StoredChunk]
    mtime: datetime
    count: FileCount
    marks: Marks = dict

    @property
    def size(self) -> int:
        """Its share of a batch; a file without chunks counts too, for its mark and the end of earlier chunks."""
        return 1 + len(self.item.drafts) + len(self.stored)


@dataclass(slots=True)
class _Plan:
    """The plan for a file, or for a part of it.

    `drafts`: place of a chunk -> that of its draft. `prepared`: place -> what is written; of a file in parts only once
    a part is carried out.
    """

    file: TextFile
    drafts: Sequence[int]
    prepared: Mapping[int, Prepared]
    changes: Changes
    outcome: Synced
    is_last: bool = True

    @property
    def wanted(self) -> list[int]:
        """Places of the drafts that changed or are new."""
        return [place for _, place in self.changes.changed] + list(self.changes.inserted)

    def parts(self) -> Iterator[_Plan]:
        """Plans for a transaction each, which together do the same."""
        changes = self.changes
        size = max(len(changes.changed), len(changes.inserted), len(changes.vanished), 1)
        for at in range(0, size, _BATCH_SIZE):
            part = slice(at, at + _BATCH_SIZE)
            some = Changes(0, changes.changed[part], changes.inserted[part], changes.vanished[part])
            yield replace(self, changes=some, is_last=at + _BATCH_SIZE >= size)


@dataclass(frozen=True, slots=True)
class ChunkSync:
    """Brings the stored chunks of files up to date."""

    stages: ImportStages

    def write(
        self, scope: Scope, files: Sequence[TextFile], now: datetime, told: Told = lambda _: None
    ) -> list[Synced]:
        """Write the differences between the stored chunks and the drafts of some files.

        `files`: distinct; in one transaction, but for a file alone that has more than a few hundred chunks. `told`:
        called with the bytes done of such a file.
        """
        plans = [self._planned(scope, file, now, told) for file in files]
        if len(plans) > 1:
            return self._carried_out(scope, plans, now)
        (plan,), done = plans, 0
        outcome, touched = plan.outcome, plan.outcome.touched
        for part in plan.parts():
            part.outcome = replace(outcome, touched=())
            (outcome,) = self._carried_out(scope, [part], now)
            touched += outcome.touched
            done += len(part.wanted)
            size = plan.file.source.size
            told(size // 2 + size * done // (2 * len(plan.wanted) or 1))
        return [replace(outcome, touched=touched)]

    def _planned(self, scope: Scope, file: TextFile, now: datetime, told: Told) -> _Plan:
        item, outcome, size = file.item, Synced(), file.source.size
        drafts = array("Q")
        prepared: dict[int, Prepared] = {}
        digests: list[bytes] = []
        for index, draft in enumerate(item.drafts):
            if index and not index % _BATCH_SIZE:
                # Reading it was a quarter, and so is this.
                told(size // 4 + size * index // (4 * len(item.drafts)))
            try:
                ready = self.stages.preparation.prepare(scope, draft, now)
            except CallerError as error:
                outcome.faults += (Fault(item.path, item.line, str(error)),)
                continue
            if ready is None:
                outcome.skipped += 1
                continue
            if len(prepared) < _MOST_PREPARED:
                prepared[len(drafts)] = ready
            drafts.append(index)
            digests.append(content_digest(ready.draft.content))
            outcome.redacted += ready.redacted
        changes = compare_chunks(file.stored, digests)
        outcome.unchanged = changes.unchanged
        return _Plan(file, drafts, prepared, changes, outcome)

    @embedding_again
    def _carried_out(self, scope: Scope, plans: Sequence[_Plan], now: datetime) -> list[Synced]:
        """Carry out plans in one transaction; returns their outcomes, added to those that they had."""
        for plan in plans:
            plan.prepared = {place: self._prepared(scope, plan, place, now) for place in plan.wanted}
        wishes = [
            Wish(
                outcome=replace(plan.outcome),
                changes=plan.changes,
                prepared=plan.prepared,
                mtime=plan.file.mtime,
            )
            for plan in plans
        ]

        def done(writes: Transaction) -> None:
            for plan, wish in zip(plans, wishes, strict=True):
                wish.outcome.book(plan.file.count)
                if plan.is_last:
                    save_marks(writes, plan.file.marks())

        self._write(scope, wishes, now, done)
        return [wish.outcome for wish in wishes]

    def _prepared(self, scope: Scope, plan: _Plan, place: int, now: datetime) -> Prepared:
        if place in plan.prepared:
            return plan.prepared[place]
        ready = self.stages.preparation.prepare(scope, plan.file.item.drafts[plan.drafts[place]], now)
        assert ready is not None  # as when it was compared
        return ready

    def end(self, scope: Scope, chunks: Sequence[StoredChunk], now: datetime, marks: KeptMarks) -> int:
        """End the chunks of a file that is no more, but for what other files say, too; returns how many ended."""
        parts = [chunks[at : at + _BATCH_SIZE] for at in range(0, len(chunks), _BATCH_SIZE)]
        return sum(self._end_part(scope, part, now, marks if part is parts[-1] else {}) for part in parts)

    @embedding_again
    def _end_part(self, scope: Scope, chunks: Sequence[StoredChunk], now: datetime, marks: KeptMarks) -> int:
        wish = Wish(outcome=Synced(), changes=Changes(0, (), (), chunks), mtime=now)
        self._write(scope, [wish], now, lambda writes: save_marks(writes, marks))
        return wish.outcome.invalidated

    def _write(
        self, scope: Scope, wishes: Sequence[Wish], now: datetime, done: Callable[[Transaction], None]
    ) -> None:
        """Plan by what the store has, encode, and write it if the store still has that; `done` comes last."""
        with self.stages.door.asking(scope) as view:
            found = Found.of(view, wishes)
        changes, entries = ChunkPlan(found, wishes, now).encoded(scope, self.stages.preparation)

        def written(writes: Transaction) -> None:
            found.check(writes, wishes)
            for change in changes:
                change.put(writes)
            # In a single call, which makes many small files fast.
            writes.insert(entries)
            touched = [change.planned.memory.logical_id for change in changes]
            touched += [entry.memory.logical_id for entry in entries]
            if touched:
                writes.audit("import", touched[0], records_line(writes.records), now)
            done(writes)

        self.stages.door.write(scope, written)


class FileBatch:
    """Files waiting to be written together."""

    def __init__(self, sync: ChunkSync, scope: Scope, told: Told = lambda _: None) -> None:
        self._sync = sync
        self._scope = scope
        self._told = told
        self._files: list[TextFile] = []
        self._size = 0

    def add(self, file: TextFile, now: datetime) -> Iterator[tuple[TextFile, Synced]]:
        """Take a file; if the batch is full, the waiting files are written first, and their outcomes yielded."""
        if self._files and self._size + file.size > _BATCH_SIZE:
            yield from self.write()
        if not self._files:
            self._now = now
        self._files.append(file)
        self._size += file.size

    def write(self) -> Iterator[tuple[TextFile, Synced]]:
        """Write the waiting files, and yield the outcome of each; the batch is empty afterwards."""
        files, self._files, self._size = self._files, [], 0
        if files:
            written = self._sync.write(self._scope, files, self._now, self._told)
            yield from zip(files, written, strict=True)
