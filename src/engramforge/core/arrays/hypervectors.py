"""Hyperdimensional algebra: symbols are long random bit vectors, structures are combinations of them.

Source: P. Kanerva, "Hyperdimensional Computing", Cognitive Computation 1 (2009), on binary spatter codes. Vectors are
packed bits, ten thousand each. Binding (XOR) ties a filler to its role, permutation (a cyclic shift) marks its place,
bundling (the majority) holds several at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from engramforge.core.arrays.seeded import bits, seeds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Packed = NDArray[np.uint8]

BITS: Final = 10_000
"""Dimensions of a hypervector, packed into 1,250 bytes, the lowest bit first."""
FOLDED_BITS: Final = 1_024
"""Dimensions of a folded bundle, packed into 128 bytes."""
_GROUPS: Final = -(-BITS // FOLDED_BITS)
_WHOLE: Final = (_GROUPS - 1) * FOLDED_BITS
_SIZES: Final = np.where(np.arange(FOLDED_BITS) < BITS - _WHOLE, _GROUPS, _GROUPS - 1).astype(np.int16)


def item_vectors(symbols: Sequence[str]) -> Packed:
    """The hypervector of each symbol, uint8, shape (n, 1250); the same symbol has the same one everywhere."""
    return np.packbits(bits(seeds_of(symbols, "symbol"), BITS), axis=1, bitorder="little")


def bind(vectors: Packed, others: Packed) -> Packed:
    """XOR: similar to neither operand, and its own inverse: bind(bind(a, b), b) is a."""
    return np.bitwise_xor(vectors, others)


def permute(vectors: Packed, steps: int) -> Packed:
    """Cyclic shift by `steps` x 8 bits: no longer similar to the original, while distances are kept."""
    return np.roll(vectors, steps, axis=-1)


def fold(vectors: Packed) -> NDArray[np.int16]:
    """Each vector's bits as -1 and 1, summed by groups, int16, shape (n, 1024).

    Bit i belongs to group i modulo 1024. Sums are linear: the fold of an integer bundle is the sum of its members'
    folds, so a text costs 1,024 additions a symbol and not 10,000.
    """
    loose = np.unpackbits(vectors, axis=1, bitorder="little")
    ones: NDArray[np.int16] = (
        loose[:, :_WHOLE]
        .reshape(len(vectors), _GROUPS - 1, FOLDED_BITS)
        .sum(axis=1, dtype=np.uint8)
        .astype(np.int16)
    )
    ones[:, : BITS - _WHOLE] += loose[:, _WHOLE:BITS]
    return (ones * np.int16(2) - _SIZES).astype(np.int16)


def fold_sums(vectors: Packed, sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """The sum of the folds of each bundle's vectors, int32, shape (m, 1024), as if each were folded by itself.

    `vectors`: the members of all bundles, one bundle after the other. `sizes`: how many each has, shape (m,).
    """
    if len(sizes) == 1:
        # Adding up in words pays for many bundles at once.
        alone: NDArray[np.int32] = fold(vectors).sum(axis=0, dtype=np.int32)
        return alone[None]
    most = int(sizes.max(initial=1))
    lanes = np.zeros((most, len(sizes), _GROUPS * FOLDED_BITS // 8), np.uint8)
    bundle = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(vectors)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    lanes[place, bundle, : BITS // 8] = vectors
    groups = lanes.reshape(most, len(sizes), _GROUPS, FOLDED_BITS // 8).swapaxes(1, 2)
    ones = _ones_in(np.ascontiguousarray(groups).reshape(most * _GROUPS, len(sizes), -1).view(np.uint64))
    return ones * np.int32(2) - sizes[:, None].astype(np.int32) * _SIZES


def _ones_in(columns: NDArray[np.uint64]) -> NDArray[np.int32]:
    """How many ones each bit has over the first axis, int32, shape (m, bits); `columns`: packed, shape (n, m, words).

    By full adders on whole words: three of one weight become one of it and a carry of the next.
    """
    bits = columns.shape[2] * 64
    counts = np.zeros((columns.shape[1], bits), np.int32)
    weight = 0
    while len(columns):
        carries = [columns[:0]]
        while len(columns) > 1:
            third = max(len(columns) // 3, 1)
            first, second, rest = columns[:third], columns[third : 2 * third], columns[2 * third :]
            differ, carry = first ^ second, first & second
            if len(rest):
                carry |= differ & rest[:third]
                differ ^= rest[:third]
            carries.append(carry)
            columns = np.concatenate((differ, rest[third:]))
        loose = np.unpackbits(columns[0].view(np.uint8), axis=1, bitorder="little")
        counts += loose.astype(np.int32) << weight
        columns, weight = np.concatenate(carries), weight + 1
    return counts


def sign(sums: NDArray[np.int16] | NDArray[np.int32]) -> Packed:
    """Folded sums, shape (n, 1024), as packed bits, shape (n, 128); ties are broken by a fixed vector.

    The sign keeps the angle: two bundles of cosine c differ in a share arccos(c) / pi of their bits (Charikar,
    Similarity Estimation Techniques from Rounding Algorithms, 2002).
    """
    positive = np.where(sums == 0, _TIE_BITS[:FOLDED_BITS], sums > 0)
    return np.packbits(positive, axis=1, bitorder="little")


_TIE_BITS: Final = bits(seeds_of(["a tie"], "symbol"), BITS)[0].astype(np.bool_)
