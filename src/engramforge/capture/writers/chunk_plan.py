"""What a batch of changed texts becomes: one memory for each text of a project, wherever its files say it.

A text that the store knows from another place becomes a further place of that memory; a memory loses a place where a
file says something else, is superseded if that was its last, and ends where nothing follows. Only planning: chunks.py
reads before it and writes after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import PurePath
from typing import Any

from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.chunk_changes import Changes
from engramforge.errors import PlanOutdated
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.limits import TAGS_PER_MEMORY
from engramforge.model.link import Relation
from engramforge.model.memory import Chunk, Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Entry, Fault, StoredChunk, content_digest
from engramforge.model.time import just_after
from engramforge.store.door import Transaction, View
from engramforge.writing.preparing import Preparation, Prepared, entry_of, new_id
from engramforge.writing.recognising import Outcome, known_keys, sealed_keys
from engramforge.writing.version_change import (
    Successor,
    VersionChange,
    plan_closing,
    plan_supersession,
    record_time,
    version_link,
)


@dataclass(slots=True)
class Synced:
    """The outcome of a file's chunks; `touched` has the logical ids of written, changed and ended ones."""

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


@dataclass(slots=True, kw_only=True)
class Wish:
    """What is to change for a file, or a part of one.

    `outcome`: its numbers, to which the plan adds. `prepared`: the drafts of changed and new places. `mtime`: the
    file's time.
    """

    outcome: Synced
    changes: Changes
    prepared: Mapping[int, Prepared] = field(default_factory=dict)
    mtime: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """What the store has of a batch.

    `known`: key of a text -> logical id, None if forgotten. `sealed`: keys that forgets left. `standing`: the memories
    by logical id.
    """

    known: Mapping[bytes, str | None]
    sealed: Set[bytes]
    standing: Mapping[str, Memory]

    @classmethod
    def of(cls, store: View | Transaction, wishes: Sequence[Wish]) -> Found:
        """Ask for everything in a query of each kind."""
        ready = list(chain.from_iterable(wish.prepared.values() for wish in wishes))
        known = known_keys(store, ready)
        ids = {chunk.logical_id for wish in wishes for chunk in wish.changes.vanished}
        ids |= {chunk.logical_id for wish in wishes for chunk, _ in wish.changes.changed}
        ids |= {logical_id for logical_id in known.values() if logical_id is not None}
        return cls(known, sealed_keys(store, ready), store.fetch(sorted(ids)) if ids else {})

    def check(self, store: View | Transaction, wishes: Sequence[Wish]) -> None:
        """Raise PlanOutdated where the store has something else by now."""
        now = Found.of(store, wishes)
        versions, before = (
            {name: memory.id for name, memory in each.standing.items()} for each in (now, self)
        )
        if (now.known, now.sealed, versions) != (self.known, self.sealed, before):
            raise PlanOutdated("The chunks of these files were changed meanwhile", "Import them again")

    def of_chunk(self, chunk: StoredChunk) -> Memory | None:
        """The memory of a chunk, if it still says what it did."""
        memory = self.standing.get(chunk.logical_id)
        if memory is None or memory.is_superseded or content_digest(memory.content) != chunk.digest:
            return None
        return memory

    def of_text(self, ready: Prepared) -> Memory | None:
        """The memory that says a draft's text already."""
        memory = self.standing.get(self.known.get(ready.key or b"") or "")
        if memory is None or memory.is_superseded or memory.chunk is None:
            return None
        draft = ready.draft
        is_same = (memory.content, memory.attachments) == (draft.content, draft.attachments)
        return memory if is_same else None

    def is_forgotten(self, ready: Prepared) -> bool:
        """Whether somebody forgot a draft's text, which no import brings back."""
        is_tombstone = self.known.get(ready.key or b"", "") is None
        return is_tombstone or not self.sealed.isdisjoint(ready.sealed_keys)


@dataclass(slots=True, eq=False)
class _New:
    """A text that the store does not know; `old`: the one that it replaces in its file, while nobody else says that."""

    wish: Wish
    ready: Prepared
    old: tuple[Memory, str] | None
    also_in: list[Chunk] = field(default_factory=list)
    tags: dict[str, None] = field(default_factory=dict)

    @property
    def whole(self) -> Prepared:
        """With all places where it is said."""
        draft = self.ready.draft
        tags = tuple(dict.fromkeys((*draft.tags, *self.tags)))[:TAGS_PER_MEMORY]
        return replace(self.ready, draft=replace(draft, also_in=tuple(self.also_in), tags=tags))


@dataclass(slots=True)
class _Places:
    """Where a memory is said, as it changes; `left`: the last file that says something else now."""

    memory: Memory
    now: list[Chunk]
    tags: dict[str, None]
    left: Wish | None = None

    @classmethod
    def of(cls, memory: Memory) -> _Places:
        return cls(memory, [*filter(None, (memory.chunk,)), *memory.also_in], dict.fromkeys(memory.tags))

    def add(self, ready: Prepared) -> None:
        chunk = ready.draft.chunk
        there = {(each.file_path, each.chunk_index) for each in self.now}
        if chunk is not None and (chunk.file_path, chunk.chunk_index) not in there:
            self.now.append(chunk)
            self.tags |= dict.fromkeys(ready.draft.tags)

    def remove(self, path: str) -> None:
        """The last place in a file."""
        at = max((at for at, each in enumerate(self.now) if each.file_path == path), default=None)
        if at is not None:
            del self.now[at]

    @property
    def moved(self) -> Memory | None:
        """The memory with its present places, if any; None if they are as they were."""
        if not self.now:
            return self.memory
        memory, (first, *others) = self.memory, self.now
        if memory.chunk is None or (first, *others) == (memory.chunk, *memory.also_in):
            return None
        name = memory.name
        if name == PurePath(memory.chunk.file_path).stem:
            name = PurePath(first.file_path).stem
        tags = tuple(self.tags)[:TAGS_PER_MEMORY]
        places: dict[str, Any] = {"chunk": first, "also_in": tuple(others), "tags": tags, "name": name}
        return replace(memory, id=new_id(), version=memory.version + 1, **places)


class ChunkPlan:
    """The plan for a batch: first everything that is said, then what it means for what was said before."""

    def __init__(self, found: Found, wishes: Sequence[Wish], now: datetime) -> None:
        self._found = found
        self._now = now
        self._places: dict[str, _Places] = {}
        self._new: list[_New] = []
        self._by_key: dict[bytes | None, _New] = {}
        for wish in wishes:
            self._take(wish)
        self._superseding = [new for new in self._new if self._supersedes(new)]

    def _take(self, wish: Wish) -> None:
        gone = list(wish.changes.vanished)
        for old, place in wish.changes.changed:
            if not self._say(wish, wish.prepared[place], old):
                gone.append(old)
        for place in wish.changes.inserted:
            self._say(wish, wish.prepared[place])
        for old in gone:
            if (memory := self._found.of_chunk(old)) is not None:
                its = self._places_of(memory)
                its.remove(old.path)
                its.left = wish

    def _say(self, wish: Wish, ready: Prepared, old: StoredChunk | None = None) -> bool:
        """Put a text where it belongs; returns whether it is new."""
        # What a forget left standing elsewhere may move, even if it once was said where all was forgotten.
        if (there := self._found.of_text(ready)) is not None:
            self._places_of(there).add(ready)
            wish.outcome.unchanged += 1
            return False
        if self._found.is_forgotten(ready):
            wish.outcome.forgotten += 1
            return False
        known = self._by_key.get(ready.key) if ready.key is not None else None
        if known is not None and known.ready.draft.attachments == ready.draft.attachments:
            known.also_in += filter(None, (ready.draft.chunk,))
            known.tags |= dict.fromkeys(ready.draft.tags)
            wish.outcome.unchanged += 1
            return False
        # Where somebody else changed or forgot the old one since the comparison, nothing is replaced.
        memory = None if old is None else self._found.of_chunk(old)
        new = _New(wish, ready, None if old is None or memory is None else (memory, old.path))
        self._by_key[ready.key] = new
        self._new.append(new)
        return True

    def _places_of(self, memory: Memory) -> _Places:
        return self._places.setdefault(memory.logical_id, _Places.of(memory))

    def _supersedes(self, new: _New) -> bool:
        """Whether a new text is the next version of the old one, which then has no place left."""
        if new.old is None:
            return False
        memory, path = new.old
        its = self._places_of(memory)
        its.remove(path)
        return not its.now

    def encoded(self, scope: Scope, preparation: Preparation) -> tuple[list[Change], list[Entry]]:
        """The changes of versions and the new memories; counts the outcomes."""
        whole = [new.whole for new in self._new]
        signals = preparation.encode([each.draft for each in whole]) if whole else []
        made = dict(zip(self._new, map(Successor, whole, signals), strict=True))
        follower = {new.old[0].logical_id: new for new in self._superseding if new.old is not None}
        moved = [(its, its.moved) for its in self._places.values()]
        changing = [(its, record) for its, record in moved if record is not None]
        before = [its.memory.id for its, _ in changing]
        again = preparation.encode_again([record for _, record in changing], before)
        changes: list[Change] = []
        for (its, record), signal in zip(changing, again, strict=True):
            new = follower.get(record.logical_id)
            if its.now:
                changes.append(self._moved(its.memory, record, signal))
            elif new is not None:
                changes.append(self._superseded(record, signal, new.wish, made.pop(new)))
            elif its.left is not None:
                changes.append(self._ended(record, signal, its.left))
        entries = []
        for new, successor in made.items():
            entries.append(entry := entry_of(scope, successor.prepared, successor.embedding))
            new.wish.outcome.inserted += 1
            new.wish.outcome.touched += (entry.memory.logical_id,)
        return changes, entries

    def _moved(self, old: Memory, new: Memory, signal: Embedding) -> Change:
        at = record_time(old, self._now)
        new = replace(new, created_at=at)
        links = (version_link(Relation.REVISES, old, new),)
        change = VersionChange(
            memory=new, at=at, entries=(Entry(new, signal),), replaced=old, follower=new.id, links=links
        )
        return Change("revise", "other files say it", change)

    def _superseded(self, old: Memory, signal: Embedding, wish: Wish, new: Successor) -> Change:
        at, recorded = _change_time(old, wish.mtime, self._now), record_time(old, self._now)
        wish.outcome.superseded += 1
        wish.outcome.touched += (old.logical_id,)
        change = plan_supersession(old, signal, new, at, recorded)
        return Change("supersede", change.told, change)

    def _ended(self, old: Memory, signal: Embedding, wish: Wish) -> Change:
        at, recorded = _change_time(old, wish.mtime, self._now), record_time(old, self._now)
        wish.outcome.invalidated += 1
        wish.outcome.touched += (old.logical_id,)
        change = plan_closing(old, signal, at, recorded)
        return Change("invalidate", "its file does not say it any more", change)


@dataclass(frozen=True, slots=True)
class Change:
    """A planned change, and its line in the audit log."""

    action: str
    told: str
    planned: VersionChange

    def put(self, writes: Transaction) -> None:
        """Write both."""
        self.planned.put(writes)
        writes.audit(self.action, self.planned.memory.logical_id, self.told, self.planned.at)


def _change_time(old: Memory, mtime: datetime, now: datetime) -> datetime:
    """The file's time, if it is after the old version's and not in the future; else now."""
    at = mtime if old.valid_at < mtime <= now else now
    return just_after(old.valid_at, at)
