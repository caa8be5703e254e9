"""What a state's times, emotions and resolutions are reckoned by."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from engramforge.core.emotions.emotion_names import FORMER, normalised
from engramforge.core.ranking.twins import sources
from engramforge.core.streams.done_deeds import is_closed_with, is_past_event, tells_as_done
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory, ResolutionState
from engramforge.model.scope import ALL_LEVELS, Level
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.streams.asked import TemporalScope
from engramforge.model.streams.stream import LevelItems, Path, StreamItem
from engramforge.model.streams.ways import Way
from engramforge.model.time import AsOf, TimeRange
from engramforge.store.door import View

EACH: Final = 20
"""Memories of a level."""
MOST_LINKS: Final = 5_000
"""Links of a kind that are read of what was found, to see what is done."""
RECENT: Final = timedelta(days=30)
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC) + RECENT
_UNFELT: Final = 0.5


class Scored(NamedTuple):
    """A memory, and how well it fits a state, 0..1."""

    memory: Memory
    relevance: float


def selection_of(
    now: datetime,
    felt: Felt | None = None,
    reach: TemporalScope = TemporalScope.ALL_TIME,
    *,
    is_older: bool = False,
) -> Selection:
    """What holds and is on record now. `is_older`: only what is too old for a recent one."""
    since = max(now, _EARLIEST) - RECENT
    span = TimeRange(since, None) if reach is TemporalScope.RECENT else None
    return Selection(
        valid_range=TimeRange(None, since) if is_older else span, as_of=AsOf(now, now), felt=felt
    )


def doing(view: View, now: datetime, reach: TemporalScope, agent: str) -> list[Scored]:
    """What an agent was about, by energy x 1 / (1 + days / 30): something that was to be done, for what nobody said
    anything of is in progress, too. Twice as many as are shown: those behind take the places of what is done."""
    felt = Felt(states=(ResolutionState.IN_PROGRESS,), is_pursued=True)
    # What others are about is not what "I" was doing, however shared it is, and may not take its place.
    own = replace(selection_of(now, felt, reach), writer=agent)
    found = view.by_energy(own, 2 * EACH, now)
    told = {each.logical_id for each in found}
    # A thread beside what it was read from would say the same again.
    found = [each for each in found if told.isdisjoint(sources(each)[1:]) and not is_past_event(each)]
    return [Scored(each, each.energy / (1 + (now - each.valid_at) / RECENT)) for each in found]


class Done(NamedTuple):
    """The logical ids of what is done. `is_part`: of some memories there are more links that say so than are read."""

    ids: frozenset[str]
    is_part: bool = False


def done_of(view: View, memories: Sequence[Memory], now: datetime, most: int = MOST_LINKS) -> Done:
    """Those that are done: they resolved something, say so themselves, or were read as a thread that is closed. Nothing
    is that somebody calls blocked. `most`: how many links of a kind are read."""
    held = {
        each.logical_id: each for each in memories if each.resolution_state is not ResolutionState.BLOCKED
    }
    if not held:
        return Done(frozenset())
    told = {one for one, each in held.items() if tells_as_done(each)}
    # One link is enough, and of these nothing more is asked.
    resolving, more = _links_of(view, list(held.keys() - told), Relation.RESOLVED_BY, now, most)
    told |= {each.target_id for each in resolving}
    derived, others = _links_of(view, list(held.keys() - told), Relation.DERIVED_FROM, now, most)
    read = [(each.source_id, each.target_id) for each in derived if each.target_id in held]
    threads = view.fetch({thread for thread, _ in read})
    closed = {one for thread, one in read if thread in threads and is_closed_with(held[one], threads[thread])}
    return Done(frozenset(told | closed), bool((more | others) - told - closed))


def resolved_elsewhere(
    view: View, ids: Sequence[str], projects: Collection[str], now: datetime
) -> dict[str, str]:
    """Of some memories those that something in another project resolved, with the name of that. `view`: of all."""
    links = view.links(ids, selection_of(now), relation=Relation.RESOLVED_BY) if ids else []
    ends = view.fetch({each.target_id for each in links})
    return {
        each.source_id: ends[each.target_id].project
        for each in links
        if each.source_id in ids and each.target_id in ends and ends[each.target_id].project not in projects
    }


def _links_of(
    view: View, ids: Sequence[str], relation: Relation, now: datetime, most: int
) -> tuple[list[Link], set[str]]:
    """The links of a kind of some memories, at most so many, and of which memories there are more than their share."""
    if not ids:
        return [], set()
    found = view.links(ids, selection_of(now), relation=relation, most=most + 1)
    if len(found) <= most:
        return found, set()
    share = max(1, most // len(ids))
    apart = {one: view.links([one], selection_of(now), relation=relation, most=share + 1) for one in ids}
    links = {each.id: each for own in apart.values() for each in own[:share]}
    return list(links.values()), {one for one, own in apart.items() if len(own) > share}


def onward_from(first: Mapping[str, Link], path: Path) -> Path:
    """A path from a resolution as one from what it resolved."""
    link = first[path.start]
    return Path(
        link.energy + path.energy,
        link.confidence + path.confidence,
        path.depth + 1,
        link.source_id,
        (link.relation, *path.relations),
    )


def shares_of(emotions: Mapping[str, float]) -> dict[str, float]:
    """Emotions by their names, at length 1; empty where nothing is felt.

    >>> shares_of({"Driven": 0.6, "uncertain": 0.8})
    {'drive': 0.6, 'uncertainty': 0.8}
    """
    felt = normalised(emotions)
    length = math.hypot(*felt.values())
    felt |= {FORMER[name]: strength for name, strength in felt.items() if name in FORMER}
    return {name: strength / length for name, strength in felt.items()}


def by_pattern(levels: Mapping[Level, LevelItems]) -> tuple[str, ...]:
    """Each thing that was resolved, the strongest discovery first, and then what resolved it."""
    began = [item for held in levels.values() for item in held.vector]
    began.sort(key=lambda item: (-discovery(item.memory), -item.relevance))
    told = [item for held in levels.values() for item in held.graph]
    order: dict[str, None] = {}
    for one in began:
        own = [item for item in told if item.path is not None and item.path.start == one.memory.logical_id]
        own.sort(key=lambda item: item.path.depth if item.path else 0)
        order |= dict.fromkeys([one.memory.id, *(item.memory.id for item in own)])
    return tuple(order)


def discovery(memory: Memory) -> float:
    """How strong a discovery a memory was; the middle where nobody says."""
    return _UNFELT if memory.discovery_energy is None else memory.discovery_energy


def strongest(found: Sequence[Scored]) -> list[Scored]:
    """Each memory once, those of each level with the most energy; of equal ones what was found first."""
    once: dict[str, Scored] = {}
    for each in found:
        once.setdefault(each.memory.id, each)
    ordered = sorted(once.values(), key=lambda each: -each.memory.energy)
    of_levels = [[each for each in ordered if each.memory.level is level][:EACH] for level in ALL_LEVELS]
    return sorted((each for held in of_levels for each in held), key=lambda each: -each.memory.energy)


def by_level(found: Sequence[Scored]) -> dict[Level, LevelItems]:
    """What was found, by level."""
    return {
        level: LevelItems(
            tuple(
                StreamItem.of(each.memory, Way.STATE, min(1.0, each.relevance))
                for each in found
                if each.memory.level is level
            )
        )
        for level in ALL_LEVELS
    }
