"""Conflicts between memories: two statements that contradict each other, by which signal, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.model.memory import Kind

CONFLICT_ID: Final = "conflict_id"
"""Key of a link's `extra`: the id of the conflict, which is that of its first link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictSide:
    """One of two statements. `id`: its logical id. `entry_id`: of a registry's entry. `text`: what it says.

    `rationale`: of a decision; empty where none was given. `at`: since when it holds.
    """

    id: str
    entry_id: str | None
    kind: Kind
    project: str
    text: str
    rationale: str
    epistemic_tier: float
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two statements that contradict each other.

    Parameters
    ----------
    id : of its CONTRADICTS link; empty where nothing was stored.
    signal : by what it was seen; `stated` where somebody linked the two. signals : that and what joins it.
    why : in words. score : how surely, 0..1.
    newer, older : the two statements, by since when they hold.
    since : since when both hold. found_at : when it was detected or linked.
    dismissed : the reason for which it was dismissed; None while it is open. dismissed_at : when.
    degraded : why no language model judged it, where the settings want that; told by what finds it, and not kept.
    """

    id: str
    signal: str
    signals: tuple[str, ...]
    why: str
    score: float
    newer: ConflictSide
    older: ConflictSide
    since: datetime
    found_at: datetime
    dismissed: str | None = None
    dismissed_at: datetime | None = None
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictReport:
    """What a detection did.

    `compared`: memories looked at anew; `pairs`: neighbours that were judged. `found`: new conflicts, the surest first.
    `settled`: how many open ones ended, since their statements changed, or a judge reads no contradiction. `replaced`:
    pairs that are new of which one declares that it takes the other's place, and which are no conflict.
    `degraded`: how many no language model judged, and why, where the settings want that. `left`: memories that wait for
    the next detection, as this one was to compare so many at most.
    """

    at: datetime
    compared: int
    pairs: int
    found: tuple[Conflict, ...]
    settled: int
    degraded: str = ""
    replaced: int = 0
    left: int = 0
