"""The shapes of patterns, priming blocks, flags and scratch entries; and of events."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.registries.learned import Flag, Outcome, Pattern, PrimingBlock, ScratchEntry, Territory
from engramforge.model.storing.record import Event


@dataclass(frozen=True, slots=True)
class OutcomeView(Shape[Outcome]):
    """What came of trying a pattern."""

    id: str
    success: bool
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class PatternView(Shape[Pattern]):
    """A pattern; `success_score`: how often it works at least, 0..1, null where nobody has tried it."""

    id: str
    version: int
    name: str | None
    content: str
    project: str
    tags: list[str]
    successes: int
    tries: int
    success_score: float | None
    outcomes: list[OutcomeView]
    valid_at: str
    score: float | None
    redacted: int

    @property
    def worked(self) -> str:
        """How often it worked, in words."""
        if self.success_score is None:
            return "not tried"
        return f"{self.successes} of {self.tries} ({self.success_score:.2f})"


@dataclass(frozen=True, slots=True)
class PrimingView(Shape[PrimingBlock]):
    """A priming block; `made_from`: the flags that it was compiled from."""

    id: str
    version: int
    territory: str
    content: str
    project: str
    tags: list[str]
    made_from: list[str]
    valid_at: str
    expires_at: str | None
    score: float | None
    redacted: int


@dataclass(frozen=True, slots=True)
class TerritoryView(Shape[Territory]):
    """An area that priming blocks are about."""

    name: str
    project: str
    blocks: int
    newest_at: str


@dataclass(frozen=True, slots=True)
class FlagView(Shape[Flag]):
    """A flag; `compiled_in`: the priming blocks that were made from it."""

    id: str
    version: int
    type: str
    status: str
    content: str
    project: str
    tags: list[str]
    compiled_in: list[str]
    valid_at: str
    score: float | None
    redacted: int


@dataclass(frozen=True, slots=True)
class ScratchView(Shape[ScratchEntry]):
    """A note for a while, of one agent alone."""

    key: str
    text: str
    session: str | None
    written_at: str
    expires_at: str
    redacted: int


@dataclass(frozen=True, slots=True)
class EventView(Shape[Event]):
    """A line of the event log."""

    position: int
    at: str
    action: str
    subject: str
    agent: str
    reason: str
