"""Writes of links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from engramforge.errors import NotFound
from engramforge.model.link import Link
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, to_micros
from engramforge.store import schema
from engramforge.store.reading.memories import fetch
from engramforge.store.rows import blob, link_row, text_id
from engramforge.store.writing.ledger import Write


def link(write: Write, links: Sequence[Link]) -> None:
    """Write links; both ends must be in scope, and stay, or a forget could leave a link behind."""
    _write(write, links, write.scope)


def bind(write: Write, links: Sequence[Link]) -> None:
    """Write links that bind a copy's deletion; the targets may be anybody's in the tenant. See the door."""
    _write(write, links, Scope(write.tenant, every_agent=True))


def _write(write: Write, links: Sequence[Link], targets_in: Scope) -> None:
    if not links:
        return
    sources, targets = {each.source_id for each in links}, {each.target_id for each in links}
    write.ledger.hold(sorted(sources | targets))
    there = set(fetch(write.connection, write.scope, sources))
    others = targets - there
    missing = sorted((sources - there) | (others - set(fetch(write.connection, targets_in, others))))
    if missing:
        raise NotFound(f"A link names memories that do not exist: {', '.join(missing)}", "Check the ids")
    write.ledger.add(schema.link, [link_row(each, write.tenant) for each in links])
    write.doings.link(links)


def expire_link(write: Write, link_id: str, at: datetime, reason: InvalidationReason) -> None:
    """Close a link's recorded interval; refused if it is not open, or not in scope.

    Of two who close it at once the second finds it closed.
    """
    link = schema.link
    is_open = (link.c.tenant == write.tenant, link.c.id == blob(link_id), link.c.expired_at.is_(None))
    asked = sa.select(link.c.source_id, link.c.target_id).where(*is_open)
    ends = write.connection.execute(write.ledger.holding(asked, link, "change")).first()
    both = [] if ends is None else [text_id(end) for end in ends]
    if not both or len(fetch(write.connection, write.scope, both)) < len(set(both)):
        raise NotFound(f"There is no open link {link_id}", "List the links of one of its memories")
    values = {"expired_at": to_micros(at), "invalidation_reason": str(reason)}
    write.connection.execute(sa.update(link).where(*is_open).values(values))
    write.doings.unlink(text_id(blob(link_id)), both[0])
