"""Groups that become fewer: average linkage (Sokal and Michener 1958)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def linked(
    likeness: NDArray[np.floating[Any]], sizes: NDArray[np.floating[Any]]
) -> Iterator[tuple[int, int, float]]:
    """Two groups at a time become one, those most alike first: the one that grows, the one that is gone, and how alike
    they are; until one is left.

    Parameters
    ----------
    likeness : shape (n, n), symmetric, of n groups; the diagonal does not count.
    sizes : shape (n,), above 0: a group counts as often as it has members.

    >>> list(linked(np.array([[1, 0.8, 0.2], [0.8, 1, 0.5], [0.2, 0.5, 1]]), np.ones(3)))
    [(0, 1, 0.8), (0, 2, 0.35)]
    """
    alike, sizes = likeness.copy(), sizes.copy()
    np.fill_diagonal(alike, -np.inf)
    for _ in range(len(alike) - 1):
        one, other = divmod(int(alike.argmax()), len(alike))
        yield one, other, float(alike[one, other])
        mean = (alike[one] * sizes[one] + alike[other] * sizes[other]) / (sizes[one] + sizes[other])
        alike[one], alike[:, one] = mean, mean
        alike[other], alike[:, other], alike[one, one] = -np.inf, -np.inf, -np.inf
        sizes[one] += sizes[other]
