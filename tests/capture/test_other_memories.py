"""Exports of other memories: mem0, Graphiti and Zep, the MCP memory server, LanceDB tables."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench

import engramforge
from engramforge.errors import InvalidSource
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import ImportReport
from engramforge.model.time import TemporalMode

MEM0: dict[str, Any] = {
    "results": [
        {
            "id": "m-1",
            "memory": "Prefers tea in the morning",
            "user_id": "nora",
            "agent_id": "butler",
            "run_id": "run-7",
            "hash": "h1",
            "categories": ["food", "habits"],
            "metadata": {"mood": "calm"},
            "created_at": "2025-03-01T08:00:00-08:00",
            "updated_at": "2025-04-01T08:00:00-07:00",
        },
        {
            "id": "m-2",
            "memory": "Lives by the harbour",
            "user_id": "nora",
            "app_id": "town",
            "metadata": None,
        },
        {"id": "m-3", "memory": "  ", "user_id": "nora"},
        {"memory": "Nobody knows my id", "user_id": "nora"},
        {
            "id": "m-5",
            "memory": "Has a parking ticket",
            "user_id": "nora",
            "created_at": "2025-05-01T00:00:00Z",
            "expiration_date": "2025-06-01",
        },
    ],
    "relations": [
        {"source": "nora", "relationship": "lives by", "target": "harbour"},
        {"source": "nora", "relationship": "lives by", "destination": "lighthouse"},
        {"source": "nora"},
    ],
}
GRAPHITI: dict[str, Any] = {
    "episodes": [
        {
            "uuid": "e1",
            "name": "chat",
            "content": "nora: I moved to the mill last week.",
            "source_description": "chat",
            "valid_at": "2025-02-01T10:00:00Z",
            "created_at": "2025-02-01T10:05:00Z",
            "group_id": "village",
        }
    ],
    "nodes": [
        {
            "uuid": "n1",
            "name": "Nora",
            "labels": ["Entity", "Person"],
            "summary": "A miller.",
            "group_id": "village",
        },
        {
            "uuid": "n2",
            "name": "Mill",
            "labels": ["Entity"],
            "attributes": {"age": 90},
            "group_id": "village",
        },
        {"uuid": "n3", "name": "Harbour", "group_id": "village", "created_at": "2024-01-01T00:00:00Z"},
        {"uuid": "n4"},
    ],
    "edges": [
        {
            "uuid": "f1",
            "source_node_uuid": "n1",
            "target_node_uuid": "n3",
            "name": "LIVES_AT",
            "fact": "Nora lives at the harbour",
            "valid_at": "2020-01-01T00:00:00Z",
            "invalid_at": "2025-01-25T00:00:00Z",
            "created_at": "2024-01-01T00:00:00Z",
            "expired_at": "2025-02-01T10:05:00Z",
            "group_id": "village",
        },
        {
            "uuid": "f2",
            "source_node_uuid": "n1",
            "target_node_uuid": "n2",
            "name": "livesAt",
            "fact": "Nora lives at the mill",
            "valid_at": "2025-01-25T00:00:00Z",
            "created_at": "2025-02-01T10:05:00Z",
            "episodes": ["e1"],
            "group_id": "village",
        },
        {
            "uuid": "f3",
            "source_node_uuid": "n1",
            "target_node_uuid": "n2",
            "name": "LIVES_AT",
            "fact": "The mill is where Nora lives",
            "valid_at": "2025-02-25T00:00:00Z",
            "group_id": "village",
        },
        {
            "uuid": "f4",
            "source_node_uuid": "n1",
            "target_node_uuid": "n9",
            "name": "KNOWS",
            "group_id": "village",
        },
    ],
    "communities": [{"uuid": "c1", "name": "all"}],
}
MCP: list[dict[str, Any]] = [
    {"type": "entity", "name": "Nora", "entityType": "person", "observations": ["Grinds corn", "Likes tea"]},
    {"type": "relation", "from": "Nora", "to": "Mill", "relationType": "works at"},
    {"type": "entity", "name": "Mill", "entityType": "place", "observations": []},
    {"type": "relation", "from": "Mill", "to": "Nowhere", "relationType": "is in"},
    {"type": "entity", "entityType": "ghost", "observations": []},
]


def taken_in(bench: Workbench, path: Path, **options: Any) -> ImportReport:
    """Import, and again: the second time adds nothing."""
    report = bench.importing.import_path(bench.scope, path, **options)
    links = len(_links(bench))
    path.touch()
    again = bench.importing.import_path(bench.scope, path, **options)
    assert again.written == 0, again
    assert again.found == report.found
    assert len(_links(bench)) == links
    for counts in report.details["files"].values():
        assert counts["found"] == sum(
            counts[name] for name in ("remembered", "duplicate", "nothing", "faulty")
        )
    return report


def _links(bench: Workbench) -> list[tuple[str, str, str]]:
    """Every link, its ends by name or content."""
    by_id = {memory.logical_id: memory for memory in bench.every(TemporalMode.FULL_HISTORY)}
    found = bench.door.asking(bench.scope).links(sorted(by_id), Selection(mode=TemporalMode.FULL_HISTORY))
    return [(_called(by_id[link.source_id]), link.relation, _called(by_id[link.target_id])) for link in found]


def _called(memory: Memory) -> str:
    return memory.name or memory.content


def _by_content(bench: Workbench) -> dict[str, Memory]:
    return {memory.content: memory for memory in bench.every(TemporalMode.FULL_HISTORY)}


@pytest.mark.parametrize("shape", ["results", "memories", "list", "lines"])
def test_mem0(bench: Workbench, tmp_path: Path, shape: str) -> None:
    file = tmp_path / ("mem0.jsonl" if shape == "lines" else "mem0.json")
    whole: Any = MEM0 if shape == "results" else MEM0["results"]
    if shape == "memories":
        whole = {"memories": MEM0["results"], "relations": MEM0["relations"]}
    text = (
        json.dumps(whole) if shape != "lines" else "\n".join(json.dumps(result) for result in MEM0["results"])
    )
    file.write_text(text, encoding="utf-8")
    report = taken_in(bench, file)
    assert report.format == ("jsonl" if shape == "lines" else "mem0")
    if shape == "lines":
        return
    assert {fault.reason for fault in report.faults} >= {"the memory has no text", "the memory has no id"}
    there = _by_content(bench)
    tea = there["Prefers tea in the morning"]
    assert (tea.kind, tea.session_id, tea.tags) == (Kind.NOTE, "run-7", ("food", "habits"))
    assert tea.valid_at == datetime(2025, 3, 1, 16, tzinfo=UTC)
    assert tea.created_at == datetime(2025, 4, 1, 15, tzinfo=UTC)
    assert {"user_id": "nora", "agent_id": "butler", "mood": "calm"}.items() < tea.metadata.items()
    assert there["Lives by the harbour"].project == "town"
    assert there["Has a parking ticket"].invalid_at == datetime(2025, 6, 1, tzinfo=UTC)
    if shape != "list":
        assert sorted(_links(bench)) == [("nora", "LIVES_BY", "harbour"), ("nora", "LIVES_BY", "lighthouse")]
        assert there["nora"].kind is Kind.ENTITY


@pytest.mark.parametrize("names", [("nodes", "edges"), ("entities", "facts")])
def test_graphiti(bench: Workbench, tmp_path: Path, names: tuple[str, str]) -> None:
    file = tmp_path / "graph.json"
    nodes, edges = names
    # Facts before the entities that they are about: links wait for their ends.
    whole = {edges: GRAPHITI["edges"], nodes: GRAPHITI["nodes"], "episodes": GRAPHITI["episodes"]}
    file.write_text(json.dumps(whole), encoding="utf-8")
    report = taken_in(bench, file)
    assert report.format == "graphiti" and report.project == "village"
    assert [fault.reason for fault in report.faults] == ["the edge has no fact", "the entity has no name"]
    there = _by_content(bench)
    harbour = there["Nora lives at the harbour"]
    assert (harbour.valid_at.year, harbour.created_at.year) == (2020, 2024)
    assert harbour.invalid_at == datetime(2025, 1, 25, tzinfo=UTC)
    assert harbour.metadata["expired_at"] == "2025-02-01T10:05:00+00:00"
    assert there["A miller."].tags == ("Person",)
    assert "- age: 90" in there["Mill\n- age: 90"].content
    assert set(_links(bench)) == {
        ("Nora", "LIVES_AT", "Harbour"),
        ("Nora", "LIVES_AT", "Mill"),
        ("Nora lives at the harbour", "MENTIONS", "Nora"),
        ("Nora lives at the harbour", "MENTIONS", "Harbour"),
        ("Nora lives at the mill", "MENTIONS", "Nora"),
        ("Nora lives at the mill", "MENTIONS", "Mill"),
        ("Nora lives at the mill", "DERIVED_FROM", "chat"),
        ("The mill is where Nora lives", "MENTIONS", "Nora"),
        ("The mill is where Nora lives", "MENTIONS", "Mill"),
    }
    assert len(_links(bench)) == 9


def test_what_would_be_dropped_silently_is_a_fault_with_its_place(bench: Workbench, tmp_path: Path) -> None:
    mem0, graph = tmp_path / "mem0.json", tmp_path / "graph.json"
    told = {"user_id": "u", "created_at": "2024-01-01T00:00:00Z"}
    mem0.write_text(
        json.dumps(
            [
                {"id": "1", "memory": "The boat is red", **told},
                {"id": "1", "memory": "The boat is green", **told},
                {"id": "1", "memory": "The boat is red", **told},
                {"id": "2", "memory": "Undated", **told, "created_at": "x"},
                {"id": "3", "memory": "Over before it began", **told, "expiration_date": "2023-01-01"},
                {"id": "4", "memory": "Without a zone", **told, "created_at": "2024-02-01T00:00:00"},
            ]
        )
    )
    for _ in range(2):
        report = taken_in(bench, mem0)
    assert report.written == 0 and sorted(each.content for each in bench.every()) == [
        "The boat is red",
        "Without a zone",
    ]
    mem0.write_text(mem0.read_text() + "\n")
    assert [fault.line for fault in taken_in(bench, mem0).faults] == [2, 4, 5]

    fact = {"source_node_uuid": "n1", "name": "LIKES", "valid_at": "2024-05-01T00:00:00Z"}
    facts = [
        {**fact, "uuid": "f1", "fact": "A liked B", "invalid_at": "2023-01-01T00:00:00Z"},
        {**fact, "uuid": "f2", "fact": "A knows nobody", "target_node_uuid": "nope"},
    ]
    episodes = [{"uuid": "e1", "content": "ep", "valid_at": "bad"}]
    graph.write_text(
        json.dumps({"episodes": episodes, "entities": [{"uuid": "n1", "name": "A"}], "facts": facts})
    )
    assert [
        (fault.line, fault.is_note, fault.reason.partition(";")[0]) for fault in taken_in(bench, graph).faults
    ] == [
        (1, False, "valid_at is 'bad'"),
        (1, False, "invalid_at is not after valid_at"),
        (2, True, "there is no 'entity:nope' to link to"),
    ]


def test_mcp_memory(bench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    lines = [json.dumps(item) for item in MCP]
    file.write_text("\n".join([*lines, '{"type": "entity", "na', '{"type": "note"}']), encoding="utf-8")
    report = taken_in(bench, file)
    assert report.format == "mcp_memory"
    assert [(fault.line, fault.reason.split(" (")[0]) for fault in report.faults] == [
        (5, "the entity has no name"),
        (6, "not JSON"),
        (4, "there is no 'Nowhere' to link to"),
    ]
    (nora,) = [memory for memory in bench.every() if memory.name == "Nora"]
    assert nora.kind is Kind.ENTITY
    assert nora.content == "Nora (person)\n- Grinds corn\n- Likes tea"
    assert _links(bench) == [("Nora", "WORKS_AT", "Mill")]
    assert report.details["files"]["memory.jsonl"]["links_unresolved"] == 1


def test_mcp_memory_as_one_document(bench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    entities = [item for item in MCP if item["type"] == "entity"]
    relations = [item for item in MCP if item["type"] == "relation"]
    file.write_text(json.dumps({"entities": entities, "relations": relations}), encoding="utf-8")
    assert taken_in(bench, file, project="village").format == "mcp_memory"
    assert _links(bench) == [("Nora", "WORKS_AT", "Mill")]
    assert {memory.project for memory in bench.every()} == {"village"}


@pytest.mark.parametrize("name", ["mem0", "graphiti", "mcp_memory"])
def test_a_document_in_a_zip(bench: Workbench, tmp_path: Path, name: str) -> None:
    whole = {"mem0": MEM0, "graphiti": GRAPHITI, "mcp_memory": {"entities": MCP[:1] + MCP[2:3]}}[name]
    plain, packed = tmp_path / "plain.json", tmp_path / "packed.zip"
    plain.write_text(json.dumps(whole))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.write(plain, "plain.json")
    report = taken_in(bench, packed)
    assert report.written > 0
    assert bench.importing.import_path(bench.scope, plain).found == report.found


@pytest.mark.parametrize("name", ["mem0", "graphiti", "mcp_memory"])
def test_a_document_that_is_broken_off_gives_what_came_before(
    bench: Workbench, tmp_path: Path, name: str
) -> None:
    whole = {"mem0": MEM0, "graphiti": GRAPHITI, "mcp_memory": {"entities": MCP[:1] + MCP[2:3]}}[name]
    text = json.dumps(whole)
    file = tmp_path / "broken.json"
    file.write_text(text[: text.rindex('"uuid": "f2"') if name == "graphiti" else len(text) - 3])
    report = bench.importing.import_path(bench.scope, file)
    assert report.format == name
    assert report.written > 0
    assert any("breaks off" in fault.reason for fault in report.faults)


def test_a_record_that_changed_at_its_source_is_revised(bench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, MCP)), encoding="utf-8")
    bench.importing.import_path(bench.scope, file)
    more = {**MCP[0], "observations": ["Grinds corn", "Likes coffee"]}
    file.write_text("\n".join(map(json.dumps, [more, *MCP[1:]])), encoding="utf-8")
    report = bench.importing.import_path(bench.scope, file)
    (counts,) = report.details["files"].values()
    assert (report.written, counts["skipped"]["changed at its source: a new version was written"]) == (0, 1)
    (nora,) = [memory for memory in bench.every() if memory.name == "Nora"]
    assert (nora.version, nora.content) == (2, "Nora (person)\n- Grinds corn\n- Likes coffee")
    # What somebody corrects here stays, as long as the source says what it said.
    bench.revision.revise(bench.scope, nora.logical_id, "Nora grinds corn.")
    file.touch()
    bench.importing.import_path(bench.scope, file)
    (nora,) = [memory for memory in bench.every() if memory.name == "Nora"]
    assert (nora.version, nora.content) == (3, "Nora grinds corn.")


def test_a_fact_that_was_ended_meanwhile_ends(bench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(GRAPHITI), encoding="utf-8")
    bench.importing.import_path(bench.scope, file)
    edges = [
        {**edge, "invalid_at": "2025-06-01T00:00:00Z"} if edge["uuid"] == "f2" else edge
        for edge in GRAPHITI["edges"]
    ]
    file.write_text(json.dumps({**GRAPHITI, "edges": edges}), encoding="utf-8")
    bench.importing.import_path(bench.scope, file)
    standing = {memory.content for memory in bench.every()}
    assert "Nora lives at the mill" not in standing
    mill = bench.every(TemporalMode.FULL_HISTORY)
    assert {memory.version for memory in mill if memory.content == "Nora lives at the mill"} == {1, 2}


Table = Callable[..., Path]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Makes real LanceDB tables."""
    lancedb = pytest.importorskip("lancedb")

    def make(rows: list[dict[str, Any]], name: str = "memories") -> Path:
        lancedb.connect(str(tmp_path / "db")).create_table(name, data=rows)
        return tmp_path / "db" / f"{name}.lance"

    return make


def test_lancedb(bench: Workbench, tmp_path: Path, table: Table) -> None:
    created = datetime(2025, 1, 1, 12)  # noqa: DTZ001 - a table keeps none
    rows = [
        {
            "id": f"row-{number}",
            "text": f"The kettle number {number} whistles" if number else " ",
            "vector": [0.1, 0.2, 0.3],
            "metadata": json.dumps({"project": "kitchen", "shelf": number}),
            "tags": ["tin", "steam"],
            "type": "learning",
            "created_at": created,
            "weight": 1.5,
        }
        for number in range(1_200)
    ]
    folder = table(rows)
    # Named by its database folder, as people know it.
    report = bench.importing.import_path(bench.scope, folder.parent)
    assert (report.format, report.found, report.written, report.faults) == ("lancedb", 1_200, 1_199, ())
    again = bench.importing.import_path(bench.scope, folder)
    assert again.written == 0
    (memory,) = [each for each in bench.every() if each.content.endswith("number 7 whistles")]
    assert (memory.project, memory.kind, memory.tags) == ("kitchen", Kind.LEARNING, ("tin", "steam"))
    assert memory.valid_at == memory.created_at == created.replace(tzinfo=UTC)
    assert memory.metadata == {"weight": 1.5, "project": "kitchen", "shelf": 7}


def test_a_lancedb_row_without_id_and_other_names(bench: Workbench, table: Table) -> None:
    rows = [
        {"Content": "Twice said", "project": "p", "timestamp": 1_735_732_800.0, "role": "user"},
        {"Content": "Twice said", "project": "p", "timestamp": 1_735_732_800.0, "role": "user"},
        {"Content": "Once said", "project": "q", "timestamp": 1_735_732_801.0, "role": "user"},
    ]
    folder = table(rows)
    assert bench.importing.import_path(bench.scope, folder).written == 3
    assert {memory.project for memory in bench.every()} == {"p", "q"}
    assert {memory.valid_at.year for memory in bench.every()} == {2025}
    assert bench.importing.import_path(bench.scope, folder).written == 0


def test_a_lancedb_table_without_texts_says_what_it_has(bench: Workbench, table: Table) -> None:
    folder = table([{"vector": [0.5, 0.5], "number": 1}])
    with pytest.raises(InvalidSource, match="number"):
        bench.importing.import_path(bench.scope, folder)


def test_without_the_package_the_mend_is_named(
    bench: Workbench, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = table([{"text": "Said", "id": "1"}])
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(InvalidSource, match=r"pip install 'engramforge\[lancedb\]'"):
        bench.importing.import_path(bench.scope, folder)


def test_other_memories_on_postgres(postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(GRAPHITI), encoding="utf-8")
    with engramforge.open(postgres_url) as forge:
        assert forge.import_path(file).written == 7
        assert forge.import_path(file).written == 0
        (nora,) = [memory for memory in forge.memories(project="village", limit=100) if memory.name == "Nora"]
        assert len(forge.links(nora.logical_id, mode="full_history")) == 5
