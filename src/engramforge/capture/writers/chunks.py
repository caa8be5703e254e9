"""Writes the changes of a text: unchanged chunks stay, changed ones are superseded, new ones inserted, vanished ones
ended.

A batch of files is a single transaction, since one for each takes many times longer; an undo takes back the whole
batch. A file of more chunks than a batch holds is written in parts, each a transaction, and prepared again for each, so
that no more than its text is held at once; where it is interrupted, the next import goes on. The time of change is the
file's if possible, else now.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount, KeptMarks, Marks, save_marks
from engramforge.capture.writers.chunk_changes import Changes, compare_chunks
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.errors import CallerError
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import records_line
from engramforge.model.storing.record import Fault, StoredChunk, content_digest
from engramforge.model.time import just_after
from engramforge.store.door import Transaction
from engramforge.writing.preparing import Prepared, entry_of
from engramforge.writing.recognising import Outcome, sealed_keys
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import Successor, plan_closing, plan_supersession, record_time

_BATCH_SIZE: Final = 500
"""The most files, drafts and stored chunks of a transaction."""
_MOST_PREPARED: Final = 4_000
"""Drafts of a file that are kept between comparing and writing, some 5 kB each; further ones are made twice."""
Told = Callable[[int], None]
_Keys = set[bytes | None]


@dataclass(slots=True)
class Synced:
    """The outcome of a file's chunks; `touched` has the logical ids of written, superseded and ended ones."""

    unchanged: int = 0
    inserted: int = 0
    superseded: int = 0
    invalidated: int = 0
    skipped: int = 0
    forgotten: int = 0
    redacted: int = 0
    faults: tuple[Fault, ...] = ()
    touched: tuple[str, ...] = ()

    def book(self, count: FileCount) -> None:
        """Put the numbers in the file's account, replacing those of a repeated transaction."""
        count.remembered, count.duplicate = self.inserted + self.superseded, self.unchanged
        count.faulty = len(self.faults)
        count.nothing = self.skipped + self.forgotten
        count.found = count.remembered + count.duplicate + count.nothing + count.faulty
        count.memories = self.inserted + self.superseded
        count.duplicate_memories = self.unchanged
        count.skipped = +Counter({str(Outcome.EMPTY): self.skipped, str(Outcome.FORGOTTEN): self.forgotten})
        count.changes = Counter(superseded=self.superseded, invalidated=self.invalidated)


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
    a part is carried out. `stored`: ids of the stored versions that the file was compared with. `signals`: place -> its
    signals, for changed and new ones. `leaving`: version id -> the record and its signals, for those that end.
    """

    file: TextFile
    drafts: Sequence[int]
    prepared: Mapping[int, Prepared]
    stored: Set[str]
    changes: Changes
    outcome: Synced
    signals: Mapping[int, Embedding] = field(default_factory=dict)
    leaving: Mapping[str, tuple[Memory, Embedding]] = field(default_factory=dict)
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
        return _Plan(file, drafts, prepared, {chunk.id for chunk in file.stored}, changes, outcome)

    @embedding_again
    def _carried_out(self, scope: Scope, plans: Sequence[_Plan], now: datetime) -> list[Synced]:
        """Carry out plans in one transaction; returns their outcomes, added to those that they had."""
        for plan in plans:
            plan.prepared = {place: self._prepared(scope, plan, place, now) for place in plan.wanted}
        self._encode(scope, plans)

        def written(writes: Transaction) -> list[Synced]:
            done = self._write(writes, scope, plans, now)
            touched = [logical_id for outcome in done for logical_id in outcome.touched]
            if touched:
                writes.audit("import", touched[0], records_line(writes.records), now)
            for plan, outcome in zip(plans, done, strict=True):
                outcome.book(plan.file.count)
                if plan.is_last:
                    save_marks(writes, plan.file.marks())
            return done

        return self.stages.door.write(scope, written)

    def _prepared(self, scope: Scope, plan: _Plan, place: int, now: datetime) -> Prepared:
        if place in plan.prepared:
            return plan.prepared[place]
        ready = self.stages.preparation.prepare(scope, plan.file.item.drafts[plan.drafts[place]], now)
        assert ready is not None  # as when it was compared
        return ready

    def _encode(self, scope: Scope, plans: Sequence[_Plan]) -> None:
        """Make the signals of everything to be written, in a single call."""
        drafts = [plan.prepared[place].draft for plan in plans for place in plan.wanted]
        made = iter(self.stages.preparation.encode(drafts) if drafts else ())
        for plan in plans:
            plan.signals = {place: next(made) for place in plan.wanted}
            going = [*(old for old, _ in plan.changes.changed), *plan.changes.vanished]
            plan.leaving = self._leaving(scope, going)

    def end(self, scope: Scope, chunks: Sequence[StoredChunk], now: datetime, marks: KeptMarks) -> int:
        """End the chunks of a file that is no more; returns how many."""
        parts = [chunks[at : at + _BATCH_SIZE] for at in range(0, len(chunks), _BATCH_SIZE)]
        return sum(self._end_part(scope, part, now, marks if part is parts[-1] else {}) for part in parts)

    @embedding_again
    def _end_part(self, scope: Scope, chunks: Sequence[StoredChunk], now: datetime, marks: KeptMarks) -> int:
        leaving = self._leaving(scope, chunks)

        def written(writes: Transaction) -> int:
            ended = _end(writes, chunks, leaving, now, now)
            if ended:
                writes.audit("import", ended[0], records_line(writes.records), now)
            save_marks(writes, marks)
            return len(ended)

        return self.stages.door.write(scope, written)

    def _leaving(self, scope: Scope, chunks: Sequence[StoredChunk]) -> dict[str, tuple[Memory, Embedding]]:
        """The records of stored chunks with their signals, by version id; without those forgotten meanwhile."""
        found = self.stages.door.asking(scope).fetch([chunk.id for chunk in chunks]) if chunks else {}
        memories = list(found.values())
        signals = self.stages.preparation.encode_again(memories)
        return {memory.id: (memory, its) for memory, its in zip(memories, signals, strict=True)}

    def _write(
        self, writes: Transaction, scope: Scope, plans: Sequence[_Plan], now: datetime
    ) -> list[Synced]:
        forgotten, written = _known(writes, plans)
        standing = writes.fetch([old.logical_id for plan in plans for old, _ in plan.changes.changed])
        done = [_changed(writes, plan, forgotten, written, standing, now) for plan in plans]
        entries = [
            entry_of(scope, plan.prepared[place], plan.signals[place])
            for plan, (_, fresh) in zip(plans, done, strict=True)
            for place in fresh
        ]
        # In a single call, which makes many small files fast.
        writes.insert(entries)
        ids = iter([entry.memory.logical_id for entry in entries])
        for outcome, fresh in done:
            outcome.touched += tuple(next(ids) for _ in fresh)
        return [outcome for outcome, _ in done]


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


def _changed(
    writes: Transaction,
    plan: _Plan,
    forgotten: _Keys,
    written: _Keys,
    standing: Mapping[str, Memory],
    now: datetime,
) -> tuple[Synced, list[int]]:
    """Write the changed and ended chunks of a file; returns the outcome, and the places of new drafts."""
    outcome = replace(plan.outcome)
    vanished, inserted = list(plan.changes.vanished), list(plan.changes.inserted)
    mtime = plan.file.mtime
    for known, place in plan.changes.changed:
        there = standing.get(known.logical_id)
        if plan.prepared[place].key in forgotten:
            outcome.forgotten += 1
            vanished.append(known)
        elif there is None or there.id != known.id or known.id not in plan.leaving:
            # Somebody else changed or forgot it since the comparison, so the file's text is new.
            inserted.append(place)
        else:
            old, closing = plan.leaving[known.id]
            successor = Successor(plan.prepared[place], plan.signals[place])
            at, recorded = _change_time(old, mtime, now), record_time(old, now)
            change = plan_supersession(old, closing, successor, at, recorded)
            change.put(writes)
            writes.audit("supersede", old.logical_id, change.told, recorded)
            outcome.superseded += 1
            outcome.touched += (old.logical_id,)
    wanted = [place for place in inserted if plan.prepared[place].key not in forgotten]
    fresh = [place for place in wanted if plan.prepared[place].key not in written]
    outcome.inserted += len(fresh)
    outcome.unchanged += len(wanted) - len(fresh)
    outcome.forgotten += len(inserted) - len(wanted)
    ended = _end(writes, vanished, plan.leaving, mtime, now) if vanished else []
    outcome.invalidated += len(ended)
    outcome.touched += tuple(ended)
    return outcome, fresh


def _known(writes: Transaction, plans: Sequence[_Plan]) -> tuple[_Keys, _Keys]:
    """The keys of drafts that were forgotten, which no import brings back, and of those that somebody else wrote since
    the comparison, by importing the same file."""
    by_project: dict[str, dict[bytes, Prepared]] = {}
    for plan in plans:
        for ready in plan.prepared.values():
            if ready.key is not None:
                by_project.setdefault(ready.draft.project, {})[ready.key] = ready

    forgotten: _Keys = set()
    written: _Keys = set()
    for project, by_key in by_project.items():
        known = writes.known_origins(project, list(by_key))
        sealed = sealed_keys(writes, list(by_key.values()))
        forgotten |= {key for key, ready in by_key.items() if not sealed.isdisjoint(ready.sealed_keys)}
        standing = writes.fetch([logical_id for logical_id in known.values() if logical_id is not None])
        for key, logical_id in known.items():
            there = None if logical_id is None else standing.get(logical_id)
            if logical_id is None:
                forgotten.add(key)
            elif (
                there is None
                or there.invalidation_reason is not None
                or any(there.id in plan.stored for plan in plans)
            ):
                continue
            elif there.content == by_key[key].draft.content:
                written.add(key)
    return forgotten, written


def _end(
    writes: Transaction,
    chunks: Sequence[StoredChunk],
    leaving: Mapping[str, tuple[Memory, Embedding]],
    mtime: datetime,
    now: datetime,
) -> list[str]:
    """End those of these chunks that are still current; returns their logical ids."""
    standing = writes.fetch([chunk.logical_id for chunk in chunks])
    ended = []
    for chunk in chunks:
        there = standing.get(chunk.logical_id)
        if there is not None and there.id == chunk.id and chunk.id in leaving:
            memory, closing = leaving[chunk.id]
            at = _change_time(memory, mtime, now)
            plan_closing(memory, closing, at, record_time(memory, now)).put(writes)
            writes.audit("invalidate", memory.logical_id, "its file does not say it any more", now)
            ended.append(memory.logical_id)
    return ended


def _change_time(old: Memory, mtime: datetime, now: datetime) -> datetime:
    """The file's time, if it is after the old version's and not in the future; else now."""
    at = mtime if old.valid_at < mtime <= now else now
    return just_after(old.valid_at, at)
