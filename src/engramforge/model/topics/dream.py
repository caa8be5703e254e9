"""What a dream did to a project, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

DREAMS: Final = "dreams/"
"""How the name of the mark of a project begins that keeps what is known of its dreams."""
MERGED: Final = "a dream merged what says the same"
"""What made the links, both ways, between what stays and what was merged away. They bind deletion until what stays says
something else."""
UNDONE: Final = "dreams:undone"
"""The mark with the ids of the dreams that are taken back; changed with each undo and redo of one."""


class DreamStepName(StrEnum):
    """The steps of a dream, in their order."""

    RECLUSTER = "recluster"
    """Topics are found anew."""
    MERGE = "merge"
    """What says the same is merged."""
    FADE = "fade"
    """Energy that nobody uses falls back."""
    PROMOTE = "promote"
    """What keeps recurring becomes a pattern."""


@dataclass(frozen=True, slots=True)
class DreamStep:
    """What a step did.

    Parameters
    ----------
    count : topics that stand, memories that were merged away, energies that fell, patterns that were made.
    ids : of them, each once: topics, what stays of the merged, what fell, the patterns; at most a hundred.
    seconds : how long it took.
    """

    name: DreamStepName
    count: int = 0
    ids: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class DreamReport:
    """A dream of a project.

    Parameters
    ----------
    id : by which undo takes it back; empty of a dry run.
    began_at, ended_at : None while it is not at its end: it stopped because somebody is at work, and goes on later.
    steps : those that were done, in order.
    is_dry : nothing was written; what it would have done.
    is_undone : whether somebody took it back.
    """

    id: str
    project: str
    began_at: datetime
    ended_at: datetime | None
    steps: tuple[DreamStep, ...] = ()
    is_dry: bool = False
    is_undone: bool = False
