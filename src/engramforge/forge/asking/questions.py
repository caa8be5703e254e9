"""Verbs that only read: recall, a memory and its history, timelines, causes in a text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from engramforge.core.causes.causal_order import CausalOrder, direction_between
from engramforge.core.causes.causation import causations
from engramforge.core.checks.validation import check_content, check_query
from engramforge.core.history.beliefs import changes_of, holds_at
from engramforge.core.history.dissonance import dissonances, restored_versions
from engramforge.core.history.just_asked import with_the_question_last
from engramforge.errors import InvalidTime, InvalidValue, NotFound
from engramforge.forge.asking.topics_asked import topics_recalled
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.causation import Causation
from engramforge.model.embeddings.embedding import MemoryEmbeddings, QueryEmbedding
from engramforge.model.limits import BUDGET_CHARACTERS
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Recall
from engramforge.model.search.selection import SearchScope, Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange
from engramforge.model.timeline import Change, Dissonance, Timeline
from engramforge.recall.request import (
    AskedTimes,
    Moment,
    RecallRequest,
    kinds_within,
    moment,
    point_of,
    recall_request,
    selection_of,
    shown_by,
    span_of,
    whole,
)

if TYPE_CHECKING:
    from engramforge.model.registries.archive import LoadedContext

_ASKED: Final = ("budget", "min_score", "limit", "now")
"""Arguments of a recall that are passed on unchanged."""
_MOST_CHANGES: Final = 1_000
_BUDGET: Final = 8_000
_LARGEST_BUDGET: Final = 100_000_000
Answer = TypeVar("Answer", "Recall", "LoadedContext")


class QuestionVerbs(ScopedVerbs):
    """Questions; none of them changes anything but the counters of use."""

    def get(self, memory_id: str) -> Memory:
        """A memory by version id, or the current version by logical id, or an entry of a registry by its global id.

        Counts as an access. Raises NotFound.
        """
        found = self._memory(memory_id)
        self._stages.uses.opened(found, self._stages.clock())
        return found

    def recall(
        self,
        query: str | None = None,
        *,
        image: str | os.PathLike[str] | bytes | None = None,
        code: str | None = None,
        language: str | None = None,
        entity: Ids = (),
        project: Ids | None = None,
        budget: int | None = BUDGET_CHARACTERS,
        min_score: float | None = None,
        kinds: Ids | None = None,
        session_id: str | None = None,
        exclude_session: str | None = None,
        since: Moment = None,
        until: Moment = None,
        tags: Ids = (),
        mode: TemporalMode | str | None = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        recorded_since: Moment = None,
        recorded_until: Moment = None,
        limit: int | None = None,
        now: Moment = None,
        query_embedding: QueryEmbedding | None = None,
        scope: str | None = None,
    ) -> Recall:
        """Find what answers a query, best first, each hit with the parts of its score.

        Parameters
        ----------
        query : a question or some words, up to 10,000 characters; may be left out if there is an image, code or entity.
        image : a path, bytes or data URL. code, language : code similar in shape and names; recognised by default.
        entity : a name, or several: memories that mention one of them.
        budget : characters of content at most. limit : hits at most, up to 1,000; None: no end. min_score : least mass.
        kinds, session_id, exclude_session, tags, since, until : filters; every tag; became true in [since, until).
        mode : current; point_in_time, the default if a point is given; evolution, every version on record during a
            range; full_history, every version. In the last two each version is a hit, shown by its newest record.
        as_of : known then as true then; or each axis by itself: `as_of_valid` (true at), `as_of_recorded` (known at).
        recorded_since, recorded_until : the range of evolution, [since, until), either end open.
        now : what relative dates and freshness count from. query_embedding : of the same query, by `embed_query`.
        scope : memories (all), a registry (threads, decisions, lineage; without kinds), or topics: in `topics` alone.

        The `note` says where a project or conversation is not there. Raises InvalidContent, InvalidValue, InvalidTime.
        """
        if scope == SearchScope.TOPICS:
            return topics_recalled(locals())
        asked = {name: value for name, value in locals().items() if name in _ASKED}
        shown = shown_by(_image_bytes(image), code, language, entity)
        if query is None and not shown:
            raise InvalidValue("Nothing is asked", "Give a question, or an image, code or entity to ask by")
        kinds = kinds_within(scope, kinds is not None) or kinds
        seen_from = moment(now, "now") or self._stages.clock()
        selection = selection_of(kinds, session_id, tags, since, until, exclude_session, now=seen_from)
        times = AskedTimes(mode, as_of, as_of_valid, as_of_recorded, recorded_since, recorded_until)
        request = recall_request(query, selection, times, shown, clock=self._stages.clock, **asked)
        within = self._narrowed(project)
        return self._noted(within, self._resonating(within, self._recalled(within, request, query_embedding)))

    def _resonating(self, within: Scope, found: Recall) -> Recall:
        """The answer over several projects with what each hit resonates with, by the last scan."""
        if not found.hits or (within.projects is not None and len(within.projects) < 2):
            return found
        named = self._stages.kept_scans.resonating(within, [hit.logical_ids for hit in found.hits])
        told = (replace(hit, resonates=ids) for hit, ids in zip(found.hits, named, strict=True))
        return replace(found, hits=tuple(told))

    def _recalled(self, within: Scope, request: RecallRequest, embedded: QueryEmbedding | None) -> Recall:
        """The answer, with conversations also by beginnings of their ids.

        One that is asked is looked up only where none of that name has an answer: mostly it is given whole.
        """
        selection = request.selection
        if (other := selection.exclude_session) is not None:
            selection = replace(selection, exclude_session=self._conversation(other))
        found = self._stages.retriever.recall(within, replace(request, selection=selection), embedded)
        found = with_the_question_last(found, request.now)
        named = selection.session_id
        if named is None or found.hits:
            return found
        if (known := self._conversation(named)) == named:
            return found if self._has_conversation(within, named) else _without_conversation(found, named)
        selection = replace(selection, session_id=known)
        return self._stages.retriever.recall(within, replace(request, selection=selection), embedded)

    def _has_conversation(self, within: Scope, named: str) -> bool:
        """Whether a memory is, or was, of the conversation."""
        every = Selection(session_id=named, mode=TemporalMode.FULL_HISTORY)
        return bool(self._stages.door.asking(within).browse(every, 1, 0, True))

    def _selected(
        self, kinds: Ids | None, session_id: str | None, tags: Ids, since: Moment, until: Moment
    ) -> Selection:
        """The filters that are asked for; a conversation also by a beginning of its id."""
        selection = selection_of(kinds, session_id, tags, since, until, now=self._stages.clock())
        named = selection.session_id
        return selection if named is None else replace(selection, session_id=self._conversation(named))

    def embed_query(self, query: str, *, project: Ids | None = None) -> QueryEmbedding:
        """A query's embedding in all spaces, weighed by the live statistics of the scope."""
        return self._stages.retriever.embed(self._narrowed(project), query)

    def memories(
        self,
        *,
        project: Ids | None = None,
        kinds: Ids | None = None,
        session_id: str | None = None,
        tags: Ids = (),
        since: Moment = None,
        until: Moment = None,
        mode: TemporalMode | str | None = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        recorded_since: Moment = None,
        recorded_until: Moment = None,
        limit: int = 50,
        offset: int = 0,
        newest_first: bool = True,
    ) -> list[Memory]:
        """Memories by valid time, newest first, filtered as in `recall`.

        In evolution and full_history these are records: a superseded version stands beside its closing record.
        """
        selection = self._selected(kinds, session_id, tags, since, until)
        times = AskedTimes(mode, as_of, as_of_valid, as_of_recorded, recorded_since, recorded_until)
        request = recall_request(None, selection, times, limit=limit, clock=self._stages.clock)
        whole(offset, "offset", 0, 2**62)
        scope = self._narrowed(project)
        view = self._stages.door.asking(scope)
        found = view.browse(request.selection, request.limit or 50, offset, newest_first)
        self._check_known(scope, found)
        return found

    def context_load(
        self,
        query: str,
        project: Ids | None = None,
        include_threads: bool = True,
        include_decisions: bool = True,
        cross_project: bool = False,
        budget: int = _BUDGET,
    ) -> LoadedContext:
        """Context for a question, from all kinds of memory and both registries, as text for a model to read; empty
        where nothing is relevant.

        `query`: the current matter, up to 10,000 characters. `include_threads`, `include_decisions`: open threads,
        active decisions. `cross_project`: search other projects too; results of `project` come first. `budget`:
        characters of the text, from 500.

        Raises InvalidValue if the request is invalid.
        """
        asked = check_query(query)
        most = whole(budget, "budget", 500, _LARGEST_BUDGET)
        scopes = [self._narrowed(project)]
        if cross_project and project is not None:
            scopes.append(self._scope)
        found = self._stages.context_loading.load(
            scopes, asked, include_decisions=include_decisions, include_threads=include_threads, budget=most
        )
        return self._noted(scopes[0], found)

    def _noted(self, scope: Scope, found: Answer) -> Answer:
        """An answer, counted as shown, that notes a project that is not there: looked up only where it may lack
        something for that."""
        self._stages.uses.shown(self._scope, found.versions)
        if isinstance(found, Recall) and found.searched and len(scope.projects or ()) <= 1:
            return found
        missing = self._missing(scope, [hit.memory for hit in found] if isinstance(found, Recall) else ())
        return found if missing is None else replace(found, note=str(missing))

    def history(self, memory_id: str) -> list[Memory]:
        """Every record of a memory, closing records included, oldest first. Raises NotFound."""
        found = self._stages.door.asking(self._scope).versions(self._memory(memory_id).logical_id)
        if not found:
            raise NotFound(
                f"There is no memory {memory_id!r}", "Somebody else may have forgotten it just now"
            )
        return found

    def timeline(
        self,
        memory_id: str | None = None,
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
    ) -> Timeline:
        """What changed: everything about a memory, or, without one, the versions that began or ended in a range.

        Parameters
        ----------
        memory_id : a memory, by version id or logical id: its records, its changes and its dissonances.
        project, kinds, session_id, tags : without a memory: only of these.
        since, until : only changes in [since, until) on either axis, either end open.
        as_of : for a memory: what was known then of what held then; or the two axes separately as `as_of_valid` and
            `as_of_recorded`.
        limit, offset : the most changes, up to 1,000, and how many of the newest to skip.

        Raises NotFound: the memory or project does not exist; InvalidTime, InvalidValue: the question is invalid.
        """
        most = whole(limit, "limit", 1, _MOST_CHANGES)
        passed = whole(offset, "offset", 0, 2**62)
        now = self._stages.clock()
        span = span_of(since, until, now)
        point = point_of(AskedTimes(None, as_of, as_of_valid, as_of_recorded), now)
        selection = self._selected(kinds, session_id, tags, None, None)
        if memory_id is not None:
            if project is not None or selection != Selection():
                raise InvalidValue(
                    "A memory is given together with filters",
                    "Ask for the memory, or for what the filters select",
                )
            return self._timeline_of(memory_id, span, point, most, passed)
        if point is not None:
            raise InvalidTime(
                "A point in time is asked without a memory",
                "Name the memory; memories and recall answer for a whole project as of a time",
            )
        return self._timeline_within(project, selection, span, most, passed)

    def _timeline_of(
        self, memory_id: str, span: TimeRange, point: AsOf | None, limit: int, offset: int
    ) -> Timeline:
        records = self.history(memory_id)
        found = [change for change in changes_of(records) if _is_within(change, span)]
        filled: AsOf | None = None
        held: tuple[Memory, ...] = ()
        if point is not None:
            now = self._stages.clock()
            valid, recorded = point.valid or now, point.recorded or now
            filled = AsOf(valid, recorded)
            held = tuple(record for record in records if holds_at(record, valid, recorded))
        return Timeline(
            memory_id=records[0].logical_id,
            changes=tuple(found[offset : offset + limit]),
            versions=tuple(records),
            dissonances=tuple(self._dissonances(self._scope, records)),
            as_of=filled,
            believed=held,
        )

    def _timeline_within(
        self, project: Ids | None, selection: Selection, span: TimeRange, limit: int, offset: int
    ) -> Timeline:
        scope = self._within(project)
        asked = Selection(
            selection.kinds, selection.session_id, selection.tags, None, TemporalMode.FULL_HISTORY, None, span
        )
        changes = self._stages.door.asking(scope).changes(asked, limit, offset)
        # A dissonance needs both its versions, one of which may have changed outside the range.
        memories = dict.fromkeys(change.memory.logical_id for change in changes)
        records = [
            record for memory in memories for record in self._stages.door.asking(scope).versions(memory)
        ]
        changed = {change.memory.id for change in changes}
        found = self._dissonances(scope, records)
        told = [each for each in found if {each.original_id, each.corrected_id} & changed]
        return Timeline(None, tuple(changes), (), tuple(told))

    def _dissonances(self, scope: Scope, records: Sequence[Memory]) -> list[Dissonance]:
        """The dissonances of records; those that were undone are none."""
        several = sorted({record.logical_id for record in records if record.version > 1})
        every = Selection(mode=TemporalMode.FULL_HISTORY)
        links = self._stages.door.asking(scope).links(several, every) if several else ()
        return dissonances(records, restored_versions(links))

    def embeddings(self, memory_id: str) -> MemoryEmbeddings:
        """A memory in each of the thirteen spaces: encoder, shape, norm, calibrations, surprise, or why it abstains.

        Surprise is measured against up to 1,000 of the newest other memories of its project. Raises NotFound.
        """
        from engramforge.recall.embeddings import embeddings_of
        from engramforge.recall.surroundings import surroundings_of

        stages = self._stages
        memory = self._memory(memory_id)
        encoders = stages.encoder.part_encoders(stages.door.asking(self._scope).encoders())
        around = surroundings_of(stages.door, self._scope, memory, stages.clock())
        calibrations = stages.calibrations.current(self._scope)
        return embeddings_of(around, stages.encoder.table, encoders, calibrations)

    def causes(self, text: str) -> tuple[Causation, ...]:
        """Each statement of a text that something causes something else, in its order (English).

        Raises InvalidContent if the text could not be the content of a memory.
        """
        return causations(check_content(text))

    def cause_between(self, text: str, first: tuple[int, int], other: tuple[int, int]) -> CausalOrder:
        """Which of two spans of a text, [start, end) in characters, is the cause, given that one of them is.

        Raises InvalidValue if the text is none, or a span is not within it, or they overlap.
        """
        for span in (first, other):
            if not 0 <= span[0] < span[1] <= len(text):
                raise InvalidValue(
                    f"The span {span} is not within the text", "Give [start, end) in characters"
                )
        if max(first[0], other[0]) < min(first[1], other[1]):
            raise InvalidValue(f"The spans {first} and {other} overlap", "Give two that are apart")
        return direction_between(text, first, other)


def _without_conversation(found: Recall, named: str) -> Recall:
    """An empty answer that notes that its conversation is not there."""
    missing = NotFound(f"There is no conversation {named!r}", "List the conversations to see which there are")
    return replace(found, searched=0, note=str(missing))


def _image_bytes(image: str | os.PathLike[str] | bytes | None) -> bytes | None:
    """A small PNG of an image given by its path, its bytes or a data URL. Raises as `read_image`."""
    if image is None:
        return None
    from engramforge.writing.pictures import read_image

    return read_image(image)


def _is_within(change: Change, span: TimeRange) -> bool:
    """Whether a change lies in a half-open range."""
    return (span.start is None or span.start <= change.at) and (span.end is None or change.at < span.end)
