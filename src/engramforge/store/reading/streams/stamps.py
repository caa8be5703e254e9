"""Reading what changes with every write, by which a kept answer is known to hold still."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK
from engramforge.store.reading.encoders import ENCODERS_MARK
from engramforge.store.schema import audit, link, mark, memory

_RECENT: Final = 1_000
"""How many lines of the audit log back to look for one that was numbered before others but committed after them: the
lines of a write are numbered as it commits."""


def stamp(connection: Connection, scope: Scope) -> str:
    """What changes with every write of content to the tenant; see the door."""
    return "/".join(map(str, connection.execute(_stamp(scope.tenant)).one()))


@lru_cache(maxsize=16)
def _stamp(tenant: str) -> sa.Select[Any]:
    """The newest line of the audit log, and how many there are just before it; the newest memory and link, for what is
    restored has a line for many; and by what memories are compared."""
    recent = sa.select(audit.c.seq).where(
        audit.c.tenant == tenant, audit.c.seq > sa.func.coalesce(_last(audit, tenant), 0) - _RECENT
    )
    counted = sa.select(sa.func.count()).select_from(recent.subquery()).scalar_subquery()
    marks = [
        sa.select(mark.c.value).where(mark.c.tenant == tenant, mark.c.key == key).scalar_subquery()
        for key in (ENCODERS_MARK, CALIBRATIONS_MARK)
    ]
    return sa.select(_last(audit, tenant), counted, _last(memory, tenant), _last(link, tenant), *marks)


def _last(table: sa.Table, tenant: str) -> sa.ScalarSelect[Any]:
    """The last number, found at the end of the table's key."""
    newest = sa.select(table.c.seq).where(table.c.tenant == tenant).order_by(table.c.seq.desc()).limit(1)
    return newest.scalar_subquery()
