"""What a scan over projects found: memories of different projects that resonate, in clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True)
class EntanglementScan:
    """A scan, with its time and parameters.

    Parameters
    ----------
    at : when it was made.
    threshold : calibrated similarity from which two memories resonate, 0..1.
    memories, projects : how many were compared.
    resonances : how many were found, those of the scans that it went on from included.
    clusters : logical ids of the memories that resonances connect, the largest first; its place is a cluster's number.
    last_position : of the newest memory that was compared.
    """

    at: datetime
    threshold: float
    memories: int
    projects: int
    resonances: int
    clusters: tuple[tuple[str, ...], ...]
    last_position: int = 0

    @cached_property
    def cluster_of(self) -> Mapping[str, int]:
        """Logical id -> number of its cluster."""
        return {each: number for number, members in enumerate(self.clusters) for each in members}

    def cluster_with(self, logical_ids: Sequence[str]) -> int | None:
        """The number of the cluster of the first of these that is in one."""
        return next((self.cluster_of[each] for each in logical_ids if each in self.cluster_of), None)

    def resonating_with(self, logical_ids: Sequence[str]) -> tuple[str, ...]:
        """The other members of that cluster."""
        number = self.cluster_with(logical_ids)
        members = () if number is None else self.clusters[number]
        return tuple(each for each in members if each not in logical_ids)
