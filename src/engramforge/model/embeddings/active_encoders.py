"""Which encoder a store compares each space by, and the shapes in which upkeep reads graphs and entities of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engramforge.model.embeddings.embedding import Embedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ActiveEncoder:
    """The encoder whose embeddings of a space a store compares.

    Parameters
    ----------
    spec : how it is made, as in the settings: static, local:/folder, openai:MODEL. Never a key or a password.
    id : name, version and dimension; embeddings of different ids are never compared.
    size : dimension of one row of an embedding.
    background : median cosine of unrelated texts by it, where it is a model's and was measured. A property, not part of
        the identity: encoders compare equal whatever it is.
    """

    spec: str
    id: str
    size: int
    background: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """The links on record now between the current memories of a scope.

    `logical_ids`, `positions`: n nodes with at least one link, and where their current version stands (int64, shape
    (n,)). `sources`, `targets`: int64, shape (m,): places in the nodes. `relations`: int32, shape (m,): place in
    `relation_names`. `weights`: float32, shape (m,): energy of each link, 0..1.
    """

    logical_ids: tuple[str, ...]
    positions: NDArray[np.int64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    relations: NDArray[np.int32]
    weights: NDArray[np.float32]
    relation_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entities:
    """Entities that current memories of a scope mention.

    `names`: n of them, distinct, ascending. `vectors`: int8, shape (n, size), rows proportional to the entities'
    vectors; zero where none was trained. `encoder`: id of the encoder of the vectors; None where there are none.
    """

    names: tuple[str, ...]
    vectors: NDArray[np.int8]
    encoder: str | None


@dataclass(frozen=True, slots=True)
class Mentions(Entities):
    """Who mentions what among the current memories of a scope: all entities there, and by which memories.

    `positions`, `entities`: int64, shape (m,): the memory's position and the entity's place in `names`.
    """

    positions: NDArray[np.int64]
    entities: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the active encoders made of some memories.

    `embeddings`: by position; of those that are in scope. `entities`: the vectors of names; None where they were not
    asked for.
    """

    embeddings: Mapping[int, Embedding]
    entities: Entities | None = None
