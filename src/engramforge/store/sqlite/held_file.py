"""The bytes of a file that SQLite has open in this process: held open as long as SQLite does.

Locks of a process on a file end when the process closes any descriptor of it (fcntl(2)), so also those of SQLite's
connections. The next process to close the store would then take itself for the last, and remove the write-ahead log
that this one still writes to. So no descriptor is closed before the process's last store of that file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engramforge.errors import StoreUnavailable
from engramforge.store.erasing.finding import Finder

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

    `inode`: which file it is.

    Raises StoreUnavailable where it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        with _changing:
            self.inode = _of(path)
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


def _of(path: Path) -> Inode:
    """The file at a path, opened unless it is already."""
    there = inode_of(path)
    if there in _opened:
        return there
    try:
        # Made here so that only the owner can read it, whatever the umask.
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
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
