"""The stream: everything that one retrieval by intention or by state returns.

Source: spec chapter 5, "The stream"; document 003, component 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from engramforge.model.link import Relation
from engramforge.model.scope import Level
from engramforge.model.streams.ways import Tier, Way, way_name

if TYPE_CHECKING:
    from engramforge.model.link import Link
    from engramforge.model.memory import Memory
    from engramforge.model.streams.corrections import CorrectionPattern
    from engramforge.model.streams.traversal import TraversalGraph
    from engramforge.model.timeline import Dissonance, Ending
    from engramforge.model.validation_report import ValidationReport

_EXCERPT: Final = 400
"""Characters of a memory's beginning."""
_ANSWERS_BY_LINKS: Final = 0.2
"""The least relevance of what links lead to that counts as an answer."""
_OF_ROWS: Final = frozenset({str(Relation.MENTIONS), str(Relation.FOLLOWS), "SAYS"})
"""Relations that rows say, and nobody has to make."""


@dataclass(frozen=True, slots=True)
class Path:
    """The best way from an entity of the question to a memory.

    `energy`, `confidence`: sums over its links. `depth`: how many there are. `start`: the entity, or
    the memory that led on by a state or as a reason. `relations`: of its links, from the start. `forward`: of each
    whether it leads on from the start, or back towards it; None of what rows say. `through`: the logical ids of the
    memories between.
    """

    energy: float
    confidence: float
    depth: int
    start: str
    relations: tuple[str, ...]
    forward: tuple[bool | None, ...] = ()
    through: tuple[str, ...] = ()

    def onward(
        self, energy: float, confidence: float, relation: str, *, forward: bool | None = None, here: str = ""
    ) -> Path:
        """The same with one link more, from the memory `here` where that is not the start itself."""
        return Path(
            self.energy + energy,
            self.confidence + confidence,
            self.depth + 1,
            self.start,
            (*self.relations, relation),
            (*self.forward, *[None] * (self.depth - len(self.forward)), forward),
            (*self.through, *([here] if here and self.depth else [])),
        )

    @property
    def led(self) -> tuple[tuple[str, bool | None], ...]:
        """The relations of the links that somebody made, each with whether it leads on from the start."""
        forward = (*self.forward, *[None] * (self.depth - len(self.forward)))
        return tuple(
            (each, way) for each, way in zip(self.relations, forward, strict=True) if each not in _OF_ROWS
        )

    @property
    def made(self) -> tuple[str, ...]:
        """Its relations without those that rows say: a mention, who says it, and the turn beside that."""
        return tuple(each for each in self.relations if each not in _OF_ROWS)

    @property
    def is_of_rows(self) -> bool:
        """Whether it goes along no link that somebody made."""
        return not self.made


@dataclass(frozen=True, slots=True)
class StreamItem:
    """One memory of a stream.

    Parameters
    ----------
    retrieval_source : the way that found it, such as N1_vector.
    relevance : of a vector hit its calibrated similarity, of a graph hit the mean link energy of its best path over its
        depth, of a state's hit how well it fits; 0..1.
    activation : the tier score over its largest value, 0..1.
    tier : None for what is beyond the background.
    emotional_resonance : cosine of its emotions and those of the question or state, 0..1.
    path : of a graph hit.
    excerpt : the passage that answers, of a vector hit; else the beginning.
    answers : whether it answers the question rather than not (core/ranking/answering), of a vector hit.
    rerank_score : how well it answers the question by the model that ordered the stream anew, 0..1; None of what no
        such model read.
    read_as : what it was read as that says the same, and is not told by itself: "open thread"; else empty.
    ending : of evolution and full history: how a version ended that nobody believes any more, or that it ended after
        the time that was asked; None of all others. ended_at : of the latter, when.
    """

    memory: Memory
    retrieval_source: str
    relevance: float
    excerpt: str
    activation: float = 0.0
    tier: Tier | None = None
    emotional_resonance: float = 0.0
    path: Path | None = None
    answers: bool = False
    rerank_score: float | None = None
    ending: Ending | None = None
    ended_at: datetime | None = None
    read_as: str = ""

    @classmethod
    def of(
        cls, memory: Memory, way: Way, relevance: float, *, excerpt: str = "", path: Path | None = None
    ) -> StreamItem:
        """What a way of the memory's level found; without an excerpt its beginning is shown."""
        source = way_name(memory.level, way)
        return cls(memory, source, relevance, excerpt or memory.content[:_EXCERPT], path=path)

    @property
    def answers_by_links(self) -> bool:
        """Whether it stands in the focus, and what led to it from a name of the question counts."""
        is_by_links = self.retrieval_source == way_name(self.memory.level, Way.GRAPH)
        return is_by_links and self.tier is Tier.FOCUS and self.relevance >= _ANSWERS_BY_LINKS


@dataclass(frozen=True, slots=True)
class LevelItems:
    """What one level gave: by vectors, by the graph, the links that were walked, and what activation reached where it
    was to spread."""

    vector: tuple[StreamItem, ...] = ()
    graph: tuple[StreamItem, ...] = ()
    links: tuple[Link, ...] = ()
    spread: tuple[StreamItem, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    def changed(self, change: Callable[[StreamItem], StreamItem | None]) -> LevelItems:
        """The same with every item as `change` gives it, without those of which it gives None."""
        vector, graph, spread = (
            tuple(new for each in items if (new := change(each)) is not None)
            for items in (self.vector, self.graph, self.spread)
        )
        return LevelItems(vector, graph, self.links, spread)

    def ordered(self, order: Callable[[tuple[StreamItem, ...]], tuple[StreamItem, ...]]) -> LevelItems:
        """The same with the items of each way in another order."""
        return LevelItems(order(self.vector), order(self.graph), self.links, order(self.spread))

    @property
    def items(self) -> tuple[StreamItem, ...]:
        """Of all ways."""
        return (*self.vector, *self.graph, *self.spread)


@dataclass(frozen=True, slots=True)
class WayReport:
    """How one way went: how many it found, how long it took, and its fault; None where it had none."""

    way: str
    found: int
    latency_ms: float
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class StreamSummary:
    """A stream at a glance.

    Parameters
    ----------
    average_energy, average_confidence : over all memories, each once; 0 without any.
    emotional_themes : the commonest emotions of focus and periphery, the most frequent first, at most five.
    earliest, latest : of which days the first and the last are told; None without any.
    counts : level -> how many items it gave.
    total : how many items there are; a memory that two ways found is two.
    memories : how many memories these are, each version once.
    active_ratio : the share of items that hold and are on record now, 0..1; 1 without any.
    """

    average_energy: float
    average_confidence: float
    emotional_themes: tuple[str, ...]
    earliest: datetime | None
    latest: datetime | None
    counts: Mapping[str, int]
    total: int
    memories: int
    active_ratio: float


@dataclass(frozen=True, slots=True)
class Stream:
    """The answer to an intention or a state.

    Parameters
    ----------
    id : of the intention or state. query : its text, of a cycle as it is told; empty for a state.
    mode : of the times, or of the state.
    levels : in order, N1 to N3; only those that were asked.
    items : all of them in the order of the levels, or by reciprocal rank where the text would be too long.
    is_fused : whether it was.
    tiers : the memories nearest to attention, each once; of a state in the order of its mode.
    entities : those of the question that the store knows.
    energy_feedback_potential : how far what was found may move the energy of who asked, 0..1.
    dissonances : beliefs that changed, of evolution and full history alone. corrections : kinds of beliefs that are
        corrected again and again.
    note : why nothing was found, where more can be said than that, and what was not compared.
    far : how many memories are far less relevant than the best, which none but the background has.
    by_meaning_alone : whether nothing was sought along the links that begin at what was found, since the question names
        nothing known and nothing was to spread.
    """

    id: str
    query: str
    mode: str
    retrieved_at: datetime
    levels: Mapping[Level, LevelItems]
    items: tuple[StreamItem, ...]
    is_fused: bool
    tiers: Mapping[Tier, tuple[StreamItem, ...]]
    traversal_graph: TraversalGraph
    energy_feedback_potential: float
    dissonances: tuple[Dissonance, ...]
    corrections: tuple[CorrectionPattern, ...]
    metadata_validation: ValidationReport
    summary: StreamSummary
    ways: tuple[WayReport, ...]
    latency_ms: float
    entities: tuple[str, ...] = ()
    note: str = ""
    far: int = 0
    by_meaning_alone: bool = False

    def __len__(self) -> int:
        return len(self.items)

    @property
    def answered(self) -> bool:
        """Whether anything answers the question, and does not only bear on it: by its words, or in the focus by links
        from a name that the question means."""
        return any(each.answers or each.answers_by_links for each in self.items)

    @property
    def memories(self) -> tuple[Memory, ...]:
        """Of the items, each once, in their order."""
        return tuple({each.memory.id: each.memory for each in self.items}.values())
