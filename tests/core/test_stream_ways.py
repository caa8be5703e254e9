"""Spreading activation and personalised PageRank against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engramforge.core.streams.pagerank import ALPHA, personalised_pagerank
from engramforge.core.streams.spreading import FIRING, THRESHOLD, firing, passed_on


@pytest.mark.parametrize("seed", range(8))
def test_the_rank_solves_its_equation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, edges = int(rng.integers(2, 40)), int(rng.integers(0, 90))
    ends = rng.integers(0, nodes, (edges, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    weights = rng.random(len(ends)) + 0.01
    seeds = rng.random(nodes) * (rng.random(nodes) < 0.3)
    seeds[0] += 0.5
    rank = personalised_pagerank(seeds, ends, weights)

    pull = np.zeros((nodes, nodes))
    for (one, other), weight in zip(ends, weights, strict=True):
        pull[one, other] += weight
        pull[other, one] += weight
    begin = seeds / seeds.sum()
    for number in range(nodes):
        whole = pull[number].sum()
        pull[number] = pull[number] / whole if whole else begin
    exact = np.linalg.solve(np.eye(nodes) - ALPHA * pull.T, (1 - ALPHA) * begin)
    assert rank == pytest.approx(exact, abs=2e-6)
    assert rank.sum() == pytest.approx(1.0)


def test_a_rank_without_a_seed_or_an_edge() -> None:
    nothing = np.zeros((0, 2), np.int64)
    assert personalised_pagerank(np.zeros(3), nothing, np.zeros(0)).tolist() == [0, 0, 0]
    assert personalised_pagerank(np.array([1.0, 3.0]), nothing, np.zeros(0)).tolist() == [0.25, 0.75]


def test_the_rarer_name_pulls_more() -> None:
    # Names 0 and 1, memories 2 (mentions 0), 3, 4, 5 (mention 1); seeds 1 and 1/3.
    ends = np.array([[0, 2], [1, 3], [1, 4], [1, 5]])
    rank = personalised_pagerank(np.array([1, 1 / 3, 0, 0, 0, 0]), ends, np.ones(4))
    # 0.75 (1 - 0.5) of the walks begin at 0, and half of what is there goes to 2: p0 = 0.375 + 0.5 p2, p2 = 0.5 p0.
    assert rank[2] == pytest.approx(0.25, abs=1e-5)
    assert rank[3] == rank[4] == rank[5] == pytest.approx(0.25 / 9, abs=1e-5)


def test_activation_fades_with_each_step_and_spreads_thin_at_a_hub() -> None:
    chain = [("a", "b", 1.0), ("b", "c", 1.0)]
    first = passed_on({"a": 1.0}, chain)
    assert first == {"b": 0.5}
    # b has two links: 0.5 x 0.5 / sqrt(2), to either side.
    assert passed_on(first, chain) == pytest.approx({"a": 0.25 / math.sqrt(2), "c": 0.25 / math.sqrt(2)})
    hub = [("hub", f"leaf{number}", 1.0) for number in range(16)]
    assert set(passed_on({"hub": 1.0}, hub).values()) == {0.125}
    # What is lit from many sides is lit more, and never above 1.
    assert passed_on({f"leaf{number}": 0.8 for number in range(16)}, hub) == {"hub": 1.0}


def test_what_is_weak_passes_nothing_on_and_few_do() -> None:
    assert firing({"a": THRESHOLD, "b": THRESHOLD - 1e-9}) == {"a": THRESHOLD}
    many = {f"m{number:03}": 0.1 + number / 1000 for number in range(3 * FIRING)}
    assert list(firing(many)) == sorted(many, reverse=True)[:FIRING]
    assert passed_on({}, [("a", "b", 1.0)]) == {}
