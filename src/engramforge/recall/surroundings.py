"""The memories around one: the newest others of its project, which its surprise is measured against.

memory -> its position -> its embedding; its project -> newest positions -> memories and embeddings
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from engramforge.indexing.comparing import NO_ENTITY_VECTORS, EntityVectors
from engramforge.model.embeddings.active_encoders import MemoryGraph
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import AsOf
from engramforge.store.door import Door

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLED: Final = 1_000
"""How many of the newest memories of a project count as what is around one."""
MOST_LINKS: Final = 1_000
"""How many links beside its own a memory's links are measured against."""


@dataclass(frozen=True, slots=True)
class LinkSample:
    """Some links of a scope as vectors.

    Parameters
    ----------
    heads, tails : float32, shape (m, d): E8 of both ends, unit length.
    relations : int32, shape (m,).
    own : bool, shape (m,): which begin or end at the memory asked about.
    """

    heads: NDArray[np.float32]
    tails: NDArray[np.float32]
    relations: NDArray[np.int32]
    own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A memory and what is around it.

    Parameters
    ----------
    memory, embedding : the one asked about; None where the store holds no embedding of it.
    memories, embeddings : the others, alike long, newest first.
    links : in E8; None where the memory has no link, or no vector.
    entities : E11's vectors of the names that any of them mentions.
    """

    memory: Memory
    embedding: Embedding | None
    memories: tuple[Memory, ...]
    embeddings: tuple[Embedding, ...]
    links: LinkSample | None = None
    entities: EntityVectors = NO_ENTITY_VECTORS


def surroundings_of(
    door: Door, scope: Scope, memory: Memory, now: datetime, limit: int = SAMPLED
) -> Surroundings:
    """A memory with its embedding, and up to `limit` of the newest other memories of its project that hold now."""
    own = door.places_of(scope, [memory.id]).get(memory.id)
    within = scope.within(memory.project)
    around = door.positions(within, Selection(as_of=AsOf(now, now)), limit + 1)
    held = door.fetch_at(within, around)
    signals = door.signals(within, np.array([*around.tolist(), *([] if own is None else [own])], np.int64))
    others = [
        position
        for position in around.tolist()
        if position in held and position in signals and held[position].logical_id != memory.logical_id
    ][:limit]
    embedding = None if own is None else signals.get(own)
    embeddings = tuple(signals[position] for position in others)
    named = (*embeddings, *([embedding] if embedding is not None else []))
    names = sorted({name for each in named for name in each.entities})
    return Surroundings(
        memory,
        embedding,
        tuple(held[position] for position in others),
        embeddings,
        _links(door.graph(scope), door, scope, memory),
        EntityVectors.of(door.entities(scope, names)) if names else NO_ENTITY_VECTORS,
    )


def _links(graph: MemoryGraph, door: Door, scope: Scope, memory: Memory) -> LinkSample | None:
    """The memory's links and up to a thousand others, spread evenly, whose both ends have a vector."""
    if memory.logical_id not in graph.logical_ids:
        return None
    node = graph.logical_ids.index(memory.logical_id)
    own = (graph.sources == node) | (graph.targets == node)
    others = np.flatnonzero(~own)
    others = others[np.linspace(0, len(others) - 1, min(MOST_LINKS, len(others))).astype(np.int64)]
    chosen = np.concatenate((np.flatnonzero(own), others))
    nodes = np.concatenate((graph.sources[chosen], graph.targets[chosen]))
    positions = np.fromiter(dict.fromkeys(graph.positions[nodes].tolist()), np.int64)
    parts = {
        position: each.parts[Space.GRAPH]
        for position, each in door.signals(scope, positions).items()
        if Space.GRAPH in each.parts
    }
    at = graph.positions.tolist()
    mine = parts.get(at[node])
    if mine is None:
        return None
    kept = [
        link
        for link in chosen.tolist()
        if all(
            (end := parts.get(at[place])) is not None and end.encoder == mine.encoder
            for place in (int(graph.sources[link]), int(graph.targets[link]))
        )
    ]
    if not kept:
        return None

    def unit(ends: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.array([parts[at[int(end)]].values.ravel() for end in ends[kept]], np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)

    return LinkSample(unit(graph.sources), unit(graph.targets), graph.relations[kept], own[kept])
