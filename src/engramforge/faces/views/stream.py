"""The shapes of a stream and of a cycle.

A memory stands whole in `levels`; tiers and the graph name it by its ids, so that nothing is told three times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from engramforge.faces.views.link import LinkView
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.recall import NEAREST, ValidationView
from engramforge.faces.views.shape import Shape, plain
from engramforge.faces.views.stream_graph import GraphView, NodeView, ended_in_words, led_in_words, told_of
from engramforge.faces.views.timeline import CorrectionPatternView, DissonanceView
from engramforge.model.fence import on_one_line
from engramforge.model.memory import ENERGY, Kind, Memory, ResolutionState
from engramforge.model.scope import ALL_LEVELS
from engramforge.model.streams.cycle import Cycle, Feedback
from engramforge.model.streams.stream import LevelItems, Path, Stream, StreamItem, StreamSummary, WayReport
from engramforge.model.streams.ways import LEVEL_KEYS
from engramforge.model.timeline import Ending

_GOAL: Final = 60
"""Letters of a goal."""


@dataclass(frozen=True, slots=True)
class PathView(Shape[Path]):
    """The best way from a name of the question, `start`, to a memory; `energy` and `confidence` are sums over it."""

    energy: float
    confidence: float
    depth: int
    start: str
    relations: list[str]


@dataclass(frozen=True, slots=True)
class StreamItemView(Shape[StreamItem]):
    """A memory that a way found. `retrieval_source`: the way; `relevance`, `activation_score`, `emotional_resonance`
    0..1; `rerank_score`: 0..1, null where no model was asked to rerank it; `tier`: focus, peripheral, background, or
    null beyond them; `path` of what the graph found; `ending`: as of a
    memory of a tier."""

    memory: MemoryView
    retrieval_source: str
    relevance: float
    activation_score: float
    tier: str | None
    emotional_resonance: float
    rerank_score: float | None
    excerpt: str
    path: PathView | None
    ending: str | None

    @classmethod
    def _derived(cls, value: StreamItem) -> Mapping[str, object]:
        return {"activation_score": value.activation}


@dataclass(frozen=True, slots=True)
class TierItemView(Shape[StreamItem]):
    """A memory of a tier, which stands whole in `levels`; numbers as there. `holds_from`: since when what it says is
    so, whatever became of it since; `holds_until`: until when, of one that was wrong until when it was on record; null
    where no end is known. `ending`: was_wrong or undone, of a version of a history that nobody believes any more;
    ended_later, of one that ended after the time that was asked.
    `unusual`: what it was read as, its state, energy and goal in words, those that are not as of any memory of which
    nobody said so. `led_by`: the links by which the graph came to it, in words; else empty.
    `excerpt`: of a thread after its title."""

    id: str
    logical_id: str
    kind: str
    project: str
    level: str
    speaker: str | None
    where: str
    holds_from: str
    holds_until: str | None
    ending: str | None
    retrieval_source: str
    relevance: float
    activation_score: float
    tier: str
    emotional_resonance: float
    rerank_score: float | None
    unusual: list[str]
    led_by: str
    excerpt: str

    @classmethod
    def _derived(cls, value: StreamItem) -> Mapping[str, object]:
        memory = value.memory
        # As of a day its record may have ended since: that was not known then.
        on_record = memory.invalid_at if memory.expired_at is None else None
        ended = memory.expired_at if value.ending is Ending.WRONG else value.ended_at or on_record
        return {
            **told_of(memory),
            "id": memory.id,
            "logical_id": memory.logical_id,
            "speaker": memory.speaker,
            "where": ", ".join(filter(None, (memory.place, ended_in_words(value.ending, plain(ended))))),
            "holds_from": plain(memory.told_at),
            "holds_until": plain(ended),
            "activation_score": value.activation,
            "unusual": [*filter(None, [value.read_as]), *_unusual(memory)],
            "excerpt": _titled(memory, value.excerpt),
        }

    @property
    def ended(self) -> str:
        """How it ended, and when, in words; empty of what holds."""
        return ended_in_words(self.ending, self.holds_until)


@dataclass(frozen=True, slots=True)
class LevelView(Shape[LevelItems]):
    """What one level gave: by vectors (or by the state), along the graph (where it was to spread also what
    activation reached, with N1_spread as its source), and the links that were walked."""

    vector_results: list[StreamItemView]
    graph_results: list[StreamItemView]
    relationships: list[LinkView]

    @classmethod
    def _derived(cls, value: LevelItems) -> Mapping[str, object]:
        return {
            "vector_results": StreamItemView.list_of(value.vector),
            "graph_results": StreamItemView.list_of((*value.graph, *value.spread)),
            "relationships": LinkView.list_of(value.links),
        }


@dataclass(frozen=True, slots=True)
class SummaryView(Shape[StreamSummary]):
    """A stream at a glance; `counts` by level; `total` items, of which `memories` are different; `active_ratio`: the
    share that holds and is on record now."""

    average_energy: float
    average_confidence: float
    emotional_themes: list[str]
    earliest: str | None
    latest: str | None
    counts: dict[str, int]
    total: int
    memories: int
    active_ratio: float


@dataclass(frozen=True, slots=True)
class WayView(Shape[WayReport]):
    """How one way went; `fault` null where it had none."""

    way: str
    found: int
    latency_ms: float
    fault: str | None


@dataclass(frozen=True, slots=True)
class StreamView(Shape[Stream]):
    """The answer to an intention or a state: everything that one retrieval returns. `answered`: whether
    anything answers the question. `note`: why nothing was found, where more can be said than that, and what was not
    compared. `far`: how many memories are far less relevant than the best, which none but the background has.
    `by_meaning_alone`: whether links begin at what was found and nothing was sought along them, since the question
    names nothing known.

    A stream that would be too long to read holds only what rank fusion left of it.
    """

    stream_id: str
    query: str
    mode: str
    answered: bool
    retrieved_at: str
    levels: dict[str, LevelView]
    activation_tiers: dict[str, list[TierItemView]]
    traversal_graph: GraphView
    energy_feedback_potential: float
    temporal_dissonances: list[DissonanceView]
    correction_patterns: list[CorrectionPatternView]
    metadata_validation: ValidationView
    summary: SummaryView
    ways: list[WayView]
    latency_ms: float
    entities: list[str]
    note: str
    far: int
    by_meaning_alone: bool

    @classmethod
    def _derived(cls, value: Stream) -> Mapping[str, object]:
        kept = {(each.memory.id, each.retrieval_source) for each in value.items} if value.is_fused else None
        levels = {
            LEVEL_KEYS[level]: LevelView.of(_left(value.levels.get(level, LevelItems()), kept))
            for level in ALL_LEVELS
        }
        found = {each.memory.id: each for held in value.tiers.values() for each in held}
        nodes = [
            NodeView.of(
                each,
                retrieval_source=item.retrieval_source,
                relevance=item.relevance,
                ending=plain(item.ending),
            )
            for each in value.traversal_graph.nodes
            for item in (found[each.memory.id],)
        ]
        labels = {each.id: each.label for each in value.traversal_graph.nodes}
        tiers = {
            str(tier): [
                TierItemView.of(each, led_by=led_in_words(each.path, each.memory, labels)) for each in held
            ]
            for tier, held in value.tiers.items()
        }
        return {
            "stream_id": value.id,
            "levels": levels,
            "activation_tiers": tiers,
            "traversal_graph": GraphView.of(value.traversal_graph, nodes=nodes),
            "temporal_dissonances": DissonanceView.list_of(value.dissonances),
            "correction_patterns": CorrectionPatternView.list_of(value.corrections),
        }

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not self.summary.total

    @property
    def is_unanswered(self) -> bool:
        """Whether a question was asked that nothing found answers."""
        return bool(self.query) and not self.answered

    @property
    def nearest(self) -> list[TierItemView]:
        """What is shown where nothing answers: the most relevant beliefs, or those that a model ranked first. Of
        each with several versions first the one that holds, without which none that was wrong is told."""
        told = chain.from_iterable(self.activation_tiers.values())
        versions: dict[str, list[TierItemView]] = {}
        for each in sorted(told, key=lambda each: (-(each.rerank_score or 0.0), -each.relevance)):
            versions.setdefault(each.logical_id, []).append(each)
        nearest = list(versions.values())[:NEAREST]
        return [each for held in nearest for each in _last_and_nearest(held)]


@dataclass(frozen=True, slots=True)
class FeedbackView(Shape[Feedback]):
    """What a stream does to an energy: the energy afterwards, whether the potential was above 0.5, and whether what is
    unresolved is to be worked on."""

    energy: float
    applied: bool
    activates: bool


@dataclass(frozen=True, slots=True)
class CycleView(Shape[Cycle]):
    """What one cycle did: broad_intention, evolution_intention or state; `activated`: what is to be worked on now;
    `learnings`: memories that were written of beliefs that changed."""

    choice: str
    stream: StreamView
    feedback: FeedbackView
    activated: list[MemoryView]
    learnings: list[MemoryView]


def _left(level: LevelItems, kept: set[tuple[str, str]] | None) -> LevelItems:
    """A level without what rank fusion left out."""
    if kept is None:
        return level
    return level.changed(lambda each: each if (each.memory.id, each.retrieval_source) in kept else None)


def _last_and_nearest(versions: Sequence[TierItemView]) -> list[TierItemView]:
    """Of a belief's versions, the most relevant first, the last one that is believed, and then the most relevant."""
    believed = [each for each in versions if each.ending is None] or versions
    last = max(believed, key=lambda each: (each.holds_from, each.id))
    return [last] if last is versions[0] else [last, versions[0]]


def _titled(memory: Memory, excerpt: str) -> str:
    """What is shown of a memory; a thread is known by its title."""
    title = memory.name if memory.kind is Kind.THREAD else None
    return excerpt if title is None or title in excerpt else f"{title.rstrip('.:')}: {excerpt}"


def _unusual(memory: Memory) -> Iterator[str]:
    """What tells a memory from one of which nobody said anything."""
    if memory.resolution_state is not ResolutionState.IN_PROGRESS:
        since = memory.resolved_since
        yield f"{memory.resolution_state} since {since:%Y-%m-%d}" if since else str(memory.resolution_state)
    if memory.energy != ENERGY:
        yield f"energy {memory.energy:.2f}"
    if memory.goal:
        yield f"goal: {on_one_line(memory.goal, _GOAL)}"
