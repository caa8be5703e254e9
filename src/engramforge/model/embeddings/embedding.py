"""What encoders make of a text: the integer and vector signals that a store keeps and scans.

Arrays are NumPy at run time; this module imports it for types only, so that the glossary stays light.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.spaces import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Embedding:
    """The stored signals of one memory.

    Parameters
    ----------
    encoder : id of the encoder of words that made it; embeddings of different encoders are never compared.
    vector : int8, shape (d,), d = 256 with the static model: E1; None when it abstains.
    tokens : uint16, shape (t,): token ids of the lower-cased words in order; a word begins where its first
        token carries the word-start mark. E12 and E13 derive from it.
    terms : uint32, shape (k,), ascending and distinct: hashes of the stems. E6 is terms modulo its size.
    counts : uint8, shape (k,): how often each term occurs, capped at 255.
    cues : bits of what the wording shows beyond its words (core/text/summarising).
    intervals : int32, shape (d, 3): the days that the text names, as start, end and kind (core/text/dates); None for
        none.
    vector_encoder : id of E1's encoder where it is another than the words'; None: the same.
    parts : the other spaces in which the memory has a signal (E5, E7, E8, E9, E10; E12 and E13 of models).
    entities : names of what the text mentions, distinct, in order: E11.
    """

    encoder: str
    vector: NDArray[np.int8] | None
    tokens: NDArray[np.uint16]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    cues: int = 0
    intervals: NDArray[np.int32] | None = None
    vector_encoder: str | None = None
    parts: Mapping[Space, Part] = field(default_factory=dict)
    entities: tuple[str, ...] = ()

    @property
    def meaning_encoder(self) -> str:
        """Id of the encoder of `vector`."""
        return self.vector_encoder or self.encoder


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """What encoders make of a query, weighed by the live statistics of the scope it asks.

    Parameters
    ----------
    encoder : id of the encoder of words.
    words : its distinct content words in order, at most 32 (all of its words where it holds stop words only).
    terms : uint32, shape (q,): the words' stems, distinct.
    vectors : float32, shape (q, 256): unit vectors of the words; zero where the model knows nothing.
    weights : float32, shape (q,): how much each word counts, summing to 1.
    vector : float32, shape (d,), unit length: the query in E1; None when it abstains.
    expansion_terms : uint32, shape (e,), distinct: the stems themselves and those of their nearest vocabulary
        words.
    expansion_weights : float32, shape (e,), in (0, 1]: closeness of each to its word (1 for the stem itself).
    expansion_words : int32, shape (e,): which of the q words each expansion belongs to.
    vector_encoder : id of E1's encoder where it is another than the words'; None: the same.
    parts : the other spaces in which the query has a signal.
    entities : names of what the query mentions, distinct, in order.
    about : the same query with the names of speakers among its words, as it is asked of texts about them; None where it
        names none.
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
    vector_encoder: str | None = None
    parts: Mapping[Space, QueryPart] = field(default_factory=dict)
    entities: tuple[str, ...] = ()
    about: QueryEmbedding | None = None

    @property
    def meaning_encoder(self) -> str:
        """Id of the encoder of `vector`."""
        return self.vector_encoder or self.encoder


@dataclass(frozen=True, slots=True)
class SpaceEmbedding:
    """One memory in one space.

    Parameters
    ----------
    number : of the space, E1 to E13.
    encoder : id of the encoder; None where the space has none in this store.
    rows, size : shape of the embedding: its number of rows (tokens, terms, names, or 1) and of dimensions or bits.
    norm : length of the embedding as it is kept, integers as 127ths; of bits the root of how many are set. None where
        it abstains.
    calibrations : direction -> id of the calibration of its similarities; without one they stay raw.
    surprise : delta S, 0..1; None where it abstains.
    abstains : why the memory has no signal here; None if it has one.
    details : whatever else the encoder knows: for code the languages and whether it parsed, for E11 the names.
    """

    number: str
    space: Space
    encoder: str | None
    rows: int
    size: int
    norm: float | None
    calibrations: Mapping[str, str]
    surprise: float | None
    abstains: str | None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryEmbeddings:
    """One memory in all thirteen spaces, in the registry's order.

    `memory_id`: id of the version. `around`: how many other memories its surprise was measured against.
    """

    memory_id: str
    around: int
    spaces: tuple[SpaceEmbedding, ...]
