"""The six ways of a stream, two of each level, and how near to attention what they find is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from engramforge.model.scope import Level

LEVEL_NUMBERS: Final[Mapping[Level, str]] = {
    Level.PERSONAL: "N1",
    Level.COLLECTIVE: "N2",
    Level.ECOSYSTEM: "N3",
}


class Way(StrEnum):
    """How a level is searched."""

    VECTOR = "vector"
    GRAPH = "graph"
    SPREAD = "spread"
    """By activation that spreads along links, only where it is asked for."""
    STATE = "state"
    """By how it feels and what it is for, where a state is asked and no question."""


class Tier(StrEnum):
    """How near to attention something is."""

    FOCUS = "focus"
    PERIPHERAL = "peripheral"
    BACKGROUND = "background"


def way_name(level: Level, way: Way) -> str:
    """What a way of a level is called.

    >>> way_name(Level.COLLECTIVE, Way.GRAPH)
    'N2_graph'
    """
    return f"{LEVEL_NUMBERS[level]}_{way}"


LEVEL_KEYS: Final[Mapping[Level, str]] = {
    level: f"{number.lower()}_{level}" for level, number in LEVEL_NUMBERS.items()
}
"""What each level is called in a stream: n1_personal, n2_collective, n3_ecosystem."""
