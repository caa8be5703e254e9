"""Undo: taking back an agent's last change, and by a second undo bringing it back.

The audit log says what the last change was and names one memory of it; the door tells every record that the same write
made or closed. An undo is itself a change and overwrites nothing: what the change made leaves the record now
(discovered_false), what it closed comes back as a new record with the same content and the same valid times: a version
under the next number, linked REVISES; a closing record under its own. So every question about a time before the undo
is answered as before. What was forgotten is gone and is never brought back.

What one transaction wrote is taken back together: up to 1,000 memories of `remember_many`, up to 500 of an import or of
its Markdown files, both decisions of a supersession, with the links that it wrote between memories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from engramforge.capture.undo_beside import NO_LINKS, ChangedLinks, links_of_change, undo_validation
from engramforge.core.history.beliefs import check_apart, is_closing, next_version
from engramforge.errors import Conflict, InvalidTime, NotFound
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import AuditEntry, Entry
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.model.timeline import Undone
from engramforge.registries.decisions.decision_use import read_use_line
from engramforge.store.door import Door, Transaction
from engramforge.writing.intake import new_id, records_line
from engramforge.writing.repeating import embedding_again
from engramforge.writing.revision import Revision
from engramforge.writing.standing import hold_open
from engramforge.writing.succession import version_link

_OF_ONE: Final = ("revise", "supersede", "invalidate", "reinstate")
"""Changes of one memory, which the log names; of others it says how many records they made and closed."""
_REASONED: Final = ("invalidate", "reinstate")
"""Changes of one memory of which the log has a caller's reason."""
_OF_LINKS: Final = ("link", "unlink")
_RECORDS: Final = re.compile(r"(\d+) records?\b")
_ENDS: Final = re.compile(r"from (\S+) to (\S+)")
_RESTORED: Final = "restored"
_FIRST_LINES: Final = 64
_ONE_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(slots=True)
class _Plan:
    """What an undo will write.

    Parameters
    ----------
    taken_back : open records that the change made.
    restored : new records, with the closed record that each brings back.
    others : open records of the same memories, which must stay as they are.
    links : what the change wrote and ended between memories.
    """

    at: datetime
    taken_back: list[Memory] = field(default_factory=list)
    restored: list[tuple[Memory, Memory]] = field(default_factory=list)
    others: list[Memory] = field(default_factory=list)
    links: ChangedLinks = NO_LINKS

    def successor_of(self, memory: Memory) -> str | None:
        """What takes the place of a record that is taken back: the version that comes back, else a closing record."""
        own = [new for new, _ in self.restored if new.logical_id == memory.logical_id]
        heads = [new for new in own if new.invalidation_reason is None]
        return next((new.id for new in heads or own), None)


class Undo:
    """Takes back the last change of an agent.

    Parameters
    ----------
    door, clock : as in `Intake`.
    revision : gives the signals of what comes back.
    """

    def __init__(self, door: Door, revision: Revision, clock: Callable[[], datetime]) -> None:
        self._door = door
        self._revision = revision
        self._clock = clock

    @embedding_again
    def undo(self, scope: Scope) -> Undone:
        """Take back the last change of the scope's agent; see the module.

        Raises
        ------
        NotFound : the agent has changed nothing yet.
        Conflict : the last change was a forget, or somebody changed since what it had changed. Nothing was changed.
        """
        line, since = self._last_line(scope)
        if line.action == "forget":
            raise Conflict(
                f"The last change was forgetting {line.subject}, which cannot be undone",
                "What was forgotten is gone for good; remember it again if you still know it",
            )
        if line.action in _OF_LINKS or (line.action == "undo" and _ENDS.search(line.reason)):
            return self._undo_link(scope, line)
        if line.action == "validate" or (line.action == "undo" and read_use_line(line.reason)):
            return undo_validation(self._door, self._clock, scope, line, self._lines(scope))
        if line.action not in _OF_ONE and _RECORDS.match(line.reason) is None:
            raise Conflict(
                f"The last change was {line.action!r}, which undo does not know",
                "Take it back in the way in which it was made",
            )
        records = self._door.asking(scope).last_change(line.subject)
        _check_whole(line, since, records)
        return self._take_back(scope, line, records)

    def _last_line(self, scope: Scope) -> tuple[AuditEntry, list[AuditEntry]]:
        """The agent's newest line of the audit log, and the lines of others since."""
        since: list[AuditEntry] = []
        for line in self._lines(scope):
            if line.agent == scope.agent:
                return line, since
            since.append(line)
        raise NotFound(f"There is no change of agent {scope.agent!r} to undo", "Remember something first")

    def _lines(self, scope: Scope) -> Iterator[AuditEntry]:
        """The audit log, newest first, read in growing portions."""
        read = 0
        for power in count():
            limit = _FIRST_LINES * 4**power
            lines = self._door.asking(scope).audit_log(limit)
            yield from lines[read:]
            if len(lines) < limit:
                return
            read = len(lines)

    def _take_back(self, scope: Scope, line: AuditEntry, records: Sequence[Memory]) -> Undone:
        now = self._clock()
        plan = self._plan(scope, records, now)
        signals = self._revision.encode_all_again(
            [new for new, _ in plan.restored], [old.id for _, old in plan.restored]
        )
        heads = self._door.asking(scope).fetch({record.logical_id for record in records})

        def work(writes: Transaction) -> None:
            hold_open(writes, [*plan.taken_back, *plan.others])
            _hold_heads(writes, heads)
            for old in plan.taken_back:
                reason = InvalidationReason.DISCOVERED_FALSE
                writes.expire(old.id, plan.at, reason, plan.successor_of(old))
            entries = zip(plan.restored, signals, strict=True)
            writes.insert([Entry(new, signal) for (new, _), signal in entries])
            before = {old.logical_id: old for old in plan.taken_back}
            writes.link(
                [
                    version_link(Relation.REVISES, before.get(new.logical_id, old), new)
                    for new, old in plan.restored
                    if new.invalidation_reason is None
                ]
            )
            plan.links.take_back(writes, plan.at)
            said = records_line(len(plan.taken_back) + len(plan.restored))
            writes.audit("undo", line.subject, f"{said}: takes back {line.action}", max(plan.at, now))

        self._door.write(scope, work)
        restored = tuple(new for new, _ in plan.restored)
        return Undone(line.action, plan.at, tuple(plan.taken_back), restored, links=len(plan.links))

    def _plan(self, scope: Scope, records: Sequence[Memory], now: datetime) -> _Plan:
        """What has to leave the record and what comes back. Raises Conflict where that would meet what holds now."""
        # After everything that the change recorded, even when the clock jumped back.
        latest = max(record.expired_at or record.created_at for record in records)
        plan = _Plan(max(now, latest + _ONE_MICROSECOND))
        plan.taken_back = [record for record in records if record.expired_at is None]
        plan.links = links_of_change(self._door, scope, records)
        taken = {record.id for record in plan.taken_back}
        closed: dict[str, list[Memory]] = {}
        for record in records:
            if record.expired_at is not None:
                closed.setdefault(record.logical_id, []).append(record)
        for logical_id, olds in closed.items():
            history = self._door.asking(scope).versions(logical_id)
            others = [memory for memory in history if memory.expired_at is None and memory.id not in taken]
            plan.others += others
            back = _brought_back(olds, history, plan)
            plan.restored += back
            try:
                for new, _ in back:
                    check_apart(new, [*others, *(other for other, _ in back)])
            except InvalidTime as error:
                raise Conflict(
                    f"The memory {logical_id} was changed since: {error.fault}",
                    "Correct it with revise; its history has what it said before",
                ) from None
        return plan

    def _undo_link(self, scope: Scope, line: AuditEntry) -> Undone:
        """Take back a link that was written, or bring back one that was taken back."""
        link = self._link(scope, line.subject)
        now = self._clock()
        was_written = line.action == "link" or line.reason.endswith(_RESTORED)
        if link is None or (link.expired_at is None) is not was_written:
            raise Conflict(
                f"The link {line.subject} was changed since", "List the links of one of its memories"
            )
        at = max(now, (link.expired_at or link.created_at) + _ONE_MICROSECOND)
        ends = f"link from {link.source_id} to {link.target_id}"

        def work(writes: Transaction) -> None:
            if was_written:
                writes.expire_link(link.id, at, InvalidationReason.DISCOVERED_FALSE)
                writes.audit("undo", link.id, f"{ends} taken back", at)
                return
            again = replace(link, id=new_id(), created_at=at, expired_at=None, invalidation_reason=None)
            writes.link([again])
            writes.audit("undo", again.id, f"{ends} {_RESTORED}", at)

        self._door.write(scope, work)
        return Undone(line.action, at, links=1)

    def _link(self, scope: Scope, link_id: str) -> Link | None:
        """A link by its id: the log says between which memories it was written."""
        for line in self._lines(scope):
            ends = _ENDS.search(line.reason)
            if line.subject == link_id and line.action in ("link", "undo") and ends is not None:
                found = self._door.asking(scope).links([ends[1]], Selection(mode=TemporalMode.FULL_HISTORY))
                return next((link for link in found if link.id == link_id), None)
        return None


def _check_whole(line: AuditEntry, since: Sequence[AuditEntry], records: Sequence[Memory]) -> None:
    """Raise Conflict unless these records are exactly what the change of this line left."""
    told = _RECORDS.match(line.reason)
    if line.action in _REASONED or (line.action in _OF_ONE and told is None):
        whole = {record.logical_id for record in records} == {line.subject}
    else:
        whole = told is not None and len(records) == int(told[1])
    others = [other for other in since if other.subject == line.subject]
    if not whole or others:
        who = f" by {others[0].agent!r} ({others[0].action})" if others else ""
        raise Conflict(
            f"What the last change ({line.action} of {line.subject}) wrote was changed since{who}",
            "Correct what is wrong with revise; the history of each memory has what it said before",
        )


def _brought_back(
    olds: Sequence[Memory], history: Sequence[Memory], plan: _Plan
) -> list[tuple[Memory, Memory]]:
    """The records that bring back the closed ones of a memory, each with the one that it brings back.

    Same content and valid times, on record from now. A version takes the next number; a closing record stays one of
    its version, followed by the version that comes back with it, else by what followed it before.
    """
    back: list[tuple[Memory, Memory]] = []
    follower: str | None = None
    for old in sorted(olds, key=lambda old: is_closing(old, history)):
        again = replace(old, id=new_id(), created_at=plan.at, expired_at=None, correction_id=None)
        if is_closing(old, history):
            same = (memory for memory in plan.taken_back if memory.logical_id == old.logical_id)
            before = next((memory.correction_id for memory in same if memory.version == old.version), None)
            reason = InvalidationReason.REALITY_CHANGED
            again = replace(again, invalidation_reason=reason, correction_id=follower or before)
        else:
            again = replace(again, version=next_version(history), invalidation_reason=None)
            follower = again.id
        back.append((again, old))
    return back


def _hold_heads(writes: Transaction, heads: dict[str, Memory]) -> None:
    """Raise Conflict where what stands of a memory is not what was read."""
    standing = writes.fetch(heads)
    for logical_id, head in heads.items():
        there = standing.get(logical_id)
        if there is None or (there.id, there.expired_at) != (head.id, head.expired_at):
            raise Conflict(
                f"The memory {logical_id} changed meanwhile",
                "Look at its history, then undo again if you still want to",
            )
