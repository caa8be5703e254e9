"""The review of waiting detections: accepted, edited or rejected, in bulk.

Each call is one transaction with one line in the audit log, so that an undo takes it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.core.detection.proposal import detection_of
from engramforge.core.registries.registration import evidence_of
from engramforge.errors import Conflict, InvalidContent, NotFound
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, PendingDetection
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ReviewStatus, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import records_line
from engramforge.registries.detected.consequences import DetectedWrite, named_entry
from engramforge.registries.detected.detected_entries import Detected
from engramforge.registries.detected.detected_lookup import Lookup
from engramforge.registries.detected.queue import surest_first
from engramforge.registries.registered import find_entry, registration_of
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.expected_state import hold_sources
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import VersionChange

_LOOKED_AT: Final = 10_000
"""How many of the newest waiting detections are ranked."""


@dataclass(frozen=True, slots=True)
class _Accepted:
    """A flag to close, the message that it came from, and the detection as it was accepted."""

    flag: Memory
    message: Memory
    detection: Detection


@dataclass(frozen=True, slots=True)
class Review:
    """The queue of detections that were not confident enough."""

    changes: VersionChanges
    detected: Detected

    def pending(
        self, scope: Scope, kind: Kind | None, conversation: str | None, limit: int, offset: int = 0
    ) -> list[PendingDetection]:
        """Waiting detections: what persons said first, then most confident first, then newest first."""
        query = EntryQuery(
            kind=Kind.FLAG,
            statuses=(str(ReviewStatus.PENDING),),
            conversations=() if conversation is None else (conversation,),
            limit=_LOOKED_AT,
        )
        flags = filter(is_detection, self.changes.door.asking(scope).entries(query))
        shown = [(pending_of(flag), flag) for flag in flags]
        wanted = [each for each in shown if kind is None or each[0].kind is kind]
        wanted.sort(key=lambda each: surest_first(each[1]))
        lookup = Lookup(self.changes.door, self.changes.preparation, scope)
        page = wanted[offset : offset + limit]
        said = [_naming(*each) for each in page]
        lookup.ask_names([each for each in said if each is not None])
        heads = [
            lookup.entry(pending.proposal.entry) if pending.proposal.entry else each and lookup.named(*each)
            for (pending, _), each in zip(page, said, strict=True)
        ]
        return [
            replace(pending, entry=None if head is None else named_entry(head.memory))
            for (pending, _), head in zip(page, heads, strict=True)
        ]

    def find(self, scope: Scope, named: object) -> PendingDetection:
        """A detection that waits. Raises InvalidValue, NotFound, Conflict."""
        return pending_of(self._flags(scope, [named])[0])

    @embedding_again
    def accept(
        self, scope: Scope, named: Sequence[object], changes: Mapping[str, Any] | None = None
    ) -> list[Memory]:
        """Turn detections into entries, whatever their confidence; returns the memories of the entries, in order.

        `changes`: corrected fields of `Detection`, applied to all of them.

        Raises
        ------
        NotFound : a detection does not exist, or its message was forgotten.
        Conflict : a detection was reviewed already, or somebody else intervened. Nothing was changed.
        InvalidContent : a detection is not a valid entry. Nothing was changed.
        """
        now = self.changes.clock()
        accepted = [self._accepted(scope, flag, changes or {}) for flag in self._flags(scope, named)]
        plans = self.detected.plan(
            scope, [(each.message, [each.detection]) for each in accepted], now, is_reviewed=True
        )
        entries = [_entry_of(each, plans) for each in accepted]
        closing = [self._closed(each.flag, ReviewStatus.ACCEPTED, now) for each in accepted]
        self._write(scope, plans, closing, "accepted")
        return entries

    @embedding_again
    def reject(self, scope: Scope, named: Sequence[object]) -> list[PendingDetection]:
        """Close detections; the same sentence will not wait again in the project. Raises NotFound, Conflict."""
        now = self.changes.clock()
        closing = [self._closed(flag, ReviewStatus.REJECTED, now) for flag in self._flags(scope, named)]
        self._write(scope, (), closing, "rejected")
        return [pending_of(change.memory) for change in closing]

    def _flags(self, scope: Scope, named: Sequence[object]) -> list[Memory]:
        """The named detections, without repetition; all must be waiting."""
        found = {
            memory.logical_id: memory
            for memory in (find_entry(self.changes.door, scope, Kind.FLAG, each) for each in named)
        }
        for flag in found.values():
            status = registration_of(flag).status
            if status != ReviewStatus.PENDING or not is_detection(flag):
                raise Conflict(
                    f"The detection {registration_of(flag).entry_id} was {status or 'written by hand'} already",
                    "List what waits with review; undo takes a review back",
                )
        return list(found.values())

    def _accepted(self, scope: Scope, flag: Memory, changes: Mapping[str, Any]) -> _Accepted:
        evidence = evidence_of(registration_of(flag))
        read_from = evidence.message_id if evidence else ""
        message = self.changes.door.asking(scope).fetch([read_from]).get(read_from) if evidence else None
        if message is None:
            raise NotFound(
                f"The message of {registration_of(flag).entry_id} is not there any more",
                "Reject the detection, or make the entry yourself",
            )
        detection = detection_of(registration_of(flag).details["proposal"])
        given = dict(changes)
        if given.get("kind", detection.kind) != detection.kind and "status" not in given:
            first = {Kind.DECISION: DecisionStatus.ACTIVE, Kind.THREAD: ThreadStatus.OPEN}
            given["status"] = str(first[given["kind"]])
        said = replace(detection, **given)
        has_words = said.text or said.is_update
        return _Accepted(flag, message, said if has_words else replace(said, text=said.sentence))

    def _closed(self, flag: Memory, status: ReviewStatus, now: datetime) -> VersionChange:
        return self.changes.closed(flag, now, registration=replace(registration_of(flag), status=str(status)))

    def _write(
        self, scope: Scope, plans: Sequence[DetectedWrite], closing: Sequence[VersionChange], said: str
    ) -> None:
        def work(writes: Transaction) -> None:
            hold_sources(writes, (plan.source for plan in plans))
            for plan in plans:
                plan.write(writes)
            for change in closing:
                change.write(writes)
            line = f"{records_line(writes.records)}: {len(closing)} {said}"
            last = closing[-1]
            writes.audit("review", last.memory.logical_id, line, max(last.at, self.changes.clock()))

        if closing:
            self.changes.door.write(scope, work)


def is_detection(flag: Memory) -> bool:
    """Whether a flag is a detection that waits, or waited."""
    return flag.registration is not None and "proposal" in flag.registration.details


def pending_of(flag: Memory) -> PendingDetection:
    """A flag as the review shows it."""
    registration = registration_of(flag)
    proposal = detection_of(registration.details["proposal"])
    evidence = evidence_of(registration)
    return PendingDetection(
        id=registration.entry_id,
        memory_id=flag.logical_id,
        kind=proposal.kind,
        text=proposal.text or proposal.sentence,
        sentence=proposal.sentence,
        message_id=evidence.message_id if evidence else "",
        rule=proposal.rule,
        confidence=proposal.confidence,
        speaker=proposal.speaker,
        why=proposal.why,
        project=flag.project,
        conversation_id=registration.origin,
        local_id=registration.local_id,
        status=ReviewStatus(registration.status),
        entry_status=proposal.status,
        created_at=flag.created_at,
        proposal=proposal,
    )


def _naming(pending: PendingDetection, flag: Memory) -> tuple[Memory, Kind, str] | None:
    """Where a waiting detection names an entry, and how; None if it names none."""
    if pending.local_id is None or pending.conversation_id is None:
        return None
    return replace(flag, session_id=pending.conversation_id), pending.kind, pending.local_id


def _entry_of(accepted: _Accepted, plans: Sequence[DetectedWrite]) -> Memory:
    """The memory of the entry that an accepted detection became, or that already contained it."""
    for plan in plans:
        if plan.source == accepted.message.id and (entry := plan.entries.get(accepted.detection)) is not None:
            return entry
    raise InvalidContent(
        f"What {registration_of(accepted.flag).entry_id} says cannot be an entry",
        "Edit its text, or reject it",
    )
