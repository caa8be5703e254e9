"""The lock that one daemon holds for its life: the system lets go of it however the daemon ends."""

from __future__ import annotations

import fcntl
import os


def take_lock(path: str) -> int | None:
    """The descriptor of the lock, which is held until it is closed; None where somebody holds it.

    Raises OSError: the file cannot be made.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        if is_at(descriptor, path):
            return descriptor
        # The folder was removed and made anew while we waited: this lock keeps nobody out.
        os.close(descriptor)


def is_at(descriptor: int, path: str) -> bool:
    """Whether an open file is the one that stands at `path` now."""
    try:
        there = os.stat(path)
    except OSError:
        return False
    ours = os.fstat(descriptor)
    return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)


def is_held(path: str) -> bool:
    """Whether a daemon holds the lock now."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Shared: two that look at once do not take each other for a daemon.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
