"""FastRP: neighbours are near, a changed link is felt so many hops away and no further."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.arrays.projections import Adjacency, FastRPOptions, fast_rp
from engramforge.core.arrays.seeded import seeds_of

OPTIONS = FastRPOptions(size=64)


def names(count: int) -> np.ndarray:
    return seeds_of([f"node {i}" for i in range(count)], "node")


def adjacency(count: int, edges: list[tuple[int, int]], weights: list[float] | None = None) -> Adjacency:
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return Adjacency(count, pairs[:, 0], pairs[:, 1], np.array(weights or [1.0] * len(edges), np.float32))


def test_members_of_a_group_are_nearer_than_others() -> None:
    rng = np.random.default_rng(3)
    groups = np.arange(120) // 30
    edges = [
        (number, other)
        for number in range(120)
        for other in range(number)
        if rng.random() < (0.25 if groups[number] == groups[other] else 0.005)
    ]
    vectors = fast_rp(names(120), adjacency(120, edges))
    alike = vectors @ vectors.T
    same = groups[:, None] == groups[None]
    apart = ~np.eye(120, dtype=bool)
    assert alike[same & apart].mean() > alike[~same].mean() + 0.3


def test_two_that_are_linked_to_nobody_else_are_the_nearest() -> None:
    vectors = fast_rp(names(5), adjacency(5, [(0, 1), (2, 3)]))
    alike = vectors @ vectors.T
    assert alike[0, 1] > 0.8
    assert abs(alike[0, 2]) < 0.4
    assert not vectors[4].any()
    assert np.allclose(np.linalg.norm(vectors[:4], axis=1), 1, atol=1e-5)


def test_a_heavier_link_draws_nearer() -> None:
    vectors = fast_rp(names(3), adjacency(3, [(0, 1), (0, 2)], [1.0, 0.1]))
    alike = vectors @ vectors.T
    assert alike[0, 1] > alike[0, 2]


def test_names_decide_and_not_places() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]
    turned = [4, 2, 0, 1, 3]
    moved = [(turned[first], turned[other]) for first, other in edges]
    seeds = names(5)
    elsewhere = np.zeros(5, np.uint64)
    elsewhere[turned] = seeds
    here = fast_rp(seeds, adjacency(5, edges), OPTIONS)
    there = fast_rp(elsewhere, adjacency(5, moved), OPTIONS)
    assert np.allclose(there[turned], here, atol=1e-5)


graphs = st.integers(2, 40).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=90),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), min_size=1, max_size=3),
    )
)


@given(graphs)
@settings(max_examples=80, deadline=None)
def test_only_what_is_within_the_hops_of_a_change_changes(
    graph: tuple[int, list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    count, edges, added = graph
    before, after = adjacency(count, edges), adjacency(count, edges + added)
    old, new = fast_rp(names(count), before, OPTIONS), fast_rp(names(count), after, OPTIONS)
    ends = np.unique(np.array(added).ravel())
    hops = len(OPTIONS.steps) - 1
    touched = np.union1d(before.within(ends, hops), after.within(ends, hops))
    patched = old.copy()
    patched[touched] = fast_rp(names(count), after, OPTIONS, touched)
    assert np.array_equal(patched, new)


def test_a_hub_is_summed_as_a_full_pass_does() -> None:
    edges = [(0, other) for other in range(1, 300)] + [(i, i + 1) for i in range(1, 299)]
    links = adjacency(300, edges)
    full = fast_rp(names(300), links, OPTIONS)
    part = fast_rp(names(300), links, OPTIONS, np.array([0, 5]))
    assert np.array_equal(part, full[[0, 5]])
    spread = np.abs(full[1:] @ full[0])
    assert spread.max() < 0.95


@pytest.mark.parametrize("edges", [[], [(1, 1)]])
def test_a_graph_without_links_is_nothing(edges: list[tuple[int, int]]) -> None:
    assert not fast_rp(names(3), adjacency(3, edges), OPTIONS).any()
    assert fast_rp(names(0), adjacency(0, []), OPTIONS).shape == (0, 64)


@pytest.mark.timed
def test_a_full_pass_of_a_large_graph_is_quick() -> None:
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 20_000, (2, 100_000))
    started = time.process_time()
    vectors = fast_rp(names(20_000), Adjacency(20_000, *ends, np.ones(100_000, np.float32)))
    assert time.process_time() - started < 3
    assert np.isfinite(vectors).all()
