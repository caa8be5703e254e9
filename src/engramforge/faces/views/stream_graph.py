"""A stream's graph: its shapes, and for other programs node-link JSON as NetworkX reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engramforge.faces.views.shape import Shape, days_of, plain
from engramforge.model.fence import on_one_line
from engramforge.model.memory import Memory
from engramforge.model.streams.stream import Path
from engramforge.model.streams.traversal import TraversalGraph, TraversalLink, TraversalNode, TraversalPath

_NODE: Final = 40
"""Letters of a memory on a path."""


@dataclass(frozen=True, slots=True)
class NodeView(Shape[TraversalNode]):
    """A memory of the graph: `id` is the logical one, `label` its name or how it begins; `is_far`: whether it is far
    less relevant to the question than the best; `ending` as of a memory of a tier."""

    id: str
    memory_id: str
    label: str
    kind: str
    project: str
    level: str
    energy: float
    confidence: float
    retrieval_source: str
    relevance: float
    activation_score: float
    tier: str
    is_far: bool
    ending: str | None

    @classmethod
    def _derived(cls, value: TraversalNode) -> Mapping[str, object]:
        memory = value.memory
        return {
            **told_of(memory),
            "memory_id": memory.id,
            "energy": memory.energy,
            "confidence": memory.confidence,
            "activation_score": value.activation,
        }

    @property
    def said(self) -> str:
        """The label, after how the memory ended if nobody believes it any more."""
        return f"[{ended_in_words(self.ending, None)}] {self.label}" if self.ending else self.label


@dataclass(frozen=True, slots=True)
class EdgeView(Shape[TraversalLink]):
    """A link of the graph between nodes; `traversal_weight`: how likely a thought follows it, 0..1."""

    id: str
    source: str
    target: str
    relation: str
    traversal_weight: float
    energy: float
    confidence: float
    goal: str
    resolution_state: str
    energy_transfer_coefficient: float
    emotion_vector: dict[str, float]

    @classmethod
    def _derived(cls, value: TraversalLink) -> Mapping[str, object]:
        link = value.link
        told = ("id", "relation", "energy", "confidence", "goal", "resolution_state", "emotion_vector")
        return {
            **{name: plain(getattr(link, name)) for name in (*told, "energy_transfer_coefficient")},
            "source": link.source_id,
            "target": link.target_id,
            "traversal_weight": value.weight,
        }


@dataclass(frozen=True, slots=True)
class TraversalPathView(Shape[TraversalPath]):
    """A line of thought, likeliest first; ids of nodes and links in order. `probability`: the product of its weights;
    `semantic_coherence`, `emotional_consistency` 0..1."""

    nodes: list[str]
    links: list[str]
    total_activation: float
    semantic_coherence: float
    emotional_consistency: float
    probability: float
    narrative: str


@dataclass(frozen=True, slots=True)
class GraphView(Shape[TraversalGraph]):
    """The graph of a stream: `nodes` the most active first, `edges` the heaviest first. `asked_nodes`: ids of those
    that the question calls by name."""

    nodes: list[NodeView]
    edges: list[EdgeView]
    suggested_paths: list[TraversalPathView]
    asked_nodes: list[str]
    hub_nodes: list[str]
    central_themes: list[str]
    node_count: int
    edge_count: int
    path_count: int
    graph_density: float

    @property
    def leading_paths(self) -> list[TraversalPathView]:
        """Of each memory from which paths begin the likeliest, first of what the question calls by name, then of the
        most active: that a path is likely says nothing of whether it has to do with the question."""
        first: dict[str, TraversalPathView] = {}
        for each in self.suggested_paths:
            first.setdefault(each.nodes[0], each)
        ordered = dict.fromkeys((*self.asked_nodes, *(each.id for each in self.nodes)))
        return [first[each] for each in ordered if each in first]

    @classmethod
    def _derived(cls, value: TraversalGraph) -> Mapping[str, object]:
        return {
            "edges": EdgeView.list_of(value.links),
            "suggested_paths": TraversalPathView.list_of(value.paths),
            "asked_nodes": list(value.asked),
            "hub_nodes": list(value.hubs),
            "central_themes": list(value.themes),
            "node_count": len(value.nodes),
            "edge_count": len(value.links),
            "path_count": len(value.paths),
            "graph_density": value.density,
        }


def told_of(memory: Memory) -> dict[str, str]:
    """Of what kind a memory is, and whose."""
    return {"kind": str(memory.kind), "project": memory.project, "level": str(memory.level)}


def led_in_words(path: Path | None, end: Memory, labels: Mapping[str, str]) -> str:
    """The links that somebody made by which a memory was come to, read from source to target: "Ada -OWNS-> the mill".

    `labels`: of memories, by logical id.
    """
    if path is None or not path.led:
        return ""
    first = len(path.relations) - len(path.led)
    through = [*path.through, *["?"] * (path.depth - 1 - len(path.through))]
    nodes = [path.start, *through, end.logical_id][first:]
    said = [on_one_line(labels.get(each, each), _NODE) for each in nodes[:-1]]
    said.append(on_one_line(end.name or end.content, _NODE))
    led = list(path.led)
    if all(forward is False for _, forward in led):
        said.reverse()
        led = [(relation, True) for relation, _ in reversed(led)]
    arrows = [
        f"<-{relation}-" if forward is False else f"-{relation}->" if forward else f"-{relation}-"
        for relation, forward in led
    ]
    return " ".join([said[0], *(f"{arrow} {node}" for arrow, node in zip(arrows, said[1:], strict=True))])


def ended_in_words(ending: str | None, until: str | None) -> str:
    """How a version ended, and when; empty where it holds."""
    day = None if until is None else f"until {''.join(days_of(until))}"
    return ", ".join(filter(None, (ending and ending.replace("_", " "), day)))


def node_link(graph: GraphView) -> dict[str, Any]:
    """The graph as `networkx.node_link_graph(data, edges="edges")` reads it: directed, several links between two
    nodes. Nodes and links have their fields as attributes; a link's key is its id."""
    nodes = [plain(each) for each in graph.nodes]
    edges = [{**(told := plain(each)), "key": told.pop("id")} for each in graph.edges]
    return {
        "directed": True,
        "multigraph": True,
        "graph": {
            "suggested_paths": plain(graph.suggested_paths),
            "asked_nodes": list(graph.asked_nodes),
            "hub_nodes": list(graph.hub_nodes),
            "central_themes": list(graph.central_themes),
            "graph_density": graph.graph_density,
        },
        "nodes": nodes,
        "edges": edges,
    }
