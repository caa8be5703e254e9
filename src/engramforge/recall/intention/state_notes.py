"""Why a state found nothing, or not all of it, in one sentence that names the mend."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engramforge.core.emotions.emotion_names import emotion_name, normalised, unknown_emotions
from engramforge.core.streams.weights import SIMILAR_GOAL
from engramforge.model.fence import guarded, printable
from engramforge.model.memory import Memory
from engramforge.model.streams.asked import QueryMode, StateBasedRetrieval, TemporalScope

_ALL_TIME: Final = "--all-time (temporal_scope='all_time')"
_OLDER: Final = f"older than 30 days: ask with {_ALL_TIME}"
_RESOLVED: Final = "--with-resolved (include_only_unresolved=False)"
_NOTHING_PURSUED: Final = (
    "Nothing is in progress that somebody is after: what has a goal, or more energy than 0.5, or is an open "
    "thread"
)
DONE_UNREAD: Final = "Some of it may be done: links that say so could not be read"
_NOTHING_FELT: Final = "Nothing is felt like this: ask with other emotions"
_NO_GOALS: Final = "No memory has a goal: give what you remember one (--goal), or ask with an emotion alone"


class Nearest(NamedTuple):
    """The goal most like another, and how like, 0..1."""

    goal: str
    likeness: float


def why_no_state(
    state: StateBasedRetrieval,
    count: Callable[[StateBasedRetrieval], int],
    nearest: Callable[[], Nearest | None],
    most: int,
) -> str:
    """The reason, once a state found nothing.

    `count`: how many another state finds, of each level at most `most`. `nearest`: the goal of a memory that is most
    like the state's.
    """
    for wider, said in _wider(state):
        if found := count(wider):
            more = " or more" if found >= most else ""
            return f"{found:,}{more} {'is' if found == 1 else 'are'} {said}"
    if state.query_mode is QueryMode.WHAT_I_WAS_DOING:
        return _NOTHING_PURSUED
    if state.query_mode is QueryMode.SIMILAR_STATE or not state.current_goal:
        return _NOTHING_FELT
    near = nearest()
    if near is None:
        return _NO_GOALS
    how = f"{near.likeness:.2f}, alike is above {SIMILAR_GOAL:g}"
    # In quotation marks whatever it is, so that a face can tell somebody's words from ours.
    goal = guarded(printable(json.dumps(near.goal, ensure_ascii=False)))
    return f"No goal is like it; the nearest is {goal} ({how}): ask for that one"


def unknown_felt(names: Iterable[str], memories: Iterable[Memory]) -> str:
    """That names which somebody gave are known for no emotion and nothing found is felt so, or nothing."""
    felt = {name for each in memories for name in normalised(each.emotion_vector)}
    unknown = [each for each in unknown_emotions(names) if emotion_name(each) not in felt]
    if not unknown:
        return ""
    told = " or ".join(guarded(printable(json.dumps(each, ensure_ascii=False))) for each in unknown)
    return f"No emotion is known as {told}, and nothing that was found is felt with it"


def more_is_older(found: int, most: int) -> str:
    """That so many more are too old for what was asked for, of which at most so many were counted; or nothing."""
    if not found:
        return ""
    count = f"At least {most:,}" if found >= most else f"{found:,}"
    return f"{count} more {'is' if found == 1 else 'are'} {_OLDER}"


def why_no_pattern(alone: int) -> str:
    """Why nothing says how something like it was resolved. `alone`: resolved memories that are like it."""
    if alone:
        said = "no link RESOLVED_BY says by what: link what was resolved to what resolved it"
        return f"Of what is like it {alone:,} {'is' if alone == 1 else 'are'} resolved, and {said}"
    return "Nothing with such a goal, felt like this, is resolved, and no thread about it was closed"


def resolved_there(projects: Iterable[str]) -> str:
    """That what resolved some memories is in other projects, of each by its name."""
    counts = Counter(projects)
    told = (
        f"{count:,} in {guarded(printable(json.dumps(each, ensure_ascii=False)))}"
        for each, count in counts.items()
    )
    return (
        f"What resolved it is in another project: {', '.join(told)}; ask there, or in all projects"
        if counts
        else ""
    )


def _wider(state: StateBasedRetrieval) -> Iterator[tuple[StateBasedRetrieval, str]]:
    """States that ask for more, with what is said of what they find and this one does not."""
    older = replace(state, temporal_scope=TemporalScope.ALL_TIME)
    if state.query_mode is QueryMode.WHAT_I_WAS_DOING:
        yield older, f"older than 30 days: find_related_unresolved finds it by its goal with {_ALL_TIME}"
        return
    resolved = replace(state, include_only_unresolved=False)
    if state.temporal_scope is TemporalScope.RECENT:
        yield older, _OLDER
    if state.include_only_unresolved:
        yield resolved, f"resolved: ask with {_RESOLVED}"
    if state.temporal_scope is TemporalScope.RECENT and state.include_only_unresolved:
        both = replace(older, include_only_unresolved=False)
        yield both, f"resolved and older than 30 days: ask with {_RESOLVED} and {_ALL_TIME}"
    if state.query_mode is QueryMode.SIMILAR_STATE:
        # Without a goal the other mode goes by feelings, too, at whatever energy.
        calm = replace(state, query_mode=QueryMode.RELATED_UNRESOLVED, current_goal=None)
        yield calm, "felt like this, but with an energy more than 0.2 away: ask with another energy"
