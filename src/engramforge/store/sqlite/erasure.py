"""Erases the traces of forgotten content from the file, its free pages and the write-ahead log.

secure_delete zeroes what is deleted, but page rebalancing may have left an older copy of a cell in a page's gap, and
the log still holds earlier pages. So the log is written back and truncated, and the file searched for the content and
rewritten as a whole (VACUUM) if a trace is found.
"""

from __future__ import annotations

import mmap
import time
from pathlib import Path
from typing import Final

from sqlalchemy.engine import Connection, Engine

from engramforge.errors import StoreLocked

_WAIT_S: Final = 10.0
_TRY_MS: Final = 200
"""How long a try waits, during which no other process can write."""
_TRACE_BYTES: Final = 24
_TRACES: Final = 12
_LEAST_BYTES: Final = 6
_HOLDERS: Final = (
    ("session", "name"),
    ("chunk", "file_path"),
    ("memory", "speaker"),
    ("mark", "value"),
    ("entity", "name"),
    ("body", "name"),
    ("body", "content"),
    ("body", "extra"),
    ("registry", "details"),
    ("registry", "conversations"),
    ("registry", "continuation"),
    ("registry", "local_id"),
    ("audit", "effect"),
)
"""Where texts of memories are kept."""


def erase_traces(engine: Engine, path: Path, texts: list[str]) -> None:
    """Make sure that the contents are nowhere in the store's files.

    Raises StoreLocked if a reader keeps the log from being truncated; the memories are forgotten nevertheless, and the
    next process that opens the store clears the log.
    """
    traces = {trace for text in texts for trace in _traces(text)}
    with engine.connect() as connection:
        _truncate_log(connection, path, _WAIT_S)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
            found = [trace for trace in sorted(traces) if image.find(trace) >= 0]
        if any(not _is_wanted(connection, trace) for trace in found):
            _rewrite(connection, path, _WAIT_S)


def finish_erasure(engine: Engine, path: Path) -> bool:
    """Finish a forget that was interrupted by its process dying or by a reader.

    The forgotten content is unknown by now, so the whole file is rewritten. Returns whether that succeeded; if a reader
    is still in the way, the next process that opens the store does it.
    """
    with engine.connect() as connection:
        try:
            _truncate_log(connection, path, _TRY_MS / 1000)
            _rewrite(connection, path, _WAIT_S)
        except StoreLocked:
            return False
    return True


def _rewrite(connection: Connection, path: Path, wait_s: float) -> None:
    """The whole file anew, without free pages, and an empty log."""
    connection.exec_driver_sql("VACUUM")
    _truncate_log(connection, path, wait_s)


def _truncate_log(connection: Connection, path: Path, wait_s: float) -> None:
    """Write the log back into the file and cut it to nothing, waiting for readers to step aside."""
    deadline = time.monotonic() + wait_s
    patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_TRY_MS}")
    try:
        while True:
            busy, _, _ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            if not busy:
                return
            if time.monotonic() > deadline:
                raise StoreLocked(
                    f"The memory is forgotten, but a reader keeps the log of {path} from being cleared",
                    "Close the other processes that use the store: the last one clears the log",
                )
            time.sleep(0.05)
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(patience)}")


def _traces(text: str) -> list[bytes]:
    """Pieces of a text, spread over it, short enough that they cannot all be split between pages.

    None for a very short text, whose bytes occur in any file by chance and would cause a rewrite each time.
    """
    raw = text.encode()
    if len(raw) < _LEAST_BYTES:
        return []
    if len(raw) <= _TRACE_BYTES:
        return [raw]
    step = max((len(raw) - _TRACE_BYTES) // _TRACES, 1)
    return [raw[begin : begin + _TRACE_BYTES] for begin in range(0, len(raw) - _TRACE_BYTES + 1, step)]


def _is_wanted(connection: Connection, trace: bytes) -> bool:
    """Whether remaining memories contain the same text, as overlapping chunks do; then it is not a trace."""
    return any(
        connection.exec_driver_sql(
            f"SELECT 1 FROM {table} WHERE instr(CAST({column} AS BLOB), ?) LIMIT 1",  # noqa: S608 - our own names
            (trace,),
        ).first()
        for table, column in _HOLDERS
    )
