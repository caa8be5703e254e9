"""How complete the felt metadata of memories and links is, and what a sweep finds.

Shapes only: the rules are in core/checks/completeness and core/checks/degraded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Grade(StrEnum):
    """The quality of a set's metadata, best first."""

    EXCELLENT = "excellent"
    GOOD = "good"
    ACCEPTABLE = "acceptable"
    POOR = "poor"


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """The metadata of several memories or links as a whole.

    Parameters
    ----------
    total : how many there are.
    fully_valid : those whose REQUIRED fields are all present and whose values are all sound.
    with_warnings : those that lack an IMPORTANT field; they may be fully valid.
    with_errors : total - fully_valid.
    average_completeness : mean of present fields / 13, in 0..1; 1 where there is nothing.
    incomplete_ids : ids of those with errors, in order; a sweep names the first thousand.
    """

    total: int
    fully_valid: int
    with_warnings: int
    with_errors: int
    average_completeness: float
    incomplete_ids: tuple[str, ...]
    grade: Grade


NOTHING_TO_REPORT = ValidationReport(0, 0, 0, 0, 1.0, (), Grade.EXCELLENT)
"""The report on nothing at all."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """One record that is not as it should be, and its repair.

    Parameters
    ----------
    subject : the id of the memory's version or of the link.
    kind : memory or link.
    name : which rule it breaks, such as `interval`; reports count by it.
    broken : the record contradicts a law of the store; otherwise it is sound but poor.
    repair : what to do, a sentence.
    command : a command that does it or begins it, or None.
    """

    subject: str
    kind: str
    name: str
    broken: bool
    fault: str
    repair: str
    command: str | None = None


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What a sweep found.

    `memories`, `links`: reports on what is on record now. `records`: how many records of memories, closed ones too,
    were looked at. `degraded`: the first of the degraded records, broken ones first; `counts` has all of them by name.
    `broken`: how many findings are of broken records.
    """

    at: datetime
    memories: ValidationReport
    links: ValidationReport
    records: int
    degraded: tuple[Degraded, ...]
    counts: Mapping[str, int]
    broken: int
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether no record is broken; poor metadata does not count."""
        return self.broken == 0


@dataclass(frozen=True, slots=True)
class KeptReport:
    """What is kept of a sweep over time: its counts, without any id.

    `whose`: the agent whose memories were swept, or * for all agents'.
    """

    at: datetime
    whose: str
    memories: ValidationReport
    links: ValidationReport
    broken: int
