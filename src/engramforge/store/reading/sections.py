"""Everything of a tenant, section by section, in portions by key: for moving and for exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Project, Scope
from engramforge.model.storing.section import (
    MOVE_MARK,
    RESTORE_MARK,
    Cursor,
    EntityVector,
    Mark,
    Origin,
    Portion,
    Section,
    SectionRow,
    StoredInjection,
    StoredMemory,
)
from engramforge.model.time import from_micros
from engramforge.model.topics.topic import TOPIC_MARKS
from engramforge.store import schema
from engramforge.store.reading.embeddings import SignalReader, rows_at
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import IN_PROJECT, together, visible
from engramforge.store.reading.records import injection_of
from engramforge.store.reading.source import Values
from engramforge.store.rows import audit_line_of, blob, link_of, text_id
from engramforge.store.schema import PENDING_ERASURE

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCAL_MARKS: Final = (PENDING_ERASURE, MOVE_MARK, RESTORE_MARK)
_TAKEN_ALONG: Final = (
    schema.mark.c.key.not_in(LOCAL_MARKS),
    *(~schema.mark.c.key.startswith(each, autoescape=True) for each in TOPIC_MARKS),
)
"""Topics are found again where a store was moved to: their marks would say that they are there."""
"""Marks about this store's own files, which are never moved."""
_MOST_CHARACTERS: Final = 16_000_000
"""The most content of a portion, unless a single memory is larger."""


@dataclass
class Sections:
    """The sections of a tenant at one moment; see `store.door.Upkeep`.

    `connection`: inside a transaction whose reads see one snapshot. `scope`: of the tenant; what it does not admit is
    left out of the memories.
    """

    connection: Connection
    scope: Scope
    values: Values

    def counts(self) -> dict[Section, int]:
        """How many rows each section has."""
        memory = schema.memory
        found = {}
        for section, table in _TABLES.items():
            statement = sa.select(sa.func.count()).select_from(IN_PROJECT if table is memory else table)
            wanted = [visible(self.scope) if table is memory else table.c.tenant == self.scope.tenant]
            if table is schema.mark:
                wanted += _TAKEN_ALONG
            if table is schema.entity:
                wanted.append(table.c.vector.is_not(None))
            found[section] = int(self.connection.execute(statement.where(*wanted)).scalar_one())
        return found

    def writes(self) -> tuple[int, int]:
        """How many writes touched what is there, and the number of the newest; memories alone count."""
        return len(self._changes), int(self._changes[-1]) if len(self._changes) else 0

    def ordered(self, section: Section) -> NDArray[np.int64]:
        """Positions of all memories, or links, ordered by when they were recorded, then by id."""
        table = _TABLES[section]
        statement = sa.select(table.c.seq)
        if section is Section.MEMORIES:
            statement = statement.select_from(IN_PROJECT).where(visible(self.scope))
        statement = statement.where(table.c.tenant == self.scope.tenant)
        rows = self.connection.execute(statement.order_by(table.c.created_at, table.c.id))
        return np.fromiter(rows.scalars(), np.int64)

    def at(self, section: Section, positions: NDArray[np.int64]) -> list[Any]:
        """The memories, without signals, or links at these positions, in the order asked."""
        asked = [int(position) for position in positions]
        if section is Section.MEMORIES:
            memories = fetch_at(self.connection, self.scope, asked)
            return [memories[position] for position in asked]
        link = schema.link
        found = {
            row["seq"]: link_of(row) for row in rows_at(self.connection, self.scope.tenant, link.c.seq, asked)
        }
        return [found[position] for position in asked]

    def writes_of(self, positions: NDArray[np.int64]) -> list[int]:
        """Which write touched each of these memories last, counted from 1, in the order asked."""
        memory = schema.memory
        asked = [int(position) for position in positions]
        columns = (memory.c.seq, memory.c.change)
        rows = rows_at(self.connection, self.scope.tenant, memory.c.seq, asked, columns)
        found = {row["seq"]: row["change"] for row in rows}
        return [int(number) + 1 for number in np.searchsorted(self._changes, [found[each] for each in asked])]

    def portion(self, section: Section, after: Cursor, limit: int) -> Portion:
        """Up to `limit` rows of a section that follow a cursor."""
        if section is Section.MEMORIES:
            return self._memories(after, limit)
        if section is Section.ORIGINS:
            return self._origins(after, limit)
        if section is Section.ENTITIES:
            return self._entities(after, limit)
        table = _TABLES[section]
        key = table.c[_KEYS.get(section, "seq")]
        wanted = [table.c.tenant == self.scope.tenant]
        if section is Section.MARKS:
            wanted += _TAKEN_ALONG
        if after is not None:
            wanted.append(key > (blob(str(after)) if section is Section.INJECTIONS else after))
        statement = sa.select(table).where(*wanted).order_by(key).limit(limit)
        rows = self.connection.execute(statement).mappings().all()
        last = rows[-1][key.name] if rows else after
        return Portion(tuple(map(_MADE[section], rows)), text_id(last) if isinstance(last, bytes) else last)

    def _memories(self, after: Cursor, limit: int) -> Portion:
        memory, body = schema.memory, schema.body
        wanted = [visible(self.scope)]
        if after is not None:
            wanted.append(memory.c.seq > after)
        statement = (
            sa.select(memory.c.seq, memory.c.change, sa.func.length(body.c.content))
            .select_from(IN_PROJECT.join(body, together(body.c.memory_seq, memory.c.seq)))
            .where(*wanted)
        )
        found = self.connection.execute(statement.order_by(memory.c.seq).limit(limit)).all()
        sizes = np.cumsum([size for _, _, size in found])
        found = found[: max(int(np.searchsorted(sizes, _MOST_CHARACTERS, "right")), 1)]
        positions = [seq for seq, _, _ in found]
        memories = fetch_at(self.connection, self.scope, positions)
        signals = self._signals.read(positions)
        numbers = np.searchsorted(self._changes, [change for _, change, _ in found]) + 1
        rows = [
            StoredMemory(memories[seq], signals[seq], int(number))
            for seq, number in zip(positions, numbers, strict=True)
        ]
        return Portion(tuple(rows), positions[-1] if positions else after)

    def _entities(self, after: Cursor, limit: int) -> Portion:
        entity, encoder = schema.entity, schema.encoder
        wanted = [entity.c.tenant == self.scope.tenant, entity.c.vector.is_not(None)]
        if after is not None:
            wanted.append(entity.c.seq > after)
        statement = (
            sa.select(entity.c.seq, entity.c.name, encoder.c.id, entity.c.vector)
            .join(encoder, together(encoder.c.seq, entity.c.encoder_seq))
            .where(*wanted)
        )
        rows = self.connection.execute(statement.order_by(entity.c.seq).limit(limit)).all()
        made = tuple(EntityVector(name, by, bytes(vector)) for _, name, by, vector in rows)
        return Portion(made, rows[-1][0] if rows else after)

    def _origins(self, after: Cursor, limit: int) -> Portion:
        origin, project = schema.origin, schema.project
        wanted = [origin.c.tenant == self.scope.tenant]
        if after is not None:
            assert not isinstance(after, int | str)
            name, key = after[0], bytes.fromhex(after[1])
            later = sa.and_(project.c.name == name, origin.c.key > key)
            wanted.append(sa.or_(project.c.name > name, later))
        statement = (
            sa.select(project.c.name, origin.c.key, origin.c.logical_id)
            .join(project, together(project.c.seq, origin.c.project_seq))
            .where(*wanted)
        )
        rows = self.connection.execute(statement.order_by(project.c.name, origin.c.key).limit(limit))
        made = tuple(
            Origin(name, bytes(key), None if raw is None else text_id(raw)) for name, key, raw in rows
        )
        return Portion(made, (made[-1].project, made[-1].key.hex()) if made else after)

    @cached_property
    def _signals(self) -> SignalReader:
        return SignalReader(self.connection, self.scope.tenant, self.values)

    @cached_property
    def _changes(self) -> NDArray[np.int64]:
        """The distinct change numbers, ascending."""
        memory = schema.memory
        statement = sa.select(memory.c.change).distinct().where(memory.c.tenant == self.scope.tenant)
        return np.sort(np.fromiter(self.connection.execute(statement).scalars(), np.int64))


_TABLES: Final = {
    Section.PROJECTS: schema.project,
    Section.MEMORIES: schema.memory,
    Section.ENTITIES: schema.entity,
    Section.ORIGINS: schema.origin,
    Section.LINKS: schema.link,
    Section.AUDIT: schema.audit,
    Section.INJECTIONS: schema.injection,
    Section.MARKS: schema.mark,
}
_KEYS: Final = {Section.INJECTIONS: "id", Section.MARKS: "key"}
"""Columns by which sections without positions are ordered."""
_MADE: Final[dict[Section, Callable[[Any], SectionRow]]] = {
    Section.PROJECTS: lambda row: Project(row["name"], from_micros(row["created_at"])),
    Section.LINKS: link_of,
    Section.AUDIT: audit_line_of,
    Section.INJECTIONS: lambda row: StoredInjection(row["agent"], injection_of(row)),
    Section.MARKS: lambda row: Mark(row["key"], json.loads(row["value"])),
}
