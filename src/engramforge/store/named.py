"""What a selection names, looked up for the scan of the resident index: keys of sessions, positions of versions.

What must not enter: the scan, PostgreSQL's statements (there the same predicates run beside the search).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.selection import Selection


def session_keys(connection: Connection, selection: Selection) -> list[int] | None:
    """Keys of the selected session in every project that has one of that name; None for all sessions."""
    if selection.session_id is None:
        return None
    rows = connection.exec_driver_sql("SELECT seq FROM session WHERE name = ?", (selection.session_id,))
    return [int(seq) for seq in rows.scalars()]


def tagged(connection: Connection, selection: Selection) -> NDArray[np.int64] | None:
    """Positions of versions with every selected tag, one of the statuses and one of the conversations.

    None where none of these is named.
    """
    found: list[NDArray[np.int64]] = []
    if selection.tags:
        found.append(_carrying(connection, selection.tags))
    if selection.conversations:
        found.append(_of_entries(connection, "entry_conversation", "conversation", selection.conversations))
    if selection.statuses:
        found.append(_of_entries(connection, "registry", "status", selection.statuses))
    return reduce(np.intersect1d, found) if found else None


def _of_entries(connection: Connection, table: str, column: str, values: Sequence[str]) -> NDArray[np.int64]:
    rows = connection.exec_driver_sql(
        f"SELECT memory_seq FROM {table} WHERE {column} IN ({_holes(values)})",  # noqa: S608 - our own names
        tuple(values),
    )
    return np.fromiter(rows.scalars(), np.int64)


def _carrying(connection: Connection, tags: Sequence[str]) -> NDArray[np.int64]:
    wanted = sorted(set(tags))
    rows = connection.exec_driver_sql(
        f"SELECT memory_seq FROM memory_tag WHERE tag IN ({_holes(wanted)}) "  # noqa: S608 - only question marks
        "GROUP BY memory_seq HAVING COUNT(*) = ?",
        (*wanted, len(wanted)),
    )
    return np.fromiter(rows.scalars(), np.int64)


def _holes(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
