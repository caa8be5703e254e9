"""E2, E3 and E4: a memory's place in time, computed from its time and sequence and never stored.

They describe hits and never find them: temporal spaces take no part in relevance. Times are int64 microseconds since
1970 UTC. No clock is read; now is just another moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.seeded import mixed
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.time import MICROS_PER_DAY
from engramforge.spaces.encoder import Abstaining

SIZE: Final = 512
Moments = NDArray[np.int64]
Floats = NDArray[np.float32]

_MINUTE_MICROS: Final = 60_000_000
SCALES: Final = 16
WIDTH: Final = SIZE // SCALES
SHORTEST_MINUTES: Final = 5.0
LONGEST_MINUTES: Final = 30 * 365.25 * 24 * 60
_NEAR: Final = 16

CYCLE_WEIGHTS: Final = (0.1, 0.3, 0.3, 0.3)
"""How much hour of day, day of week, day of month and day of year weigh in E3."""
HARMONICS: Final = SIZE // 2 // len(CYCLE_WEIGHTS)

LONGEST_WAVE: Final = 10_000.0
"""The wavelengths of E4's sinusoids, in places of the sequence."""


@dataclass(frozen=True, slots=True)
class TemporalEncoder(Abstaining):
    """What the three have in common: vectors of unit length from numbers, compared by cosine.

    A text has no time of its own, so as an encoder of texts it abstains; use `encode_numbers` and `compare`.
    """

    size: int = SIZE
    active: bool = True

    @property
    def id(self) -> str:
        """Name, version and dimension."""
        return f"{self.row.space}-1/{SIZE}"

    def encode_numbers(self, numbers: Moments) -> Floats:
        """float32, shape (n, 512), unit length: of moments (E2, E3) or places in a session (E4)."""
        match self.row.space:
            case Space.TEMPORAL_RECENT:
                return recency_vectors(numbers)
            case Space.TEMPORAL_PERIODIC:
                return cycle_vectors(numbers)
            case _:
                return position_vectors(numbers)

    def compare(self, number: int, numbers: Moments) -> Floats:
        """Raw cosines in [-1, 1] of one with n, float32, shape (n,)."""
        vectors = self.encode_numbers(np.concatenate((np.array([number], np.int64), numbers)))
        cosines: Floats = vectors[1:] @ vectors[0]
        return cosines


def recency_vectors(moments: Moments) -> Floats:
    """E2: exponential decays of the age against fixed origins, at 16 scales from 15 minutes to 30 years.

    At each scale origins stand on the time line every half scale, for ever. Each of the 16 nearest adds
    exp(-age/scale), with a sign, to a component, both taken from the origin's hash. So the cosine of two moments
    depends only on their distance, distant ones are nearly orthogonal, and nothing is rewritten as time passes. Half an
    hour apart gives about 0.85, an hour 0.8, a day 0.5, a year 0.2, decades about 0.
    """
    scales = np.geomspace(SHORTEST_MINUTES, LONGEST_MINUTES, SCALES)
    places = moments.astype(np.float64)[:, None] / (_MINUTE_MICROS * scales / 2)
    origins = np.floor(places).astype(np.int64)[:, :, None] + np.arange(1 - _NEAR // 2, 1 + _NEAR // 2)
    decays = np.exp(-np.abs(places[:, :, None] - origins) / 2)
    hashes = mixed(
        origins.astype(np.uint64) * np.uint64(SCALES) + np.arange(SCALES, dtype=np.uint64)[:, None]
    )
    signs = np.where(hashes >> np.uint64(63), 1.0, -1.0)
    blocks = np.arange(len(moments) * SCALES).reshape(len(moments), SCALES, 1)
    components = blocks * WIDTH + (hashes % np.uint64(WIDTH)).astype(np.int64)
    sums = np.bincount(components.ravel(), (decays * signs).ravel(), len(moments) * SIZE).astype(np.float64)
    return _unit_blocks(sums.reshape(len(moments), SCALES, WIDTH), np.full(SCALES, 1 / SCALES))


def cycle_vectors(moments: Moments) -> Floats:
    """E3: sine and cosine of the cycles hour, weekday, month and year (UTC), 64 harmonics each, falling as 1/h.

    The hour weighs least, so that two moments of one day always lie above 0.7.
    """
    days = np.floor_divide(moments, MICROS_PER_DAY)
    in_day = (moments - days * MICROS_PER_DAY) / MICROS_PER_DAY
    dates = days.astype("datetime64[D]")
    phases = np.stack(
        (
            in_day,
            np.mod(days + 3 + in_day, 7) / 7,  # 1970-01-01 was a Thursday
            _through(dates, "datetime64[M]", in_day),
            _through(dates, "datetime64[Y]", in_day),
        ),
        axis=1,
    )
    harmonics = np.arange(1, HARMONICS + 1)
    angles = 2 * np.pi * phases[:, :, None] * harmonics
    waves = np.concatenate((np.sin(angles) / harmonics**2, np.cos(angles) / harmonics**2), axis=2)
    return _unit_blocks(waves, np.array(CYCLE_WEIGHTS))


def position_vectors(places: Moments) -> Floats:
    """E4: sinusoids of the place in the session (Vaswani et al. 2017). Up to about 20 places apart lie above 0.6."""
    frequencies = LONGEST_WAVE ** (-np.arange(SIZE // 2) / (SIZE // 2))
    angles = places.astype(np.float64)[:, None] * frequencies
    waves = np.concatenate((np.sin(angles), np.cos(angles)), axis=1)
    unit: Floats = (waves / np.sqrt(SIZE // 2)).astype(np.float32)
    return unit


def temporal_encoder(space: Space) -> TemporalEncoder:
    """The encoder of E2, E3 or E4."""
    return TemporalEncoder(ROW_BY_SPACE[space])


def _through(dates: NDArray[Any], unit: str, in_day: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far through its month or year each moment is, in [0, 1)."""
    periods = dates.astype(unit)
    first, following = periods.astype("datetime64[D]"), (periods + 1).astype("datetime64[D]")
    passed = (dates - first).astype(np.int64) + in_day
    share: NDArray[np.float64] = passed / (following - first).astype(np.int64)
    return share


def _unit_blocks(blocks: NDArray[np.float64], weights: NDArray[np.float64]) -> Floats:
    """Blocks (n, b, w), each brought to the root of its weight, side by side: unit length in all."""
    norms = np.sqrt(np.einsum("nbw,nbw->nb", blocks, blocks))
    scaled = blocks * (np.sqrt(weights) / np.where(norms > 0, norms, 1))[:, :, None]
    return scaled.reshape(len(blocks), SIZE).astype(np.float32)
