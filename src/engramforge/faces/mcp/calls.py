"""From an asynchronous tool call to the synchronous facade: one store, one limiter, a deadline for every
call.

The store opens at the first call and not at the start, so that a client sees the tools at once even when
the store is slow, locked or broken; the call then says what is wrong.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

import engramforge
from engramforge.errors import EngramforgeError, InternalError, StoreGone, StoreUnavailable
from engramforge.model.fence import guarded, printable
from engramforge.model.stopping import stopped_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engramforge.forge import Forge

T = TypeVar("T")

PARALLEL_CALLS: Final = 4
"""How many calls run at once; more wait their turn."""
DEADLINE_S: Final = 30.0
"""How long a call may take, waiting included."""


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


class Calls:
    """The store behind the tools.

    `store`, `agent`: the home folder or the URL, and who asks, as for `engramforge.open`. `deadline_s`: how long a call
    may take, in seconds.
    """

    def __init__(self, store: str | None, agent: str | None, deadline_s: float = DEADLINE_S) -> None:
        self._store = store
        self._agent = agent
        self._deadline_s = deadline_s
        self._forge: Forge | None = None
        self._opening = threading.Lock()
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, work: Callable[[Forge], T]) -> T:
        """Run `work` on the store in a worker thread; it stops when the client cancels it or its time is over.

        Raises
        ------
        ToolError : what the client's model reads: kind of fault, fault and mend.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(PARALLEL_CALLS)
        given_up = GivenUp()

        def carry_out() -> T:
            # The store is opened to the end in any case: the next call needs it as well.
            forge = self._open()
            with stopped_by(given_up):
                try:
                    return work(forge)
                except StoreUnavailable as error:
                    return work(self._open_again(forge, error))

        try:
            with anyio.fail_after(self._deadline_s):
                return await anyio.to_thread.run_sync(
                    carry_out, limiter=self._limiter, abandon_on_cancel=True
                )
        except EngramforgeError as error:
            raise ToolError(told(error)) from error
        except TimeoutError:
            raise ToolError(
                f"Timeout: no answer within {self._deadline_s:g} s, so the call was stopped. What it had committed "
                "by then stands: look with forge_timeline before repeating a write."
            ) from None
        except Exception as error:
            ours = InternalError(f"{type(error).__name__}: {error}", "Please report it")
            raise ToolError(told(ours)) from error
        finally:
            given_up.set()

    def _open(self) -> Forge:
        with self._opening:
            if self._forge is None:
                self._forge = engramforge.open(self._store, agent=self._agent)
            return self._forge

    def _open_again(self, before: Forge, error: StoreUnavailable) -> Forge:
        """The store that took the place of one whose file is gone: no model can have its server started anew.

        Where none has, nothing is made, and the error is raised: the file may be on its way back.
        """
        with self._opening:
            if self._forge is None or (self._forge is before and not isinstance(error, StoreGone)):
                raise error
            if self._forge is before:
                if not Path(before.identity.location).exists():
                    raise StoreGone(error.fault, "Have it put back; calls go on with it then") from error
                self._forge = engramforge.open(self._store, agent=self._agent)
                before.close()
            return self._forge

    def close(self) -> None:
        """Close the store if it was opened."""
        with self._opening:
            if self._forge is not None:
                self._forge.close()
                self._forge = None


def told(error: EngramforgeError) -> str:
    """An error as a model reads it: on one line, and what it quotes of a text is no mark of ours."""
    return f"{error.code}: {guarded(printable(' '.join(str(error).split())))}"
