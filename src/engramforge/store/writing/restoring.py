"""Writes of a move: rows that come from another store, exactly as they were there. Mixed into `StoreTransaction`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.link import Link
from engramforge.model.project import Project
from engramforge.model.scope import Scope
from engramforge.model.storing.record import AuditEntry, Entry
from engramforge.model.storing.section import EntityVector, Mark, Origin, Section, SectionRow, StoredMemory
from engramforge.model.time import from_micros
from engramforge.store import schema
from engramforge.store.rows import audit_row, blob, dump, link_row


class RestoringWrites:
    """The verbs of a move; see `store.door.Transaction`."""

    _connection: Connection
    _scope: Scope
    adopted: str | None = None
    """The identity that the store took on, for the engine to tell after the commit."""

    def insert(self, entries: Sequence[Entry], writes: Sequence[int] | None = None) -> None:
        """Write versions with all that belongs to them."""
        raise NotImplementedError

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        raise NotImplementedError

    def _project_key(self, name: str, at: Any) -> int:
        raise NotImplementedError

    def place_entities(self, encoder: str, names: Sequence[str], vectors: NDArray[np.int8]) -> None:
        """Put vectors to mentioned entities."""
        raise NotImplementedError

    def _draw_changes(self, count: int) -> int:
        """The first of so many change numbers, all greater than those that are committed."""
        raise NotImplementedError

    @property
    def all_tables(self) -> Sequence[sa.Table]:
        """Every table, each after those that it points to."""
        return schema.tables.sorted_tables

    def restore(self, section: Section, rows: Sequence[SectionRow]) -> None:
        """Write rows of a section as they were; see the door."""
        if not rows:
            return
        if section is Section.PROJECTS:
            for project in cast("Sequence[Project]", rows):
                self._project_key(project.name, project.created_at)
        elif section is Section.MEMORIES:
            stored = cast("Sequence[StoredMemory]", rows)
            entries = [Entry(memory.memory, memory.embedding) for memory in stored]
            self.insert(entries, [memory.write for memory in stored])
        elif section is Section.ENTITIES:
            self._restore_entities(cast("Sequence[EntityVector]", rows))
        else:
            made = {
                Section.ORIGINS: (schema.origin, self._origin_row),
                Section.LINKS: (schema.link, self._link_row),
                Section.AUDIT: (schema.audit, self._audit_row),
                Section.MARKS: (schema.mark, self._mark_row),
            }
            table, row_of = made[section]
            self._add(table, [row_of(row) for row in rows])  # type: ignore[operator]

    def _restore_entities(self, rows: Sequence[EntityVector]) -> None:
        by_encoder: dict[tuple[str, int], list[EntityVector]] = {}
        for row in rows:
            by_encoder.setdefault((row.encoder, len(row.vector)), []).append(row)
        for (encoder, _), its in by_encoder.items():
            vectors = np.array([np.frombuffer(row.vector, np.int8) for row in its])
            self.place_entities(encoder, [row.name for row in its], vectors)

    def adopt(self, store_id: str) -> None:
        """Be that store from now on."""
        store, tenant = schema.store, self._scope.tenant
        whose = (store.c.tenant == tenant, store.c.key == "store_id")
        self._connection.execute(sa.update(store).where(*whose).values(value=store_id))
        self.adopted = store_id

    def settle(self) -> None:
        """Give restored memories change numbers of this store, so that every reader notices them."""
        memory = schema.memory
        of_tenant = memory.c.tenant == self._scope.tenant
        count = self._connection.execute(sa.select(sa.func.max(memory.c.change)).where(of_tenant)).scalar()
        if count:
            before = self._draw_changes(int(count)) - 1
            moved = sa.update(memory).where(of_tenant).values(change=memory.c.change + before)
            self._connection.execute(moved)

    def discard(self) -> None:
        """Remove every row of the tenant but the store's identity."""
        for table in reversed(self.all_tables):
            if table.name != schema.store.name:
                self._connection.execute(sa.delete(table).where(table.c.tenant == self._scope.tenant))

    def _origin_row(self, origin: Origin) -> dict[str, Any]:
        return {
            "tenant": self._scope.tenant,
            # It is there: projects come first.
            "project_seq": self._project_key(origin.project, from_micros(0)),
            "key": origin.key,
            "logical_id": None if origin.logical_id is None else blob(origin.logical_id),
        }

    def _link_row(self, link: Link) -> dict[str, Any]:
        return link_row(link, self._scope.tenant)

    def _audit_row(self, line: AuditEntry) -> dict[str, Any]:
        return audit_row(line, self._scope.tenant)

    def _mark_row(self, mark: Mark) -> dict[str, Any]:
        return {"tenant": self._scope.tenant, "key": mark.key, "value": dump(dict(mark.value))}
