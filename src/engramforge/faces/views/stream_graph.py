"""A stream's graph for other programs: node-link JSON as NetworkX reads it, and a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engramforge.faces.views.shape import plain
from engramforge.faces.views.stream import GraphView, NodeView
from engramforge.model.fence import on_one_line, printable

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
