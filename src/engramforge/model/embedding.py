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
    tokens : uint16, shape (t,): token ids of the lower-cased words in order; a word begins where its first
        token carries the word-start mark. E12 and E13 derive from it.
    terms : uint32, shape (k,), ascending and distinct: hashes of the stems. E6 is terms modulo its size.
    counts : uint8, shape (k,): how often each term occurs, capped at 255.
    cues : bits of what the wording shows beyond its words (core/wording).
    intervals : int32, shape (d, 3): the days that the text names, as start, end and kind (core/dates); None for none.
    """

    encoder: str
    vector: NDArray[np.int8] | None
    tokens: NDArray[np.uint16]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    cues: int = 0
    intervals: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """What encoders make of a query, weighed by the live statistics of the scope it asks.

    Parameters
    ----------
    encoder : id of the preset of encoders that made it.
    text : the query as asked.
    words : its distinct content words in order, at most 32 (all of its words where it holds stop words only).
    terms : uint32, shape (q,): the words' stems, distinct.
    vectors : float32, shape (q, 256): unit vectors of the words; zero where the model knows nothing.
    weights : float32, shape (q,): how much each word counts, summing to 1.
    vector : float32, shape (256,), unit length: the query in E1; None when it abstains.
    expansion_terms : uint32, shape (e,), distinct: the stems themselves and those of their nearest vocabulary
        words.
    expansion_weights : float32, shape (e,), in (0, 1]: closeness of each to its word (1 for the stem itself).
    expansion_words : int32, shape (e,): which of the q words each expansion belongs to.
    """

    encoder: str
    text: str
    words: tuple[str, ...]
    terms: NDArray[np.uint32]
    vectors: NDArray[np.float32]
    weights: NDArray[np.float32]
    vector: NDArray[np.float32] | None
    expansion_terms: NDArray[np.uint32]
    expansion_weights: NDArray[np.float32]
    expansion_words: NDArray[np.int32]
