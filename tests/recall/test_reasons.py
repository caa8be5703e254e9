"""Where a question asks why, a stream goes one link from what answers: to what caused it, and to what resolved it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.streams.stream import Stream
from engramforge.model.streams.ways import Tier

LINK: dict[str, Any] = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "g", "mindstate": "m"}
STALLED, RAG, HURRY, SIEVE, LATE = (
    "The pump stalled on Tuesday.",
    "A rag was forgotten in the intake.",
    "The apprentice cleaned in haste.",
    "We put a sieve before the intake.",
    "Dinner was late.",
)


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    with engramforge.open(tmp_path / "store") as opened:
        felt = {"frustration": 0.8}
        ids = {STALLED: opened.remember(STALLED, emotion_vector=felt, near=False).id}
        ids |= {text: opened.remember(text, near=False).id for text in (RAG, HURRY, SIEVE, LATE)}
        for number, word in enumerate(("tea", "sun", "road", "bridge") * 10):
            opened.remember(f"Number {number} of the {word} is fine.", near=False)
        for one, relation, other in (
            (RAG, "CAUSES", STALLED),
            (HURRY, "CAUSES", RAG),
            (STALLED, "CAUSES", LATE),
            (STALLED, "RESOLVED_BY", SIEVE),
        ):
            opened.link(ids[one], ids[other], relation, **LINK)
        yield opened


def focus(stream: Stream) -> list[str]:
    return [each.memory.content for each in stream.tiers[Tier.FOCUS]]


def test_why_finds_what_a_link_leads_to_from_what_answers(forge: Forge) -> None:
    stream = forge.streams.by_intention("why did the pump stall?")
    assert focus(stream)[0] == STALLED and set(focus(stream)) == {STALLED, RAG, SIEVE}
    told = {each.memory.content: each for each in stream.items}
    assert told[RAG].path is not None and told[RAG].path.relations == ("CAUSES",)
    assert told[RAG].relevance == pytest.approx(0.9 * told[STALLED].relevance)
    assert any("<-CAUSES- A rag" in path.narrative for path in stream.traversal_graph.paths)
    assert not stream.by_meaning_alone
    # Nobody asks why: links are not followed without a name.
    assert focus(forge.streams.by_intention("when did the pump stall?")) == [STALLED]
    assert RAG not in [
        each.memory.content for each in forge.streams.by_intention("why is the sea salty?").items
    ]
    felt = forge.streams.by_intention("why did the pump stall?", required_emotions=["frustration"])
    assert [each.memory.content for each in felt.items] == [STALLED]


def test_a_cycle_tells_how_the_matter_came_about_and_was_resolved(forge: Forge) -> None:
    stream = forge.streams.cycle(
        energy=0.5, unresolved_tension=0.8, tension_source="the pump stalled", emotions={"frustration": 0.8}
    ).stream
    assert focus(stream)[0] == STALLED and set(focus(stream)) == {STALLED, RAG, SIEVE}
