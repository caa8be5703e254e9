"""Relevance with the numbers of chapter 2: any space, never time; weights; the correction for large
scopes."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.ranking.relevance import SpaceResult, assess, high_of, is_relevant, relevance_score
from engramforge.core.similarity.calibration import Calibrated
from engramforge.model.spaces import REGISTRY, Space


def result(
    similarity: list[float], log_tail: list[float] | None = None, present: list[bool] | None = None
) -> SpaceResult:
    tails = np.array(log_tail if log_tail is not None else [np.log(1e-3)] * len(similarity))
    there = np.array(present if present is not None else [True] * len(similarity))
    return SpaceResult(Calibrated(np.array(similarity), tails), there)


@pytest.mark.parametrize(
    ("space", "similarity", "score"),
    [
        (Space.SEMANTIC, 0.85, 1.0 * 1.0 * 0.10),
        (Space.CAUSAL, 0.90, 1.0 * 0.9 * 0.20),
        (Space.SPARSE_LEXICAL, 0.80, 1.0 * 0.7 * 0.20),
        (Space.CODE, 0.90, 1.0 * 0.85 * 0.10),
        (Space.GRAPH, 0.75, 0.5 * 0.6 * 0.10),
        (Space.HYPERDIMENSIONAL, 0.80, 0.5 * 0.5 * 0.10),
        (Space.MULTIMODAL, 0.80, 1.0 * 0.8 * 0.10),
        (Space.ENTITY, 0.85, 0.5 * 0.6 * 0.20),
        (Space.LATE_INTERACTION, 0.80, 1.0 * 0.75 * 0.10),
        (Space.SPARSE_EXPANSION, 0.70, 1.0 * 0.7 * 0.10),
    ],
)
def test_a_space_adds_its_weighted_excess(space: Space, similarity: float, score: float) -> None:
    assert relevance_score({space: similarity}) == pytest.approx(score)
    assert is_relevant({space: similarity})
    both = assess({space: result([similarity, 0.2])})
    assert both.score == pytest.approx([score, 0])
    assert both.relevant.tolist() == [True, False]


def test_scores_add_up_and_nothing_below_high_counts() -> None:
    similarities = {Space.SEMANTIC: 0.80, Space.SPARSE_LEXICAL: 0.59, Space.LATE_INTERACTION: 0.90}
    assert relevance_score(similarities) == pytest.approx(0.05 + 0.75 * 0.20)
    assert not is_relevant({Space.SEMANTIC: 0.75, Space.SPARSE_LEXICAL: 0.60})
    assert relevance_score({Space.SEMANTIC: 0.75}) == 0


def test_temporal_spaces_never_make_relevant() -> None:
    times = [row.space for row in REGISTRY if not row.takes_part_in_relevance]
    assert len(times) == 3
    similarities = dict.fromkeys(times, 1.0)
    assert relevance_score(similarities) == 0
    assert not is_relevant(similarities)
    assert all(high_of(space, dict.fromkeys(times, 0.1)) is None for space in times)
    judged = assess({space: result([1.0], [-50.0]) for space in times})
    assert not judged.relevant.any()
    assert not judged.corrected.any()


def test_abstaining_is_not_zero_similarity() -> None:
    judged = assess({Space.SEMANTIC: result([0.9, 0.9], present=[True, False])})
    assert judged.relevant.tolist() == [True, False]
    assert judged.score == pytest.approx([0.15, 0])


def test_thresholds_are_settings() -> None:
    lower = {Space.SEMANTIC: 0.5}
    assert is_relevant({Space.SEMANTIC: 0.6}, lower)
    assert relevance_score({Space.SEMANTIC: 0.6}, lower) == pytest.approx(0.1)


def test_a_large_scope_asks_for_a_rare_hit() -> None:
    # 10,000 memories in one space: p = 1e-4 is one false hit expected, p = 2e-4 are two.
    judged = assess({Space.SEMANTIC: result([0.8, 0.8], [np.log(1e-4), np.log(2e-4)])}, scope_size=10_000)
    assert judged.relevant.tolist() == [True, True]
    assert judged.corrected.tolist() == [True, False]


def test_active_spaces_count_in_the_correction() -> None:
    two = {
        Space.SEMANTIC: result([0.8], [np.log(1e-4)]),
        Space.LATE_INTERACTION: result([0.1], [np.log(0.5)]),
    }
    assert not assess(two, scope_size=10_000).corrected[0]
    assert assess(two, scope_size=5_000).corrected[0]


def test_two_families_outweigh_a_large_scope_and_one_family_does_not() -> None:
    tail = [np.log(9e-4)]
    kin = {Space.SEMANTIC: result([0.8], tail), Space.LATE_INTERACTION: result([0.8], tail)}
    others = {Space.SEMANTIC: result([0.8], tail), Space.SPARSE_EXPANSION: result([0.8], tail)}
    assert not assess(kin, scope_size=1_000_000).corrected[0]
    assert assess(others, scope_size=1_000_000).corrected[0]


def test_nothing_compared_is_nothing_relevant() -> None:
    judged = assess({})
    assert len(judged.relevant) == len(judged.score) == len(judged.corrected) == 0
