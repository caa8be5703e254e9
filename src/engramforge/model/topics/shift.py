"""Shifts of activity: when somebody turned from one matter to another, as it was noticed at their prompts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.model.spaces import Space

SHIFTS: Final = "topics:shifts/"
"""How the names of the marks begin that keep shifts: agent, a slash, project."""
SHIFTS_KEPT: Final = 50
"""How many shifts of a project are kept for an agent, the newest."""


@dataclass(frozen=True, slots=True)
class ActivityShift:
    """A shift that was noticed.

    Parameters
    ----------
    at, session, project : when, in which session of which project.
    evidence : how unlike what was recent the prompt was, 0..1.
    spaces : in which it was unlike it, the most telling first, each with the largest similarity there, 0..1.
    before_id, before : the last memory of what one was at, and its beginning.
    topic : the name of that memory's topic.
    after_id, after : the prompt at which it was noticed, and its beginning.

    Ids are None, and texts empty, for what is not recorded, not in scope, or was forgotten.
    """

    at: datetime
    session: str
    project: str
    evidence: float
    spaces: tuple[tuple[Space, float], ...]
    before_id: str | None = None
    before: str = ""
    topic: str = ""
    after_id: str | None = None
    after: str = ""
