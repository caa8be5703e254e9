"""All levels searched along the graph: from what has to do with the names of the question, two links away at most.

    hits of every level -> those that are, mention or are said by a name -> their links -> what holds there, by level

The graph is one: a link may lead from one level to another, and a level tells of its own memories. What rows say
already is walked as if it were a link, and stored nowhere: that a memory mentions a name or is said by it, and that one
follows another in a session; none of it is one of the two. What is told is shared among names, the rarest first, and
among what mentions one, is a link away from that, or two. Source: spec chapter 5, "Retrieval by intention".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from engramforge.core.entities.spellings import squeezed
from engramforge.core.streams.asked_relations import asked_relations, said_of_relations, ways_asked
from engramforge.core.text.words import words_of
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.hit import Hit
from engramforge.model.spaces import Space
from engramforge.model.streams.asked import GraphWay, RetrievalIntention
from engramforge.model.streams.stream import Path, StreamItem
from engramforge.model.streams.ways import Way
from engramforge.recall.intention.fitting import called, has_room
from engramforge.recall.intention.optional.pagerank import ranked_by_walk
from engramforge.recall.intention.walking import (
    Paths,
    Reached,
    in_turns,
    likelier,
    order_of,
    pulls_of,
    walk,
)
from engramforge.store.door import Door, View

MENTIONED: Final = 0.8
SAID_BY: Final = 0.9
FOLLOWED: Final = 0.5
"""Confidence of what rows say: that a text means the name that it has, that somebody said it, that a turn goes on from
the one before."""
FOLLOWED_ENERGY: Final = 0.2
"""The share of its energy that a turn gives to the next."""
SAYS: Final = "SAYS"
_FOLLOWED_FROM: Final = 5
_OF_A_NAME: Final = 20
"""Memories that mention a name, whatever else they say."""
_AT_ONCE: Final = 2


class GraphFound(NamedTuple):
    """What the graph gave. `names`: those from which it led somewhere."""

    items: Mapping[Level, list[StreamItem]]
    links: Mapping[Level, list[Link]]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class GraphSearch:
    """Searches the levels of a scope for an intention. `names`: the known names that the question means."""

    door: Door
    scope: Scope
    intention: RetrievalIntention
    names: tuple[str, ...]

    def find(self, hits: Sequence[Hit]) -> GraphFound:
        """What lies within two links of the names. `hits`: what a recall finds in all levels."""
        if self.intention.graph_way is GraphWay.PAGERANK:
            found, names = ranked_by_walk(self.door, self.scope, self.intention, self.names, hits)
            return GraphFound(found, {}, names)
        items: dict[Level, list[StreamItem]] = {level: [] for level in self.intention.query_levels}
        links: dict[Level, list[Link]] = {level: [] for level in self.intention.query_levels}
        if not self.names:
            return GraphFound(items, links, frozenset())
        with self.door.asking(self.scope) as view:
            places = view.places_of([each.memory.id for each in hits])
            mentioning = view.mentioning(self.intention.selection, self.names, _OF_A_NAME)
            rank = _by_rarity(self.names, Counter(name for name, *_ in mentioning))
            mentioning.sort(key=lambda each: rank[each[0]])
            seeds = seeds_among(hits, list(rank), {one: name for name, one, *_ in reversed(mentioning)})
            paths: Paths = {
                each.memory.logical_id: Reached(
                    places[each.memory.id], path, each.parts.similarity, path.energy
                )
                for each, path in seeds
                if each.memory.id in places
            }
            for name, one, place, energy in mentioning:
                path = Path(energy, MENTIONED, 1, name, (str(Relation.MENTIONS),))
                paths.setdefault(one, Reached(place, path, said=energy))
            question = self.intention.query_text
            asked, said = asked_relations(question), said_of_relations(question)
            walked = walk(view, self.intention.selection, paths, asked, said, ways_asked(question))
            _follow(hits, seeds, paths, places)
            memories = self._nearest(view, hits, paths, pulls_of(paths, walked.values()), rank)
            level_of = {each.logical_id: each.level for each in (*memories, *(hit.memory for hit in hits))}
            inside = [
                each.id for each in walked.values() if {each.source_id, each.target_id} <= level_of.keys()
            ]
            for link in view.links_named(inside).values():
                links[level_of[link.source_id]].append(link)
        shown = {each.memory.id: each.excerpt for each in hits}
        for memory in memories:
            told = paths[memory.logical_id].told
            excerpt = shown.get(memory.id, "")
            item = StreamItem.of(memory, Way.GRAPH, told.relevance, excerpt=excerpt, path=told.path)
            items[memory.level].append(item)
        return GraphFound(items, links, frozenset(reached.path.start for reached in paths.values()))

    def _nearest(
        self,
        view: View,
        hits: Sequence[Hit],
        paths: Paths,
        pulls: Mapping[str, float],
        rank: Mapping[str, int],
    ) -> list[Memory]:
        """Of each level the memories with the strongest paths that are as the intention wants them; of equal paths
        those by a relation that is asked for, then those nearest to the question, or reached from what is, and to which
        most leads. Each name has its share of them, and so has each number of links; the least rank is served first."""
        own = {each.memory.logical_id: each.parts.similarity for each in hits}
        asked = asked_relations(self.intention.query_text)
        most = self.intention.max_results_per_level
        held: dict[Level, list[Memory]] = {level: [] for level in self.intention.query_levels}

        def tie(one: str) -> float:
            return -likelier(max(own.get(one, 0.0), paths[one].near), pulls.get(one, 0.0))

        def strength(one: str) -> tuple[float | str, ...]:
            return (*order_of(paths[one].path), -paths[one].asked_by(asked), tie(one), one)

        strongest = sorted((one for one, reached in paths.items() if reached.path.depth > 0), key=strength)
        alike: dict[tuple[int, int], list[str]] = defaultdict(list)
        for one in sorted(strongest, key=tie):
            alike[paths[one].links, rank[paths[one].path.start]].append(one)
        # Among what thousands of links lead to, what is asked for has a share of its own.
        wanted = sorted(strongest, key=lambda one: -paths[one].told.asked)
        wanted = [one for one in wanted if paths[one].told.asked > 0]
        ordered = in_turns([wanted, strongest, in_turns(alike[group] for group in sorted(alike))])
        at_once = _AT_ONCE * most * len(held)
        for begin in range(0, len(ordered), at_once):
            some = [paths[one].place for one in ordered[begin : begin + at_once]]
            fetched = view.fetch_at(np.array(some, np.int64))
            for each in (fetched[place] for place in some if place in fetched):
                if has_room(held, each, self.intention):
                    held[each.level].append(each)
            if all(len(each) >= most for each in held.values()):
                break
        found = [memory for each in held.values() for memory in each]
        return sorted(found, key=lambda memory: strength(memory.logical_id))


def _by_rarity(names: Sequence[str], counts: Counter[str]) -> dict[str, int]:
    """Names with their rank, the rarest first; one that none mentions is of somebody who speaks, and comes last."""
    ordered = sorted(names, key=lambda name: counts[name] or _OF_A_NAME)
    return {name: rank for rank, name in enumerate(ordered)}


def seeds_among(
    hits: Iterable[Hit], names: Sequence[str], mentioned: Mapping[str, str]
) -> list[tuple[Hit, Path]]:
    """The hits that are, mention or are said by one of the names, each with its path from it. `mentioned`: which of
    them some memories are known to mention, by logical id."""
    keys = {key: name for name in names if (key := squeezed(name))}
    found = []
    for each in hits if keys else ():
        memory = each.memory
        spoken = squeezed(memory.speaker) if memory.speaker else ""
        itself = called(memory) if memory.kind is Kind.ENTITY else ""
        if itself in keys:
            path = Path(0.0, 0.0, 0, keys[itself], ())
        elif spoken in keys:
            path = Path(memory.energy, SAID_BY, 1, keys[spoken], (SAYS,))
        elif (start := mentioned.get(memory.logical_id) or _mentioned(each, keys)) is not None:
            path = Path(memory.energy, MENTIONED, 1, start, (str(Relation.MENTIONS),))
        else:
            continue
        found.append((each, path))
    return found


def _mentioned(hit: Hit, keys: Mapping[str, str]) -> str | None:
    """The name that a hit mentions."""
    words = set(words_of(hit.memory.content))
    said = squeezed(hit.memory.content)
    # Ann is not in "planned", and RFC 7540 is in "rfc-7540".
    found = next((name for key, name in keys.items() if key in (words if key == name else said)), None)
    if found is None and str(Space.ENTITY) in hit.found_by:
        return next(iter(keys.values()))
    return found


def _follow(
    hits: Sequence[Hit], seeds: Sequence[tuple[Hit, Path]], paths: Paths, places: Mapping[str, int]
) -> None:
    """Add the turns beside the nearest of those that mention a name."""
    best = sorted((pair for pair in seeds if pair[1].depth), key=lambda pair: -pair[0].parts.similarity)
    turns = {
        (memory.session_id, memory.sequence): memory
        for memory in (each.memory for each in hits)
        if memory.session_id is not None and memory.sequence is not None
    }
    for seed, path in best[:_FOLLOWED_FROM]:
        memory = seed.memory
        for step in (-1, 1):
            if memory.session_id is None or memory.sequence is None:
                continue
            beside = turns.get((memory.session_id, memory.sequence + step))
            if beside is None or beside.logical_id in paths or beside.id not in places:
                continue
            onward = path.onward(FOLLOWED_ENERGY * memory.energy, FOLLOWED, str(Relation.FOLLOWS))
            paths[beside.logical_id] = Reached(places[beside.id], onward, seed.parts.similarity, path.energy)
