"""What caused the nearest of what was found, or resolved it: a link away from there, where a question asks why.

hits that answer -> links CAUSES that lead to them, links RESOLVED_BY that begin there -> what holds at the other end

No name is needed: "why did the pump stall?" finds the memory that says so, and what caused it may share no word with
the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engramforge.core.causes.causation import asked_direction
from engramforge.model.causation import AskedDirection
from engramforge.model.link import Link, Relation
from engramforge.model.scope import Level, Scope
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import Path, StreamItem
from engramforge.model.streams.ways import Way
from engramforge.recall.intention.fitting import has_room
from engramforge.recall.intention.graph_search import GraphFound
from engramforge.store.door import Door

_BEST: Final = 5
"""Of how many hits the reasons are told, the nearest that answer."""
_MOST: Final = 100
"""Links of a kind that are read."""


def with_reasons(
    found: GraphFound, door: Door, scope: Scope, intention: RetrievalIntention, hits: Sequence[Hit]
) -> GraphFound:
    """What the graph gave with the reasons of the nearest hits, where these are asked for. Relevance is that of the hit
    x the energy of the link."""
    is_why = asked_direction(intention.query_text) is AskedDirection.CAUSE
    best = sorted((each for each in hits if each.relevant), key=lambda each: -each.parts.similarity)[:_BEST]
    if not best or not (is_why or intention.came_about):
        return found
    # How a matter came about is asked, whatever was felt of that.
    asked = replace(intention, required_emotions=()) if intention.came_about else intention
    near = {each.memory.logical_id: each for each in best}
    items: dict[Level, list[StreamItem]] = {
        level: list(found.items.get(level, ())) for level in asked.query_levels
    }
    links: dict[Level, list[Link]] = {level: list(found.links.get(level, ())) for level in asked.query_levels}
    known = {each.memory.logical_id for held in items.values() for each in held} | near.keys()
    with door.asking(scope) as view:

        def of(relation: Relation) -> list[Link]:
            return view.links(list(near), asked.selection, relation=relation, most=_MOST)

        led = [(each.target_id, each.source_id, each) for each in of(Relation.CAUSES)]
        led += [(each.source_id, each.target_id, each) for each in of(Relation.RESOLVED_BY)]
        led = [each for each in led if each[0] in near]
        places = view.held(asked.selection, sorted({there for _, there, _ in led}))
        fetched = view.fetch_at(np.array(list(places.values()), np.int64)) if places else {}
    level_of = {one: each.memory.level for one, each in near.items()}
    for here, there, link in sorted(led, key=lambda each: -each[2].energy):
        memory = fetched.get(places.get(there, -1))
        if memory is None:
            continue
        if there not in known and has_room(items, memory, asked):
            known.add(there)
            path = Path(link.energy, link.confidence, 1, here, (link.relation,))
            relevance = min(1.0, near[here].parts.similarity * link.energy)
            items[memory.level].append(StreamItem.of(memory, Way.GRAPH, relevance, path=path))
        if there in known:
            level_of.setdefault(there, memory.level)
            own = links[level_of[link.source_id]]
            if link.id not in {each.id for each in own}:
                own.append(link)
    return GraphFound(items, links, found.names)
