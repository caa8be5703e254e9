"""Streams as other programs and people see them: node-link JSON, Mermaid, SVG."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest

import engramforge
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.faces.cli.stream_output import show_stream
from engramforge.faces.cli.stream_picture import MOST_LINKS, MOST_NODES, NEAREST, Picture, mermaid
from engramforge.faces.cli.stream_plot import save_stream_plot, stream_plot
from engramforge.faces.views.stream import StreamView
from engramforge.faces.views.stream_graph import EdgeView, GraphView, NodeView, TraversalPathView, node_link

_SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'end"] --> x; click n1 "javascript:1" %% <script>`#quot;`</script>\u2028{}|()\\ \x1b[2J'


def _node(number: int, label: str = "", *, is_far: bool = False) -> NodeView:
    tier = "focus" if number < 5 else "peripheral" if number < 25 else "background"
    return NodeView(
        id=f"m{number}",
        memory_id=f"v{number}",
        label=label or f"Memory number {number} of the harbour, which is said at some length",
        kind="note",
        project="harbour",
        level=("personal", "collective", "ecosystem")[number % 3],
        energy=0.5,
        confidence=0.5,
        retrieval_source="N1_vector",
        relevance=0.5,
        activation_score=1 - number / 100,
        tier=tier,
        is_far=is_far,
        ending=None,
    )


def _edge(number: int, source: int, target: int, relation: str = "CAUSES") -> EdgeView:
    return EdgeView(
        id=f"l{number}",
        source=f"m{source}",
        target=f"m{target}",
        relation=relation,
        traversal_weight=0.9 - number / 200,
        energy=0.5,
        confidence=0.5,
        goal="g",
        resolution_state="in_progress",
        energy_transfer_coefficient=0.5,
        emotion_vector={"joy": 0.5},
    )


def _graph(count: int, edges: list[EdgeView], path: list[int], *, label: str = "") -> GraphView:
    paths = [
        TraversalPathView(
            nodes=[f"m{each}" for each in path],
            links=[edges[at].id for at in range(len(path) - 1)],
            total_activation=1.5,
            semantic_coherence=0.5,
            emotional_consistency=1.0,
            probability=0.4,
            narrative=f"{label or 'one'} -CAUSES-> another",
        )
    ]
    return GraphView(
        nodes=[_node(each, label) for each in range(count)],
        edges=edges,
        suggested_paths=paths if path else [],
        asked_nodes=[],
        hub_nodes=[],
        central_themes=["harbour"],
        node_count=count,
        edge_count=len(edges),
        path_count=1 if path else 0,
        graph_density=0.1,
    )


def _many() -> GraphView:
    """75 memories with 120 links, the path through all three tiers."""
    first = [_edge(0, 0, 10), _edge(1, 10, 60)]
    others = [_edge(each, (each * 7) % 75, (each * 11 + 3) % 75) for each in range(2, 120)]
    return _graph(75, [*first, *(each for each in others if each.source != each.target)], [0, 10, 60])


def _view(home: Path, graph: GraphView | None = None, query: str = "the harbour") -> StreamView:
    """The stream of an empty store, with a graph of ours."""
    with engramforge.open(home) as em:
        view = StreamView.of(em.streams.by_intention(query))
    if graph is not None:
        object.__setattr__(view, "traversal_graph", graph)
        object.__setattr__(view, "answered", True)
    return view


def test_node_link_keeps_every_link_with_its_direction() -> None:
    graph = _graph(3, [_edge(0, 0, 1), _edge(1, 0, 1, "ENABLES"), _edge(2, 1, 0)], [0, 1])
    read = networkx.node_link_graph(node_link(graph), edges="edges")
    assert isinstance(read, networkx.MultiDiGraph)
    assert set(read["m0"]["m1"]) == {"l0", "l1"} and set(read["m1"]["m0"]) == {"l2"}
    assert read.nodes["m2"]["activation_score"] == pytest.approx(0.98)
    assert read["m0"]["m1"]["l1"]["relation"] == "ENABLES"
    assert read.graph["central_themes"] == ["harbour"]


def test_a_label_is_no_mermaid() -> None:
    chart = mermaid(Picture.of_graph(_graph(2, [_edge(0, 0, 1, 'A"] --> B')], [0, 1], label=HOSTILE)))
    labels = re.findall(r'^  n\d+\["(.*)"\]$', chart, re.MULTILINE)
    assert len(labels) == 2
    for each in (*labels, *re.findall(r'-- "(.*)" -->', chart)):
        assert not set(each.replace("<br/>", "")) & set('"<>[]{}|()`\\\x1b\u2028')
        assert all(found.isdigit() for found in re.findall(r"#(.*?);", each))
    assert "click n1" not in re.sub(r'"[^"]*"', "", chart)
    assert len(chart.splitlines()) == 1 + 2 + 1 + 1 + 2 + 2


_READ_AS_MORE = (
    *(r"\$\$.*?\$\$", r"fa[bklrs]?:fa-[\w-]+", r"\\[n()]", r"https?://|www\.|\w@\w", r"\]\("),
    # A list, a heading, a quotation, a rule or code that begins a label.
    *(r"\A(?:\d+[.)]|[-+*])\s", r"\A#{1,6}\s", r"\A>", r"\A(?:---|===|~~~)"),
    # Emphasis: white space on one side at most.
    *(r"(?<![\s\ufeff])[*~]", r"[*~](?![\s\ufeff])", r"\b_\w", r"\w_\b"),
    # What Mermaid writes for numbers of letters while it reads, and what it cuts in lines of styles.
    *("\ufb02\xb0", "\xb6\xdf"),
)
"""What Mermaid, or Markdown in it, reads as something else than letters once it has numbers of letters as letters."""


@pytest.mark.parametrize(
    "label",
    [
        *(
            "$$x^2$$ costs $$",
            "1. first item",
            "10) tenth",
            "- a dash",
            "* star",
            "+ plus",
            "# Head",
            "> said",
        ),
        *("fa:fa-car rides", "see fab:fa-github", "`md` here", "**bold** and *it*, _un_, __dd__", "~~gone~~"),
        *("[link](http://x.y)", "www.a.com", "mail a@b.org", r"a\nb and \(x\)", "---", "===", "~~~"),
        *("click n1 call x()", "end", "graph TD", "subgraph x", "--> n2", "%% no note", "n1@{ shape: x }"),
        *(
            "style n1 fill:#f00;",
            "classDef x fill:#f00",
            ":::focus",
            "\ufb02\xb0\xb035\xb6\xdf",
            "#35; &#35; &amp;",
        ),
        *(
            "\"quoted\" and 'so'",
            "<b>bold</b><br/>",
            "{{x}} | y",
            "snake_case is 2 * 3",
            "\U0001f469\u200d\U0001f680 flies",
            "\u65e5\u672c \xabx\xbb",
        ),
    ],
)
def test_a_label_is_drawn_as_it_is_written(label: str) -> None:
    graph = _graph(2, [_edge(0, 0, 1, label)], [0, 1], label=label)
    chart = mermaid(Picture.of_graph(graph))
    nodes = re.findall(r'^  n\d+\["(.*)<br/>.*"\]$', chart, re.MULTILINE)
    links = re.findall(r'-- "(.*) 0\.\d\d" -->', chart)
    assert len(nodes) == 2 and len(links) == 1
    for each in (*nodes, *links):
        # Of what is read before numbers of letters are letters.
        assert not re.search(r'["`<>{}]|style.*:\S*#.*;|classDef.*:\S*#.*;', each)
        drawn = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), each)
        assert not [one for one in _READ_AS_MORE if re.search(one, drawn)], drawn
        assert re.sub("[\u2060\ufeff]", "", drawn).startswith(label)


def test_a_sign_that_is_not_seen_is_dropped_and_one_that_does_something_is_told_by_its_number(
    home: Path,
) -> None:
    label = "abc \u202ecba\x1b[2J \U000e0061\u200bend \U0001f469\u200d\U0001f680"
    graph = _graph(2, [_edge(0, 0, 1)], [0, 1], label=label)
    chart = mermaid(Picture.of_graph(graph))
    drawn = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), chart)
    shown = "abc cba\\u001b[2J end \U0001f469\u200d\U0001f680"
    assert shown in drawn
    assert all(each.isprintable() for each in drawn.replace("\n", "").replace("\u200d", ""))
    _, texts = _read(stream_plot(_view(home, graph)))
    assert any(shown in each for each in texts)


def test_words_of_styles_are_written_with_nothing_beside_them() -> None:
    graph = _graph(1, [], [], label="style: see #4; classDef: see #5;")
    drawn = re.sub(
        r"#(\d+);", lambda found: chr(int(found[1])), mermaid(Picture.of_graph(graph)).splitlines()[1]
    )
    assert drawn.startswith('  n1["style: see #4; classDef: see #5;')


def test_a_long_relation_is_cut() -> None:
    graph = _graph(2, [_edge(0, 0, 1, "SHARES_A_VERY_LONG_BOUNDARY_ON_THE_RIVER_WITH")], [0, 1])
    assert re.search(
        r'-- "SHARES_A_VERY_LONG_BOUNDARY[A-Z_\ufeff]{0,7}… 0\.', mermaid(Picture.of_graph(graph))
    )


def test_the_numbers_of_a_picture_are_the_places_in_the_list(tmp_path: Path) -> None:
    link: dict[str, Any] = {
        "energy": 0.9,
        "confidence": 0.8,
        "emotion_vector": {},
        "goal": "know",
        "mindstate": "calm",
    }
    with engramforge.open(tmp_path) as forge:
        mill = forge.remember("The mill of Avalon grinds rye and barley.", name="Avalon", near=False).id
        for name, relation in (("Bolton", "SUPPLIES"), ("Corbin", "BORDERS"), ("Duxford", "BORDERS")):
            forge.link(forge.remember(name, name=name, near=False).id, mill, relation, **link)
        view = StreamView.of(forge.streams.by_intention("who supplies Avalon?"))
    listed = [each.id for held in view.activation_tiers.values() for each in held]
    assert listed[0] == next(each.memory_id for each in view.traversal_graph.nodes if each.label == "Bolton")
    assert [each.memory_id for each in Picture.of(view).nodes] == listed


def test_a_flowchart_has_sixty_nodes_and_the_path() -> None:
    graph = _many()
    chart = mermaid(Picture.of_graph(graph))
    shown = re.findall(r"^  (n\d+)\[", chart, re.MULTILINE)
    assert len(shown) == len(set(shown)) == MOST_NODES
    assert "15 of 75 nodes are left out" in chart
    assert "  linkStyle 0,1 stroke" in chart
    ends = {end for pair in re.findall(r"^  (n\d+) -- .* --> (n\d+)$", chart, re.MULTILINE) for end in pair}
    assert ends <= set(shown)
    path = re.search(r"^  class (\S+) path$", chart, re.MULTILINE)
    assert path and len(path[1].split(",")) == 3


def test_what_is_far_is_drawn_on_the_path_alone_and_counted(home: Path) -> None:
    edges = [_edge(0, 0, 30), _edge(1, 30, 1), _edge(2, 0, 2), _edge(3, 2, 31)]
    graph = _graph(40, edges, [0, 30])
    object.__setattr__(graph, "nodes", [_node(each, is_far=each >= 28) for each in range(40)])
    chart = mermaid(Picture.of_graph(graph))
    drawn = re.findall(r"Memory number (\d+) ", chart)
    assert [int(each) for each in drawn] == [*range(28), 30]
    assert chart.count(" -- ") == 3
    assert '  far["11 memories far less relevant than the best: not drawn"]' in chart
    circles, texts = _read(stream_plot(_view(home, graph)))
    assert len(circles) == 29
    assert any(
        "29 in the picture, 11 far less relevant than the best not drawn \u00b7 3 links" in each
        for each in texts
    )
    assert "not drawn" not in mermaid(Picture.of_graph(_graph(3, [], [])))


def _read(picture: str) -> tuple[list[dict[str, str]], list[str]]:
    """Circles with a title, which are memories, and all texts."""
    root = ElementTree.fromstring(picture)
    circles = [each for each in root.iter(f"{_SVG}circle") if each.find(f"{_SVG}title") is not None]
    return [dict(each.attrib) for each in circles], [
        "".join(each.itertext()) for each in root.iter(f"{_SVG}text")
    ]


def test_seventy_five_memories_can_be_read(home: Path) -> None:
    picture = stream_plot(_view(home, _many()))
    circles, texts = _read(picture)
    assert len(circles) == 75
    places = [(float(each["cx"]), float(each["cy"]), float(each["r"])) for each in circles]
    apart = [
        math.dist(one[:2], other[:2]) - one[2] - other[2]
        for number, one in enumerate(places)
        for other in places[:number]
    ]
    assert min(apart) > 4
    assert {str(number) for number in range(1, 76)} <= set(texts)
    assert sum(1 for each in texts if "on the path" in each) == 3
    root = ElementTree.fromstring(picture)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for each in root.iter(f"{_SVG}text"):
        assert 0 <= float(each.attrib["x"]) <= wide and 0 <= float(each.attrib["y"]) <= high
    lines = [each for each in root.iter(f"{_SVG}path") if each.find(f"{_SVG}title") is not None]
    assert sum(1 for each in lines if each.attrib["stroke"] == "#b3261e") == 2
    assert len(lines) == MOST_LINKS < len(_many().edges)
    assert any(f"(the strongest {MOST_LINKS} are drawn)" in each for each in texts)
    rows = [
        float(each.attrib["y"])
        for each in root.iter(f"{_SVG}text")
        if "Memory number" in "".join(each.itertext())
    ]
    assert max(rows) < high - 100


def test_labels_of_links_do_not_lie_on_each_other(home: Path) -> None:
    root = ElementTree.fromstring(stream_plot(_view(home, _many())))
    boxes = [
        tuple(float(each.attrib[name]) for name in ("x", "y", "width"))
        for each in root.iter(f"{_SVG}rect")
        if each.attrib["height"] == "15"
    ]
    assert len(boxes) > 10
    for number, (x, y, wide) in enumerate(boxes):
        for left, top, other in boxes[:number]:
            assert x + wide <= left or left + other <= x or abs(y - top) >= 15


def test_a_link_says_what_it_is_and_leads_to_its_target(home: Path) -> None:
    edges = [_edge(0, 0, 1, "CAUSES"), _edge(1, 2, 1, "A" * 40)]
    picture = stream_plot(_view(home, _graph(3, edges, [0, 1])))
    root = ElementTree.fromstring(picture)
    circles, texts = _read(picture)
    assert "CAUSES 0.90" in texts
    assert any(each.startswith("AAAA") and each.endswith("0.90") for each in texts)
    heads = {each.attrib["id"] for each in root.iter(f"{_SVG}marker")}
    lines = [each for each in root.iter(f"{_SVG}path") if each.find(f"{_SVG}title") is not None]
    assert len(lines) == 2
    places = [(float(each["cx"]), float(each["cy"])) for each in circles]
    for line in lines:
        assert line.attrib["marker-end"].removeprefix("url(#").removesuffix(")") in heads
        ends = [
            tuple(map(float, pair.split(","))) for pair in re.findall(r"[-\d.]+,[-\d.]+", line.attrib["d"])
        ]
        nearest = min(range(3), key=lambda at: math.dist(places[at], ends[-1]))
        assert nearest == 1, "both links lead to the second memory"


def test_hostile_words_stay_words(home: Path) -> None:
    view = _view(home, _graph(2, [_edge(0, 0, 1)], [0, 1], label=HOSTILE))
    object.__setattr__(view, "query", HOSTILE)
    picture = stream_plot(view)
    _, texts = _read(picture)
    assert any("<script>" in each for each in texts)
    assert "<script>" not in picture


def test_nothing_found_has_a_picture_that_says_so(home: Path, tmp_path: Path) -> None:
    view = _view(home)
    place = tmp_path / "nothing.svg"
    save_stream_plot(view, str(place))
    circles, texts = _read(place.read_text(encoding="utf-8"))
    assert not circles
    assert "Nothing was found." in texts
    assert mermaid(Picture.of(view)) == 'flowchart LR\n  nothing["Nothing was found"]\n'
    with pytest.raises(InvalidValue, match="ends in"):
        save_stream_plot(view, str(tmp_path / "nothing.png"))
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        save_stream_plot(view, str(tmp_path / "no" / "where.svg"))


def test_a_stream_that_is_fused_holds_what_was_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engramforge.recall.intention.assembling.LONGEST_TOKENS", 20)
    monkeypatch.setattr("engramforge.core.streams.rank_fusion.FUSED", 3)
    with engramforge.open(home) as em:
        for number in range(8):
            em.remember(f"Berth {number} of the harbour is free on weekdays and taken on Sundays.")
        stream = em.streams.by_intention("the berths of the harbour")
    assert stream.is_fused and len(stream.items) == 3
    view = StreamView.of(stream)
    items: list[Any] = [
        each for level in view.levels.values() for each in (*level.vector_results, *level.graph_results)
    ]
    kept = {(each.memory.id, each.retrieval_source) for each in stream.items}
    assert {(each.memory.id, each.retrieval_source) for each in items} == kept


def test_a_picture_shows_what_changed_and_no_more_than_what_comes_nearest_where_nothing_answers(
    home: Path,
) -> None:
    said = ("The quay crane lifts 8 tons.", "The quay crane lifts 9 tons.", "The quay crane lifts 7 tons.")
    with engramforge.open(home) as em:
        crane = em.remember(said[0], name="quay crane", recorded_at="2025-01-05", near=False)
        em.revise(crane.id, said[1], recorded_at="2025-02-06")
        em.revise(crane.id, said[2], recorded_at="2025-03-07")
        chain = em.remember("Its chain is oiled in May.", near=False)
        sound: dict[str, Any] = {
            "energy": 0.9,
            "confidence": 0.9,
            "emotion_vector": {},
            "goal": "lift",
            "mindstate": "calm",
        }
        em.link(crane.id, chain.id, "HAS", **sound)
        for number in range(6):
            em.remember(f"Shed {number} stands by the water.", near=False)
        changed = StreamView.of(
            em.streams.by_intention("what can the quay crane lift?", temporal_mode="evolution")
        )
        unknown = StreamView.of(em.streams.by_intention("Which shed does Pia Holm rent?"))
    assert changed.answered and not unknown.answered
    chart = mermaid(Picture.of(changed))
    nodes = dict(re.findall(r'^  (n\d+)\["(.*?)<br/>', chart, re.MULTILINE))
    versions = {text.removeprefix("#91;was wrong#93; "): name for name, text in nodes.items()}
    assert {*said} <= versions.keys()
    arrows = re.findall(r'^  (n\d+) -\. "was wrong (\S+)" \.-> (n\d+)$', chart, re.MULTILINE)
    assert arrows == [
        (versions[said[0]], "2025-02-06", versions[said[1]]),
        (versions[said[1]], "2025-03-07", versions[said[2]]),
    ]
    circles, texts = _read(stream_plot(changed))
    assert len(circles) == len(nodes) and "was wrong 2025-02-06" in texts
    # What comes nearest is no focus, and is said to answer nothing.
    chart = mermaid(Picture.of(unknown))
    assert len(re.findall(r"^  n\d+\[", chart, re.MULTILINE)) == len(unknown.nearest) == 2
    assert f"class n1,n2 {NEAREST}" in chart and "focus" not in chart
    circles, texts = _read(stream_plot(unknown))
    assert len(circles) == 2 and "focus" not in texts
    for shown in (chart, " ".join(texts)):
        assert "Nothing that is remembered answers this. What comes nearest:" in shown


def test_the_list_says_by_which_links_the_graph_came_to_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link: dict[str, Any] = {
        "energy": 0.9,
        "confidence": 0.8,
        "emotion_vector": {},
        "goal": "know",
        "mindstate": "calm",
    }
    with engramforge.open(tmp_path) as forge:
        avalon, bolton, corbin = (
            forge.remember(f"{name} is a farm.", name=name, kind="entity", near=False).id
            for name in ("Avalon", "Bolton", "Corbin")
        )
        forge.link(bolton, avalon, "SUPPLIES", **link)
        forge.link(bolton, corbin, "OWNS", **link)
        view = StreamView.of(forge.streams.by_intention("who supplies Avalon?"))
    told = {each.excerpt: each.led_by for held in view.activation_tiers.values() for each in held}
    assert told["Bolton is a farm."] == "Bolton -SUPPLIES-> avalon"
    assert told["Corbin is a farm."] == "avalon <-SUPPLIES- Bolton -OWNS-> Corbin"
    assert told["Avalon is a farm."] == ""
    show_stream(view)
    assert "   by Bolton -SUPPLIES-> avalon\n" in capsys.readouterr().out
