"""Which rows of a tenant still say what was forgotten: a search of every column that holds text, on either engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.storing.record import Remnant
from engramforge.store import schema
from engramforge.store.reading.predicates import IN_PROJECT, together, visible
from engramforge.store.rows import text_id

SEARCHED: Final = tuple(
    (table, column)
    for table in sorted(schema.tables.sorted_tables, key=lambda table: table.name != "body")
    for column in table.columns
    if isinstance(column.type, sa.Text) and column.name != "tenant"
)
"""Every column that holds text; first those that are most likely to have one."""
_SAYING: Final = (schema.body.c.content, schema.body.c.name, schema.registry.c.details)
"""Where a memory says something of its own; what else it has are labels."""
_AT_ONCE: Final = 50
_MOST_MEMORIES: Final = 20
_MOST_SHARED: Final = 5
"""A distinctive word that more memories than these have is none."""


def wanted(connection: Connection, tenant: str, parts: Collection[str]) -> set[str]:
    """Those of the parts that any row of the tenant has, and so are no trace of a deleted one."""
    left = list(parts)
    for table, column in SEARCHED:
        found = set()
        for part in left:
            asked = sa.select(sa.literal(1)).where(table.c.tenant == tenant, _says(connection, column, part))
            if connection.execute(asked.limit(1)).first() is not None:
                found.add(part)
        left = [part for part in left if part not in found]
    return set(parts) - set(left)


def still_saying(connection: Connection, scope: Scope, parts: Sequence[str]) -> list[Remnant]:
    """The memories that say any of the parts themselves, as a neighbouring chunk or a quotation does.

    Those outside the scope are told without their ids.
    """
    said: dict[str, set[str]] = {}
    seen: set[str] = set()
    for begin in range(0, len(parts), _AT_ONCE):
        asked = parts[begin : begin + _AT_ONCE]
        for logical_id, is_seen, texts in _saying(connection, scope, asked):
            found = {part for part in asked if any(part in text for text in texts)}
            said.setdefault(logical_id, set()).update(found)
            seen |= {logical_id} if is_seen else set()
    spread = Counter(part for found in said.values() for part in found)
    kept = [
        logical_id
        for logical_id, found in said.items()
        if any(" " in part or spread[part] <= _MOST_SHARED for part in found)
    ]
    in_scope = [each for each in kept if each in seen]
    same = "say the same, or a part of it"
    told = [
        Remnant("memory", each, "it says the same, or a part of it") for each in in_scope[:_MOST_MEMORIES]
    ]
    if (more := len(in_scope) - _MOST_MEMORIES) > 0:
        told.append(Remnant("memory", "", f"{more:,} further memories {same}"))
    if others := len(kept) - len(in_scope):
        told.append(Remnant("memory", "", f"{others:,} memories of other agents {same}"))
    return told


def _saying(
    connection: Connection, scope: Scope, parts: Sequence[str]
) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """Logical id, whether it is in scope, and texts of the versions that say one of a few parts."""
    memory, body, registry = schema.memory, schema.body, schema.registry
    says = sa.or_(*(_says(connection, column, part) for column in _SAYING for part in parts))
    statement = (
        sa.select(memory.c.logical_id, visible(scope), *_SAYING)
        .select_from(
            IN_PROJECT.join(body, together(body.c.memory_seq, memory.c.seq)).outerjoin(
                registry, together(registry.c.memory_seq, memory.c.seq)
            )
        )
        .where(memory.c.tenant == scope.tenant, says)
        .order_by(memory.c.seq)
    )
    for logical_id, is_seen, *texts in connection.execute(statement):
        yield text_id(logical_id), bool(is_seen), tuple(text for text in texts if text)


def _says(connection: Connection, column: sa.Column[str], part: str) -> sa.ColumnElement[bool]:
    """Whether a column has the part, letter for letter: LIKE would ignore case on one engine, and read `%` and `_`."""
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    return place(column, part) > 0
