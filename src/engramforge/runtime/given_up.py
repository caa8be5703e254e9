"""The signal by which a call ends that nobody waits for any longer."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class GivenUp:
    """The signal that a call was given up; it interrupts what the call is doing."""

    def __init__(self) -> None:
        self._set = threading.Event()
        self._lock = threading.Lock()
        self._interrupts: list[Callable[[], object]] = []

    def is_set(self) -> bool:
        """Whether the call was given up."""
        return self._set.is_set()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """Has `interrupt` called if the call is given up during the block."""
        with self._lock:
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)

    def set(self) -> None:
        """Give the call up."""
        self._set.set()
        if self._interrupts:
            # On a thread of its own: a database server may take its time to answer.
            threading.Thread(target=self._interrupt, daemon=True).start()

    def _interrupt(self) -> None:
        with self._lock:
            for interrupt in self._interrupts:
                with suppress(Exception):
                    interrupt()
