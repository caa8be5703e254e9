"""Random numbers determined by a name: the same in every process and on every machine.

Vectors seeded by a name stay comparable when others come and go. Used for the starting points of entities, projections
of nodes and hypervectors of symbols; not for anything secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""The step of SplitMix64: 2^64 divided by the golden ratio, odd."""
_BLOCK: Final = 1 << 20


def seeds_of(names: Sequence[str], purpose: str) -> NDArray[np.uint64]:
    """A seed for each name, uint64, shape (n,); another purpose gives independent ones.

    BLAKE2b (RFC 7693), eight bytes, so that no two names are alike by accident.
    """
    person = purpose.encode()[:16]
    digests = b"".join(
        blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, person=person).digest()
        for name in names
    )
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def numbers(seeds: NDArray[np.uint64], count: int) -> NDArray[np.uint64]:
    """`count` numbers of each seed, uint64, shape (n, count), uniform over all 64 bits.

    SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) at given places.
    """
    return mixed(seeds[:, None] + np.arange(1, count + 1, dtype=np.uint64) * STEP)


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser: spreads every bit over all."""
    found: NDArray[np.uint64] = values >> np.uint64(30)
    found ^= values
    found *= np.uint64(0xBF58476D1CE4E5B9)
    found ^= found >> np.uint64(27)
    found *= np.uint64(0x94D049BB133111EB)
    found ^= found >> np.uint64(31)
    return found


def uniforms(seeds: NDArray[np.uint64], count: int) -> NDArray[np.float32]:
    """`count` numbers of each seed, float32, shape (n, count), uniform in [-1, 1)."""
    found = np.empty((len(seeds), count), np.float32)
    rows = max(_BLOCK // max(count, 1), 1)
    for start in range(0, len(seeds), rows):
        part = numbers(seeds[start : start + rows], count) >> np.uint64(40)
        found[start : start + rows] = part.astype(np.float32) * np.float32(2.0**-23) - 1
    return found


def bits(seeds: NDArray[np.uint64], count: int) -> NDArray[np.uint8]:
    """`count` bits of each seed, uint8 of 0 and 1, shape (n, count), each 1 with probability one half."""
    words = numbers(seeds, -(-count // 64)).astype("<u8")
    return np.unpackbits(words.view(np.uint8), axis=1, count=count, bitorder="little")
