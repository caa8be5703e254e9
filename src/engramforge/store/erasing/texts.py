"""Which rows of a tenant have some parts of a text, in whatever column: memories, links, the audit log, any other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.store import schema
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
        *(schema.memory_tag.c.tag, schema.entity.c.name),
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
    }
)
"""Columns with words that we chose."""
_OTHERS: Final = tuple(column for _, column in SEARCHED if column not in _ELSEWHERE | _WORDS_OF_OURS)


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of a row of which some has a part.

    `place`, `name`: a memory or link by its id, the reason or effect of a change by its subject, or a column by its
    table's name and its own. `is_seen`: whether the scope may see it. `is_label`: whether they are names rather than
    something said.
    """

    place: str
    name: str
    is_seen: bool
    is_label: bool
    texts: tuple[str, ...]


def having(connection: Connection, scope: Scope, parts: Sequence[str]) -> Iterator[Texts]:
    """The rows that have one of a few parts."""
    statement = versions(connection, scope.tenant, parts, labels=True)
    statement = statement.add_columns(visible(scope).label("is_seen"), *SAID, *_LABELS).order_by(
        schema.memory.c.seq
    )
    for row in connection.execute(statement).mappings():
        name, is_seen = text_id(row[schema.memory.c.logical_id]), row["is_seen"]
        yield Texts("memory", name, bool(is_seen), False, _plain([row[each] for each in SAID]))
        yield Texts("memory", name, bool(is_seen), True, _plain([row[each] for each in _LABELS]))
    link, audit = schema.link, schema.audit
    felt = sa.select(link.c.id, sa.and_(*both_ends(scope)), link.c.felt).order_by(link.c.seq)
    felt = felt.where(link.c.tenant == scope.tenant, has(connection, [link.c.felt], parts))
    for link_id, is_seen, text in connection.execute(felt):
        yield Texts("link", text_id(link_id), bool(is_seen), False, _plain([text]))
    changes = sa.select(audit.c.subject, audit.c.agent, *_OF_CHANGES).order_by(audit.c.seq)
    changes = changes.where(audit.c.tenant == scope.tenant, has(connection, _OF_CHANGES, parts))
    for subject, agent, reason, effect in connection.execute(changes):
        is_seen = agent == scope.agent or admits_all(scope)
        yield Texts("reason", subject, is_seen, False, _plain([reason]))
        yield Texts("effect", subject, is_seen, True, _plain([effect]))
    for column in _OTHERS:
        kinds = sa.select(column.label("text")).distinct().where(column.table.c.tenant == scope.tenant)
        few = kinds.cte("few").prefix_with("MATERIALIZED")
        asked = sa.select(few.c.text).where(has(connection, [few.c.text], parts))
        for (text,) in connection.execute(asked):
            yield Texts("column", f"{column.table.name}.{column.name}", True, True, _plain([text]))


def versions(
    connection: Connection, tenant: str, parts: Sequence[str], *, labels: bool = False
) -> sa.Select[tuple[bytes]]:
    """Logical ids of the versions that say one of a few parts, or are known by it."""
    memory, body, chunk, registry = schema.memory, schema.body, schema.chunk, schema.registry
    joined = (
        IN_SESSION.join(body, together(body.c.memory_seq, memory.c.seq))
        .outerjoin(chunk, together(chunk.c.memory_seq, memory.c.seq))
        .outerjoin(registry, together(registry.c.memory_seq, memory.c.seq))
    )
    its, found = memory.c.tenant == tenant, sa.select(memory.c.logical_id).select_from(joined)
    if not labels:
        return found.where(its, has(connection, SAID, parts))
    content, first, *others = (*SAID, *_LABELS)
    short: Any = sa.func.coalesce(first, "")
    for column in others:
        short = short.concat(sa.literal_column("'\n'")).concat(sa.func.coalesce(column, ""))
    # Short ones are made one text, and that once: a search of each column for each part takes longer.
    made = sa.select(memory.c.seq, short.label("text")).select_from(joined).where(its)
    rest = made.cte("rest").prefix_with("MATERIALIZED")
    in_rest = sa.select(rest.c.seq).where(has(connection, [rest.c.text], parts))
    return found.where(its, has(connection, [content], parts) | memory.c.seq.in_(in_rest))


def has(
    connection: Connection, columns: Sequence[sa.ColumnElement[Any]], parts: Sequence[str]
) -> sa.ColumnElement[bool]:
    """Whether one of some columns has one of some parts, letter for letter: LIKE would ignore case on one engine, and
    read `%` and `_`."""
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    return sa.or_(*(place(column, part) > 0 for column in columns for part in parts))


def _plain(texts: Sequence[str | None]) -> tuple[str, ...]:
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
