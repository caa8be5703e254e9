"""Which drafts of a batch the store already knows, and the outcome of each: written, a duplicate, forgotten before.

A draft is recognised by the key of its origin in its project, and by the keys of the same record in other sources
(`Draft.same_as`), in any project, so that forgotten records do not come back from another source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from engramforge.errors import Overtaken
from engramforge.model.memory import LEARNED_OF, Memory
from engramforge.model.storing.effect import Effect, Step, records_line
from engramforge.model.storing.record import Entry
from engramforge.store.door import Transaction, View
from engramforge.writing.preparing import Prepared

_NO_PROJECT: Final = ""
"""Where keys of what was forgotten are kept for every project."""


class Outcome(StrEnum):
    """The outcome of a draft."""

    WRITTEN = "written"
    DUPLICATE = "duplicate"
    EMPTY = "nothing left to store"
    FORGOTTEN = "forgotten before"


class Recognition:
    """The part of a write that happens inside the transaction.

    `is_explicit`: whether somebody asked to remember these, which brings back forgotten ones; else an import. `unless`:
    keys that the store lacked when the drafts were made of what it had.
    """

    def __init__(self, writes: Transaction, is_explicit: bool, unless: Sequence[bytes] = ()) -> None:
        self._writes = writes
        self.is_explicit = is_explicit
        self._unless = unless
        self._by_key: dict[bytes, Memory | None] = {}
        self.memories: list[Memory] = []
        self.entries: list[Entry] = []
        self.outcomes: list[Outcome] = []

    def recognised(self, prepared: Sequence[Prepared]) -> Iterable[Prepared]:
        """The drafts to write, one by one; `write` must be called after each.

        Raises Overtaken where the store has one of the keys `unless` by now.
        """
        known = known_keys(self._writes, prepared, self._unless)
        if not known.keys().isdisjoint(self._unless):
            raise Overtaken("Somebody else brought in the same meanwhile", "Repeat the call")
        sealed = set() if self.is_explicit else sealed_keys(self._writes, prepared)
        asked = {
            known.get(key)
            for item in prepared
            if item.by_content or self.is_explicit
            for key in (item.key, item.former_key)
            if key is not None
        }
        joined: dict[str | None, list[bytes]] = {}
        standing = self._writes.fetch([logical_id for logical_id in asked if logical_id is not None])
        for each in prepared:
            if each.key and each.former_key and _is_of_place(each, known, standing):
                known.setdefault(each.key, known[each.former_key])
            if not sealed.isdisjoint(each.sealed_keys) and known.get(each.key or b"") is None:
                self.outcomes.append(Outcome.FORGOTTEN)
            elif each.key is None:
                yield each
            elif each.key in self._by_key:
                self._duplicate(self._by_key[each.key], each)
            elif each.key in known:
                # An older memory or tombstone may lack keys that came later.
                if lacking := [key for key in each.more_keys if key not in known]:
                    self._writes.add_origins(each.draft.project, known[each.key], lacking)
                yield from self._known_before(each, each.key, known[each.key], standing)
            elif (way := _way(each, known, self._by_key)) is not None:
                is_here = way in self._by_key or known[way] is not None
                self.outcomes.append(Outcome.DUPLICATE if is_here else Outcome.FORGOTTEN)
                if way in each.live_keys and way in known:
                    joined.setdefault(known[way], []).extend((each.key, *each.more_keys))
                    if known[way] is not None:
                        # Also for a second record of this origin in the same batch.
                        self._by_key |= dict.fromkeys((each.key, *each.more_keys), None)
            else:
                yield each
                written = self.entries[-1].memory
                self._by_key |= dict.fromkeys((each.key, *each.more_keys), written)
        # What a hook told first is known by its transcript's origins from now on: a fork of the session repeats them.
        gone = joined.pop(None, [])
        for logical_id, memory in (self._writes.fetch(filter(None, joined)) if joined else {}).items():
            self._writes.add_origins(memory.project, memory.logical_id, joined[logical_id])
        if gone:
            self._writes.add_origins(_NO_PROJECT, None, gone)

    def write(self, entry: Entry) -> None:
        """Write the draft that `recognised` gave last."""
        self.entries.append(entry)
        self.memories.append(entry.memory)
        self.outcomes.append(Outcome.WRITTEN)

    def log(self, now: datetime, step: Step) -> None:
        """The line of the audit log, by which an undo takes back a whole transaction."""
        if self.entries:
            learned = all(LEARNED_OF in each.memory.metadata for each in self.entries)
            action = "remember" if self.is_explicit else "learn" if learned else "import"
            said = records_line(self._writes.records)
            self._writes.audit(action, self.entries[0].memory.logical_id, said, now, Effect(step=step))

    def _known_before(
        self, prepared: Prepared, key: bytes, logical_id: str | None, standing: Mapping[str, Memory]
    ) -> Iterable[Prepared]:
        if logical_id is None and not self.is_explicit:
            self.outcomes.append(Outcome.FORGOTTEN)
            return
        there = None if logical_id is None else standing.get(logical_id)
        if (self.is_explicit or prepared.by_content) and not _still_says(there, prepared):
            yield prepared
            there = self.entries[-1].memory
        else:
            self._duplicate(there, prepared)
        self._by_key[key] = there

    def _duplicate(self, there: Memory | None, prepared: Prepared) -> None:
        self.outcomes.append(Outcome.DUPLICATE)
        if self.is_explicit and there is not None:
            self.memories.append(replace(there, redacted=prepared.redacted, is_duplicate=True))


def known_keys(
    store: Transaction | View, prepared: Sequence[Prepared], further: Sequence[bytes] = ()
) -> dict[bytes, str | None]:
    """The keys of drafts, other sources' included, that the store has -> logical id, None if forgotten.

    `further`: keys of no draft that are asked for, too.
    """
    by_project: dict[str, list[bytes]] = {}
    for each in prepared:
        keys = [key for key in (each.key, each.former_key) if key is not None]
        by_project.setdefault(each.draft.project, []).extend(keys)
    known: dict[bytes, str | None] = {}
    for project, keys in by_project.items():
        known.update(store.known_origins(project, keys))
    anywhere = {key for item in prepared for key in (*item.more_keys, *item.same_keys)}.union(further)
    if anywhere:
        known.update(store.known_origins(None, sorted(anywhere)))
    return known


def sealed_keys(store: Transaction | View, prepared: Sequence[Prepared]) -> set[bytes]:
    """The keys that earlier forgets left of the texts of drafts."""
    by_project: dict[str, list[bytes]] = {}
    for each in prepared:
        by_project.setdefault(each.draft.project, []).extend(each.sealed_keys)
    return {key for project, keys in by_project.items() for key in store.known_origins(project, keys)}


def is_unknown(prepared: Prepared, known: Mapping[bytes, str | None]) -> bool:
    """Whether a draft may have to be written, as far as is known before the transaction."""
    if prepared.key is None or prepared.by_content:
        return True
    return prepared.key not in known and _way(prepared, known, {}) is None


def _way(prepared: Prepared, known: Mapping[bytes, str | None], here: Mapping[bytes, object]) -> bytes | None:
    """The key from another source by which a draft is known; an existing memory outweighs a forgotten one."""
    found = [key for key in prepared.same_keys if key in here or key in known]
    return min(found, key=lambda key: key not in here and known[key] is None, default=None)


def _is_of_place(
    prepared: Prepared, known: Mapping[bytes, str | None], standing: Mapping[str, Memory]
) -> bool:
    """Whether what earlier versions keyed by its content alone was said in the same place, or was forgotten."""
    former = prepared.former_key or b""
    if (logical_id := known.get(former)) is None:
        return former in known
    there, draft = standing.get(logical_id), prepared.draft
    return there is not None and (there.session_id, there.sequence) == (draft.session_id, draft.sequence)


def _still_says(there: Memory | None, prepared: Prepared) -> bool:
    """Whether the memory of this origin is unchanged; if it ended or changed since, a new note is not a duplicate."""
    if there is None or there.expired_at is not None:
        return False
    if not prepared.by_content:
        return True
    return there.content == prepared.draft.content and there.invalidation_reason is None
