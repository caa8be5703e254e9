"""What a view of the door can say of where links lead, how memories feel, what they name, and how conversations went
on; see `store.door`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from engramforge.model.link import Link, Step, WalkedLink
from engramforge.model.memory import Memory
from engramforge.model.scope import Level
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StreamView(Protocol):
    """Questions of walks, of retrieval by intention and by state, and of how conversations went on."""

    def went_on(
        self, selection: Selection, sessions: Collection[str], most: int
    ) -> list[tuple[str, int, int]]:
        """What of a selection was said in these conversations, by valid time, the oldest first, at most so much of them
        all: conversation, position, valid time in microseconds since 1970. Nothing is read of what it says."""

    def near_of_levels(self, selection: Selection, probe: Probe) -> Mapping[Level, NDArray[np.int64]]:
        """Of each level positions that stand for what is nearest to a probe's vector, whatever else it asks, as a
        `Probe` to the level takes them; without levels in which the store looks as fast by themselves."""

    def steps(self, selection: Selection, logical_ids: Sequence[str], most: int) -> list[Step]:
        """The strongest links at each of some memories in either direction, at most so many of each direction, in the
        selection's times, wherever they lead; none from a memory to itself. Where there are more and some of these lead
        to what the selection does not take, as many of the strongest that lead to what it takes come along; where
        parallel ones leave room for few others, the strongest of those to others, until half as many memories are met.
        Each once, the strongest first, of equal energy the greatest id."""

    def relations_at(self, selection: Selection, logical_ids: Sequence[str]) -> list[str]:
        """The relations of the links at some memories, in a selection's times, in the order of their names. Of many
        links the strongest two thousand are looked at, of each memory an equal share."""

    def steps_by(
        self, selection: Selection, logical_ids: Sequence[str], relations: Sequence[str], most: int
    ) -> list[Step]:
        """Those links at some memories that are of some relations, of those that `relations_at` looks at, at most so
        many, the strongest; ordered as `steps`."""

    def mentioning(
        self, selection: Selection, names: Sequence[str], most: int
    ) -> list[tuple[str, str, int, float]]:
        """Memories of a selection that mention a name, of each at most so many with the most energy among the newest
        of these: name, logical id, position, energy."""

    def named_at(self, positions: Sequence[int]) -> list[tuple[int, str]]:
        """Which names the memories at these positions mention: position, name; by position and name."""

    def neighbours(
        self,
        logical_ids: Sequence[str],
        depth: int,
        fan_out: int,
        selection: Selection | None = None,
        relation: str | None = None,
    ) -> list[WalkedLink]:
        """The links within `depth` steps of these memories, breadth first, in either direction, by depth.

        At each memory the strongest `fan_out` links are followed that were not met at a lesser depth. Of a depth, the
        strongest come first, of equal energy those of the greatest id. At most `WALKED_LINKS`; none from a memory to
        itself. `selection` as for `links`; `relation`: follow only links of this one.
        """

    def held(self, selection: Selection, logical_ids: Sequence[str]) -> dict[str, int]:
        """Which of some memories a selection takes: logical id -> the position of the newest version that it takes."""

    def links_between(self, pairs: Sequence[tuple[str, str]]) -> list[Link]:
        """The links on record from one memory to another, by pairs of logical ids, oldest first."""

    def links_named(self, ids: Sequence[str]) -> dict[str, Link]:
        """Links by their ids; those that are unknown, or have an end out of scope, are absent."""

    def holding(self, selection: Selection, logical_ids: Sequence[str], most: int) -> dict[str, list[Memory]]:
        """The versions of some memories that a selection takes, by logical id, oldest first; at most so many of them
        all, so that of one more than are wanted some are missing."""

    def by_energy(
        self,
        selection: Selection,
        limit: int,
        fading_from: datetime | None = None,
        *,
        of_each_level: bool = False,
    ) -> list[Memory]:
        """The memories of a selection with the most energy, at most so many, or so many of each level; of equal ones
        the newest first. `fading_from`: a moment from which energies fade with the age in days, by 1 / (1 + days /
        30)."""

    def moods(
        self,
        selection: Selection,
        shares: Mapping[str, float],
        least: float,
        limit: int,
        *,
        by_energy: bool = False,
    ) -> list[tuple[Memory, float]]:
        """The memories of a selection whose emotions are near to some, given at length 1, with their cosines, which are
        above `least`: of each level at most so many, the nearest first, of equal ones those with the most energy; or
        `by_energy`."""

    def goals(self, selection: Selection, limit: int) -> list[str]:
        """Goals of a selection's memories, as `goal_key` writes them, the newest first, at most so many."""

    def goals_by_words(self, selection: Selection, goal: str, limit: int) -> list[str]:
        """Those of them that are equal to a goal, given so, or whose words stand in a row in its own, or its own in
        theirs."""

    def names_count(self, until: int) -> int:
        """How many names memories of the tenant mention, by their keys up to this one."""

    def names_after(self, after: int, limit: int) -> list[tuple[int, str]]:
        """The names that memories of the tenant mention, with their keys, which ascend as they come; after a key."""

    def names_seen(self, names: Collection[str]) -> set[str]:
        """Those of some names that a memory in scope mentions, in any of its versions."""

    def stamp(self) -> str:
        """What changes with every write of content to the tenant, by whatever process, and with what its memories are
        compared by: what was read after an equal stamp was read holds still.

        Counts of uses, records of what was injected, and embeddings that upkeep makes anew change nothing in it.
        """
