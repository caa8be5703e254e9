"""FastRP: nodes of a graph as vectors, near where their neighbourhoods overlap.

Source: Chen, Sultan, Tian, Chen, Skiena: Fast and Accurate Network Embeddings via Very Sparse Random Projection (CIKM
2019). Each node starts from a very sparse random vector seeded by its name, so it does not change when others come and
go; the averages over its neighbours, over theirs, and so on are added. Links count in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engramforge.core.arrays.ragged import spans
from engramforge.core.arrays.seeded import numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

_STEPWISE: Final = 64
"""Up to this many neighbours of all nodes are added rank by rank; the rest of a hub's are added node by node."""
_HUB_ROWS: Final = 8_192
_BLOCK_ROWS: Final = 1_024
_LEAST_WEIGHT: Final = np.float32(0.05)


@dataclass(frozen=True, slots=True)
class FastRPOptions:
    """How to project.

    Parameters
    ----------
    size : dimension.
    steps : weight of the node's own vector, of its neighbours' average, of theirs, and so on: the paper's alphas.
    hub_power : each node's vector counts by its degree to this power, so that hubs do not swamp others; the paper's
        beta, with the constant 2m left out, which the normalisation of each step cancels.
    sparsity : a share of 1 / sparsity of each random vector is not 0; the paper's s.
    """

    size: int = 384
    steps: tuple[float, ...] = (0.25, 1.0, 1.0, 0.5)
    hub_power: float = -0.5
    sparsity: int = 3


class Adjacency:
    """The neighbours of n nodes.

    `count`: n. `sources`, `targets`: int64, shape (m,): places of both ends; a link from a node to itself is ignored.
    `weights`: float32, shape (m,): at least 0; values below 0.05 count as 0.05.
    """

    def __init__(self, count: int, sources: Places, targets: Places, weights: Floats) -> None:
        apart = sources != targets
        sources, targets, weights = sources[apart], targets[apart], np.maximum(weights[apart], _LEAST_WEIGHT)
        ends, others = np.concatenate((sources, targets)), np.concatenate((targets, sources))
        both = np.concatenate((weights, weights)).astype(np.float32)
        order = np.lexsort((both, others, ends))
        self.count = count
        self.neighbours = others[order]
        self.sizes = np.bincount(ends, minlength=count).astype(np.int64)
        self.begins = np.cumsum(self.sizes) - self.sizes
        self.degrees = np.bincount(ends[order], weights=both[order], minlength=count)
        shares = both[order] / self.degrees[ends[order]]
        self.shares: Floats = shares.astype(np.float32)

    def around(self, nodes: Places) -> Places:
        """The nodes and their neighbours, ascending."""
        places, _ = spans(self.begins[nodes], self.begins[nodes] + self.sizes[nodes])
        found = np.zeros(self.count, np.bool_)
        found[nodes] = True
        found[self.neighbours[places]] = True
        return np.flatnonzero(found)

    def within(self, nodes: Places, hops: int) -> Places:
        """The nodes at most `hops` away, ascending."""
        found = np.sort(nodes)
        for _ in range(hops):
            found = self.around(found)
        return found


def fast_rp(
    seeds: NDArray[np.uint64],
    links: Adjacency,
    options: FastRPOptions | None = None,
    only: Places | None = None,
) -> Floats:
    """Unit vectors of the nodes, float32, shape (n, size); zero for a node without links.

    `seeds`: uint64, shape (n,): of each node's name. `only`: nodes whose vectors are wanted, equal to those of a full
    pass; None for all. After a change of links only what is within len(steps) - 1 hops of their ends, in the graph
    before or after, has another vector.
    """
    chosen = options or FastRPOptions()
    rows = np.arange(links.count) if only is None else np.sort(only)
    layers = [rows]
    for _ in chosen.steps[1:]:
        layers.append(layers[-1] if only is None else links.around(layers[-1]))
    layers.reverse()
    held = _projections(seeds, links, layers[0], chosen)
    total = np.zeros((len(rows), chosen.size), np.float32)
    for number, weight in enumerate(chosen.steps):
        if number:
            held = _averages(held, links, layers[number - 1], layers[number])
        if weight:
            part = held[np.searchsorted(layers[number], rows)] if only is not None else held
            total += part * _inverse_lengths(part, weight)
    total *= _inverse_lengths(total)
    total[links.sizes[rows] == 0] = 0
    return total


def _projections(
    seeds: NDArray[np.uint64], links: Adjacency, nodes: Places, options: FastRPOptions
) -> Floats:
    """Very sparse random vectors: -1, 0 or 1 times a power of the degree; a byte of the seed decides each."""
    found = np.empty((len(nodes), options.size), np.float32)
    least = 128 // options.sparsity
    scale = (np.maximum(links.degrees[nodes], 1e-9) ** options.hub_power).astype(np.float32)
    for begin in range(0, len(nodes), _BLOCK_ROWS):
        part = slice(begin, begin + _BLOCK_ROWS)
        drawn = (
            numbers(seeds[nodes[part]], -(-options.size // 8)).astype("<u8").view(np.uint8)[:, : options.size]
        )
        signs = (drawn >= 256 - least).astype(np.int8) - (drawn < least).astype(np.int8)
        np.multiply(signs, scale[part, None], out=found[part])
    return found


def _averages(held: Floats, links: Adjacency, before: Places, nodes: Places) -> Floats:
    """The weighted mean of each node's neighbours; `held` has the vectors of `before`, which holds them all.

    Rank by rank: the first neighbours of all nodes at once, then the second, so that no array as large as the links is
    needed. A node's terms are always added in the same order, whichever nodes are asked for.
    """
    found = np.empty((len(nodes), held.shape[1]), np.float32)
    order = np.argsort(-links.sizes[nodes], kind="stable")
    place_of = _places(before, links.count)
    for begin in range(0, len(nodes), _BLOCK_ROWS):
        block = order[begin : begin + _BLOCK_ROWS]
        found[block] = _block_averages(held, links, place_of, nodes[block])
    return found


def _block_averages(held: Floats, links: Adjacency, place_of: Places, nodes: Places) -> Floats:
    """The means of nodes ordered by falling degree; a block fits in the processor's cache."""
    sizes, begins = links.sizes[nodes], links.begins[nodes]
    sums = np.zeros((len(nodes), held.shape[1]), np.float32)
    for rank in range(min(int(sizes.max(initial=0)), _STEPWISE)):
        live = int(np.searchsorted(-sizes, -rank, side="left"))
        at = begins[:live] + rank
        part = held[place_of[links.neighbours[at]]]
        part *= links.shares[at, None]
        sums[:live] += part
    for place in range(int(np.searchsorted(-sizes, -_STEPWISE, side="left"))):
        end = int(begins[place] + sizes[place])
        for begin in range(int(begins[place]) + _STEPWISE, end, _HUB_ROWS):
            at = np.arange(begin, min(begin + _HUB_ROWS, end))
            sums[place] += links.shares[at] @ held[place_of[links.neighbours[at]]]
    return sums


def _places(nodes: Places, count: int) -> Places:
    places = np.zeros(count, np.int64)
    places[nodes] = np.arange(len(nodes))
    return places


def _inverse_lengths(vectors: Floats, weight: float = 1.0) -> Floats:
    """Factors, shape (n, 1), that give each row the length `weight`; rows of zeros stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return (weight / np.where(lengths > 0, lengths, 1)).astype(np.float32)[:, None]
