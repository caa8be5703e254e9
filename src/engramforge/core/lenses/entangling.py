"""Resonances between memories of different projects, and the clusters that they make.

Comparing each with each grows with the square of the memories. So some of them, as many as the root of their number,
are taken as pivots; each memory belongs to the cells of its nearest few pivots, and is compared with those in its cells
alone. A resonance is between two memories that are among the nearest of each other; its clusters are what resonances
connect (union-find, spec chapter 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

NEIGHBOURS: Final = 3
"""How many of the nearest in other projects may resonate with a memory: more would connect everything."""
_CELLS: Final = 3
_BLOCK: Final = 4_096

Pairs = NDArray[np.int64]
Floats = NDArray[np.float32]


def neighbours_across(
    vectors: Floats,
    projects: NDArray[np.int64],
    fresh: NDArray[np.bool_],
    least: float,
    rng: np.random.Generator,
    most: int = NEIGHBOURS,
    is_mutual: bool = True,
) -> tuple[Pairs, Floats]:
    """Pairs of memories of different projects that are among the nearest of each other, and their cosines.

    Parameters
    ----------
    vectors : shape (n, d), unit length.
    projects : shape (n,).
    fresh : shape (n,), those that are compared; of a pair with another, only the fresh one need be nearest.
    least : the least cosine.
    rng : which are pivots.
    most : how many of the nearest count. is_mutual : whether each has to be among those of the other.

    Returns pairs, shape (m, 2), the first before the second, and cosines, shape (m,).
    """
    n = len(vectors)
    if n < 2 or not fresh.any():
        return np.empty((0, 2), np.int64), np.empty(0, np.float32)
    cells = _cells(vectors, rng)
    near = np.full((n, most), -1, np.int64)
    cosines = np.full((n, most), -np.inf, np.float32)
    for members in cells:
        rows = members[fresh[members]]
        for begin in range(0, len(rows), _BLOCK):
            some = rows[begin : begin + _BLOCK]
            compared = vectors[some] @ vectors[members].T
            compared[projects[some][:, None] == projects[members][None, :]] = -np.inf
            compared[compared < least] = -np.inf
            _keep_nearest(near, cosines, some, members, compared)
    return _paired(near, cosines, fresh, is_mutual)


def _cells(vectors: Floats, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """The rows in the cell of each pivot."""
    n = len(vectors)
    pivots = vectors[np.sort(rng.choice(n, max(int(np.sqrt(n)), 1), replace=False))]
    most = min(_CELLS, len(pivots))
    nearest = np.empty((n, most), np.int64)
    for begin in range(0, n, _BLOCK):
        compared = vectors[begin : begin + _BLOCK] @ pivots.T
        nearest[begin : begin + _BLOCK] = np.argpartition(-compared, most - 1, axis=1)[:, :most]
    order = np.argsort(nearest.ravel(), kind="stable")
    rows, cells = order // most, nearest.ravel()[order]
    ends = np.searchsorted(cells, np.arange(len(pivots)), side="right")
    return np.split(rows, ends[:-1])


def _keep_nearest(
    near: Pairs, cosines: Floats, rows: NDArray[np.int64], members: NDArray[np.int64], compared: Floats
) -> None:
    """Take the nearest of a cell in among those of the rows so far, each once."""
    width = near.shape[1]
    most = min(width, len(members))
    best = np.argpartition(-compared, most - 1, axis=1)[:, :most]
    found = members[best]
    values = np.take_along_axis(compared, best, axis=1)
    values[(found[:, :, None] == near[rows][:, None, :]).any(axis=2)] = -np.inf
    names = np.concatenate([near[rows], found], axis=1)
    all_values = np.concatenate([cosines[rows], values], axis=1)
    kept = np.argsort(-all_values, axis=1, kind="stable")[:, :width]
    near[rows] = np.take_along_axis(names, kept, axis=1)
    cosines[rows] = np.take_along_axis(all_values, kept, axis=1)


def _paired(near: Pairs, cosines: Floats, fresh: NDArray[np.bool_], is_mutual: bool) -> tuple[Pairs, Floats]:
    is_found = np.isfinite(cosines)
    one = np.repeat(np.arange(len(near)), near.shape[1])[is_found.ravel()]
    other = near[is_found]
    value = cosines[is_found]
    back = (near[other] == one[:, None]) & is_found[other]
    kept = back.any(axis=1) | ~fresh[other] | (not is_mutual)
    pairs = np.stack([np.minimum(one, other), np.maximum(one, other)], axis=1)[kept]
    distinct, places = np.unique(pairs, axis=0, return_index=True)
    return distinct, value[kept][places]


def clusters_of(
    pairs: Iterable[tuple[str, str]], before: Iterable[Sequence[str]] = ()
) -> list[tuple[str, ...]]:
    """What pairs connect, on from clusters that stood before: the largest first, its members ascending.

    >>> clusters_of([("a", "b"), ("c", "d"), ("b", "e")])
    [('a', 'b', 'e'), ('c', 'd')]
    >>> clusters_of([("b", "c")], before=[("a", "b")])
    [('a', 'b', 'c')]
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        root = name
        while (up := above.setdefault(root, root)) != root:
            root = up
        while above[name] != root:
            above[name], name = root, above[name]
        return root

    chains = (pair for each in before for pair in pairwise(each))
    for one, other in (*chains, *pairs):
        above[top(one)] = top(other)
    together: dict[str, list[str]] = {}
    for name in above:
        together.setdefault(top(name), []).append(name)
    found = [tuple(sorted(each)) for each in together.values() if len(each) > 1]
    return sorted(found, key=lambda each: (-len(each), each))
