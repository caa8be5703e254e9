"""Which of what a stream found has little to do with its question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engramforge.core.streams.activation import far_below
from engramforge.model.scope import Level
from engramforge.model.streams.stream import LevelItems, StreamItem
from engramforge.model.streams.ways import Way


def far_away(levels: Mapping[Level, LevelItems]) -> frozenset[str]:
    """The memories, by logical id, that have little to do with the question: no version of them answers it, or is near
    to the best of what its words find, or to the best of what links lead to from there."""
    scales: dict[Way, dict[str, float]] = {way: {} for way in (Way.VECTOR, Way.GRAPH, Way.SPREAD)}
    for way, each in _on_scales(levels):
        one = each.memory.logical_id
        scales[way][one] = max(scales[way].get(one, 0.0), each.relevance)
    return far_below(*scales.values()) - _answering(levels)


def _on_scales(levels: Mapping[Level, LevelItems]) -> Iterator[tuple[Way, StreamItem]]:
    """Every item with the scale on which its relevance stands."""
    for held in levels.values():
        for way, items in ((Way.VECTOR, held.vector), (Way.GRAPH, held.graph), (Way.SPREAD, held.spread)):
            for each in items:
                # A mention alone counts as near as its memory is to the question.
                yield Way.VECTOR if each.path is not None and each.path.is_of_rows else way, each


def _answering(levels: Mapping[Level, LevelItems]) -> frozenset[str]:
    return frozenset(
        each.memory.logical_id for held in levels.values() for each in held.items if each.answers
    )
