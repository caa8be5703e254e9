"""Writes of a move: rows that come from another store, exactly as they were there. Nothing is checked or completed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
import sqlalchemy as sa

from engramforge.model.scope import Project
from engramforge.model.storing.record import Entry
from engramforge.model.storing.section import EntityVector, Origin, Section, SectionRow, StoredMemory
from engramforge.model.time import from_micros
from engramforge.store import schema
from engramforge.store.rows import audit_row, blob, dump, link_row
from engramforge.store.writing.embeddings import place_entities
from engramforge.store.writing.injections import row_of
from engramforge.store.writing.ledger import Row, Write
from engramforge.store.writing.memories import insert_as, project_key


def restore(write: Write, section: Section, rows: Sequence[SectionRow]) -> None:
    """Write rows of a section as they were; see the door."""
    if not rows:
        return
    if section is Section.PROJECTS:
        for project in cast("Sequence[Project]", rows):
            project_key(write, project.name, project.created_at)
    elif section is Section.MEMORIES:
        stored = cast("Sequence[StoredMemory]", rows)
        entries = [Entry(each.memory, each.embedding) for each in stored]
        # Under the numbers of their writes until `settle`.
        insert_as(write, entries, [each.write for each in stored])
    elif section is Section.ENTITIES:
        _restore_entities(write, cast("Sequence[EntityVector]", rows))
    else:
        table, row_of = _MADE[section]
        write.ledger.add(table, [{"tenant": write.tenant, **row_of(write, row)} for row in rows])


def _restore_entities(write: Write, rows: Sequence[EntityVector]) -> None:
    by_encoder: dict[tuple[str, int], list[EntityVector]] = {}
    for row in rows:
        by_encoder.setdefault((row.encoder, len(row.vector)), []).append(row)
    for (encoder, _), its in by_encoder.items():
        vectors = np.array([np.frombuffer(row.vector, np.int8) for row in its])
        place_entities(write, encoder, [row.name for row in its], vectors)


def adopt(write: Write, store_id: str) -> None:
    """Be that store from now on."""
    store = schema.store
    whose = (store.c.tenant == write.tenant, store.c.key == "store_id")
    write.connection.execute(sa.update(store).where(*whose).values(value=store_id))
    write.adopted = store_id


def settle(write: Write) -> None:
    """Give restored memories change numbers of this store, so that every reader notices them."""
    memory = schema.memory
    of_tenant = memory.c.tenant == write.tenant
    count = write.connection.execute(sa.select(sa.func.max(memory.c.change)).where(of_tenant)).scalar()
    if count:
        before = write.ledger.draw_changes(int(count)) - 1
        write.connection.execute(sa.update(memory).where(of_tenant).values(change=memory.c.change + before))


def discard(write: Write) -> None:
    """Remove every row of the tenant but the store's identity."""
    for table in reversed(write.ledger.tables):
        if table.name != schema.store.name:
            write.connection.execute(sa.delete(table).where(table.c.tenant == write.tenant))


def _origin_row(write: Write, origin: Origin) -> Row:
    return {
        # It exists, since projects come first.
        "project_seq": project_key(write, origin.project, from_micros(0)),
        "key": origin.key,
        "logical_id": None if origin.logical_id is None else blob(origin.logical_id),
    }


_MADE: Final[Mapping[Section, tuple[sa.Table, Callable[[Write, Any], Row]]]] = {
    Section.ORIGINS: (schema.origin, _origin_row),
    Section.LINKS: (schema.link, lambda write, link: link_row(link, write.tenant)),
    Section.AUDIT: (schema.audit, lambda write, line: audit_row(line, write.tenant)),
    Section.INJECTIONS: (schema.injection, lambda _, its: row_of(its.injection, its.agent)),
    Section.MARKS: (schema.mark, lambda _, mark: {"key": mark.key, "value": dump(dict(mark.value))}),
}
