"""Refresh of E8 and E11 over a real store: what is written, what is learned on, what is forgotten, who sees what."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import engramforge
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import TemporalMode
from engramforge.upkeep.relations import Relations
from engramforge.writing.linkage import LinkRequest

FELT = {"energy": 0.6, "confidence": 0.5, "emotion_vector": {}, "goal": "know", "mindstate": "calm"}
GROUPS = {"harbour": ["ada", "bo", "cleo", "dan", "eli"], "orchard": ["eve", "finn", "gus", "hana", "ivo"]}


def edge(source: str, relation: str, target: str) -> dict[str, object]:
    return {"source_id": source, "relation": relation, "target_id": target, **FELT}


@pytest.fixture
def people(forge: Forge) -> dict[str, str]:
    """Two places, who works there and who knows whom; where Ada works is left out. Name -> logical id."""
    names = [name for place, members in GROUPS.items() for name in (place, *members)]
    memories = forge.remember_many([{"content": f"about {name}", "kind": "entity"} for name in names])
    ids = {name: memory.logical_id for name, memory in zip(names, memories, strict=True)}
    links = [
        edge(ids[name], "WORKS_AT", ids[place])
        for place, members in GROUPS.items()
        for name in members
        if name != "ada"
    ]
    links += [
        edge(ids[member], "KNOWS", ids[other])
        for members in GROUPS.values()
        for member in members
        for other in members
        if member != other
    ]
    answers = forge.link_many(links)
    assert all(answer.written for answer in answers)
    return ids


def parts_of(forge: Forge, ids: list[str], space: Space) -> list[np.ndarray | None]:
    door = forge._stages.door
    graph = door.tending(Scope()).graph()
    place = dict(zip(graph.logical_ids, graph.positions.tolist(), strict=True))
    signals = door.asking(Scope()).signals(np.array([place[identity] for identity in ids])).embeddings
    found = [signals[place[identity]].parts.get(space) for identity in ids]
    return [None if item is None else item.values for item in found]


def test_a_left_out_link_is_predicted_from_either_end(forge: Forge, people: dict[str, str]) -> None:
    report = forge.refresh_relations()
    # The links placed all twelve when they were written.
    assert (report.nodes, report.placed, report.trained_anew) == (12, 0, True)
    tails = [prediction.tail for prediction in forge.predict_links("WORKS_AT", head=people["ada"])]
    assert tails.index(people["harbour"]) < tails.index(people["orchard"])
    heads = forge.predict_links("WORKS_AT", tail=people["harbour"], limit=1)
    assert [prediction.head for prediction in heads] == [people["ada"]]
    assert heads[0].distance >= 0


def test_postgresql_refreshes_and_predicts_too(postgres_url: str) -> None:
    with engramforge.open(postgres_url) as forge:
        a, b, c = (forge.remember(text).logical_id for text in ("a mill", "a weir", "a pond"))
        forge.link_many([edge(a, "FEEDS", b), edge(c, "FEEDS", b)])
        assert all(part is not None for part in parts_of(forge, [a, b, c], Space.GRAPH))
        assert forge.refresh_relations().placed == 0
        assert {prediction.head for prediction in forge.predict_links("FEEDS", tail=b, known=True)} == {a, c}
        assert {prediction.tail for prediction in forge.predict_links("FEEDS", head=a)} == {c}
        assert all(part is not None for part in parts_of(forge, [a, b, c], Space.GRAPH))
    with engramforge.open(postgres_url) as other:
        assert not other.refresh_relations().trained_anew
        assert {prediction.head for prediction in other.predict_links("FEEDS", tail=b, known=True)} == {a, c}


def test_what_a_link_lacks_and_why_nothing_is_predicted_is_told(forge: Forge) -> None:
    a, b = (forge.remember(text).logical_id for text in ("it is wet", "it is dry"))
    with pytest.raises(
        InvalidValue, match=r"source_id is missing.*target_id is missing.*source_id and target_id"
    ):
        forge.link_many([{"source": a, "target": b, "relation": "FEEDS", **FELT}])
    forge.link_many([edge(a, "FEEDS", b)])
    forge.invalidate(b)
    forge.refresh_relations()
    with pytest.raises(InvalidValue, match="no two memories that hold are linked"):
        forge.predict_links("FEEDS", head=a)


def test_known_links_are_told_when_asked_for(forge: Forge, people: dict[str, str]) -> None:
    forge.refresh_relations()
    fresh = {prediction.tail for prediction in forge.predict_links("KNOWS", head=people["bo"], limit=100)}
    every = {
        prediction.tail
        for prediction in forge.predict_links("KNOWS", head=people["bo"], limit=100, known=True)
    }
    assert every - fresh == {people[name] for name in ("ada", "cleo", "dan", "eli")}
    assert people["bo"] not in every


def test_another_process_predicts_the_same(forge: Forge, people: dict[str, str], tmp_path: Path) -> None:
    forge.refresh_relations()
    here = forge.predict_links("WORKS_AT", head=people["ada"], limit=100)
    with engramforge.open(tmp_path / "home") as other:
        there = other.predict_links("WORKS_AT", head=people["ada"])
        assert there[0].tail == here[0].tail
        distances = {triple.tail: triple.distance for triple in here}
        # Stored as int8: each of 32 components is off by at most half a step.
        assert all(abs(distances[triple.tail] - triple.distance) < 3 for triple in there)
        again = other.refresh_relations()
        assert not again.trained_anew


def test_links_place_memories_in_the_graph(forge: Forge, people: dict[str, str]) -> None:
    forge.refresh_relations()
    ada, bo, eve = (
        part[0].astype(float) / np.linalg.norm(part[0].astype(float))
        for part in parts_of(forge, [people[name] for name in ("ada", "bo", "eve")], Space.GRAPH)
        if part is not None
    )
    assert ada @ bo > ada @ eve + 0.3


def test_only_what_a_change_reaches_is_written_again(forge: Forge) -> None:
    memories = forge.remember_many([{"content": f"stone {i}"} for i in range(40)])
    ids = [memory.logical_id for memory in memories]
    parts = forge._stages
    links = [LinkRequest(first, other, "FOLLOWS", FELT) for first, other in pairwise(ids)]
    parts.linkage.link_many(Scope(), links)
    assert forge.refresh_relations().placed == 40
    assert forge.refresh_relations().placed == 0
    before = parts_of(forge, ids, Space.GRAPH)
    parts.linkage.link_many(Scope(), [LinkRequest(ids[0], ids[2], "FOLLOWS", FELT)])
    placed = forge.refresh_relations().placed
    assert 3 <= placed <= 6
    after = parts_of(forge, ids, Space.GRAPH)
    changed = [
        i for i, (first, other) in enumerate(zip(before, after, strict=True)) if (first != other).any()
    ]
    assert changed
    assert max(changed) < placed
    whole = Relations(forge._stages.door, forge._stages.clock)
    assert whole.refresh(Scope()).placed == 40
    full = parts_of(forge, ids, Space.GRAPH)
    assert all(np.array_equal(first, other) for first, other in zip(after, full, strict=True))


def test_a_memory_without_its_last_link_leaves_the_graph(forge: Forge) -> None:
    first, other, third = (forge.remember(text) for text in ("a gate", "a fence", "a hedge"))
    link = forge.link(first.id, other.id, "RELATES_TO", **FELT).link
    forge.link(other.id, third.id, "RELATES_TO", **FELT)
    forge.refresh_relations()
    forge.unlink(link.id)
    forge.refresh_relations()
    door = forge._stages.door
    position = door.tending(Scope()).graph().positions
    assert len(position) == 2
    everything = door.asking(Scope()).positions(Selection(mode=TemporalMode.FULL_HISTORY), 10)
    signals = door.asking(Scope()).signals(everything).embeddings
    with_part = [key for key, each in signals.items() if Space.GRAPH in each.parts]
    assert sorted(with_part) == sorted(position.tolist())


def test_training_goes_on_and_begins_anew_when_asked(forge: Forge, people: dict[str, str]) -> None:
    forge.refresh_relations()
    door = forge._stages.door
    first = door.asking(Scope()).mark("relations")
    assert first is not None
    newcomer = forge.remember("about jude", kind="entity").logical_id
    forge.link_many([edge(newcomer, "KNOWS", people[name]) for name in ("ada", "bo", "cleo")])
    assert not forge.refresh_relations().trained_anew
    on = door.asking(Scope()).mark("relations")
    assert on is not None
    assert on["encoder"] == first["encoder"]
    tails = [
        prediction.tail for prediction in forge.predict_links("KNOWS", head=newcomer, limit=12, known=True)
    ]
    known, others = (
        [tails.index(people[name]) for name in GROUPS[place]] for place in ("harbour", "orchard")
    )
    assert sum(known) < sum(others)
    assert forge.refresh_relations(anew=True).trained_anew
    begun = door.asking(Scope()).mark("relations")
    assert begun is not None
    assert begun["encoder"] != first["encoder"]


def test_a_forgotten_memory_is_not_predicted(forge: Forge, people: dict[str, str]) -> None:
    forge.refresh_relations()
    forge.forget(people["harbour"])
    told = {
        prediction.tail
        for prediction in forge.predict_links("WORKS_AT", head=people["ada"], limit=100, known=True)
    }
    assert people["harbour"] not in told
    forge.refresh_relations()
    model = forge._stages.relations._trained
    assert model is not None
    assert people["harbour"] not in model.model.entities


def test_what_an_agent_does_not_see_is_not_predicted(tmp_path: Path) -> None:
    with engramforge.open(tmp_path, agent="one") as mine:
        a, b = (mine.remember(text, level="collective").id for text in ("a mill", "a weir"))
        c = mine.remember("a secret sluice").id
        mine.link(a, b, "FEEDS", **FELT)
        mine.link(a, c, "FEEDS", **FELT)
        mine.refresh_relations()
        assert len(mine.predict_links("FEEDS", head=a, known=True)) == 2
        head = mine.get(a).logical_id
    with engramforge.open(tmp_path, agent="two") as theirs:
        assert len(theirs.predict_links("FEEDS", head=head, known=True)) == 1


def test_what_cannot_be_predicted_is_said(forge: Forge) -> None:
    first, other = forge.remember("a lamp"), forge.remember("a wick")
    with pytest.raises(InvalidValue, match="nothing to learn from"):
        forge.predict_links("NEEDS", head=first.id)
    assert forge.refresh_relations().triples == 0
    forge.link(first.id, other.id, "NEEDS", **FELT)
    forge.refresh_relations()
    with pytest.raises(InvalidValue, match="LIKES"):
        forge.predict_links("LIKES", head=first.id)
    with pytest.raises(InvalidValue, match="one of its ends"):
        forge.predict_links("NEEDS")
    with pytest.raises(InvalidValue, match="one of its ends"):
        forge.predict_links("NEEDS", head=first.id, tail=other.id)
    with pytest.raises(InvalidValue, match="limit"):
        forge.predict_links("NEEDS", head=first.id, limit=0)
    with pytest.raises(NotFound):
        forge.predict_links("NEEDS", head="nobody")


def test_many_links_are_all_or_nothing(forge: Forge) -> None:
    first, other = (forge.remember(text).logical_id for text in ("a lamp", "a wick"))
    with pytest.raises(NotFound):
        forge.link_many([edge(first, "NEEDS", other), edge(first, "NEEDS", "nobody")])
    assert forge.links(first) == []
    with pytest.raises(InvalidValue, match="energy"):
        forge.link_many([{**edge(first, "NEEDS", other), "energy": 3}])
    answers = forge.link_many(
        [edge(first, "NEEDS", other), edge(first, "NEEDS", other), edge(other, "FITS", first)]
    )
    assert [each.written for each in answers] == [True, False, True]
    assert answers[0].link == answers[1].link
    assert len(forge.links(first)) == 2
    assert not forge.link_many([edge(first, "NEEDS", other)])[0].written
    assert forge.link_many([]) == []
