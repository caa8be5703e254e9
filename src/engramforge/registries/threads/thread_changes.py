"""The registry of threads, the open matters of conversations: made, changed, closed, opened again.

Changes of status, priority and blockers are changes in the world: the old version held until then. Changes of title,
content and tags are corrections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from engramforge.core.checks.validation import check_name, check_text, check_word
from engramforge.errors import InvalidValue
from engramforge.model.limits import CONTENT_BYTES
from engramforge.model.link import Link, Relation
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Memory
from engramforge.model.registries.entry import Priority, ThreadStatus
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Level, Scope
from engramforge.model.time import InvalidationReason
from engramforge.registries.registered import entry_link, mentioned_in, registration_of
from engramforge.registries.threads.thread_view import (
    BLOCKED_BY,
    OPENED_AT,
    PRIORITY,
    RESOLUTION,
    RESOLVED_IN,
    ThreadReading,
    blocking_of,
    body_of,
    composed,
    opened_at,
    resolution_state,
    status_of,
    thread_draft,
    title_of,
)
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges, next_draft
from engramforge.writing.expected_state import check_standing, hold
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import VersionChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NewThread:
    """A requested thread; `blocked_by` are ids of any sort."""

    title: str
    content: str = ""
    priority: Priority | str = Priority.MEDIUM
    project: str = DEFAULT_PROJECT
    conversation: str | None = None
    local_id: str | None = None
    blocked_by: Sequence[str] = ()
    tags: Sequence[str] = ()
    valid_at: datetime | None = None
    recorded_at: datetime | None = None
    level: Level = Level.PERSONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadUpdate:
    """Changes to a thread; None keeps a field.

    `conversation`: where it is changed: mentioned from now on, and where a closed one was closed. `at`: when the world
    changed; default when it is recorded.
    """

    status: ThreadStatus | str | None = None
    resolution: str | None = None
    title: str | None = None
    content: str | None = None
    priority: Priority | str | None = None
    blocked_by: Sequence[str] | None = None
    tags: Sequence[str] | None = None
    conversation: str | None = None
    at: datetime | None = None
    recorded_at: datetime | None = None
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """A planned change of a thread, to be written in one transaction.

    `change`: the new version. `links`: to the threads that it waits for now. `ended_links`: to those that it no longer
    waits for.
    """

    change: VersionChange
    links: tuple[Link, ...] = ()
    ended_links: tuple[Link, ...] = ()

    @property
    def is_correction(self) -> bool:
        """Whether it is a correction; otherwise the world changed."""
        return self.change.ended is None and self.change.reason is InvalidationReason.DISCOVERED_FALSE

    def check(self, writes: Transaction) -> None:
        """Raise InvalidValue if it would wait for itself, checked inside the transaction."""
        if self.links:
            check_waiting(writes.fetch, self.change.memory)


@dataclass(frozen=True, slots=True)
class Threads:
    """The registry of threads."""

    changes: VersionChanges
    reading: ThreadReading

    @embedding_again
    def create(self, scope: Scope, asked: NewThread) -> Thread:
        """A new open thread.

        Raises InvalidContent, InvalidTime, InvalidValue, OutOfScope: it is not sound; NotFound: it waits for a thread
        that does not exist.
        """
        plan = self.plan_new(scope, asked, self.changes.clock())
        self.changes.commit(scope, [plan.change], "remember", links=plan.links)
        return self.reading.shown(scope, [plan.change.memory])[0]

    def plan_new(self, scope: Scope, asked: NewThread, now: datetime) -> ThreadPlan:
        """As `create`, but only planned."""
        conversation = None if asked.conversation is None else check_name(asked.conversation, "conversation")
        blockers = self.reading.find_each(scope, asked.blocked_by, conversation)
        draft = thread_draft(
            check_name(asked.title, "title"),
            _checked_content(asked.content),
            priority=check_word(Priority, asked.priority, "priority"),
            blocked_by=[blocker.logical_id for blocker in blockers],
            conversation=conversation,
            local_id=None if asked.local_id is None else check_name(asked.local_id, "local_id"),
            project=asked.project,
            tags=asked.tags,
            valid_at=asked.valid_at,
            recorded_at=asked.recorded_at,
            level=asked.level,
        )
        (change,) = self.changes.new_entries(scope, [draft], now, composed)
        return ThreadPlan(change, tuple(waiting_link(change, blocker) for blocker in blockers))

    @embedding_again
    def update(self, scope: Scope, named: str, asked: ThreadUpdate) -> Thread:
        """Change a thread; equal values are no change, and a mere mention makes no version.

        Raises NotFound: the thread, or one that it would wait for, does not exist; Conflict: it ended, is not at the
        expected version, or was changed concurrently; InvalidContent, InvalidTime, InvalidValue: the change is invalid
        or empty, or the thread would wait for itself, directly or through others.
        """
        if replace(asked, at=None, recorded_at=None, expected_version=None) == ThreadUpdate():
            raise InvalidValue("The change changes nothing", "Give a status, or another field to change")
        now = self.changes.clock()
        old = self.reading.find(scope, named, asked.conversation)
        plan = self.plan_update(scope, old, asked, now)
        if plan is None:
            return self._mention(scope, old, asked)
        self.changes.commit(
            scope,
            [plan.change],
            "revise" if plan.is_correction else "supersede",
            links=plan.links,
            ended_links=plan.ended_links,
            beside=plan.check,
        )
        return self.reading.shown(scope, [plan.change.memory])[0]

    def plan_update(self, scope: Scope, old: Memory, asked: ThreadUpdate, now: datetime) -> ThreadPlan | None:
        """As `update`, but only planned; None if nothing changes.

        When the plan is written, `ThreadPlan.check` must be called inside the transaction.
        """
        before = registration_of(old)
        status = _asked_status(old, asked)
        blockers = None
        if asked.blocked_by is not None:
            blockers = self.reading.find_each(scope, asked.blocked_by, asked.conversation or before.origin)
            waiting = tuple(blocker.logical_id for blocker in blockers)
            check_waiting(lambda ids: self.changes.door.asking(scope).fetch(ids), old, waiting)
        details = _details_after(old, asked, status, blockers)
        fields = _fields_after(old, asked)
        if (status, details, fields) == (status_of(old), before.details, {}):
            return None
        registration = replace(
            before,
            status=str(status),
            details=details,
            conversations=mentioned_in(before, asked.conversation),
        )
        values = {"content": body_of(old), **fields, "resolution_state": resolution_state(status)}
        change = self._planned(scope, old, next_draft(old, values, registration), asked, now)
        gone = set(blocking_of(old)) - set(blocking_of(change.memory))
        fresh = [blocker for blocker in blockers or () if blocker.logical_id not in blocking_of(old)]
        ended = self._links_to(scope, old, gone) if gone else ()
        return ThreadPlan(change, tuple(waiting_link(change, each) for each in fresh), ended)

    def _planned(
        self, scope: Scope, old: Memory, draft: Draft, asked: ThreadUpdate, now: datetime
    ) -> VersionChange:
        before, registration = registration_of(old).details, draft.registration
        assert registration is not None
        ended = old.expired_at is None and old.invalidation_reason is not None
        if ended and registration.status == ThreadStatus.OPEN and asked.status is not None:
            return self.changes.returned(scope, old, draft, now, compose=composed)
        recorded, expected = asked.recorded_at, asked.expected_version
        stays = all(before.get(key) == registration.details.get(key) for key in (PRIORITY, BLOCKED_BY))
        if stays and registration.status == status_of(old) and asked.at is None:
            return self.changes.revised(
                scope, old, draft, now, compose=composed, recorded_at=recorded, expected_version=expected
            )
        details = {**registration.details, OPENED_AT: opened_at(old).isoformat()}
        since = replace(draft, registration=replace(registration, details=details))
        succeeded = partial(self.changes.succeeded, at=asked.at, compose=composed)
        return succeeded(scope, old, since, now, recorded_at=recorded, expected_version=expected)

    def _mention(self, scope: Scope, old: Memory, asked: ThreadUpdate) -> Thread:
        """Record another conversation that mentions a thread, in place."""
        check_standing(old, asked.expected_version)
        registration = registration_of(old)
        mentions = mentioned_in(registration, asked.conversation)
        if mentions == registration.conversations:
            return self.reading.shown(scope, [old])[0]
        noted = replace(registration, conversations=mentions)

        def work(writes: Transaction) -> None:
            hold(writes, old, asked.expected_version)
            writes.note_use(old, noted)
            writes.audit("mention", old.logical_id, "", self.changes.clock())

        self.changes.door.write(scope, work)
        return self.reading.shown(scope, [replace(old, registration=noted)])[0]

    def _links_to(self, scope: Scope, thread: Memory, ends: set[str]) -> tuple[Link, ...]:
        return tuple(
            link
            for link in self.changes.door.asking(scope).links([thread.logical_id])
            if link.source_id == thread.logical_id
            and link.target_id in ends
            and link.relation == Relation.BLOCKED_BY
        )


def _checked_content(content: object) -> str:
    return "" if content == "" else check_text(content, "content", CONTENT_BYTES) or ""


def _asked_status(old: Memory, asked: ThreadUpdate) -> ThreadStatus:
    before = status_of(old)
    status = before if asked.status is None else check_word(ThreadStatus, asked.status, "status")
    if asked.resolution is not None and status is ThreadStatus.OPEN:
        raise InvalidValue(
            "A resolution is given for a thread that stays open",
            "Give the status resolved with it, or leave it out",
        )
    return status


def _details_after(
    old: Memory, asked: ThreadUpdate, status: ThreadStatus, blockers: list[Memory] | None
) -> dict[str, Any]:
    details = dict(registration_of(old).details)
    if asked.priority is not None:
        details[PRIORITY] = str(check_word(Priority, asked.priority, "priority"))
    if blockers is not None:
        details.pop(BLOCKED_BY, None)
        details |= {BLOCKED_BY: [blocker.logical_id for blocker in blockers]} if blockers else {}
    if status is not status_of(old) or status is ThreadStatus.OPEN:
        details.pop(RESOLUTION, None)
        details.pop(RESOLVED_IN, None)
        if status is not ThreadStatus.OPEN and asked.conversation is not None:
            details[RESOLVED_IN] = check_name(asked.conversation, "conversation")
    if asked.resolution is not None:
        details[RESOLUTION] = check_text(asked.resolution, "resolution", CONTENT_BYTES)
    return details


def _fields_after(old: Memory, asked: ThreadUpdate) -> dict[str, Any]:
    """The memory's own fields that change; the content is that of the open thread."""
    title = title_of(old) if asked.title is None else check_name(asked.title, "title")
    body = body_of(old)
    if asked.content is not None:
        body = _checked_content(asked.content) or title
    elif body == title_of(old):
        body = title
    fields: dict[str, Any] = {}
    if title != title_of(old):
        fields["name"] = title
    if body != body_of(old):
        fields["content"] = body
    if asked.tags is not None and tuple(asked.tags) != old.tags:
        fields["tags"] = asked.tags
    return fields


def waiting_link(change: VersionChange, blocker: Memory) -> Link:
    """The link of a changed thread to one that it waits for."""
    trigger = "a thread was said to wait for another"
    return entry_link(Relation.BLOCKED_BY, change.memory, blocker, change.at, trigger=trigger)


def check_waiting(
    fetch: Callable[[Iterable[str]], dict[str, Memory]],
    thread: Memory,
    waits_for: tuple[str, ...] | None = None,
) -> None:
    """Raise InvalidValue if a thread would wait for itself, directly or through others.

    `fetch`: gives threads as they stand, by logical ids. `waits_for`: logical ids of its blockers; defaults to the
    recorded ones.
    """
    own = thread.logical_id
    ahead = waits_for if waits_for is not None else blocking_of(thread)
    came_by: dict[str, str] = {}
    wave = list(ahead)
    seen: dict[str, Memory] = {own: thread}
    for each in wave:
        came_by.setdefault(each, own)
    while wave:
        if own in wave:
            raise _waits_for_itself(own, came_by, seen)
        found = {key: memory for key, memory in fetch(wave).items() if memory.registration is not None}
        seen |= found
        further = [(there, key) for key, memory in found.items() for there in blocking_of(memory)]
        wave = list(dict.fromkeys(there for there, _ in further if there not in came_by))
        for there, key in further:
            came_by.setdefault(there, key)


def _waits_for_itself(own: str, came_by: dict[str, str], seen: dict[str, Memory]) -> InvalidValue:
    chain = [own]
    while (before := came_by[chain[-1]]) != own:
        chain.append(before)
    said = [
        f"{registration_of(seen[each]).entry_id} ({title_of(seen[each])})"
        for each in (own, *chain[:0:-1], own)
    ]
    shown = said if len(said) <= 6 else [*said[:3], "...", *said[-2:]]
    return InvalidValue(
        f"The thread would wait for itself: {', which waits for '.join(shown)}"[:1_000],
        "Leave out one of these of blocked_by, or close the one that is done",
    )
