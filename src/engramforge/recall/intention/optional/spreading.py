"""A third way, where it is asked for: activation that spreads from the nearest hits along links.

    hits -> their similarities -> links at what is active -> what they lead to -> again, three steps -> memories by what
    they received

Source: core/streams/spreading; document 003, "Hybrid Spreading Activation".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from engramforge.core.streams.spreading import STEPS, firing, passed_on
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import StreamItem
from engramforge.model.streams.ways import Way
from engramforge.recall.intention.fitting import has_room
from engramforge.store.door import Door, View

SEEDS: Final = 10
"""From how many hits activation spreads, the nearest."""
FAN_OUT: Final = 20
"""Links at a memory in each direction, the strongest."""


def spread(
    door: Door, scope: Scope, intention: RetrievalIntention, hits: Sequence[Hit]
) -> dict[Level, list[StreamItem]]:
    """What activation reached, by level, the most active first. `hits`: what was found in all levels."""
    nearest = sorted(hits, key=lambda each: -each.parts.similarity)[:SEEDS]
    active = {each.memory.logical_id: min(1.0, each.parts.similarity) for each in nearest}
    items: dict[Level, list[StreamItem]] = {level: [] for level in intention.query_levels}
    with door.asking(scope) as view:
        received, places = _received(view, intention, active)
        for one, memory in _fetched(view, received, places):
            if has_room(items, memory, intention):
                items[memory.level].append(StreamItem.of(memory, Way.SPREAD, received[one]))
    return items


def _received(
    view: View, intention: RetrievalIntention, active: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, int]]:
    """What memories received at most in a step, and the positions of those that hold."""
    received: dict[str, float] = {}
    places: dict[str, int] = {}
    for _ in range(STEPS):
        active = firing(active)
        if not active:
            break
        met = view.steps(intention.selection, list(active), FAN_OUT)
        ends = {end for each in met for end in (each.source_id, each.target_id)}
        places |= view.held(intention.selection, sorted(ends - places.keys()))
        edges = [
            (each.source_id, each.target_id, each.energy)
            for each in met
            if {each.source_id, each.target_id} <= places.keys()
        ]
        active = passed_on(active, edges)
        for one, value in active.items():
            received[one] = max(value, received.get(one, 0.0))
    return received, places


def _fetched(
    view: View, received: Mapping[str, float], places: Mapping[str, int]
) -> list[tuple[str, Memory]]:
    """The memories that received something, most of it first."""
    ordered = sorted(received, key=lambda one: (-received[one], one))
    memories = view.fetch_at(np.array([places[one] for one in ordered], np.int64))
    return [(one, memories[places[one]]) for one in ordered if places[one] in memories]
