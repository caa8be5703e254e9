"""Watched folders, and what became of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engramforge.model.storing.record import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedFolder:
    """A folder whose text files are remembered as they are.

    `path`: absolute, links resolved; it may be missing at times. `project`: whose memories they become. `device`: the
    number of the file system that it was on, by which an unmounted one is told from a deleted one.
    """

    path: str
    project: str
    added_at: datetime
    device: int = 0


class Became(StrEnum):
    """What became of a file."""

    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    DELETED = "deleted"
    FAULTY = "faulty"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNews:
    """What was done for a file.

    `path`: relative to its folder; of a folder that is read as a whole (a vault, decision records) that of the folder.
    `before`: its earlier path if it was moved. `written`: new memories. `superseded`, `ended`: earlier ones. `faults`:
    what could not be read, and notes.
    """

    path: str
    became: Became
    before: str = ""
    written: int = 0
    superseded: int = 0
    ended: int = 0
    faults: tuple[Fault, ...] = ()


class Watch(StrEnum):
    """What news are about: changes of files, or how watching itself goes.

    SCANNED: the folder was compared with the store, and is watched from now on. AWAY: it cannot be reached, so nothing
    is ended. BACK: it is there again. GONE: it stayed away beside a parent that is there, so its chunks were ended.
    WAITING: the store cannot be written; it is tried again. POLLING: the system sends no events, so the folder is
    compared now and then.
    """

    CHANGES = "changes"
    SCANNED = "scanned"
    AWAY = "away"
    BACK = "back"
    GONE = "gone"
    WAITING = "waiting"
    POLLING = "polling"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchNews:
    """One thing to tell of a watched folder.

    `files`: what was done, file by file; empty if nothing had to be. `fault`: why it waits or polls. `seconds`: how
    long it took.
    """

    folder: str
    about: Watch
    files: tuple[FileNews, ...] = ()
    fault: str = ""
    seconds: float = 0.0

    @property
    def counts(self) -> Mapping[str, int]:
        """How many files became what."""
        return Counter(str(each.became) for each in self.files)
