"""`engramforge refresh` on a real store: what it says, and that names are learned by it."""

from __future__ import annotations

from pathlib import Path

import engramforge

from .conftest import Cli


def test_links_and_names_are_learned(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        memory = forge.remember("Mira Oduya works at Halden Works.")
        other = forge.remember("Halden Works builds the tide gauge.")
        felt = {"energy": 0.5, "confidence": 0.9, "emotion_vector": {}, "goal": "know", "mindstate": "calm"}
        forge.link(memory.id, other.id, "RELATES_TO", **felt)
    said = cli("refresh", "--json").json
    assert said["relations"]["nodes"] == 2
    assert said["relations"]["links"] == 1
    assert said["relations"]["trained_anew"]
    again = cli("refresh").out
    assert "The graph: 1 link between 2 memories" in again
    assert "on from where it was" in again
    with engramforge.open(home) as forge:
        found = forge.recall(entity="Halden Works").hits
        assert {hit.memory.logical_id for hit in found} == {memory.logical_id, other.logical_id}
        assert all("entity" in hit.found_by for hit in found)
