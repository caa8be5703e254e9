"""E8: parts of a graph, incremental encoding, questions that begin at memories."""

from __future__ import annotations

import numpy as np

from engramforge.model.embeddings.encoder_spec import MemoryGraph
from engramforge.spaces.encoder import Item
from engramforge.spaces.graph import GraphEncoder

ENCODER = GraphEncoder()


def graph(count: int, edges: list[tuple[int, int]]) -> MemoryGraph:
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return MemoryGraph(
        logical_ids=tuple(f"memory {i}" for i in range(count)),
        positions=np.arange(count),
        sources=pairs[:, 0],
        targets=pairs[:, 1],
        relations=np.zeros(len(pairs), np.int32),
        weights=np.full(len(pairs), 0.5, np.float32),
        relation_names=("RELATES_TO",),
    )


def stacked(parts: list[np.ndarray | None]) -> tuple[np.ndarray, np.ndarray]:
    present = np.array([part is not None for part in parts])
    values = [np.zeros(ENCODER.shape, np.int8) if part is None else part for part in parts]
    return np.stack(values).astype(np.int8), present


TWO_RINGS = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]


def test_linked_memories_are_similar_and_lone_ones_abstain() -> None:
    values, present = stacked(ENCODER.encode_graph(graph(7, TWO_RINGS)))
    assert present.tolist() == [True] * 6 + [False]
    found = ENCODER.memory_to_memories(values[0], values, present)
    assert found.values[0] == 1
    assert min(found.values[1:3]) > max(found.values[3:6])
    assert (found.values[:6] >= 1 / 3).all()
    assert found.present.tolist() == present.tolist()


def test_some_nodes_are_encoded_as_all_are() -> None:
    whole = graph(7, TWO_RINGS)
    every = ENCODER.encode_graph(whole)
    some = ENCODER.encode_graph(whole, np.array([1, 4]))
    for item, place in zip(some, (1, 4), strict=True):
        assert item is not None
        assert np.array_equal(item, every[place])
        assert item.dtype == np.int8
        assert item.shape == ENCODER.shape


def test_texts_have_no_place_in_the_graph() -> None:
    assert ENCODER.encode([Item("linked?")]) == [None]
    assert ENCODER.encode_query(Item("linked?")) is None
