"""Export: everything of a tenant as JSON lines, in an order that does not depend on the engine.

The first line is the header: format, store, counts. Memories and links follow by the time at which they were recorded,
then by id; projects and marks by name; origins by project and key; the audit log in order of writing. Embeddings and
vectors of entities are left out, since they can be made from the content, and so are positions in the store: stores
with the same content give the same bytes. A file takes its place only when it is complete.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Protocol

from engramforge.core.checks.store_files import is_of_store
from engramforge.core.rows.row_digest import line_of
from engramforge.errors import InvalidValue, StoreFull, StoreUnavailable
from engramforge.model.link import Link
from engramforge.model.scope import Project, Scope
from engramforge.model.storing.section import (
    EXPORT_FORMAT,
    PLACE_MARKS,
    SCRATCH_MARKS,
    Cursor,
    ExportReport,
    Mark,
    Origin,
    Section,
    SectionRow,
)
from engramforge.store.door import Door, Upkeep

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

    Raises StoreFull, StoreUnavailable: it cannot be written; an earlier file stays. InvalidValue: no stream of bytes.
    """
    with door.tending(Scope(tenant, every_agent=True)) as shot:
        exported = Exported(shot, tenant, door.identity.store_id)
        if not isinstance(to, Path):
            with _told("<stream>"):
                return exported.write(_Stream(to))
        with replacing(to) as file:
            return exported.write(file, str(to))


@dataclass(frozen=True, slots=True)
class _Stream:
    """A stream of the caller's, which may raise anything."""

    sink: Sink

    def write(self, line: bytes) -> None:
        """Take the bytes. Raises OSError, InvalidValue."""
        try:
            self.sink.write(line)
        except OSError:
            raise
        except Exception as error:
            raise InvalidValue(
                f"The stream cannot be written to: it raised a {type(error).__name__}", "Pass a binary stream"
            ) from error


@dataclass(slots=True)
class Exported:
    """The content of an export at a single moment.

    `shot`: a snapshot of the tenant, or of a project. `project`: leave out other projects, and what belongs to the
    whole store: the audit log, injections and marks.
    """

    shot: Upkeep
    tenant: str
    store_id: str
    project: str | None = None
    _ids: set[str] = field(default_factory=set)

    def write(self, sink: Sink, path: str | None = None) -> ExportReport:
        """Write the header and all lines."""
        counts = self._counts()
        header = {
            "section": "header",
            "format": EXPORT_FORMAT,
            "tenant": self.tenant,
            "store_id": self.store_id,
            "counts": counts,
        }
        sink.write(first := json.dumps(header, separators=(",", ":")).encode() + b"\n")
        size = len(first)
        for line in self._lines():
            sink.write(line + b"\n")
            size += len(line) + 1
        return ExportReport(path, counts, size)

    def _counts(self) -> dict[str, int]:
        counts = {str(section): count for section, count in self.shot.counts().items() if section in _WRITTEN}
        if self.project is None:
            counts[Section.MARKS] = self._count(Section.MARKS)
            return counts
        for _, memories in in_order(self.shot, Section.MEMORIES):
            self._ids.update(memory.logical_id for memory in memories)
        return {
            name: self._count(Section(name)) if name != Section.MEMORIES else counts[name] for name in counts
        }

    def _count(self, section: Section) -> int:
        return sum(map(self._has, rows_of(self.shot, section)))

    def _has(self, row: object) -> bool:
        """Whether a row is exported: never a mark that names positions or lives for a while; of a project only its
        own."""
        if self.project is None and isinstance(row, Mark):
            return row.key not in PLACE_MARKS and not row.key.startswith(SCRATCH_MARKS)
        if self.project is None:
            return True
        if isinstance(row, Project):
            return row.name == self.project
        if isinstance(row, Origin):
            return row.project == self.project
        return isinstance(row, Link) and row.source_id in self._ids and row.target_id in self._ids

    def _lines(self) -> Iterator[bytes]:
        for section in _WRITTEN:
            if section is Section.MEMORIES:
                for positions, memories in in_order(self.shot, section):
                    # An undo takes back whole writes, also in a store restored from this.
                    for memory, write in zip(memories, self.shot.writes_of(positions), strict=True):
                        yield b'%s,"write":%d}' % (line_of(section, memory)[:-1], write)
                continue
            if section is Section.LINKS:
                rows: Iterator[Any] = (link for _, links in in_order(self.shot, section) for link in links)
            else:
                rows = rows_of(self.shot, section)
            lines = (line_of(section, row) for row in rows if self._has(row))
            # The store has projects in order of creation; there are few.
            yield from sorted(lines) if section is Section.PROJECTS else lines


def in_order(shot: Upkeep, section: Section) -> Iterator[tuple[NDArray[np.int64], list[Any]]]:
    """Positions and rows of memories, or links, in the order in which they were recorded, in portions."""
    positions = shot.ordered(section)
    for begin in range(0, len(positions), _PORTION):
        batch = positions[begin : begin + _PORTION]
        yield batch, shot.at(section, batch)


def rows_of(shot: Upkeep, section: Section) -> Iterator[SectionRow]:
    """The rows of a section, in the order of the store."""
    cursor: Cursor = None
    while (portion := shot.portion(section, cursor, _PORTION)).rows:
        yield from portion.rows
        cursor = portion.cursor


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the path's place when the block ends well, readable by its owner alone.

    Anything but an ordinary file (a pipe, a device) is written to directly.
    """
    with _told(str(path)):
        place = Path(os.path.realpath(path))
        if is_of_store(place.name):
            raise InvalidValue(f"{place} is a file of a store", "Name another file to export to")
        if place.is_symlink():
            raise OSError(errno.ELOOP, "its links go round in a circle")
        if place.exists() and not stat.S_ISREG(place.stat().st_mode):
            with place.open("wb") as file:
                yield file
            return
        with _beside(place) as file:
            yield file


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Faults of writing as errors of ours; that nobody reads any more is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(f"There is no space left for {place}", "Free some, or write elsewhere") from error
        raise StoreUnavailable(
            f"The export {place} cannot be written ({error.strerror or error})",
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
