"""Stores as an older version of the package wrote them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg

WITHOUT_TOPICS = "DROP TABLE topic_member; DROP TABLE topic; DROP TABLE cluster_label;"
"""What 0012 has more than 0011, taken away again."""
WITHOUT_LEVELS = f"""
{WITHOUT_TOPICS}
ALTER TABLE posting DROP COLUMN level;
CREATE UNIQUE INDEX posting_term ON posting (tenant, closed, term, project_seq, memory_seq)
  INCLUDE (times, length, session_seq);
"""
"""What 0011 and 0012 have more than 0010 on PostgreSQL, taken away again."""


def made_older(place: str, *also: str) -> None:
    """Turn a closed store into what the version before wrote: no effects, and a redo was the undo of an undo.

    `also`: further statements.
    """
    statements = (
        "UPDATE audit SET action = 'undo', reason = replace(reason, 'brings again', 'takes back')"
        " WHERE action = 'redo'",
        "ALTER TABLE audit DROP COLUMN effect",
        *(f"DROP INDEX link_{end}" for end in ("source", "target")),
        "DROP TABLE memory_file",
        "DROP TABLE injection",
        "DROP TABLE memory_goal",
        "DROP TABLE memory_emotion",
        "DROP INDEX link_ends",
        "UPDATE alembic_version SET version_num = '0004'",
    )
    first = "tenant, " if "://" in place else ""
    statements += tuple(
        f"CREATE INDEX ix_link_{end}_id ON link ({first}{end}_id)" for end in ("source", "target")
    )
    statements += also
    if "://" in place:
        with psycopg.connect(place) as connection:
            for statement in (WITHOUT_LEVELS, *statements):
                connection.execute(statement.encode())
        return
    with sqlite3.connect(Path(place) / "memory.db") as file:
        file.executescript(WITHOUT_TOPICS)
        for statement in statements:
            file.execute(statement)
    file.close()
