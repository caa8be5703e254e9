"""A uniform sample of a stream of similarities, of bounded size: what calibrations are refitted from.

Deterministic for a given generator (Vitter 1985, algorithm R, a batch at a time). It holds only numbers, so no memory
can be reconstructed from it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import InvalidValue

CAPACITY: Final = 4_000
_FULL_SCALE: Final = 32_767


@dataclass(frozen=True, slots=True)
class Reservoir:
    """An immutable sample; `offer` gives the next one.

    `values`: float32, shape (n,), n <= capacity: similarities in [-1, 1]. `seen`: how many were offered so far.
    """

    values: NDArray[np.float32]
    seen: int = 0
    capacity: int = CAPACITY

    @classmethod
    def empty(cls, capacity: int = CAPACITY) -> Reservoir:
        """A sample of nothing."""
        if capacity < 1:
            raise InvalidValue(f"A reservoir of {capacity} holds nothing", "Give a capacity of at least 1")
        return cls(np.zeros(0, np.float32), 0, capacity)

    def offer(self, values: NDArray[Any], rng: np.random.Generator) -> Reservoir:
        """The sample after these values, each of all seen so far in it with the same probability."""
        fresh = np.asarray(values, np.float32).ravel()
        room = self.capacity - len(self.values)
        held = np.concatenate((self.values, fresh[:room]))
        late = fresh[room:]
        if len(late):
            order = self.seen + min(room, len(fresh)) + 1 + np.arange(len(late))
            places = np.floor(rng.random(len(late)) * order).astype(np.int64)
            kept = places < self.capacity
            held[places[kept]] = late[
                kept
            ]  # of two for one place the later wins, as one after the other would
        return Reservoir(held, self.seen + len(fresh), self.capacity)

    def as_mapping(self) -> dict[str, Any]:
        """JSON-able values; similarities keep 15 bits."""
        steps = np.rint(np.clip(self.values, -1, 1) * _FULL_SCALE).astype("<i2")
        return {
            "values": base64.b64encode(steps.tobytes()).decode(),
            "seen": self.seen,
            "capacity": self.capacity,
        }

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> Reservoir:
        """The inverse of `as_mapping`. Raises InvalidValue where it cannot be read."""
        try:
            steps = np.frombuffer(base64.b64decode(mapping["values"], validate=True), "<i2")
            values = (steps / np.float32(_FULL_SCALE)).astype(np.float32)
            return cls(values, int(mapping["seen"]), int(mapping["capacity"]))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidValue(f"The reservoir cannot be read ({error!r})", "Begin a new one") from error
