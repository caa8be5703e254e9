"""How long one way or step may take: a slow one is stopped, and the others are not kept waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from engramforge.errors import CallerError, EngramforgeError, Stopped
from engramforge.model.stopping import check_wanted, stopped_by
from engramforge.model.streams.stream import WayReport

WAY_S: Final = 2.0
"""How long a way may take."""
_AGAIN_S: Final = 0.05
T = TypeVar("T")


class TimeLimit:
    """A stop signal (model/stopping) that sets itself some seconds after its block began.

    One thread waits for the whole block, however many statements it interrupts.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._interrupt)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._running: list[Callable[[], object]] = []

    def __enter__(self) -> TimeLimit:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._over.set()

    def is_set(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._end

    @contextmanager
    def interrupting(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """Has `interrupt` called from another thread when the time is up during the block."""
        with self._lock:
            self._running.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(interrupt)

    def _interrupt(self) -> None:
        # Again and again: an interrupt between two statements stops neither.
        while not self._over.is_set():
            with self._lock:
                for interrupt in self._running:
                    interrupt()
            self._over.wait(_AGAIN_S)


@dataclass(frozen=True, slots=True)
class Tried(Generic[T]):
    """What came of a way. `answer`: what it found, though it may have been too slow; else what stands for nothing."""

    answer: T
    took_ms: float
    fault: EngramforgeError | None

    def report(self, way: str, found: int) -> WayReport:
        """How it went, under the name of a way."""
        return WayReport(way, found, self.took_ms, None if self.fault is None else str(self.fault))


def tried(seconds: float, search: Callable[[], T], nothing: T) -> Tried[T]:
    """What a search answers within some seconds, else `nothing` and the fault; an answer that comes too late has one,
    too.

    Raises CallerError as the search does, and Stopped where whoever asks gave up before.
    """
    check_wanted()
    begun = time.perf_counter()
    answer: T = nothing
    fault: EngramforgeError | None = None
    too_slow = Stopped(f"It took longer than its limit of {seconds:g} s", "Ask for less, or again later")
    try:
        with TimeLimit(seconds) as limit, stopped_by(limit):
            answer = search()
            fault = too_slow if limit.is_set() else None
    except CallerError:
        raise
    except Stopped:
        # In the block nothing else stops a search.
        fault = too_slow
    except EngramforgeError as error:
        fault = error
    return Tried(answer, (time.perf_counter() - begun) * 1e3, fault)
