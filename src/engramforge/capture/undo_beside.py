"""What an undo takes back beside records: links that the change wrote between memories, and use counters of entries.

A change records its links at the very time of one of its records (registries/entry_changes), by which they are known to
belong to it. Links between versions of one memory stay: they tell its history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.errors import Conflict
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import AuditEntry
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.model.timeline import Undone
from engramforge.registries.decisions.decision_use import Use, carry, read_use_line, uncarry, use_line
from engramforge.store.door import Door, Transaction
from engramforge.writing.intake import new_id


@dataclass(frozen=True, slots=True)
class ChangedLinks:
    """The links that a change wrote and those that it ended, between different memories."""

    written: tuple[Link, ...] = ()
    ended: tuple[Link, ...] = ()

    def __len__(self) -> int:
        return len(self.written) + len(self.ended)

    def take_back(self, writes: Transaction, at: datetime) -> None:
        """End the former, bring back the latter as new links, and count what archives carried accordingly.

        After the records: a decision that came back is counted, too.
        """
        carried = [link for link in (*self.written, *self.ended) if link.relation == Relation.CARRIES]
        targets = writes.fetch({link.target_id for link in carried}) if carried else {}
        for link in self.written:
            writes.expire_link(link.id, at, InvalidationReason.DISCOVERED_FALSE)
            if link.relation == Relation.CARRIES and link.target_id in targets:
                uncarry(writes, targets[link.target_id], link.extra)
        again = []
        for link in self.ended:
            fresh = replace(link, id=new_id(), created_at=at, expired_at=None, invalidation_reason=None)
            if link.relation == Relation.CARRIES and link.target_id in targets and "before" in link.extra:
                memory = targets[link.target_id]
                listed = () if link.extra.get("bumped") else (memory.logical_id,)
                extra = carry(writes, [memory], listed, at).get(memory.logical_id, {})
                fresh = replace(fresh, extra={**link.extra, **extra})
            again.append(fresh)
        writes.link(again)


NO_LINKS: Final = ChangedLinks()


def links_of_change(door: Door, scope: Scope, records: Sequence[Memory]) -> ChangedLinks:
    """The links between memories that the change with these records wrote or ended."""
    made: dict[str, set[datetime]] = {}
    closed: dict[str, set[datetime]] = {}
    for record in records:
        if record.expired_at is None:
            made.setdefault(record.logical_id, set()).add(record.created_at)
        else:
            closed.setdefault(record.logical_id, set()).add(record.expired_at)
    found = door.asking(scope).links(sorted({*made, *closed}), Selection(mode=TemporalMode.FULL_HISTORY))
    between = [link for link in found if link.source_id != link.target_id]
    return ChangedLinks(
        tuple(link for link in between if link.expired_at is None and _at(link, link.created_at, made)),
        tuple(link for link in between if link.expired_at is not None and _at(link, link.expired_at, closed)),
    )


def _at(link: Link, moment: datetime, times: dict[str, set[datetime]]) -> bool:
    return any(moment in times.get(end, ()) for end in (link.source_id, link.target_id))


def undo_validation(
    door: Door, clock: Callable[[], datetime], scope: Scope, line: AuditEntry, lines: Iterable[AuditEntry]
) -> Undone:
    """Take back what one call validated, or bring it back: each entry is used as its line says it was before.

    Parameters
    ----------
    line : the agent's newest.
    lines : the audit log, newest first.

    Raises Conflict where one of the entries was changed or used since. Nothing was changed.
    """
    uses: dict[str, tuple[Use, Use]] = {}
    for other in lines:
        if other.agent == line.agent:
            use = read_use_line(other.reason)
            if use is None or (other.action, other.at) != (line.action, line.at):
                break
            uses[other.subject] = use
    at = clock()

    def work(writes: Transaction) -> None:
        standing = writes.fetch(uses)
        for subject, (before, after) in uses.items():
            there = standing.get(subject)
            current = None if there is None else there.registration
            if there is None or current is None or there.is_superseded or Use.of(current) != after:
                raise Conflict(
                    f"What was validated, {subject}, was changed or used since",
                    "Look at its history, then validate or revise it as it should be",
                )
            writes.note_use(there, before.put(current))
            said = use_line(current, before.put(current))
            writes.audit("undo", subject, f"{said}: takes back {line.action}", at)

    door.write(scope, work)
    return Undone(line.action, at, uses=len(uses))
