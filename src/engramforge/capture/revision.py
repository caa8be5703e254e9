"""Changes of what is remembered; nothing is overwritten (spec chapter 1, "Time").

`revise` (we were wrong), `supersede` (the world changed at a time) and `invalidate` (it is no more), each in one
transaction with its link and its line in the audit log. What must not enter: recognising that something changed
(importers, people and upkeep do that), SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engramforge.capture.intake import Intake, Prepared, new_id
from engramforge.core.drafting import draft_from, refuse_unknown
from engramforge.errors import Conflict, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.model.embedding import Embedding
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, utc
from engramforge.store.door import Door, Transaction

_FIXED: Final = ("content", "project", "level", "agent", "recorded_at", "origin")
"""Fields of a draft that no change may name: content has its own argument, the others say whose memory it is."""
CHANGEABLE: Final = tuple(field.name for field in fields(Draft) if field.name not in _FIXED)
_KEPT: Final = tuple(field.name for field in fields(Draft) if field.name not in ("recorded_at", "origin"))
_ONE_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Successor:
    """What is to follow a version: its fields and signals, made before the transaction begins."""

    prepared: Prepared
    embedding: Embedding


class Revision:
    """Writes new versions.

    Parameters
    ----------
    door, clock : as in `Intake`.
    intake : checks, redacts and encodes the new content.
    """

    def __init__(self, door: Door, intake: Intake, clock: Callable[[], datetime]) -> None:
        self._door = door
        self._intake = intake
        self._clock = clock

    def revise(
        self,
        scope: Scope,
        memory_id: str,
        content: str | None = None,
        changes: Mapping[str, Any] | None = None,
        expected_version: int | None = None,
        recorded_at: datetime | None = None,
    ) -> Memory:
        """We were wrong: the old version's record ends now (discovered_false), a new version takes its place.

        The new version keeps the old `valid_at` and every field that is not changed. `recorded_at` is for imported
        history: when the change was recorded, after the record that it replaces and not in the future; default now.

        Raises
        ------
        NotFound : there is no such memory, or it was forgotten.
        Conflict : it is not at the expected version, or it ended, or somebody changed it at the same moment.
        InvalidContent, InvalidTime, InvalidValue : the change is not sound, or changes nothing.
        """
        now = self._clock()
        old = self._standing(scope, memory_id, expected_version)
        recorded = _check_recorded(old, recorded_at, now)
        next_one = self._successor(scope, old, content, changes or {}, now)
        valid_at = next_one.prepared.draft.valid_at or old.valid_at
        if valid_at < old.valid_at:
            _check_apart(self._door.versions(scope, old.logical_id), old, valid_at)

        def replaced(writes: Transaction) -> Memory:
            _hold(writes, old, expected_version)
            at = recorded or _record_time(old, now)
            new = _version_after(old, next_one, at, valid_at)
            writes.expire(old.id, at, InvalidationReason.DISCOVERED_FALSE, new.id)
            # Its own key: the new words are known from now on, and forgotten with the memory.
            writes.insert([Entry(new, next_one.embedding, next_one.prepared.key)])
            writes.link([_link(Relation.REVISES, old, new)])
            writes.audit(
                "revise", old.logical_id, f"version {new.version} replaces {old.version}", max(at, now)
            )
            return new

        return self._door.write(scope, replaced)

    def supersede(
        self,
        scope: Scope,
        memory_id: str,
        content: str | None = None,
        changes: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        expected_version: int | None = None,
        recorded_at: datetime | None = None,
    ) -> Memory:
        """The world changed at `at` (default now): the old version held until then, the new one holds since.

        `recorded_at` as in `revise`; it is the default of `at`, too.
        Raises as `revise`; InvalidTime also when `at` is not after the old version became true.
        """
        now = self._clock()
        old = self._standing(scope, memory_id, expected_version)
        recorded = _check_recorded(old, recorded_at, now)
        changed_at = utc(at, "the time of change") or recorded or now
        check_change_time(old, changed_at)
        if "valid_at" in (changes or {}):
            raise InvalidValue("valid_at is given beside the time of change", "Give the time of change alone")
        if content is None and not changes:
            raise InvalidValue("The change changes nothing", "Give new content, or a field to change")
        next_one = self._successor(scope, old, content, {**(changes or {}), "valid_at": changed_at}, now)
        closing = self.encode_again(old)

        def followed(writes: Transaction) -> Memory:
            _hold(writes, old, expected_version)
            return write_supersession(writes, old, closing, next_one, changed_at, now, recorded)

        return self._door.write(scope, followed)

    def invalidate(
        self, scope: Scope, memory_id: str, at: datetime | None = None, reason: str = ""
    ) -> Memory:
        """It is no more since `at` (default now), and nothing took its place; returns the closing record.

        Raises NotFound, Conflict and InvalidTime as `supersede`.
        """
        now = self._clock()
        old = self._standing(scope, memory_id, None)
        ended_at = utc(at, "the time of the end") or now
        check_change_time(old, ended_at)
        closing = self.encode_again(old)

        def ended(writes: Transaction) -> Memory:
            _hold(writes, old, None)
            record = write_closing(writes, old, closing, ended_at, now, None)
            writes.audit("invalidate", old.logical_id, reason, now)
            return record

        return self._door.write(scope, ended)

    def encode_again(self, memory: Memory) -> Embedding:
        """The signals of a record whose content does not change."""
        return self._intake.encode([_draft_of(memory)])[0]

    def _standing(self, scope: Scope, memory_id: str, expected_version: int | None) -> Memory:
        found = self._door.fetch(scope, [memory_id]).get(memory_id)
        if found is not None and memory_id != found.logical_id:
            found = self._door.fetch(scope, [found.logical_id]).get(found.logical_id)
        if found is None:
            raise NotFound(
                f"There is no memory {memory_id[:100]!r}",
                "It may have been forgotten; find others with recall or list",
            )
        check_standing(found, expected_version)
        return found

    def _successor(
        self, scope: Scope, old: Memory, content: str | None, changes: Mapping[str, Any], now: datetime
    ) -> Successor:
        refuse_unknown(changes, CHANGEABLE, "field to change")
        if (
            content is None
            and not {name for name in changes if name != "valid_at"}
            and _is_same_time(old, changes)
        ):
            raise InvalidValue("The change changes nothing", "Give new content, or a field to change")
        values = {name: getattr(_draft_of(old), name) for name in _KEPT} | dict(changes)
        if content is not None:
            values["content"] = content
            # Feelings read from the old words do not belong to the new ones.
            if "emotion_vector" not in changes:
                values["emotion_vector"] = None
        if "valid_at" in changes and "invalid_at" not in changes:
            values["invalid_at"] = old.invalid_at
        ready = self._intake.prepare(scope, draft_from(values), now)
        if ready is None:
            raise InvalidContent(
                "Nothing of the new content is left to store: it is private or was injected",
                "Write something outside <private>, or forget the memory",
            )
        return Successor(ready, self._intake.encode([ready.draft])[0])


def check_standing(memory: Memory, expected_version: int | None) -> None:
    """Raise Conflict when a memory is not at the expected version, or its last record ended it."""
    if expected_version is not None and memory.version != expected_version:
        raise Conflict(
            f"The memory {memory.logical_id} is at version {memory.version}, not {expected_version}",
            "Read it again, then repeat the change on what it says now",
        )
    if memory.expired_at is not None or memory.invalidation_reason is not None:
        ended = memory.invalid_at or memory.expired_at
        raise Conflict(
            f"The memory {memory.logical_id} already ended"
            + (f" at {ended.isoformat()}" if ended is not None else ""),
            "Remember a new one, which may say what holds now",
        )


def check_change_time(old: Memory, at: datetime) -> None:
    """Raise InvalidTime when a version cannot have ended at this time."""
    if at <= old.valid_at:
        raise InvalidTime(
            f"The time of change {at.isoformat()} is not after {old.valid_at.isoformat()}, when version "
            f"{old.version} became true",
            "Give a later time, or revise the memory if that version was never true",
        )
    if old.invalid_at is not None and at > old.invalid_at:
        raise InvalidTime(
            f"The time of change {at.isoformat()} is after {old.invalid_at.isoformat()}, when version "
            f"{old.version} already ended",
            "Give an earlier time, or remember a new memory",
        )


def _check_apart(records: Sequence[Memory], old: Memory, valid_at: datetime) -> None:
    """Raise InvalidTime when a version true since `valid_at` in the place of `old` meets one that held before it.

    At any time at most one version of a memory is true; each before ends where the next begins.
    """
    for record in records:
        if record.expired_at is not None or record.id == old.id or record.invalid_at is None:
            continue
        if valid_at < record.invalid_at:
            raise InvalidTime(
                f"valid_at {valid_at.isoformat()} is before {record.invalid_at.isoformat()}, until when "
                f"version {record.version} held",
                "Give that time or a later one, or remember a memory of its own",
            )


def write_supersession(
    writes: Transaction,
    old: Memory,
    closing: Embedding,
    next_one: Successor,
    at: datetime,
    now: datetime,
    recorded_at: datetime | None = None,
) -> Memory:
    """Expire the old version, write its closing record and the new version, link them; returns the new version.

    `recorded_at` is the checked time of an imported change.
    """
    recorded = recorded_at or _record_time(old, now)
    new = _version_after(old, next_one, recorded, at)
    write_closing(writes, old, closing, at, recorded, new.id)
    writes.insert([Entry(new, next_one.embedding, next_one.prepared.key)])
    writes.link([_link(Relation.SUPERSEDES, old, new)])
    writes.audit(
        "supersede", old.logical_id, f"version {new.version} follows {old.version}", max(recorded, now)
    )
    return new


def write_closing(
    writes: Transaction,
    old: Memory,
    embedding: Embedding,
    at: datetime,
    now: datetime,
    correction_id: str | None,
) -> Memory:
    """Expire a version and write its closing record: the same content and version, true until `at`."""
    recorded = _record_time(old, now)
    closing = replace(
        old,
        id=new_id(),
        created_at=recorded,
        invalid_at=at,
        invalidation_reason=InvalidationReason.REALITY_CHANGED,
        correction_id=correction_id,
    )
    writes.expire(old.id, recorded, InvalidationReason.REALITY_CHANGED, correction_id or closing.id)
    writes.insert([Entry(closing, embedding)])
    return closing


def _hold(writes: Transaction, old: Memory, expected_version: int | None) -> None:
    """Check again inside the transaction, where nobody else can come between."""
    there = writes.fetch([old.logical_id]).get(old.logical_id)
    if there is None:
        raise NotFound(
            f"The memory {old.logical_id} was forgotten meanwhile", "Remember it again if it should stay"
        )
    check_standing(there, expected_version)
    if there.id != old.id:
        raise Conflict(
            f"The memory {old.logical_id} changed meanwhile, to version {there.version}",
            "Read it again, then repeat the change on what it says now",
        )


def _version_after(old: Memory, next_one: Successor, recorded: datetime, valid_at: datetime) -> Memory:
    draft = next_one.prepared.draft
    changed = {
        name: getattr(draft, name) for name in CHANGEABLE if name not in ("valid_at", "emotion_vector")
    }
    return replace(
        old,
        **changed,
        id=new_id(),
        version=old.version + 1,
        content=draft.content,
        emotion_vector=draft.emotion_vector or {},
        valid_at=valid_at,
        created_at=recorded,
        expired_at=None,
        invalidation_reason=None,
        correction_id=None,
        access_count=0,
        last_accessed_at=None,
        exposure_count=0,
    )


def _draft_of(memory: Memory) -> Draft:
    return Draft(**{name: getattr(memory, name) for name in _KEPT})


def _record_time(old: Memory, now: datetime) -> datetime:
    """When the change is recorded: now, but after the old record even when the clock jumped back."""
    return max(now, old.created_at + _ONE_MICROSECOND)


def _check_recorded(old: Memory, recorded_at: datetime | None, now: datetime) -> datetime | None:
    """The recorded time of an imported change; InvalidTime when it cannot have been recorded then."""
    recorded = utc(recorded_at, "recorded_at")
    if recorded is None:
        return None
    if recorded <= old.created_at:
        raise InvalidTime(
            f"recorded_at {recorded.isoformat()} is not after {old.created_at.isoformat()}, when version "
            f"{old.version} was recorded",
            "Import changes in the order in which they were recorded, or leave recorded_at out",
        )
    if recorded > now:
        raise InvalidTime(
            f"recorded_at {recorded.isoformat()} lies in the future (now is {now.isoformat()})",
            "Give the time at which it was recorded, or leave it out",
        )
    return recorded


def _is_same_time(old: Memory, changes: Mapping[str, Any]) -> bool:
    return bool(changes.get("valid_at", old.valid_at) == old.valid_at)


def _link(relation: Relation, old: Memory, new: Memory) -> Link:
    """The link of a version to the one before it; its feelings are the old version's (spec chapter 3)."""
    return Link(
        id=new_id(),
        source_id=new.logical_id,
        target_id=old.logical_id,
        relation=relation,
        valid_at=new.valid_at,
        created_at=new.created_at,
        energy=old.energy,
        confidence=1.0,
        emotion_vector=old.emotion_vector,
        goal=old.goal or "unstated",
        mindstate=old.mindstate or "captured",
        formation_trigger="a new version was written",
        extra={"source_version": new.version, "target_version": old.version},
    )
