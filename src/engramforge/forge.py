"""The facade: everything that engramforge does, as methods of one object. Faces only translate to it.

A `Forge` is made by `engramforge.open`. It is synchronous and may be shared between threads. Arguments are plain
Python (texts, numbers, aware datetimes or ISO texts); answers are frozen model types. What must not enter: SQL, file
formats, ranking: they live in the stages that this module calls.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from engramforge.core.drafting import draft_from
from engramforge.core.validation import check_name
from engramforge.errors import InvalidValue, NotFound
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embedding import QueryEmbedding
from engramforge.model.hit import Recall
from engramforge.model.limits import BATCH_MEMORIES, BUDGET_CHARACTERS
from engramforge.model.link import Link
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Memory
from engramforge.model.project import Project
from engramforge.model.record import AuditEntry, Forgotten, ImportReport, StoreCounts, StoreIdentity
from engramforge.model.scope import Scope
from engramforge.recall.request import Moment, listed, moment, recall_request, selection_of, whole
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.capture.import_run import ImportProgress
    from engramforge.capture.intake import Intake
    from engramforge.capture.revision import Revision

Ids = str | Sequence[str]


@dataclass(frozen=True)
class ForgeParts:
    """What a forge is made of; assembly puts it together.

    Parameters
    ----------
    make_intake, make_revision : build the stages of writing at the first write: a process that only recalls does not
        wait for them.
    """

    door: Door
    encoder: TextEncoder
    retriever: Retriever
    make_intake: Callable[[], Intake]
    make_revision: Callable[[Intake], Revision]
    clock: Callable[[], datetime]
    excluded_projects: tuple[str, ...] = ()
    markdown_globs: tuple[str, ...] = ()

    @cached_property
    def intake(self) -> Intake:
        """The way in."""
        return self.make_intake()

    @cached_property
    def revision(self) -> Revision:
        """The way to a new version."""
        return self.make_revision(self.intake)


class Forge:
    """A persistent memory.

    Parameters
    ----------
    parts : the wired stages.
    scope : who asks; `agent` is the owner of personal memories.
    """

    def __init__(self, parts: ForgeParts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def __enter__(self) -> Forge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store; later calls raise."""
        self._parts.door.close()

    @property
    def identity(self) -> StoreIdentity:
        """Which store this is."""
        return self._parts.door.identity

    @property
    def encoder_id(self) -> str:
        """Id of the encoders in use; loads the model. Raises ModelUnavailable."""
        return self._parts.encoder.id

    def remember(self, content: str, *, project: str = DEFAULT_PROJECT, **fields: Any) -> Memory:
        """Write one memory; it is durable and searchable when this returns.

        Parameters
        ----------
        content : the text; up to 1 MB of UTF-8, not blank. Secrets in it are redacted before anything is stored.
        project : the project's name; it exists from its first memory.
        fields : any field of `Draft`: kind, name, source, session_id, sequence, speaker, level, agent, tags,
            metadata, valid_at, invalid_at, recorded_at, energy, confidence, epistemic_tier, emotion_vector, goal,
            mindstate, resolution_state, attachments, chunk, origin.

        Returns
        -------
        The stored memory with its `id`. A note or chunk whose content the project has already, or any draft whose
        `origin` it has, is a duplicate: the memory that was there is returned and nothing is written.

        Raises
        ------
        InvalidContent, InvalidValue, InvalidTime : nothing was changed.
        """
        draft = draft_from({"content": content, "project": project, **fields})
        return self._parts.intake.write(self._scope, [draft], revive_forgotten=True).memories[0]

    def remember_many(self, drafts: Iterable[Draft | Mapping[str, Any]]) -> list[Memory]:
        """Write many memories, in transactions of up to 1,000.

        All drafts of a transaction are checked before any is written: a bad one changes nothing of its thousand.
        Returns one memory per draft, in order; a duplicate gives the memory that it duplicates.
        """
        written: list[Memory] = []
        for batch in _batches(map(draft_from, drafts), BATCH_MEMORIES):
            written += self._parts.intake.write(self._scope, batch, revive_forgotten=True).memories
        return written

    def get(self, memory_id: str) -> Memory:
        """A memory by version id, or the current version by logical id. Raises NotFound."""
        found = self._parts.door.fetch(self._scope, [_checked_id(memory_id)]).get(memory_id)
        if found is None:
            raise NotFound(f"There is no memory {memory_id[:100]!r}", "Find its id with recall or list")
        return found

    def recall(
        self,
        query: str,
        *,
        project: Ids | None = None,
        budget: int | None = BUDGET_CHARACTERS,
        min_score: float | None = None,
        kinds: Ids | None = None,
        session_id: str | None = None,
        since: Moment = None,
        until: Moment = None,
        tags: Ids = (),
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        limit: int | None = None,
        now: Moment = None,
        query_embedding: QueryEmbedding | None = None,
    ) -> Recall:
        """Find what answers a query, best first, each hit with the parts of its score (spec chapter 5).

        Parameters
        ----------
        query : a question or some words, up to 10,000 characters.
        project : a project's name, several, or None for all.
        budget : characters of content to return at most; None for no limit.
        min_score : least mass, 0..1.
        kinds, session_id, tags : filters; every tag must be there.
        since, until : only what became true in [since, until).
        as_of : what was known at that time as true at that time; the two axes apart as `as_of_valid` (true at) and
            `as_of_recorded` (known at).
        limit : hits to return at most, up to 1,000; None for as many as fit the budget.
        now : what relative dates and freshness count from; default the clock.
        query_embedding : what `embed_query` returned for the same query, to save embedding it again.

        Raises
        ------
        InvalidContent, InvalidValue, InvalidTime : the request is not sound.
        NotFound : there is no such project.
        """
        if query_embedding is not None and not isinstance(query_embedding, QueryEmbedding):
            raise InvalidValue(
                "The query_embedding is none", "Pass what embed_query returned, or leave it out"
            )
        request = recall_request(
            query,
            selection_of(kinds, session_id, tags, since, until),
            budget=budget,
            min_score=min_score,
            limit=limit,
            as_of=as_of,
            as_of_valid=as_of_valid,
            as_of_recorded=as_of_recorded,
            now=now,
            clock=self._parts.clock,
        )
        return self._parts.retriever.recall(self._within(project), request, query_embedding)

    def embed_query(self, query: str, *, project: Ids | None = None) -> QueryEmbedding:
        """A query's embedding in all spaces, weighed by the live statistics of the scope."""
        return self._parts.retriever.embed(self._within(project), query)

    def revise(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        expected_version: int | None = None,
        **changes: Any,
    ) -> Memory:
        """We were wrong: a new version takes the place of the old one, which stays in history.

        Parameters
        ----------
        memory_id : the memory, by version id or logical id.
        content : the corrected content; None keeps it.
        expected_version : refuse when somebody else has revised it since.
        changes : other fields of `Draft` to change.

        Raises
        ------
        NotFound, Conflict, InvalidContent, InvalidValue : nothing was changed.
        """
        logical_id = self.get(memory_id).logical_id
        return self._parts.revision.revise(self._scope, logical_id, content, changes, expected_version)

    def supersede(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        at: Moment = None,
        expected_version: int | None = None,
        **changes: Any,
    ) -> Memory:
        """The world changed at a time, possibly in the past: the old version held until then, the new one since.

        Parameters
        ----------
        at : the time of change; default now. Not before the old version became true.
        """
        logical_id = self.get(memory_id).logical_id
        changed_at = moment(at, "the time of change")
        return self._parts.revision.supersede(
            self._scope, logical_id, content, changes, changed_at, expected_version
        )

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory for good: all versions, embeddings, links and what was derived from it.

        The audit log keeps the id, the time and the reason. Raises NotFound.
        """
        if reason:
            check_name(reason, "reason")
        logical_id = self.get(memory_id).logical_id
        now = self._parts.clock()
        with self._parts.door.transaction(self._scope) as writes:
            proofs = writes.forget([logical_id], now)
            for proof in proofs:
                writes.audit("forget", proof.logical_id, reason, now)
        if not proofs:
            raise NotFound(f"There is no memory {memory_id!r}", "Somebody else may have forgotten it first")
        # The door returned from the transaction, so the files have been searched and cleared of the content.
        return replace(proofs[0], verified=True)

    def history(self, memory_id: str) -> list[Memory]:
        """Every record of a memory, closing records too, oldest first. Raises NotFound."""
        found = self._parts.door.versions(self._scope, self.get(memory_id).logical_id)
        if not found:
            raise NotFound(
                f"There is no memory {memory_id!r}", "Somebody else may have forgotten it just now"
            )
        return found

    def memories(
        self,
        *,
        project: Ids | None = None,
        kinds: Ids | None = None,
        session_id: str | None = None,
        tags: Ids = (),
        since: Moment = None,
        until: Moment = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        limit: int = 50,
        offset: int = 0,
        newest_first: bool = True,
    ) -> list[Memory]:
        """Memories by valid time, newest first, filtered as in `recall`."""
        request = recall_request(
            None,
            selection_of(kinds, session_id, tags, since, until),
            limit=limit,
            as_of=as_of,
            as_of_valid=as_of_valid,
            as_of_recorded=as_of_recorded,
            clock=self._parts.clock,
        )
        whole(offset, "offset", 0, 2**62)
        scope = self._within(project)
        return self._parts.door.browse(scope, request.selection, request.limit or 50, offset, newest_first)

    def links(self, memory_id: str) -> list[Link]:
        """Links that begin or end at a memory. Raises NotFound."""
        return self._parts.door.links(self._scope, [self.get(memory_id).logical_id])

    def import_path(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - the word a user expects
        progress: Callable[[ImportProgress], None] | None = None,
    ) -> ImportReport:
        """Import a file or folder: Markdown, JSONL or Claude Code transcripts, recognised by what they hold.

        A second import adds nothing; an interrupted one goes on where it stopped. Broken records are in the
        report's `faults` with file and line; the rest goes in.

        Raises
        ------
        NotFound : there is no such path.
        InvalidSource : nothing there can be imported.
        """
        from engramforge.capture.imports import import_path

        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            raise InvalidValue(
                f"The path is {str(path)[:40]!r}", "Name a file or a folder; . is the current one"
            )
        return import_path(self._parts, self._scope, Path(path), project, format, progress)

    def projects(self) -> list[Project]:
        """The projects with their counts of current memories."""
        return self._parts.door.projects(self._scope)

    def create_project(self, name: str) -> None:
        """Make a project exist before its first memory."""
        checked = check_name(name, "project")
        with self._parts.door.transaction(self._scope) as writes:
            writes.create_project(checked, self._parts.clock())

    def stats(self) -> StoreCounts:
        """How much the store holds."""
        return self._parts.door.count(self._scope)

    def audit_log(self, limit: int = 50) -> list[AuditEntry]:
        """What was forgotten and revised, newest first; never content."""
        whole(limit, "limit", 1, 2**62)
        return self._parts.door.audit_log(self._scope, limit)

    def check(self) -> list[str]:
        """Faults of the store, each with its mend; empty when it is sound."""
        return self._parts.door.check()

    def _within(self, project: Ids | None) -> Scope:
        """The scope narrowed to projects, which must exist."""
        if project is None:
            return self._scope
        names = (project,) if isinstance(project, str) else listed(project, "project")
        if not names:
            raise InvalidValue("An empty list of projects is asked", "Name one, or leave it out for all")
        scope = self._scope.within(*(check_name(name, "project") for name in names))
        known = self._parts.door.project_names(scope)
        missing = [name for name in scope.projects or () if name not in known]
        if missing:
            from difflib import get_close_matches

            near = get_close_matches(missing[0], self._parts.door.project_names(self._scope), 1)
            hint = f"Did you mean {near[0]!r}?" if near else "See them with `engramforge projects`"
            raise NotFound(f"There is no project {missing[0]!r}", hint)
        return scope


def _checked_id(memory_id: object) -> str:
    if not isinstance(memory_id, str) or not memory_id.strip():
        raise InvalidValue(
            f"The id is {memory_id!r}"[:200], "Give the id that remember, recall or list printed"
        )
    return memory_id


def _batches(drafts: Iterator[Draft], size: int) -> Iterator[list[Draft]]:
    while batch := list(islice(drafts, size)):
        yield batch
