"""What became of hook events that were taken in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engramforge.model.registration import Consequence

SWITCHED_OFF: Final = "said while capture was switched off"
"""Why an import skips such a record."""


class Switch(StrEnum):
    """What can be switched off for a project or a session."""

    CAPTURE = "capture"
    INJECTION = "injection"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """The outcome of a batch of hook events.

    `events`: how many there were. `captured`: memories that were written. `known`: things told that the store had,
    from an earlier delivery or the transcript. `left_out`: events that were not captured because capture is switched
    off or the project is excluded. `nothing`: events that say nothing to remember. `faults`: of what could not be
    taken, a sentence each; the rest of the batch was. `consequences`: what it did to decisions and threads.
    """

    events: int = 0
    captured: int = 0
    known: int = 0
    left_out: int = 0
    nothing: int = 0
    faults: tuple[str, ...] = ()
    consequences: tuple[Consequence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchedOff:
    """Something that is switched off: what, and for which project or session."""

    what: Switch
    project: str | None = None
    session: str | None = None
