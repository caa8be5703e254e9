"""A stream's graph: its shapes, and for other programs node-link JSON as NetworkX reads it, and a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engramforge.faces.views.shape import Shape, days_of, plain
from engramforge.model.fence import on_one_line, printable
from engramforge.model.memory import Memory
from engramforge.model.streams.traversal import TraversalGraph, TraversalLink, TraversalNode, TraversalPath

MOST_NODES: Final = 60
"""Nodes of a flowchart; one of more is not read by anybody."""
_LABEL: Final = 48
_TIERS: Final[Mapping[str, str]] = {
    "focus": "fill:#dbe9fb,stroke:#1d4f91,stroke-width:2px",
    "peripheral": "fill:#f1f5fa,stroke:#6b829e",
    "background": "fill:#fafafa,stroke:#b5bcc6",
}
_ON_PATH: Final = "stroke:#b3261e,stroke-width:3px"
_WORDLESS: Final = frozenset("#;\"'`<>&\\|{}[]()\u2028\u2029")
"""What Mermaid, Markdown or HTML would read as theirs."""


@dataclass(frozen=True, slots=True)
class NodeView(Shape[TraversalNode]):
    """A memory of the graph: `id` is the logical one, `label` its name or how it begins; `ending` as of a memory of a
    tier."""

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
    """The graph of a stream: `nodes` the most active first, `edges` the heaviest first."""

    nodes: list[NodeView]
    edges: list[EdgeView]
    suggested_paths: list[TraversalPathView]
    hub_nodes: list[str]
    central_themes: list[str]
    node_count: int
    edge_count: int
    path_count: int
    graph_density: float

    @property
    def leading_paths(self) -> list[TraversalPathView]:
        """Of each memory from which paths begin the likeliest, the most active memory first: that a path is likely says
        nothing of whether it has to do with the question."""
        first: dict[str, TraversalPathView] = {}
        for each in self.suggested_paths:
            first.setdefault(each.nodes[0], each)
        return [first[each.id] for each in self.nodes if each.id in first]

    @classmethod
    def _derived(cls, value: TraversalGraph) -> Mapping[str, object]:
        return {
            "edges": EdgeView.list_of(value.links),
            "suggested_paths": TraversalPathView.list_of(value.paths),
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
            "hub_nodes": list(graph.hub_nodes),
            "central_themes": list(graph.central_themes),
            "graph_density": graph.graph_density,
        },
        "nodes": nodes,
        "edges": edges,
    }


def mermaid(graph: GraphView) -> str:
    """The graph as a Mermaid flowchart: the most active memories with their links and weights; the path from the
    most active stands out."""
    likeliest = next(iter(graph.leading_paths), None)
    shown = _shown(graph)
    names = {each.id: f"n{number}" for number, each in enumerate(shown, 1)}
    lines = ["flowchart LR"]
    if not shown:
        return "\n".join([*lines, '  nothing["Nothing was found"]', ""])
    lines += [f'  {names[each.id]}["{_told(each)}"]' for each in shown]
    held = [each for each in graph.edges if each.source in names and each.target in names]
    lines += [
        f'  {names[each.source]} -- "{_escaped(each.relation)} {each.traversal_weight:.2f}" --> {names[each.target]}'
        for each in held
    ]
    if likeliest is not None:
        walked = [number for number, each in enumerate(held) if each.id in likeliest.links]
        if walked:
            lines.append(f"  linkStyle {','.join(map(str, walked))} {_ON_PATH}")
    for tier, style in _TIERS.items():
        members = [names[each.id] for each in shown if each.tier == tier]
        if members:
            lines += [f"  classDef {tier} {style}", f"  class {','.join(members)} {tier}"]
    if likeliest is not None:
        lines.append(f"  classDef path {_ON_PATH}")
        lines.append(f"  class {','.join(names[each] for each in likeliest.nodes if each in names)} path")
    if len(shown) < len(graph.nodes):
        lines.append(f"  %% {len(graph.nodes) - len(shown)} of {len(graph.nodes)} nodes are left out")
    return "\n".join([*lines, ""])


def _shown(graph: GraphView) -> list[NodeView]:
    """At most so many nodes: those of the likeliest path, then the most active."""
    first = {node for path in graph.leading_paths[:1] for node in path.nodes}
    chosen = sorted(graph.nodes, key=lambda each: each.id not in first)[:MOST_NODES]
    kept = {each.id for each in chosen}
    return [each for each in graph.nodes if each.id in kept]


def _told(node: NodeView) -> str:
    return (
        f"{_escaped(on_one_line(node.said, _LABEL))}<br/>{_escaped(node.kind)}, {node.activation_score:.2f}"
    )


def _escaped(text: str) -> str:
    """A text as a quoted label, in which nothing is markup: Mermaid writes such letters by their numbers. What no line
    shows is told by its own, for a number would be drawn as the sign itself."""
    return "".join(
        f"#{ord(letter)};" if letter in _WORDLESS else letter for letter in printable(" ".join(text.split()))
    )
