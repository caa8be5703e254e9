"""Puts topics back as they were at a time: their members, and which of them stand."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from engramforge.model.scope import Scope
from engramforge.model.topics.topic import Topic, TopicQuery, TopicRow
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.entangling import KINDS

_EVERY: Final = 10**6


def restore_topics(door: Door, scope: Scope, project: str, then: datetime, now: datetime) -> int:
    """Bring the topics of a project back as of a time; how many memories are of another topic now.

    What came since is of no topic until the next update. A topic that stands again gets its name at that, since what
    was forgotten since may have given it words. `scope`: of everybody.
    """
    whole = scope.within(project)
    view = door.asking(whole)
    before = {each.id: each for each in view.topics(TopicQuery(recorded_at=then, limit=_EVERY))}
    stand = {each.id: each for each in view.topics(TopicQuery(limit=_EVERY))}
    members = view.topic_members(list(before), TopicQuery(recorded_at=then), least=0.0)
    was = {position: (topic, agreed) for topic, position, agreed in members}
    held = door.tending(whole).gathered(KINDS)
    changed = [
        position
        for position, topic in zip(held.positions.tolist(), held.topics, strict=True)
        if was.get(position, (None, 0.0))[0] != topic
    ]
    rows = [_row(each, None) for name, each in before.items() if name not in stand]
    rows += [_row(each, now) for name, each in stand.items() if name not in before]

    def work(writes: Transaction) -> None:
        writes.save_topics(project, rows)
        topics = [was.get(position, (None, 0.0)) for position in changed]
        writes.place_members(now, changed, [each for each, _ in topics], [agreed for _, agreed in topics])

    door.write(whole, work)
    return len(changed)


def _row(topic: Topic, expired_at: datetime | None) -> TopicRow:
    details = {
        "agreement": topic.agreement,
        "profile": list(topic.profile),
        "membership_stability": topic.membership_stability,
        "centroid_stability": topic.centroid_stability,
        "phase": topic.phase,
        "activity": topic.activity,
    }
    return TopicRow(topic.id, "", None, topic.created_at, expired_at, None, details)
