"""How often memories are shown and opened, counted in memory and written in batches, so that no question waits for it.

Nothing else may be written here. A process that dies before a batch loses its counts, and a store that cannot be
written to keeps none: neither is worth a failed question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import Final

from engramforge.errors import EngramforgeError
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.store.door import Door

_BATCH: Final = 500
"""How many memories wait for a write at most."""


class UseCounts:
    """Uses that wait to be written; shared between threads."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._lock = Lock()
        self._shown: Counter[str] = Counter()
        self._opened: Counter[str] = Counter()
        self._at: datetime | None = None

    def shown(self, scope: Scope, versions: Iterable[str]) -> None:
        """Count that versions of memories were shown in an answer."""
        with self._lock:
            self._shown.update(versions)
            is_full = len(self._shown) >= _BATCH
        if is_full:
            self.write(scope)

    def opened(self, memory: Memory, at: datetime) -> None:
        """Count that a memory was opened."""
        with self._lock:
            self._opened[memory.id] += 1
            self._at = at

    def write(self, scope: Scope) -> None:
        """Write what waits, in a statement for all; without effect where the store cannot be written to."""
        with self._lock:
            shown, opened, at = self._shown, self._opened, self._at
            self._shown, self._opened = Counter(), Counter()
        if shown or opened:
            with suppress(EngramforgeError):
                self._door.write(scope, lambda writes: writes.count_uses(shown, opened, at))
