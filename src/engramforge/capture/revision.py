"""New versions of a memory: revise (we were wrong), supersede (the world changed), invalidate (it ended).

Nothing is overwritten (spec chapter 1). Each is one transaction that reads the version on record, refuses when somebody
else was faster, and writes what the two time axes ask for. What must not enter: how content is cleaned and embedded
(intake's).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from engramforge.capture.intake import Intake, draft_of
from engramforge.core.drafting import refuse_unknown
from engramforge.errors import Conflict, InvalidTime, InvalidValue, NotFound
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door, Transaction

_CHANGEABLE = tuple(
    name
    for name in Draft.__dataclass_fields__
    if name not in ("content", "project", "origin", "valid_at", "invalid_at", "recorded_at", "agent", "level")
)


class Revision:
    """Writes new versions.

    Parameters
    ----------
    door : the store.
    intake : cleans and embeds new content.
    clock : the time of recording.
    """

    def __init__(self, door: Door, intake: Intake, clock: Callable[[], datetime]) -> None:
        self._door = door
        self._intake = intake
        self._clock = clock

    def revise(
        self,
        scope: Scope,
        logical_id: str,
        content: str | None,
        changes: Mapping[str, Any],
        expected_version: int | None = None,
    ) -> Memory:
        """We were wrong: the old version is expired as discovered_false, the new one keeps its valid time.

        Raises
        ------
        NotFound, Conflict, InvalidContent, InvalidValue : nothing was changed.
        """
        old = self._on_record(scope, logical_id)
        now = self._after(old)
        entry = self._next(scope, old, content, changes, now)
        entry = replace(entry, memory=replace(entry.memory, valid_at=old.valid_at, invalid_at=old.invalid_at))
        with self._door.transaction(scope) as writes:
            _check_unchanged(writes, old, expected_version)
            writes.insert([entry])
            writes.expire(old.id, now, InvalidationReason.DISCOVERED_FALSE, entry.memory.id)
            writes.link([_version_link(old, entry.memory, Relation.REVISES, now)])
            writes.audit("revise", logical_id, "", now)
        return entry.memory

    def supersede(
        self,
        scope: Scope,
        logical_id: str,
        content: str | None,
        changes: Mapping[str, Any],
        at: datetime | None = None,
        expected_version: int | None = None,
        also: Callable[[Transaction], None] | None = None,
    ) -> Memory:
        """The world changed at a time: a closing record says until when the old version held.

        Parameters
        ----------
        at : the time of change, default now; after the old version became true.
        also : more writes for the same transaction.

        Raises
        ------
        InvalidTime : the change lies before the old version's own time, or after it had ended.
        NotFound, Conflict, InvalidContent, InvalidValue : nothing was changed.
        """
        old = self._on_record(scope, logical_id)
        now = self._after(old)
        changed = _change_time(old, at or now)
        entry = self._next(scope, old, content, changes, now)
        entry = replace(entry, memory=replace(entry.memory, valid_at=changed, invalid_at=old.invalid_at))
        closing = self._closing(scope, old, changed, now)
        with self._door.transaction(scope) as writes:
            _check_unchanged(writes, old, expected_version)
            writes.insert([closing, entry])
            writes.expire(old.id, now, InvalidationReason.REALITY_CHANGED, entry.memory.id)
            writes.link([_version_link(old, entry.memory, Relation.SUPERSEDES, now)])
            writes.audit("supersede", logical_id, "", now)
            if also is not None:
                also(writes)
        return entry.memory

    def invalidate(
        self,
        scope: Scope,
        logical_id: str,
        at: datetime | None = None,
        also: Callable[[Transaction], None] | None = None,
    ) -> Memory:
        """It ended and nothing takes its place: only a closing record is written, and returned."""
        old = self._on_record(scope, logical_id)
        now = self._after(old)
        changed = _change_time(old, at or now)
        closing = self._closing(scope, old, changed, now)
        with self._door.transaction(scope) as writes:
            _check_unchanged(writes, old, None)
            writes.insert([closing])
            writes.expire(old.id, now, InvalidationReason.REALITY_CHANGED)
            writes.audit("invalidate", logical_id, "", now)
            if also is not None:
                also(writes)
        return closing.memory

    def _on_record(self, scope: Scope, logical_id: str) -> Memory:
        """The version on record that still holds."""
        old = self._door.fetch(scope, [logical_id]).get(logical_id)
        if old is None:
            raise NotFound(f"There is no memory {logical_id!r}", "Find its id with recall or list")
        if old.expired_at is not None or old.invalidation_reason is not None:
            raise Conflict(
                f"The memory {logical_id} has ended and has no current version",
                "Remember what holds now as a new one",
            )
        return old

    def _after(self, old: Memory) -> datetime:
        """The time of recording: now, and never before the version that it follows, even if a clock jumped back."""
        return max(self._clock(), old.created_at)

    def _next(
        self, scope: Scope, old: Memory, content: str | None, changes: Mapping[str, Any], now: datetime
    ) -> Entry:
        """The next version's entry, embedded; its times are still the caller's to set."""
        refuse_unknown(changes, _CHANGEABLE, "field that a new version may change")
        if content is None and not changes:
            raise InvalidValue("Nothing is changed", "Give new content, or a field to change")
        base = draft_of(old)
        if content is not None:
            # The old content's emotions say nothing about the new one.
            base = replace(base, content=content, emotion_vector=None)
        draft, _ = self._intake.clean(replace(base, **dict(changes), valid_at=None, invalid_at=None), now)
        draft = replace(draft, recorded_at=now, valid_at=now)
        (entry,) = self._intake.entries_of(scope, [draft], [None], now)
        return replace(
            entry,
            memory=replace(entry.memory, logical_id=old.logical_id, version=old.version + 1, created_at=now),
        )

    def _closing(self, scope: Scope, old: Memory, changed: datetime, now: datetime) -> Entry:
        """The closing record: the old version's content and version, true until the change."""
        (entry,) = self._intake.entries_of(scope, [draft_of(old)], [None], now)
        closing = replace(
            old,
            id=entry.memory.id,
            created_at=now,
            invalid_at=changed,
            invalidation_reason=InvalidationReason.REALITY_CHANGED,
            access_count=0,
            exposure_count=0,
            last_accessed_at=None,
        )
        return replace(entry, memory=closing)


def _check_unchanged(writes: Transaction, old: Memory, expected_version: int | None) -> None:
    """Refuse when the version on record is not the one that the caller, or this call, has read."""
    current = writes.fetch([old.logical_id]).get(old.logical_id)
    if current is None:
        raise NotFound(
            f"The memory {old.logical_id} was forgotten meanwhile", "Remember it anew if it still matters"
        )
    if expected_version is not None and current.version != expected_version:
        raise Conflict(
            f"The memory {old.logical_id} is at version {current.version}, not {expected_version}",
            "Read its current version, then decide again",
        )
    if current.id != old.id:
        raise Conflict(
            f"The memory {old.logical_id} was changed by somebody else meanwhile",
            "Read it again, then repeat the call",
        )


def _change_time(old: Memory, at: datetime) -> datetime:
    """The time of change, within the old version's valid time."""
    if at <= old.valid_at:
        raise InvalidTime(
            f"The change at {at.isoformat()} is not after the old version's {old.valid_at.isoformat()}",
            "Revise it instead, if it never was true, or give a later time",
        )
    if old.invalid_at is not None and at >= old.invalid_at:
        raise InvalidTime(
            f"The old version already ends at {old.invalid_at.isoformat()}",
            "Remember what holds now as a new memory",
        )
    return at


def _version_link(old: Memory, new: Memory, relation: Relation, now: datetime) -> Link:
    """The link of a version to the one before: the same logical id at both ends, the versions in `extra`.

    A link made by a rule inherits how its source feels (spec chapter 3); the rule itself is certain.
    """
    import uuid_utils

    return Link(
        id=str(uuid_utils.uuid7()),
        source_id=new.logical_id,
        target_id=old.logical_id,
        relation=relation,
        valid_at=new.valid_at,
        created_at=now,
        energy=new.energy,
        confidence=1.0,
        emotion_vector=dict(new.emotion_vector),
        goal=new.goal or "unstated",
        mindstate=new.mindstate or "captured",
        resolution_state=new.resolution_state,
        formation_trigger=str(relation).lower(),
        extra={"source_version": new.id, "target_version": old.id},
    )
