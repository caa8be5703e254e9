"""Reading the registry of lineage: edges by id and filters, and the path to and from a conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engramforge.errors import NotFound
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.lineage import Direction, LineageEdge
from engramforge.model.scope import Scope
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.lineage.lineage_view import edge_of

LONGEST = 100_000
"""The most edges that are read for a whole path."""


class LineageReading(EntryReading[LineageEdge]):
    """Finds and shows lineage edges."""

    kind = Kind.LINEAGE

    def _view(self, _scope: Scope, _edges: Sequence[Memory]) -> Callable[[Memory, float | None], LineageEdge]:
        return edge_of

    def recorded(self, scope: Scope, edge_id: str | None) -> Memory | None:
        """The edge that a compression recorded under this global id; None where the store has none that stands."""
        if not edge_id:
            return None
        query = EntryQuery(kind=Kind.LINEAGE, entry_ids=(edge_id,), limit=1)
        return next(iter(self.door.asking(scope).entries(query)), None)

    def trace(self, scope: Scope, conversation: str, direction: Direction, limit: int) -> list[LineageEdge]:
        """The edges that lead to a conversation and on from it, the oldest ancestor's first; a query each way.

        `limit`: of each way; the nearest are kept.
        """
        found: list[Any] = []
        if direction is not Direction.DESCENDANTS:
            found += reversed(self.door.asking(scope).lineage(conversation, backward=True, limit=limit))
        if direction is not Direction.ANCESTORS:
            found += self.door.asking(scope).lineage(conversation, backward=False, limit=limit)
        # Replaced in place, so that the raw rows are freed at once: keeping a long chain twice triggers the garbage
        # collector.
        for place, each in enumerate(found):
            found[place] = edge_of(each)
        return found

    def way(self, scope: Scope, source: str, target: str) -> list[LineageEdge]:
        """The shortest path from a conversation to one that continues it; of several edges the newest.

        Raises NotFound where there is none.
        """
        back = [
            edge_of(edge) for edge in self.door.asking(scope).lineage(target, backward=True, limit=LONGEST)
        ]
        nearest = _nearest(back, target)
        if source not in nearest or source == target:
            raise self._apart(scope, source, target)
        leaving: dict[str, list[LineageEdge]] = {}
        for edge in back:
            leaving.setdefault(edge.source_conversation_id, []).append(edge)
        way: list[LineageEdge] = []
        here = source
        while here != target:
            best = min(
                leaving[here],
                key=lambda edge: (nearest[str(edge.target_conversation_id)], -edge.compressed_at.timestamp()),
            )
            way.append(best)
            here = str(best.target_conversation_id)
        return way

    def _apart(self, scope: Scope, source: str, target: str) -> NotFound:
        other = self.door.asking(scope).lineage(source, backward=True, limit=LONGEST)
        if any(edge_of(edge).source_conversation_id == target for edge in other):
            return NotFound(
                f"The conversation {target!r} does not go on from {source!r}, but the other way round",
                f"Ask for the bridge from {target!r} to {source!r}",
            )
        return NotFound(
            f"No lineage leads from the conversation {source!r} to {target!r}",
            "Trace one of them to see what it is linked to, or link them",
        )


def _nearest(back: list[LineageEdge], target: str) -> dict[str, int]:
    """The number of edges between each conversation and the target."""
    into: dict[str, list[str]] = {}
    for edge in back:
        into.setdefault(str(edge.target_conversation_id), []).append(edge.source_conversation_id)
    far = {target: 0}
    wave, distance = [target], 0
    while wave:
        distance += 1
        wave = list(dict.fromkeys(each for here in wave for each in into.get(here, ()) if each not in far))
        far.update(dict.fromkeys(wave, distance))
    return far
