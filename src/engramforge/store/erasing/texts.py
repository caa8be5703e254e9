"""Which rows of a tenant have some parts of a text, in whatever column: memories, links, the audit log, any other."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.store import schema
from engramforge.store.erasing.finding import Finder
from engramforge.store.reading.predicates import IN_SESSION, admits_all, both_ends, together, visible
from engramforge.store.rows import text_id

SEARCHED: Final = tuple(
    (table, column)
    for table in sorted(schema.tables.sorted_tables, key=lambda table: table.name != "body")
    for column in table.columns
    if isinstance(column.type, sa.Text) and column.name != "tenant"
)
"""Every column that holds text; first those that are most likely to have one."""
SAID: Final = (
    *(schema.body.c[name] for name in ("content", "name", "extra", "emotion_vector")),
    schema.registry.c.details,
)
"""Where a memory says something of its own."""
_LABELS: Final = (
    *(schema.memory.c.speaker, schema.session.c.name, schema.chunk.c.file_path),
    *(schema.registry.c[name] for name in ("conversations", "continuation", "local_id", "entry_id")),
)
"""What else a memory is known by."""
_OF_CHANGES: Final = (schema.audit.c.reason, schema.audit.c.effect)
_ELSEWHERE: Final = frozenset(
    {
        *(*SAID, *_LABELS, *_OF_CHANGES, schema.link.c.felt, schema.audit.c.subject),
        *(schema.registry.c.conversation, schema.entry_conversation.c.conversation),
        *(schema.memory_file.c.file_path, schema.memory_tag.c.tag, schema.entity.c.name),
        *(schema.memory_goal.c.goal, schema.memory_emotion.c.emotion),
    }
)
"""Columns that are asked with their memory, link or change, and those that repeat one of these."""
_WORDS_OF_OURS: Final = frozenset(
    {
        *(schema.store.c.key, schema.store.c.value, schema.encoder.c.id, schema.embedding_part.c.space),
        *(schema.registry.c[name] for name in ("kind", "status")),
        *(schema.memory.c[name] for name in ("kind", "level", "resolution_state", "invalidation_reason")),
        *(schema.link.c[name] for name in ("relation", "resolution_state", "invalidation_reason")),
        schema.audit.c.action,
        *(schema.injection.c[name] for name in ("event", "cause", "memories")),
    }
)
"""Columns with words that we chose."""
_OTHERS: Final = tuple(column for _, column in SEARCHED if column not in _ELSEWHERE | _WORDS_OF_OURS)
_WHOLE: Final = (
    IN_SESSION.join(schema.body, together(schema.body.c.memory_seq, schema.memory.c.seq))
    .outerjoin(schema.chunk, together(schema.chunk.c.memory_seq, schema.memory.c.seq))
    .outerjoin(schema.registry, together(schema.registry.c.memory_seq, schema.memory.c.seq))
)
"""Memories with all tables that say something of their own."""
_ROWS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of a row that has a part.

    `place`, `name`: a memory or link by its id, the reason or effect of a change by its subject, or a column by its
    table's name and its own. `is_seen`: whether the scope may see it. `is_label`: whether they are names rather than
    something said.
    """

    place: str
    name: str
    is_seen: bool
    is_label: bool
    texts: tuple[str, ...]


Held = Iterator[list[tuple[Texts, set[str]]]]
"""Texts with the parts that are in their row, in batches."""


def having(connection: Connection, scope: Scope, finder: Finder) -> Held:
    """The rows that have one of some parts, each read once."""
    short = (*SAID, *_LABELS)
    memories = sa.select(schema.memory.c.logical_id, visible(scope).label("is_seen"), *short)
    memories = memories.select_from(_WHOLE).where(schema.memory.c.tenant == scope.tenant)
    for found in finder.among(_read(connection, memories), _texts_from(2)):
        yield [
            (Texts("memory", text_id(row[0]), bool(row[1]), is_label, plain(row[begin:end])), parts)
            for row, parts in found
            for is_label, begin, end in ((False, 2, 2 + len(SAID)), (True, 2 + len(SAID), None))
        ]
    link, audit = schema.link, schema.audit
    felt = sa.select(link.c.id, sa.and_(*both_ends(scope)), link.c.felt).where(link.c.tenant == scope.tenant)
    for found in finder.among(_read(connection, felt), _texts_from(2)):
        yield [
            (Texts("link", text_id(row[0]), bool(row[1]), False, plain(row[2:])), parts)
            for row, parts in found
        ]
    changes = sa.select(audit.c.subject, audit.c.agent, *_OF_CHANGES).where(audit.c.tenant == scope.tenant)
    for found in finder.among(_read(connection, changes), _texts_from(2)):
        yield [
            (Texts(place, subject, agent == scope.agent or admits_all(scope), is_label, plain([text])), parts)
            for (subject, agent, reason, effect), parts in found
            for place, is_label, text in (("reason", False, reason), ("effect", True, effect))
        ]
    for column in _OTHERS:
        kinds = sa.select(column).distinct().where(column.table.c.tenant == scope.tenant, column.is_not(None))
        name = f"{column.table.name}.{column.name}"
        for found in finder.among(_read(connection, kinds), _texts_from(0)):
            yield [(Texts("column", name, True, True, plain(row)), parts) for row, parts in found]


def wanted(connection: Connection, tenant: str, parts: Collection[str]) -> set[str]:
    """Those of the parts that any row of the tenant has, and so are no trace of a deleted one."""
    left = set(parts)
    for table in dict.fromkeys(table for table, _ in SEARCHED):
        if not left:
            break
        texts = sa.select(*(column for its, column in SEARCHED if its is table))
        rows = _read(connection, texts.where(table.c.tenant == tenant))
        for found in Finder(left).among(rows, _texts_from(0)):
            left = left.difference(*(its for _, its in found))
    return set(parts) - left


def versions(connection: Connection, tenant: str, part: str) -> sa.Select[tuple[bytes]]:
    """Logical ids of the versions that say a part, letter for letter: LIKE would ignore case on one engine, and read
    `%` and `_`."""
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    says = sa.or_(*(place(column, part) > 0 for column in SAID))
    found = sa.select(schema.memory.c.logical_id).select_from(_WHOLE)
    return found.where(schema.memory.c.tenant == tenant, says)


def _read(connection: Connection, statement: sa.Select[Any]) -> Iterable[Any]:
    """The rows of a statement, some at a time."""
    return connection.execute(statement.execution_options(yield_per=_ROWS))


def _texts_from(begin: int) -> Callable[[Sequence[Any]], str]:
    """The texts of a row from a column on, as lines."""
    return lambda row: "\n".join(text for text in row[begin:] if text)


def plain(texts: Iterable[str | None]) -> tuple[str, ...]:
    """Texts as somebody wrote them; of JSON also what it holds, without its escapes."""
    found: list[str] = []
    for text in filter(None, texts):
        if text[0] in "{[":
            # It may only look like JSON.
            with suppress(ValueError, RecursionError):
                found += _strings(json.loads(text))
        found.append(text)
    return tuple(found)


def _strings(value: Any) -> Iterator[str]:
    """The strings that a value of JSON holds, names of fields, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
