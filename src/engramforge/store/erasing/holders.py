"""Which rows of a tenant still say what was forgotten: a search of every column that holds text, on either engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.storing.record import Remnant
from engramforge.store import schema
from engramforge.store.erasing.repetition import MOST_SHARED, Repetition
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


class Saying:
    """Who still says something of forgotten texts: memories, and other files.

    `contents`: the texts. What many memories say tells nothing of these.
    """

    def __init__(self, connection: Connection, scope: Scope, contents: Sequence[str]) -> None:
        self._connection = connection
        self._scope = scope
        self._spread = Counter[str]()
        self._is_rare = cache(self._few_have)
        self._having = cache(lambda part: [text for text in contents if part in text])

    def memories(self, parts: Sequence[str]) -> list[Remnant]:
        """The memories that say any of the parts themselves, as a neighbouring chunk or a quotation does; those first
        that repeat most. Those outside the scope are told without their ids."""
        holders = self._holders(parts)
        self._spread.update(part for holder in holders.values() for part in holder.parts())
        words = {
            logical_id: max(each.words() for each in holder.repeated.values())
            for logical_id, holder in holders.items()
            if self._is_telling(holder.repeated.values())
        }
        in_scope = sorted((each for each in words if holders[each].is_seen), key=lambda each: -words[each])
        told = [
            Remnant("memory", each, f"it repeats {words[each]:,} word{'s' * (words[each] != 1)} of it")
            for each in in_scope[:_MOST_MEMORIES]
        ]
        if further := in_scope[_MOST_MEMORIES:]:
            most = f"{words[further[0]]:,} words"
            told.append(Remnant("memory", "", f"{len(further):,} further memories repeat up to {most} of it"))
        if others := len(words) - len(in_scope):
            told.append(Remnant("memory", "", f"{others:,} memories of other agents repeat some of it"))
        return told

    def is_told_by(self, found: Iterable[tuple[str, str]]) -> bool:
        """Whether a file says something of them, by parts that it has and what stands around each; asked after
        `memories`."""
        repeated: dict[str, Repetition] = {}
        for part, text in found:
            self._note(repeated, part, text)
        return self._is_telling(repeated.values())

    def _note(self, repeated: dict[str, Repetition], part: str, other: str) -> None:
        """Note what another text, which has a part, repeats of the texts that have it."""
        for text in self._having(part):
            repeated.setdefault(text, Repetition(text)).find(part, other)

    def _is_telling(self, repeated: Iterable[Repetition]) -> bool:
        return any(each.is_telling(self._spread, self._is_rare) for each in repeated)

    def _holders(self, parts: Sequence[str]) -> dict[str, _Holder]:
        """The memories that say any of the parts, by logical id."""
        found: dict[str, _Holder] = {}
        for begin in range(0, len(parts), _AT_ONCE):
            asked = parts[begin : begin + _AT_ONCE]
            for logical_id, is_seen, texts in _saying(self._connection, self._scope, asked):
                holder = found.setdefault(logical_id, _Holder(False, {}))
                holder.is_seen |= is_seen
                for part, text in product(asked, texts):
                    if part in text:
                        self._note(holder.repeated, part, text)
        return found

    def _few_have(self, word: str) -> bool:
        """Whether few memories have a word."""
        found = _versions(self._connection, self._scope.tenant, [word]).distinct().limit(MOST_SHARED + 1)
        return len(self._connection.execute(found).all()) <= MOST_SHARED


@dataclass(slots=True)
class _Holder:
    """A memory that says parts of what was forgotten.

    `repeated`: what it repeats of each forgotten text.
    """

    is_seen: bool
    repeated: dict[str, Repetition]

    def parts(self) -> set[str]:
        """The parts that it says."""
        return {part for each in self.repeated.values() for part in each.stretches}


def _saying(
    connection: Connection, scope: Scope, parts: Sequence[str]
) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """Logical id, whether it is in scope, and texts of the versions that say one of a few parts."""
    statement = _versions(connection, scope.tenant, parts).add_columns(visible(scope), *_SAYING)
    for logical_id, is_seen, *texts in connection.execute(statement.order_by(schema.memory.c.seq)):
        yield text_id(logical_id), bool(is_seen), tuple(text for text in texts if text)


def _versions(connection: Connection, tenant: str, parts: Sequence[str]) -> sa.Select[tuple[bytes]]:
    """Logical ids of the versions that say one of a few parts."""
    memory, body, registry = schema.memory, schema.body, schema.registry
    joined = IN_PROJECT.join(body, together(body.c.memory_seq, memory.c.seq)).outerjoin(
        registry, together(registry.c.memory_seq, memory.c.seq)
    )
    says = sa.or_(*(_says(connection, column, part) for column in _SAYING for part in parts))
    return sa.select(memory.c.logical_id).select_from(joined).where(memory.c.tenant == tenant, says)


def _says(connection: Connection, column: sa.Column[str], part: str) -> sa.ColumnElement[bool]:
    """Whether a column has the part, letter for letter: LIKE would ignore case on one engine, and read `%` and `_`."""
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    return place(column, part) > 0
