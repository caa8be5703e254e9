"""Retrieval by a state: no question, only how an agent is and what it is about.

    state -> goals like its own, emotions at length 1 -> what the store has that is so -> levels

Source: spec chapter 5, "Retrieval by state"; document 003, component 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from engramforge.core.streams.weights import GOAL_WITHIN, SAME_GOAL, SIMILAR_GOAL, goal_key, goal_match
from engramforge.errors import Stopped
from engramforge.model.link import Link, Relation
from engramforge.model.memory import UNRESOLVED, Kind, ResolutionState
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.streams.asked import QueryMode, StateBasedRetrieval, TemporalScope
from engramforge.model.streams.stream import LevelItems, Path, StreamItem, WayReport
from engramforge.model.streams.ways import Way, way_name
from engramforge.recall.intention.goal_likeness import MOST_COMPARED, GoalLikeness
from engramforge.recall.intention.state_notes import (
    DONE_UNREAD,
    Nearest,
    more_is_older,
    resolved_there,
    why_no_pattern,
    why_no_state,
)
from engramforge.recall.intention.state_parts import (
    EACH,
    Done,
    Scored,
    by_level,
    by_pattern,
    discovery,
    doing,
    done_of,
    onward_from,
    resolved_elsewhere,
    selection_of,
    shares_of,
    strongest,
)
from engramforge.recall.intention.time_limit import WAY_S, tried
from engramforge.recall.intention.walking import Paths, Reached, order_of, relevance_of, walk
from engramforge.recall.intention.why_none import nothing_remembered
from engramforge.store.door import Door, View

SAME_MOOD: Final = 0.7
RESOLVED_MOOD: Final = 0.6
"""Cosines of emotions above which a mood is like one's own, and one in which something like it was resolved."""
NEAR_IN_ENERGY: Final = 0.2
PATTERNS: Final = 10
_LOOKED_AT: Final = 200
_TITLES: Final = 1_000
"""Of how many threads the titles are read; of those looked at, also what they mean."""
_MOST_HELPED: Final = 60
_BY_GOAL: Final = (QueryMode.RELATED_UNRESOLVED, QueryMode.RESOLUTION_PATTERNS)
_HELPED: Final = (Kind.DECISION, Kind.ACTION, Kind.LEARNING)
"""What is told of a resolution."""


class StateFound(NamedTuple):
    """What a state brought. `order`: version ids over all levels, as the mode orders them. `note`: why there is
    nothing, where more can be said, and which goals were not compared."""

    levels: Mapping[Level, LevelItems]
    reports: tuple[WayReport, ...]
    order: tuple[str, ...]
    note: str = ""


class _Read(NamedTuple):
    """What was read of every level; and the links to what resolved it, where that is asked for. `order`, `note`: as of
    a `StateFound`."""

    levels: Mapping[Level, LevelItems]
    links: Sequence[Link] = ()
    order: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ByState:
    """Retrieves by states. `way_s`: how long each step may take."""

    door: Door
    goals: GoalLikeness
    way_s: float = WAY_S

    def find(self, scope: Scope, state: StateBasedRetrieval, now: datetime) -> StateFound:
        """What every level has. A step that is too slow is told in the reports, and what the others found stays.

        Raises what reading memories raised where it broke: nothing else answers.
        """
        goals = _named(state)
        like = tried(self.way_s, lambda: self._goals(scope, state, goals, now), "")
        shares = shares_of(state.current_emotions)
        found = tried(self.way_s, lambda: self._read(scope, state, goals, shares, now), _Read(by_level([])))
        if found.fault is not None and not isinstance(found.fault, Stopped):
            raise found.fault
        read = found.answer
        if _is_of_doing(state):
            most = EACH if state.query_mode is QueryMode.WHAT_I_WAS_DOING else None
            read = self._still_doing(scope, read, now, most)
        levels, links, order, note = read
        is_none = not any(levels.values())
        if found.fault is None and (is_none or not note):
            why = partial(self._older, scope, state, goals, now)
            if is_none:
                why = partial(self._why_none, scope, state, goals, shares, now, note)
            note = tried(self.way_s, why, "").answer
        note = ". ".join(filter(None, (note, like.answer)))
        around = tried(self.way_s, lambda: self._told(scope, levels, links, now), levels)
        steps = (like, found, around)
        fault = next((str(each.fault) for each in steps if each.fault is not None), None)
        took = sum(each.took_ms for each in steps)
        reports = (
            WayReport(way_name(level, Way.STATE), len(held), took, fault)
            for level, held in around.answer.items()
        )
        return StateFound(around.answer, tuple(reports), order or by_pattern(around.answer), note)

    def _why_none(
        self,
        scope: Scope,
        state: StateBasedRetrieval,
        goals: Mapping[str, float],
        shares: Mapping[str, float],
        now: datetime,
        known: str,
    ) -> str:
        """Why a state found nothing. `known`: what is known of that."""

        def nearest() -> Nearest | None:
            known = view.goals(selection_of(now), MOST_COMPARED)
            near = self.goals.of(scope, goal_key(state.current_goal or ""), known)
            return max(map(Nearest, known, near), key=lambda each: each.likeness, default=None)

        def count(wider: StateBasedRetrieval) -> int:
            found = self._fitting(scope, view, wider, goals, shares, now)
            if not _is_of_doing(wider):
                return len(found)
            done = done_of(view, [each.memory for each in found], now)
            return sum(each.memory.logical_id not in done.ids for each in found)

        with self.door.asking(scope) as view:
            empty = nothing_remembered(view, scope, selection_of(now))
            return empty or known or why_no_state(state, count, nearest, EACH)

    def _older(
        self, scope: Scope, state: StateBasedRetrieval, goals: Mapping[str, float], now: datetime
    ) -> str:
        """That more has the goal of a state than what is recent, if so."""
        goal = state.current_goal
        asked = (state.query_mode, state.temporal_scope)
        if not goal or asked != (QueryMode.RELATED_UNRESOLVED, TemporalScope.RECENT):
            return ""
        felt = Felt(states=_states_of(state))
        chosen = selection_of(now, felt, is_older=True)
        with self.door.asking(scope) as view:
            found = view.by_energy(replace(chosen, felt=replace(felt, goals=tuple(goals))), EACH)
            if len(found) < EACH:
                found += [each.memory for each in self._threads(scope, view, goal, chosen)]
        return more_is_older(len({each.id for each in found}), EACH)

    def _fitting(
        self,
        scope: Scope,
        view: View,
        state: StateBasedRetrieval,
        goals: Mapping[str, float],
        shares: Mapping[str, float],
        now: datetime,
    ) -> list[Scored]:
        """What fits a state, with the threads whose matter is its goal."""
        found = _found(view, state, goals, shares, now, scope.agent)
        if state.query_mode is QueryMode.RELATED_UNRESOLVED and state.current_goal:
            chosen = selection_of(now, Felt(states=_states_of(state)), state.temporal_scope)
            found = strongest([*found, *self._threads(scope, view, state.current_goal, chosen)])
        return found

    def _threads(self, scope: Scope, view: View, goal: str | None, chosen: Selection) -> list[Scored]:
        """The threads of a selection whose matter is the goal, or like it."""
        if not goal:
            return []
        threads = view.by_energy(replace(chosen, kinds=(Kind.THREAD,)), _TITLES)
        titles = [goal_key(each.name or each.content) for each in threads]
        near = self.goals.of(scope, goal_key(goal), titles[:_LOOKED_AT])
        near += [0.0] * (len(titles) - len(near))
        return [
            Scored(each, max(match, like))
            for each, title, like in zip(threads, titles, near, strict=True)
            if (match := goal_match(title, goal)) in (SAME_GOAL, GOAL_WITHIN) or like > SIMILAR_GOAL
        ]

    def _read(
        self,
        scope: Scope,
        state: StateBasedRetrieval,
        goals: Mapping[str, float],
        shares: Mapping[str, float],
        now: datetime,
    ) -> _Read:
        with self.door.asking(scope) as view:
            if state.query_mode is QueryMode.RESOLUTION_PATTERNS:
                chosen = selection_of(now, Felt(states=(ResolutionState.RESOLVED,)))
                closed = partial(self._threads, scope, view, state.current_goal, chosen)
                return _patterns(view, goals, shares, now, closed, partial(self._elsewhere, scope, now))
            is_doing = state.query_mode is QueryMode.WHAT_I_WAS_DOING
            recent = replace(state, temporal_scope=TemporalScope.RECENT) if is_doing else state
            found = self._fitting(scope, view, recent, goals, shares, now)
            return _Read(by_level(found), order=tuple(each.memory.id for each in found))

    def _elsewhere(self, scope: Scope, now: datetime, ids: Sequence[str]) -> Mapping[str, str]:
        """Of some memories those that something in another project resolved, and which that is."""
        if scope.projects is None:
            return {}
        with self.door.asking(replace(scope, projects=None)) as view:
            return resolved_elsewhere(view, ids, scope.projects, now)

    def _still_doing(self, scope: Scope, read: _Read, now: datetime, most: int | None) -> _Read:
        """What was in progress, at most so much, without what is done; with all of it, and a note, where links cannot
        be read."""
        items = [item.memory for held in read.levels.values() for item in held.vector]

        def done() -> Done:
            with self.door.asking(scope) as view:
                return done_of(view, items, now)

        found = tried(self.way_s, done, Done(frozenset()))
        still = {each.id for each in items if each.logical_id not in found.answer.ids}
        order = tuple(each for each in read.order if each in still)[:most]
        levels = {
            level: replace(held, vector=tuple(each for each in held.vector if each.memory.id in order))
            for level, held in read.levels.items()
        }
        is_unread = found.fault is not None or found.answer.is_part
        return _Read(levels, order=order, note=DONE_UNREAD if is_unread else read.note)

    def _told(
        self, scope: Scope, levels: Mapping[Level, LevelItems], links: Sequence[Link], now: datetime
    ) -> Mapping[Level, LevelItems]:
        """The levels with what resolved their memories, and what was decided, done and learned about that."""
        if not links:
            return levels
        with self.door.asking(scope) as view:
            told, used = _around(view, links, now)
        level_of = {each.memory.logical_id: each.memory.level for each in told}
        level_of |= {each.memory.logical_id: level for level, held in levels.items() for each in held.vector}
        return {
            level: replace(
                held,
                graph=tuple(each for each in told if each.memory.level is level),
                links=tuple(each for each in used if level_of.get(each.source_id) is level),
            )
            for level, held in levels.items()
        }

    def _goals(self, scope: Scope, state: StateBasedRetrieval, found: dict[str, float], now: datetime) -> str:
        """Add the goals of memories that are like a state's; what is to be said of that, or nothing."""
        if not state.current_goal or not found:
            return ""
        return self.goals.gather(scope, state.current_goal, selection_of(now), found)


def _is_of_doing(state: StateBasedRetrieval) -> bool:
    """Whether a state asks for what is to be done still."""
    is_related = state.query_mode is QueryMode.RELATED_UNRESOLVED
    return state.query_mode is QueryMode.WHAT_I_WAS_DOING or (is_related and state.include_only_unresolved)


def _named(state: StateBasedRetrieval) -> dict[str, float]:
    """A state's own goal, where the mode goes by goals."""
    by_goal = state.query_mode in _BY_GOAL and state.current_goal
    return {goal_key(by_goal): SAME_GOAL} if by_goal else {}


def _found(
    view: View,
    state: StateBasedRetrieval,
    goals: Mapping[str, float],
    shares: Mapping[str, float],
    now: datetime,
    agent: str,
) -> list[Scored]:
    """What is unresolved and about the same, or was felt as now; or what was in progress."""
    if state.query_mode is QueryMode.WHAT_I_WAS_DOING:
        return doing(view, now, state.temporal_scope, agent)
    is_mood = state.query_mode is QueryMode.SIMILAR_STATE
    felt = Felt(states=_states_of(state))
    if is_mood:
        low, high = state.current_energy - NEAR_IN_ENERGY, state.current_energy + NEAR_IN_ENERGY
        felt = replace(felt, energy=(round(low, 9), round(high, 9)))
    chosen = selection_of(now, felt, state.temporal_scope)
    if is_mood or not state.current_goal:
        found = [Scored(*each) for each in view.moods(chosen, shares, SAME_MOOD, EACH, by_energy=not is_mood)]
        return sorted(found, key=lambda each: (-each.relevance if is_mood else 0.0, -each.memory.energy))
    chosen = replace(chosen, felt=replace(felt, goals=tuple(goals)))
    return [
        Scored(each, goals.get(goal_key(each.goal or ""), 0.0))
        for each in sorted(
            view.by_energy(chosen, EACH, of_each_level=True), key=lambda memory: -memory.energy
        )
    ]


def _states_of(state: StateBasedRetrieval) -> tuple[ResolutionState, ...]:
    """The states of resolution that are asked for; empty for all."""
    return UNRESOLVED if state.include_only_unresolved else ()


def _patterns(
    view: View,
    goals: Mapping[str, float],
    shares: Mapping[str, float],
    now: datetime,
    closed_threads: Callable[[], list[Scored]],
    elsewhere: Callable[[Sequence[str]], Mapping[str, str]],
) -> _Read:
    """What was like this and was resolved, with the links to what resolved it, or the project in which that is; else
    closed threads, which say how. Where there is neither, why."""
    felt = Felt(goals=tuple(goals) or None, states=(ResolutionState.RESOLVED,))
    like = {each.memory.logical_id: each for each in _resolved(view, selection_of(now, felt), goals, shares)}

    def resolutions() -> list[Link]:
        links = view.links(list(like), selection_of(now), relation=Relation.RESOLVED_BY)
        return [each for each in links if each.source_id in like]

    links = resolutions()
    shown = {each.source_id for each in links}
    away = elsewhere([one for one in like if one not in shown])
    shown |= away.keys()
    if not shown:
        alone = len(like)
        like = {each.memory.logical_id: each for each in closed_threads()}
        links, shown = resolutions(), set(like)
        if not shown:
            return _Read(by_level([]), note=why_no_pattern(alone))
    resolved = sorted(shown, key=lambda one: (-discovery(like[one].memory), -like[one].relevance, one))
    resolved = resolved[:PATTERNS]
    kept = [each for each in links if each.source_id in resolved]
    note = resolved_there(away[one] for one in resolved if one in away)
    return _Read(by_level([like[one] for one in resolved]), kept, note=note)


def _resolved(
    view: View, chosen: Selection, goals: Mapping[str, float], shares: Mapping[str, float]
) -> list[Scored]:
    """What is resolved and was felt alike; where nobody says how it feels, by the goal alone."""
    if shares:
        return [Scored(*each) for each in view.moods(chosen, shares, RESOLVED_MOOD, _LOOKED_AT)]
    found = view.by_energy(chosen, _LOOKED_AT, of_each_level=True)
    return [Scored(each, goals.get(goal_key(each.goal or ""), 0.0)) for each in found]


def _around(view: View, links: Sequence[Link], now: datetime) -> tuple[list[StreamItem], list[Link]]:
    """The resolutions, and what helped within two links of each."""
    chosen = selection_of(now)
    first = {each.target_id: each for each in reversed(links)}
    ends = view.held(chosen, sorted(first))
    paths: Paths = {one: Reached(ends[one], Path(0.0, 0.0, 0, one, ())) for one in first if one in ends}
    walked = walk(view, chosen, paths)
    begun = {each.source_id for each in links}
    others = sorted(paths.keys() - ends.keys() - begun)
    helped = view.held(replace(chosen, kinds=_HELPED), others) if others else {}
    nearest = sorted(helped, key=lambda one: (order_of(paths[one].path), one))[:_MOST_HELPED]
    told = [*(one for one in first if one in ends), *nearest]
    places = {one: paths[one].place for one in told}
    fetched = view.fetch_at(np.array(list(places.values()), np.int64)) if places else {}
    items = [
        StreamItem.of(fetched[place], Way.GRAPH, relevance_of(path), path=path)
        for one, place in places.items()
        if place in fetched
        for path in (onward_from(first, paths[one].path),)
    ]
    inside = {*told, *begun}
    used = [each.id for each in walked.values() if {each.source_id, each.target_id} <= inside]
    kept = [each for each in links if each.target_id in ends]
    return items, [*kept, *(view.links_named(used).values() if used else ())]
