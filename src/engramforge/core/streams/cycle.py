"""What an agent that wakes by itself asks for, by how it is.

Source: spec chapter 5, "Retrieval by state" (autonomous use) and "Energy feedback"; document 003, S6.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engramforge.core.streams.feedback import ACTIVATED, EVEN, WEIGHT, with_feedback
from engramforge.model.streams.cycle import AgentState, Choice, Feedback

HUNGRY: Final = 0.7
TENSE: Final = 0.6
BROAD_ENERGY: Final = 0.5
"""The least energy of what a broad intention finds."""
ASKED_APART: Final = 8
"""How many active contexts are asked each by itself."""


def choice_of(state: AgentState) -> Choice:
    """Context hunger above 0.7 asks broadly, else unresolved tension above 0.6 asks how it came about, else the state
    is asked itself.

    >>> str(choice_of(AgentState(energy=0.5, context_hunger=0.71, active_contexts=("release",))))
    'broad_intention'
    >>> str(choice_of(AgentState(energy=0.5, unresolved_tension=0.61, tension_source="the queue")))
    'evolution_intention'
    >>> str(choice_of(AgentState(energy=0.5, context_hunger=0.7, unresolved_tension=0.6)))
    'state'
    """
    if state.context_hunger > HUNGRY and state.active_contexts:
        return Choice.BROAD
    if state.unresolved_tension > TENSE and state.tension_source:
        return Choice.EVOLUTION
    return Choice.STATE


class Words(NamedTuple):
    """An intention of a cycle in words. `searched`: what is looked for, each by itself. `said`: how it is told, in
    document 003's phrase, whose own words would find what has nothing to do with the matter."""

    searched: tuple[str, ...]
    said: str


def words_of_choice(state: AgentState, choice: Choice) -> Words:
    """What is asked in words; empty for a state. Contexts beyond those that are asked apart share the last question.

    >>> words_of_choice(AgentState(energy=0.5, active_contexts=("the pier", "sand")), Choice.BROAD)
    Words(searched=('the pier', 'sand'), said='Recent developments in the pier, sand')
    """
    if choice is Choice.BROAD:
        apart, rest = state.active_contexts[:ASKED_APART], state.active_contexts[ASKED_APART:]
        searched = (*apart, *((", ".join(rest),) if rest else ()))
        return Words(searched, f"Recent developments in {', '.join(state.active_contexts)}")
    if choice is Choice.EVOLUTION and state.tension_source:
        return Words((state.tension_source,), f"Past experiences similar to {state.tension_source}")
    return Words((), "")


def feedback_on(energy: float, potential: float, weight: float = WEIGHT) -> Feedback:
    """What a potential does to an energy: nothing up to 0.5, then it is applied; above a rise of 0.2 what is unresolved
    is to be worked on, which the usual weight of 0.3 never reaches.

    >>> feedback_on(0.5, 0.4).energy, round(feedback_on(0.5, 0.9).energy, 3)
    (0.5, 0.62)
    >>> feedback_on(0.3, 1.0).activates, feedback_on(0.3, 1.0, weight=0.5).activates
    (False, True)
    """
    after = with_feedback(energy, potential, weight) if potential > EVEN else energy
    return Feedback(energy=after, applied=potential > EVEN, activates=after > energy + ACTIVATED)
