"""By what memories are found as they feel: their goals, and their emotions at length 1; and links by both ends."""

import json
import math
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from engramforge.core.emotions.emotion_names import normalised
from engramforge.core.streams.weights import goal_key
from engramforge.store.migrations.steps import (
    belongs_to,
    columns,
    keys,
    run_script,
    secure,
    tenant,
    without_policies,
)

revision = "0010"
down_revision = "0009"

_AT_ONCE = 5_000
_POSTGRES = """
CREATE TABLE memory_goal (
  tenant text COLLATE "C" NOT NULL,
  goal text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  PRIMARY KEY (tenant, goal, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq)
);
CREATE INDEX ix_memory_goal_memory_seq ON memory_goal (tenant, memory_seq);
ALTER TABLE memory_goal ALTER COLUMN goal SET STATISTICS 0;
CREATE TABLE memory_emotion (
  tenant text COLLATE "C" NOT NULL,
  emotion text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  share double precision NOT NULL,
  PRIMARY KEY (tenant, emotion, memory_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq)
);
CREATE INDEX ix_memory_emotion_memory_seq ON memory_emotion (tenant, memory_seq);
ALTER TABLE memory_emotion ALTER COLUMN emotion SET STATISTICS 0
"""


def upgrade() -> None:
    """Make both tables, and fill them from the bodies; and an index of links by both ends."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        run_script(connection, "CREATE INDEX IF NOT EXISTS link_ends ON link (tenant, source_id, target_id)")
        run_script(connection, _POSTGRES)
        with without_policies(connection, "body"):
            _fill(connection)
        secure(connection, "memory_goal", "memory_emotion")
        return
    op.create_index("link_ends", "link", ["source_id", "target_id"], if_not_exists=True)
    for name, column in (("memory_goal", "goal"), ("memory_emotion", "emotion")):
        op.create_table(
            name,
            *columns(sa.Text, column),
            *keys("memory_seq"),
            *(columns(sa.Float, "share") if column == "emotion" else ()),
            tenant(),
            *belongs_to("memory"),
            sa.PrimaryKeyConstraint(column, "memory_seq"),
            sqlite_with_rowid=False,
        )
        op.create_index(f"ix_{name}_memory_seq", name, ["memory_seq"])
    _fill(connection)


def _fill(connection: sa.Connection) -> None:
    body = sa.table("body", *map(sa.column, ("tenant", "memory_seq", "emotion_vector", "extra")))
    goal = sa.table("memory_goal", *map(sa.column, ("tenant", "memory_seq", "goal")))
    emotion = sa.table("memory_emotion", *map(sa.column, ("tenant", "memory_seq", "emotion", "share")))
    for rows in _portions(connection, body):
        goals = [
            {"tenant": owner, "memory_seq": seq, "goal": key}
            for owner, seq, _, extra in rows
            if extra and (key := goal_key(str(json.loads(extra).get("goal") or "")))
        ]
        emotions = [
            {"tenant": owner, "memory_seq": seq, "emotion": name, "share": share}
            for owner, seq, felt, _ in rows
            for name, share in _shares(felt)
        ]
        if goals:
            connection.execute(sa.insert(goal), goals)
        if emotions:
            connection.execute(sa.insert(emotion), emotions)


def _portions(connection: sa.Connection, body: Any) -> Iterator[list[Any]]:
    """The bodies of all tenants, some at a time."""
    last: tuple[str, int] = ("", -1)
    while True:
        after = sa.tuple_(body.c.tenant, body.c.memory_seq) > sa.tuple_(*map(sa.literal, last))
        rows = connection.execute(
            sa.select(body.c.tenant, body.c.memory_seq, body.c.emotion_vector, body.c.extra)
            .where(after)
            .order_by(body.c.tenant, body.c.memory_seq)
            .limit(_AT_ONCE)
        ).all()
        if not rows:
            return
        yield list(rows)
        last = rows[-1][0], rows[-1][1]


def _shares(felt: str | None) -> Iterator[tuple[str, float]]:
    """The emotions of a vector at length 1."""
    emotions = normalised(json.loads(felt or "{}"))
    length = math.hypot(*emotions.values())
    for name, strength in emotions.items():
        yield name, strength / length
