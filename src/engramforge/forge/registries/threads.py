"""Verbs of the registry of threads, as `forge.threads`."""

from __future__ import annotations

from dataclasses import replace

from engramforge.core.checks.validation import check_word
from engramforge.forge.registries.argument_checks import (
    conversation_of,
    conversations_of,
    listing_of,
    local_id_of,
    names_of,
    statuses_of,
    tags_of,
)
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import DEFAULT_PROJECT, Kind
from engramforge.model.registries.entry import EntryQuery, ThreadStatus
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Level
from engramforge.recall.request import Moment, moment, selection_of, whole


class ThreadVerbs(ScopedVerbs, relating=("create", "update")):
    """The open matters of conversations. Ids: global (thr_...), a memory's, or local (`conversation` says which)."""

    def create(
        self,
        title: str,
        content: str = "",
        *,
        priority: str = "medium",
        project: str = DEFAULT_PROJECT,
        conversation: str | None = None,
        local_id: str | None = None,
        blocked_by: Ids = (),
        tags: Ids = (),
        valid_at: Moment = None,
        recorded_at: Moment = None,
        level: Level | str = Level.PERSONAL,
    ) -> Thread:
        """Open a thread.

        Parameters
        ----------
        title : one line of up to 200 characters; content : the same in full; priority : high, medium or low.
        conversation, local_id : where it is opened, and its name there (T001), which needs the conversation.
        blocked_by : threads that it waits for; local ids refer to its conversation.
        valid_at, recorded_at : since when it is open, and when that became known; default now.
        level : personal, or collective or ecosystem for what all agents see.

        Raises InvalidContent, InvalidTime, InvalidValue: it is not sound; nothing was changed. Raises NotFound: it
        waits for a thread that does not exist.
        """
        from engramforge.registries.threads.thread_changes import NewThread

        asked = NewThread(
            title=title,
            content=content,
            priority=priority,
            project=project,
            conversation=conversation,
            local_id=local_id_of(local_id, Kind.THREAD, conversation),
            blocked_by=names_of(blocked_by, "thread"),
            tags=tags_of(tags),
            valid_at=moment(valid_at, "valid_at"),
            recorded_at=moment(recorded_at, "recorded_at"),
            level=check_word(Level, level, "level"),
        )
        return self._stages.threads.create(self._scope, asked)

    def get(self, thread_id: str, *, conversation: str | None = None) -> Thread:
        """The current state of a thread and of the threads that it waits for.

        Raises InvalidValue if it is not an id, NotFound, and Conflict if it is the id of another memory.
        """
        return self._stages.thread_reading.get(self._scope, thread_id, conversation)

    def update(
        self,
        thread_id: str,
        *,
        status: str | None = None,
        resolution: str | None = None,
        title: str | None = None,
        content: str | None = None,
        priority: str | None = None,
        blocked_by: Ids | None = None,
        tags: Ids | None = None,
        conversation: str | None = None,
        at: Moment = None,
        recorded_at: Moment = None,
        expected_version: int | None = None,
    ) -> Thread:
        """Change a thread by a new version, except if only another conversation mentions it.

        Changes of status, priority and blockers are changes in the world; of title, content and tags, corrections.

        Parameters
        ----------
        status : open (again), resolved, superseded or abandoned; resolution : how it was closed.
        blocked_by : all threads that it waits for from now on; [] for none.
        conversation : where that happens; recorded as `resolved_in` when a thread is closed.
        at : when the world changed; default `recorded_at`, else now. After the version before became true.
        expected_version : refuse when somebody else has changed it since.

        Raises NotFound, Conflict, InvalidContent, InvalidTime, InvalidValue: nothing was changed. InvalidValue also if
        a thread would wait for itself, directly or through others.
        """
        from engramforge.registries.threads.thread_changes import ThreadUpdate

        asked = ThreadUpdate(
            status=status,
            resolution=resolution,
            title=title,
            content=content,
            priority=priority,
            blocked_by=None if blocked_by is None else names_of(blocked_by, "thread"),
            tags=None if tags is None else tags_of(tags),
            conversation=conversation_of(conversation),
            at=moment(at, "the time of change"),
            recorded_at=moment(recorded_at, "recorded_at"),
            expected_version=expected_version,
        )
        return self._stages.threads.update(self._scope, thread_id, asked)

    def active(self, project: Ids | None = None, *, limit: int = 100) -> list[Thread]:
        """Open threads, up to 1,000: high before medium before low priority, then the oldest first. Raises NotFound."""
        query = EntryQuery(
            kind=Kind.THREAD,
            statuses=(str(ThreadStatus.OPEN),),
            limit=whole(limit, "limit", 1, RECALL_HITS),
            urgent_first=True,
        )
        return self._stages.thread_reading.browse(self._within(project), query)

    def search(
        self,
        query: str,
        *,
        status: str | None = "open",
        project: Ids | None = None,
        tags: Ids = (),
        conversation: str | None = None,
        since: Moment = None,
        until: Moment = None,
        limit: int = 10,
    ) -> list[Thread]:
        """Threads that answer a query by words or meaning, best first, each with its score.

        A query that is the id or local id of threads finds these. `status`: None for any. `conversation`: only threads
        that it mentions. `since`, `until`: only those with this state since [since, until). `limit`: up to 1,000.
        """
        within = self._within(project)
        chosen = replace(
            selection_of(None, None, tags_of(tags), since, until, now=self._stages.clock()),
            statuses=statuses_of(ThreadStatus, status),
            conversations=conversations_of(conversation),
        )
        most = whole(limit, "limit", 1, RECALL_HITS)
        return self._stages.thread_reading.matching(self._scope, within, query, chosen, most)

    def browse(
        self,
        *,
        project: Ids | None = None,
        status: str | None = None,
        conversation: str | None = None,
        local_id: str | None = None,
        tags: Ids = (),
        limit: int = 50,
        offset: int = 0,
    ) -> list[Thread]:
        """Threads in their current state, closed ones included, the newest first.

        `status`: None for any. `conversation`, `local_id`: only threads that it mentions, or with that name. `limit`,
        `offset`: the most to return, up to 1,000, and how many of the newest to skip.
        """
        statuses = statuses_of(ThreadStatus, status)
        query = listing_of(Kind.THREAD, statuses, conversation, local_id, tags, limit, offset)
        return self._stages.thread_reading.browse(self._within(project), query)

    def history(self, thread_id: str, *, conversation: str | None = None) -> list[Thread]:
        """All versions of a thread, oldest first. Raises as `get`."""
        return self._stages.thread_reading.history(self._scope, thread_id, conversation)
