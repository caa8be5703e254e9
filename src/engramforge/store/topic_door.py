"""What the door can say and write of topics, clusters and energies; see `store.door`, by which everybody imports it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from engramforge.core.injection.priority import TOPIC
from engramforge.model.memory import Kind
from engramforge.model.storing.effect import EnergyChange
from engramforge.model.topics.topic import Topic, TopicQuery, TopicRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TopicView(Protocol):
    """Questions about topics."""

    def topics(self, query: TopicQuery) -> list[Topic]:
        """The topics of a query with three memories in scope and more, the largest first.

        The name is empty where it may have words that the scope does not see, or a forget took words of it. With a
        range of valid time a topic needs one memory in it.
        """

    def topic_members(
        self, topic_ids: Sequence[str], query: TopicQuery, least: float = TOPIC
    ) -> list[tuple[str, int, float]]:
        """The memories of topics at the query's times, as topic, position, agreement (`least` and more), the best
        first."""

    def clusters_at(self, positions: Sequence[int]) -> dict[int, NDArray[np.int32]]:
        """The clusters of each of these memories, see `core.topics.agreement`; absent are those that were never
        clustered or are not current: clusters are numbered anew at each clustering."""

    def topic_sizes(self, kinds: Sequence[Kind]) -> dict[str | None, int]:
        """How many current memories of these kinds in scope each topic has now, however few; under None how many are of
        no topic, or only have to do with one."""

    def topics_at(self, positions: Sequence[int]) -> dict[int, tuple[str, float]]:
        """The topic of each of these memories now, and how much they agree; those without one are absent."""


class TopicWrites(Protocol):
    """Writes of topics; no change that others notice, and nothing to undo."""

    def place_clusters(self, positions: NDArray[np.int64], labels: NDArray[np.int32]) -> None:
        """Set the clusters of memories, shape (n, spaces that count for topics), see `core.topics.agreement`.

        Positions forgotten meanwhile are skipped.
        """

    def save_topics(self, project_name: str, rows: Sequence[TopicRow]) -> None:
        """Write topics of a project, or write them anew under the same ids; nothing where the project is gone."""

    def place_members(
        self,
        at: datetime,
        positions: Sequence[int],
        topics: Sequence[str | None],
        agreements: Sequence[float],
    ) -> None:
        """From a time on memories are of these topics, or of none; a microsecond after what was last written of them
        where that is later. Positions forgotten meanwhile are skipped."""

    def is_unforgotten(
        self, project_name: str, positions: Sequence[int], features: Mapping[str, Any] | None
    ) -> bool:
        """Whether nothing of a project was forgotten of which names and features of topics were made: these memories,
        and the features that were kept before, None for none. From here on a forget in the project waits."""

    def end_topics(
        self, project_name: str, standing: Collection[str], into: Mapping[str, str], at: datetime
    ) -> int:
        """End all topics of a project that stand but these ids; how many. `into`: which of them went into which other
        one. Topics that never had a memory, or have lost all to a forget, are removed."""


class DreamWrites(Protocol):
    """Energies that a dream lets fade, and an undo puts back; how far it has come."""

    def held_mark(self, key: str) -> Mapping[str, Any] | None:
        """As the view's mark; no other transaction that asks for it so goes on until this one ends."""

    def set_energies(self, changes: Sequence[EnergyChange]) -> list[EnergyChange]:
        """Change the energies of versions in place, as an undo takes back; what was changed.

        Those that are gone, not in scope, or have another energy than `before` by now are skipped.
        """
