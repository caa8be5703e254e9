"""The graph of a stream: hubs, density, the likeliest lines of thought, and what they are about.

Source: spec chapter 5, "Traversal graph"; document 003, components 4 and 5b.
"""

from __future__ import annotations

import heapq
import itertools
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engramforge.core.emotions.emotion_names import emotion_cosine
from engramforge.core.streams.asked_relations import Asked, nothing_asked
from engramforge.core.streams.matter_words import is_of_matter
from engramforge.core.streams.weights import traversal_weight
from engramforge.core.text.words import stem_of, words_of
from engramforge.model.link import PROVENANCE, Link
from engramforge.model.memory import Memory
from engramforge.model.streams.traversal import TraversalGraph, TraversalLink, TraversalNode, TraversalPath
from engramforge.model.streams.ways import Tier

PATHS: Final = 10
LONGEST: Final = 5
"""Links of a path."""
STARTS: Final = 5
"""From how many of the most active memories paths begin, if they are nearer than the background."""
THEMES: Final = 5
_WAYS_ON: Final = 8
_LOOKED_AT: Final = 400
"""Of each memory the strongest ways on, and beginnings of paths from one: a dense graph has more than anybody walks."""
Likeness = Callable[[str, str], float]


class _Step(NamedTuple):
    weight: float
    link: TraversalLink
    to: str


def weighed(
    links: Iterable[Link],
    current_goal: str | None,
    current_emotions: Mapping[str, float],
    asked: Asked = nothing_asked,
) -> list[TraversalLink]:
    """Links with their weights, the strongest first; of equal ones those whose relation is asked for."""
    found = [TraversalLink(each, traversal_weight(each, current_goal, current_emotions)) for each in links]
    return sorted(found, key=lambda each: (-each.weight, -asked(each.link.relation)))


def traversal_graph(
    nodes: Sequence[TraversalNode],
    links: Sequence[TraversalLink],
    like: Likeness,
    named: Collection[str] = (),
) -> TraversalGraph:
    """The graph of some memories, the most active first, the background last. `links`: those whose ends are among them
    count, strongest first. `like`: how similar two memories are, by logical id, 0..1. `named`: the logical ids of those
    that the question calls by name, at which paths begin first."""
    known = {each.id: each for each in nodes}
    held = [each for each in links if each.link.source_id in known and each.link.target_id in known]
    shown = [each for each in nodes if each.tier is not Tier.BACKGROUND]
    called = [each for each in nodes if each.id in named]
    starts = list(dict.fromkeys(each.id for each in (*called, *shown)))[:STARTS]
    paths = _paths(known, starts, held, like)
    hubs = hubs_of(list(known), held)
    among = {*hubs, *(node for path in paths for node in path.nodes)}
    central = [each for each in shown if each.id in among]
    return TraversalGraph(
        nodes=tuple(nodes),
        links=tuple(held),
        paths=tuple(paths),
        hubs=tuple(hubs),
        themes=themes_of(each.memory for each in central or shown[:STARTS]),
        density=density_of(len(known), {(each.link.source_id, each.link.target_id) for each in held}),
        asked=tuple(each.id for each in called),
    )


def density_of(nodes: int, pairs: Collection[tuple[str, str]]) -> float:
    """Of all pairs of different nodes, in each direction, the share that is linked, however often; 0 under two nodes.

    >>> density_of(4, {("a", "b"), ("b", "a"), ("c", "d"), ("d", "d")}), density_of(1, set())
    (0.25, 0.0)
    """
    linked = sum(source != target for source, target in pairs)
    return linked / (nodes * (nodes - 1)) if nodes > 1 else 0.0


def hubs_of(nodes: Sequence[str], links: Iterable[TraversalLink]) -> list[str]:
    """Nodes whose degree is above mean plus one standard deviation (of all nodes), the most connected first."""
    degree = Counter(dict.fromkeys(nodes, 0))
    for each in links:
        degree.update({each.link.source_id, each.link.target_id})
    if len(degree) < 2:
        return []
    bound = statistics.fmean(degree.values()) + statistics.pstdev(degree.values())
    return [each for each, count in degree.most_common() if count > bound]


class _Way(NamedTuple):
    """A path that is being walked. `likelihood`: minus the product of its weights, by which a heap has it."""

    likelihood: float
    number: int
    nodes: tuple[str, ...]
    links: tuple[TraversalLink, ...]


def _paths(
    known: Mapping[str, TraversalNode], starts: Sequence[str], links: Sequence[TraversalLink], like: Likeness
) -> list[TraversalPath]:
    """The likeliest paths, those of each start in turns as far as there is room; the likeliest first. Where something
    comes from is no thought."""
    steps = _steps([each for each in links if each.link.relation not in PROVENANCE])
    of_start = [_ways_from(start, steps) for start in starts if start in steps]
    told: dict[frozenset[str], _Way] = {}
    for way in itertools.chain.from_iterable(itertools.zip_longest(*of_start)):
        if way is not None:
            told.setdefault(frozenset(each.link.id for each in way.links), way)
    return [
        _path(known, way.nodes, way.links, -way.likelihood, like)
        for way in sorted(itertools.islice(told.values(), PATHS))
    ]


def _ways_from(start: str, steps: Mapping[str, Sequence[_Step]]) -> list[_Way]:
    """The likeliest paths from a node, each as long as it gets, up to five links; in either direction."""
    # A weight is 1 at most, so whatever comes off the heap is no less likely than what is still to come.
    heap = [_Way(-1.0, 0, (start,), ())]
    found: list[_Way] = []
    number = 0
    while heap and len(found) < PATHS and number < _LOOKED_AT:
        way = heapq.heappop(heap)
        further = steps[way.nodes[-1]] if len(way.links) < LONGEST else ()
        onward = [each for each in further if each.to not in way.nodes]
        if not onward:
            found.append(way)
        for each in onward:
            number += 1
            likelihood = way.likelihood * each.weight
            heapq.heappush(heap, _Way(likelihood, number, (*way.nodes, each.to), (*way.links, each.link)))
    # What was left in the middle of a dense graph: the longest beginnings stand for it.
    found += sorted(heap, key=lambda each: (-len(each.links), each))[: PATHS - len(found)]
    return sorted(found)


def _steps(links: Sequence[TraversalLink]) -> dict[str, list[_Step]]:
    """Where each node leads, by its strongest link to each other, the strongest first."""
    best: dict[str, dict[str, _Step]] = defaultdict(dict)
    for each in links:
        source, target = each.link.source_id, each.link.target_id
        if source == target:
            continue
        for here, there in ((source, target), (target, source)):
            known = best[here].get(there)
            if known is None or each.weight > known.weight:
                best[here][there] = _Step(each.weight, each, there)
    return {
        node: heapq.nlargest(_WAYS_ON, ways.values(), key=lambda each: each.weight)
        for node, ways in best.items()
    }


def _path(
    known: Mapping[str, TraversalNode],
    nodes: tuple[str, ...],
    walked: tuple[TraversalLink, ...],
    probability: float,
    like: Likeness,
) -> TraversalPath:
    felt = [each.link.emotion_vector for each in walked]
    near = [like(one, other) for one, other in itertools.pairwise(nodes)]
    alike = [emotion_cosine(one, other) for one, other in itertools.pairwise(felt)]
    return TraversalPath(
        nodes=nodes,
        links=tuple(each.link.id for each in walked),
        total_activation=math.fsum(known[each].activation for each in nodes),
        semantic_coherence=statistics.fmean(near),
        emotional_consistency=statistics.fmean(alike) if alike else 1.0,
        probability=probability,
        narrative=narrative_of([known[each] for each in nodes], [each.link for each in walked]),
    )


def narrative_of(nodes: Sequence[TraversalNode], links: Sequence[Link]) -> str:
    """A path in words: each memory's label, with the relation that leads on, and in which direction."""
    told = [nodes[0].label]
    for after, link in zip(nodes[1:], links, strict=True):
        arrow = f"-{link.relation}->" if link.target_id == after.id else f"<-{link.relation}-"
        told.append(f"{arrow} {after.label}")
    return " ".join(told)


def themes_of(memories: Iterable[Memory]) -> tuple[str, ...]:
    """The words that most of these memories have in common, at least two of them; the commonest first, at most five."""
    counts: Counter[str] = Counter()
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for each in memories:
        words = [word for word in words_of(f"{each.name or ''} {each.content}") if is_of_matter(word)]
        stems = {stem_of(word) for word in words}
        counts.update(stems)
        for word in words:
            said[stem_of(word)][word] += 1
    shared = sorted(
        ((count, stem) for stem, count in counts.items() if count > 1), key=lambda x: (-x[0], x[1])
    )
    return tuple(said[stem].most_common(1)[0][0] for _, stem in shared[:THEMES])
