"""One open store that many callers share, each as an agent of its own.

It opens when it is first asked for. When its file was replaced, or its settings changed, it is opened anew; who is
still at work on the old one finishes there.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.errors import StoreGone, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engramforge.forge import Forge
    from engramforge.model.storing.record import StoreIdentity


@dataclass
class _Held:
    """An open store: how many are at work on it, and whether it is to be closed when they are done."""

    forge: Forge
    mark: object
    users: int = 0
    retired: bool = False


class SharedStore:
    """A store for many callers.

    `opens`: opens it, and raises what opening raises. `settings`: a file whose change has the store opened anew;
    None for none. `first`: is called before the store is lent, as to wait for what is on its way into it.
    """

    def __init__(
        self,
        opens: Callable[[], Forge],
        settings: str | None = None,
        first: Callable[[], object] = lambda: None,
    ) -> None:
        self._first = first
        self._opens = opens
        self._settings = settings
        self._opening = threading.Lock()
        self._held: _Held | None = None
        self.users = 0
        self.last_used = time.monotonic()

    @property
    def identity(self) -> StoreIdentity | None:
        """Which store is open; None where none is."""
        held = self._held
        return None if held is None else held.forge.identity

    @contextmanager
    def lent(
        self, agent: str | None = None, again_after: StoreUnavailable | None = None, at_once: bool = False
    ) -> Iterator[Forge]:
        """The store for a block, as an agent sees it (None: as it was opened); closing it has no effect.

        `again_after`: the error of the store that was lent before. If its file is gone, the one that took its place
        is opened; where none has, nothing is made, and the error is raised: the file may be on its way back. `at_once`:
        for whoever brings in what others wait for; that is not use by anybody.

        Raises what opening raises; InvalidValue for an agent without a usable name.
        """
        if not at_once:
            self._first()
        with self._opening:
            held = self._current() if again_after is None else self._renewed(again_after)
            held.users += 1
            self.users += 1
        try:
            yield held.forge.lend(agent)
        finally:
            with self._opening:
                held.users -= 1
                self.users -= 1
                if not at_once:
                    self.last_used = time.monotonic()
                self._release(held)

    def refresh(self) -> None:
        """Let go of a store whose file or settings are not those that it was opened with."""
        with self._opening:
            if self._held is not None and self._held.mark != self._mark(self._held.forge):
                self._retire()

    def close(self) -> None:
        """Close the store if it is open; who is at work on it ends first."""
        with self._opening:
            self._retire()

    def _current(self) -> _Held:
        if self._held is None:
            forge = self._opens()
            self._held = _Held(forge, self._mark(forge))
        return self._held

    def _renewed(self, error: StoreUnavailable) -> _Held:
        before = self._held
        if before is None or not isinstance(error, StoreGone):
            raise error
        if before.mark != self._mark(before.forge) or not _is_there(before.forge):
            if not _is_there(before.forge):
                raise StoreGone(error.fault, "Have it put back; calls go on with it then") from error
            forge = self._opens()
            self._retire()
            self._held = _Held(forge, self._mark(forge))
        assert self._held is not None
        return self._held

    def _retire(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            held.retired = True
            self._release(held)

    @staticmethod
    def _release(held: _Held) -> None:
        if held.retired and not held.users:
            held.forge.close()

    def _mark(self, forge: Forge) -> object:
        location = forge.identity.location
        store = None if "://" in location else _file_mark(location, whole=False)
        return store, None if self._settings is None else _file_mark(self._settings, whole=True)


def _is_there(forge: Forge) -> bool:
    location = forge.identity.location
    return "://" in location or Path(location).exists()


def _file_mark(path: str, whole: bool) -> object:
    """Which file stands at a path; `whole`: with its size and time, so that a change of its text is seen."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    which = (found.st_dev, found.st_ino)
    return (*which, found.st_size, found.st_mtime_ns) if whole else which
