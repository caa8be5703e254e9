"""Rules for registrations: the global id, the status when a version ends, and what an entry was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from engramforge.errors import InvalidTime
from engramforge.model.limits import CLOCK_SKEW_SECONDS
from engramforge.model.memory import Draft, Kind, Memory, Source
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import ENTRY_PREFIXES, DecisionStatus, Evidence, ThreadStatus

_FIRST_STATUS = {Kind.DECISION: str(DecisionStatus.ACTIVE), Kind.THREAD: str(ThreadStatus.OPEN)}


def entry_id_of(kind: Kind, logical_id: str) -> str:
    """The global id of an entry: its kind's prefix and the last 12 hexadecimal digits of its logical id."""
    return ENTRY_PREFIXES[kind] + logical_id[-12:]


def first_registration(draft: Draft, logical_id: str, at: datetime) -> Registration | None:
    """The registration of a new memory: as its draft says, completed; decisions and threads have one in any case.

    `at`: when it is recorded; a decision counts as validated then, one that was read or imported when it was said.
    """
    given = draft.registration
    if given is None and draft.kind not in _FIRST_STATUS:
        return None
    if given is None:
        own = (draft.session_id,) if draft.session_id else ()
        given = Registration(entry_id="", status=_FIRST_STATUS[draft.kind], conversations=own)
    validated = given.last_validated
    if validated is None and draft.kind is Kind.DECISION:
        is_read = draft.source is Source.IMPORT or evidence_of(given) is not None
        validated = min(at, draft.valid_at) if is_read and draft.valid_at is not None else at
    return replace(given, entry_id=entry_id_of(draft.kind, logical_id), last_validated=validated)


def next_registration(memory: Memory, at: datetime) -> Registration | None:
    """The registration of the version that follows one: a decision is active, made anew at this time.

    A thread stays as it was, and is open where its end is taken back.
    """
    if (before := memory.registration) is None:
        return None
    if memory.kind is Kind.THREAD and memory.is_superseded and before.status == ThreadStatus.ABANDONED:
        return replace(before, status=str(ThreadStatus.OPEN))
    if memory.kind is not Kind.DECISION:
        return before
    return replace(before, status=str(DecisionStatus.ACTIVE), last_validated=at, hops=0)


def ended_registration(memory: Memory, has_successor: bool) -> Registration | None:
    """The registration of a version's closing record: a decision that ends is revised, or invalid.

    An open thread that ends, and that nothing follows, is abandoned. `has_successor`: whether another version of the
    same memory follows it.
    """
    before = memory.registration
    if before is not None and (memory.kind, before.status) == (Kind.THREAD, ThreadStatus.OPEN):
        return before if has_successor else replace(before, status=str(ThreadStatus.ABANDONED))
    if before is None or memory.kind is not Kind.DECISION or before.status != DecisionStatus.ACTIVE:
        return before
    status = DecisionStatus.REVISED if has_successor else DecisionStatus.INVALIDATED
    return replace(before, status=str(status))


def check_not_future(at: datetime, now: datetime) -> None:
    """Refuse a time of change of a decision that lies ahead, since its status changes at once. Raises InvalidTime."""
    if at > now + timedelta(seconds=CLOCK_SKEW_SECONDS):
        raise InvalidTime(
            f"The time of change {at.isoformat()} lies in the future (now is {now.isoformat()})",
            "Leave it out, or change the decision when the time has come",
        )


def evidence_of(registration: Registration) -> Evidence | None:
    """What a detected entry was read from; None for an entered one."""
    said = registration.details.get("evidence")
    if not isinstance(said, Mapping) or not said.get("message_id"):
        return None
    return Evidence(str(said.get("sentence", "")), str(said["message_id"]), str(said.get("rule", "")))
