"""The shape of a dream."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.topics.dream import DreamReport, DreamStep


@dataclass(frozen=True, slots=True)
class DreamStepView(Shape[DreamStep]):
    """A step: `recluster` (topics that stand), `merge` (memories merged away), `fade` (energies that fell), `promote`
    (patterns that were made); `ids`: of at most a hundred of them."""

    name: str
    count: int
    ids: list[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class DreamView(Shape[DreamReport]):
    """What a dream did; without an end it goes on. `id`: by which undo --dream takes it back; empty of a dry run."""

    id: str
    project: str
    began_at: str
    ended_at: str | None
    steps: list[DreamStepView]
    is_dry: bool
    is_undone: bool
