"""A Gaussian mixture of vectors, and how far outside of it a vector lies: half of surprise in E1 and E7.

Vectors have hundreds of dimensions and a sample a thousand of them, so no full covariance can be estimated. Instead:
the sample's first principal directions (by a randomised range finder: Halko, Martinsson, Tropp 2011), up to 15, and as
one more coordinate the length of what these leave, so that a vector in a direction that the sample does not know is far
away too. In these coordinates a mixture of Gaussians with diagonal covariances is fitted by expectation maximisation;
every variance is shrunk towards the pooled one as under a conjugate prior (Fraley, Raftery 2007), and the number of
components is chosen by the Bayesian information criterion (Schwarz 1978).

The same sample in any order gives the same mixture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIRECTIONS: Final = 15
"""The most principal directions; the length of the remainder is a further coordinate."""
PER_COORDINATE: Final = 4
"""How many vectors a coordinate needs; a smaller sample keeps fewer directions."""
FEWEST: Final = 8
"""Fewer vectors make no mixture."""
COMPONENTS: Final = (1, 2, 4, 8)
"""Numbers of components that are tried."""
PER_COMPONENT: Final = 25
"""How many vectors a component needs."""
PRIOR_STRENGTH: Final = 10.0
"""How many vectors the pooled variance counts as, beside a component's own."""
_ROUNDS: Final = 20
_SPARE_DIRECTIONS: Final = 8
_LEAST_SHARE: Final = 1e-6
"""A coordinate whose variance is a smaller share of the largest has no spread."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """A fitted mixture over c coordinates of vectors of size d.

    `mean`: shape (d,), of the sample. `directions`: shape (d, r), orthonormal columns. `kept`: which of the r + 1
    coordinates (the last is the length of the rest) have spread; bool, c are true. `shares`: shape (k,), above 0, sum
    1: how much of the sample each component explains. `centres`, `variances`: shape (k, c); variances are above 0.
    """

    mean: Floats
    directions: Floats
    kept: NDArray[np.bool_]
    shares: Floats
    centres: Floats
    variances: Floats

    @property
    def degrees(self) -> int:
        """Degrees of freedom of a squared distance: the number of coordinates."""
        return int(self.kept.sum())

    def squared_distance(self, vector: NDArray[Any]) -> float:
        """Squared Mahalanobis distance from the component that the vector most likely belongs to; not negative."""
        point = _coordinates(np.asarray(vector, np.float64)[None], self.mean, self.directions)[:, self.kept]
        chances = _log_chances(point, self.shares, self.centres, self.variances)[0]
        nearest = int(np.argmax(chances))
        return float((((point[0] - self.centres[nearest]) ** 2) / self.variances[nearest]).sum())


def fit_mixture(vectors: NDArray[Any]) -> Mixture | None:
    """The mixture of vectors, float, shape (n, d); None where they are too few or have no spread."""
    count, size = vectors.shape
    if count < FEWEST:
        return None
    rows = np.ascontiguousarray(vectors, np.float64) + 0.0
    # A canonical order, since sums of floats depend on it.
    rows = rows[np.argsort(rows.view(np.dtype((np.void, rows.itemsize * size))).ravel(), kind="stable")]
    mean = rows.mean(axis=0)
    wanted = min(DIRECTIONS, count // PER_COORDINATE, size)
    directions = _principal_directions(rows - mean, wanted, np.random.default_rng(0))
    points = _coordinates(rows, mean, directions)
    spread = points.var(axis=0)
    # Rounding errors of sums of long vectors must not count as spread.
    floor = max(float(spread.max()) * _LEAST_SHARE, float((rows**2).sum(axis=1).mean()) * 1e-12)
    kept = spread > floor
    if not kept.any():
        return None
    points = points[:, kept]
    best: tuple[float, Floats, Floats, Floats] | None = None
    for components in COMPONENTS:
        if components > 1 and count < components * PER_COMPONENT:
            break
        found = _fit(points, components)
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    return Mixture(mean, directions, kept, *best[1:])


def chi_square_cdf(value: float, degrees: int) -> float:
    """P(X <= value) of a chi-square variable, in [0, 1]."""
    return lower_gamma(degrees / 2, value / 2)


def lower_gamma(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function P(a, x), in [0, 1], for a > 0.

    By its series below a + 1 (DLMF 8.11.4) and by the continued fraction of its complement above (DLMF 8.9.2, by
    Lentz's method); relative error below 1e-12 for a up to some thousands.
    """
    if x <= 0:
        return 0.0
    if math.isinf(x):
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-16:
            step += 1
            term *= x / step
            total += term
        return min(1.0, scale * total)
    tiny = 1e-300
    denominator = x + 1 - a
    upper, lower = 1 / tiny, 1 / denominator
    fraction = lower
    for i in range(1, 10_000):
        factor = -i * (i - a)
        denominator += 2
        lower = 1 / _off_zero(factor * lower + denominator, tiny)
        upper = _off_zero(denominator + factor / upper, tiny)
        fraction *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return max(0.0, 1 - scale * fraction)


def _off_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _principal_directions(centred: Floats, wanted: int, rng: np.random.Generator) -> Floats:
    """Orthonormal columns, shape (d, wanted), strongest first."""
    sketch = rng.standard_normal((centred.shape[1], min(wanted + _SPARE_DIRECTIONS, centred.shape[1])))
    basis = np.linalg.qr(sketch)[0]
    for _ in range(3):
        basis = np.linalg.qr(centred.T @ (centred @ basis))[0]
    small = centred @ basis
    _, turned = np.linalg.eigh(small.T @ small)
    found: Floats = basis @ turned[:, ::-1][:, :wanted]
    return found


def _coordinates(rows: Floats, mean: Floats, directions: Floats) -> Floats:
    """Projections on the directions, and the length of the rest; shape (n, r + 1)."""
    centred = rows - mean
    inner = centred @ directions
    rest = centred - inner @ directions.T
    length = np.sqrt((rest**2).sum(axis=1))
    return np.column_stack((inner, length))


def _fit(points: Floats, components: int) -> tuple[float, Floats, Floats, Floats]:
    """The criterion (less is better), shares, centres and variances of a mixture with this many components."""
    count, coordinates = points.shape
    pooled = points.var(axis=0)
    # Slices along the strongest coordinate make a deterministic start.
    places = np.argsort(np.argsort(points[:, int(np.argmax(pooled))], kind="stable"), kind="stable")
    belongs = np.eye(components)[places * components // count]
    shares, centres, variances = _maximise(points, belongs, pooled)
    log_likelihood = -np.inf
    for _ in range(_ROUNDS if components > 1 else 1):
        chances = _log_chances(points, shares, centres, variances)
        total = np.logaddexp.reduce(chances, axis=1)
        before, log_likelihood = log_likelihood, float(total.sum())
        if components == 1 or log_likelihood - before < 1e-4 * count:
            break
        shares, centres, variances = _maximise(points, np.exp(chances - total[:, None]), pooled)
    parameters = components * (2 * coordinates + 1) - 1
    return parameters * math.log(count) - 2 * log_likelihood, shares, centres, variances


def _maximise(points: Floats, belongs: Floats, pooled: Floats) -> tuple[Floats, Floats, Floats]:
    """Shares, centres and shrunk variances from how much each point belongs to each component, shape (n, k)."""
    weights = belongs.sum(axis=0)
    safe = np.maximum(weights, 1e-9)[:, None]
    centres = belongs.T @ points / safe
    squares = belongs.T @ points**2 - safe * centres**2
    variances = (np.maximum(squares, 0) + PRIOR_STRENGTH * pooled) / (safe + PRIOR_STRENGTH)
    return np.maximum(weights, 1e-9) / np.maximum(weights, 1e-9).sum(), centres, variances


def _log_chances(points: Floats, shares: Floats, centres: Floats, variances: Floats) -> Floats:
    """ln(share x density) of each point in each component, shape (n, k)."""
    precision = 1 / variances
    squares = points**2 @ precision.T - 2 * points @ (centres * precision).T
    squares += (centres**2 * precision).sum(axis=1)
    normaliser = np.log(2 * np.pi * variances).sum(axis=1)
    chances: Floats = np.log(shares) - 0.5 * (normaliser + np.maximum(squares, 0))
    return chances
