"""Relevance with the numbers of the registry: any space, never time; weights and thresholds."""

from __future__ import annotations

import pytest

from engramforge.core.ranking.relevance import high_of, relevance_score
from engramforge.model.spaces import REGISTRY, Space


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
    assert relevance_score({space: 0.2}) == 0


def test_scores_add_up_and_nothing_below_high_counts() -> None:
    similarities = {Space.SEMANTIC: 0.80, Space.SPARSE_LEXICAL: 0.59, Space.LATE_INTERACTION: 0.90}
    assert relevance_score(similarities) == pytest.approx(0.05 + 0.75 * 0.20)
    assert relevance_score({Space.SEMANTIC: 0.75, Space.SPARSE_LEXICAL: 0.60}) == 0


def test_temporal_spaces_never_make_relevant() -> None:
    times = [row.space for row in REGISTRY if not row.takes_part_in_relevance]
    assert len(times) == 3
    similarities = dict.fromkeys(times, 1.0)
    assert relevance_score(similarities) == 0
    assert all(high_of(space, dict.fromkeys(times, 0.1)) is None for space in times)


def test_thresholds_are_settings() -> None:
    lower = {Space.SEMANTIC: 0.5}
    assert relevance_score({Space.SEMANTIC: 0.6}, lower) == pytest.approx(0.1)
