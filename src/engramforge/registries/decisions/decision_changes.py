"""The registry of decisions: made, revised, superseded, ended, validated and reinstated.

Revising keeps the id and makes a new version; superseding closes a decision and links its successor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engramforge.core.registries.registration import check_not_future, entry_id_of
from engramforge.errors import Conflict, InvalidValue
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Use, use_line
from engramforge.model.time import just_after
from engramforge.registries.decisions.decision_reading import DecisionReading
from engramforge.registries.decisions.decision_revision import (
    NOTHING_REBASED,
    Revised,
    dependency,
    rebase,
    revised_draft,
    unchanged,
    validated,
)
from engramforge.registries.decisions.decision_view import REVISED_IN, around, composed, status_of
from engramforge.registries.registered import mentioned_in, registration_of, succession
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.repeating import embedding_again


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of a store."""

    changes: VersionChanges
    reading: DecisionReading

    @embedding_again
    def create(self, scope: Scope, draft: Draft, dependencies: Sequence[str] = ()) -> Decision:
        """A new decision.

        `draft`: made by `decision_draft`. `dependencies`: ids of decisions that it builds on; local ids refer to its
        own conversation.

        Raises InvalidContent, InvalidTime, InvalidValue, OutOfScope: it is not sound; NotFound: a dependency does not
        exist.
        """
        now = self.changes.clock()
        bases = self.reading.find_each(scope, dependencies, draft.session_id)
        change = self.changes.new_entries(scope, [draft], now, composed)[0]
        links = [dependency(change.memory, base, change.at) for base in bases]
        self.changes.commit(scope, [change], "remember", links=links)
        return self.reading.shown(scope, [change.memory])[0]

    @embedding_again
    def revise(
        self,
        scope: Scope,
        named: object,
        changes: Revised,
        *,
        conversation: str | None = None,
        expected_version: int | None = None,
        recorded_at: datetime | None = None,
    ) -> Decision:
        """We were wrong, or know more: an active new version with the same id; the old version becomes revised.

        Raises Conflict: it is not active, not at the expected version, or was changed concurrently; InvalidContent,
        InvalidTime, InvalidValue: the change is invalid, changes nothing, or closes a circle of dependencies; NotFound:
        the decision or a dependency does not exist.
        """
        now = self.changes.clock()
        head = self.reading.find(scope, named, conversation)
        self._check_active(scope, head, "Revise")
        if not changes:
            raise InvalidValue("The change changes nothing", "Give a new text, or a field to change")
        rebased = NOTHING_REBASED
        if changes.dependencies is not None:
            bases = self.reading.find_each(scope, changes.dependencies, conversation)
            rebased = rebase(self.changes.door, scope, head, bases)
        where = {} if conversation is None else {REVISED_IN: conversation}
        change = self.changes.revised(
            scope,
            head,
            revised_draft(head, replace(changes, details=where), recorded_at or now, conversation),
            now,
            compose=composed,
            recorded_at=recorded_at,
            expected_version=expected_version,
        )
        self.changes.commit(
            scope,
            [change],
            "revise",
            change.told,
            links=[dependency(change.memory, base, change.at) for base in rebased.fresh],
            ended_links=rebased.ended,
            beside=unchanged(rebased.looked_at),
        )
        return self.reading.shown(scope, [change.memory])[0]

    @embedding_again
    def supersede(
        self,
        scope: Scope,
        named: object,
        successor: Draft | str,
        dependencies: Sequence[str] = (),
        *,
        at: datetime | None = None,
        conversation: str | None = None,
        expected_version: int | None = None,
    ) -> Decision:
        """Another decision takes the place of this one, which is closed at a time (default now).

        `successor`: the draft of a new decision, which holds from then on; or the id of an active one.

        Returns
        -------
        The successor.

        Raises as `revise`; InvalidTime also if `at` is not after it became true, or lies in the future.
        """
        now = self.changes.clock()
        old = self.reading.find(scope, named, conversation)
        self._check_active(scope, old, "Supersede")
        changed_at = _change_time(old, at, now)
        if isinstance(successor, Draft):
            bases = self.reading.find_each(scope, dependencies, conversation)
            whole = replace(successor, project=old.project, level=old.level, agent=old.agent)
            new = self.changes.new_entries(scope, [replace(whole, valid_at=changed_at)], now, composed)[0]
            taking, opening = new.memory, [new]
            links = [dependency(taking, base, new.at) for base in bases]
        else:
            taking, opening, links = self._successor(scope, old, successor, conversation), [], []
        closing = self.changes.closed(
            old,
            now,
            registration=_ended(old, DecisionStatus.SUPERSEDED, conversation),
            at=changed_at,
            expected_version=expected_version,
            correction_id=taking.id,
        )
        took = succession(taking, old, closing.at, changed_at)
        held = None if opening else unchanged([taking])
        self.changes.commit(scope, [*opening, closing], "supersede", links=[*links, took], beside=held)
        return replace(self.reading.get(scope, taking.logical_id), redacted=taking.redacted)

    @embedding_again
    def invalidate(
        self,
        scope: Scope,
        named: object,
        *,
        reason: str = "",
        at: datetime | None = None,
        conversation: str | None = None,
        expected_version: int | None = None,
    ) -> Decision:
        """It no longer holds from a time on (default now), without a successor. Raises as `supersede`.

        `reason` goes into the audit log, so it must not contain content.
        """
        now = self.changes.clock()
        old = self.reading.find(scope, named, conversation)
        self._check_active(scope, old, "Invalidate")
        change = self.changes.closed(
            old,
            now,
            registration=_ended(old, DecisionStatus.INVALIDATED, conversation),
            at=_change_time(old, at, now),
            expected_version=expected_version,
        )
        self.changes.commit(scope, [change], "invalidate", reason)
        return self.reading.shown(scope, [change.memory])[0]

    @embedding_again
    def reinstate(
        self, scope: Scope, named: object, *, reason: str = "", conversation: str | None = None
    ) -> Decision:
        """A decision that ended is active again, as a new version from now on; that it had ended stays in history.

        What had taken its place stays as it is. Raises Conflict where it is active; NotFound, InvalidValue.
        """
        now = self.changes.clock()
        last = self.reading.find(scope, named, conversation)
        if not last.is_superseded and status_of(last) is DecisionStatus.ACTIVE:
            entry_id = registration_of(last).entry_id
            raise Conflict(f"The decision {entry_id} is active", "There is nothing to reinstate")
        # An imported decision that was written as ended has no closing record yet.
        again = self.changes.returned if last.is_superseded else self.changes.succeeded
        draft = revised_draft(last, Revised(), now, conversation)
        change = again(scope, last, draft, now, compose=composed)
        self.changes.commit(scope, [change], "reinstate", reason)
        return self.reading.shown(scope, [change.memory])[0]

    def validate(
        self, scope: Scope, named: Sequence[object], conversation: str | None = None
    ) -> list[Decision]:
        """They still hold: counts a validation now and resets the hops. All of them, or none.

        Raises Conflict: a decision is not active, or ended concurrently. Raises InvalidValue, NotFound: a decision does
        not exist; or none is named.
        """
        if not named:
            raise InvalidValue("No decision is named", "Name at least one to validate")
        found = {item.logical_id: item for item in self.reading.find_each(scope, named, conversation)}
        for memory in found.values():
            self._check_active(scope, memory, "Validate")

        def counted(writes: Transaction) -> None:
            now = self.changes.clock()
            standing = writes.fetch(found)
            for logical_id in found:
                there = standing.get(logical_id)
                if there is None or there.is_superseded or there.registration is None:
                    raise Conflict(
                        f"The decision {registration_of(found[logical_id]).entry_id} ended meanwhile",
                        "Look at its history, then validate the others",
                    )
                before = there.registration
                after = validated(before, now, conversation)
                writes.note_use(there, after)
                writes.audit("validate", logical_id, use_line(Use.of(before), Use.of(after)), now)

        self.changes.door.write(scope, counted)
        fresh = self.changes.door.asking(scope).fetch(found)
        return self.reading.shown(scope, [fresh[each] for each in found])

    def _successor(self, scope: Scope, old: Memory, named: str, conversation: str | None) -> Memory:
        """The existing decision that is to be the successor."""
        taking = self.reading.find(scope, named, conversation)
        entry_id = registration_of(old).entry_id
        if taking.logical_id == old.logical_id:
            raise InvalidValue(f"The decision {entry_id} would supersede itself", "Name another one")
        self._check_active(scope, taking, "Name")
        return taking

    def _check_active(self, scope: Scope, memory: Memory, what: str) -> None:
        """Raise Conflict if a decision is not active, saying what to do instead."""
        status = status_of(memory)
        if status is DecisionStatus.ACTIVE and not memory.is_superseded:
            return
        entry_id = registration_of(memory).entry_id
        successor = around(self.changes.door, scope, [memory]).successor(memory)
        if status is DecisionStatus.SUPERSEDED and successor is not None:
            its = entry_id_of(Kind.DECISION, successor)
            raise Conflict(
                f"The decision {entry_id} is superseded by {its}",
                f"{what} {its} instead, or reinstate {entry_id} first",
            )
        raise Conflict(f"The decision {entry_id} is {status}", "Reinstate it first, or create a new one")


def _ended(old: Memory, status: DecisionStatus, conversation: str | None) -> Registration:
    before = registration_of(old)
    return replace(before, status=str(status), conversations=mentioned_in(before, conversation))


def _change_time(old: Memory, at: datetime | None, now: datetime) -> datetime:
    """When a decision ended: not in the future, since its status changes at once."""
    if at is None:
        return just_after(old.valid_at, now)
    check_not_future(at, now)
    return min(at, now)
