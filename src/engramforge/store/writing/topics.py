"""Writing clusters and topics, and what a forget leaves of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import sqlalchemy as sa

from engramforge.model.time import to_micros
from engramforge.model.topics.topic import FEATURES, TopicRow
from engramforge.store.reading.predicates import portions, together
from engramforge.store.rows import blob, dump, text_id
from engramforge.store.schema import cluster_label, mark, memory, project, topic, topic_member
from engramforge.store.writing.ledger import Row, Write

if TYPE_CHECKING:
    from numpy.typing import NDArray


def place_clusters(write: Write, positions: NDArray[np.int64], labels: NDArray[np.int32]) -> None:
    """Set the clusters of memories; positions forgotten meanwhile are skipped; see the door."""
    rows = dict(zip(positions.tolist(), labels.astype("<i4"), strict=True))
    for portion in portions(_standing(write, list(rows))):
        its = (cluster_label.c.tenant == write.tenant, cluster_label.c.memory_seq.in_(portion))
        write.connection.execute(sa.delete(cluster_label).where(*its))
        made: list[Row] = [
            {"tenant": write.tenant, "memory_seq": seq, "labels": rows[seq].tobytes()} for seq in portion
        ]
        write.ledger.add(cluster_label, made)


def save_topics(write: Write, project_name: str, rows: Sequence[TopicRow]) -> None:
    """Write topics of a project, or write them anew under the same ids; none where the project is gone."""
    key = write.connection.execute(_key_of(write, project_name)).scalar()
    for each in rows if key is not None else ():
        values: Row = {
            "name": each.name,
            "agent": each.agent,
            "created_at": to_micros(each.created_at),
            "expired_at": None if each.expired_at is None else to_micros(each.expired_at),
            "merged_into": None if each.merged_into is None else blob(each.merged_into),
            "details": dump(dict(each.details)),
        }
        its = (topic.c.tenant == write.tenant, topic.c.id == blob(each.id))
        if not write.connection.execute(sa.update(topic).where(*its).values(**values)).rowcount:
            whole = {"tenant": write.tenant, "id": blob(each.id), "project_seq": key, **values}
            write.ledger.add(topic, [whole])


def is_unforgotten(
    write: Write, project_name: str, positions: Sequence[int], features: Mapping[str, Any] | None
) -> bool:
    """Whether these memories and features are all there, and stay until the end; see the door."""
    write.connection.execute(write.ledger.holding(_key_of(write, project_name), project, "change")).all()
    if len(_standing(write, positions)) < len(set(positions)):
        return False
    its = (mark.c.tenant == write.tenant, mark.c.key == FEATURES + project_name)
    text = write.connection.execute(sa.select(mark.c.value).where(*its)).scalar()
    return features is None or (text is not None and json.loads(text) == features)


def end_topics(
    write: Write, project_name: str, standing: Collection[str], into: Mapping[str, str], at: datetime
) -> int:
    """End all topics of a project but these; how many. One without any memory goes; see the door."""
    of_project = (topic.c.tenant == write.tenant, topic.c.project_seq.in_(_key_of(write, project_name)))
    has_any = sa.exists().where(together(topic_member.c.topic_id, topic.c.id))
    write.connection.execute(sa.delete(topic).where(*of_project, ~has_any))
    asked = sa.select(topic.c.id).where(*of_project, topic.c.expired_at.is_(None)).order_by(topic.c.id)
    kept = set(standing)
    ended = [raw for raw in write.connection.execute(asked).scalars() if text_id(raw) not in kept]
    for raw in ended:
        other = into.get(text_id(raw))
        values = {"expired_at": to_micros(at), "merged_into": None if other is None else blob(other)}
        its = (topic.c.tenant == write.tenant, topic.c.id == raw)
        write.connection.execute(sa.update(topic).where(*its).values(**values))
    return len(ended)


def _key_of(write: Write, project_name: str) -> sa.Select[Any]:
    return sa.select(project.c.seq).where(project.c.tenant == write.tenant, project.c.name == project_name)


def place_members(
    write: Write,
    at: datetime,
    positions: Sequence[int],
    topics: Sequence[str | None],
    agreements: Sequence[float],
) -> None:
    """From now on memories are of these topics, or of none; see the door."""
    asked = {
        seq: (topic_id, agreement)
        for seq, topic_id, agreement in zip(positions, topics, agreements, strict=True)
    }
    standing = _standing(write, list(asked))
    # A clock that jumped back loses nothing of what was before.
    now = max(to_micros(at), _last_placed(write, standing) + 1)
    for portion in portions(standing):
        its = (topic_member.c.tenant == write.tenant, topic_member.c.memory_seq.in_(portion))
        ended = (*its, topic_member.c.expired_at.is_(None))
        write.connection.execute(sa.update(topic_member).where(*ended).values(expired_at=now))
        made: list[Row] = [
            {
                "tenant": write.tenant,
                "memory_seq": seq,
                "topic_id": blob(topic_id),
                "created_at": now,
                "agreement": asked[seq][1],
            }
            for seq in portion
            if (topic_id := asked[seq][0]) is not None
        ]
        if made:
            write.ledger.add(topic_member, made)


def _last_placed(write: Write, positions: Sequence[int]) -> int:
    """When any of these memories came to a topic, or left one, last; 0 where none ever did."""
    last, member = 0, topic_member
    for portion in portions(positions):
        asked = sa.select(sa.func.max(member.c.created_at), sa.func.max(member.c.expired_at))
        asked = asked.where(member.c.tenant == write.tenant, member.c.memory_seq.in_(portion))
        last = max(last, *(each or 0 for each in write.connection.execute(asked).one()))
    return last


def _standing(write: Write, positions: Sequence[int]) -> list[int]:
    """Which of these memories there are."""
    found: list[int] = []
    for portion in portions(positions):
        asked = sa.select(memory.c.seq).where(memory.c.tenant == write.tenant, memory.c.seq.in_(portion))
        found += write.connection.execute(asked.order_by(memory.c.seq)).scalars()
    return found


def forget_topics(write: Write, positions: Sequence[int]) -> None:
    """Take memories that are about to go out of topics: the names of these are made of words of theirs, so they are
    cleared; one without any memory goes. What is kept of the clusters of their projects is made of them, too."""
    for portion in portions(positions):
        _drop_features(write, portion)
        of_tenant = topic_member.c.tenant == write.tenant
        its = (of_tenant, topic_member.c.memory_seq.in_(portion))
        touched = set(write.connection.execute(sa.select(topic_member.c.topic_id).where(*its)).scalars())
        write.connection.execute(sa.delete(topic_member).where(*its))
        for ids in portions(touched):
            named = (topic.c.tenant == write.tenant, topic.c.id.in_(ids))
            names = write.connection.execute(sa.select(topic.c.name).where(*named, topic.c.name != ""))
            write.forgotten.labels.add(names.scalars())
            write.connection.execute(sa.update(topic).where(*named).values(name=""))
            has_any = sa.exists().where(together(topic_member.c.topic_id, topic.c.id))
            write.connection.execute(sa.delete(topic).where(*named, ~has_any))


def _drop_features(write: Write, positions: Sequence[int]) -> None:
    """Drop the features of the projects of memories. Who writes topics of these is waited for, or waits."""
    of = sa.select(memory.c.project_seq).where(memory.c.tenant == write.tenant, memory.c.seq.in_(positions))
    names = sa.select(project.c.name).where(project.c.tenant == write.tenant, project.c.seq.in_(of))
    held = write.ledger.holding(names.order_by(project.c.seq), project, "change")
    for name in write.connection.execute(held).scalars().all():
        write.put_mark(FEATURES + name, None)
