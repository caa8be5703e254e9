"""One autonomous cycle: how an agent is, what it asked for, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engramforge.model.memory import Memory
    from engramforge.model.streams.stream import Stream


class Choice(StrEnum):
    """What a cycle asks for."""

    BROAD = "broad_intention"
    EVOLUTION = "evolution_intention"
    STATE = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """How an agent is.

    Parameters
    ----------
    energy : 0..1. emotions : name -> 0..1. goal : None where there is none.
    context_hunger, unresolved_tension : 0..1.
    active_contexts : what it works on, for a broad intention. tension_source : what is unresolved.
    reality_pressure : how urgent the world is, 0..1.
    """

    energy: float
    emotions: Mapping[str, float] = field(default_factory=dict)
    goal: str | None = None
    context_hunger: float = 0.0
    unresolved_tension: float = 0.0
    active_contexts: tuple[str, ...] = ()
    tension_source: str | None = None
    reality_pressure: float = 0.5


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a stream does to an energy.

    `energy`: afterwards, 0..1. `applied`: whether the potential was above 0.5. `activates`: whether the energy rose by
    more than 0.2, so that what is unresolved is to be worked on.
    """

    energy: float
    applied: bool
    activates: bool


@dataclass(frozen=True, slots=True)
class Cycle:
    """What one cycle did.

    `activated`: what is unresolved and is to be worked on now. `learnings`: memories that were written of dissonances.
    """

    choice: Choice
    stream: Stream
    feedback: Feedback
    activated: tuple[Memory, ...]
    learnings: tuple[Memory, ...]
