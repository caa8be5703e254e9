"""What the encoder of a space beyond meaning and words offers. One file per encoder implements it.

    item -> values of a Part, stored; question -> QueryPart, compared with stored values and looked for by a scan

What must not enter: statistics of a corpus, since stored vectors have to stay valid whatever else is stored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import SpaceRow
from engramforge.spaces.encoder import Similarities

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Asked, Values


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
    cosines, has = row_cosines(asked, values)
    worth = has * weights
    total = worth.sum(axis=1)
    means = (cosines * worth).sum(axis=1) / np.where(total > 0, total, 1)
    return Similarities.where(present & (total > 0), np.clip(means, -1, 1))


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
