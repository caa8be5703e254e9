"""The surroundings of a memory: the newest others of its project, against which its surprise is measured.

memory -> its position -> its embedding; its project -> newest positions -> memories and embeddings
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from engramforge.core.arrays.vectors import unit
from engramforge.indexing.comparing import NO_ENTITY_VECTORS, EntityVectors
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
"""How many of the newest memories of a project count as surroundings."""
MOST_LINKS: Final = 1_000
"""How many other links a memory's links are measured against."""


@dataclass(frozen=True, slots=True)
class LinkSample:
    """Some links of a scope as vectors.

    `heads`, `tails`: float32, shape (m, d): E8 of both ends, unit length. `relations`: int32, shape (m,). `own`: bool,
    shape (m,): which begin or end at the memory asked about.
    """

    heads: NDArray[np.float32]
    tails: NDArray[np.float32]
    relations: NDArray[np.int32]
    own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A memory and its surroundings.

    Parameters
    ----------
    memory, embedding : the one asked about; None where the store holds no embedding of it.
    memories, embeddings : the others, of equal length, newest first.
    links : in E8; None if the memory has no link or no vector.
    entities : E11's vectors of the names that any of them mentions.
    """

    memory: Memory
    embedding: Embedding | None
    memories: tuple[Memory, ...]
    embeddings: tuple[Embedding, ...]
    links: LinkSample | None = None
    entities: EntityVectors = NO_ENTITY_VECTORS


def surroundings_of(door: Door, scope: Scope, memory: Memory, now: datetime) -> Surroundings:
    """A memory with its embedding, and up to `SAMPLED` of the newest others of its project that hold now."""
    within = scope.within(memory.project)
    around = door.asking(within).positions(Selection(as_of=AsOf(now, now)), SAMPLED + 1)
    with door.asking(scope) as view:
        held = view.fetch_at(around)
        others = [each for each in around.tolist() if each in held]
        others = [each for each in others if held[each].logical_id != memory.logical_id][:SAMPLED]
        own = view.places_of([memory.id]).get(memory.id)
        asked = [*others, *([] if own is None else [own])]
        signals = view.signals(np.array(asked, np.int64), named=())
    found, entities = signals.embeddings, signals.entities
    others = [each for each in others if each in found]
    return Surroundings(
        memory,
        None if own is None else found.get(own),
        tuple(held[each] for each in others),
        tuple(found[each] for each in others),
        _links(door, scope, memory),
        NO_ENTITY_VECTORS if entities is None else EntityVectors.of(entities),
    )


def _links(door: Door, scope: Scope, memory: Memory) -> LinkSample | None:
    """The memory's links and up to a thousand others, spread evenly, with vectors at both ends."""
    graph = door.tending(scope).graph()
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
        for position, each in door.asking(scope).signals(positions).embeddings.items()
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

    def vectors(ends: NDArray[np.int64]) -> NDArray[np.float32]:
        return unit(np.array([parts[at[int(end)]].values.ravel() for end in ends[kept]], np.float32))

    return LinkSample(vectors(graph.sources), vectors(graph.targets), graph.relations[kept], own[kept])
