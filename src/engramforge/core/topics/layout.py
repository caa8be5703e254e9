"""Points of many dimensions on a plane, near ones near: a map of topics.

    squared distances -> who is whose neighbour, by a perplexity -> places, from the two main directions on
        -> moved until neighbours on the plane are neighbours (t-SNE; van der Maaten and Hinton 2008)

Deterministic: it begins at the main directions, not at random.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
_STEPS: Final = 400
_EARLY: Final = 100
"""In so many first steps nearness counts more often, so that groups find together before they settle."""
_EXAGGERATED: Final = 4.0
_RATE: Final = 10.0
_NEIGHBOURS: Final = 8.0
"""The perplexity, or half of the others where those are few."""
_HALVINGS: Final = 40
"""In how many steps the width is found that has this perplexity."""


def places_of(vectors: NDArray[np.float32]) -> Doubles:
    """The place of each of n unit vectors, float64, shape (n, 2), each coordinate -1..1.

    >>> rng = np.random.default_rng(4)
    >>> points = np.repeat(rng.normal(size=(3, 16)), 5, axis=0) + 0.1 * rng.normal(size=(15, 16))
    >>> found = places_of(points.astype(np.float32))
    >>> apart = np.linalg.norm(found[:, None] - found[None], axis=2)
    >>> within = apart[np.arange(15) // 5 == (np.arange(15) // 5)[:, None]]
    >>> bool(within.max() < apart[0, 5:].min()), float(np.abs(found).max())
    (True, 1.0)
    """
    count = len(vectors)
    if count < 3:
        return np.array([[-1.0, 0.0], [1.0, 0.0]])[:count] * (count > 1)
    points = vectors.astype(np.float64)
    centred = points - points.mean(axis=0)
    _, _, main = np.linalg.svd(centred, full_matrices=False)
    places = centred @ main[:2].T
    if places.shape[1] < 2:
        places = np.hstack([places, np.zeros((count, 1))])
    places = places / max(float(places.std()), 1e-9) * 1e-2
    # Points that say the same begin apart.
    places += 1e-4 * np.stack([np.cos(np.arange(count)), np.sin(np.arange(count))], axis=1)
    near = _neighbourhood(points)
    speed = np.zeros_like(places)
    for step in range(_STEPS):
        speed = (0.5 if step < _EARLY else 0.8) * speed - _RATE * _pull(
            places, near * (_EXAGGERATED if step < _EARLY else 1.0)
        )
        places = places + speed
        places -= places.mean(axis=0)
    return np.asarray(places / max(float(np.abs(places).max()), 1e-9), np.float64)


def _pull(places: Doubles, near: Doubles) -> Doubles:
    """The gradient of how much neighbours on the plane differ from those of `near`, float64, shape (n, 2)."""
    apart = places[:, None] - places[None]
    heavy = 1 / (1 + (apart**2).sum(axis=2))
    np.fill_diagonal(heavy, 0)
    shares = np.maximum(heavy / heavy.sum(), 1e-12)
    return np.asarray(4 * (((near - shares) * heavy)[:, :, None] * apart).sum(axis=1), np.float64)


def _neighbourhood(points: Doubles) -> Doubles:
    """How likely two of n points are neighbours, float64, shape (n, n), symmetric, 1 in all: each row by the width at
    which a point has so many neighbours."""
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    count = len(points)
    wanted = np.log(min(_NEIGHBOURS, (count - 1) / 2))
    found = np.zeros((count, count))
    for row in range(count):
        others = np.arange(count) != row
        distances = squares[row, others] - squares[row, others].min()
        low, high, sharp = 0.0, np.inf, 1.0
        for _ in range(_HALVINGS):
            shares = np.exp(-distances * sharp)
            shares /= shares.sum()
            spread = float(-(shares * np.log(np.maximum(shares, 1e-12))).sum())
            if spread > wanted:
                low, sharp = sharp, sharp * 2 if np.isinf(high) else (sharp + high) / 2
            else:
                high, sharp = sharp, (low + sharp) / 2
        found[row, others] = shares
    return np.asarray((found + found.T) / (2 * count), np.float64)
