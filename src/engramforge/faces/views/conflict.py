"""The shapes of conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engramforge.faces.views.shape import Shape
from engramforge.model.lenses.conflict import Conflict, ConflictReport, ConflictSide

MOST_SHOWN: Final = 50
"""Conflicts that are shown where nobody says how many."""
NOTHING_STORED: Final = "Nothing is stored to hold it against."
Each = TypeVar("Each")


def shown(found: Sequence[Each], limit: int | None = None) -> tuple[Sequence[Each], int]:
    """The first ones, and how many there are beside."""
    most = MOST_SHOWN if limit is None else limit
    return found[:most], max(len(found) - most, 0)


@dataclass(frozen=True, slots=True)
class ConflictSideView(Shape[ConflictSide]):
    """One of two statements; `entry_id` of a registry's entry, `rationale` of a decision."""

    id: str
    entry_id: str | None
    kind: str
    project: str
    text: str
    rationale: str
    epistemic_tier: float
    at: str


@dataclass(frozen=True, slots=True)
class ConflictView(Shape[Conflict]):
    """Two statements that contradict each other; `score` 0..1, `dismissed` the reason, null while it is open;
    `degraded`: why no language model judged it, where one was to."""

    id: str
    signal: str
    signals: list[str]
    why: str
    score: float
    newer: ConflictSideView
    older: ConflictSideView
    since: str
    found_at: str
    dismissed: str | None
    dismissed_at: str | None
    degraded: str

    @property
    def said(self) -> str:
        """Why and since when, as a person reads it."""
        told = f"{self.signal} ({self.why}), {self.score:.2f}, since {self.since[:19]}"
        told += f"; by rules alone: {self.degraded}" if self.degraded else ""
        return told if self.dismissed is None else f"{told}; dismissed: {self.dismissed}"


@dataclass(frozen=True, slots=True)
class ConflictReportView(Shape[ConflictReport]):
    """What a detection compared, found and settled; `left`: memories that wait for the next one."""

    at: str
    compared: int
    pairs: int
    found: list[ConflictView]
    settled: int
    degraded: str
    replaced: int
    left: int
