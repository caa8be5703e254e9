"""Single writes, imports and detections keep the spaces of graph and entities up to date: nobody has to refresh."""

from __future__ import annotations

import json
from pathlib import Path

from tests.upkeep.test_relations import FELT

from engramforge.forge import Forge


def placed(forge: Forge, *memory_ids: str) -> list[bool]:
    """Whether each memory has a place in the graph space, as `show --spaces` says."""
    return [
        next(each for each in forge.embeddings(memory_id).spaces if each.space == "graph").abstains is None
        for memory_id in memory_ids
    ]


def test_links_and_new_versions_are_placed(forge: Forge) -> None:
    one, two, alone = (
        forge.remember(f"The {name} of the mill turns.").id for name in ("wheel", "stone", "vane")
    )
    forge.link(one, two, "DRIVES", **FELT)
    assert placed(forge, one, two, alone) == [True, True, False]
    revised = forge.revise(one, "The wheel of the mill creaks.")
    later = forge.supersede(two, "The stone of the mill is worn.")
    assert placed(forge, revised.id, later.id) == [True, True]
    forge.undo()
    assert placed(forge, forge.get(later.logical_id).id) == [True]


def test_registries_are_placed(forge: Forge) -> None:
    first = forge.threads.create("Buy oak", project="mill", conversation="c1")
    second = forge.threads.create("Build the wheel", project="mill", conversation="c1", blocked_by=[first.id])
    assert placed(forge, first.memory_id, second.memory_id) == [True, True]
    decision = forge.decisions.create("The wheel is of oak.", project="mill", conversation="c1")
    edge = forge.archives.compress("c1").edge
    assert placed(forge, decision.memory_id, edge.memory_id) == [True, True]
    closed = forge.threads.update(first.id, status="resolved", resolution="Bought.")
    assert placed(forge, closed.memory_id) == [True]


def test_what_is_read_from_a_message_is_placed(forge: Forge) -> None:
    said = forge.remember(
        "D001: We decided to build the wheel of oak.",
        kind="prompt",
        project="mill",
        session_id="c1",
        sequence=0,
    )
    (decision,) = forge.decisions.browse(project="mill")
    assert placed(forge, said.id, decision.memory_id) == [True, True]


def test_an_import_is_placed(forge: Forge, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Wheel.md").write_text("The wheel drives the [[Stone]].\n")
    (vault / "Stone.md").write_text("The stone grinds the rye of the whole valley.\n")
    forge.import_path(vault)
    notes = forge.memories(project="vault")
    assert placed(forge, *(each.id for each in notes)) == [True, True]
    turns = [f"D00{number}: We decided to paint vane {number} white." for number in (1, 2)]
    lines = [
        {"content": turn, "kind": "prompt", "project": "mill", "session_id": "c1", "sequence": place}
        for place, turn in enumerate(turns)
    ]
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    forge.import_path(tmp_path / "talk.jsonl")
    found = forge.decisions.browse(project="mill")
    assert len(found) == 2
    assert placed(forge, *(each.memory_id for each in found)) == [True, True]


def test_an_import_learns_the_entities_that_it_names(forge: Forge, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text(
        "\n".join(json.dumps({"content": f"Agneta moved boat {n} to Torshavn."}) for n in range(6))
    )
    forge.import_path(file, project="harbour")
    memory = next(iter(forge.memories(project="harbour")))
    # Before anything is learned, this is refused.
    assert forge.predict_links("MENTIONS", head=memory.logical_id) == []


def test_who_asks_for_likely_links_need_not_refresh(forge: Forge) -> None:
    memory = forge.remember("Agneta moved the boat to Torshavn.", project="harbour")
    assert forge.predict_links("MENTIONS", head=memory.logical_id) == []
    for number in range(3):
        later = forge.remember(f"Bjarni rowed boat {number} to Klaksvik.", project="harbour")
    assert forge.predict_links("MENTIONS", head=later.logical_id) == []
