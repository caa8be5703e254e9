"""Counts of what is in scope, and faults that show in the rows themselves, on either engine."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.storing.record import StoreCounts
from engramforge.store import schema
from engramforge.store.reading import memories as reading
from engramforge.store.reading import projects as project_reading
from engramforge.store.reading.memories import together, visible

_memory, _body, _project = schema.memory, schema.body, schema.project
_CUES_BYTES: Final = 1
_MENTION_BYTES: Final = 10
"""Two keys and a place."""
_FRAME = _memory.join(_project, together(_project.c.seq, _memory.c.project_seq))


def count(connection: Connection, scope: Scope, bytes_on_disk: int) -> StoreCounts:
    """How much is in scope."""
    is_sqlite = connection.dialect.name == "sqlite"
    # SQLite's length() counts the characters of a text and the bytes of a blob.
    size = (
        sa.func.length(sa.cast(_body.c.content, sa.LargeBinary))
        if is_sqlite
        else sa.func.octet_length(_body.c.content)
    )
    current = (
        sa.select(_memory.c.kind, _project.c.name, sa.func.count(), sa.func.sum(size))
        .select_from(_FRAME.join(_body, together(_body.c.memory_seq, _memory.c.seq)))
        .where(visible(scope), _memory.c.expired_at.is_(None), _memory.c.invalid_at.is_(None))
        .group_by(_memory.c.kind, _project.c.name)
    )
    by_kind: dict[str, int] = {}
    by_project: dict[str, int] = {}
    content = 0
    for kind, name, number, length in connection.execute(current):
        by_kind[kind] = by_kind.get(kind, 0) + number
        by_project[name] = by_project.get(name, 0) + number
        content += int(length or 0)
    every = sa.select(sa.func.count(), sa.func.count(_memory.c.session_seq.distinct())).select_from(_FRAME)
    versions, sessions = connection.execute(every.where(visible(scope))).one()
    link = schema.link
    in_scope = [link.c.tenant == scope.tenant] if reading.admits_all(scope) else reading.both_ends(scope)
    links = sa.select(sa.func.count()).select_from(link).where(*in_scope)
    return StoreCounts(
        memories=sum(by_kind.values()),
        versions=versions,
        projects=len(project_reading.project_names(connection, scope)),
        sessions=sessions,
        links=connection.execute(links).scalar_one(),
        by_kind=dict(sorted(by_kind.items())),
        by_project=dict(sorted(by_project.items())),
        content_bytes=content,
        bytes_on_disk=bytes_on_disk,
    )


def embedding_bytes(connection: Connection, scope: Scope) -> int:
    """What the embeddings of all versions of the tenant take: vectors, words, parts, mentions and entities.

    Of the values alone, without the engine's own account of rows and indexes.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    length = sa.func.length if is_sqlite else sa.func.octet_length
    words, mention, entity = schema.embedding_words, schema.mention, schema.entity
    semantic, part = schema.embedding_semantic, schema.embedding_part
    # halfvec keeps two bytes for a component where SQLite keeps one.
    of_vector = length(semantic.c.vector) if is_sqlite else sa.func.pg_column_size(semantic.c.vector)
    blobs = (words.c.tokens, words.c.terms, words.c.counts, words.c.intervals)
    of_words = sum((sa.func.coalesce(length(blob), 0) for blob in blobs), sa.literal(_CUES_BYTES))
    sums = (
        (semantic, of_vector),
        (words, of_words),
        (part, length(part.c.vector)),
        (mention, sa.literal(_MENTION_BYTES)),
        (entity, sa.func.coalesce(length(entity.c.vector), 0) + length(entity.c.name)),
    )
    total = 0
    for table, size in sums:
        statement = sa.select(sa.func.sum(size)).select_from(table).where(table.c.tenant == scope.tenant)
        total += int(connection.execute(statement).scalar() or 0)
    return total


def faults(connection: Connection, scope: Scope) -> list[str]:
    """What is wrong with the tenant's rows, in sentences."""
    found = []
    its_body = sa.exists().where(together(_body.c.memory_seq, _memory.c.seq))
    bare = sa.select(sa.func.count()).select_from(_memory).where(_memory.c.tenant == scope.tenant, ~its_body)
    lost = connection.execute(bare).scalar_one()
    if lost:
        found.append(f"{lost} memories have lost their content. Restore the store from a copy")
    current = (_memory.c.expired_at.is_(None), _memory.c.invalid_at.is_(None))
    several = (
        sa.select(_memory.c.logical_id)
        .where(_memory.c.tenant == scope.tenant, *current)
        .group_by(_memory.c.logical_id)
        .having(sa.func.count() > 1)
        .subquery()
    )
    doubled = connection.execute(sa.select(sa.func.count()).select_from(several)).scalar_one()
    if doubled:
        found.append(f"{doubled} memories have two current versions. Revise each once to close the older one")
    return found
