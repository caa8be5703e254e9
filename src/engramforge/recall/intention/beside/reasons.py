"""What is a link away from the nearest of what was found, where a question asks for that link: its causes and what
resolved it where it asks why, else whatever relation it says.

hits that answer -> links that are asked for -> what holds at the other end

No name is needed: "why did the pump stall?" finds the memory that says so, and what caused it may share no word with
the question; nor may what the heating cable depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from engramforge.core.causes.causation import asked_direction
from engramforge.core.entities.spellings import squeezed
from engramforge.core.streams.activation import asked_for
from engramforge.core.streams.asked_relations import asked_way, matter_beside, said_of_relations, ways_asked
from engramforge.core.text.words import roots_of
from engramforge.model.causation import AskedDirection
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import Path, StreamItem
from engramforge.model.streams.ways import Way
from engramforge.recall.intention.fitting import fits
from engramforge.recall.intention.graph_search import GraphFound
from engramforge.recall.intention.walking import steps_asked
from engramforge.store.door import Door, View

_BEST: Final = 5
"""Of how many hits the links are followed, the nearest that answer."""
_NEAR: Final = 10
"""How many of the nearest hits may be what a question is about where none of them answers: what answers may be said by
a link alone."""
_WHY: Final = roots_of("cause make lead reason explain resolve fix solve happen come result trigger bring")
"""What asks for causes, and says nothing of what they are causes of."""
_MOST: Final = 100
"""Links of a kind that are read."""


class _Led(NamedTuple):
    """That a link leads from a hit to something. `counts`: how much of what is asked for it is, 0..1."""

    here: str
    there: str
    link: Link
    counts: float = 1.0


def with_reasons(
    found: GraphFound, door: Door, scope: Scope, intention: RetrievalIntention, hits: Iterable[Hit]
) -> GraphFound:
    """What the graph gave with what the links lead to that are asked for, from the nearest hits. Relevance is that of
    the hit x the energy of the link x how much of what is asked for that is; of what several lead to, and of what the
    graph gave already, what comes sooner counts."""
    best = sorted(hits, key=lambda each: -each.parts.similarity)[:_NEAR]
    if not best:
        return found
    # How a matter came about is asked, whatever was felt of that.
    asked = replace(intention, required_emotions=()) if intention.came_about else intention
    near = {each.memory.logical_id: each for each in best}
    with door.asking(scope) as view:
        led = [*_causes(view, asked, near), *_said(view, asked, _of_names(near, found.names))]
        if not led:
            return found
        places = view.held(asked.selection, sorted({each.there for each in led}))
        fetched = view.fetch_at(np.array(list(places.values()), np.int64)) if places else {}
    reached = {one: fetched[place] for one, place in places.items() if place in fetched}
    soon = _soon(asked.query_text)
    reasons: dict[str, StreamItem] = {}
    for each in led:
        if (memory := reached.get(each.there)) is not None and fits(memory, asked):
            reason = _reason(each, memory, near[each.here].parts.similarity)
            reasons[each.there] = max(reasons.get(each.there, reason), reason, key=soon)
    level_of = {one: memory.level for one, memory in (*_levels(near), *reached.items())}
    links = {level: {each.id: each for each in found.links.get(level, ())} for level in asked.query_levels}
    for each in led:
        if each.there in reached:
            links[level_of[each.link.source_id]].setdefault(each.link.id, each.link)
    items = {
        level: _better(found.items.get(level, ()), reasons, level, soon)[: asked.max_results_per_level]
        for level in asked.query_levels
    }
    return GraphFound(items, {level: list(own.values()) for level, own in links.items()}, found.names)


def _reason(led: _Led, memory: Memory, similarity: float) -> StreamItem:
    link = led.link
    path = Path(link.energy, link.confidence, 1, led.here, (link.relation,), (led.here == link.source_id,))
    return StreamItem.of(memory, Way.GRAPH, min(1.0, similarity * link.energy * led.counts), path=path)


def _soon(question: str) -> Callable[[StreamItem], float]:
    """How soon something comes that the graph gave."""
    said, ways = said_of_relations(question), ways_asked(question)
    return lambda item: item.relevance + (0.0 if item.path is None else asked_for(item.path, said, ways))


def _causes(view: View, asked: RetrievalIntention, near: Mapping[str, Hit]) -> Iterator[_Led]:
    """What caused the hits, and what resolved them, where a question asks why; what they caused, where it asks that."""
    question = asked.query_text
    direction = AskedDirection.CAUSE if asked.came_about else asked_direction(question)
    if direction is None:
        return
    those = _answering(near, roots_of(question) - _WHY)
    is_why = direction is AskedDirection.CAUSE
    relations = (Relation.CAUSES, Relation.RESOLVED_BY) if is_why else (Relation.CAUSES,)
    met = view.steps_by(asked.selection, list(those), relations, _MOST) if those else []
    links = view.links_named([each.id for each in met]) if met else {}
    for link in (links[each.id] for each in met if each.id in links):
        ends = link.source_id, link.target_id
        here, there = ends if link.relation == Relation.RESOLVED_BY or not is_why else ends[::-1]
        if here in those:
            yield _Led(here, there, link)


def _said(view: View, asked: RetrievalIntention, near: Mapping[str, Hit]) -> Iterator[_Led]:
    """What links lead to whose relation the question says; what they lead to in the way that it does not ask for
    counts less."""
    question = asked.query_text
    said = said_of_relations(question)
    met = steps_asked(view, asked.selection, list(near), said) if near else []
    if asked_direction(question) is not None:
        # What caused something is told already, in the direction that is asked for.
        met = [each for each in met if each.relation != Relation.CAUSES]
    links = view.links_named([each.id for each in met[:_MOST]]) if met else {}
    those = {
        relation: _answering(near, matter_beside(question, relation))
        for relation in {each.relation for each in links.values()}
    }
    for link in links.values():
        way = asked_way(question, link.relation)
        ends = link.source_id, link.target_id
        for (here, there), forward in ((ends, True), (ends[::-1], False)):
            if here in those[link.relation]:
                yield _Led(here, there, link, said(link.relation) * way.share_of(forward))


def _answering(near: Mapping[str, Hit], matter: frozenset[str]) -> Collection[str]:
    """Of the nearest hits those that answer, or say all that a question asks about (`matter`, in roots): the rest may
    be said by a link alone."""
    answering = (
        one
        for one, each in near.items()
        if each.relevant or (matter and matter <= roots_of(each.memory.content))
    )
    return list(islice(answering, _BEST))


def _of_names(near: Mapping[str, Hit], names: Collection[str]) -> Mapping[str, Hit]:
    """The hits that say one of the names from which a walk led somewhere; all of them where none did."""
    keys = list(filter(None, map(squeezed, names)))
    if not keys:
        return near

    def says(hit: Hit) -> bool:
        said = squeezed(f"{hit.memory.name or ''} {hit.memory.content}")
        return any(key in said for key in keys)

    return {one: each for one, each in near.items() if says(each)}


def _levels(near: Mapping[str, Hit]) -> Iterator[tuple[str, Memory]]:
    return ((one, each.memory) for one, each in near.items())


def _better(
    known: Iterable[StreamItem],
    reasons: Mapping[str, StreamItem],
    level: Level,
    soon: Callable[[StreamItem], float],
) -> list[StreamItem]:
    """The reasons of a level, the most relevant first, then what the graph gave of it; of a memory what comes
    sooner."""
    own = {one: each for one, each in reasons.items() if each.memory.level is level}
    kept = []
    for each in known:
        reason = own.get(each.memory.logical_id)
        if reason is None or soon(reason) <= soon(each):
            own.pop(each.memory.logical_id, None)
            kept.append(each)
    first = sorted(own.values(), key=lambda each: -each.relevance)
    return [*first, *kept]
