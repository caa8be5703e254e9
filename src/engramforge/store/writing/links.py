"""Writes of links."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa

from engramforge.errors import NotFound, PlanOutdated
from engramforge.model.link import Link
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, to_micros
from engramforge.store import schema
from engramforge.store.reading.memories import fetch
from engramforge.store.reading.streams.walks import links_between
from engramforge.store.rows import blob, link_row, text_id
from engramforge.store.writing.ledger import Write


def link(write: Write, links: Sequence[Link], known: Collection[str] | None = None) -> None:
    """Write links; both ends must be in scope, and stay, or a forget could leave a link behind. See the door."""
    _write(write, links, write.scope, known)


def bind(write: Write, links: Sequence[Link]) -> None:
    """Write links that bind a copy's deletion; the targets may be anybody's in the tenant. See the door."""
    _write(write, links, Scope(write.tenant, every_agent=True))


def _write(
    write: Write, links: Sequence[Link], targets_in: Scope, known: Collection[str] | None = None
) -> None:
    if not links:
        return
    sources, targets = {each.source_id for each in links}, {each.target_id for each in links}
    write.ledger.hold(sorted(sources | targets))
    there = set(fetch(write.connection, write.scope, sources))
    others = targets - there
    missing = sorted((sources - there) | (others - set(fetch(write.connection, targets_in, others))))
    if missing:
        raise NotFound(f"A link names memories that do not exist: {', '.join(missing)}", "Check the ids")
    fresh = _not_there(write, links, known)
    if fresh:
        write.ledger.add(schema.link, [link_row(each, write.tenant) for each in fresh])
    write.doings.link(fresh)


def _not_there(write: Write, links: Sequence[Link], known: Collection[str] | None) -> list[Link]:
    """Those links that are not on record: since both ends are held, whoever wrote the same is done, or waits."""
    # A revision links a memory to itself, each time anew.
    between = [each for each in links if each.source_id != each.target_id]
    there = links_between(
        write.connection, write.scope, [(each.source_id, each.target_id) for each in between]
    )
    if known is not None:
        asked = {(each.source_id, each.target_id, each.relation) for each in between}
        if any(each.id not in known and _place(each)[:3] in asked for each in there):
            raise PlanOutdated("The same memories were linked meanwhile", "Repeat the call")
    places = set(map(_place, there))
    fresh: list[Link] = []
    for each in links:
        if each.source_id == each.target_id or _place(each) not in places:
            fresh.append(each)
            places.add(_place(each))
    return fresh


def _place(each: Link) -> tuple[str, str, str, datetime, datetime | None]:
    """What makes two links on record the same one."""
    return each.source_id, each.target_id, str(each.relation), each.valid_at, each.invalid_at


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
