"""What every space's encoder offers, and the batch of memories it compares with.

A space in which an item has no signal abstains: it is absent from every comparison, never a zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.similarity.comparison import cosine
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import SpaceRow
from engramforge.spaces.words.word_table import Ends, Rows, Tokens, WordTable

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Asked, Values

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Similarities:
    """One item compared with n memories in one space.

    `values`: float32, shape (n,): the space's raw similarity; 0 and without meaning where absent. `present`: bool,
    shape (n,): false where either side abstains.
    """

    values: NDArray[np.float32]
    present: NDArray[np.bool_]

    @classmethod
    def absent(cls, count: int) -> Similarities:
        """No comparison with any of `count` memories."""
        return cls(np.zeros(count, np.float32), np.zeros(count, np.bool_))

    @classmethod
    def where(cls, present: NDArray[np.bool_], values: NDArray[np.float32]) -> Similarities:
        """The values where present, nothing elsewhere."""
        return cls(np.where(present, values, 0).astype(np.float32), present)


@dataclass(frozen=True, eq=False)
class Documents:
    """The stored signals of n memories, laid out for comparison; what several spaces need is derived once.

    `vector`: int8, shape (n, 256); all zero where E1 abstains. `tokens`, `token_ends`: uint16 (t,) and int64 (n,).
    `terms`, `term_ends`: uint32 (k,) and int64 (n,), each text's distinct.
    """

    table: WordTable
    vector: NDArray[np.int8]
    tokens: Tokens
    token_ends: Ends
    terms: NDArray[np.uint32]
    term_ends: Ends

    @classmethod
    def of(cls, table: WordTable, embeddings: Sequence[Embedding]) -> Documents:
        """The batch of these embeddings."""
        nothing = np.zeros(table.model.dimensions, np.int8)
        vectors = [nothing if each.vector is None else each.vector for each in embeddings]
        return cls(
            table,
            np.array(vectors, np.int8).reshape(len(vectors), len(nothing)),
            np.concatenate([np.zeros(0, np.uint16), *(each.tokens for each in embeddings)]),
            np.cumsum([len(each.tokens) for each in embeddings], dtype=np.int64),
            np.concatenate([np.zeros(0, np.uint32), *(each.terms for each in embeddings)]),
            np.cumsum([len(each.terms) for each in embeddings], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.term_ends)

    @cached_property
    def words(self) -> tuple[Rows, Ends]:
        """Rows of the word table of every word in order, and where each text's end."""
        return self.table.words_of(self.tokens, self.token_ends)

    @cached_property
    def distinct_words(self) -> tuple[Rows, NDArray[np.int64]]:
        """Distinct rows of the batch, and which of them each word is."""
        rows, _, inverse = distinct(self.words[0])
        return rows, inverse.astype(np.int64)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words of each text, which decides its length bucket in calibration."""
        return np.diff(self.words[1], prepend=0)

    def derived(self, make: Callable[[Documents], T]) -> T:
        """What a space makes of these memories alone, made once."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("T", self._derived[make])

    @cached_property
    def _derived(self) -> dict[Callable[[Documents], Any], Any]:
        return {}


Signal_co = TypeVar("Signal_co", covariant=True)


class Encoder(Protocol[Signal_co]):
    """One space of a preset."""

    @property
    def row(self) -> SpaceRow:
        """The space's row of the registry."""

    @property
    def id(self) -> str:
        """Name, version and dimension; similarities of different ids are never mixed."""

    @property
    def size(self) -> int:
        """Its own dimension, at most the row's declared size."""

    @property
    def active(self) -> bool:
        """Whether it ever gives a similarity."""

    def encode(self, embedding: Embedding) -> Signal_co | None:
        """A memory in this space; None when it abstains. Depends on the memory alone, never on a corpus."""

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:
        """A query against memories; its words may be weighed by live statistics."""

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:
        """A memory against memories."""


@dataclass(frozen=True, slots=True)
class Abstaining:
    """A space without an encoder in the preset: it never gives a similarity."""

    row: SpaceRow
    size: int = 0
    active: bool = False

    @property
    def id(self) -> str:
        """An id that says so."""
        return f"{self.row.space}/absent"

    def encode(self, embedding: Embedding) -> None:
        """Always abstains."""

    def query_to_memories(self, query: QueryEmbedding, documents: Documents) -> Similarities:  # noqa: ARG002
        """Absent throughout."""
        return Similarities.absent(len(documents))

    def memory_to_memories(self, memory: Embedding, documents: Documents) -> Similarities:  # noqa: ARG002
        """Absent throughout."""
        return Similarities.absent(len(documents))


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that belongs to an item: its bytes as the file has them, None where only its caption is known."""

    content: bytes | None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """What an encoder sees of a memory or a question.

    `embedding`: its words and E1; None for a question. `code`: of a question, the piece of code that it is asked by; it
    is part of the text too. `names`: of entities that it is about, beside those that its text mentions. `language`: of
    code, where the caller knows it; None: to be recognised.
    """

    text: str
    embedding: Embedding | None = None
    pictures: tuple[Picture, ...] = ()
    code: str | None = None
    names: tuple[str, ...] = ()
    language: str | None = None


def row_cosines(asked: NDArray[np.float32], values: Values) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Cosine of each row with the same row of n memories, float32, shape (n, rows), and where both have a length."""
    held = values.astype(np.float32)
    lengths = np.sqrt(np.einsum("nrd,nrd->nr", held, held)) * np.linalg.norm(asked, axis=1)
    has = lengths > 0
    return np.einsum("nrd,rd->nr", held, asked) * has / np.where(has, lengths, 1), has


def mean_of_rows(
    asked: NDArray[np.float32], weights: NDArray[np.float32], values: Values, present: NDArray[np.bool_]
) -> Similarities:
    """The weighted mean of the rows' cosines over the rows that both sides have."""
    held = np.flatnonzero(present)  # most memories have no picture
    cosines, has = row_cosines(asked, values[held])
    worth = has * weights
    total = worth.sum(axis=1)
    means, known = np.zeros(len(values), np.float32), np.zeros(len(values), np.bool_)
    means[held] = (cosines * worth).sum(axis=1) / np.where(total > 0, total, 1)
    known[held] = total > 0
    return Similarities.where(known, np.clip(means, -1, 1))


class Symmetric(ABC):
    """The half of a `PartEncoder` that compares, where a question and a memory are compared in the same way."""

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """See `compare`."""
        return self.compare(query.values, values, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """See `compare`."""
        return self.compare(memory, values, present)

    @abstractmethod
    def compare(self, asked: Asked, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The raw similarity of a part, shape (rows, size), with those of n memories."""


class ByCosine(Symmetric):
    """The same for parts of one row."""

    def compare(self, asked: Asked, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Cosine, in [-1, 1]."""
        return Similarities.where(present, cosine(asked[0], values[:, 0]))


class PartEncoder(Protocol):
    """One space of a preset that is stored as a part."""

    @property
    def row(self) -> SpaceRow:
        """The space's row of the registry."""

    @property
    def id(self) -> str:
        """Name, version and dimension; parts of different ids are never compared."""

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, size) of every part it makes; rows x size is at most the row's declared size. -1: differs by item."""

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """Values of a `Part` for each item; None where it abstains. Depends on the item alone."""

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question in this space; None where it has no signal."""

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The raw similarity of a question with n memories; `values` has shape (n, rows, size).

        Absent where `present` is false or nothing in common can be compared.
        """

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The raw similarity of a memory, shape (rows, size), with n memories."""
