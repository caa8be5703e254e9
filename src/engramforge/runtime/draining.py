"""The worker that captures what waits in the spool, in batches and at once; whoever reads may wait for it."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engramforge.errors import CallerError, EngramforgeError, InternalError
from engramforge.runtime.condition import Condition
from engramforge.runtime.spool import Spool, read_spooled

log = logging.getLogger(__name__)

Take = Callable[[Sequence[Mapping[str, Any]]], object]
"""Captures events, each of them once however often it comes; raises what capturing raises."""
BATCH: Final = 64
_AGAIN_S: Final = (1.0, 5.0, 15.0, 60.0)
"""How long to wait after so many failures in a row, before what could not be captured is tried again."""


class Draining:
    """Drains a spool on a thread of its own.

    `take`: captures a batch. `condition`: is told whether writing works.
    """

    def __init__(self, spool: Spool, take: Take, condition: Condition) -> None:
        self._spool = spool
        self._take = take
        self._condition = condition
        self._changed = threading.Condition()
        self._asked = 0
        self._done = 0
        self._ending = False
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="draining", daemon=True)

    def start(self) -> None:
        """Begin, with what an earlier daemon left."""
        self._thread.start()
        self.wake()

    def wake(self) -> int:
        """Have what was appended until now captured; the ticket with which to wait for it."""
        with self._changed:
            self._asked += 1
            self._changed.notify_all()
            return self._asked

    def ticket(self) -> int:
        """The ticket of everything that was accepted until now."""
        with self._changed:
            return self._asked

    def wait(self, ticket: int, seconds: float) -> bool:
        """Wait until everything up to a ticket is captured, at most so long; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._done >= ticket or self._ending, seconds)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being captured or about to be."""
        with self._changed:
            return self._done >= self._asked

    def close(self, seconds: float = 10.0) -> None:
        """End after the batch under way; what waits stays in the spool."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ending or self._done < self._asked)
                if self._ending:
                    return
                asked = self._asked
            try:
                self._drain()
                self._failures = 0
            except Exception as error:  # noqa: BLE001 - whatever fails, the events wait in the spool
                self._condition.failed(error)
                pause = _AGAIN_S[min(self._failures, len(_AGAIN_S) - 1)]
                self._failures += 1
                log.warning("Events wait in the spool: %s (again in %g s)", error, pause)
                with self._changed:
                    # Who waits for them is let go: there is nothing to wait for.
                    self._done = max(self._done, asked)
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._ending, pause)
                    self._asked += 1
                continue
            with self._changed:
                self._done = max(self._done, asked)
                self._changed.notify_all()

    def _drain(self) -> None:
        unread: OSError | None = None
        for place in self._spool.take_files(time.time()):
            try:
                found = read_spooled(place)
            except OSError as error:
                # The others do not wait for this one.
                unread = error
                continue
            self._capture(found.events)
            for line, fault in found.unread:
                self._spool.refuse(line, fault)
            self._spool.remove(place)
        if unread is not None:
            raise unread

    def _capture(self, events: Sequence[Mapping[str, Any]]) -> None:
        for first in range(0, len(events), BATCH):
            if self._ending:
                raise InterruptedError("the daemon ends")
            batch = events[first : first + BATCH]
            try:
                self._take(batch)
            except Exception as error:
                if _is_of_the_world(error):
                    raise
                self._one_by_one(batch)
            self._condition.worked()

    def _one_by_one(self, batch: Sequence[Mapping[str, Any]]) -> None:
        """Capture a batch that has an event which cannot be, and set that one aside."""
        for event in batch:
            try:
                self._take([event])
            except Exception as error:
                if _is_of_the_world(error):
                    raise
                self._spool.refuse(json.dumps(event), f"{type(error).__name__}: {error}")


def _is_of_the_world(error: Exception) -> bool:
    """Whether it is not the event's fault, so that it may go through later."""
    is_ours = isinstance(error, CallerError | InternalError) or not isinstance(error, EngramforgeError)
    return isinstance(error, OSError) or not is_ours
