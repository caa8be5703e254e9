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
        """Make the home and the daemon's folders, ours alone. Raises OSError: one is another's, or cannot be made."""
        if not os.path.isdir(self.home):
            make_own(self.home)
        above = os.path.dirname(self.run)
        for folder in (*([] if above == self.home else [above]), self.run, os.path.dirname(self.log)):
            make_own(folder)

    def clear(self) -> None:
        """Remove what says where the daemon is; for who holds its lock."""
        for place in (self.socket, self.mcp_socket, self.record, self.token):
            if os.path.lexists(place):
                os.unlink(place)


def make_own(folder: str) -> None:
    """Make a folder that its owner alone may enter. Raises PermissionError: it is there and another user's."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    found = os.lstat(folder)
    # A link could lead into another user's folder.
    if found.st_uid != os.getuid() or (found.st_mode & 0o170000) != 0o040000:
        raise PermissionError(13, "It is not a folder of this user", folder)
    if found.st_mode & 0o077:
        os.chmod(folder, 0o700)


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
        return None if found.startswith("~") else _absolute(found)
    user = os.path.expanduser("~")
    if sys.platform == "darwin":
        return f"{user}/Library/Application Support/engramforge"
    data = environment.get("XDG_DATA_HOME", "").strip()
    return _absolute(f"{data or f'{user}/.local/share'}/engramforge")


def _absolute(path: str) -> str:
    return os.path.abspath(path)
