"""Another way along the graph, where it is asked for: memories ranked by a walk between names and what mentions them.

    names of the question -> memories that mention them -> the names that these mention -> memories that mention those,
    and links -> personalised PageRank -> memories by rank

The walk begins at the names, each with 1 / how many memories mention it, and a little at the nearest hits. The
neighbourhood is bounded, whatever the store holds. Source: core/streams/pagerank; Gutierrez et al. 2024 (HippoRAG) and
2025 (HippoRAG 2, for the weight of passages).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from engramforge.core.streams.activation import OF_RELATION
from engramforge.core.streams.asked_relations import said_of_relations
from engramforge.core.streams.pagerank import personalised_pagerank
from engramforge.model.scope import Level, Scope
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import StreamItem
from engramforge.model.streams.ways import Way
from engramforge.recall.intention.fitting import called_by, has_room
from engramforge.store.door import Door, View

OF_A_NAME: Final = 100
"""Memories of a name of the question, those with the most energy of its newest; more say nothing more of its rarity."""
OF_A_NEIGHBOUR: Final = 20
NEIGHBOURS: Final = 16
"""Further names, those that most of the memories mention."""
NEAREST: Final = 30
"""Hits that come along."""
PASSAGES: Final = 0.05
"""Weight of a hit of similarity 1, beside names whose weights sum to 1."""
LINKED: Final = 64
FAN_OUT: Final = 20
"""Of how many memories the links are walked, and how many of each."""


class _Graph:
    """Names and memories, numbered as they come, with what leads from one to another."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._ends: dict[tuple[int, int], float] = {}
        self.places: dict[str, int] = {}

    def name(self, name: str) -> int:
        """The number of a name."""
        return self._numbers.setdefault(("name", name), len(self._numbers))

    def memory(self, logical_id: str, place: int) -> int:
        """The number of a memory, whose version that holds is at a position."""
        self.places.setdefault(logical_id, place)
        return self._numbers.setdefault(("memory", logical_id), len(self._numbers))

    def join(self, one: int, other: int, weight: float) -> None:
        """An edge, once, with the greatest of its weights."""
        ends = min(one, other), max(one, other)
        self._ends[ends] = max(weight, self._ends.get(ends, 0.0))

    def ranked(self, seeds: dict[int, float]) -> list[tuple[str, float]]:
        """Memories by rank, the first first."""
        begin = np.zeros(len(self._numbers))
        for number, weight in seeds.items():
            begin[number] += weight
        kept = {ends: weight for ends, weight in self._ends.items() if weight > 0}
        ends = np.array(list(kept), np.int64).reshape(-1, 2)
        rank = personalised_pagerank(begin, ends, np.array(list(kept.values()), np.float64))
        found = [(one, float(rank[at])) for (kind, one), at in self._numbers.items() if kind == "memory"]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def ranked_by_walk(
    door: Door, scope: Scope, intention: RetrievalIntention, names: Sequence[str], hits: Sequence[Hit]
) -> tuple[dict[Level, list[StreamItem]], frozenset[str]]:
    """Memories of the question's neighbourhood by level, the highest rank first, none where it has no known name; and
    the names that lead to what is in scope.

    Relevance is the rank over that of the first that is none of the names itself: where the walk begins anew at every
    second step says nothing of what it leads to. 0..1.
    """
    items: dict[Level, list[StreamItem]] = {level: [] for level in intention.query_levels}
    if not names:
        return items, frozenset()
    nearest = sorted(hits, key=lambda each: -each.parts.similarity)[:NEAREST]
    with door.asking(scope) as view:
        graph, seeds, led = _neighbourhood(view, intention, names, nearest)
        ranked = [(one, rank) for one, rank in graph.ranked(seeds) if rank > 0]
        most = intention.max_results_per_level * len(items) * 2
        places = [graph.places[one] for one, _ in ranked[:most]]
        memories = view.fetch_at(np.array(places, np.int64))
    begun = called_by(names, memories.values())
    best = next((rank for one, rank in ranked if one not in begun), 0.0) or ranked[0][1] if ranked else 0.0
    for (_, rank), place in zip(ranked, places, strict=False):
        memory = memories.get(place)
        if memory is not None and has_room(items, memory, intention):
            items[memory.level].append(StreamItem.of(memory, Way.GRAPH, min(1.0, rank / best)))
    return items, led


def _neighbourhood(
    view: View, intention: RetrievalIntention, names: Sequence[str], hits: Iterable[Hit]
) -> tuple[_Graph, dict[int, float], frozenset[str]]:
    """The graph around a question, where a walk in it begins, and the names that it begins from."""
    graph, selection = _Graph(), intention.selection
    near = {each.memory.id: each for each in hits}
    places = view.places_of(list(near))
    own = view.mentioning(selection, names, OF_A_NAME)
    counts = Counter(name for name, *_ in own)
    weights = {graph.name(name): 1 / count for name, count in counts.items()}
    total = sum(weights.values())
    seeds = {number: weight / total for number, weight in weights.items()}
    for version, place in places.items():
        hit = near[version]
        seeds[graph.memory(hit.memory.logical_id, place)] = PASSAGES * min(1.0, hit.parts.similarity)
    held = {place for _, _, place, _ in own} | set(places.values())
    others = Counter(name for _, name in view.named_at(sorted(held)) if name not in counts)
    further = [name for name, _ in sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))[:NEIGHBOURS]]
    for name, one, place, _ in (*own, *view.mentioning(selection, further, OF_A_NEIGHBOUR)):
        graph.join(graph.name(name), graph.memory(one, place), 1.0)
    _link(view, intention, graph)
    return graph, seeds, frozenset(counts)


def _link(view: View, intention: RetrievalIntention, graph: _Graph) -> None:
    """Add the links at the memories that came first, and what they lead to: each by its energy, and by as much more as
    along paths where the question says its relation."""
    said = said_of_relations(intention.query_text)
    met = view.steps(intention.selection, list(graph.places)[:LINKED], FAN_OUT)
    far = {end for each in met for end in (each.source_id, each.target_id)} - graph.places.keys()
    held = view.held(intention.selection, sorted(far)) | graph.places
    for each in met:
        if each.source_id in held and each.target_id in held:
            one, other = (graph.memory(end, held[end]) for end in (each.source_id, each.target_id))
            graph.join(one, other, each.energy + OF_RELATION * said(each.relation))
