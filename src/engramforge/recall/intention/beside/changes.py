"""Which of the beliefs that a stream found changed, and how versions ended that nobody believes any more.

A belief with more records than there is room for is not compared, which is said, since of a part of them neither what
gave way to what nor since when something was held is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from engramforge.core.history.dissonance import dissonances, held_since, restored_versions
from engramforge.core.history.endings import ended_later, endings_of, told_again
from engramforge.model.link import Relation
from engramforge.model.memory import Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.model.timeline import Dissonance, Ending
from engramforge.store.door import View

MOST_RECORDS: Final = 2_000
"""Records of beliefs that are read at once, those of the nearest first."""


class Changed(NamedTuple):
    """The beliefs that changed, how versions ended that nobody believes any more, and when those did that ended after
    the time that was asked, by their ids. `note`: which were not compared; empty for none."""

    beliefs: Sequence[Dissonance] = ()
    endings: Mapping[str, Ending] = {}
    later: Mapping[str, datetime] = {}
    note: str = ""


class _Histories(NamedTuple):
    """Records by logical id; and of which memories there are too many."""

    records: Mapping[str, Sequence[Memory]]
    left: frozenset[str]

    @property
    def every(self) -> list[Memory]:
        return [each for held in self.records.values() for each in held]


def changed_beliefs(
    view: View,
    selection: Selection,
    memories: Sequence[Memory],
    far: Collection[str],
    most: int = MOST_RECORDS,
) -> Changed:
    """The beliefs among these that changed and are not all far, in the order of these, each with its changes in the
    order of time; and how versions ended that nobody believes. `most`: how many records are read at once."""
    span = selection.recorded_range
    until = None if span is None else span.end
    ids = list(dict.fromkeys(each.logical_id for each in memories))
    read = _histories(view, selection, ids, most)
    records, left = read.every, read.left
    compared = [one for one in ids if one not in left]
    restored = restored_versions(view.links(compared, selection, relation=Relation.REVISES))
    later: Mapping[str, datetime] = {}
    ever = replace(selection, mode=TemporalMode.FULL_HISTORY, recorded_range=None)
    if until is not None:
        ended = [each for each in records if each.expired_at is not None and each.expired_at >= until]
        after = _histories(view, ever, list({each.logical_id for each in ended}), most)
        left |= after.left
        ended = [each for each in ended if each.logical_id not in left]
        later = ended_later(ended, after.records, until)
    found = dissonances(records, restored)
    if found and span is not None:
        all_of = _histories(view, ever, list({each.belief_id for each in found} & set(ids)), most)
        left |= all_of.left
        found = held_since((each for each in found if each.belief_id not in left), all_of.every)
    endings = endings_of(records, restored, found, until)
    endings |= {
        each.id: Ending.WRONG for each in memories if each.logical_id in left and _was_wrong(each, until)
    }
    # The far ones have no place.
    places = {one: at for at, one in enumerate(each for each in ids if each not in far)}
    near = {each.id: places[each.logical_id] for each in records if each.logical_id in places}
    return Changed(_nearest_first(found, near), endings, later, _note(left - frozenset(far), most))


def told_twice(view: View, selection: Selection, memories: Iterable[Memory]) -> frozenset[str]:
    """The ids of those versions that an undo or redo brought back as others of these."""
    of_belief: dict[str, dict[str, Memory]] = defaultdict(dict)
    for each in memories:
        of_belief[each.logical_id][each.id] = each
    # What has come back says what it said: where nothing is said again nothing has to be read.
    again = [
        one
        for one, held in of_belief.items()
        if len({each.content for each in held.values()}) < len({each.version for each in held.values()})
    ]
    if not again:
        return frozenset()
    restored = restored_versions(view.links(again, selection, relation=Relation.REVISES))
    span = selection.recorded_range
    records = (each for one in again for each in of_belief[one].values())
    return told_again(records, restored, None if span is None else span.end)


def _histories(view: View, selection: Selection, ids: Sequence[str], most: int) -> _Histories:
    """The records of some memories in a selection's times, at most so many of them all, the first memories first."""
    found = view.holding(selection, ids, most + 1) if ids else {}
    if sum(map(len, found.values())) <= most:
        return _Histories(found, frozenset())
    room, kept = most, {}
    for one in ids:
        own = view.holding(selection, [one], room + 1).get(one, [])
        if len(own) <= room:
            kept[one] = own
            room -= len(own)
    return _Histories(kept, frozenset(ids) - kept.keys())


def _was_wrong(record: Memory, until: datetime | None) -> bool:
    """Whether a record itself says that it was wrong, at the time that was asked."""
    has_left = record.expired_at is not None and (until is None or record.expired_at < until)
    return has_left and record.invalidation_reason is InvalidationReason.DISCOVERED_FALSE


def _note(left: Collection[str], most: int) -> str:
    if not left:
        return ""
    whose = f"{len(left):,} memory" if len(left) == 1 else f"{len(left):,} memories"
    return f"No change is told of {whose} beyond the {most:,} records that are compared: a timeline has them"


def _nearest_first(found: Iterable[Dissonance], places: Mapping[str, int]) -> list[Dissonance]:
    """Changes belief by belief, in the order of the places of their versions; none of a belief that has no place."""
    nearest: dict[str, int] = {}
    kept = list(found)
    for each in kept:
        for version in (each.original_id, each.corrected_id):
            if version in places:
                at = nearest.get(each.belief_id, places[version])
                nearest[each.belief_id] = min(at, places[version])
    return sorted(
        (each for each in kept if each.belief_id in nearest), key=lambda each: nearest[each.belief_id]
    )
