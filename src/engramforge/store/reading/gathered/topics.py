"""Reading topics, their memories, and the clusters of memories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from engramforge.core.injection.priority import TOPIC
from engramforge.core.topics.agreement import SMALLEST, UNCLUSTERED
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.spaces import REGISTRY
from engramforge.model.time import from_micros, to_micros
from engramforge.model.topics.topic import Gathered, Topic, TopicQuery
from engramforge.store.given import PLANNED_ONCE, one_of
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    kept,
    portions,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.rows import blob, text_id
from engramforge.store.schema import cluster_label, memory, project, topic, topic_member
from engramforge.store.straight import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_USED: Final = sa.case(
    (memory.c.access_count < memory.c.exposure_count, memory.c.access_count), else_=memory.c.exposure_count
)
"""How often a memory was used when it was shown, as far as the counts tell: what was opened unasked was not shown."""
_SPACES: Final = sum(row.topic_weight > 0 for row in REGISTRY)


def topics(connection: Connection, scope: Scope, query: TopicQuery) -> list[Topic]:
    """The topics of a query by size, the largest first; see the door."""
    wanted = [visible(scope if query.project is None else scope.within(query.project))]
    wanted += _of_time(query)
    wanted.append(topic_member.c.agreement >= TOPIC)
    size = sa.func.count().label("size")
    joined = IN_PROJECT.join(topic_member, together(topic_member.c.memory_seq, memory.c.seq))
    joined = joined.join(topic, together(topic.c.id, topic_member.c.topic_id))
    statement = (
        sa.select(
            *(topic, project.c.name.label("project"), size),
            sa.func.min(memory.c.valid_at).label("first_at"),
            sa.func.max(memory.c.valid_at).label("last_at"),
            sa.func.sum(memory.c.access_count).label("accesses"),
            sa.func.sum(memory.c.exposure_count).label("exposures"),
            sa.func.sum(_USED).label("used"),
        )
        .select_from(joined)
        .where(*wanted)
        .group_by(*topic.c, project.c.name)
        .having(size >= (SMALLEST if query.valid is None else 1))
        .order_by(size.desc(), topic.c.id)
        .limit(query.limit)
    )
    return [_topic_of(row, scope) for row in connection.execute(statement).mappings()]


def _of_time(query: TopicQuery) -> list[sa.ColumnElement[bool]]:
    """What was held to be of a topic at a time, or now; on the valid axis what became true in a range."""
    wanted: list[sa.ColumnElement[bool]] = []
    if query.recorded_at is None:
        wanted += [*CURRENT, topic_member.c.expired_at.is_(None)]
    else:
        at = to_micros(query.recorded_at)
        for table in (memory, topic_member):
            wanted += [
                table.c.created_at <= at,
                sa.or_(table.c.expired_at.is_(None), table.c.expired_at > at),
            ]
        wanted.append(sa.or_(memory.c.invalid_at.is_(None), memory.c.invalid_at > at))
    if query.valid is not None and query.valid.start is not None:
        wanted.append(memory.c.valid_at >= to_micros(query.valid.start))
    if query.valid is not None and query.valid.end is not None:
        wanted.append(memory.c.valid_at < to_micros(query.valid.end))
    return wanted


def _topic_of(row: RowMapping, scope: Scope) -> Topic:
    is_seen = scope.every_agent or row["agent"] in (None, scope.agent)
    details = json.loads(row["details"])
    details["profile"] = tuple(details.get("profile", ()))
    return Topic(
        id=text_id(row["id"]),
        project=row["project"],
        name=row["name"] if is_seen else "",
        size=row["size"],
        first_at=from_micros(row["first_at"]),
        last_at=from_micros(row["last_at"]),
        created_at=from_micros(row["created_at"]),
        expired_at=None if row["expired_at"] is None else from_micros(row["expired_at"]),
        merged_into=None if row["merged_into"] is None else text_id(row["merged_into"]),
        accesses=int(row["accesses"] or 0),
        exposures=int(row["exposures"] or 0),
        used=int(row["used"] or 0),
        **details,
    )


def topic_members(
    connection: Connection, scope: Scope, topic_ids: Sequence[str], query: TopicQuery, least: float = TOPIC
) -> list[tuple[str, int, float]]:
    """The memories of topics: topic, position, agreement, the best first; see the door."""
    found: list[tuple[str, int, float]] = []
    joined = IN_PROJECT.join(topic_member, together(topic_member.c.memory_seq, memory.c.seq))
    for portion in portions(map(blob, topic_ids)):
        statement = (
            sa.select(topic_member.c.topic_id, memory.c.seq, topic_member.c.agreement)
            .select_from(joined)
            .where(topic_member.c.topic_id.in_(portion), topic_member.c.agreement >= least)
            .where(visible_by_key(scope), *_of_time(query))
            .order_by(topic_member.c.agreement.desc(), memory.c.valid_at.desc(), memory.c.seq.desc())
        )
        found += [(text_id(raw), seq, agreement) for raw, seq, agreement in connection.execute(statement)]
    return found


def topics_at(connection: Connection, scope: Scope, positions: Sequence[int]) -> dict[int, tuple[str, float]]:
    """The topic of memories now, and how much they agree with it; see the door."""
    found: dict[int, tuple[str, float]] = {}
    for portion in portions(map(int, positions)):
        rows = rows_of(connection, _topics_at(scope), {"places": portion})
        found |= {seq: (text_id(raw), agreement) for seq, raw, agreement in rows}
    return found


@kept
def _topics_at(scope: Scope) -> sa.Select[Any]:
    """The topics of memories; kept, since a prompt may ask for them."""
    found = sa.select(memory.c.seq, topic_member.c.topic_id, topic_member.c.agreement).select_from(
        IN_PROJECT.join(topic_member, together(topic_member.c.memory_seq, memory.c.seq))
    )
    its = (topic_member.c.expired_at.is_(None), one_of(memory.c.seq, "places"), visible_by_key(scope))
    return found.where(*its).execution_options(**PLANNED_ONCE)


def clusters_at(
    connection: Connection, scope: Scope, positions: Sequence[int]
) -> dict[int, NDArray[np.int32]]:
    """The clusters of memories that are current; see the door."""
    found: dict[int, NDArray[np.int32]] = {}
    for portion in portions(map(int, positions)):
        statement = (
            sa.select(memory.c.seq, cluster_label.c.labels)
            .select_from(IN_PROJECT.join(cluster_label, together(cluster_label.c.memory_seq, memory.c.seq)))
            .where(memory.c.seq.in_(portion), visible_by_key(scope), *CURRENT)
        )
        found |= {seq: np.frombuffer(raw, "<i4") for seq, raw in connection.execute(statement)}
    return found


def topic_sizes(connection: Connection, scope: Scope, kinds: Sequence[Kind]) -> dict[str | None, int]:
    """How many current memories of these kinds each topic has, and those of none; see the door."""
    member = topic_member
    own = sa.and_(
        together(member.c.memory_seq, memory.c.seq),
        member.c.expired_at.is_(None),
        member.c.agreement >= TOPIC,
    )
    statement = (
        sa.select(member.c.topic_id, sa.func.count())
        .select_from(IN_PROJECT.outerjoin(member, own))
        .where(*_current(scope, kinds))
        .group_by(member.c.topic_id)
    )
    return {raw and text_id(raw): size for raw, size in connection.execute(statement)}


def _current(scope: Scope, kinds: Sequence[Kind]) -> list[sa.ColumnElement[bool]]:
    return [visible(scope), *CURRENT, memory.c.kind.in_([str(kind) for kind in kinds])]


def gathered(connection: Connection, scope: Scope, kinds: Sequence[Kind], after: int = -1) -> Gathered:
    """The current memories of these kinds in scope above a position, with their clusters and topics; see the door."""
    label, member = cluster_label, topic_member
    joined: Any = IN_PROJECT.outerjoin(label, together(label.c.memory_seq, memory.c.seq))
    joined = joined.outerjoin(
        member, sa.and_(together(member.c.memory_seq, memory.c.seq), member.c.expired_at.is_(None))
    )
    statement = (
        sa.select(memory.c.seq, label.c.labels, member.c.topic_id, member.c.agreement)
        .select_from(joined)
        .where(*_current(scope, kinds), memory.c.seq > after)
        .order_by(memory.c.seq)
    )
    rows = connection.execute(statement).all()
    labels = np.full((len(rows), _SPACES), UNCLUSTERED, np.int32)
    for place, row in enumerate(rows):
        if row.labels is not None and len(row.labels) == labels.itemsize * _SPACES:
            labels[place] = np.frombuffer(row.labels, "<i4")
    return Gathered(
        positions=np.array([row.seq for row in rows], np.int64),
        labels=labels,
        is_clustered=np.array([row.labels is not None for row in rows], np.bool_),
        topics=tuple(None if row.topic_id is None else text_id(row.topic_id) for row in rows),
        agreements=np.array([row.agreement or 0.0 for row in rows], np.float64),
    )
