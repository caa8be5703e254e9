"""By what two statements are seen to contradict each other, and how sure that makes one."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

LEAST_STRENGTH: Final = 0.36
"""From this strength two statements count as a conflict: where the rule of negation, whose strengths are probabilities
on pairs of sentences, has its best F1 (docs/measurements/conflicts.md)."""


class Signal(StrEnum):
    """By what it is seen that two statements disagree. A replacement that one declares is settled from the first."""

    REJECTED = "rejected_alternative"
    REPLACED = "replacement"
    NEGATION = "negation"
    NUMBER = "other_number"
    CHOICE = "other_choice"
    ROLES = "swapped_roles"
    OPPOSITE = "opposite_words"
    TIER = "lower_tier"
    JUDGE = "judge"
    STATED = "stated"


def is_plain(signal: str) -> bool:
    """Whether a signal needs no comparing to be understood: one rejects, forbids or denies what the other says.

    >>> is_plain("negation"), is_plain("other_choice")
    (True, False)
    """
    return signal in (Signal.REJECTED, Signal.NEGATION)


class Disagreement(NamedTuple):
    """That two statements seem to disagree. `why`: in words. `strength`: how surely, 0..1."""

    signal: Signal
    why: str
    strength: float
