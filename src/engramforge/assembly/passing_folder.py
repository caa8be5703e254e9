"""Temporary folders that do not outlive their process, even one that was killed: the next one removes what is left."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Final

_AS_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PREFIX: Final = "engramforge-fallback-"
_UNLOCKED: Final = ".engramforge-new-"


class PassingFolder:
    """A new folder of this user alone, locked while this process lives. `name`: its path."""

    def __init__(self) -> None:
        made = Path(tempfile.mkdtemp(prefix=_UNLOCKED))
        lock = os.open(made, _AS_FOLDER)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Only now by the name under which it would be swept, were it not locked.
        place = made.rename(made.with_name(PREFIX + made.name.removeprefix(_UNLOCKED)))
        self.name = str(place)
        self.remove = weakref.finalize(self, _removed, self.name, lock)
        """Remove it with all that it holds; at the end of the process, if not before."""


def _removed(name: str, lock: int) -> None:
    shutil.rmtree(name, ignore_errors=True)
    os.close(lock)


def sweep() -> None:
    """Remove the folders of processes that are gone."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # Whatever is in the way here, such as another process that sweeps, nobody waits for it.
        with suppress(OSError):
            _remove_left(path)


def _remove_left(path: Path) -> None:
    found = path.lstat()
    if found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode):
        return
    lock = os.open(path, _AS_FOLDER)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)
