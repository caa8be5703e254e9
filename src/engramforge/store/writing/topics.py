"""Writing clusters and topics, and what a forget leaves of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
import sqlalchemy as sa

from engramforge.model.time import to_micros
from engramforge.model.topics.topic import FEATURES, TopicRow
from engramforge.store.reading.predicates import portions, together
from engramforge.store.rows import blob, dump
from engramforge.store.schema import cluster_label, memory, project, topic, topic_member
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
    asked = sa.select(project.c.seq).where(project.c.tenant == write.tenant, project.c.name == project_name)
    key = write.connection.execute(asked).scalar()
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
    now = to_micros(at)
    for portion in portions(_standing(write, list(asked))):
        its = (topic_member.c.tenant == write.tenant, topic_member.c.memory_seq.in_(portion))
        ended = (*its, topic_member.c.expired_at.is_(None))
        # Two clusterings within a microsecond: the first has no time at all.
        write.connection.execute(sa.delete(topic_member).where(*ended, topic_member.c.created_at >= now))
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
    names = sa.select(project.c.name).where(
        project.c.tenant == write.tenant,
        project.c.seq.in_(
            sa.select(memory.c.project_seq).where(
                memory.c.tenant == write.tenant, memory.c.seq.in_(positions)
            )
        ),
    )
    for name in write.connection.execute(names).scalars():
        write.put_mark(FEATURES + name, None)
