"""Spreading activation and PageRank in a stream, where they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.streams.stream import Stream, StreamItem
from engramforge.model.streams.ways import Tier

LINK: dict[str, Any] = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "g", "mindstate": "m"}
ASKED = "what leaks in the boiler room?"


@pytest.fixture(scope="module")
def forge(place: str) -> Iterator[Forge]:
    """A chain of links from what answers to what shares no word with the question, and names of which one is rare."""
    with engramforge.open(place) as opened:
        texts = {
            "leak": ("The boiler room leaks near the old valve.", "personal"),
            "valve": ("Old brass turns green.", "collective"),
            "smith": ("Quarterly budget of the workshop.", "ecosystem"),
            "far": ("Seven swans crossed the lake.", "personal"),
            "apart": ("A lighthouse burns oil.", "personal"),
        }
        ids = {
            name: opened.remember(text, level=level, project="yard").id
            for name, (text, level) in texts.items()
        }
        for one, other in (("leak", "valve"), ("valve", "smith"), ("smith", "far")):
            opened.link(ids[one], ids[other], "CAUSES", **LINK)
        wrong = opened.link(ids["leak"], ids["apart"], "CAUSES", **LINK)
        opened.unlink(wrong.link.id)
        opened.remember("Ingrid Halvorsen sold the sloop to Tomas Brandt.", project="names", energy=0.1)
        opened.remember("Tomas Brandt keeps the sloop in a shed.", project="names", energy=0.1)
        for number in range(12):
            opened.remember(f"Peter Novak wrote report {number} in spring.", project="names", energy=0.9)
        yield opened


def spread_of(stream: Stream) -> dict[str, StreamItem]:
    """What activation reached: the first word of its text -> item."""
    return {each.memory.content.split()[0]: each for level in stream.levels.values() for each in level.spread}


@pytest.mark.each_engine
def test_activation_reaches_what_links_lead_to_and_less_with_each_step(forge: Forge) -> None:
    stream = forge.streams.by_intention(ASKED, project="yard", max_results_per_level=1, spreading=True)
    reached = spread_of(stream)
    assert reached["Old"].retrieval_source == "N2_spread"
    assert reached["Quarterly"].retrieval_source == "N3_spread"
    assert 1 > reached["Old"].relevance > reached["Quarterly"].relevance > 0
    assert {each.way for each in stream.ways} >= {"N1_spread", "N2_spread", "N3_spread"}
    assert not any(each.fault for each in stream.ways)
    told = {each.retrieval_source for each in stream.items}
    assert {"N2_spread", "N3_spread"} <= told
    assert stream.summary.total == len(stream.items)
    assert all(each.activation > 0 for each in reached.values())
    three = spread_of(forge.streams.by_intention(ASKED, project="yard", spreading=True))
    assert 0 < three["Seven"].relevance < three["Old"].relevance
    assert "A" not in three


def test_it_is_off_unless_asked_for_and_keeps_to_what_is_wanted(forge: Forge) -> None:
    plain = forge.streams.by_intention(ASKED, project="yard")
    assert len(plain.ways) == 6
    assert spread_of(plain) == {}

    def reached(**wanted: Any) -> set[str]:
        return set(spread_of(forge.streams.by_intention(ASKED, project="yard", spreading=True, **wanted)))

    assert "Quarterly" not in reached(query_levels=["N1", "N2"])
    assert reached(min_energy=1.0) == set()
    assert reached(as_of_time="2001-01-01") == set()


@pytest.mark.each_engine
def test_a_walk_ranks_what_the_rare_name_leads_to(forge: Forge) -> None:
    def found(question: str, **more: Any) -> list[StreamItem]:
        stream = forge.streams.by_intention(question, project="names", graph_way="pagerank", **more)
        assert len(stream.ways) == 6
        assert not any(each.fault for each in stream.ways)
        return [each for level in stream.levels.values() for each in level.graph]

    items = found("What did Ingrid Halvorsen and Peter Novak do?")
    assert items[0].memory.content.startswith("Ingrid Halvorsen")
    assert items[0].relevance == 1.0
    assert all(1 >= one.relevance >= other.relevance > 0 for one, other in pairwise(items))
    assert {each.retrieval_source for each in items} == {"N1_graph"}
    # Nothing names her in the second memory: the walk comes by through Tomas Brandt.
    texts = [each.memory.content for each in found("Where is what Ingrid Halvorsen sold?")]
    assert "Tomas Brandt keeps the sloop in a shed." in texts
    assert len(found("What did Peter Novak write?", max_results_per_level=3)) == 3
    assert found("What did Peter Novak write?", min_energy=0.95) == []
    assert found("and what of the weather?") == []


def test_of_equal_paths_those_to_which_most_leads_come_first(forge: Forge) -> None:
    hub = forge.remember("Wexcombe", kind="entity", name="Wexcombe", project="mill")
    middle, ends = (
        forge.remember_many({"content": said.format(number), "project": "mill"} for number in range(6))
        for said in ("Step {} of milling.", "Flour sort {}.")
    )
    pairs = [(hub, each) for each in middle]
    pairs += [(each, end) for number, end in enumerate(ends) for each in middle[: number + 1]]
    forge.link_many(
        {"source_id": one.id, "target_id": other.id, "relation": "CAUSES", **LINK} for one, other in pairs
    )
    stream = forge.streams.by_intention("what of Wexcombe?", project="mill", max_results_per_level=6)
    found = [each.memory.content for level in stream.levels.values() for each in level.graph]
    assert found[:3] == ["Flour sort 5.", "Flour sort 4.", "Flour sort 3."]
    assert {each[:5] for each in found[3:]} == {"Flour", "Step "}


def test_a_name_that_is_a_memory_itself_leaves_its_neighbours_near(forge: Forge) -> None:
    told = {
        name: forge.remember(f"{name} is a country.", name=name, kind="entity", project="map", near=False).id
        for name in ("Avalon", "Borduria", "Cascara", "Drumont", "Elbe", "Florin", "Gondal", "Hyrule")
    }
    for other in list(told)[1:]:
        forge.link(
            *(told["Avalon"], told[other], "TRADES_WITH"),
            energy=0.5,
            confidence=0.8,
            emotion_vector={},
            goal="know countries",
            mindstate="calm",
        )
    stream = forge.streams.by_intention("Whom does Avalon trade with?", project="map", graph_way="pagerank")
    focus = {each.memory.name: each.relevance for each in stream.tiers[Tier.FOCUS]}
    assert stream.answered and stream.far == 0
    assert len(focus.keys() - {"Avalon"}) >= 4 and min(focus.values()) > 0.5
