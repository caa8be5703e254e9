"""What was injected into which session: kept in memory, written in batches, so that no answer waits for it.

A session's context holds what was injected since it began or was compacted last. A process that dies before a batch
loses its records: then a memory may be injected twice, which is no harm.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import RLock
from typing import Final

from engramforge.errors import EngramforgeError
from engramforge.model.injection import ACTS, ASKS, COMPACT, STARTS, Injection, InjectionQuery
from engramforge.model.scope import Scope
from engramforge.store.door import Door

KEPT: Final = timedelta(days=90)
"""How long records are kept; what they counted stays with the memories."""
_PRUNED: Final = 1_000
_BATCH: Final = 20
"""How many records wait for a write at most."""
_SESSIONS: Final = 256
_OF_SESSION: Final = 50
"""How many sessions, and injections of each, are kept in memory."""
_FRESH_PROMPTS: Final = 3
"""What was said or told with so many prompts, or since, is before the model's eyes."""
_FRESH: Final = (COMPACT, "clear")
"""Causes of a start after which nothing from before is in the context."""


@dataclass(slots=True)
class SessionContext:
    """What is in a session's context, as far as it was injected.

    `known`: logical ids; `at_tools`: those that were told before a tool. `records`: those of this context, newest last.
    `prompt`: the last one; `asked_at`: when the last few came. `project`: of its first event. `emptied_at`: when it was
    compacted or cleared last, None if never.
    """

    known: set[str] = field(default_factory=set)
    at_tools: set[str] = field(default_factory=set)
    records: OrderedDict[str, Injection] = field(default_factory=OrderedDict)
    prompt: str = ""
    asked_at: deque[datetime] = field(default_factory=lambda: deque(maxlen=_FRESH_PROMPTS))
    project: str | None = None
    emptied_at: datetime | None = None

    def take(self, record: Injection) -> None:
        """Note an injection, or what became of it."""
        told = _told(record)
        self.known |= told
        if record.event == ACTS:
            self.at_tools |= told
        self.records[record.id] = record
        while len(self.records) > _OF_SESSION:
            self.records.popitem(last=False)

    @property
    def fresh_from(self) -> datetime | None:
        """Since when what was said is fresh: the last few prompts; None while there were no more."""
        return self.asked_at[0] if len(self.asked_at) == _FRESH_PROMPTS else None

    def fresh(self) -> frozenset[str]:
        """Logical ids of what was told before a tool, or with the last few prompts."""
        since = self.fresh_from
        asked = (each for each in self.records.values() if each.event == ASKS)
        return frozenset(self.at_tools).union(
            *(_told(each) for each in asked if since is None or each.at >= since)
        )


class InjectionLog:
    """Shared between threads."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._lock = RLock()
        self._waiting: dict[str, Injection] = {}
        self._sessions: OrderedDict[tuple[str, str], SessionContext] = OrderedDict()

    def context(self, scope: Scope, session: str) -> SessionContext:
        """The session's context; of a session that this process does not know, as it was recorded."""
        key = (scope.agent, session)
        with self._lock:
            if (found := self._sessions.get(key)) is not None:
                self._sessions.move_to_end(key)
                return found
        made = SessionContext()
        with suppress(EngramforgeError):
            for record in reversed(self._recorded(scope, session)):
                if _empties(record):
                    made.emptied_at = record.at
                made.take(record)
        with self._lock:
            found = self._sessions.setdefault(key, made)
            while len(self._sessions) > _SESSIONS:
                self._sessions.popitem(last=False)
            return found

    def _recorded(self, scope: Scope, session: str) -> list[Injection]:
        """The records of the session since its context was cleared, newest first."""
        query = InjectionQuery(session=session, limit=_OF_SESSION)
        found = self._door.asking(scope).injections(query)
        last = (n for n, each in enumerate(found, 1) if _empties(each))
        return found[: next(last, len(found))]

    def begin(self, scope: Scope, session: str, cause: str, at: datetime) -> None:
        """Note that a session starts: after a compaction its context has nothing of before."""
        context = self.context(scope, session)
        if cause in _FRESH:
            with self._lock:
                context.known.clear()
                context.at_tools.clear()
                context.records.clear()
                context.emptied_at = at

    def add(self, scope: Scope, record: Injection) -> None:
        """Keep a record, or what became of it."""
        if record.session is not None:
            context = self.context(scope, record.session)
            with self._lock:
                context.take(record)
        with self._lock:
            self._waiting[record.id] = record
            is_full = len(self._waiting) >= _BATCH
        if is_full:
            self.write(scope)

    @contextmanager
    def forgetting(self, scope: Scope) -> Iterator[None]:
        """Around a forget, which finds what waits, as that names sessions and projects; what is known of sessions is
        read again after it."""
        self.write(scope)
        yield
        with self._lock:
            self._sessions.clear()

    def prune(self, scope: Scope, now: datetime) -> None:
        """Remove a batch of the records that were kept long enough, if there are some."""
        with suppress(EngramforgeError):
            self._door.write(scope, lambda writes: writes.prune_injections(now - KEPT, _PRUNED))

    def write(self, scope: Scope) -> None:
        """Write what waits, in a transaction; without effect where the store cannot be written to."""
        with self._lock:
            waiting, self._waiting = list(self._waiting.values()), {}
        if waiting:
            with suppress(EngramforgeError):
                self._door.write(scope, lambda writes: writes.save_injections(waiting))


def _told(record: Injection) -> set[str]:
    """The logical ids of what was injected, and of what that was read from."""
    return {id_ for each in record.memories for id_ in (each.memory_id, each.source_id) if id_}


def _empties(record: Injection) -> bool:
    return record.event == STARTS and record.cause in _FRESH
