"""Verbs that find memories: recall, embed_query, memories."""

from __future__ import annotations

import os
from inspect import signature
from typing import Final

from engramforge.errors import InvalidValue
from engramforge.forge.parts import ForgePart, Ids
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.limits import BUDGET_CHARACTERS
from engramforge.model.memory import Memory
from engramforge.model.search.hit import Recall
from engramforge.model.time import TemporalMode
from engramforge.recall.request import Moment, recall_request, selection_of, shown_by, whole
from engramforge.recall.search_scope import kinds_within

_ASKED: Final = frozenset(signature(recall_request).parameters) - {"query", "selection", "shown", "clock"}
"""Arguments of a recall that go into its request as they are."""


class Recalling(ForgePart):
    """The way back."""

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
        query : a question or some words, up to 10,000 characters; may be left out where something else is asked by.
        image : a path, the bytes or a data URL of an image: memories with images that look like it.
        code, language : a piece of code: memories with code like it, by shape and names; its language, else recognised.
        entity : a name, or several: memories that mention one of them.
        project : a project's name, several, or None for all.
        budget : characters of content to return at most; None for no limit.
        min_score : least mass, 0..1.
        kinds, session_id, tags, since, until : filters; every tag must be there; true since [since, until).
        mode : current; point_in_time, the default where a point is given; evolution, every version on record during
            a range; full_history, every version. In the last two each version is a hit, seen in its newest record.
        as_of : what was known then as true then; the axes apart: `as_of_valid` (true at), `as_of_recorded` (known at).
        recorded_since, recorded_until : the range of evolution, [since, until), either end open.
        limit : hits to return at most, up to 1,000; None for as many as fit the budget.
        now : what relative dates and freshness count from; default the clock.
        query_embedding : what `embed_query` returned for the same query, to save embedding it again.
        scope : memories (all, as without it), or one registry: threads, decisions, lineage; not together with kinds.

        Raises InvalidContent, InvalidValue or InvalidTime where the request is not sound, NotFound without the project.
        """
        asked = {name: value for name, value in locals().items() if name in _ASKED}
        _check_embedding(query_embedding)
        shown = shown_by(_image_bytes(image), code, language, entity)
        if query is None and not shown:
            raise InvalidValue("Nothing is asked", "Give a question, or an image, code or entity to ask by")
        narrowed = kinds_within(scope, kinds is not None)
        selection = selection_of(kinds if narrowed is None else narrowed, session_id, tags, since, until)
        request = recall_request(query, selection, shown=shown, clock=self._parts.clock, **asked)
        return self._parts.retriever.recall(self._within(project), request, query_embedding)

    def embed_query(self, query: str, *, project: Ids | None = None) -> QueryEmbedding:
        """A query's embedding in all spaces, weighed by the live statistics of the scope."""
        return self._parts.retriever.embed(self._within(project), query)

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
        request = recall_request(
            None,
            selection_of(kinds, session_id, tags, since, until),
            limit=limit,
            mode=mode,
            as_of=as_of,
            as_of_valid=as_of_valid,
            as_of_recorded=as_of_recorded,
            recorded_since=recorded_since,
            recorded_until=recorded_until,
            clock=self._parts.clock,
        )
        whole(offset, "offset", 0, 2**62)
        scope = self._within(project)
        return self._parts.door.browse(scope, request.selection, request.limit or 50, offset, newest_first)


def _check_embedding(embedding: object) -> None:
    """Raise InvalidValue when it is neither None nor a query's embedding."""
    if embedding is not None and not isinstance(embedding, QueryEmbedding):
        raise InvalidValue("The query_embedding is none", "Pass what embed_query returned, or leave it out")


def _image_bytes(image: str | os.PathLike[str] | bytes | None) -> bytes | None:
    """A small PNG of an image given by its path, its bytes or a data URL. Raises as `read_image`."""
    if image is None:
        return None
    from engramforge.writing.pictures import read_image

    return read_image(image)
