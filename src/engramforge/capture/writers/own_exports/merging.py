"""Which rows of an export a non-empty store may take: by ids, and never replacing existing ones.

The rule for a memory: if every record that the store has of it is also in the export, unchanged, the rest is added;
otherwise the store has a history of its own, and all of the export's records are left out. Every change of a memory
closes one of its records, so the store cannot have gone on without a record that differs. Use counters change in place
and do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from engramforge.core.rows.row_digest import line_of
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.section import Cursor, Origin, Section
from engramforge.store.door import Door
from engramforge.writing.preparing import KNOWN_BY_CONTENT, keyed

_LINES_AT_ONCE: Final = 1_000
CONFLICT: Final = "the store has it otherwise"


class Merge:
    """What may be taken from an export.

    `scope`: of everything in the tenant. `store_id`: of the store that was exported.
    """

    def __init__(self, door: Door, scope: Scope, store_id: str) -> None:
        self._door = door
        self._scope = scope
        self._store_id = store_id
        self._own_id = door.identity.store_id
        self._same: set[str] = set()
        self._there: set[str] = set()
        self._other: set[str] = set()
        self._told: set[str] = set()

    def look_at(self, rows: Sequence[Memory]) -> None:
        """Compare some of the export's records with the store; all must be compared before any is taken."""
        asked = {row.id for row in rows} | {row.logical_id for row in rows}
        found = self._door.asking(self._scope).fetch(asked)
        for row in rows:
            here = found.get(row.id)
            if here is not None and self.said(here) == self.said(row):
                self._same.add(row.logical_id)
            elif here is not None:
                self._other.add(row.logical_id)
            if row.logical_id in found:
                self._there.add(row.logical_id)

    def left(self, row: Memory) -> str:
        """Why a record is left out; empty if it may be taken or exists already."""
        return CONFLICT if self._is_other(row.logical_id) else ""

    def known(self, rows: Sequence[Memory]) -> list[str]:
        """Logical ids of those records whose memories the store has, as of the comparison."""
        return [each for each in dict.fromkeys(row.logical_id for row in rows) if each in self._there]

    def conflict_of(self, row: Memory) -> str:
        """A remark on a memory that differs in the store, once per memory."""
        if not self._is_other(row.logical_id) or row.logical_id in self._told:
            return ""
        self._told.add(row.logical_id)
        return f"the store has the memory {row.logical_id} with another history; it was left as it is"

    def origin_here(self, row: Origin, known: Mapping[str, Memory]) -> Origin | None:
        """An origin under this store's key; None if only the other store's key is known.

        `known` has the current memories of origins by their logical ids.
        """
        if self._store_id == self._own_id:
            return row
        head = known.get(row.logical_id or "")
        if head is None:
            return None
        found = self._rekeyed(row, [head])
        if found is None and head.version > 1:
            found = self._rekeyed(row, self._door.asking(self._scope).versions(head.logical_id))
        return found

    def _rekeyed(self, row: Origin, versions: Sequence[Memory]) -> Origin | None:
        """An origin under this store's key, if any of these versions says what it was made from."""
        for memory in versions:
            owner = memory.agent if memory.level is Level.PERSONAL else ""
            whose = (memory.project, str(memory.level), owner)
            place = f"{memory.session_id}\0{memory.sequence}\0{memory.content}"
            for record in ((*whose, "content", memory.content), (*whose, "position", place)):
                if record[3] == "content" and memory.kind not in (*KNOWN_BY_CONTENT, Kind.DECISION):
                    continue
                if keyed(self._store_id, *record) == row.key:
                    return replace(row, key=keyed(self._own_id, *record))
        return None

    @staticmethod
    def said(row: Memory | Link) -> bytes:
        """A digest of a row in 16 bytes, without its use counters."""
        if isinstance(row, Memory):
            entry = row.registration
            if entry is not None:
                entry = replace(entry, last_validated=None, validation_count=0, hops=0, conversations=())
            row = replace(row, access_count=0, exposure_count=0, last_accessed_at=None, registration=entry)
        section = Section.MEMORIES if isinstance(row, Memory) else Section.LINKS
        return blake2b(line_of(section, row), digest_size=16).digest()

    def _is_other(self, logical_id: str) -> bool:
        return logical_id in self._other or (logical_id in self._there and logical_id not in self._same)


def rows_of(door: Door, scope: Scope, section: Section) -> Iterator[object]:
    """All rows of a section of the store."""
    cursor: Cursor = None
    with door.tending(scope) as shot:
        while (portion := shot.portion(section, cursor, _LINES_AT_ONCE)).rows:
            yield from portion.rows
            cursor = portion.cursor
