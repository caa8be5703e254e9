"""Puts topics back as they were at a time: their members, and which of them stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from engramforge.model.scope import Scope
from engramforge.model.topics.topic import FEATURES, KEPT, TopicQuery, TopicRow
from engramforge.store.door import Door, Transaction, View
from engramforge.upkeep.dreams.reading import PORTION
from engramforge.upkeep.entangling import KINDS


def restore_topics(door: Door, scope: Scope, project: str, then: datetime, now: datetime) -> None:
    """Bring the topics of a project back as of a time.

    The words and numbers of a topic that went on stay those of the last clustering. What came since is of no topic
    until the next update. A topic that stands again gets its name then: memories that were forgotten meanwhile may have
    given it words. `scope`: of everybody.
    """
    whole = scope.within(project)
    view = door.asking(whole)
    before = {each.id: each for each in view.topics(TopicQuery(recorded_at=then))}
    stand = {each.id: each for each in view.topics(TopicQuery())}
    members = view.topic_members(list(before), TopicQuery(recorded_at=then), least=0.0)
    was = {position: (topic, agreed) for topic, position, agreed in members}
    held = door.tending(whole).gathered(KINDS)
    was |= _carried(view, was, held.positions)
    changed = [
        position
        for position, topic in zip(held.positions.tolist(), held.topics, strict=True)
        if was.get(position, (None, 0.0))[0] != topic
    ]
    rows = [TopicRow.of(each, "", None) for name, each in before.items() if name not in stand]
    rows += [
        replace(TopicRow.of(each, "", None), expired_at=now)
        for name, each in stand.items()
        if name not in before
    ]

    def work(writes: Transaction) -> None:
        writes.save_topics(project, rows)
        topics = [was.get(position, (None, 0.0)) for position in changed]
        writes.place_members(now, changed, [each for each, _ in topics], [agreed for _, agreed in topics])
        # What is kept of the clusters is of the topics that went: the next update makes it anew, and names what came.
        writes.save_mark(FEATURES + project, None)
        if not before:
            # Nothing could join anything: the next update clusters everything.
            writes.save_mark(KEPT + project, None)

    door.write(whole, work)


def _carried(
    view: View, was: Mapping[int, tuple[str, float]], held: NDArray[np.int64]
) -> dict[int, tuple[str, float]]:
    """Of what topics the memories are that an undo wrote again, at other positions."""
    gone = np.setdiff1d(np.array(list(was), np.int64), held)
    by_id: dict[str, tuple[str, float]] = {}
    found: dict[int, tuple[str, float]] = {}
    for begin in range(0, len(gone), PORTION):
        before = view.fetch_at(gone[begin : begin + PORTION])
        by_id |= {each.logical_id: was[position] for position, each in before.items()}
    fresh = np.setdiff1d(held, np.array(list(was), np.int64)) if by_id else held[:0]
    for begin in range(0, len(fresh), PORTION):
        now = view.fetch_at(fresh[begin : begin + PORTION])
        found |= {
            position: by_id[each.logical_id] for position, each in now.items() if each.logical_id in by_id
        }
    return found
