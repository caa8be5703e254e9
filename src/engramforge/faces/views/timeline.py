"""The shapes of timelines, dissonances and an undo. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engramforge.faces.views.memory import MemoryView, moment, view_memory

if TYPE_CHECKING:
    from engramforge.model.dissonance import Dissonance
    from engramforge.model.timeline import Change, Timeline, Undone


@dataclass(frozen=True, slots=True)
class DissonanceView:
    """A belief that changed: the two contents, why, and what it was held from and until (recorded time)."""

    belief_id: str
    original_id: str
    corrected_id: str
    original_version: int
    corrected_version: int
    name: str | None
    original: str
    corrected: str
    reason: str | None
    trigger: str
    correction_id: str | None
    discovery_energy: float
    emotions: dict[str, float]
    held_from: str
    held_until: str
    corrected_at: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One turn of one version: recorded, end_recorded or expired (recorded time), became_true or ceased (valid
    time)."""

    at: str
    turn: str
    memory: MemoryView


@dataclass(frozen=True, slots=True)
class TimelineView:
    """What changed: of one memory with all its records and, as of a point, what was believed then; or in a range."""

    memory_id: str | None
    changes: list[ChangeView]
    versions: list[MemoryView]
    dissonances: list[DissonanceView]
    as_of_valid: str | None
    as_of_recorded: str | None
    believed: list[MemoryView]


@dataclass(frozen=True, slots=True)
class UndoneView:
    """What an undo took back and brought back."""

    action: str
    at: str
    taken_back: list[MemoryView]
    restored: list[MemoryView]
    links: int
    uses: int


def view_dissonance(dissonance: Dissonance) -> DissonanceView:
    """A dissonance as a shape."""
    return DissonanceView(
        belief_id=dissonance.belief_id,
        original_id=dissonance.original_id,
        corrected_id=dissonance.corrected_id,
        original_version=dissonance.original_version,
        corrected_version=dissonance.corrected_version,
        name=dissonance.name,
        original=dissonance.original,
        corrected=dissonance.corrected,
        reason=None if dissonance.reason is None else str(dissonance.reason),
        trigger=dissonance.trigger,
        correction_id=dissonance.correction_id,
        discovery_energy=dissonance.discovery_energy,
        emotions=dict(dissonance.emotions),
        held_from=dissonance.held_from.isoformat(),
        held_until=dissonance.held_until.isoformat(),
        corrected_at=dissonance.corrected_at.isoformat(),
    )


def view_change(change: Change) -> ChangeView:
    """A change as a shape."""
    return ChangeView(change.at.isoformat(), str(change.turn), view_memory(change.memory))


def view_timeline(timeline: Timeline) -> TimelineView:
    """A timeline as a shape."""
    point = timeline.as_of
    return TimelineView(
        memory_id=timeline.memory_id,
        changes=[view_change(change) for change in timeline.changes],
        versions=[view_memory(memory) for memory in timeline.versions],
        dissonances=[view_dissonance(dissonance) for dissonance in timeline.dissonances],
        as_of_valid=None if point is None else moment(point.valid),
        as_of_recorded=None if point is None else moment(point.recorded),
        believed=[view_memory(memory) for memory in timeline.believed],
    )


def view_undone(undone: Undone) -> UndoneView:
    """An undo as a shape."""
    return UndoneView(
        action=undone.action,
        at=undone.at.isoformat(),
        taken_back=[view_memory(memory) for memory in undone.taken_back],
        restored=[view_memory(memory) for memory in undone.restored],
        links=undone.links,
        uses=undone.uses,
    )
