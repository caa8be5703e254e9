"""Counts of what is in scope, and faults that show in the rows themselves."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.storing.record import StoreCounts
from engramforge.store import schema
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    IN_SESSION,
    admits_all,
    both_ends,
    together,
    visible,
)
from engramforge.store.reading.records import project_names
from engramforge.store.reading.source import Values
from engramforge.store.rows import IMPLIED
from engramforge.store.schema import body, memory, project, session

_CUES_BYTES: Final = 1
_MENTION_BYTES: Final = 10
"""Two keys and a place."""


def count(connection: Connection, scope: Scope, values: Values) -> StoreCounts:
    """How much is in scope."""
    current = (
        sa.select(memory.c.kind, project.c.name, sa.func.count(), sa.func.sum(values.octets(body.c.content)))
        .select_from(IN_PROJECT.join(body, together(body.c.memory_seq, memory.c.seq)))
        .where(visible(scope), *CURRENT)
        .group_by(memory.c.kind, project.c.name)
    )
    by_kind: dict[str, int] = {}
    by_project: dict[str, int] = {}
    content = 0
    for kind, name, number, length in connection.execute(current):
        by_kind[kind] = by_kind.get(kind, 0) + number
        by_project[name] = by_project.get(name, 0) + number
        content += int(length or 0)
    told = sa.case((~session.c.name.startswith(IMPLIED), session.c.seq))
    every = sa.select(sa.func.count(), sa.func.count(told.distinct())).select_from(IN_SESSION)
    versions, sessions = connection.execute(every.where(visible(scope))).one()
    link = schema.link
    in_scope = [link.c.tenant == scope.tenant] if admits_all(scope) else both_ends(scope)
    links = sa.select(sa.func.count()).select_from(link).where(*in_scope)
    return StoreCounts(
        memories=sum(by_kind.values()),
        versions=versions,
        projects=len(project_names(connection, scope)),
        sessions=sessions,
        links=connection.execute(links).scalar_one(),
        by_kind=dict(sorted(by_kind.items())),
        by_project=dict(sorted(by_project.items())),
        content_bytes=content,
        bytes_on_disk=values.bytes_on_disk(connection, scope.tenant),
    )


def embedding_bytes(connection: Connection, scope: Scope, values: Values) -> int:
    """What the embeddings of all versions of the tenant take: vectors, words, parts, mentions and entities.

    Counts the values only, not the engine's overhead for rows and indexes.
    """
    words, mention, entity = schema.embedding_words, schema.mention, schema.entity
    semantic, part = schema.embedding_semantic, schema.embedding_part
    blobs = (words.c.tokens, words.c.terms, words.c.counts, words.c.intervals)
    of_words = sum((sa.func.coalesce(values.octets(each), 0) for each in blobs), sa.literal(_CUES_BYTES))
    sums = (
        (semantic, values.vector_octets(semantic.c.vector)),
        (words, of_words),
        (part, values.octets(part.c.vector)),
        (mention, sa.literal(_MENTION_BYTES)),
        (entity, sa.func.coalesce(values.octets(entity.c.vector), 0) + sa.func.length(entity.c.name)),
    )
    total = 0
    for table, size in sums:
        statement = sa.select(sa.func.sum(size)).select_from(table).where(table.c.tenant == scope.tenant)
        total += int(connection.execute(statement).scalar() or 0)
    return total


def faults(connection: Connection, scope: Scope) -> list[str]:
    """Faults of the tenant's rows, in sentences."""
    found = []
    its_body = sa.exists().where(together(body.c.memory_seq, memory.c.seq))
    bare = sa.select(sa.func.count()).select_from(memory).where(memory.c.tenant == scope.tenant, ~its_body)
    lost = connection.execute(bare).scalar_one()
    if lost:
        found.append(f"{lost} memories have lost their content. Restore the store from a copy")
    several = (
        sa.select(memory.c.logical_id)
        .where(memory.c.tenant == scope.tenant, *CURRENT)
        .group_by(memory.c.logical_id)
        .having(sa.func.count() > 1)
        .subquery()
    )
    doubled = connection.execute(sa.select(sa.func.count()).select_from(several)).scalar_one()
    if doubled:
        found.append(f"{doubled} memories have two current versions. Revise each once to close the older one")
    return found
