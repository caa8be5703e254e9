"""Parts: what the spaces beyond meaning and words make of a memory or a question, and how they are looked for.

A part is a small matrix of one space by one encoder. Its rows are compared row by row: cause with cause, identifiers
with identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engramforge.model.spaces import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.int8] | NDArray[np.uint8]
    Asked: TypeAlias = Values | NDArray[np.float32]
    """Of a memory's part, or of a question's."""


@dataclass(frozen=True, slots=True)
class Part:
    """A memory in one space.

    `encoder`: id of the space's encoder; parts of different encoders are never compared. `values`: int8, shape (rows,
    size): each row a vector times any positive scale, all zero where it has nothing to say; uint8, shape (rows, bytes):
    packed bits of the spaces that compare by Hamming distance.
    """

    space: Space
    encoder: str
    values: Values


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A question in one space.

    `values`: float32, shape (rows, size), rows of unit length or zero; for bits uint8, shape (rows, bytes). `weights`:
    float32, shape (rows,): what the match of each row is worth in a scan; the score of a memory is the sum over rows of
    weight x cosine. `scans`: whether the space looks for candidates of its own; else it scores what others found.
    """

    space: Space
    encoder: str
    values: NDArray[np.float32] | NDArray[np.uint8]
    weights: NDArray[np.float32]
    scans: bool = True


@dataclass(frozen=True, slots=True)
class PartBatch:
    """n candidates in one space.

    `values`: int8 or uint8, shape (n, rows, size); zero and without meaning where absent. `present`: bool, shape (n,).
    """

    values: Values
    present: NDArray[np.bool_]
