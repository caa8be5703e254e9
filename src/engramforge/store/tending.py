"""The door's third protocol: a store as a whole. See `store.door`, by which everybody imports it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

from engramforge.model.embeddings.encoder_spec import MemoryGraph, Mentions
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.candidates import Corpus
from engramforge.model.spaces import Space
from engramforge.model.storing.record import StoreCounts
from engramforge.model.storing.section import Cursor, Portion, Section
from engramforge.model.topics.topic import Gathered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Upkeep(Protocol):
    """Reads of a whole store, for moving, exporting, learning and counting; a context manager like `View`."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def counts(self) -> dict[Section, int]:
        """How many rows each section has."""

    def writes(self) -> tuple[int, int]:
        """The number of writes that left something, and the number of the newest."""

    def ordered(self, section: Section) -> NDArray[np.int64]:
        """Positions of all memories, or links, ordered by `created_at`, then id."""

    def at(self, section: Section, positions: NDArray[np.int64]) -> list[Any]:
        """The memories, or links, at these positions, in the given order."""

    def writes_of(self, positions: NDArray[np.int64]) -> list[int]:
        """The number of the write that last touched each of these memories, from 1, in the given order."""

    def portion(self, section: Section, after: Cursor, limit: int) -> Portion:
        """Up to `limit` rows of a section after a cursor, fewer if contents are large; none at the end."""

    def unencoded(self, space: Space, encoder: str, limit: int, after: int = 0) -> list[tuple[int, Memory]]:
        """Up to `limit` versions, ended ones included, without an embedding by this encoder, by position, above
        `after`."""

    def graph(self) -> MemoryGraph:
        """The links now between current memories in scope."""

    def mentions(self) -> Mentions:
        """The entities that current memories in scope mention, with m rows for m mentions."""

    def gathered(self, kinds: Sequence[Kind], after: int = -1) -> Gathered:
        """The current memories of these kinds in scope at positions above `after`, with their clusters and topics."""

    def corpus(self) -> Corpus:
        """The terms of the scope's current memories, counted without loading what questions keep in memory."""

    def count(self) -> StoreCounts:
        """How much is in scope."""

    def embedding_bytes(self) -> int:
        """The size of the embeddings of all the tenant's versions in bytes, without the engine's overhead."""
