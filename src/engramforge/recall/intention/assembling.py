"""One stream of what the ways brought: activation and tiers, the graph, energy, what changed, a summary.

    levels -> items in order -> scored -> tiers -> graph of the nearest -> Stream

Source: spec chapter 5, "The stream".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple, TypeVar

import numpy as np

from engramforge.core.checks.completeness import metadata_completeness, report_on
from engramforge.core.emotions.emotion_names import emotion_cosine
from engramforge.core.entities.spellings import squeezed
from engramforge.core.injection.tokens import tokens_of
from engramforge.core.streams.activation import (
    OF_RELATION,
    activation_of,
    asked_for,
    in_tiers,
    tier_score,
)
from engramforge.core.streams.asked_matter import matter_of
from engramforge.core.streams.asked_relations import asked_relations, said_of_relations, ways_asked
from engramforge.core.streams.corrections import correction_patterns
from engramforge.core.streams.feedback import feedback_potential
from engramforge.core.streams.order_in_time import (
    beliefs_in_tiers,
    in_order_of_time,
    learned_last,
    read_as,
    said_twice,
)
from engramforge.core.streams.rank_fusion import LONGEST_TOKENS, fused
from engramforge.core.streams.summary import summary_of
from engramforge.core.streams.traversal_graph import Likeness, traversal_graph, weighed
from engramforge.errors import InvalidValue
from engramforge.indexing.likeness import likeness
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.streams.corrections import CorrectionPattern
from engramforge.model.streams.stream import LevelItems, Stream, StreamItem, WayReport
from engramforge.model.streams.traversal import TraversalGraph, TraversalNode
from engramforge.model.streams.ways import LEVEL_KEYS, Tier, Way
from engramforge.model.time import TemporalMode
from engramforge.model.timeline import Ending
from engramforge.recall.intention.beside.changes import Changed, changed_beliefs, told_twice
from engramforge.recall.intention.beside.far_away import far_away
from engramforge.recall.intention.fitting import called_by, tells_of
from engramforge.recall.intention.optional.reranking import Scorer, reranked
from engramforge.recall.intention.time_limit import WAY_S, tried
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_LINKED: Final = 25
"""Of how many of the nearest memories the links are read: focus and periphery."""
_FAN_OUT: Final = 20
_CHANGING: Final = (TemporalMode.EVOLUTION, TemporalMode.FULL_HISTORY)
T = TypeVar("T")


class Mood(NamedTuple):
    """By what a stream is scored. `emotions`: of the question or state; `goal`, `current`: of who asks, by which links
    are weighed."""

    emotions: Mapping[str, float]
    reality_pressure: float
    goal: str | None
    current: Mapping[str, float]


class Retrieved(NamedTuple):
    """What was retrieved: by whose id, for what words, in which mode; by level, with a report of each way; in which
    times, and from which names. `order`: version ids, of a mode that orders by more than what is nearest to attention.
    `note`: as of a `Stream`. `rerank`: whether a model orders what is nearest anew."""

    id: str
    query: str
    mode: str
    levels: Mapping[Level, LevelItems]
    ways: tuple[WayReport, ...]
    selection: Selection
    names: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    note: str = ""
    rerank: bool = False


@dataclass(frozen=True, slots=True)
class Assembling:
    """Makes streams. `scorer`: orders them anew where that is asked; None: nothing is configured that could.
    `way_s`: how long each step that reads may take; one that fails is told beside the ways."""

    door: Door
    retriever: Retriever
    scorer: Scorer | None = None
    way_s: float = WAY_S

    def check_reranks(self) -> None:
        """Raise InvalidValue where no model could order anew."""
        if self.scorer is None:
            raise InvalidValue(
                "The stream is to be reranked by a model, and none is configured",
                "Set reranker to local:/folder with an ONNX cross-encoder, or fastembed:NAME; it needs"
                " pip install 'engramforge[neural]'",
            )

    def stream(self, scope: Scope, retrieved: Retrieved, mood: Mood, now: datetime, begun: float) -> Stream:
        """The stream of what was retrieved. `begun`: when that began, by the clock of `time.perf_counter`."""
        selection = retrieved.selection
        levels, ordered = _scored(self._told_once(scope, retrieved), mood)
        far = far_away(levels) if retrieved.query else frozenset()
        levels, ordered, judged = self._in_order(retrieved, levels, ordered, far)
        ordered = learned_last(ordered) if retrieved.query else ordered
        behind = [each for each in ordered if each.memory.logical_id in far]
        near = [each for each in ordered if each.memory.logical_id not in far]
        tiers = (beliefs_in_tiers if selection.mode in _CHANGING else in_tiers)(near, behind)
        tier_of = {item.memory.id: tier for tier, held in tiers.items() for item in held}
        memories = [each.memory for each in ordered]
        reads = not any(each.fault for each in retrieved.ways)
        walked = {each.id: each for level in levels.values() for each in level.links}
        nodes = _nodes(ordered, tier_of, far)
        read = self._read(scope, selection, memories, far, nodes, walked, reads=reads)

        def told(item: StreamItem) -> StreamItem:
            known = item.memory.id
            later = read.changed.later.get(known)
            ending = read.changed.endings.get(known) if later is None else Ending.LATER
            return replace(item, tier=tier_of.get(known), ending=ending, ended_at=later)

        is_by_meaning = bool(retrieved.query) and not (
            retrieved.names
            or any(each.graph for each in levels.values())
            or any(each.way.endswith(Way.SPREAD) for each in retrieved.ways)
        )
        levels = {level: each.changed(told) for level, each in levels.items()}
        if selection.mode in _CHANGING:
            levels = {level: each.ordered(in_order_of_time) for level, each in levels.items()}
        items = [item for each in levels.values() for item in each.items]
        is_fused = sum(tokens_of(each.excerpt) for each in items) > LONGEST_TOKENS
        shown = [each.memory for tier in (Tier.FOCUS, Tier.PERIPHERAL) for each in tiers[tier]]
        counts = {LEVEL_KEYS[level]: len(each) for level, each in levels.items()}
        return Stream(
            id=retrieved.id,
            query=retrieved.query,
            mode=retrieved.mode,
            retrieved_at=now,
            levels=levels,
            items=tuple(_fused(levels) if is_fused else items),
            is_fused=is_fused,
            tiers={tier: tuple(map(told, held)) for tier, held in tiers.items()},
            traversal_graph=_graph(nodes, read, retrieved, mood),
            energy_feedback_potential=feedback_potential(walked.values()),
            dissonances=tuple(read.changed.beliefs),
            corrections=read.corrections,
            metadata_validation=report_on(memories),
            summary=summary_of(memories, shown, counts, now),
            ways=(*retrieved.ways, *judged, *read.failed),
            latency_ms=(time.perf_counter() - begun) * 1e3,
            entities=retrieved.names,
            note=". ".join(filter(None, (retrieved.note, read.changed.note))),
            far=len(behind),
            by_meaning_alone=is_by_meaning and read.leads,
        )

    def _told_once(self, scope: Scope, retrieved: Retrieved) -> Retrieved:
        """What was retrieved without what an undo or redo brought back; all of it where that cannot be read."""
        if retrieved.selection.mode not in _CHANGING:
            return retrieved

        def twice() -> frozenset[str]:
            found = (item.memory for held in retrieved.levels.values() for item in held.items)
            with self.door.asking(scope) as view:
                return told_twice(view, retrieved.selection, found)

        none: frozenset[str] = frozenset()
        left = tried(self.way_s, twice, none).answer
        if not left:
            return retrieved
        levels = {
            level: held.changed(lambda item: None if item.memory.id in left else item)
            for level, held in retrieved.levels.items()
        }
        return retrieved._replace(levels=levels)

    def _in_order(
        self,
        retrieved: Retrieved,
        levels: dict[Level, LevelItems],
        ordered: Sequence[StreamItem],
        far: Collection[str],
    ) -> tuple[dict[Level, LevelItems], list[StreamItem], tuple[WayReport, ...]]:
        """Levels and items in the order of the mode, or as a model ranks them, with a report of that."""
        places = {one: at for at, one in enumerate(retrieved.order)}
        near = [each for each in ordered if each.memory.logical_id not in far]
        judged: tuple[WayReport, ...] = ()

        def in_place(items: Iterable[StreamItem]) -> tuple[StreamItem, ...]:
            return tuple(sorted(items, key=lambda each: places.get(each.memory.id, len(places))))

        if retrieved.rerank and self.scorer is not None and near:
            scores, report = reranked(self.scorer, self.way_s, retrieved.query, near)
            places, judged = {one: at for at, one in enumerate(scores)}, (report,)

            def told(item: StreamItem) -> StreamItem:
                return replace(item, rerank_score=scores.get(item.memory.id))

            levels = {level: each.changed(told).ordered(in_place) for level, each in levels.items()}
            ordered = [told(each) for each in ordered]
        return levels, list(in_place(ordered)), judged

    def _read(
        self,
        scope: Scope,
        selection: Selection,
        memories: Sequence[Memory],
        far: Collection[str],
        nodes: Sequence[TraversalNode],
        walked: Mapping[str, Link],
        *,
        reads: bool,
    ) -> _Read:
        """What a stream tells beside its memories; `reads`: whether links can be read. That one of those changed which
        are `far` from the question is no answer to it."""
        known = {each.id for each in nodes}
        failed: list[WayReport] = []

        def step(name: str, search: Callable[[], T], nothing: T) -> T:
            done = tried(self.way_s, search, nothing)
            if done.fault is not None:
                failed.append(done.report(name, 0))
            return done.answer

        changed = Changed()
        if selection.mode in _CHANGING and memories:
            changed = step("changes", lambda: self._changed(scope, selection, memories, far), changed)
        corrections: tuple[CorrectionPattern, ...] = ()
        if changed.beliefs:
            corrections = step("corrections", lambda: correction_patterns(changed.beliefs), corrections)
        inside = [each for each in walked.values() if {each.source_id, each.target_id} <= known]
        leads = False
        if reads and nodes:
            nothing: tuple[list[Link], bool] = [], False
            more, leads = step("links", lambda: self._further(scope, selection, nodes, walked), nothing)
            inside += more
        ends = {end for each in inside for end in (each.source_id, each.target_id)}
        joined = [each.memory for each in nodes if each.id in ends]
        alike: Likeness = _unlike
        if joined:
            alike = step("coherence", lambda: self._likeness(scope, joined), alike)
        return _Read(changed, corrections, inside, leads, alike, failed)

    def _changed(
        self, scope: Scope, selection: Selection, memories: Sequence[Memory], far: Collection[str]
    ) -> Changed:
        with self.door.asking(scope) as view:
            return changed_beliefs(view, selection, memories, far)

    def _further(
        self, scope: Scope, selection: Selection, nodes: Sequence[TraversalNode], walked: Mapping[str, Link]
    ) -> tuple[list[Link], bool]:
        """The links of the nearest memories to others of these that were not walked, and whether any leads anywhere."""
        known = {each.id for each in nodes}
        with self.door.asking(scope) as view:
            met = view.steps(selection, [each.id for each in nodes[:_LINKED]], _FAN_OUT)
            more = [
                each.id for each in met if {each.source_id, each.target_id} <= known and each.id not in walked
            ]
            return list(view.links_named(more).values()) if more else [], bool(met)

    def _likeness(self, scope: Scope, memories: Sequence[Memory]) -> Likeness:
        """How alike these memories are in E1, on the calibrated scale."""
        with self.door.asking(scope) as view:
            places = view.places_of([each.id for each in memories])
            read = view.signals(np.array(sorted(places.values()), np.int64)).embeddings
            head = view.ground().calibrations
            calibrations = self.retriever.calibrations.named_by(head, view)
        embeddings = [read.get(places.get(each.id, -1)) for each in memories]
        alike = likeness(self.retriever.table, embeddings, calibrations)
        number = {each.logical_id: at for at, each in enumerate(memories)}
        return lambda one, other: float(alike[number[one], number[other]])


def _unlike(*_: str) -> float:
    """What stands for a likeness that was not read."""
    return 0.0


class _Read(NamedTuple):
    """What is told of some memories: what changed, what is corrected again and again, the links between them, whether
    any link leads on from the nearest, how alike they are, and which of these steps failed."""

    changed: Changed
    corrections: tuple[CorrectionPattern, ...]
    links: Sequence[Link]
    leads: bool
    alike: Likeness
    failed: Sequence[WayReport]


def _nodes(
    ordered: Sequence[StreamItem], tier_of: Mapping[str, Tier], far: Collection[str]
) -> list[TraversalNode]:
    """What is in a tier, the most active of each tier first; of a memory with several versions the most active one."""
    first = {each.memory.logical_id: each for each in reversed(ordered) if each.memory.id in tier_of}
    nodes = [
        TraversalNode(each.memory, each.activation, tier_of[each.memory.id], one in far)
        for one, each in first.items()
    ]
    return sorted(nodes, key=lambda each: (each.tier is Tier.BACKGROUND, -each.activation))


def _graph(nodes: Sequence[TraversalNode], read: _Read, retrieved: Retrieved, mood: Mood) -> TraversalGraph:
    links = weighed(read.links, mood.goal, mood.current, asked_relations(retrieved.query))
    return traversal_graph(
        nodes, links, read.alike, called_by(retrieved.names, (each.memory for each in nodes))
    )


def _scored(retrieved: Retrieved, mood: Mood) -> tuple[dict[Level, LevelItems], list[StreamItem]]:
    """The levels with every item's activation, without what says the same as another; and each version of a memory
    once, the most active first, sooner where the question says the relation that leads to it, or asks for all that is
    known of what it is of."""
    levels, said = retrieved.levels, said_of_relations(retrieved.query)
    ways = ways_asked(retrieved.query)
    matter = squeezed(matter_of(retrieved.query))
    whole = {matter} & set(map(squeezed, retrieved.names))
    every = {item.memory.id: item.memory for held in levels.values() for item in held.items}
    twice = said_twice(every.values())
    meant = {note: read_as(every[one]) for one, note in twice.items()}

    def active(item: StreamItem) -> StreamItem | None:
        # A thread is found for itself, and only told as what it was read from.
        if item.memory.id in twice and item.memory.kind is not Kind.THREAD:
            return None
        return replace(_active(item, mood), read_as=meant.get(item.memory.logical_id, ""))

    def order(item: StreamItem) -> float:
        asked = 0.0 if item.path is None else asked_for(item.path, said, ways)
        if whole and tells_of(item.memory, whole):
            asked = OF_RELATION
        return item.activation + activation_of(asked)

    scored = {level: each.changed(active) for level, each in levels.items()}
    best: dict[str, tuple[float, StreamItem]] = {}
    told = (item for held in scored.values() for item in held.items if item.memory.id not in twice)
    for each in told:
        known, at = best.get(each.memory.id), order(each)
        if known is None or at > known[0]:
            best[each.memory.id] = at, each
    return scored, [each for _, each in sorted(best.values(), key=lambda pair: -pair[0])]


def _active(item: StreamItem, mood: Mood) -> StreamItem:
    memory = item.memory
    resonance = emotion_cosine(memory.emotion_vector, mood.emotions)
    score = tier_score(
        item.relevance,
        energy=memory.energy,
        reality_pressure=mood.reality_pressure,
        confidence=memory.confidence,
        resonance=resonance,
        completeness=metadata_completeness(memory),
    )
    return replace(item, activation=activation_of(score), emotional_resonance=resonance)


def _fused(levels: Mapping[Level, LevelItems]) -> list[StreamItem]:
    """The items of all ways by reciprocal rank, each memory once."""
    ways = [way for each in levels.values() for way in (each.vector, each.graph, each.spread)]
    first: dict[str, StreamItem] = {}
    for item in (each for way in ways for each in way):
        first.setdefault(item.memory.id, item)
    return [first[key] for key in fused([each.memory.id for each in way] for way in ways)]
