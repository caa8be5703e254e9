"""Erases the traces of forgotten content from the file, its free pages and the write-ahead log, and proves it.

secure_delete zeroes what is deleted, but page rebalancing may have left an older copy of a cell in a page's gap, and
the log still holds earlier pages. So the log is written back and truncated, the file searched for the content and
rewritten as a whole (VACUUM) if a trace is found; then every file of the home is searched.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.engine import Connection, Engine

from engramforge.errors import StoreUnavailable
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Erasure, Remnant
from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.holders import Saying
from engramforge.store.erasing.lines import clear_lines
from engramforge.store.erasing.texts import wanted
from engramforge.store.erasing.traces import ForgottenTexts
from engramforge.store.sqlite.connection import BEFORE, FILE_NAME, is_copy_before
from engramforge.store.sqlite.resident.kept import BESIDE

_WAIT_S: Final = 3.0
"""How long readers that hold the log are waited for; after that it is left to the next to open the store."""
_TRY_MS: Final = 200
"""How long a try waits, during which no other process can write."""
_OTHER_FILES: Final = 2_000
_OTHER_BYTES: Final = 2**30
"""How much of a home's other files is searched."""

_A_STORES: Final = re.compile(rf"(?:[a-z0-9_-]+\.)?{re.escape(FILE_NAME)}(?:-.*|{re.escape(BEFORE)}.*)?")
"""Names of the files of any tenant's store."""


def erase_traces(
    engine: Engine,
    path: Path,
    file: HeldFile,
    scope: Scope,
    forgotten: ForgottenTexts,
    *,
    home: Path,
    anew: bool,
) -> Erasure:
    """Clear the store's files of the texts, search the home for them, and tell what is left.

    `file`: the one at the path, as the store holds it. `home`: whose spool and logs are cleared, too. `anew`: rewrite
    the file whatever is found, for an earlier forget whose texts nobody knows any more.
    """
    said = forgotten.said()
    erasure = Erasure()
    log = path.with_name(f"{path.name}-wal")

    def look(parts: Collection[str]) -> dict[str, set[str]]:
        return {path.name: set(file.find(parts)), log.name: set(_found_in(log, parts))}

    with engine.connect() as connection:
        erasure.queued = not _truncated(connection, _WAIT_S)
        found = set().union(*look({*said, *forgotten.named()}).values())
        kept = _in_schema(connection, found)
        kept |= wanted(connection, scope.tenant, found - kept)
        if not erasure.queued and (anew or found - kept):
            _rewrite(connection)
            erasure.queued = not _truncated(connection, _WAIT_S)
        left = {name: len(parts) for name, parts in look(found - kept).items() if parts}
        if erasure.queued:
            erasure.found += _held(path, list(left) or [log.name])
        else:
            erasure.found += [
                Remnant("file", name, f"{count} parts are still in its pages") for name, count in left.items()
            ]
        saying = Saying(connection, scope, forgotten.contents)
        erasure.found += saying.remnants([part for part in said if part in found])
        erasure.searched.append(path.name)
        erasure.cleared += clear_lines(home, said, saying)
        _search_home(path, said, saying, erasure)
    return erasure


def finish_erasure(engine: Engine) -> bool:
    """Finish a forget that was interrupted by its process dying or by a reader.

    The forgotten content is unknown by now, so the whole file is rewritten. Returns whether that succeeded; if a reader
    is still in the way, the next process that opens or sweeps the store does it.
    """
    with engine.connect() as connection:
        if not _truncated(connection, _TRY_MS / 1000):
            return False
        _rewrite(connection)
        return _truncated(connection, _WAIT_S)


def held_by(path: Path) -> str:
    """Who has the write-ahead log open beside this process, as far as the system tells."""
    log = f"{path}-wal"
    found: set[int] = set()
    for place in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if str(place.readlink()) == log:
                found.add(int(place.parts[2]))
    others = sorted(found - {os.getpid()})
    if others:
        return f"process {', '.join(map(str, others[:10]))}"
    return f"this process ({os.getpid()})" if found else "another process"


def _held(path: Path, names: Sequence[str]) -> list[Remnant]:
    """The store's own files that have to keep something for a reader."""
    why = (
        f"a reader that began before still needs it: {held_by(path)}; queued, cleared when the store is next opened or "
        "swept after the reader's end"
    )
    return [Remnant("file", name, why) for name in names]


def _rewrite(connection: Connection) -> None:
    """The whole file anew, without free pages."""
    connection.exec_driver_sql("VACUUM")


def _truncated(connection: Connection, wait_s: float) -> bool:
    """Write the log back into the file and cut it to nothing, waiting for readers to step aside; whether they did."""
    deadline = time.monotonic() + wait_s
    patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_TRY_MS}")
    try:
        while True:
            busy, _, _ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            if not busy or time.monotonic() > deadline:
                return not busy
            time.sleep(0.05)
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(patience)}")


def _in_schema(connection: Connection, parts: Collection[str]) -> set[str]:
    """Which of the parts the file's own description of its tables has, such as a field's name."""
    told = connection.exec_driver_sql("SELECT group_concat(sql, ' ') FROM sqlite_master").scalar() or ""
    return {part for part in parts if part in told}


def _found_in(path: Path, parts: Collection[str]) -> dict[str, str]:
    """Which of the parts are in a file that is not the store's own, each with what stands around it."""
    try:
        with path.open("rb") as opened:
            return {
                part: around(opened.fileno(), part, place)
                for part, place in found_in(opened.fileno(), parts).items()
            }
    except FileNotFoundError:
        return {}


def _search_home(path: Path, parts: Collection[str], saying: Saying, erasure: Erasure) -> None:
    """Look through the other files of the home; copies of ours that hold a part are deleted, others are named."""
    files, size = 0, 0
    for other in _others(path):
        try:
            size += (length := other.stat().st_size)
            if not length:
                continue
            files += 1
            if files > _OTHER_FILES or size > _OTHER_BYTES:
                erasure.found.append(
                    Remnant("file", "", "the home has more files beside the store than are searched")
                )
                return
            found = _found_in(other, parts)
            if found and is_copy_before(other, path):
                other.unlink()
                erasure.cleared.append(other.name)
                continue
        except OSError as error:
            erasure.found.append(Remnant("file", other.name, f"it cannot be read ({error.strerror})"))
            continue
        name = str(other.relative_to(path.parent))
        erasure.searched.append(name)
        if found and saying.is_told_by(found.items()):
            erasure.found.append(Remnant("file", name, "it is not the store's own: yours to clean or delete"))


def _others(path: Path) -> Iterator[Path]:
    """Files below the home, without the store's own and without other tenants' stores; of a store that is no home's,
    its copies."""
    own = {path.name + end for end in ("", "-wal", "-shm", "-journal")}
    if not path.name.endswith(FILE_NAME):
        beside = sorted(path.parent.glob(f"{path.name}?*"))
        columns = f"{path.name}{BESIDE}"
        yield from (other for other in beside if other.name not in own and not other.name.startswith(columns))
        return
    for folder, folders, names in os.walk(path.parent):
        here = Path(folder)
        if here != path.parent and any(name.endswith(FILE_NAME) for name in names):
            folders.clear()
            continue
        for name in sorted(names):
            other = here / name
            is_strangers = name not in own and _A_STORES.fullmatch(name) and not is_copy_before(other, path)
            if name not in own and not is_strangers and other.is_file() and not other.is_symlink():
                yield other


Inode = tuple[int, int]
"""Device and number of a file."""
_BLOCK: Final = 4 * 2**20
_AROUND: Final = 4_096


@dataclass(slots=True)
class _Open:
    """A file's descriptors, mostly one, and how many stores of this process hold it."""

    descriptors: list[int]
    stores: int = 0


_opened: dict[Inode, _Open] = {}
_changing: Final = threading.Lock()


class HeldFile:
    """A store's file, made if it is missing; to be closed after the store's connections.

    `inode`: which file it is. `only_read`: it is neither made nor opened for writing.

    Raises StoreUnavailable where it cannot be opened.
    """

    def __init__(self, path: Path, only_read: bool = False) -> None:
        with _changing:
            self.inode = _of(path, only_read)
            _opened[self.inode].stores += 1
        self._is_held = True

    def find(self, parts: Collection[str]) -> dict[str, int]:
        """Which of the parts are in it, and where they begin first."""
        return found_in(_opened[self.inode].descriptors[0], parts)

    def close(self) -> None:
        """Let go of it."""
        with _changing:
            if not self._is_held:
                return
            self._is_held = False
            held = _opened[self.inode]
            held.stores -= 1
            if not held.stores:
                del _opened[self.inode]
                for descriptor in held.descriptors:
                    os.close(descriptor)


def inode_of(path: Path) -> Inode | None:
    """Which file is at a path, if any."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _of(path: Path, only_read: bool) -> Inode:
    """The file at a path, opened unless it is already."""
    there = inode_of(path)
    if there in _opened:
        return there
    try:
        # Made here so that only the owner can read it, whatever the umask.
        way = os.O_RDONLY | os.O_NONBLOCK if only_read else os.O_CREAT | os.O_RDWR
        descriptor = os.open(path, way | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnavailable(
            f"The store {path} cannot be opened ({error.strerror})",
            "Check that its folder exists and that this user may read and write it",
        ) from error
    found = os.fstat(descriptor)
    inode = (found.st_dev, found.st_ino)
    # It may have been replaced by one that is open since it was looked at: then both descriptors stay.
    _opened.setdefault(inode, _Open([])).descriptors.append(descriptor)
    return inode


def found_in(descriptor: int, parts: Collection[str]) -> dict[str, int]:
    """Which of the parts are in a file, and where they begin first; read in blocks, so that a file which shrinks
    meanwhile does no harm."""
    finder = Finder(parts)
    overlap = max(finder.longest - 1, 0)
    found: dict[str, int] = {}
    window, end = b"", 0
    while len(found) < len(parts) and (block := os.pread(descriptor, _BLOCK, end)):
        window = window[max(len(window) - overlap, 0) :] + block
        end += len(block)
        here: dict[str, int] = {}
        for place, part in finder.places(window, every=False):
            here[part] = min(place, here.get(part, place))
        found = {part: end - len(window) + place for part, place in here.items()} | found
    return found


def around(descriptor: int, part: str, place: int) -> str:
    """The text around a part of a file that begins at that byte."""
    begin = max(place - _AROUND, 0)
    length = len(part.encode("utf-8", "surrogatepass"))
    return os.pread(descriptor, place - begin + length + _AROUND, begin).decode("utf-8", "ignore")
