"""Where a home's daemon is found: sockets, lock, token, log and spool. Standard library only, and cheap to import."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_SOCKET = 100
"""Bytes that a socket's path may have: the kernel takes 107, macOS 103."""


class Places:
    """The files of one home's daemon; nothing is made until `make`.

    `home`: the home folder, absolute.
    """

    def __init__(self, home: str) -> None:
        self.home = home
        self.run = os.path.join(home, "run")
        if len(os.fsencode(self.inside("daemon.sock"))) > LONGEST_SOCKET:
            self.run = f"{_short_folder()}/{_digest(home)}"
        self.socket = self.inside("daemon.sock")
        self.mcp_socket = self.inside("mcp.sock")
        self.lock = self.inside("daemon.lock")
        self.record = self.inside("daemon.json")
        self.token = self.inside("token")
        self.spool = os.path.join(home, "spool")
        self.log = os.path.join(home, "log", "daemon.log")
        self.settings = os.path.join(home, "engramforge.toml")

    def inside(self, name: str) -> str:
        """A file of the run folder."""
        return os.path.join(self.run, name)

    def make(self) -> None:
        """Make the home and the daemon's folders, ours alone; a run folder that others could write to is emptied.

        Raises OSError: one is another's, or cannot be made.
        """
        if not os.path.isdir(self.home):
            make_own(self.home)
        above = os.path.dirname(self.run)
        for folder in (*([] if above == self.home else [above]), os.path.dirname(self.log)):
            make_own(folder)
        if make_own(self.run) & 0o022:
            _empty(self.run)

    def clear(self) -> None:
        """Remove what says where the daemon is; for who holds its lock. The token stays: the next one takes it."""
        for place in (self.socket, self.mcp_socket, self.record):
            if os.path.lexists(place):
                os.unlink(place)


def make_own(folder: str) -> int:
    """Make a folder that its owner alone may enter; the mode that it had before.

    Raises PermissionError: it is there and another user's.
    """
    os.makedirs(folder, mode=0o700, exist_ok=True)
    found = os.lstat(folder)
    # A link could lead into another user's folder.
    if found.st_uid != os.getuid() or (found.st_mode & 0o170000) != 0o040000:
        raise PermissionError(13, "It is not a folder of this user", folder)
    if found.st_mode & 0o077:
        os.chmod(folder, 0o700)
    return found.st_mode


def write_own(place: str, text: str) -> None:
    """Write a file of ours whole, which nobody else has open or can read. Raises OSError."""
    beside = f"{place}.part"
    if os.path.lexists(beside):
        os.unlink(beside)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(beside, flags, 0o600)
    try:
        os.write(file, f"{text}\n".encode())
    finally:
        os.close(file)
    os.replace(beside, place)


def read_own(place: str) -> str | None:
    """What a file says that is ours and that nobody else can read; None where there is no such file."""
    try:
        file = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = os.fstat(file)
        is_ours = found.st_uid == os.getuid() and found.st_mode & 0o170077 == 0o100000
        return os.read(file, 4_096).decode("utf-8", "replace").strip() if is_ours else None
    finally:
        os.close(file)


def _empty(folder: str) -> None:
    from shutil import rmtree

    with os.scandir(folder) as found:
        for each in found:
            if each.is_dir(follow_symlinks=False):
                rmtree(each.path)
            else:
                os.unlink(each.path)


def _short_folder() -> str:
    return f"/tmp/engramforge-{os.getuid()}"  # noqa: S108 - made ours alone, and checked


def _digest(home: str) -> str:
    from hashlib import sha256

    return sha256(os.fsencode(home)).hexdigest()[:16]


def find_home(given: str | None, environment: Mapping[str, str]) -> str | None:
    """The home folder as `settings` finds it: `given`, else ENGRAMFORGE_HOME, else the user's folder for data.

    None where that name cannot be used, which opening the store tells.
    """
    chosen = environment.get("ENGRAMFORGE_HOME") if given is None else given
    if chosen is not None:
        if not chosen or "\x00" in chosen:
            return None
        found = os.path.expanduser(chosen)
        # The folder of a user that there is not.
        return None if found.startswith("~") else os.path.abspath(found)
    user = os.path.expanduser("~")
    if sys.platform == "darwin":
        return f"{user}/Library/Application Support/engramforge"
    above = environment.get("XDG_DATA_HOME", "").strip() or f"{user}/.local/share"
    return os.path.abspath(f"{above}/engramforge")
