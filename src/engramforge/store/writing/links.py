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
from engramforge.store.reading.predicates import portions, raw_ids
from engramforge.store.reading.streams.walks import links_between
from engramforge.store.rows import link_row, text_id
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


def expire_link(write: Write, link_id: str | Sequence[str], at: datetime, reason: InvalidationReason) -> None:
    """Close the recorded interval of links; refused if one is not open, or not in scope.

    Of two who close one at once the second finds it closed.
    """
    link = schema.link
    values = {"expired_at": to_micros(at), "invalidation_reason": str(reason)}
    asked_for = [link_id] if isinstance(link_id, str) else link_id
    wanted = raw_ids(asked_for)
    if strange := [each for each in asked_for if not raw_ids([each])]:
        raise _not_open(strange[0])
    for portion in portions(wanted):
        is_open = (link.c.tenant == write.tenant, link.c.id.in_(portion), link.c.expired_at.is_(None))
        asked = sa.select(link.c.id, link.c.source_id, link.c.target_id).where(*is_open).order_by(link.c.seq)
        rows = write.connection.execute(write.ledger.holding(asked, link, "change")).all()
        ends = {text_id(raw): (text_id(source), text_id(target)) for raw, source, target in rows}
        there = fetch(write.connection, write.scope, {end for both in ends.values() for end in both})
        for raw in portion:
            name = text_id(raw)
            if name not in ends or not there.keys() >= set(ends[name]):
                raise _not_open(wanted[raw])
            write.doings.unlink(name, ends[name][0])
        write.connection.execute(sa.update(link).where(*is_open).values(values))


def _not_open(link_id: str) -> NotFound:
    return NotFound(f"There is no open link {link_id}", "List the links of one of its memories")
