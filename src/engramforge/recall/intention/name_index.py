"""The names that a store knows, kept in memory and brought up to date at each question."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engramforge.core.entities.known_names import KnownNames, Meant
from engramforge.model.scope import Scope
from engramforge.model.stopping import check_wanted
from engramforge.store.door import Door, View

_AT_ONCE: Final = 20_000
_WAIT_S: Final = 0.05
"""After how long whoever waits for another's reading looks whether the time is up."""


class NameIndex:
    """Which names a question means, of those that memories in its scope mention.

    All names of the tenant are kept, and the store is asked which of those that a question comes near to are mentioned
    in scope: others' names say nothing of which one is meant. Shared between threads. A reading that is stopped goes on
    at the next question where it ended.
    """

    def __init__(self, door: Door) -> None:
        self._door = door
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Keep no name any more; the next question reads them anew."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._known = KnownNames()
        self._count = 0
        self._newest: tuple[int, str] | None = None

    def meant(self, scope: Scope, question: str) -> list[Meant]:
        """The known names that a question means, in its order, each once."""
        with self._held(), self._door.asking(scope) as view:
            self._read(view)
            return self._known.meant(question, view.names_seen)

    @contextmanager
    def _held(self) -> Iterator[None]:
        while not self._lock.acquire(timeout=_WAIT_S):
            check_wanted()
        try:
            yield
        finally:
            self._lock.release()

    def _read(self, view: View) -> None:
        """Take in what came since; all anew where some went, or came late: a key is given again after a forget, and a
        transaction that took its key earlier may end later."""
        newest = self._newest
        found = view.names_after(newest[0] - 1 if newest else 0, _AT_ONCE)
        if newest is not None:
            if found[:1] == [newest] and view.names_count(newest[0]) == self._count:
                found = found[1:]
            else:
                self._forget()
                found = view.names_after(0, _AT_ONCE)
        while found:
            check_wanted()
            self._known.add(name for _, name in found)
            self._count += len(found)
            self._newest = found[-1]
            found = view.names_after(found[-1][0], _AT_ONCE)
