"""What a text says about cause and effect."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AskedDirection(StrEnum):
    """What a causal question looks for."""

    CAUSE = "cause"
    """The causes of an effect that it names: why."""
    EFFECT = "effect"
    """The effects of a cause that it names: what happens then."""


@dataclass(frozen=True, slots=True)
class Causation:
    """One statement that something caused, causes or would cause something else.

    `cause`, `effect`: the two parts as the text has them. `cue`: the words that say so, lower-cased. `sentence`: the
    sentence that holds the cue. `cause_span`, `effect_span`: [start, end) of the parts in the text, in characters.
    """

    cause: str
    effect: str
    cue: str
    sentence: str
    cause_span: tuple[int, int]
    effect_span: tuple[int, int]
