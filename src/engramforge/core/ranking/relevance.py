"""Relevance: a flag and an explanation, never the ranking.

It reads calibrated similarities, so it needs no query and no memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from engramforge.model.spaces import ROW_BY_SPACE, Space


def relevance_score(similarities: Mapping[Space, float], highs: Mapping[Space, float] | None = None) -> float:
    """sum(category weight x relevance weight x max(0, c - high)) of one memory, not negative.

    `similarities`: calibrated, of the spaces that compared; abstaining ones are left out. `highs`: in place of the
    registry's.
    """
    score = 0.0
    for space, similarity in similarities.items():
        if (high := high_of(space, highs)) is not None:
            row = ROW_BY_SPACE[space]
            score += row.category_weight * row.relevance_weight * max(0.0, similarity - high)
    return score


def high_of(space: Space, highs: Mapping[Space, float] | None = None) -> float | None:
    """The threshold above which a space counts as similar; None where it takes no part in relevance."""
    row = ROW_BY_SPACE[space]
    return (highs or {}).get(space, row.high) if row.takes_part_in_relevance else None
