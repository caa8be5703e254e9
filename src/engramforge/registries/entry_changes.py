"""Changes of registry entries, planned and then written: a new one, a version, an end, a return.

Every registry does the slow work (checking, redacting, embedding) outside the transaction, as `EntryChange`s, and hands
them with their links to `EntryChanges.commit`, which writes all of them or none. A detection plans likewise and writes
its changes inside the intake's transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engramforge.core.history.beliefs import check_apart, next_version
from engramforge.core.registries.registration import ended_registration
from engramforge.errors import Conflict, InvalidContent, NotFound
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Memory
from engramforge.model.registration import Registration
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door, Transaction
from engramforge.writing.intake import Intake, entry_of, new_id, records_line
from engramforge.writing.recognising import Prepared
from engramforge.writing.revision import Revision, draft_of
from engramforge.writing.standing import check_change_time, check_recorded, check_standing, hold, hold_open
from engramforge.writing.succession import Successor, record_time, version_after, version_link

Compose = Callable[[Draft], str]
"""The stored content of a cleaned draft, composed of its content and its registration's details."""

_ONE_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """A planned change of an entry.

    Parameters
    ----------
    memory : the entry's last record afterwards: a new version, or the closing record.
    at : when it is recorded; links that belong to the change are recorded at the same time, so that an undo takes them
        back together.
    entries : records to insert.
    replaced : the open record that leaves the record; None for a new or returning entry.
    reason : why it leaves.
    ended : the closing record that a returning entry follows on; it stays on record.
    others : open records that the change was checked against: they must still be open.
    expected_version : the version before the change.
    links : between versions.
    """

    memory: Memory
    at: datetime
    entries: tuple[Entry, ...]
    replaced: Memory | None = None
    reason: InvalidationReason = InvalidationReason.DISCOVERED_FALSE
    ended: Memory | None = None
    others: tuple[Memory, ...] = ()
    expected_version: int | None = None
    links: tuple[Link, ...] = ()

    @property
    def records(self) -> int:
        """How many records it makes and closes."""
        return len(self.entries) + (self.replaced is not None)

    def write(self, writes: Transaction) -> int:
        """Write it; returns how many records it made and closed. Raises Conflict or NotFound if somebody else
        intervened."""
        if self.replaced is not None:
            hold(writes, self.replaced, self.expected_version, self.others)
            follower = self.memory.correction_id or self.memory.id
            writes.expire(self.replaced.id, self.at, self.reason, follower)
        if self.ended is not None:
            _hold_ended(writes, self.ended, self.others)
        writes.insert(self.entries)
        writes.link(self.links)
        return self.records


class EntryChanges:
    """Plans changes of entries and commits them.

    `door`, `clock`: as in `Intake`. `intake`: checks, redacts and encodes. `revision`: gives the signals of what does
    not change.
    """

    def __init__(self, door: Door, intake: Intake, revision: Revision, clock: Callable[[], datetime]) -> None:
        self.door = door
        self.clock = clock
        self._intake = intake
        self._revision = revision

    def prepare(self, scope: Scope, draft: Draft, now: datetime, compose: Compose | None = None) -> Prepared:
        """The draft checked and redacted part by part, then put together.

        Raises InvalidContent, InvalidTime, InvalidValue, OutOfScope: it is not valid, or nothing is left of its
        content.
        """
        ready = self._intake.prepare(scope, draft, now)
        if ready is not None and compose is not None:
            whole = replace(ready.draft, content=compose(ready.draft), emotion_vector=draft.emotion_vector)
            again = self._intake.prepare(scope, whole, now)
            ready = again and replace(again, redacted=ready.redacted + again.redacted)
        if ready is None:
            raise InvalidContent(
                "Nothing of the content is left to store: it is private, or was injected by engramforge itself",
                "Write something outside <private> and <engramforge-context>",
            )
        return ready

    def new_entries(
        self, scope: Scope, drafts: Sequence[Draft], now: datetime, compose: Compose | None = None
    ) -> list[EntryChange]:
        """New entries, one per draft; each draft's `registration` says the rest. Raises as `prepare`."""
        ready = [self.prepare(scope, draft, now, compose) for draft in drafts]
        embeddings = self._intake.encode([prepared.draft for prepared in ready]) if ready else []
        entries = [entry_of(scope, *each) for each in zip(ready, embeddings, strict=True)]
        return [
            EntryChange(memory=entry.memory, at=entry.memory.created_at, entries=(entry,))
            for entry in entries
        ]

    def revised(
        self,
        scope: Scope,
        old: Memory,
        changes: Mapping[str, Any],
        registration: Registration,
        now: datetime,
        *,
        compose: Compose | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
    ) -> EntryChange:
        """We were wrong: the old version leaves the record; a new one takes its place and keeps its `valid_at`.

        `old`: the current version. `changes`: fields of `Draft`, by name; `content` before it is composed.
        `registration`: of the new version; its details are redacted here.

        Raises Conflict: it ended, or is not at the expected version; InvalidContent, InvalidTime, InvalidValue: the
        change is not sound.
        """
        check_standing(old, expected_version)
        at = check_recorded(old, recorded_at, now) or record_time(old, now)
        successor = self._successor(scope, old, changes, registration, now, compose)
        new = _version(old, successor, at, old.valid_at)
        others = self._others(scope, old)
        check_apart(new, others)
        return EntryChange(
            memory=new,
            at=at,
            entries=(Entry(new, successor.embedding, successor.prepared.key),),
            replaced=old,
            others=others,
            expected_version=expected_version,
            links=(version_link(Relation.REVISES, old, new),),
        )

    def succeeded(
        self,
        scope: Scope,
        old: Memory,
        changes: Mapping[str, Any],
        registration: Registration,
        now: datetime,
        *,
        at: datetime | None = None,
        compose: Compose | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
    ) -> EntryChange:
        """The world changed at a time (default: when it is recorded): a closing record, and a new version since.

        Parameters and errors as `revised`; InvalidTime also where `at` is not after the old version became true.
        """
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        changed_at = at or recorded or max(now, old.valid_at + _ONE_MICROSECOND)
        check_change_time(old, changed_at)
        recorded = recorded or record_time(old, now)
        values = {**changes, "valid_at": changed_at, "invalid_at": None}
        successor = self._successor(scope, old, values, registration, now, compose)
        new = _version(old, successor, recorded, changed_at)
        others = self._others(scope, old)
        check_apart(new, others)
        closing = self._closing(old, changed_at, recorded, new.id, ended_registration(old, True))
        return EntryChange(
            memory=new,
            at=recorded,
            entries=(closing, Entry(new, successor.embedding, successor.prepared.key)),
            replaced=old,
            reason=InvalidationReason.REALITY_CHANGED,
            others=others,
            expected_version=expected_version,
            links=(version_link(Relation.SUPERSEDES, old, new),),
        )

    def closed(
        self,
        old: Memory,
        registration: Registration,
        now: datetime,
        *,
        at: datetime | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
        correction_id: str | None = None,
    ) -> EntryChange:
        """The entry ended at a time (default now); its closing record has this registration. Raises as `succeeded`.

        `correction_id`: version id of its successor.
        """
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        ended_at = at or recorded or max(now, old.valid_at + _ONE_MICROSECOND)
        check_change_time(old, ended_at)
        recorded = recorded or record_time(old, now)
        closing = self._closing(old, ended_at, recorded, correction_id, registration)
        return EntryChange(
            memory=closing.memory,
            at=recorded,
            entries=(closing,),
            replaced=old,
            reason=InvalidationReason.REALITY_CHANGED,
            expected_version=expected_version,
        )

    def returned(
        self,
        scope: Scope,
        last: Memory,
        changes: Mapping[str, Any],
        registration: Registration,
        now: datetime,
        *,
        compose: Compose | None = None,
    ) -> EntryChange:
        """An ended entry exists again from now on, as a new version; its end stays in history.

        If it ends only later, the new version begins then. `last` is its last record.

        Raises as `revised`.
        """
        records = self.door.asking(scope).versions(last.logical_id)
        if not records:
            raise NotFound(
                f"The memory {last.logical_id} was forgotten meanwhile", "Remember it again if it should stay"
            )
        recorded = record_time(last, now)
        begins = max(now, last.invalid_at or now)
        values = {**changes, "valid_at": begins, "invalid_at": None}
        successor = self._successor(scope, last, values, registration, now, compose)
        new = replace(
            _version(last, successor, recorded, begins), invalid_at=None, version=next_version(records)
        )
        others = tuple(record for record in records if record.expired_at is None and record.id != last.id)
        check_apart(new, [last, *others])
        return EntryChange(
            memory=new,
            at=recorded,
            entries=(Entry(new, successor.embedding, successor.prepared.key),),
            ended=last,
            others=others,
            links=(version_link(Relation.SUPERSEDES, last, new),),
        )

    def commit(
        self,
        scope: Scope,
        changes: Sequence[EntryChange],
        action: str,
        said: str = "",
        *,
        links: Sequence[Link] = (),
        ended_links: Sequence[Link] = (),
        beside: Callable[[Transaction], None] | None = None,
    ) -> None:
        """Write planned changes and their links in one transaction, with a line in the audit log.

        Parameters
        ----------
        action, said : of the line, which names the last change's memory; `undo` knows the actions (capture/undo).
        links : to write when every record is there; recorded at the `at` of one of the changes.
        ended_links : links that no longer hold; they leave the record at the last change's `at`.
        beside : further writes of the transaction, such as use counters; done last, before the line.
        """
        main = changes[-1]

        def written(writes: Transaction) -> None:
            made = sum(change.write(writes) for change in changes)
            for link in ended_links:
                ended_at = max(main.at, link.created_at + _ONE_MICROSECOND)
                writes.expire_link(link.id, ended_at, InvalidationReason.DISCOVERED_FALSE)
            writes.link(links)
            if beside is not None:
                beside(writes)
            of_one = len(changes) == 1 and (main.replaced is not None or main.ended is not None)
            counted = "" if of_one else records_line(made)
            line = ": ".join(part for part in (counted, said) if part)
            writes.audit(action, main.memory.logical_id, line, max(main.at, self.clock()))

        self.door.write(scope, written)

    def _successor(
        self,
        scope: Scope,
        old: Memory,
        changes: Mapping[str, Any],
        registration: Registration,
        now: datetime,
        compose: Compose | None,
    ) -> Successor:
        draft = replace(draft_of(old), **changes, registration=registration)
        # Feelings derived from the old words do not apply to the new ones.
        if "content" in changes and "emotion_vector" not in changes:
            draft = replace(draft, emotion_vector=None)
        ready = self.prepare(scope, draft, now, compose)
        return Successor(ready, self._intake.encode([ready.draft])[0])

    def _closing(
        self,
        old: Memory,
        ended_at: datetime,
        recorded: datetime,
        correction_id: str | None,
        registration: Registration | None,
    ) -> Entry:
        """The closing record of a version: the same content and version, true until `ended_at`."""
        closing = replace(
            old,
            id=new_id(),
            created_at=recorded,
            invalid_at=ended_at,
            invalidation_reason=InvalidationReason.REALITY_CHANGED,
            correction_id=correction_id,
            registration=registration,
        )
        return Entry(closing, self._signals(old))

    def _signals(self, memory: Memory) -> Embedding:
        return self._revision.encode_again(memory)

    def _others(self, scope: Scope, head: Memory) -> tuple[Memory, ...]:
        """The other open records of a memory: its closing records."""
        if head.version == 1:
            return ()
        records = self.door.asking(scope).versions(head.logical_id)
        return tuple(record for record in records if record.expired_at is None and record.id != head.id)


def _version(old: Memory, successor: Successor, recorded: datetime, valid_at: datetime) -> Memory:
    """The next version with the registration that its draft brings."""
    new = version_after(old, successor, recorded, valid_at)
    return replace(new, registration=successor.prepared.draft.registration)


def _hold_ended(writes: Transaction, last: Memory, others: Sequence[Memory]) -> None:
    """Raise Conflict if an ended entry no longer has this last record."""
    there = writes.fetch([last.logical_id]).get(last.logical_id)
    if there is None or there.id != last.id:
        raise Conflict(
            f"The memory {last.logical_id} changed meanwhile",
            "Read it again, then repeat the change on what it says now",
        )
    hold_open(writes, [last, *others])
