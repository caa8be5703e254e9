"""Resonances across projects: what exhaustive comparison finds, at far fewer comparisons, and the clusters of pairs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.lenses.entangling import NEIGHBOURS, clusters_of, neighbours_across


def some(n: int, projects: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Vectors around a few dozen directions, in projects."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(max(n // 20, 2), 32))
    vectors = centres[rng.integers(len(centres), size=n)] + 0.6 * rng.normal(size=(n, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32), rng.integers(projects, size=n)


def exhaustive(vectors: np.ndarray, projects: np.ndarray, least: float) -> set[tuple[int, int]]:
    cosines = vectors @ vectors.T
    cosines[projects[:, None] == projects[None, :]] = -np.inf
    cosines[cosines < least] = -np.inf
    near = np.argsort(-cosines, axis=1, kind="stable")[:, :NEIGHBOURS]
    found = {(at, int(to)) for at, row in enumerate(near) for to in row if np.isfinite(cosines[at, to])}
    return {(one, other) for one, other in found if one < other and (other, one) in found}


def test_most_of_what_exhaustive_comparison_finds_is_found() -> None:
    vectors, projects = some(2_000, 6)
    everything = np.ones(len(vectors), np.bool_)
    pairs, cosines = neighbours_across(vectors, projects, everything, 0.5, np.random.default_rng(7))
    wanted = exhaustive(vectors, projects, 0.5)
    found = set(map(tuple, pairs.tolist()))
    assert len(found & wanted) >= 0.9 * len(wanted) > 100
    for (one, other), cosine in zip(pairs.tolist(), cosines.tolist(), strict=True):
        assert one < other and projects[one] != projects[other]
        assert cosine == pytest.approx(float(vectors[one] @ vectors[other]), abs=1e-5) and cosine >= 0.5


def test_only_the_fresh_are_compared() -> None:
    vectors, projects = some(600, 3)
    fresh = np.zeros(600, np.bool_)
    fresh[500:] = True
    pairs, _ = neighbours_across(vectors, projects, fresh, 0.5, np.random.default_rng(7))
    assert len(pairs) and (pairs.max(axis=1) >= 500).all()
    nothing = np.zeros(600, np.bool_)
    assert len(neighbours_across(vectors, projects, nothing, 0.5, np.random.default_rng(7))[0]) == 0


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_memories_are_compared_as_well(n: int) -> None:
    vectors = np.ones((n, 4), np.float32) / 2
    pairs, _ = neighbours_across(vectors, np.arange(n), np.ones(n, np.bool_), 0.5, np.random.default_rng(7))
    assert len(pairs) == n * (n - 1) // 2


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60), st.randoms())
def test_clusters_do_not_depend_on_the_order_of_pairs(pairs: list[tuple[int, int]], rng: Random) -> None:
    named = [(f"{one:02}", f"{other:02}") for one, other in pairs if one != other]
    found = clusters_of(named)
    shuffled = list(named)
    rng.shuffle(shuffled)
    assert clusters_of(shuffled) == found
    members = [each for cluster in found for each in cluster]
    assert len(members) == len(set(members)) and set(members) == {each for pair in named for each in pair}
    # On from what stood before is the same as all at once.
    half = len(named) // 2
    assert clusters_of(named[half:], before=clusters_of(named[:half])) == found
