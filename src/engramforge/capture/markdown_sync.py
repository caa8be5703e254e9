"""Writing what changed in a Markdown file: unchanged chunks stay, changed ones are superseded, new ones inserted,
vanished ones end (spec chapter 3).

One file is one transaction. The time of change is the file's, where it can be; else now. What must not enter:
reading files, choosing them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engramforge.capture.importers.markdown import Changes, compare_chunks
from engramforge.capture.importers.records import Item
from engramforge.errors import CallerError
from engramforge.model.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.record import Fault
from engramforge.model.scope import Scope
from engramforge.store.door import Door, Transaction
from engramforge.writing.intake import Intake, entry_of, records_line
from engramforge.writing.recognising import Prepared
from engramforge.writing.repeating import embedding_again
from engramforge.writing.revision import Revision
from engramforge.writing.succession import Successor, write_closing, write_supersession


@dataclass(slots=True)
class Synced:
    """What became of a file's chunks."""

    unchanged: int = 0
    inserted: int = 0
    superseded: int = 0
    invalidated: int = 0
    skipped: int = 0
    redacted: int = 0
    faults: tuple[Fault, ...] = ()
    touched: tuple[str, ...] = ()
    """Logical ids of what was written, superseded or ended."""

    def add(self, other: Synced) -> None:
        """Add the numbers of another file."""
        for name in ("unchanged", "inserted", "superseded", "invalidated", "skipped", "redacted"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults


Marks = Callable[[Synced], Mapping[str, Mapping[str, Any] | None]]


class MarkdownSync:
    """Brings the stored chunks of files to what the files say now."""

    def __init__(self, door: Door, intake: Intake, revision: Revision) -> None:
        self._door = door
        self._intake = intake
        self._revision = revision

    @embedding_again
    def write(
        self, scope: Scope, item: Item, stored: Sequence[Memory], mtime: datetime, now: datetime, marks: Marks
    ) -> Synced:
        """Write the difference between the stored chunks and an item's drafts.

        Parameters
        ----------
        stored : the file's current chunks, by index.
        mtime : the time of change, where it lies after what it changes and not after `now`.
        marks : asked inside the transaction for values to keep with it; asked again where it is repeated.
        """
        outcome = Synced()
        prepared = self._prepared(scope, item, now, outcome)
        changes = compare_chunks(stored, [one.draft.content for one in prepared])
        outcome.unchanged = changes.unchanged
        wanted = [place for _, place in changes.changed] + list(changes.inserted)
        signals = dict(
            zip(wanted, self._intake.encode([prepared[place].draft for place in wanted]), strict=True)
        )
        leaving = [*(memory for memory, _ in changes.changed), *changes.vanished]
        closings = {memory.id: self._revision.encode_again(memory) for memory in leaving}

        def written(writes: Transaction) -> Synced:
            done = replace(outcome)
            self._write(writes, scope, stored, changes, prepared, signals, closings, mtime, now, done)
            if done.touched:
                # The old record, its closing record and the new one; an end has no new one.
                number = 3 * done.superseded + 2 * done.invalidated + done.inserted
                writes.audit("import", done.touched[0], records_line(number), now)
            for name, value in marks(done).items():
                writes.save_mark(name, value)
            return done

        return self._door.write(scope, written)

    @embedding_again
    def end(
        self,
        scope: Scope,
        chunks: Sequence[Memory],
        now: datetime,
        marks: Mapping[str, Mapping[str, Any] | None],
    ) -> int:
        """End the chunks of a file that is no more; returns how many."""
        closings = {memory.id: self._revision.encode_again(memory) for memory in chunks}

        def written(writes: Transaction) -> int:
            ended = _end(writes, chunks, closings, now, now)
            if ended:
                writes.audit("import", ended[0], records_line(2 * len(ended)), now)
            for name, value in marks.items():
                writes.save_mark(name, value)
            return len(ended)

        return self._door.write(scope, written)

    def _prepared(self, scope: Scope, item: Item, now: datetime, outcome: Synced) -> list[Prepared]:
        prepared: list[Prepared] = []
        faults: list[Fault] = []
        for draft in item.drafts:
            try:
                ready = self._intake.prepare(scope, draft, now)
            except CallerError as error:
                faults.append(Fault(item.path, item.line, str(error)))
                continue
            if ready is None:
                outcome.skipped += 1
            else:
                prepared.append(ready)
                outcome.redacted += ready.redacted
        outcome.faults = tuple(faults)
        return prepared

    def _write(
        self,
        writes: Transaction,
        scope: Scope,
        stored: Sequence[Memory],
        changes: Changes,
        prepared: Sequence[Prepared],
        signals: Mapping[int, Embedding],
        closings: Mapping[str, Embedding],
        mtime: datetime,
        now: datetime,
        outcome: Synced,
    ) -> None:
        forgotten, written = _known(writes, [prepared[place] for place in signals], stored)
        vanished = list(changes.vanished)
        inserted = list(changes.inserted)
        standing = writes.fetch([memory.logical_id for memory, _ in changes.changed])
        for old, place in changes.changed:
            there = standing.get(old.logical_id)
            if prepared[place].key in forgotten:
                outcome.skipped += 1
                vanished.append(old)
            elif there is None or there.id != old.id:
                # Somebody else changed or forgot it since the file was compared: what the file says is new.
                inserted.append(place)
            else:
                successor = Successor(prepared[place], signals[place])
                write_supersession(
                    writes, old, closings[old.id], successor, _change_time(old, mtime, now), now
                )
                outcome.superseded += 1
                outcome.touched += (old.logical_id,)
        wanted = [place for place in inserted if prepared[place].key not in forgotten]
        fresh = [place for place in wanted if prepared[place].key not in written]
        entries = [entry_of(scope, prepared[place], signals[place]) for place in fresh]
        writes.insert(entries)
        outcome.inserted += len(fresh)
        outcome.unchanged += len(wanted) - len(fresh)
        outcome.skipped += len(inserted) - len(wanted)
        ended = _end(writes, vanished, closings, mtime, now)
        outcome.invalidated += len(ended)
        outcome.touched += (*(entry.memory.logical_id for entry in entries), *ended)


def _known(
    writes: Transaction, prepared: Sequence[Prepared], stored: Sequence[Memory]
) -> tuple[set[bytes], set[bytes]]:
    """The origins that were forgotten, which an import does not bring back, and those that stand since somebody else
    imported the same file after it was compared with what is `stored`."""
    by_key = {one.key: one for one in prepared if one.key is not None}
    if not by_key:
        return set(), set()
    known = writes.known_origins(prepared[0].draft.project, list(by_key))
    standing = writes.fetch([logical_id for logical_id in known.values() if logical_id is not None])
    compared = {memory.id for memory in stored}
    forgotten, written = set(), set()
    for key, logical_id in known.items():
        there = None if logical_id is None else standing.get(logical_id)
        if logical_id is None:
            forgotten.add(key)
        elif there is None or there.id in compared or there.invalidation_reason is not None:
            continue
        elif there.content == by_key[key].draft.content:
            written.add(key)
    return forgotten, written


def _end(
    writes: Transaction,
    memories: Sequence[Memory],
    closings: Mapping[str, Embedding],
    mtime: datetime,
    now: datetime,
) -> list[str]:
    """End these chunks where they still stand; returns the logical ids of those that did."""
    standing = writes.fetch([memory.logical_id for memory in memories])
    ended = []
    for memory in memories:
        there = standing.get(memory.logical_id)
        if there is not None and there.id == memory.id:
            write_closing(writes, memory, closings[memory.id], _change_time(memory, mtime, now), now, None)
            writes.audit("invalidate", memory.logical_id, "its file does not say it any more", now)
            ended.append(memory.logical_id)
    return ended


def _change_time(old: Memory, mtime: datetime, now: datetime) -> datetime:
    """The file's time, where it lies after the old version's and not in the future; else now."""
    at = mtime if old.valid_at < mtime <= now else now
    return max(at, old.valid_at + timedelta(microseconds=1))
