"""What encoders make of a text: the integer and vector signals that a store keeps and scans.

Arrays are NumPy at run time; this module imports it for types only, so that the glossary stays light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Embedding:
    """The stored signals of one memory.

    Parameters
    ----------
    encoder : id of the preset of encoders that made it; embeddings of different encoders are never compared.
    vector : int8, shape (256,): E1, proportional to the mean of the word vectors; None when it abstains.
    tokens : uint16, shape (t,): token ids of the lower-cased words in order; a word begins where its first token
        carries the word-start mark. E12 and E13 derive from it.
    terms : uint32, shape (k,), ascending and distinct: hashes of the stems. E6 is terms modulo its size.
    counts : uint8, shape (k,): how often each term occurs, capped at 255.
    """

    encoder: str
    vector: NDArray[np.int8] | None
    tokens: NDArray[np.uint16]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
