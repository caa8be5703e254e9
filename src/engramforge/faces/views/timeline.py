"""The shapes of timelines, dissonances, patterns of correction and an undo."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.registry import ConsequenceView
from engramforge.faces.views.shape import Shape, numbered, plain
from engramforge.model.streams.corrections import CorrectionPattern
from engramforge.model.timeline import Change, Dissonance, Timeline, Undone


@dataclass(frozen=True, slots=True)
class DissonanceView(Shape[Dissonance]):
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
class CorrectionPatternView(Shape[CorrectionPattern]):
    """A kind of belief that is corrected again and again: what the kind is, and its cases, oldest correction first."""

    kind: str
    cases: list[DissonanceView]
    belief_ids: list[str]

    @property
    def counted(self) -> str:
        """How many beliefs were corrected, and how often where that is more."""
        beliefs = numbered(len(self.belief_ids), "belief")
        more = len(self.cases) > len(self.belief_ids)
        return f"{beliefs}, {numbered(len(self.cases), 'time')}" if more else beliefs


@dataclass(frozen=True, slots=True)
class ChangeView(Shape[Change]):
    """One turn of one version: recorded, end_recorded or expired (recorded time), became_true or ceased (valid
    time)."""

    at: str
    turn: str
    memory: MemoryView


@dataclass(frozen=True, slots=True)
class TimelineView(Shape[Timeline]):
    """What changed: of one memory with all its records and, as of a point, what was believed then; or in a range."""

    memory_id: str | None
    changes: list[ChangeView]
    versions: list[MemoryView]
    dissonances: list[DissonanceView]
    as_of_valid: str | None
    as_of_recorded: str | None
    believed: list[MemoryView]

    @classmethod
    def _derived(cls, value: Timeline) -> dict[str, object]:
        point = value.as_of
        valid, recorded = (None, None) if point is None else (point.valid, point.recorded)
        return {"as_of_valid": plain(valid), "as_of_recorded": plain(recorded)}


@dataclass(frozen=True, slots=True)
class UndoneView(Shape[Undone]):
    """What an undo or a redo took from the record and brought back, and what became of each memory and entry."""

    action: str
    at: str
    taken_back: list[MemoryView]
    restored: list[MemoryView]
    links: int
    uses: int
    consequences: list[ConsequenceView]
    passed_over: MemoryView | None
