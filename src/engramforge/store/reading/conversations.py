"""Conversations: which ones there are, and the one whose id begins so."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Captured, Scope
from engramforge.model.time import from_micros
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import CURRENT, IN_SESSION, visible
from engramforge.store.reading.shortened import only
from engramforge.store.rows import IMPLIED
from engramforge.store.schema import memory, project, session

_TITLE_CHARACTERS: Final = 200
_LEAST: Final = 6
"""The least characters of a beginning."""


def conversations(connection: Connection, scope: Scope, limit: int, offset: int = 0) -> list[Captured]:
    """The conversations of a scope; see the door."""
    last = sa.func.max(memory.c.valid_at)
    its = (session.c.name, project.c.name)
    statement = (
        sa.select(*its, sa.func.count(), sa.func.min(memory.c.valid_at), last, sa.func.min(memory.c.seq))
        .select_from(IN_SESSION)
        .where(visible(scope), ~session.c.name.startswith(IMPLIED), *CURRENT)
        .group_by(*its)
        .order_by(last.desc(), *its)
    )
    rows = connection.execute(statement.limit(limit).offset(offset)).all()
    begun = fetch_at(connection, scope, [row[-1] for row in rows])
    found = []
    for name, where, number, first_at, last_at, first in rows:
        title = str(begun[first].metadata.get("conversation") or begun[first].content)
        line = " ".join(title[: 2 * _TITLE_CHARACTERS].split())[:_TITLE_CHARACTERS]
        found.append(Captured(name, where, line, number, from_micros(first_at), from_micros(last_at)))
    return found


def whole_conversation(connection: Connection, scope: Scope, asked: str) -> str:
    """The conversation whose id begins so; see the door."""
    if len(asked) < _LEAST:
        return asked
    names = sa.select(session.c.name).select_from(IN_SESSION).where(visible(scope))
    named = names.where(session.c.name == asked).limit(1)
    if connection.execute(named).first() is not None:
        return asked
    begins = names.where(session.c.name.startswith(asked, autoescape=True))
    return only(connection, begins, session.c.name, asked)
