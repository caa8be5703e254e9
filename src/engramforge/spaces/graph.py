"""E8: where a memory stands among the links, by FastRP over the graph of links.

This depends on links, not on text, so nothing is encoded when a memory is written: upkeep encodes the graph after links
have changed. Memories without links abstain, and so do questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.projections import Adjacency, FastRPOptions, fast_rp
from engramforge.core.arrays.seeded import seeds_of
from engramforge.core.arrays.vectors import quantised, unit
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Item, Similarities, Symmetric

if TYPE_CHECKING:
    from engramforge.model.embeddings.encoder_spec import MemoryGraph
    from engramforge.model.embeddings.part import Asked, Values

OPTIONS: Final = FastRPOptions()


class GraphEncoder(Symmetric):
    """E8; a `PartEncoder` that abstains for every item, since an item alone has no links."""

    row = ROW_BY_SPACE[Space.GRAPH]
    id = f"fastrp-1/{OPTIONS.size}"
    shape = (1, OPTIONS.size)
    hops = len(OPTIONS.steps) - 1
    """How far a changed link is felt."""

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """None for each."""
        return [None for _ in items]

    def encode_query(self, item: Item) -> None:
        """Abstains."""

    def encode_graph(self, graph: MemoryGraph, only: NDArray[np.int64] | None = None) -> list[Values | None]:
        """int8, shape (1, size), of each node, or of those in `only`, ascending; None for one without links."""
        found = quantised(fast_rp(seeds_of(graph.logical_ids, "node"), adjacency_of(graph), OPTIONS, only))
        return [row[None].copy() if row.any() else None for row in found]

    def compare(self, asked: Asked, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """1 / (1 + d) of the distance d of unit vectors, 0..2: in [1/3, 1]; 0.414 where nothing is shared.

        TransE's distance ||h + r - t|| with no relation asked, so r = 0; that makes it symmetric.
        """
        others = unit(values[:, 0].astype(np.float32))
        distance = np.linalg.norm(others - unit(asked.astype(np.float32))[0], axis=1)
        some = present & (values != 0).any(axis=(1, 2))
        return Similarities.where(some, (1 / (1 + distance)).astype(np.float32))


def adjacency_of(graph: MemoryGraph) -> Adjacency:
    """The graph's links, whatever their direction."""
    return Adjacency(len(graph.logical_ids), graph.sources, graph.targets, graph.weights)
