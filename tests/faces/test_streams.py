"""Retrieval by intention and by state, and a cycle, through the command line and MCP as through Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import networkx
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.faces.views.shape import plain
from engramforge.faces.views.stream import StreamView

from .conftest import Cli

GOAL = "calm the ferry queue"
FELT = {"frustration": 0.8}
_KEYS = {
    *("stream_id", "query", "mode", "answered", "retrieved_at", "levels", "activation_tiers"),
    *("traversal_graph", "ways"),
    *("energy_feedback_potential", "temporal_dissonances", "correction_patterns", "metadata_validation"),
    *("summary", "latency_ms", "entities", "note", "far", "by_meaning_alone"),
}
_GRAPH_KEYS = {
    *(
        "nodes",
        "edges",
        "suggested_paths",
        "asked_nodes",
        "hub_nodes",
        "central_themes",
        "node_count",
        "edge_count",
    ),
    *("path_count", "graph_density"),
}


def _fill(home: Path) -> dict[str, str]:
    """A small store: names -> ids."""
    with engramforge.open(home) as em:

        def remember(content: str, **more: Any) -> str:
            return em.remember(content, project="harbour", **more).id

        felt: dict[str, Any] = {"goal": GOAL, "emotion_vector": FELT}
        ids = {
            "queue": remember(
                "The ferry queue of Ada Lund blocks the pier.", energy=0.9, resolution_state="blocked", **felt
            ),
            "gate": remember(
                "A second gate would shorten the ferry queue.", energy=0.7, level="collective", **felt
            ),
            "sign": remember(
                "Signs at the pier say when the ferry leaves.",
                level="ecosystem",
                energy=0.4,
                resolution_state="resolved",
            ),
            "lamp": remember("The lamp of the lighthouse burns oil."),
        }
        link: dict[str, Any] = {"energy": 0.8, "confidence": 0.9, "mindstate": "calm", **felt}
        em.link(ids["queue"], ids["gate"], "CAUSES", **link)
        em.link(ids["gate"], ids["sign"], "ENABLES", **link)
        for lasts, corrected in ((5, 50), (3, 30)):
            wrong = remember(f"Boarding the ferry takes {lasts} minutes.")
            em.revise(wrong, f"Boarding the ferry takes {corrected} minutes.")
    return ids


@pytest.fixture
def ids(home: Path) -> dict[str, str]:
    return _fill(home)


def _items(stream: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for level in stream["levels"].values():
        yield from (*level["vector_results"], *level["graph_results"])


@pytest.mark.usefixtures("ids")
def test_a_stream_has_all_its_parts(cli: Cli) -> None:
    stream = cli(
        "context",
        "what does Ada Lund say of boarding the ferry and its queue?",
        "--mode",
        "evolution",
        "--json",
    ).json
    assert set(stream) == _KEYS
    assert list(stream["levels"]) == ["n1_personal", "n2_collective", "n3_ecosystem"]
    for level in stream["levels"].values():
        assert set(level) == {"vector_results", "graph_results", "relationships"}
    assert set(stream["activation_tiers"]) == {"focus", "peripheral", "background"}
    assert set(stream["traversal_graph"]) == _GRAPH_KEYS
    told = [*_items(stream), *(each for tier in stream["activation_tiers"].values() for each in tier)]
    assert told
    for each in told:
        assert {"retrieval_source", "relevance", "activation_score", "tier"} <= set(each)
        assert 0 <= each["relevance"] <= 1 and 0 <= each["activation_score"] <= 1
    assert [set(each) for each in stream["ways"]] == [{"way", "found", "latency_ms", "fault"}] * 6
    assert len(stream["temporal_dissonances"]) == 2
    assert len(stream["correction_patterns"]) == 1
    graph = stream["traversal_graph"]
    assert (graph["node_count"], graph["edge_count"]) == (len(graph["nodes"]), len(graph["edges"]))


@pytest.mark.usefixtures("ids")
def test_people_see_what_matters_first(cli: Cli) -> None:
    out = cli(
        "context", "what does Ada Lund say of boarding the ferry and its queue?", "--mode", "evolution"
    ).out
    lines = out.splitlines()
    assert lines[0] == "focus"
    assert lines[1].startswith("1.  0.")
    assert lines[2] == "   The ferry queue of Ada Lund blocks the pier."
    assert "_vector, relevance" in lines[3] or "_graph, relevance" in lines[3]
    assert "     -CAUSES-> A second gate would shorten the ferry queue." in lines
    assert "what was believed otherwise" in lines
    assert any("Boarding the ferry takes 5 minutes." in line and line[2:6].isdigit() for line in lines)
    assert "    was wrong; instead: Boarding the ferry takes 50 minutes." in lines
    assert "  2 beliefs: how long something takes" in lines
    assert "names: ada lund" in lines[-1].lower()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--state", "find_related_unresolved", "--goal", GOAL), "The ferry queue of Ada Lund"),
        (("the ferry queue", "--state", "find_related_unresolved"), "The ferry queue of Ada Lund"),
        (
            ("--state", "find_similar_state", "--energy", "0.8", "--emotion", "frustrated=0.6"),
            "The ferry queue of Ada Lund",
        ),
        (("--state", "find_what_i_was_doing"), "A second gate"),
    ],
)
@pytest.mark.usefixtures("ids")
def test_a_state_is_asked_in_place_of_a_question(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    answer = cli("context", *arguments)
    assert answer.code == 0, answer.err
    assert said in answer.out
    assert "_state, relevance" in answer.out


@pytest.mark.usefixtures("ids")
def test_a_question_is_narrowed(cli: Cli) -> None:
    def found(*options: str) -> set[str]:
        stream = cli("context", "the ferry queue at the pier", *options, "--json").json
        return {each["memory"]["content"].split()[0] for each in _items(stream)}

    everything = found()
    assert {"The", "A", "Signs"} <= everything
    assert found("--levels", "N3") == {"Signs"}
    assert "A" not in found("--levels", "personal, n3_ecosystem")
    assert "Signs" not in found("--min-energy", "0.6")
    assert found("--emotion", "frustration") == {"The", "A"}
    assert found("--as-of", "2001-01-01") == set()
    assert found("--graph-way", "pagerank") == everything
    assert found("--project", "harbour") == everything


@pytest.mark.usefixtures("ids")
def test_activation_spreads_where_it_is_asked_to(cli: Cli) -> None:
    asked = ("context", "the ferry queue at the pier", "--json")
    stream = cli(*asked, "--spreading").json
    found = {each["way"]: each["found"] for each in stream["ways"]}
    assert set(found) == {f"N{level}_{way}" for level in (1, 2, 3) for way in ("vector", "graph", "spread")}
    told = [each["retrieval_source"] for each in _items(stream)]
    assert (
        sum(each.endswith("_spread") for each in told)
        == found["N1_spread"] + found["N2_spread"] + found["N3_spread"]
    )
    assert found["N2_spread"] > 0
    assert not any("spread" in each["way"] for each in cli(*asked).json["ways"])


@pytest.mark.usefixtures("ids")
def test_nothing_found_is_said(cli: Cli) -> None:
    early = cli("context", "the ferry", "--as-of-recorded", "2001-01-01")
    assert early.out.startswith(
        "Nothing was found that bears on this.\nWhat bears on it was not on record in that time: --as-of-valid"
    )
    assert "Nothing was known yet" in early.err
    assert cli("context", "--state", "find_resolution_patterns", "--goal", "fly to the moon").out == (
        "Nothing was found that fits how you are.\n"
        "Nothing with such a goal, felt like this, is resolved, and no thread about it was closed.\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--state", "find_what_i_was_doing"),
        ("the of and",),
        ("anything",),
        ("anything", "--mode", "full_history"),
    ],
)
def test_an_empty_store_has_nothing(cli: Cli, arguments: tuple[str, ...]) -> None:
    stream = cli("context", *arguments, "--json").json
    assert stream["summary"]["total"] == 0
    assert cli("context", *arguments).out.startswith("Nothing was found")
    assert cli("context", *arguments, "--mermaid").out == 'flowchart LR\n  nothing["Nothing was found"]\n'


@pytest.mark.usefixtures("ids")
def test_stop_words_and_the_longest_question_are_answered(cli: Cli) -> None:
    assert cli("context", "the of and").code == 0
    assert cli("context", "ferry " * 1_666).code == 0
    assert "10,000" in cli("context", "f" * 10_001, "--json").error["fault"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("x", "--mode", "point_in_time"), "point_in_time is asked without a time"),
        (("x", "--evolution", "2026-03-01", "2026-02-01"), "before it begins"),
        (("x", "--evolution", "2026-01-01", "-", "--mode", "current"), "--evolution and --mode current"),
        (("x", "--evolution", "2026-01-01", "-", "--as-of", "2026-01-01"), "A point in time is given"),
        (("x", "--levels", "N4"), "There is no level 'N4'"),
        (("x", "--graph-way", "flood"), "There is no graph way 'flood'"),
        (("x", "--spreading", "--text"), "--spreading is not for text"),
        (("--state", "find_what_i_was_doing", "--graph-way", "paths"), "--graph-way is not for --state"),
        (("x", "--levels", ","), "There is no level ''"),
        (("x", "--mode", "yesterday"), "'yesterday'"),
        (("x", "--emotion", "joy=1.5"), "1.5"),
        (("x", "--emotion", "joy=0.5", "--emotion", "Joy=0.7"), "--emotion 'joy' is given more than once"),
        (("x", "--emotion", "joy=much"), "is not NAME=NUMBER"),
        (("x", "--emotion", "=0.4"), "is not NAME=NUMBER"),
        (("x", "--min-energy", "1.2"), "1.2"),
        (("x", "--limit", "0"), "max_results_per_level"),
        (("x", "--energy", "0.4"), "--energy is not for a question"),
        (("x", "--all-time"), "--all-time is not for a question"),
        (("x", "--json", "--mermaid"), "Several forms"),
        (("x", "--plot", "a.png"), "a.png"),
        (("x", "--text", "--min-energy", "0.2"), "--min-energy is not for text"),
        (("x", "--budget", "90", "--emotion", "joy=0.2"), "--emotion is not for text"),
        (("--state", "find_nothing"), "'find_nothing'"),
        (("--state", "find_similar_state"), "without an emotion"),
        (("--state", "find_similar_state", "--emotion", "joy"), "How strong is 'joy'?"),
        (("--state", "find_what_i_was_doing", "--energy", "-1"), "-1"),
        (("--state", "find_what_i_was_doing", "--as-of", "2026-01-01"), "--as-of is not for --state"),
        (("--state", "find_what_i_was_doing", "--budget", "9"), "--budget is not for --state"),
        (("x", "--state", "find_related_unresolved", "--goal", "y"), "A goal was given twice"),
    ],
)
def test_a_wrong_call_is_told(cli: Cli, arguments: tuple[str, ...], fault: str) -> None:
    answer = cli("context", *arguments, *(() if "--json" in arguments else ("--json",)))
    assert answer.code == 2
    assert fault in answer.error["fault"]


@pytest.mark.usefixtures("ids")
def test_a_project_that_is_not_there_is_not_found(cli: Cli) -> None:
    assert cli("context", "x", "--project", "nowhere").code == 3
    assert cli("stream", "--project", "nowhere").code == 3


@pytest.mark.usefixtures("ids")
def test_text_for_a_model_is_as_it_was(cli: Cli, home: Path) -> None:
    with engramforge.open(home) as em:
        em.threads.create("Who shortens the ferry queue?", project="harbour")
        told = em.context_load("the ferry queue", "harbour").text
    assert "Who shortens" in told
    for options in (("--text",), ("--budget", "8000")):
        assert told in cli("context", "the ferry queue", "--project", "harbour", *options).out
    without = cli("context", "the ferry queue", "--no-threads", "--json").json
    assert without["thread_ids"] == [] and "text" in without
    assert cli("context", "x", "--text", "--project", "a", "--project", "b").code == 2


@pytest.mark.usefixtures("ids")
def test_the_graph_for_other_programs(cli: Cli) -> None:
    asked = ("context", "what does Ada Lund say of the ferry queue?")
    graph = networkx.node_link_graph(cli(*asked, "--networkx").json, edges="edges")
    whole = cli(*asked, "--json").json["traversal_graph"]
    assert graph.is_directed() and graph.is_multigraph()
    assert set(graph.nodes) == {each["id"] for each in whole["nodes"]}
    assert graph.number_of_edges() == whole["edge_count"] >= 2
    assert {data["relation"] for *_, data in graph.edges(data=True)} >= {"CAUSES", "ENABLES"}
    chart = cli(*asked, "--mermaid").out
    assert chart.startswith("flowchart LR\n")
    assert '-- "CAUSES 0.' in chart


@pytest.mark.usefixtures("ids")
def test_a_cycle(cli: Cli) -> None:
    hungry = cli("stream", "--context-hunger", "0.8", "--active-context", "the ferry queue", "--json").json
    assert hungry["choice"] == "broad_intention"
    assert all(each["memory"]["energy"] >= 0.5 for each in _items(hungry["stream"]))
    tense = ("stream", "--unresolved-tension", "0.7", "--tension-source", "Boarding the ferry takes long")
    quiet = cli(*tense, "--no-record", "--json").json
    assert quiet["choice"] == "evolution_intention"
    assert quiet["learnings"] == []
    told = cli(*tense)
    assert told.out.startswith("Unresolved tension: how the matter came about was asked.")
    assert "kept: 3 learnings" in told.out
    assert "kept" not in cli(*tense).out
    calm = cli("stream", "--energy", "0.4")
    assert "Neither hunger with an active context" in calm.out and "Energy 0.40 -> 0.40" in calm.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--energy", "2"),
        ("--emotion", "joy"),
        ("--emotion", "joy=2"),
        ("--context-hunger", "-0.1"),
        ("--goal", ""),
    ],
)
def test_a_wrong_state_is_told(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli("stream", *arguments, "--json").error["error"] == "InvalidValue"


def test_recorded_text_drives_no_terminal(cli: Cli, home: Path) -> None:
    with engramforge.open(home) as em:
        one = em.remember("The crane \x1b[2J is wiped </memory> now.", name="crane")
        other = em.remember("The crane stands.")
        em.link(
            *(one.id, other.id, "CAUSES"),
            **{"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "g", "mindstate": "m"},
        )
    out = cli("context", "what of the crane?").out
    assert "\x1b" not in out
    assert "\\x1b[2J" in out


def _comparable(told: dict[str, Any]) -> Any:
    """A stream without what a clock or a new id makes."""
    kept = [
        (
            each["memory"]["content"],
            each["retrieval_source"],
            each["tier"],
            round(each["activation_score"], 4),
        )
        for each in _items(told)
    ]
    paths = [
        (each["narrative"], round(each["probability"], 4))
        for each in told["traversal_graph"]["suggested_paths"]
    ]
    ways = [(each["way"], each["found"], each["fault"]) for each in told["ways"]]
    return kept, paths, ways, told["entities"], round(told["energy_feedback_potential"], 6), told["mode"]


@pytest.mark.usefixtures("ids")
def test_a_model_that_asks_again_gets_the_same_until_somebody_writes(home: Path) -> None:
    async def asked() -> list[dict[str, Any]]:
        async with client_of(str(home)) as client:

            async def ask() -> dict[str, Any]:
                answer = await client.call_tool(
                    "forge_stream", {"query_text": "the ferry queue", "explain": True}
                )
                return dict(answer.structured_content["stream"])

            streams = [await ask(), await ask()]
            with engramforge.open(home) as em:
                em.remember("The ferry queue is shorter today.")
            return [*streams, await ask()]

    first, again, later = anyio.run(asked)
    assert again["retrieved_at"] == first["retrieved_at"] != later["retrieved_at"]
    assert again["stream_id"] != first["stream_id"]
    told = [{each["memory"]["content"] for each in _items(stream)} for stream in (first, again, later)]
    assert told[0] == told[1] == told[2] - {"The ferry queue is shorter today."} != told[2]


def test_the_same_stream_through_every_face(tmp_path: Path, cli: Cli) -> None:
    home = tmp_path / "one"
    _fill(home)
    question = "what does Ada Lund say of the ferry queue?"
    with engramforge.open(home) as em:
        intention = em.streams.by_intention(question, query_levels=["N1", "N2"], current_goal=GOAL)
        state = em.streams.by_state(current_energy=0.5, current_emotions=FELT, current_goal=GOAL)
    python = [plain(StreamView.of(each)) for each in (intention, state)]
    line = [
        cli("context", question, "--levels", "N1,N2", "--goal", GOAL, "--home", str(home), "--json").json,
        cli(
            *("context", "--state", "find_related_unresolved", "--goal", GOAL),
            *("--emotion", "frustration=0.8", "--home", str(home), "--json"),
        ).json,
    ]

    async def asked() -> list[dict[str, Any]]:
        async with client_of(str(home)) as client:
            answers = [
                await client.call_tool("forge_stream", {**each, "explain": True})
                for each in (
                    {"query_text": question, "query_levels": ["N1", "N2"], "current_goal": GOAL},
                    {
                        "action": "state",
                        "current_energy": 0.5,
                        "current_emotions": FELT,
                        "current_goal": GOAL,
                    },
                )
            ]
        return [each.structured_content["stream"] for each in answers]

    for number, (ours, through_line, through_mcp) in enumerate(
        zip(python, line, anyio.run(asked), strict=True)
    ):
        expected = _comparable(ours)
        assert expected[0], number
        assert _comparable(through_line) == expected, f"step {number} of the command line"
        assert _comparable(through_mcp) == expected, f"step {number} of MCP"
