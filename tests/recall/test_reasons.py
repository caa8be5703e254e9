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


@pytest.mark.parametrize(
    "question",
    ["what resolved the stalled pump?", "how was the stalled pump repaired?", "who fixed the pump?"],
)
def test_what_resolved_something_is_found_without_a_name(forge: Forge, question: str) -> None:
    stream = forge.streams.by_intention(question)
    first = stream.tiers[Tier.FOCUS][0]
    assert first.memory.content == SIEVE
    assert first.path is not None and first.path.led == (("RESOLVED_BY", True),)
    assert not stream.by_meaning_alone


def test_a_relation_that_a_question_says_is_followed_from_what_it_is_about(forge: Forge) -> None:
    told = [forge.remember(text).id for text in ("The winch hangs in the loft.", "A fuse of ten amperes.")]
    forge.link(*told, "DEPENDS_ON", **LINK)
    stream = forge.streams.by_intention("what does the winch depend on?")
    assert focus(stream)[0] == "A fuse of ten amperes."
    assert "A fuse of ten amperes." not in focus(forge.streams.by_intention("where does the winch hang?"))
    assert focus(forge.streams.by_intention("what depends on a fuse?"))[0] == "The winch hangs in the loft."


def test_an_irregular_form_of_a_word_asks_why_as_the_word_does(forge: Forge) -> None:
    told = [forge.remember(text).id for text in ("The gate stuck at noon.", "Somebody painted its hinges.")]
    forge.link(told[1], told[0], "CAUSES", **LINK)
    stream = forge.streams.by_intention("why did the gate stick?")
    assert set(focus(stream)[:2]) == {"The gate stuck at noon.", "Somebody painted its hinges."}


def test_a_name_in_the_question_takes_no_reason_away(forge: Forge) -> None:
    stalled = forge.remember("The Zornheim pump stalled at the weir.").id
    bag = forge.remember("A plastic bag lay there.").id
    forge.remember_many({"content": f"Zornheim meets about item {number}."} for number in range(30))
    forge.link(bag, stalled, "CAUSES", **LINK)
    stream = forge.streams.by_intention("why did the Zornheim pump stall?")
    assert stream.entities == ("zornheim",)
    told = {each.memory.content: each for each in stream.tiers[Tier.FOCUS]}
    pump = told["The Zornheim pump stalled at the weir."]
    assert told["A plastic bag lay there."].relevance == pytest.approx(0.9 * pump.relevance)


def test_what_something_led_to_is_told_where_that_is_asked(forge: Forge) -> None:
    stream = forge.streams.by_intention("what happened because the pump stalled?")
    told = {each.memory.content: each for each in stream.items}
    assert told[LATE].path is not None and told[LATE].path.led == (("CAUSES", True),)
    assert LATE in focus(stream) and RAG not in focus(stream)
