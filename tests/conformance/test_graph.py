"""The graph of links as a whole, and positions of a selection: current memories in scope alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import uuid_utils
from tests.conformance.conftest import NOW, START, at, days, entry

from engramforge.errors import InvalidTime
from engramforge.model.embeddings.encoder_spec import MemoryGraph
from engramforge.model.link import Link
from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates

SCOPE = Scope()
CURRENT = at(NOW)


def link(source: Entry, target: Entry, relation: str, energy: float = 0.5, **more: Any) -> Link:
    """A link between the memories of two entries."""
    return Link(
        **{
            "id": str(uuid_utils.uuid7()),
            "source_id": source.memory.logical_id,
            "target_id": target.memory.logical_id,
            "relation": relation,
            "valid_at": START,
            "created_at": START,
            "energy": energy,
            "confidence": 0.5,
            "emotion_vector": {},
            "goal": "g",
            "mindstate": "m",
            **more,
        }
    )


def edges(door: Door, scope: Scope = SCOPE) -> tuple[MemoryGraph, set[tuple[str, str, str, float]]]:
    """The graph, and its edges in words."""
    graph = door.tending(scope).graph()
    memories = door.asking(scope).fetch_at(graph.positions)
    names = [memories[int(position)].content for position in graph.positions]
    assert [memories[int(p)].logical_id for p in graph.positions] == list(graph.logical_ids)
    assert graph.sources.dtype == graph.targets.dtype == graph.positions.dtype == np.int64
    assert graph.relations.dtype == np.int32 and graph.weights.dtype == np.float32
    assert sorted(set(graph.sources.tolist()) | set(graph.targets.tolist())) == list(range(len(names)))
    rows = zip(
        graph.sources.tolist(),
        graph.targets.tolist(),
        graph.relations.tolist(),
        graph.weights.tolist(),
        strict=True,
    )
    return graph, {(names[s], names[t], graph.relation_names[r], round(w, 3)) for s, t, r, w in rows}


def test_an_empty_store_has_no_graph(door: Door) -> None:
    graph, found = edges(door)
    assert found == set() and graph.logical_ids == () and graph.relation_names == ()
    assert graph.positions.shape == graph.weights.shape == (0,)
    assert door.asking(SCOPE).positions(CURRENT, 5).shape == (0,)


def test_links_between_current_memories(door: Door) -> None:
    first, two, three, ended, lonely = (entry(text) for text in ("one", "two", "three", "ended", "lonely"))
    wrong = link(two, three, "CAUSES")
    with door.transaction(SCOPE) as writes:
        writes.insert([first, two, three, ended, lonely])
        writes.link([link(first, two, "CAUSES", 0.9), link(two, first, "SUPPORTS", 0.1), wrong])
        writes.link([link(ended, first, "CAUSES"), link(first, two, "SUPPORTS", 0.3)])
    assert len(edges(door)[1]) == 5
    with door.transaction(SCOPE) as writes:
        writes.expire_link(wrong.id, days(1), InvalidationReason.DISCOVERED_FALSE)
        writes.expire(ended.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    graph, found = edges(door)
    assert found == {
        ("one", "two", "CAUSES", 0.9),
        ("two", "one", "SUPPORTS", 0.1),
        ("one", "two", "SUPPORTS", 0.3),
    }
    assert graph.relation_names == ("CAUSES", "SUPPORTS") and len(graph.logical_ids) == 2
    # A new version stands where the old one stood, under the same id.
    again = replace(two, memory=replace(two.memory, id=str(uuid_utils.uuid7()), version=2, content="two b"))
    with door.transaction(SCOPE) as writes:
        writes.expire(two.memory.id, days(2), InvalidationReason.DISCOVERED_FALSE, again.memory.id)
        writes.insert([again])
    graph, found = edges(door)
    assert ("one", "two b", "CAUSES", 0.9) in found and len(found) == 3
    with door.transaction(SCOPE) as writes:
        writes.forget(Extent([first.memory.logical_id]), NOW)
    assert edges(door)[1] == set()


def test_a_link_to_what_others_keep_is_not_told(door: Door) -> None:
    ann = Scope(agent="ann")
    hers = entry("hers", agent="ann")
    shared = entry("shared", agent="ann", level=Level.COLLECTIVE, project="team")
    with door.transaction(ann) as writes:
        writes.insert([hers, shared])
        writes.link([link(hers, shared, "CAUSES")])
    mine = entry("mine")
    with door.transaction(SCOPE) as writes:
        writes.insert([mine])
        writes.link([link(mine, shared, "SUPPORTS")])
    assert edges(door)[1] == {("mine", "shared", "SUPPORTS", 0.5)}
    assert edges(door, ann)[1] == {("hers", "shared", "CAUSES", 0.5)}
    assert edges(door, Scope(every_agent=True))[1] == edges(door)[1] | edges(door, ann)[1]
    assert edges(door, SCOPE.within("team"))[1] == set()


def test_positions_of_the_newest_written(door: Door) -> None:
    entries = [
        entry(
            f"note {number}",
            kind=(Kind.NOTE, Kind.DECISION)[number % 2],
            valid_at=days(-number),
            session_id=f"s{number % 3}",
            tags=("even",) * (number % 2 == 0),
        )
        for number in range(12)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert(entries)
        writes.expire(entries[11].memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)

    def told(selection: Selection, limit: int, scope: Scope = SCOPE) -> list[str]:
        found = door.asking(scope).positions(selection, limit)
        assert found.dtype == np.int64 and found.tolist() == sorted(found.tolist(), reverse=True)
        memories = door.asking(scope).fetch_at(found)
        return [memories[int(position)].content for position in found]

    assert told(CURRENT, 3) == ["note 10", "note 9", "note 8"]
    assert told(CURRENT, 0) == []
    chosen = Selection(kinds=(Kind.DECISION,), session_id="s0", as_of=AsOf(NOW, NOW))
    assert told(chosen, 9) == ["note 9", "note 3"]
    assert told(replace(CURRENT, tags=("even",)), 2) == ["note 10", "note 8"]
    everything = Selection(mode=TemporalMode.FULL_HISTORY)
    assert told(everything, 1) == ["note 11"]
    assert told(CURRENT, 9, Scope(agent="ann")) == []
    with pytest.raises(InvalidTime):
        door.asking(SCOPE).positions(Selection(), 3)
