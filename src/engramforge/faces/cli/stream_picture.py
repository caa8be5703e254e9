"""What of a stream is drawn: its memories, the strongest of their links, and of beliefs that changed every version.

    stream -> nodes and links that one can read -> SVG (faces/cli/stream_plot), or a Mermaid flowchart

What is far less relevant than the best is drawn only on the path and where it changed; how many are left out is said.
Of a question that nothing answers only what comes nearest is drawn, and it says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engramforge.faces.views.shape import days_of, numbered
from engramforge.model.fence import on_one_line, printable
from engramforge.model.texts.visible import is_seen

if TYPE_CHECKING:
    from engramforge.faces.views.stream import StreamView
    from engramforge.faces.views.stream_graph import EdgeView, GraphView, NodeView, TraversalPathView
    from engramforge.faces.views.timeline import DissonanceView

MOST_NODES: Final = 60
"""Nodes of a flowchart; one of more is not read by anybody."""
MOST_LINKS: Final = 40
"""Links of a picture; of more nobody sees where each leads."""
MOST_CHANGES: Final = 20
NEAREST: Final = "nearest"
"""In place of a tier, of what comes nearest where nothing answers."""
REASONS: Final = {"discovered_false": "was wrong", "reality_changed": "has changed"}
REPLACED: Final = "was replaced"
UNANSWERED: Final = "Nothing that is remembered answers this. What comes nearest:"
_LABEL: Final = 48
_RELATION: Final = 32
"""Letters of a relation."""
_TIERS: Final[Mapping[str, str]] = {
    "focus": "fill:#dbe9fb,stroke:#1d4f91,stroke-width:2px",
    "peripheral": "fill:#f1f5fa,stroke:#6b829e",
    "background": "fill:#fafafa,stroke:#b5bcc6",
    NEAREST: "fill:#fafafa,stroke:#b5bcc6,stroke-dasharray:4",
}
_ON_PATH: Final = "stroke:#b3261e,stroke-width:3px"
_WORDLESS: Final = frozenset("#;\"'`<>&\\|{}[]()\u2028\u2029")
"""What Mermaid, Markdown or HTML would read as theirs."""
_JOINER: Final = "\u2060"
_NO_SPACE: Final = "\ufeff"
"""Two signs that nothing draws; to Markdown the second is white space, the first is none."""
_APART: Final = re.compile(
    r"\A(?=(?:\d{1,9}[.)]|[-+*#=_~>]))|(?<=\$)(?=\$)|(?<=\\)(?=[n\W_])|(?<=:)(?=fa-|//)|(?<=\])(?=\()|(?<=www)(?=\.)|(?=@)"
    r"|(?<=\ufb02)(?=\xb0)|(?<=\xb6)(?=\xdf)"
)
"""Where a label would begin something: a list or a heading, a formula, what a backslash does, an icon, a link, an
address, and what stands for numbers of letters until a flowchart is read. Mermaid (to 11.17, the newest tried) looks
for these when numbers of letters are letters again."""
_STYLES: Final = re.compile(r"s(?=tyle)|c(?=lassDef)")
"""What it looks for before that, to cut what follows."""
_EMPHASIS: Final = re.compile(r"[*~]+|(?<![^\W_])_+|_+(?![^\W_])")
"""What Markdown reads as emphasis if no white space stands on either side."""


@dataclass(frozen=True, slots=True)
class Change:
    """That one version of a belief gave way to another, by the ids of their nodes; `said`: why, and when."""

    source: str
    target: str
    said: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn. `edges`: the strongest of `links` links, those of the path first. `notice`: that nothing answers;
    else empty. `far`: how many memories are left out since they are far less relevant than the best."""

    nodes: Sequence[NodeView]
    edges: Sequence[EdgeView]
    links: int
    path: TraversalPathView | None = None
    changes: Sequence[Change] = ()
    notice: str = ""
    far: int = 0

    @classmethod
    def of_graph(cls, graph: GraphView, changed: Collection[str] = ()) -> Picture:
        """A graph with the path that leads, without what is far, but for the memories that `changed`."""
        path = next(iter(graph.leading_paths), None)
        told = {*changed, *(() if path is None else path.nodes)}
        nodes = [each for each in graph.nodes if not each.is_far or each.id in told]
        known = {each.id for each in nodes}
        edges = [each for each in graph.edges if {each.source, each.target} <= known]
        return cls(nodes, strongest(edges, path), len(edges), path, far=len(graph.nodes) - len(nodes))

    @classmethod
    def of(cls, view: StreamView) -> Picture:
        """A stream."""
        graph = view.traversal_graph
        if view.is_unanswered and graph.nodes:
            near = [each.logical_id for each in view.nearest]
            nodes = [replace(each, tier=NEAREST) for each in _ranked(graph.nodes, near) if each.id in near]
            edges = [each for each in graph.edges if {each.source, each.target} <= set(near)]
            cases = [each for each in view.temporal_dissonances if each.belief_id in near]
            nodes, changes = _with_versions(nodes, cases[:MOST_CHANGES])
            return cls(nodes, strongest(edges, None), len(edges), changes=changes, notice=UNANSWERED)
        cases = view.temporal_dissonances[:MOST_CHANGES]
        whole = cls.of_graph(graph, {each.belief_id for each in cases})
        told = [item.logical_id for held in view.activation_tiers.values() for item in held]
        nodes, changes = _with_versions(_ranked(whole.nodes, told), cases)
        return replace(whole, nodes=nodes, changes=changes)

    @property
    def steps(self) -> dict[str, int]:
        """Node -> its place on the path, from 1."""
        return {} if self.path is None else {node: step for step, node in enumerate(self.path.nodes, 1)}


def _ranked(nodes: Sequence[NodeView], told: Sequence[str]) -> list[NodeView]:
    """Nodes in the order in which a stream lists them."""
    ranks = {one: rank for rank, one in reversed(list(enumerate(told)))}
    return sorted(nodes, key=lambda each: ranks.get(each.id, len(told)))


def strongest(edges: Sequence[EdgeView], path: TraversalPathView | None) -> list[EdgeView]:
    """At most so many links: those of the path, then the strongest between any two memories, then what else joins
    them."""
    walked = frozenset(() if path is None else path.links)
    joined: set[frozenset[str]] = set()
    first: list[EdgeView] = []
    beside: list[EdgeView] = []
    for each in edges:
        both = frozenset((each.source, each.target))
        (beside if both in joined else first).append(each)
        joined.add(both)
    ordered = sorted((*first, *beside), key=lambda each: each.id not in walked)
    return ordered[:MOST_LINKS]


def _with_versions(
    nodes: Sequence[NodeView], cases: Iterable[DissonanceView]
) -> tuple[list[NodeView], list[Change]]:
    """The nodes with a further one for each version of a belief that changed, beside the one that stands for it, and
    the changes between them. What a version says is its label: the name is that of all."""
    found = {each.id: [each] for each in nodes}
    by_version = {each.memory_id: each.id for each in nodes}
    of_belief: dict[str, list[DissonanceView]] = defaultdict(list)
    for case in cases:
        of_belief[case.belief_id].append(case)
    changes = []
    for belief, own in of_belief.items():
        # Records that were imported apart are memories of their own.
        ids = by_version
        if belief in found:
            found[belief] = _versions_of(found[belief][0], own)
            ids = {each.memory_id: each.id for each in found[belief]}
        changes += [
            Change(ids[each.original_id], ids[each.corrected_id], _said(each))
            for each in own
            if each.original_id in ids and each.corrected_id in ids
        ]
    return [each for held in found.values() for each in held], changes


def _versions_of(node: NodeView, cases: Sequence[DissonanceView]) -> list[NodeView]:
    """A node for each version, oldest first, the last of which has the links of all."""
    said = {(each.original_version, each.original_id): each.original for each in cases}
    said |= {(each.corrected_version, each.corrected_id): each.corrected for each in cases}
    wrong = {each.original_id for each in cases if each.reason == "discovered_false"}
    _, last = max(said)
    return [
        replace(
            node,
            id=node.id if one == last else one,
            memory_id=one,
            label=label,
            ending="was_wrong" if one in wrong else None,
        )
        for (_, one), label in sorted(said.items())
    ]


def _said(case: DissonanceView) -> str:
    return f"{REASONS.get(case.reason or '', REPLACED)} {''.join(days_of(case.corrected_at))}"


def mermaid(picture: Picture) -> str:
    """The picture as a Mermaid flowchart: the most active memories with their links and weights; the path from the
    most active stands out."""
    shown = _shown(picture)
    names = {each.id: f"n{number}" for number, each in enumerate(shown, 1)}
    lines = ["flowchart LR"]
    if not shown:
        return "\n".join([*lines, '  nothing["Nothing was found"]', ""])
    if picture.notice:
        lines.append(f'  nothing["{_escaped(picture.notice)}"]')
    lines += [f'  {names[each.id]}["{_told(each)}"]' for each in shown]
    if picture.far:
        lines.append(f'  far["{numbered(picture.far, "memory")} far less relevant than the best: not drawn"]')
    held = [each for each in picture.edges if each.source in names and each.target in names]
    lines += [f'  {names[each.source]} -- "{_said_of(each)}" --> {names[each.target]}' for each in held]
    lines += [
        f'  {names[each.source]} -. "{_escaped(each.said)}" .-> {names[each.target]}'
        for each in picture.changes
        if each.source in names and each.target in names
    ]
    walked = () if picture.path is None else picture.path.links
    if on_path := [number for number, each in enumerate(held) if each.id in walked]:
        lines.append(f"  linkStyle {','.join(map(str, on_path))} {_ON_PATH}")
    for tier, style in _TIERS.items():
        members = [names[each.id] for each in shown if each.tier == tier]
        if members:
            lines += [f"  classDef {tier} {style}", f"  class {','.join(members)} {tier}"]
    if picture.path is not None:
        lines.append(f"  classDef path {_ON_PATH}")
        lines.append(f"  class {','.join(names[each] for each in picture.path.nodes if each in names)} path")
    if len(shown) < len(picture.nodes):
        lines.append(f"  %% {len(picture.nodes) - len(shown)} of {len(picture.nodes)} nodes are left out")
    if len(picture.edges) < picture.links:
        lines.append(f"  %% {picture.links - len(picture.edges)} of {picture.links} links are left out")
    return "\n".join([*lines, ""])


def _shown(picture: Picture) -> list[NodeView]:
    """At most so many nodes: those of the path and of what changed, then the most active."""
    first = set(picture.steps) | {end for each in picture.changes for end in (each.source, each.target)}
    chosen = sorted(picture.nodes, key=lambda each: each.id not in first)[:MOST_NODES]
    kept = {each.id for each in chosen}
    return [each for each in picture.nodes if each.id in kept]


def _said_of(link: EdgeView) -> str:
    return f"{_escaped(on_one_line(link.relation, _RELATION))} {link.traversal_weight:.2f}"


def _told(node: NodeView) -> str:
    return f"{_escaped(on_one_line(seen(node.said), _LABEL))}<br/>{_escaped(node.kind)}, {node.activation_score:.2f}"


def _escaped(text: str) -> str:
    """A text as a quoted label, in which nothing is markup: Mermaid writes such letters by their numbers, and what it
    or Markdown would still read as more than letters stands apart by a sign that nothing draws. What no line shows is
    told by its own number, for Mermaid's would be drawn as the sign itself."""
    apart = _APART.sub(_JOINER, printable(seen(" ".join(text.split()))))
    apart = _EMPHASIS.sub(lambda found: _NO_SPACE + _NO_SPACE.join(found[0]) + _NO_SPACE, apart)
    numbered = "".join(f"#{ord(letter)};" if letter in _WORDLESS else letter for letter in apart)
    return _STYLES.sub(lambda found: f"#{ord(found[0])};", numbered)


def seen(text: str) -> str:
    """A text without the signs in it that nobody sees: how it is to be set, or where a word may end."""
    return "".join(
        letter for at, letter in enumerate(text) if unicodedata.category(letter) != "Cf" or is_seen(text, at)
    )
