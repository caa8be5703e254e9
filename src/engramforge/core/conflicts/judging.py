"""A judge of pairs of statements beside the rules: an encoder for natural language inference, or whatever else reads.

A judge goes before the rules of wording: what it calls a contradiction is one by its signal, what it does not call so
is none, however the words look. What somebody explicitly rejected, and another number, stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from engramforge.core.conflicts.signals import Disagreement, Signal

SURE: Final = 0.5
"""From this probability a judge's contradiction counts."""
_UNJUDGED: Final = frozenset({Signal.REJECTED, Signal.REPLACED, Signal.NUMBER})


class Verdict(NamedTuple):
    """What a judge makes of a pair: probabilities, 0..1, of a contradiction and of an entailment."""

    contradiction: float
    entailment: float


class Judge(Protocol):
    """Judges pairs of statements. `name`: which, as it stands with what it found."""

    @property
    def name(self) -> str:
        """Which judge."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Verdict]:
        """A verdict for each pair, in order."""


def judged(found: Disagreement | None, verdict: Verdict, name: str) -> Disagreement | None:
    """What stands of the rules' finding once a judge has read the pair.

    >>> judged(None, Verdict(0.9, 0.02), "nli")
    Disagreement(signal=<Signal.JUDGE: 'judge'>, why='nli reads a contradiction', strength=0.9)
    >>> judged(Disagreement(Signal.NEGATION, "", 0.8), Verdict(0.1, 0.7), "nli") is None
    True
    """
    if found is not None and found.signal in _UNJUDGED:
        return found
    if verdict.contradiction < SURE:
        return None
    if found is not None:
        return found._replace(strength=max(found.strength, verdict.contradiction))
    return Disagreement(Signal.JUDGE, f"{name} reads a contradiction", verdict.contradiction)
