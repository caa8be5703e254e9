"""What an agent asks a stream for: an intention in words, or the state that it is in.

Source: spec chapter 5, "Retrieval by intention" and "Retrieval by state"; document 003, component 1. Levels are written
N1 (personal), N2 (collective) and N3 (ecosystem) there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engramforge.model.scope import Level
from engramforge.model.search.selection import Selection


class GraphWay(StrEnum):
    """How the graph is searched."""

    PATHS = "paths"
    """Two links from the names of the question, by the strongest path."""
    PAGERANK = "pagerank"
    """By where a walk from the names is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalIntention:
    """A question, with what an answer has to be like.

    Parameters
    ----------
    query_text : what is needed, in words.
    selection : the temporal mode with its times, as predicates of the store's query.
    query_levels : the levels that are asked.
    max_results_per_level : of each of the ways, 1..1,000.
    min_energy, min_confidence : least energy and confidence of a memory, 0..1; None for any.
    required_emotions : emotions that must all be above 0.
    only_fully_valid : whether memories whose REQUIRED metadata are incomplete or unsound are left out.
    current_goal, current_emotions : of who asks; links are weighed by them.
    reality_pressure : how urgent the world is, 0..1.
    spreading : whether activation spreads from the hits as a third way. graph_way : how the graph is searched.
    came_about : whether what caused and what resolved it is asked for, in whatever words.
    rerank : whether a model that reads question and memory together orders what is nearest.
    intention_id : of this intention. generated_at : when it was made. generated_by : by whom or what.
    """

    query_text: str
    selection: Selection
    intention_id: str
    generated_at: datetime
    query_levels: tuple[Level, ...]
    max_results_per_level: int
    min_energy: float | None
    min_confidence: float | None
    required_emotions: tuple[str, ...]
    only_fully_valid: bool
    current_goal: str | None
    current_emotions: Mapping[str, float] | None
    reality_pressure: float
    generated_by: str | None
    spreading: bool
    graph_way: GraphWay
    rerank: bool
    came_about: bool = False


class QueryMode(StrEnum):
    """What a state is asked for."""

    RELATED_UNRESOLVED = "find_related_unresolved"
    SIMILAR_STATE = "find_similar_state"
    WHAT_I_WAS_DOING = "find_what_i_was_doing"
    RESOLUTION_PATTERNS = "find_resolution_patterns"


class TemporalScope(StrEnum):
    """How far back a state looks."""

    RECENT = "recent"
    """The last 30 days."""
    ALL_TIME = "all_time"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateBasedRetrieval:
    """A state in place of a question.

    Parameters
    ----------
    current_energy : 0..1. current_emotions : name -> 0..1. current_goal : None where there is none.
    query_mode : what is looked for.
    include_only_unresolved : whether the first two modes tell only what is blocked or in progress.
    temporal_scope : how far back they look.
    reality_pressure : how urgent the world is, 0..1.
    state_id : of this state. generated_at : when it was read; the last 30 days count from it.
    """

    current_energy: float
    current_emotions: Mapping[str, float]
    state_id: str
    generated_at: datetime
    current_goal: str | None
    query_mode: QueryMode
    include_only_unresolved: bool
    temporal_scope: TemporalScope
    reality_pressure: float
