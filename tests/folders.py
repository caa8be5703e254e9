"""Where the files of tests lie: in memory where there is room."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

IN_MEMORY: Final = Path("/dev/shm")
_ROOM_BYTES: Final = 2 * 1024**3


def has_room(folder: Path) -> bool:
    """Whether a test run's files may lie in this folder of memory.

    A commit to a disk takes 5 ms and more. Every database of a server is a thousand files that come and go, and ext4
    searches long for numbers of files that were not deleted just now: a copy that takes 0.03 s in memory took up to
    0.5 s there.
    """
    try:
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= _ROOM_BYTES
    except OSError:
        return False
