"""How what a stream brought hangs together: its memories as nodes, its links with their pull, and paths along them.

Source: spec chapter 5, "Traversal graph"; document 003, component 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engramforge.model.fence import on_one_line

if TYPE_CHECKING:
    from engramforge.model.link import Link
    from engramforge.model.memory import Memory
    from engramforge.model.streams.ways import Tier

_LABEL: Final = 60
"""Letters of a memory's beginning."""


@dataclass(frozen=True, slots=True)
class TraversalNode:
    """A memory of the graph. `activation`: 0..1. `is_far`: whether it is far less relevant to the question than the
    best."""

    memory: Memory
    activation: float
    tier: Tier
    is_far: bool = False

    @property
    def id(self) -> str:
        """The logical id, which links name."""
        return self.memory.logical_id

    @property
    def label(self) -> str:
        """The memory's name, or how it begins, on one line."""
        return on_one_line(self.memory.name or self.memory.content, _LABEL)


@dataclass(frozen=True, slots=True)
class TraversalLink:
    """A link of the graph. `weight`: how likely a thought follows it, 0..1 (core/streams/weights)."""

    link: Link
    weight: float


@dataclass(frozen=True, slots=True)
class TraversalPath:
    """A line of thought along links.

    Parameters
    ----------
    nodes, links : ids in order; one link less than nodes.
    total_activation : the sum over its nodes.
    semantic_coherence : mean calibrated similarity of consecutive memories, 0..1.
    emotional_consistency : mean cosine of the emotions of consecutive links, 0..1; 1 for one link.
    probability : the product of its links' weights, 0..1.
    narrative : it in words.
    """

    nodes: tuple[str, ...]
    links: tuple[str, ...]
    total_activation: float
    semantic_coherence: float
    emotional_consistency: float
    probability: float
    narrative: str


@dataclass(frozen=True, slots=True)
class TraversalGraph:
    """The graph of a stream.

    `paths`: the likeliest first, at most ten. `hubs`: ids of nodes with a degree above mean and standard deviation.
    `themes`: what hubs and paths have in common, in words, without what is in the background.
    `asked`: ids of the nodes that the question calls by name, the most active first.
    `density`: pairs that are linked, each direction by itself, / (n (n - 1)); 0 under two nodes.
    """

    nodes: tuple[TraversalNode, ...]
    links: tuple[TraversalLink, ...]
    paths: tuple[TraversalPath, ...]
    hubs: tuple[str, ...]
    themes: tuple[str, ...]
    density: float
    asked: tuple[str, ...] = ()
