"""What is asked of a stream, from arguments to checked types. Raises InvalidValue, InvalidTime, InvalidContent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from uuid_utils import uuid7

from engramforge.core.checks.validation import check_emotions, check_name, check_query, check_unit, check_word
from engramforge.core.emotions.emotion_names import emotion_name
from engramforge.errors import InvalidValue
from engramforge.model.limits import RECALL_HITS
from engramforge.model.scope import ALL_LEVELS, Level
from engramforge.model.search.selection import Selection
from engramforge.model.streams.asked import (
    GraphWay,
    QueryMode,
    RetrievalIntention,
    StateBasedRetrieval,
    TemporalScope,
)
from engramforge.model.streams.ways import LEVEL_KEYS, LEVEL_NUMBERS
from engramforge.recall.request import AskedTimes, Moment, in_time, listed, moment, whole

_LEVELS: Final[Mapping[str, Level]] = {
    **{str(level): level for level in ALL_LEVELS},
    **{number.lower(): level for level, number in LEVEL_NUMBERS.items()},
    **{key: level for level, key in LEVEL_KEYS.items()},
}


def intention_of(
    query_text: str, asked: Mapping[str, Any], times: AskedTimes, clock: Callable[[], datetime]
) -> RetrievalIntention:
    """An intention from the arguments of `forge.streams.by_intention`."""
    now = clock()
    return RetrievalIntention(
        query_text=check_query(query_text),
        selection=in_time(Selection(), times, now),
        intention_id=_named(asked.get("intention_id"), "intention_id"),
        generated_at=_when(asked.get("generated_at"), now),
        query_levels=levels_of(asked.get("query_levels")),
        max_results_per_level=whole(asked["max_results_per_level"], "max_results_per_level", 1, RECALL_HITS),
        min_energy=_share(asked.get("min_energy"), "min_energy"),
        min_confidence=_share(asked.get("min_confidence"), "min_confidence"),
        required_emotions=emotions_named(asked.get("required_emotions")),
        only_fully_valid=bool(asked.get("only_fully_valid")),
        current_goal=_optional(asked.get("current_goal"), "current_goal"),
        current_emotions=check_emotions(asked.get("current_emotions"), "current_emotions"),
        reality_pressure=check_unit(asked["reality_pressure"], "reality_pressure"),
        generated_by=_optional(asked.get("generated_by"), "generated_by"),
        spreading=bool(asked.get("spreading")),
        graph_way=check_word(GraphWay, asked.get("graph_way") or GraphWay.PATHS, "graph_way"),
        rerank=bool(asked.get("rerank")),
        came_about=bool(asked.get("came_about")),
    )


def state_of(asked: Mapping[str, Any], clock: Callable[[], datetime]) -> StateBasedRetrieval:
    """A state from the arguments of `forge.streams.by_state`."""
    emotions = check_emotions(asked.get("current_emotions"), "current_emotions") or {}
    mode = check_word(QueryMode, asked.get("query_mode") or QueryMode.RELATED_UNRESOLVED, "query_mode")
    goal = _optional(asked.get("current_goal"), "current_goal")
    felt = any(emotions.values())
    if mode is QueryMode.SIMILAR_STATE and not felt:
        raise InvalidValue(
            f"{mode} is asked without an emotion", "Give current_emotions, such as frustration"
        )
    if mode in (QueryMode.RELATED_UNRESOLVED, QueryMode.RESOLUTION_PATTERNS) and not felt and not goal:
        raise InvalidValue(f"{mode} is asked without a goal or an emotion", "Give one of them")
    return StateBasedRetrieval(
        current_energy=check_unit(asked.get("current_energy"), "current_energy"),
        current_emotions=emotions,
        state_id=_named(asked.get("state_id"), "state_id"),
        generated_at=_when(asked.get("generated_at"), clock()),
        current_goal=goal,
        query_mode=mode,
        include_only_unresolved=bool(asked.get("include_only_unresolved", True)),
        temporal_scope=check_word(
            TemporalScope, asked.get("temporal_scope") or TemporalScope.RECENT, "temporal_scope"
        ),
        reality_pressure=check_unit(asked["reality_pressure"], "reality_pressure"),
    )


def levels_of(named: str | Sequence[str] | None) -> tuple[Level, ...]:
    """Levels by their names or numbers, each once, in order; None for all."""
    if named is None:
        return ALL_LEVELS
    found = {_level(each) for each in listed(named, "level")}
    if not found:
        raise InvalidValue("No level is asked", "Name N1, N2 or N3, or leave it out for all")
    return tuple(each for each in ALL_LEVELS if each in found)


def emotions_named(named: str | Sequence[str] | None) -> tuple[str, ...]:
    """Emotions by the names by which they are compared."""
    if named is None:
        return ()
    names = (emotion_name(check_name(each, "emotion")) for each in listed(named, "emotion"))
    return tuple(dict.fromkeys(names))


def _level(named: object) -> Level:
    found = _LEVELS.get(str(named).strip().lower())
    if found is None:
        raise InvalidValue(
            f"There is no level {str(named)[:40]!r}", "Name N1 (personal), N2 (collective) or N3 (ecosystem)"
        )
    return found


def _share(value: object, field: str) -> float | None:
    return None if value is None else check_unit(value, field)


def _optional(value: object, field: str) -> str | None:
    return None if value is None else check_name(value, field)


def _named(value: object, field: str) -> str:
    return str(uuid7()) if value is None else check_name(value, field)


def _when(value: Moment, now: datetime) -> datetime:
    return moment(value, "generated_at") or now
