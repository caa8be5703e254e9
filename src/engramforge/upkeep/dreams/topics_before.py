"""Puts topics back as they were at a time: their members, and which of them stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engramforge.model.scope import Scope
from engramforge.model.topics.topic import FEATURES, TopicQuery, TopicRow
from engramforge.store.door import Door, Transaction
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

    door.write(whole, work)
