"""Export: everything of a tenant as JSON lines, in an order that does not depend on the engine.

The first line is the header: format, store, counts. Memories and links follow by the time at which they were recorded,
then by id; projects and marks by name; origins by project and key; the audit log in order of writing. Embeddings and
vectors of entities are left out: they are made again from the content. Positions in the store are in none of it, so
stores that hold the same are written as the same bytes. A file takes its place only when it is whole. What must not
enter: SQL.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from engramforge.core.row_digest import line_of
from engramforge.errors import StoreFull, StoreUnavailable
from engramforge.model.scope import Scope
from engramforge.model.section import EXPORT_FORMAT, PLACE_MARKS, Cursor, ExportReport, Mark, Section
from engramforge.store.door import Door, Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PORTION: Final = 500
_WRITTEN: Final = tuple(section for section in Section if section is not Section.ENTITIES)


class Sink(Protocol):
    """Something to write bytes to."""

    def write(self, line: bytes, /) -> object:
        """Take the bytes, all of them."""


def export(door: Door, tenant: str, to: Path | Sink) -> ExportReport:
    """Write everything of a tenant to a file, which is replaced as a whole, or to a stream.

    Raises
    ------
    StoreFull, StoreUnavailable : the file cannot be written; what was there before stays.
    """
    scope = Scope(tenant, every_agent=True)
    if not isinstance(to, Path):
        return _written(door, scope, to, None)
    with _replacing(to) as file:
        return _written(door, scope, file, str(to))


def _written(door: Door, scope: Scope, sink: Sink, path: str | None) -> ExportReport:
    size = 0
    with door.snapshot(scope) as shot:
        counts = {str(section): count for section, count in shot.counts().items() if section in _WRITTEN}
        counts[Section.MARKS] = sum(1 for portion in _portions(shot, Section.MARKS) for _ in _told(portion))
        header = {
            "section": "header",
            "format": EXPORT_FORMAT,
            "tenant": scope.tenant,
            "store_id": door.identity.store_id,
            "counts": counts,
        }
        sink.write(first := json.dumps(header, separators=(",", ":")).encode() + b"\n")
        size += len(first)
        for line in _lines(shot):
            sink.write(line + b"\n")
            size += len(line) + 1
    return ExportReport(path, counts, size)


def _lines(shot: Snapshot) -> Iterator[bytes]:
    for section in _WRITTEN:
        if section in (Section.MEMORIES, Section.LINKS):
            positions = shot.ordered(section)
            for begin in range(0, len(positions), _PORTION):
                yield from _recorded_lines(shot, section, positions[begin : begin + _PORTION])
        elif section is Section.PROJECTS:
            # In the store they are in order of making; there are few.
            rows = [row for portion in _portions(shot, section) for row in portion]
            yield from sorted(line_of(section, row) for row in rows)
        else:
            for portion in _portions(shot, section):
                yield from (line_of(section, row) for row in _told(portion))


def _told(rows: Sequence[object]) -> Iterator[object]:
    """The rows without marks that name positions."""
    return (row for row in rows if not (isinstance(row, Mark) and row.key in PLACE_MARKS))


def _recorded_lines(shot: Snapshot, section: Section, positions: NDArray[np.int64]) -> Iterator[bytes]:
    """Lines of memories, each with the write that touched it last, or of links."""
    rows = shot.at(section, positions)
    if section is Section.LINKS:
        yield from (line_of(section, row) for row in rows)
        return
    for row, write in zip(rows, shot.writes_of(positions), strict=True):
        # An undo takes back together what one write did, also in a store that this is brought back into.
        yield b'%s,"write":%d}' % (line_of(section, row)[:-1], write)


def _portions(shot: Snapshot, section: Section) -> Iterator[tuple[object, ...]]:
    cursor: Cursor = None
    while (portion := shot.portion(section, cursor, _PORTION)).rows:
        yield portion.rows
        cursor = portion.cursor


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the path's place when the block ends well, readable by its owner alone.

    What is no ordinary file (a pipe, a device) is written to as it is.
    """
    try:
        place = path.resolve()
        if place.exists() and not stat.S_ISREG(place.stat().st_mode):
            with place.open("wb") as file:
                yield file
            return
        with _beside(place) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(f"There is no space left for {path}", "Free some, or write elsewhere") from error
        raise StoreUnavailable(
            f"The export {path} cannot be written ({error.strerror or error})",
            "Check that its folder exists and that you may write there",
        ) from error


@contextmanager
def _beside(place: Path) -> Iterator[IO[bytes]]:
    """A temporary file in the same folder, synced and renamed at the end, removed on any fault."""
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:100]}-", suffix=".part", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(place.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
