"""What a selection names, looked up for the scan of the resident index: keys of sessions, positions of versions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.search.selection import Selection


def session_keys(connection: Connection, selection: Selection) -> list[int] | None:
    """Keys of the selected session in every project that has one of that name; None for all sessions."""
    if selection.session_id is None:
        return None
    rows = connection.exec_driver_sql("SELECT seq FROM session WHERE name = ?", (selection.session_id,))
    return [int(seq) for seq in rows.scalars()]


def named(connection: Connection, selection: Selection) -> NDArray[np.int64] | None:
    """Positions of versions with every selected tag, mentioned by one of the conversations; None for all."""
    mentioned = None
    if asked := selection.conversations:
        wanted = f"SELECT memory_seq FROM entry_conversation WHERE conversation IN ({_holes(asked)})"  # noqa: S608 - only question marks
        mentioned = np.fromiter(connection.exec_driver_sql(wanted, tuple(asked)).scalars(), np.int64)
    if not selection.tags:
        return mentioned
    tagged = _carrying(connection, selection.tags)
    return tagged if mentioned is None else np.intersect1d(tagged, mentioned)


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
