"""Waits for a coroutine from synchronous code: not a moment longer than allowed, and no longer than somebody wants it.

It runs on a loop and a thread of its own, so the caller may itself be in a loop, and a name server that does not answer
holds up nobody.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from engramforge.errors import ModelUnavailable
from engramforge.model.stopping import interrupted_by_stop

T = TypeVar("T")


def wait_for(work: Callable[[], Coroutine[Any, Any, T]], seconds: float, who: str) -> T:
    """What the coroutine returns. `who`: does not answer, for the error.

    Raises ModelUnavailable: it took longer than `seconds`; Stopped: the caller was given up; what the coroutine raises.
    A coroutine that is no longer waited for is cancelled, which closes its connection.
    """
    outcome: Future[T] = Future()
    given_up = _GivenUp()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(given_up.guarded(work)))
        except asyncio.CancelledError:
            outcome.set_exception(ModelUnavailable(f"The question to {who} was given up"))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            outcome.set_exception(error)

    threading.Thread(target=run, name="language-model", daemon=True).start()
    try:
        with interrupted_by_stop(given_up.set):
            return outcome.result(seconds)
    except TimeoutError as error:
        raise ModelUnavailable(
            f"{who} did not answer within {seconds:g} s", "Raise model_timeout_s, or try again later"
        ) from error
    finally:
        given_up.set()


class _GivenUp:
    """Cancels one coroutine from another thread, also before it began and after it ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._cancel: Callable[[], object] | None = None

    async def guarded(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        with self._lock:
            if self._is_set or task is None:
                raise asyncio.CancelledError
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            return await work()
        finally:
            with self._lock:
                self._cancel = None

    def set(self) -> None:
        """Cancel it, if it is still at work."""
        with self._lock:
            self._is_set = True
            if self._cancel is not None:
                self._cancel()
